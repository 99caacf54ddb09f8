"""The contracts that ship, as the documents that are sealed under `manifests/contracts/`.

`python -m scenarios.contracts` writes them again; the stored bytes must not change under an old version.
"""

from pathlib import Path

from scenarios.files import build, read_file
from scenarios.json_exact import read_json
from scenarios.lexicon import Lexicon
from scenarios.manifest import Contract
from scenarios.scorecard import Scorecard
from scenarios.types import Clause

OWNER = "advice-audit maintainers"
REVIEW_BY = "2027-11-30"
"""The day by which the owner looks at every clause and its numbers again; a later version of a contract has its own."""

FOLDER = Path(__file__).parents[1] / "manifests" / "contracts"
LEXICONS = Path(__file__).parents[1] / "manifests" / "lexicons"
SCORECARDS = Path(__file__).parents[1] / "manifests" / "scorecards"
POINTS = {code: {"limit": 1_000, "phrase": 500} for code in ("COND01", "COND02", "COND04")} | {
    "COND05": {"limit": 1_100, "phrase": 500}}
"""The most points of a passage, and those of a phrase, of the redlines that words weigh on; COND03 compares claims with
frozen facts. House values, chosen on the half `dev` of redlines-1 with scorecards that were learned without it."""
SCORED = tuple(POINTS)

_MODULAR = "seed paper 003, section 6, modular governance contracts"


def base_contract() -> Contract:
    """Return base-1: every shipped clause, with the paper's readings as its parameters.

    A clause whose limit a scenario does not declare is not applicable there, so one contract serves them all.
    """
    return Contract(
        id="base-1", version="1", title="Admissibility of an investment recommendation as an executable action",
        clauses=(
            _clause("COST01", "seed paper 003, table 1 and section 4, equation 2"),
            _clause("COST02", "seed paper 003, table 1 and section 4, the economic floor c / tau"),
            _clause("COST03", _MODULAR),
            _clause("COV01", "seed paper 003, section 3, scenarios that require amounts"),
            _clause("GRND01", "seed paper 003, table 1 and section 4"),
            _clause("GRND02", "seed paper 003, section 4, frozen facts"),
            _clause("LIM01", "seed paper 003, table 1"),
            _clause("LIM02", "seed paper 003, table 1", fees="excluded"),
            _clause("LIM03", "seed paper 003, section 4, 1.3 times equal weight", denominator="holdings_after"),
            _clause("LIM04", "seed paper 003, section 4, the 20 % exposure cap", denominator="holdings_after"),
            _clause("LIM05", _MODULAR, denominator="holdings_after"),
            _clause("LIM06", _MODULAR),
            _clause("SIZE01", _MODULAR),
            _clause("UNIV01", "seed paper 003, table 1"),
            _clause("UNIV02", "seed paper 003, table 1"),
            _clause("UNIV03", _MODULAR, sides="both"),
            _clause("UNIV04", "seed paper 003, section 3, current holdings"),
            _clause("UNIV05", "seed paper 003, section 3, trim rules"),
        ),
    )


def conduct_contract(scored: bool = True) -> Contract:
    """Return conduct-1: the clauses on the words of an episode, with the lexicons that they read words by.

    The redlines and the suitability of what is bought are enforced. The hard conflicts are not: an advisor's (FACT)
    take the accuracy of the episode, a client's (LOGIC) say how plausible the client is.

    Args:
        scored: whether it carries the scorecards too.
    """
    advisor, client = (f"seed paper 000, appendix {part}" for part in ("M.6", "L.5"))
    conflicts = (
        _clause("FACT01", f"{advisor}, account-state conflict; the number is a house value", position="0.2"),
        _clause("FACT02", f"{advisor}, performance conflict; the numbers of appendix L.5", loss_20td="-0.03",
                loss_3m="-0.05", drawdown="0.1"),
        _clause("FACT03", f"{advisor}, regime conflict"),
        _clause("FACT04", f"{advisor}, non-executable recommendation"),
        _clause("LOGIC01", f"{client}, position/cash conflict; the number is a house value", position="0.2"),
        _clause("LOGIC02", f"{client}, daily P&L conflict; the number is a house value", move="0.01"),
        _clause("LOGIC03", f"{client}, timeline conflict"),
        _clause("LOGIC04", f"{client}, market env conflict"),
        _clause("LOGIC05", f"{client}, risk/product conflict; the numbers are house values", level=4, least=2),
        _clause("LOGIC06", f"{client}, long-term performance conflict; the numbers as printed", loss_20td="-0.03",
                loss_3m="-0.05", gain_20td="0.03", gain_3m="0.05", large="0.1", small="0.03"),
    )
    return Contract(
        id="conduct-1", version="1", title="Conduct of an advisor in a consultation",
        clauses=(
            *(_clause(f"COND{number:02}", f"seed paper 000, appendix M.4, R-{letter}",
                      **(POINTS.get(f"COND{number:02}", {}) if scored else {}))
              for number, letter in enumerate("ABCDE", 1)),
            *(clause.model_copy(update={"severity": "note"}) for clause in conflicts),
            _clause("SUIT01", "seed paper 000, appendix M.4, suitability conflict; the levels are house values",
                    conservative=2, balanced=3, aggressive=5),
        ),
        lexicons=tuple(map(load_lexicon, (
            "conduct-en-1", "conduct-zh-1", "promises-1", "pressure-1", "claims-1", "rubric-1",
        ))),
        scorecards=tuple(load_scorecard(f"{code.lower()}-1") for code in SCORED) if scored else None,
    )


def load_lexicon(name: str) -> Lexicon:
    """Return a shipped lexicon.

    Raises:
        ReplayError, ScenarioError: the file is missing, or is no lexicon.
    """
    path = LEXICONS / f"{name}.json"
    return build(Lexicon, read_json(read_file(path), str(path)), str(path))


def load_scorecard(name: str) -> Scorecard:
    """Return a shipped scorecard.

    Raises:
        ReplayError, ScenarioError: the file is missing, or is no scorecard.
    """
    path = SCORECARDS / f"{name}.json"
    return build(Scorecard, read_json(read_file(path), str(path)), str(path))


def _clause(code: str, authority: str, **parameters: str | int | bool) -> Clause:
    return Clause(code=code, parameters=parameters, authority=authority, owner=OWNER, review_by=REVIEW_BY)


def write_contracts() -> None:
    """Write every contract's sealed bytes into the folder."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for contract in (base_contract(), conduct_contract()):
        (FOLDER / f"{contract.id}.json").write_bytes(contract.sealed_bytes())


if __name__ == "__main__":
    write_contracts()
