"""Options that several commands share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

contract_option = click.option(
    "--contract", "contract_path", type=click.Path(path_type=Path), default=None, metavar="FILE",
    help="The contract; default: the shipped base-1.",
)
predicates_option = click.option(
    "--predicates", "predicate_files", type=click.Path(path_type=Path), multiple=True, metavar="FILE",
    help="A Python file that defines further clauses; may be given many times. Its code is run.",
)
parser_option = click.option(
    "--parser", type=click.Choice(["tolerant-1", "strict-1"]), default="tolerant-1", show_default=True,
    help="How the answer's text is read.",
)
by_option = click.option("--by", required=True, metavar="NAME", help="Who says so.")
at_option = click.option("--at", required=True, metavar="DATE",
                         help="The day on which it is said, as YYYY-MM-DD; no clock is read.")
key_option = click.option(
    "--key", type=click.Path(path_type=Path), default=None, metavar="FILE",
    help="Sign with this private Ed25519 key (PEM); needs the extra `sign`.",
)
bank_option = click.option(
    "--bank", "bank_path", type=click.Path(path_type=Path), default="bank-1", show_default=True, metavar="M",
    help="The bank: a folder, or the name of a shipped one.",
)
advisors_option = click.option(
    "--advisor", "advisor_paths", type=click.Path(path_type=Path), multiple=True, metavar="DIR",
    help="Frozen answers: a folder, or the name of shipped ones; may be given many times. "
    "Default: the five shipped stressors.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


def contract_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add --contract and --predicates."""
    return contract_option(predicates_option(function))


def load_judge(contract_path: Path | None, predicate_files: tuple[Path, ...]) -> Any:
    """Return the `Judge` of a contract and of further clause files.

    Raises:
        ScenarioError, ReplayError, SealError: the contract or a clause file cannot be used.
    """
    from scenarios.load import resolve, shipped_contract
    from scenarios.sealed import load_contract
    from verifier.contract import Judge

    path = shipped_contract() if contract_path is None else resolve(contract_path, "contracts")
    return Judge(load_contract(path), load_predicates(predicate_files))


def find_scenario(path: Path) -> Path:
    """Return a scenario's file as given, or the shipped one of that id, in whichever bank it is.

    Raises:
        ScenarioError: there is neither, or two shipped banks have one.
    """
    from scenarios.errors import ScenarioError
    from scenarios.load import SHIPPED, resolve

    if path.exists() or path.is_symlink() or path.name != str(path):
        return path
    found = [file for bank in sorted(SHIPPED.glob("*/scenarios")) for file in (bank / path, bank / f"{path}.json")
             if file.is_file()]
    if len(found) > 1:
        raise ScenarioError(str(path), f"is a scenario of {' and of '.join(file.parts[-3] for file in found)}",
                            "name the file of the one that you mean")
    return found[0] if found else resolve(path, "")


STRESSORS = ("contract", "agreement-split", "unstable-selector", "fact-hallucination", "cash-overrun")
"""The five shipped advisors of the paper's table 3, and the bank that they answer."""
STRESSED = "bank-1"


def load_answered(bank_path: Path, advisor_paths: tuple[Path, ...]) -> tuple[Any, Any]:
    """Return (the bank, the frozen answers of each advisor), of the shipped stressors where none is named.

    Raises:
        SealError, ReplayError, ScenarioError: bank or answers cannot be used.
    """
    from scenarios.load import load_answers, load_bank, resolve

    bank = load_bank(resolve(bank_path, ""))
    if not advisor_paths and bank.id != STRESSED:
        raise click.UsageError(f"the shipped stressors answer {STRESSED}; name answers to {bank.id} with --advisor")
    paths = advisor_paths or tuple(Path(name) for name in STRESSORS)
    advisors = [load_answers(resolve(path, f"answers/{bank.id}"), bank) for path in paths]
    ids = [answers.id for answers in advisors]
    twice = sorted({name for name in ids if ids.count(name) > 1})
    if twice:
        raise click.BadParameter(f"advisor {twice[0]} is given twice", param_hint="--advisor")
    return bank, advisors


def load_predicates(predicate_files: tuple[Path, ...]) -> dict[str, Any]:
    """Return the clauses of these files by code.

    Raises:
        ScenarioError: a file cannot be used, or two of them define one code.
    """
    from predicates.catalogue import load_file
    from scenarios.errors import ScenarioError

    extra: dict[str, Any] = {}
    for file in predicate_files:
        for code, clause in load_file(file).items():
            if code in extra:
                raise ScenarioError(f"{file}#{code}", "two clauses have this code", "give one of them another code")
            extra[code] = clause
    return extra
