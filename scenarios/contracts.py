"""The contracts that ship, as the documents that are sealed under `manifests/contracts/`.

`python -m scenarios.contracts` writes them again; the stored bytes must not change under an old version.
"""

from pathlib import Path

from scenarios.manifest import Contract
from scenarios.types import Clause

OWNER = "advice-audit maintainers"
FOLDER = Path(__file__).parents[1] / "manifests" / "contracts"

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


def _clause(code: str, authority: str, **parameters: str | int | bool) -> Clause:
    return Clause(code=code, parameters=parameters, authority=authority, owner=OWNER)


def write_contracts() -> None:
    """Write every contract's sealed bytes into the folder."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    contract = base_contract()
    (FOLDER / f"{contract.id}.json").write_bytes(contract.sealed_bytes())


if __name__ == "__main__":
    write_contracts()
