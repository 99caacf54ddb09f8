"""`audit reproduce`: the paper's tables and figures beside ours."""

import click

from verifier.cli.options import json_option

NAMES = ("controls", "fit", "pilots", "sweep", "table3")


@click.command("reproduce")
@click.argument("name", type=click.Choice(NAMES))
@json_option
def command(name: str, as_json: bool) -> int:
    """Print the rows of NAME: published value, ours, difference, reason.

    The paper's artifact is not public: bank and controls are reconstructions, see docs/bank.md. Every
    number of ours comes out of scoring the shipped answers anew.

    \b
    Exit codes: 0 no published number differs; 1 one differs; 2 wrong usage; 3 shipped data cannot be read.
    """
    from verifier.cli.output import print_json, print_table
    from verifier.reproduce import reproduce

    rows = reproduce(name)
    differs = [row for row in rows if row.difference not in (None, "none")]
    if as_json:
        print_json({"name": name, "rows": [row._asdict() for row in rows], "differing": len(differs)})
    else:
        print_table(
            ("What", "Published", "Ours", "Difference", "Reason"),
            [[row.name, row.published or "-", row.ours, row.difference or "-", row.reason or ""] for row in rows],
            title=f"{name}: the paper beside ours",
            numbers_from=9,
        )
    return 1 if differs else 0
