"""`audit diff`: which verdicts a new contract flips."""

from pathlib import Path

import click

from verifier.cli.options import advisors_option, bank_option, json_option, parser_option, predicates_option

SHOWN = 20


@click.command("diff")
@click.argument("before", metavar="CONTRACT_A", type=click.Path(path_type=Path))
@click.argument("after", metavar="CONTRACT_B", type=click.Path(path_type=Path))
@bank_option
@advisors_option
@predicates_option
@parser_option
@click.option("--all", "show_all", is_flag=True, help=f"List every flip, not only the first {SHOWN}.")
@json_option
def command(
    before: Path, after: Path, bank_path: Path, advisor_paths: tuple[Path, ...], predicate_files: tuple[Path, ...],
    parser: str, show_all: bool, as_json: bool,
) -> int:
    """Judge the same frozen answers by CONTRACT_A and CONTRACT_B and list the runs whose state differs.

    Each flip is shown with the reasons of both sides. Clauses that only one contract has are named.

    \b
    Exit codes: 0 compared, whether or not verdicts flip; 2 wrong usage; 3 unreadable or mismatching input.
    """
    from verifier.cli.options import load_answered, load_judge
    from verifier.cli.output import counted, print_json, say
    from verifier.diffing import diff

    judges = [load_judge(path, predicate_files) for path in (before, after)]
    bank, advisors = load_answered(bank_path, advisor_paths)
    found = diff(judges[0], judges[1], bank, advisors, parser)
    if as_json:
        print_json({
            "before": {"id": judges[0].contract.id, "digest": judges[0].digest},
            "after": {"id": judges[1].contract.id, "digest": judges[1].digest},
            "runs": found.runs, "only_clauses": found.only_clauses, "removed": found.removed, "added": found.added,
            "flips": [flip.record() for flip in found.flips],
        })
        return 0
    names = [f"{judge.contract.id} version {judge.contract.version} ({judge.digest[:12]})" for judge in judges]
    say(f"A: {names[0]}")
    say(f"B: {names[1]}")
    for label, codes in (("Only in A", found.removed), ("Only in B", found.added)):
        if codes:
            say(f"{label}: {', '.join(codes)}")
    say(f"{counted(found.runs, 'run')} judged by both: {counted(len(found.flips), 'verdict')} flip, "
        f"{found.only_clauses} keep their state and change in a clause.")
    for flip in found.flips if show_all else found.flips[:SHOWN]:
        say()
        say(f"{flip.advisor}, {flip.scenario}, run {flip.run}: {flip.before[0]} -> {flip.after[0]}")
        for label, (_, reasons) in (("A", flip.before), ("B", flip.after)):
            for reason in reasons or ("nothing is broken",):
                say(f"  {label}: {reason}")
    if not show_all and len(found.flips) > SHOWN:
        say()
        say(f"... {len(found.flips) - SHOWN} more; list them with --all or --json")
    return 0
