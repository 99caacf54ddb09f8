"""`audit predicates`: the catalogue, a clause's page, a scaffold, and a clause's tests."""

import inspect
from pathlib import Path

import click

from verifier.cli.options import json_option, load_predicates, predicates_option


@click.group("predicates", invoke_without_command=True)
@click.pass_context
def command(context: click.Context) -> None:
    """List, show, scaffold and test the clauses; without a subcommand, list them.

    \b
    Exit codes: 0 done, every test holds; 1 a test of a clause does not hold; 2 wrong usage; 3 unreadable.
    """
    if context.invoked_subcommand is None:
        context.invoke(list_clauses)


@command.command("list")
@predicates_option
@json_option
def list_clauses(predicate_files: tuple[Path, ...] = (), as_json: bool = False) -> int:
    """List every clause: code, name, its other faces, and its first sentence."""
    from predicates.catalogue import shipped
    from verifier.cli.output import print_json, print_table

    clauses = {**shipped(), **load_predicates(predicate_files)}
    rows = []
    for code, clause in clauses.items():
        faces = "law" + "+columns" * bool(clause.columns_face) + "+constraints" * bool(clause.constraints_face)
        rows.append([code, clause.name, str(clause.version), faces, first_sentence(clause.page())])
    if as_json:
        print_json([dict(zip(("code", "name", "version", "faces", "says"), row, strict=True)) for row in rows])
    else:
        print_table(("Code", "Clause", "Version", "Faces", "Violated when"), rows, numbers_from=9)
    return 0


@command.command("show")
@click.argument("code")
@predicates_option
def show_clause(code: str, predicate_files: tuple[Path, ...]) -> int:
    """Print the manual page of the clause CODE."""
    from predicates.catalogue import find
    from verifier.cli.output import say

    clause = find([code.upper()], load_predicates(predicate_files))[code.upper()]
    say(f"{clause.code}  {clause.name}  version {clause.version}")
    say()
    for line in clause.page().splitlines():
        say(line)
    say()
    if clause.needs:
        say(f"Not applicable unless the scenario declares: {', '.join(clause.needs)}")
    for name, kind in clause.parameters.items():
        if isinstance(kind, tuple):
            say(f"Parameter {name}: {' | '.join(kind)}; default {kind[0]}")
        elif isinstance(kind, type):
            say(f"Parameter {name}: {kind.__name__}; not set by default")
        else:
            say(f"Parameter {name}: {type(kind).__name__}; default {kind}")
    say(f"Sentence: {clause.says}")
    return 0


@command.command("new")
@click.argument("name")
@click.option("--code", required=True, help="A code of your own, letters and two digits, such as FIRM01.")
@click.option("--out", type=click.Path(path_type=Path), default=".", show_default=True, metavar="DIR")
def new_clause(name: str, code: str, out: Path) -> int:
    """Write the clause NAME (family.fault), its examples and its test into a folder; they already pass."""
    from predicates.scaffold import write_clause
    from verifier.cli.output import say

    for path in write_clause(out, name, code):
        say(f"wrote {path}")
    say(f"Try it: audit predicates test {out / (name.rpartition('.')[2] + '.py')}")
    return 0


@command.command("test")
@click.argument("target", metavar="FILE|CODE")
@click.option(
    "--cases", type=click.IntRange(1, 100_000), default=200, show_default=True, help="Random cases for each face."
)
@click.option("--seed", type=int, default=1, show_default=True)
def test_clause(target: str, cases: int, seed: int) -> int:
    """Run a clause's examples and the agreement of its faces on random cases."""
    from predicates.catalogue import find, load_file
    from verifier.cli.output import say
    from verifier.faces import check_clause

    path = Path(target)
    clauses = load_file(path) if path.suffix == ".py" or path.exists() else find([target.upper()])
    wrong = False
    for code, clause in clauses.items():
        report = check_clause(clause, seed=seed, cases=cases)
        for line in report.done:
            say(f"{code}  holds  {line}")
        for line in report.problems:
            say(f"{code}  FAILS  {line}")
        wrong = wrong or bool(report.problems)
    return 1 if wrong else 0


def first_sentence(page: str) -> str:
    """Return the first sentence of a manual page, without its code."""
    line = " ".join(inspect.cleandoc(page).split("\n\n")[0].split())
    return line.partition(": ")[2] or line
