"""`audit reproduce`: the paper's tables and figures beside ours."""

from pathlib import Path
from typing import Any

import click

from verifier.cli.options import json_option

NAMES = ("controls", "fit", "pilots", "recovery", "redlines", "shijian", "sweep", "table3")

HEAD = ("What", "Published", "Ours", "Difference", "Reason")


@click.command("reproduce")
@click.argument("name", type=click.Choice(NAMES))
@click.option("--labels", "labels_path", type=click.Path(path_type=Path), default="redlines-1", show_default=True,
              metavar="DIR", help="For redlines: the labelled set.")
@click.option("--half", type=click.Choice(["test", "dev"]), default="test", show_default=True,
              help="For redlines: the half of the set.")
@click.option("--contract", "contract_path", type=click.Path(path_type=Path), default="conduct-1", show_default=True,
              metavar="FILE", help="For redlines and shijian: the contract whose clauses are measured.")
@click.option("--run", "run_path", type=click.Path(path_type=Path), default=None, metavar="RUN",
              help="For shijian: a finished rollout of our baselines; default: the shipped sample.")
@click.option("--trace", "trace_path", type=click.Path(path_type=Path), default=None, metavar="T",
              help="For shijian: the market of that rollout; default: the shipped one of its digest. For recovery: the "
              "market of the synthetic cohort.")
@click.option("--jobs", type=click.IntRange(1), default=2, show_default=True, help="For recovery: worker processes.")
@json_option
def command(
    name: str, labels_path: Path, half: str, contract_path: Path, run_path: Path | None, trace_path: Path | None,
    jobs: int, as_json: bool,
) -> int:
    """Print the rows of NAME: published value, ours, difference, reason.

    The paper's artifact is not public: bank and controls are reconstructions, see docs/bank.md. Every
    number of ours comes out of scoring the shipped answers anew. redlines prints precision and recall of the
    conduct clauses on labelled texts, with Wilson intervals, and the misses by kind. shijian goes through the tables
    of seed paper 000, says what is comparable in each and what is not, and explains a difference that the paper makes
    with itself. recovery calibrates the mind, whole and without each component, to a synthetic cohort
    (docs/realism.md).

    \b
    Exit codes: 0 no published number differs (shijian: without a reason beside it), no bar is missed; 1 one does;
    2 wrong usage; 3 data cannot be read.
    """
    if name == "recovery":
        return _recovery(trace_path, jobs, as_json)
    if name == "shijian":
        return _shijian(run_path, trace_path, contract_path, as_json)
    if name == "redlines":
        return _redlines(labels_path, half, contract_path, as_json)
    from verifier.cli.output import print_json, print_table
    from verifier.reproduce import reproduce

    rows = reproduce(name)
    differs = [row for row in rows if row.difference not in (None, "none")]
    if as_json:
        print_json({"name": name, "rows": [row._asdict() for row in rows], "differing": len(differs)})
    else:
        print_table(HEAD, [_cells(row) for row in rows], title=f"{name}: the paper beside ours", numbers_from=9)
    return 1 if differs else 0


def _cells(row: Any) -> list[str]:
    return [row.name, row.published or "-", row.ours, row.difference or "-", row.reason or ""]


def _shijian(run_path: Path | None, trace_path: Path | None, contract_path: Path, as_json: bool) -> int:
    from scenarios.load import resolve
    from verifier.cli.output import print_json, print_table, say
    from verifier.shijian import shijian, unexplained

    trace = None if trace_path is None else resolve(trace_path, "traces")
    sections = shijian(run_path, trace, contract_path)
    differs = unexplained(sections)
    if as_json:
        print_json({"name": "shijian", "differing": differs, "tables": [
            {**section._asdict(), "rows": [row._asdict() for row in section.rows]} for section in sections
        ]})
        return 1 if differs else 0
    for section in sections:
        print_table(HEAD, [_cells(row) for row in section.rows], title=f"Table {section.table}: {section.title}",
                    numbers_from=9)
        say(section.comparable)
        say()
    for line in differs:
        say(f"differs without a reason: {line}")
    if not differs:
        say("No number that is comparable differs without a reason.")
    return 1 if differs else 0


def _redlines(labels_path: Path, half: str, contract_path: Path, as_json: bool) -> int:
    from scenarios.errors import ReplayError
    from scenarios.labels import load_labels
    from scenarios.load import resolve
    from verifier.cli.options import load_judge
    from verifier.cli.output import counted, print_json, print_table, say
    from verifier.redlines import fire, measure, rows, shortfalls

    labels = load_labels(resolve(labels_path, ""))
    if not labels.texts[half]:
        raise ReplayError(str(labels_path), f"holds no text in half {half}", "measure the other half, or add texts")
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
    say(f"Labels {labels.id}, half {half}: {counted(measured.texts, 'text')}, sha256 {labels.digest[:12]}")
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


def _recovery(trace_path: Path | None, jobs: int, as_json: bool) -> int:
    from scenarios.load import resolve
    from verifier.cli.output import print_json, print_table, progress, say
    from verifier.recovery import BAR, NOTE, header, record, recover, rows

    with progress("task") as report:
        found = recover(resolve(trace_path or Path("small-1"), "traces"), jobs=jobs, report=report)
    reached = found.ratio >= BAR
    if as_json:
        print_json(record(found))
        return 0 if reached else 1
    say(f"Trace {found.trace.id}: sha256 {found.trace.digest[:12]}; {found.days:,} investor-days")
    say()
    print_table(header(), rows(found), title="Models beside a synthetic cohort", numbers_from=1)
    say(NOTE)
    say()
    say(f"The calibrated full model reaches {float(found.ratio):.3f} of the hidden parameters' score; "
        f"the bar is {float(BAR):.2f}.")
    return 0 if reached else 1
