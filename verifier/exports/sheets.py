"""Pages of a printed document: texts are broken into lines and lines into pages before anything is drawn.

No font file is read. Western letters are set in Helvetica, Chinese and Japanese in STSong-Light, which every
PDF reader brings; a character that neither has is written as its escape. Streams are not compressed, because
compressed bytes depend on the machine's zlib, and the document is dated by its caller.
"""

import io
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from verifier.exports.text import escape, shown

PLAIN, BOLD, EAST = "Helvetica", "Helvetica-Bold", "STSong-Light"
INK, SOFT, RED, LINE, BLUE, SHADE = "#1B1F24", "#5A6472", "#B3261E", "#C9D1DA", "#1F3A5F", "#EEF2F6"

_WIDTH, _HEIGHT = A4
LEFT, RIGHT, TOP, BOTTOM = 42.0, _WIDTH - 42, _HEIGHT - 46, 56.0
FULL = RIGHT - LEFT
KEPT_TOGETHER = 12
"""A row of so many lines or fewer is not torn apart."""

pdfmetrics.registerFont(UnicodeCIDFont(EAST))


class Ink(NamedTuple):
    """A stretch of text in one weight and colour."""

    text: str
    colour: str = INK
    bold: bool = False


class Block(NamedTuple):
    """What stands in a column: stretches of text, their size in points, and how far from the column's edge."""

    inks: tuple[Ink, ...]
    size: float = 8.5
    to_right: bool = False


class _Piece(NamedTuple):
    x: float
    font: str
    size: float
    colour: str
    text: str


class _Text(NamedTuple):
    x: float
    y: float
    piece: _Piece


class _Box(NamedTuple):
    x: float
    y: float
    width: float
    height: float
    colour: str


def block(*said: str | Ink, size: float = 8.5, colour: str = INK, bold: bool = False, to_right: bool = False) -> Block:
    """Return a block of texts in one colour and weight, or of stretches with their own."""
    return Block(tuple(one if isinstance(one, Ink) else Ink(one, colour, bold) for one in said), size, to_right)


