"""`audit compare`: advisors side by side over their common scenarios."""

from pathlib import Path

import click

from verifier.cli.options import json_option, load_predicates, predicates_option


@click.command("compare")
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RUN...")
@predicates_option
@json_option
def command(runs: tuple[Path, ...], predicate_files: tuple[Path, ...], as_json: bool) -> int:
    """Lay the advisors of one or more run folders side by side.

    Advisors with different plans are scored over the scenarios that all of them were asked; how many
    those are is said. Runs that differ in bank, contract, clause sources or parser are refused.

    \b
    Exit codes: 0 compared; 2 wrong usage; 3 a run cannot be read, or the runs do not compare.
    """
    from verifier.cli.output import counted, print_json, print_table, say
    from verifier.comparing import compare
    from verifier.scores import COLUMNS, score_table

    found = compare(runs, load_predicates(predicate_files))
    if as_json:
        print_json({
            "bank": found.bank, "contract": found.contract, "common_scenarios": len(found.common),
            "scenarios": found.common, "asked": found.asked, "advisors": [one.summary() for one in found.scores],
        })
        return 0
    say(f"Bank {found.bank}, contract {found.contract}: {counted(len(found.common), 'common scenario')} of "
        f"{counted(len(found.scores), 'advisor')}")
    say()
    rows = [[*row, str(found.asked[row[0]])] for row in score_table(found.scores)]
    print_table(
        (*COLUMNS, "Asked"), rows, title="Scores over the common scenarios (Asked: scenarios in the advisor's plan)"
    )
    return 0
