"""CSV: one file a table, for whoever has only a spreadsheet or a script.

UTF-8 with a byte-order mark, because a spreadsheet reads a file without one in its own code page and breaks
every Chinese text; lines end in CRLF as RFC 4180 asks; the head is the first line. The digests stand in the last
columns of every row, so that rows keep them when files are filtered or joined; a table without rows has
one that says so. Numbers are plain, dates are ISO 8601, texts are defused (`verifier.exports.tables.cell_text`).
"""

import csv
import io

from verifier.exports.review import Fields, Review
from verifier.exports.tables import Cell, Table, cell_text, tables

NOTHING = "(none)"


def csv_files(review: Review) -> dict[str, bytes]:
    """Return every table's file by name."""
    return {f"{table.name}.csv": table_bytes(table, review.digests) for table in tables(review)}


def table_bytes(table: Table, said: Fields) -> bytes:
    """Return a table's file; said: the digests that every row carries, by name."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([*(cell_text(column.head) for column in table.columns), *(name for name, _ in said)])
    for row in table.rows or ((NOTHING, *(None,) * (len(table.columns) - 1)),):
        writer.writerow([*map(_written, row), *(digest for _, digest in said)])
    return text.getvalue().encode("utf-8-sig")


def _written(cell: Cell) -> str:
    return "" if cell is None else cell_text(cell) if isinstance(cell, str) else str(cell)