class Sheets:
    """A document that grows downwards, row by row; `file_bytes` draws it once the number of pages is known.

    Args:
        title, subject, author: of the document.
        day: its date, as YYYY-MM-DD.
        foot: the lines at the foot of every page.
    """

    def __init__(self, title: str, subject: str, author: str, day: str, foot: Sequence[str]) -> None:
        self.title, self.subject, self.author, self.day, self.foot = title, subject, author, day, tuple(foot)
        self.pages: list[list[_Text | _Box]] = [[]]
        self.outline: list[tuple[str, int, int]] = []
        self.y = TOP
        self._head: tuple[tuple[Block, ...], tuple[float, ...]] | None = None

    def mark(self, name: str, level: int = 0) -> None:
        """Enter this place in the reader's table of contents."""
        self.outline.append((shown(name), level, len(self.pages) - 1))

    def turn_page(self) -> None:
        """Begin a new page; the head of an open table is repeated."""
        self.pages.append([])
        self.y = TOP
        if self._head is not None:
            self._row(*self._head, shade=SHADE)

    def need(self, height: float) -> None:
        """Begin a new page unless so many points are left on this one."""
        if self.y - height < BOTTOM:
            self.turn_page()

    def gap(self, height: float = 6) -> None:
        """Leave a gap, which vanishes at the end of a page."""
        self.y -= height

    def rule(self) -> None:
        """Draw a thin line across."""
        self.pages[-1].append(_Box(LEFT, self.y, FULL, 0.5, LINE))
        self.y -= 4

    def text(
        self, *said: str | Ink, size: float = 8.5, colour: str = INK, bold: bool = False, indent: float = 0
    ) -> None:
        """Set a paragraph."""
        cells = (Block(()), block(*said, size=size, colour=colour, bold=bold))
        self._row(cells, (indent, FULL - indent))

    def heading(self, name: str, *, size: float = 13, level: int = 0) -> None:
        """Set a heading that is not left alone at the end of a page, and mark it."""
        self.need(size * 1.4 + 120)
        self.mark(name, level)
        self.text(name, size=size, bold=True, colour=BLUE)
        self.gap(3)

    def table(self, head: Sequence[str], widths: Sequence[float], rows: Iterable[Sequence[Block]]) -> None:
        """Set a table whose head is repeated on every page.

        Args:
            head: the names of the columns.
            widths: shares of the full width.
            rows: the cells, a block each.
        """
        whole = sum(widths)
        columns = tuple(FULL * width / whole for width in widths)
        self.need(40)
        self._head = (tuple(block(name, size=7.5, bold=True, colour=BLUE) for name in head), columns)
        self._row(*self._head, shade=SHADE)
        for row in rows:
            self._row(tuple(row), columns)
            self.pages[-1].append(_Box(LEFT, self.y + 1, FULL, 0.3, LINE))
        self._head = None
        self.gap()

    def bar(self, x: float, width: float, share: float, colour: str, height: float = 4) -> None:
        """Draw a bar of a share of a width at this height."""
        self.pages[-1].append(_Box(x, self.y, width, height, SHADE))
        self.pages[-1].append(_Box(x, self.y, width * share, height, colour))

    def _row(self, cells: Sequence[Block], widths: Sequence[float], shade: str | None = None) -> None:
        """Set blocks side by side; what is longer than the page goes on upon the next ones."""
        wrapped = [list(wrap(cell, width - 6)) for cell, width in zip(cells, widths, strict=True)]
        leading = max((cell.size for cell in cells), default=8.5) * 1.32
        left, many = 0, max(map(len, wrapped), default=0)
        while left < many:
            if self.y - leading * min(many - left, KEPT_TOGETHER) < BOTTOM:
                head, self._head = self._head, None if shade else self._head
                self.turn_page()
                self._head = head
            fit = min(many - left, max(1, int((self.y - BOTTOM) / leading)))
            if shade:
                self.pages[-1].append(_Box(LEFT, self.y - fit * leading - 3, FULL, fit * leading + 3, shade))
            x = LEFT
            for lines, width in zip(wrapped, widths, strict=True):
                for place, line in enumerate(lines[left : left + fit], 1):
                    self.pages[-1] += [_Text(x + 3, self.y - place * leading + leading * 0.22, piece) for piece in line]
                x += width
            self.y -= fit * leading + 3
            left += fit

    def file_bytes(self) -> bytes:
        """Draw every page and return the file."""
        buffer = io.BytesIO()
        with _dated(self.day):
            canvas = Canvas(buffer, pagesize=A4, pageCompression=0, invariant=1, lang="en")
        canvas.setTitle(self.title)
        canvas.setSubject(self.subject)
        canvas.setAuthor(self.author)
        canvas.setCreator(self.author)
        marks: dict[int, list[tuple[str, int]]] = {}
        for name, level, page in self.outline:
            marks.setdefault(page, []).append((name, level))
        for number, drawn in enumerate(self.pages):
            for index, (name, level) in enumerate(marks.get(number, ())):
                canvas.bookmarkPage(f"p{number}-{index}", fit="Fit")
                canvas.addOutlineEntry(name, f"p{number}-{index}", level=level, closed=level > 0)
            _draw(canvas, drawn)
            self._draw_foot(canvas, number + 1)
            canvas.showPage()
        canvas.save()
        return buffer.getvalue()

    def _draw_foot(self, canvas: Canvas, number: int) -> None:
        foot: list[_Text | _Box] = [_Box(LEFT, BOTTOM - 12, FULL, 0.5, LINE)]
        for index, said in enumerate(self.foot):
            for line in wrap(block(said, size=6.5, colour=SOFT), FULL - 70):
                foot += [_Text(LEFT, BOTTOM - 21 - 8 * index, piece) for piece in line]
        for line in wrap(block(f"page {number} of {len(self.pages)}", size=6.5, colour=SOFT, to_right=True), FULL):
            foot += [_Text(LEFT, BOTTOM - 21, piece) for piece in line]
        _draw(canvas, foot)


