"""Returns of a fund from what its source states: NAVs, growth rates, splits and dividends, all exact.

A source that states events gives NAVs whose ratio, with the events put back, is the return. A source that states
none hides splits and dividends in its NAVs, and only its growth rates can be compounded.
"""

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from scenarios.trace_import.rules import divide_half_even

_SPLIT = re.compile(r"每份(?:基金)?(?:份额)?(?:折算|分拆|拆分)?([0-9]+(?:\.[0-9]+)?)份")
_DIVIDEND = re.compile(r"每份(?:基金份额)?派(?:发)?(?:现金)?(?:红利)?([0-9]+(?:\.[0-9]+)?)元")
_PLAIN = re.compile(r"(split|dividend) ([0-9]+(?:\.[0-9]+)?)\Z")


class Event(NamedTuple):
    """What one unit became on a day: `units` units, and `cash` yuan paid out on each of the old ones."""

    units: Fraction = Fraction(1)
    cash: Fraction = Fraction(0)


def read_event(text: str) -> Event | None:
    """Return the event that a text states, None where it states none that is known.

    Known are the spellings of the fund sites (每份派现金0.05元, 每份基金份额分拆2份, 每份基金份额折算1.1份) and
    `split 2`, `dividend 0.05`.
    """
    plain = _PLAIN.match(text)
    if plain:
        number = Fraction(plain[2])
        return (Event(units=number) if number else None) if plain[1] == "split" else Event(cash=number)
    dividend = _DIVIDEND.match(text)
    if dividend:
        return Event(cash=Fraction(dividend[1]))
    split = _SPLIT.match(text)
    return Event(units=Fraction(split[1])) if split and Fraction(split[1]) else None


def value_of_old_unit(nav: int, events: Sequence[Event], unit: int) -> int | Fraction:
    """Return what one unit from before these events is worth after them.

    Args:
        nav: NAV of a unit after the last event, in 1/unit yuan, as is the result.
        events: in order of date; without any, the NAV itself.
        unit: parts of a yuan that amounts are counted in.
    """
    value: int | Fraction = nav
    for event in reversed(events):
        value = value * event.units + event.cash * unit
    return value


def compound(nav_e8: int, after: int | Fraction, before: int) -> int:
    """Return an adjusted NAV after one step, nav_e8 * after / before, half to even in 1e-8 yuan.

    Args:
        nav_e8: adjusted NAV before the step.
        after: what an old unit is worth now, in any unit of money.
        before: what it was worth, in the same unit; > 0.
    """
    if type(after) is int:
        return divide_half_even(nav_e8 * after, before)
    return divide_half_even(nav_e8 * after.numerator, before * after.denominator)
