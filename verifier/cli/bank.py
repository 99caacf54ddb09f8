"""`audit bank`: judge frozen answers, score them, write a sealed run folder."""

from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from verifier.cli.options import (
    advisors_option,
    bank_option,
    contract_options,
    json_option,
    load_answered,
    load_judge,
    parser_option,
)

if TYPE_CHECKING:
    from scenarios.load import Bank
    from verifier.bank import Judged
    from verifier.contract import Judge

@click.command("bank")
@bank_option
@advisors_option
@contract_options
@parser_option
@click.option("--out", type=click.Path(path_type=Path), default=None, metavar="DIR",
              help="Folder of the run; default: runs/ under a name made of the inputs' digests.")
@click.option("--fail-under", type=str, default=None, metavar="RATE",
              help="Exit with 1 when an advisor's strict validity is under this rate, such as 0.95.")
@click.option("--fail-on", multiple=True, metavar="CODE", help="Exit with 1 when any run carries this code.")
@json_option
def command(
    bank_path: Path, advisor_paths: tuple[Path, ...], contract_path: Path | None, predicate_files: tuple[Path, ...],
    parser: str, out: Path | None, fail_under: str | None, fail_on: tuple[str, ...], as_json: bool,
) -> int:
    """Judge the frozen answers of one or more advisors to a bank.

    Every planned run gets a verdict; a planned run without an answer is ERROR. The run folder holds the
    inputs, verdicts, chained log and scores, sealed; `audit replay` recomputes it.

    \b
    Exit codes: 0 judged and sealed; 1 only with --fail-under or --fail-on; 2 wrong usage;
    3 unreadable or mismatching input, an unwritable output, or a clause in ERROR.
    """
    from scenarios.files import write_folder
    from verifier.bank import sealed_run
    from verifier.cli.output import print_json, say

    least = None if fail_under is None else _rate(fail_under)
    judge: Judge = load_judge(contract_path, predicate_files)
    for code in fail_on:
        if code not in judge.predicates:
            raise click.BadParameter(f"{code} is not in contract {judge.contract.id}", param_hint="--fail-on")
    bank, advisors = load_answered(bank_path, advisor_paths)
    manifest, judged, files = sealed_run(judge, bank, advisors, parser)
    target = out if out is not None else Path("runs") / manifest.id
    write_folder(target, files)
    scores = judged.scores
    if as_json:
        print_json(_as_json(judge, bank, judged, {"path": str(target), "digest": manifest.compute_digest()}))
    else:
        _print(bank, judge, judged)
        say()
        say(f"The run is sealed in {target}/ (sha256 {manifest.compute_digest()}).")
        say(f"Replay it with: audit replay {target}/manifest.json")
    answered = [one.verdict for runs in judged.runs.values() for one in runs if "answer" in one.verdict.digests]
    if any(verdict.state == "ERROR" for verdict in answered):
        say("audit: a verdict could not be completed (ERROR); see verdicts.jsonl", err=True)
        return 3
    under = least is not None and any(one.validity_strict < least for one in scores)
    hit = any(code in one.violations for one in scores for code in fail_on)
    return 1 if under or hit else 0


def _rate(text: str) -> Fraction:
    from scenarios.exact import parse_decimal

    try:
        rate = parse_decimal(text)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--fail-under") from error
    if not 0 <= rate <= 1:
        raise click.BadParameter(f"found {text}, expected 0 to 1", param_hint="--fail-under")
    return rate


def _waived(judged: "Judged") -> dict[str, int]:
    """Return by code the runs in which a clause was violated and the contract does not enforce it."""
    states = (one.verdict.clauses.items() for runs in judged.runs.values() for one in runs)
    return dict(sorted(Counter(code for clauses in states for code, state in clauses if state == "WAIVED").items()))


def _as_json(judge: "Judge", bank: "Bank", judged: "Judged", run: dict[str, str]) -> dict[str, Any]:
    contract = judge.contract
    return {
        "bank": {"id": bank.id, "digest": bank.digest, "scenarios": len(bank.scenarios)},
        "contract": {"id": contract.id, "version": contract.version, "digest": judge.digest},
        "run": run,
        "waived": _waived(judged),
        "advisors": [{**one.summary(), "scenarios": one.scenarios} for one in judged.scores],
    }


def _print(bank: "Bank", judge: "Judge", judged: "Judged") -> None:
    from verifier.cli.output import counted, print_table, say
    from verifier.scores import CAUSES, COLUMNS, score_table
    from verifier.verdict import STATES

    scores, contract = judged.scores, judge.contract
    say(f"Bank {bank.id}: {counted(len(bank.scenarios), 'scenario')}, sha256 {bank.digest[:12]}")
    say(f"Contract {contract.id} version {contract.version}: {counted(len(contract.clauses), 'clause')}, "
        f"sha256 {judge.digest[:12]}")
    waived = _waived(judged)
    if waived:
        say("Violated and not enforced by this contract (WAIVED): "
            + ", ".join(f"{code} in {counted(runs, 'run')}" for code, runs in waived.items()))
    say()
    print_table(COLUMNS, score_table(scores), title="Scores")
    say()
    print_table(
        ("Advisor", "Asked", "Runs", *(state.capitalize() for state in STATES)),
        [[one.id, f"{one.scenarios}/{len(bank.scenarios)}", str(one.runs),
          *(str(one.states[state]) for state in STATES)] for one in scores],
        title="Run states (Asked: scenarios in the advisor's plan)",
    )
    say()
    _print_conduct(judged)
    codes = sorted({code for one in scores for code in one.violations})
    if codes:
        print_table(
            ("Advisor", *codes),
            [[one.id, *(str(one.violations.get(code, 0)) for code in codes)] for one in scores],
            title="Violations (runs that carry the code)",
        )
        for code in codes:
            say(f"  {code}  {judge.predicates[code].name}")
        say()
    print_table(
        ("Advisor", *(cause.capitalize() for cause in CAUSES)),
        [[one.id, *(str(one.causes[cause]) for cause in CAUSES)] for one in scores],
        title="Causes of the runs that do not count as valid",
    )
    say()
    rows = []
    for one in scores:
        validity = one.record()["validity"]
        rows.append([one.id, _bounded(validity["strict"]), _bounded(validity["answered"])])
    print_table(("Advisor", "Strict", "Answered"), rows, title="Validity with exact 95 % Clopper-Pearson bounds")


def _print_conduct(judged: "Judged") -> None:
    from verifier.cli.output import print_table, say
    from verifier.conduct import COLUMNS, conduct_row

    rows = [conduct_row(one.id, one.conduct) for one in judged.scores if one.conduct is not None]
    if rows:
        print_table(COLUMNS, rows, title="Conduct over the judged episodes (C: no redline anywhere; scores of 100 "
                    "behind it; logic and realism, of 2, are the client's)")
        say()


def _bounded(share: dict[str, str] | None) -> str:
    return "-" if share is None else f"{share['printed']} [{share['low']}, {share['high']}]"
