"""Events and compounding: a path of adjusted NAVs does not see splits, and sees every dividend as a return."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenarios.trace_import.returns import Event, compound, read_event, value_of_old_unit
from scenarios.trace_import.rules import divide_half_even


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ("每份派现金0.0630元", Event(cash=Fraction("0.063"))),
        ("每份基金份额派发红利1.2元", Event(cash=Fraction("1.2"))),
        ("每份基金份额分拆2.5份", Event(units=Fraction("2.5"))),
        ("每份基金份额折算0.25528378699999998份", Event(units=Fraction("0.25528378699999998"))),
        ("每份基金6份", Event(units=Fraction(6))),
        ("split 2", Event(units=Fraction(2))),
        ("dividend 0.05", Event(cash=Fraction("0.05"))),
        ("split 0", None),
        ("每份基金份额分拆0份", None),
        ("每份派现金元", None),
        ("分红", None),
        ("0.05", None),
    ],
)
def test_an_event_is_read_or_it_is_not_understood(text: str, event: Event | None) -> None:
    assert read_event(text) == event


@pytest.mark.parametrize(
    ("numerator", "denominator", "nearest"),
    [(1, 2, 0), (3, 2, 2), (5, 2, 2), (-1, 2, 0), (-3, 2, -2), (7, 3, 2), (8, 3, 3), (-8, 3, -3)],
)
def test_halves_go_to_the_even_neighbour(numerator: int, denominator: int, nearest: int) -> None:
    assert divide_half_even(numerator, denominator) == nearest


def test_events_are_put_back_from_the_last_to_the_first() -> None:
    """A dividend of 0.10 before a split in two: an old unit is two of 1.00 and 0.10 in cash."""
    before_split = [Event(cash=Fraction("0.1")), Event(units=Fraction(2))]

    assert value_of_old_unit(100, before_split, unit=100) == 210
    assert value_of_old_unit(100, before_split[::-1], unit=100) == 220
    assert value_of_old_unit(100, [], unit=100) == 100
    assert value_of_old_unit(100, [Event(units=Fraction(2), cash=Fraction("0.1"))], unit=100) == 210


NAV = st.integers(1, 10**9)


@given(path=NAV, before=NAV, after=NAV)
def test_a_step_is_within_half_a_unit(path: int, before: int, after: int) -> None:
    stepped = compound(path, after, before)

    assert abs(2 * (stepped * before - path * after)) <= before
    assert compound(path, Fraction(after), before) == stepped
