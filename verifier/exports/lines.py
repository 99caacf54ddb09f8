"""Courses of two arms as small pictures: SVG, integers and text only, told apart by dash as well as by colour.

Every picture of one measure has the same axes, so that they can be compared at a glance; a long course is drawn at
every n-th session, the last one always. Colours are the style sheet's (the palette of Okabe and Ito).
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from scenarios.exact import round_half_up
from verifier.exports.tree import Node, el

WIDTH, HEIGHT = 320, 190
LEFT, RIGHT, TOP, BOTTOM = 56, 308, 26, 160

MOST_POINTS = 300
"""Points of one line."""

STEPS = (1, 2, 5)
"""What the ticks of an axis may be apart, times a power of ten."""

Values = Sequence[Fraction]


class Course(NamedTuple):
    """A line. style: "own" is drawn through, "base" is dashed."""

    name: str
    style: str
    values: Values


class Axis(NamedTuple):
    """A vertical axis: its ticks, evenly apart, and how a value is printed."""

    ticks: tuple[Fraction, ...]
    text: Callable[[Fraction], str]

    @property
    def low(self) -> Fraction:
        """The lowest value that is drawn."""
        return self.ticks[0]

    @property
    def high(self) -> Fraction:
        """The highest value that is drawn."""
        return self.ticks[-1]


def axis_of(values: Sequence[Fraction], text: Callable[[Fraction], str]) -> Axis:
    """Return the axis with the fewest ticks, at least three, that are 1, 2 or 5 times a power of ten apart."""
    low, high = min(values), max(values)
    spread = high - low or abs(high) or Fraction(1)
    step = Fraction(1)
    while step > spread / 10:
        step /= 10
    while step * 10 <= spread / 10:
        step *= 10
    steps = (step * power * one for power in (1, 10, 100) for one in STEPS)
    apart = next(one for one in steps if spread / one <= 5)
    first, last = low // apart, -(-high // apart)
    last = max(last, first + 1)
    return Axis(tuple(apart * place for place in range(int(first), int(last) + 1)), text)


def panel(title: str, courses: Sequence[Course], axis: Axis, days: Sequence[str]) -> Node:
    """Return one picture.

    Args:
        title: above it, which says whose courses they are and in which unit.
        courses: a value for each day.
        axis: of the measure.
        days: dates in ISO 8601; the first, the middle and the last are printed.
    """
    shown = drawn(len(days))
    return el(
        "svg",
        el("title", f"{title}, {days[0]} to {days[-1]}: " + "; ".join(
            f"{one.name} from {axis.text(one.values[0])} to {axis.text(one.values[-1])}" for one in courses)),
        el("text", title, x="4", y="14", class_="name"),
        _grid(axis, days),
        (el("path", d=_path(one.values, shown, axis), class_=f"line {one.style}") for one in reversed(courses)),
        viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img", class_="picture panel",
    )


def drawn(many: int) -> tuple[int, ...]:
    """Return which of so many sessions are drawn: every n-th and the last."""
    every = -(-many // MOST_POINTS)
    return tuple(sorted({*range(0, many, every), many - 1}))


def legend(courses: Sequence[tuple[str, str]]) -> Iterator[Node | str]:
    """Yield the key to the lines: style and name of each."""
    for style, name in courses:
        line = el("path", d="M0 5H28", class_=f"line {style}")
        yield el("span", el("svg", line, viewBox="0 0 28 10", class_="stroke", aria_hidden="true"), name,
                 class_="legend")


def _grid(axis: Axis, days: Sequence[str]) -> Iterator[Node]:
    for tick in axis.ticks:
        height = _y(tick, axis)
        yield el("path", d=f"M{LEFT} {height}H{RIGHT}", class_="axis" if tick == 0 else "grid")
        yield el("text", axis.text(tick), x=str(LEFT - 6), y=height, dy="4", text_anchor="end", class_="tick")
    middle = len(days) // 2
    for place, anchor in dict(zip((0, middle, len(days) - 1), ("start", "middle", "end"), strict=True)).items():
        x = _x(place, len(days))
        yield el("path", d=f"M{x} {BOTTOM}v4", class_="axis")
        yield el("text", days[place], x=x, y=str(BOTTOM + 18), text_anchor=anchor, class_="tick")
    yield el("path", d=f"M{LEFT} {TOP}V{BOTTOM}H{RIGHT}", class_="axis")


def _path(values: Values, shown: Sequence[int], axis: Axis) -> str:
    return "M" + "L".join(f"{_x(place, len(values))} {_y(values[place], axis)}" for place in shown)


def _x(place: int, many: int) -> str:
    return round_half_up(LEFT + Fraction(place * (RIGHT - LEFT), max(many - 1, 1)), 1)


def _y(value: Fraction, axis: Axis) -> str:
    return round_half_up(BOTTOM - (value - axis.low) / (axis.high - axis.low) * (BOTTOM - TOP), 1)
