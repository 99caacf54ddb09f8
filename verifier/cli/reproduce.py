"""`audit reproduce`: the paper's tables and figures beside ours."""

from pathlib import Path

import click

from verifier.cli.options import json_option

NAMES = ("controls", "fit", "pilots", "redlines", "sweep", "table3")


@click.command("reproduce")
@click.argument("name", type=click.Choice(NAMES))
@click.option("--labels", "labels_path", type=click.Path(path_type=Path), default="redlines-1", show_default=True,
              metavar="DIR", help="For redlines: the labelled set.")
@click.option("--half", type=click.Choice(["test", "dev"]), default="test", show_default=True,
              help="For redlines: the half of the set.")
@click.option("--contract", "contract_path", type=click.Path(path_type=Path), default="conduct-1", show_default=True,
              metavar="FILE", help="For redlines: the contract whose clauses are measured.")
@json_option
def command(name: str, labels_path: Path, half: str, contract_path: Path, as_json: bool) -> int:
    """Print the rows of NAME: published value, ours, difference, reason.

    The paper's artifact is not public: bank and controls are reconstructions, see docs/bank.md. Every
    number of ours comes out of scoring the shipped answers anew. redlines prints precision and recall of the
    conduct clauses on labelled texts, with Wilson intervals, and the misses by kind.

    \b
    Exit codes: 0 no published number differs, no bar is missed; 1 one does; 2 wrong usage; 3 data cannot be read.
    """
    if name == "redlines":
        return _redlines(labels_path, half, contract_path, as_json)
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


def _redlines(labels_path: Path, half: str, contract_path: Path, as_json: bool) -> int:
    from scenarios.labels import load_labels
    from scenarios.load import resolve
    from verifier.cli.options import load_judge
    from verifier.cli.output import print_json, print_table, say
    from verifier.redlines import fire, measure, rows, shortfalls

    labels = load_labels(resolve(labels_path, ""))
    judge = load_judge(contract_path, ())
    measured = measure(fire(judge, labels, labels.texts[half]))
    short = shortfalls(measured)
    table = rows(measured)
    header = ("Redline", "Language", "Hit", "False", "Missed", "Precision [95 %]", "Recall [95 %]")
    if as_json:
        print_json({
            "labels": {"id": labels.id, "digest": labels.digest, "half": half, "texts": measured.texts},
            "contract": {"id": judge.contract.id, "digest": judge.digest},
            "rows": [dict(zip(header, row, strict=True)) for row in table],
            "missed": measured.missed, "false": measured.false, "shortfalls": short,
        })
        return 1 if short else 0
    say(f"Labels {labels.id}, half {half}: {measured.texts} texts, sha256 {labels.digest[:12]}")
    say(f"Contract {judge.contract.id}: sha256 {judge.digest[:12]}")
    say()
    print_table(header, table, title="Redlines on labelled words")
    for title, kinds in (("Missed, by kind", measured.missed), ("Falsely found, by kind", measured.false)):
        say()
        print_table(("Redline", "Kind", "Texts"), [(code, kind, str(number)) for code, kind, number in kinds],
                    title=title, numbers_from=2)
    say()
    for line in short:
        say(f"under the bar: {line}")
    if not short:
        say("Every bar is reached.")
    return 1 if short else 0
