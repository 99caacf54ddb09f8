"""XLSX: one sheet a table, in the layout that reviewers of rule engines know.

Texts are written as strings and nothing is turned into a formula, a link or a number. The first row of every
sheet, and the foot of every printed page, carry the digests. Time stamps come from the run: the latest day of its
scenarios. The members of the archive are stored, not compressed, because compressed bytes depend on the
machine's zlib.
"""

import io
import zipfile
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import xlsxwriter

from scenarios.errors import ScenarioError
from verifier.exports.review import Review
from verifier.exports.tables import Cell, Table, cell_text, tables

MAX_ROWS = 1_048_576
EXACT_DIGITS = 15
"""A number with more digits would be rounded by the spreadsheet; it is written as a text."""

_FIRST_DAY = date(1900, 3, 1)  # before it, spreadsheets disagree on the day
_OPTIONS = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}


def workbook_bytes(review: Review) -> bytes:
    """Return the workbook.

    Raises:
        ScenarioError: a table has more rows than a sheet holds.
    """
    buffer = io.BytesIO()
    with xlsxwriter.Workbook(buffer, _OPTIONS) as book:
        said = ", ".join(f"{name} {digest}" for name, digest in review.digests)
        book.set_properties({
            "title": f"Review of run {review.run_id}", "subject": said, "author": f"advice-audit {review.release}",
            "created": datetime.fromisoformat(review.as_of),
        })
        for table in tables(review):
            _Sheet(book, table, said, review.run_id)
    return _stored(buffer.getvalue())


class _Sheet:
    """One sheet: the digests, a head that stays and filters, and the rows."""

    def __init__(self, book: xlsxwriter.Workbook, table: Table, said: str, run_id: str) -> None:
        if len(table.rows) + 2 > MAX_ROWS:
            raise ScenarioError(table.title, f"has {len(table.rows)} rows, a sheet holds {MAX_ROWS}",
                                "export csv or jsonl")
        self.sheet = book.add_worksheet(table.title)
        self.top = book.add_format({"valign": "top"})
        self.text = book.add_format({"valign": "top", "text_wrap": True})
        self.day = book.add_format({"valign": "top", "num_format": "yyyy-mm-dd", "align": "left"})
        self.share = book.add_format({"valign": "top", "num_format": "0.0000"})
        head = book.add_format({"bold": True, "bg_color": "#1F3A5F", "font_color": "#FFFFFF", "text_wrap": True,
                                "valign": "vcenter", "border": 1, "border_color": "#8A9BB0"})
        self.sheet.write_string(0, 0, said, book.add_format({"font_size": 9, "font_color": "#555555"}))
        for index, column in enumerate(table.columns):
            self.sheet.set_column(index, index, column.width)
            self.sheet.write_string(1, index, cell_text(column.head), head)
        for number, row in enumerate(table.rows, 2):
            for index, cell in enumerate(row):
                self.write(number, index, cell, self.text if table.columns[index].wrapped else self.top)
        self.sheet.freeze_panes(2, 1)
        self.sheet.autofilter(1, 0, max(2, len(table.rows) + 1), len(table.columns) - 1)
        self.set_up_print(said, run_id)

    def write(self, row: int, column: int, cell: Cell, text: Any) -> None:
        """Write one cell by its type, a text in the format `text`."""
        if isinstance(cell, str):
            self.sheet.write_string(row, column, cell_text(cell), text)
        elif isinstance(cell, Decimal):
            self.sheet.write_number(row, column, cell, self.share)
        elif isinstance(cell, date):
            if cell < _FIRST_DAY:
                self.sheet.write_string(row, column, cell.isoformat(), text)
            else:
                self.sheet.write_datetime(row, column, cell, self.day)
        elif cell is not None and len(str(abs(cell))) <= EXACT_DIGITS:
            self.sheet.write_number(row, column, cell, self.top)
        elif cell is not None:
            self.sheet.write_string(row, column, cell_text(str(cell)), text)

    def set_up_print(self, said: str, run_id: str) -> None:
        """Set up the printed page: landscape A4, one page wide, head repeated, digests in the foot."""
        self.sheet.set_landscape()
        self.sheet.set_paper(9)
        self.sheet.fit_to_pages(1, 0)
        self.sheet.repeat_rows(0, 1)
        self.sheet.set_header(f"&L&8Review of run {run_id}&R&8&A")
        self.sheet.set_footer(f"&L&7{said}&R&8page &P of &N")


def _stored(archive: bytes) -> bytes:
    """Return the archive with every member stored under the same time stamp and attributes on every machine."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as packed, zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as stored:
        for name in packed.namelist():
            member = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            member.create_system = 3
            member.external_attr = 0o644 << 16
            stored.writestr(member, packed.read(name))
    return buffer.getvalue()