_EPOCH = "SOURCE_DATE_EPOCH"


@contextmanager
def _dated(day: str) -> Iterator[None]:
    """Have the library date a document by this day; it reads the variable even in its invariant mode."""
    before = os.environ.get(_EPOCH)
    os.environ[_EPOCH] = str((date.fromisoformat(day) - date(1970, 1, 1)).days * 86_400)
    try:
        yield
    finally:
        if before is None:
            del os.environ[_EPOCH]
        else:
            os.environ[_EPOCH] = before


_colour = lru_cache(HexColor)


def _draw(canvas: Canvas, page: Sequence[_Text | _Box]) -> None:
    for box in page:
        if isinstance(box, _Box):
            canvas.setFillColor(_colour(box.colour))
            canvas.rect(box.x, box.y, box.width, box.height, stroke=0, fill=1)
    for one in page:
        if isinstance(one, _Text):
            canvas.setFillColor(_colour(one.piece.colour))
            canvas.setFont(one.piece.font, one.piece.size)
            canvas.drawString(one.x + one.piece.x, one.y, one.piece.text)


# Lines

_WESTERN = frozenset(bytes([*range(0x20, 0x7F), *range(0x80, 0xA0), *range(0xA1, 0x100)]).decode("cp1252", "ignore"))
_OPENING, _CLOSING = "（《〈「『【〔“‘", "，。、；：？！）》〉」』】〕”’…～"
_WORD = re.compile(f"\n| |[!-~\xa1-\xff]+|[{_OPENING}]*.[{_CLOSING}]*", re.DOTALL)


@lru_cache(maxsize=4096)
def _printed(one: str) -> str:
    """Return a character that one of the two fonts has, or its escape."""
    if one in _WESTERN or one == "\n":
        return one
    try:
        one.encode("gbk")
    except UnicodeEncodeError:
        return escape(one)
    return one


def wrap(cell: Block, width: float) -> Iterator[list[_Piece]]:
    """Yield the lines of a block, each as pieces of one font and colour with their offsets in points."""
    line: list[_Piece] = []
    used = 0.0
    for ink in cell.inks:
        text = "".join(map(_printed, shown(ink.text)))
        for word in _WORD.findall(text):
            if word == "\n":
                yield _placed(line, used, width, cell.to_right)
                line, used = [], 0.0
                continue
            font = (BOLD if ink.bold else PLAIN) if _WESTERN.issuperset(word) else EAST
            for part, wide in _fitting(word, font, cell.size, width):
                if used + wide > width and line:
                    yield _placed(line, used, width, cell.to_right)
                    line, used = [], 0.0
                if part != " " or line:
                    _append(line, _Piece(used, font, cell.size, ink.colour, part))
                    used += wide
    if line:
        yield _placed(line, used, width, cell.to_right)


def _append(line: list[_Piece], piece: _Piece) -> None:
    last = line[-1] if line else None
    if last is not None and (last.font, last.colour) == (piece.font, piece.colour):
        line[-1] = last._replace(text=last.text + piece.text)
    else:
        line.append(piece)


def _placed(line: list[_Piece], used: float, width: float, to_right: bool) -> list[_Piece]:
    return [piece._replace(x=piece.x + width - used) for piece in line] if to_right else line


def _fitting(word: str, font: str, size: float, width: float) -> Iterator[tuple[str, float]]:
    """Yield a word with its width, in parts where it is wider than the column."""
    wide = _measure(word, font) * size
    if wide <= width:
        yield word, wide
        return
    part, used = "", 0.0
    for one in word:
        step = _measure(one, font) * size
        if part and used + step > width:
            yield part, used
            part, used = "", 0.0
        part, used = part + one, used + step
    yield part, used


@lru_cache(maxsize=65_536)
def _measure(word: str, font: str) -> float:
    return float(pdfmetrics.stringWidth(word, font, 1))
