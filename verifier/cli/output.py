"""Print for a person on a terminal, plainly into a pipe, and one JSON object with --json."""

import json
import sys
from collections.abc import Sequence
from typing import Any

import click


def print_json(value: Any) -> None:
    """Print one JSON object."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def print_table(headers: Sequence[str], rows: Sequence[Sequence[str]], *, title: str = "", numbers_from: int = 1) -> None:
    """Print a table: with rules on a terminal, aligned text in a pipe. Columns from `numbers_from` on are numbers."""
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.table import Table

        table = Table(title=title or None, title_justify="left")
        for index, header in enumerate(headers):
            table.add_column(header, justify="right" if index >= numbers_from else "left",
                             overflow="fold")
        for row in rows:
            table.add_row(*row)
        Console().print(table)
        return
    if title:
        click.echo(title)
    lines = [list(headers), *[list(row) for row in rows]]
    widths = [max(len(line[index]) for line in lines) for index in range(len(headers))]
    for line in lines:
        cells = [
            cell.rjust(width) if index >= numbers_from else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        click.echo("  ".join(cells).rstrip())
