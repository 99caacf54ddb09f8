"""Validity against agreement as a picture, and the states of an advisor's runs as a bar: SVG, integers and text only.

A mark is told by shape as well as by colour (the palette of Okabe and Ito), so it survives print and colour
blindness; the bar through a mark is the exact 95 % interval of its validity. Colours are the style sheet's.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from scenarios.exact import round_half_up
from verifier.exports.tree import Node, el

LEFT, RIGHT, TOP, BOTTOM = 52, 392, 16, 312
WIDTH, HEIGHT = 416, 360
LINE = 16
"""Height of a label, in units of the picture."""

ROWS = (0, *(sign * row for row in range(1, 19) for sign in (-1, 1)))
"""Where a label may stand, in lines below its mark, the nearest first."""

LONGEST = 24
"""Characters of a label; the table beside the picture has the whole name."""

SHAPES = (
    "M-6 0A6 6 0 1 0 6 0A6 6 0 1 0-6 0Z", "M-5-5H5V5H-5Z", "M0-7L6.5 5H-6.5Z", "M0-7L7 0L0 7L-7 0Z", "M0 7L6.5-5H-6.5Z",
    "M-2-6H2V-2H6V2H2V6H-2V2H-6V-2H-2Z", "M-6.5 0L-3.2-6H3.2L6.5 0L3.2 6H-3.2Z",
)
"""Outlines of the marks around their centre."""


Box = tuple[int, int, int, int]
"""Left, top, right and bottom."""


class Point(NamedTuple):
    """One advisor: agreement, strict validity and the bounds of the validity, all in [0, 1]."""

    name: str
    agreement: Fraction
    validity: Fraction
    low: Fraction
    high: Fraction


def picture(points: Sequence[Point]) -> Node:
    """Return the picture: agreement to the right, validity upward, each advisor marked and named."""
    return el(
        "svg",
        el("title", "Validity against agreement with the baseline"),
        el("desc", "The table of advisors has the same figures."),
        _axes(),
        (_whisker(index, point) for index, point in enumerate(points)),
        (_place(index, point) for index, point in enumerate(points)),
        _labels(points),
        viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img", class_="picture",
    )


def mark(index: int) -> Node:
    """Return the mark of an advisor by its place, for a table."""
    return el("svg", _mark(index, "0", "0"), viewBox="-9 -9 18 18", class_="key", aria_hidden="true")


def swatch(state: str) -> Node:
    """Return the colour of a run state, as the bars have it."""
    square = el("rect", x="1", y="1", width="10", height="10", class_=f"b-{state}")
    return el("svg", square, viewBox="0 0 12 12", class_="key", aria_hidden="true")


def bar(counts: Sequence[tuple[str, int]]) -> Node:
    """Return a bar of named counts, its lengths in thousandths of their sum, floored."""
    total, done = sum(count for _, count in counts), 0
    parts = []
    for name, count in counts:
        start, done = done, done + count
        if count:
            left, right = 1000 * start // total, 1000 * done // total
            parts.append(el("rect", x=str(left), y="0", width=str(right - left), height="10", class_=f"b-{name}"))
    said = ", ".join(f"{count} {name}" for name, count in counts if count)
    return el("svg", el("title", said), parts, viewBox="0 0 1000 10", preserveAspectRatio="none", role="img",
              class_="bar")


def _x(share: Fraction) -> str:
    return round_half_up(LEFT + share * (RIGHT - LEFT), 1)


def _y(share: Fraction) -> str:
    return round_half_up(BOTTOM - share * (BOTTOM - TOP), 1)


def _axes() -> Iterator[Node]:
    for fifth in range(6):
        share = Fraction(fifth, 5)
        text, x, y = f"{20 * fifth} %", _x(share), _y(share)
        yield el("path", d=f"M{LEFT} {y}H{RIGHT}M{x} {TOP}V{BOTTOM}", class_="grid")
        yield el("text", text, x=str(LEFT - 6), y=y, dy="4", text_anchor="end", class_="tick")
        yield el("text", text, x=x, y=str(BOTTOM + 17), text_anchor="middle", class_="tick")
    yield el("path", d=f"M{LEFT} {TOP}V{BOTTOM}H{RIGHT}", class_="axis")
    yield el("text", "Agreement: share of the baseline’s names bought", x=str((LEFT + RIGHT) // 2), y=str(HEIGHT - 8),
             text_anchor="middle", class_="title")
    yield el("text", "Validity: runs that count as valid", transform=f"translate(12 {(TOP + BOTTOM) // 2}) rotate(-90)",
             text_anchor="middle", class_="title")


def _whisker(index: int, point: Point) -> Node:
    return el("path", d=f"M{_x(point.agreement)} {_y(point.low)}V{_y(point.high)}", class_=f"whisker m{index % 7}")


def _place(index: int, point: Point) -> Node:
    return _mark(index, _x(point.agreement), _y(point.validity))


def _mark(index: int, x: str, y: str) -> Node:
    return el("path", d=SHAPES[index % 7], transform=f"translate({x} {y})", class_=f"mark m{index % 7}")


def _labels(points: Sequence[Point]) -> Iterator[Node]:
    """Yield the names, each at the first free place near its mark, tied to it by a line where it had to move away."""
    marks = [_spot(point) for point in points]
    taken = [(x - 8, y - 8, x + 8, y + 8) for x, y in marks]
    for point, (x, y) in sorted(zip(points, marks, strict=True), key=lambda pair: (-pair[0].validity, pair[0].name)):
        name = point.name if len(point.name) <= LONGEST else point.name[: LONGEST - 1] + "…"
        places = [_label_box(x, y + LINE * row, len(name), sign) for row in ROWS for sign in (1, -1)]
        free = next((index for index, box in enumerate(places) if _is_free(box, taken)), 0)
        sign, box = 1 - 2 * (free % 2), places[free]
        taken.append(box)
        start, height = box[0] if sign == 1 else box[2], (box[1] + box[3]) // 2
        if free > 1:
            yield el("path", d=f"M{x + 7 * sign} {y}L{start - 2 * sign} {height}", class_="tie")
        yield el("text", name, x=str(start), y=str(height), dy="4", text_anchor="start" if sign == 1 else "end",
                 class_="name")


def _spot(point: Point) -> tuple[int, int]:
    return LEFT + int(point.agreement * (RIGHT - LEFT)), BOTTOM - int(point.validity * (BOTTOM - TOP))


def _label_box(x: int, y: int, letters: int, sign: int) -> Box:
    near, far = x + 12 * sign, x + (12 + 8 * letters) * sign
    return min(near, far), y - LINE // 2, max(near, far), y + LINE // 2


def _is_free(box: Box, taken: Sequence[Box]) -> bool:
    left, top, right, bottom = box
    inside = left > LEFT and right <= WIDTH and top >= TOP - LINE and bottom <= BOTTOM
    return inside and not any(left < box[2] and box[0] < right and top < box[3] and box[1] < bottom for box in taken)
