"""Print and store impact scores; `audit score` and `audit compare` share it. No command of its own."""

from pathlib import Path

import click

from verifier.impact.report import Report
from verifier.impact.tables import Table


def print_report(found: Report, as_json: bool, sensitivity: bool = False) -> None:
    """Print a report: every table, or one JSON object."""
    from verifier.cli.output import print_json, say
    from verifier.impact.tables import record, tables

    if as_json:
        print_json(record(found, sensitivity))
        return
    for one in found.rollouts:
        say(f"Rollout {one.id}: sha256 {one.digest[:12]}, trace {one.trace.id}")
    say(f"Scores {found.config.id}: sha256 {found.config.compute_digest()[:12]}; baseline {found.baseline}")
    for table in tables(found, sensitivity):
        say()
        print_section(table)


def print_section(table: Table) -> None:
    """Print one table and its note."""
    from verifier.cli.output import print_table, say

    print_table(table.head, table.rows, title=table.title, numbers_from=table.labels)
    if table.note:
        say(table.note)


def write_scores(found: Report, out: Path, sensitivity: bool = False) -> None:
    """Write the scores as canonical JSON, outside of every sealed folder.

    Raises:
        BadParameter: the file lies in the folder of a rollout, which must not change.
    """
    from scenarios.canonical import canonical_bytes
    from scenarios.files import write_file
    from verifier.impact.tables import record

    for one in found.rollouts:
        if out.resolve().is_relative_to(one.path.resolve()):
            raise click.BadParameter(f"{one.path} is sealed; write elsewhere", param_hint="--out")
    write_file(out, canonical_bytes(record(found, sensitivity)) + b"\n")
