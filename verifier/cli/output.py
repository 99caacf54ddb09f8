"""Print for a person on a terminal, plainly into a pipe, and one JSON object with --json.

What an advisor sent may stand in any line, so every character that is not plainly printable (control
characters, line breaks, bidirectional marks) is printed as its escape: an answer can neither forge a
line of ours nor steer a terminal.
"""

import json
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

LONGEST_LINE = 4000


def printable(text: str) -> str:
    """Return a text with every unprintable character as its JSON escape."""
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else json.dumps(one)[1:-1] for one in text)


def say(line: str = "", *, err: bool = False) -> None:
    """Print one line; what is beyond 4,000 characters is left out, and the line says so."""
    shown = printable(line)
    if len(shown) > LONGEST_LINE:
        shown = f"{shown[:LONGEST_LINE]}… ({len(shown)} characters)"
    click.echo(shown, err=err)


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun: "1 run", "2 runs"."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def print_json(value: Any) -> None:
    """Print one JSON object."""
    for line in json.dumps(value, ensure_ascii=False, indent=2).split("\n"):
        click.echo(printable(line))


def print_table(
    headers: Sequence[str], rows: Sequence[Sequence[str]], *, title: str = "", numbers_from: int = 1
) -> None:
    """Print a table: with rules on a terminal that it fits, else as aligned text, or stacked where too wide.

    Args:
        headers: the names of the columns.
        rows: the cells, as many as headers.
        title: printed above.
        numbers_from: the first column that is aligned to the right.
    """
    lines = [[printable(cell) for cell in line] for line in (headers, *rows)]
    widths = [max(len(line[index]) for line in lines) for index in range(len(headers))]
    if sys.stdout.isatty():
        columns = shutil.get_terminal_size().columns
        if sum(widths) + 3 * len(widths) + 1 <= columns:
            _print_ruled(lines, title, numbers_from)
            return
        if sum(widths) + 2 * (len(widths) - 1) > columns:
            _print_stacked(lines, title, columns)
            return
    if title:
        say(title)
    for line in lines:
        cells = [
            cell.rjust(width) if index >= numbers_from else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        click.echo("  ".join(cells).rstrip())


def _print_ruled(lines: Sequence[Sequence[str]], title: str, numbers_from: int) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title or None, title_justify="left")
    for index, header in enumerate(lines[0]):
        table.add_column(Text(header), justify="right" if index >= numbers_from else "left", no_wrap=True)
    for row in lines[1:]:
        table.add_row(*(Text(cell) for cell in row))
    Console().print(table)


def _print_stacked(lines: Sequence[Sequence[str]], title: str, columns: int) -> None:
    """Print each row as its name and, below it, "header value" pairs wrapped between pairs."""
    if title:
        say(title)
    for row in lines[1:]:
        click.echo(row[0])
        line = " "
        for header, cell in zip(lines[0][1:], row[1:], strict=True):
            pair = f" {header} {cell}"
            if len(line) + len(pair) > columns and line.strip():
                click.echo(line)
                line = " "
            line += pair + " "
        click.echo(line.rstrip())


@contextmanager
def progress(noun: str) -> Iterator[Callable[[int, int], None]]:
    """Yield a function of (done, in all) that keeps one line on a terminal up to date, and is silent in a pipe."""
    shown = sys.stderr.isatty()

    def report(done: int, planned: int) -> None:
        if shown:
            click.echo(f"\r{done} of {planned} {noun}", err=True, nl=done == planned)

    yield report
