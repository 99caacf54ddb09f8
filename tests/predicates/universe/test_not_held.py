"""UNIV04: the client is told to sell more of something than can be sold; there are no short sales."""

from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from predicates.universe.not_held import not_held
from scenarios.action import Action, Order
from scenarios.types import Position, Scenario
from tests.builders import a_scenario, an_instrument


def holding(price_cents: int | None, quantity: int = 10, available: int = 7, value_cents: int = 1_000) -> Scenario:
    """AAA held with a frozen price or without one, BBB not held."""
    position = Position(instrument="AAA", quantity=Fraction(quantity), available=Fraction(available),
                        value_cents=value_cents)
    listed = [an_instrument("AAA", price_cents=price_cents), an_instrument("BBB"), an_instrument("CCC")]
    return a_scenario(instruments=listed, positions=[
        position, Position(instrument="CCC", quantity=Fraction(1), available=Fraction(0), value_cents=100),
    ])


def sell(name: str, amount: int | None = None, shares: int | str | None = None) -> Order:
    """A sell by amount in cents, by shares, or without a size."""
    return Order(name, "sell", amount, None if shares is None else Fraction(shares))


def found(scenario: Scenario, *orders: Order) -> list[tuple[object, object, str, str]]:
    """Both sides, unit and place of each finding."""
    return [(item.left, item.right, item.unit, item.where) for item in not_held(scenario, Action(orders))]


@pytest.mark.parametrize(
    ("orders", "expected"),
    [
        pytest.param([sell("AAA", shares=7)], [], id="exactly what is available"),
        pytest.param([sell("AAA", shares=3), sell("AAA", amount=400)], [], id="shares and money add up to it"),
        pytest.param([sell("AAA")], [], id="no size, and there is something to sell"),
        pytest.param([Order("AAA", "buy", 10**9), Order("BBB", "buy", shares=5)], [], id="buys are not read"),
        pytest.param([sell("AAA", shares="7.000001")], [(Fraction("7.000001"), 7, "shares", "/orders/0")],
                     id="a millionth of a share more"),
        pytest.param([sell("AAA", amount=701)], [(Fraction("7.01"), 7, "shares", "/orders/0")], id="one cent more"),
        pytest.param([sell("AAA", shares=8)], [(8, 7, "shares", "/orders/0")], id="held, but not available"),
        pytest.param([Order("AAA"), sell("AAA", shares=4), sell("AAA", amount=400)], [(8, 7, "shares", "/orders/1")],
                     id="the sum counts, at its first sell"),
        pytest.param([sell("BBB", shares=1)], [(1, 0, "shares", "/orders/0")], id="not held at all"),
        pytest.param([sell("BBB")], [("no stated size", 0, "shares", "/orders/0")], id="not held, and no size"),
        pytest.param([sell("CCC")], [("no stated size", 0, "shares", "/orders/0")], id="nothing of it available"),
        pytest.param([sell("ZZZ", amount=5)], [(5, 0, "cents", "/orders/0")], id="unknown, by amount"),
        pytest.param([sell("BBB", shares=1), sell("CCC", shares=1)],
                     [(1, 0, "shares", "/orders/0"), (1, 0, "shares", "/orders/1")], id="one finding a name"),
    ],
)
def test_boundary_with_a_price(orders: list[Order], expected: list[object]) -> None:
    """At 1.00 a share, 7 of 10 shares can be sold."""
    assert found(holding(price_cents=100), *orders) == expected


@pytest.mark.parametrize(
    ("orders", "expected"),
    [
        pytest.param([sell("AAA", amount=700)], [], id="exactly the available part of the value"),
        pytest.param([sell("AAA", shares=7)], [], id="shares need no price"),
        pytest.param([sell("AAA", shares=3), sell("AAA", amount=400)], [], id="shares at the position's own value"),
        pytest.param([sell("AAA", amount=701)], [(701, 700, "cents", "/orders/0")], id="one cent more"),
        pytest.param([sell("AAA", shares=3), sell("AAA", amount=401)], [(701, 700, "cents", "/orders/0")],
                     id="one cent more in two orders"),
        pytest.param([sell("AAA", shares=8)], [(8, 7, "shares", "/orders/0")], id="one share more"),
    ],
)
def test_boundary_without_a_price(orders: list[Order], expected: list[object]) -> None:
    """10 shares worth 10.00, of which 7 can be sold."""
    assert found(holding(price_cents=None), *orders) == expected


def test_the_available_value_is_not_rounded() -> None:
    """2 of 3 shares worth 1.00 are 66 2/3 cents: 66 holds, 67 does not."""
    scenario = holding(price_cents=None, quantity=3, available=2, value_cents=100)

    assert found(scenario, sell("AAA", amount=66)) == []
    assert found(scenario, sell("AAA", amount=67)) == [(67, Fraction(200, 3), "cents", "/orders/0")]


def test_nothing_can_be_sold_of_a_worthless_position_without_a_price() -> None:
    """A value of 0 leaves no amount to sell; its shares still can be."""
    scenario = holding(price_cents=None, value_cents=0)

    assert found(scenario, sell("AAA", shares=7)) == []
    assert found(scenario, sell("AAA", amount=1)) == [(1, 0, "cents", "/orders/0")]


@given(parts=st.lists(st.integers(1, 400), min_size=1, max_size=4), price=st.sampled_from([None, 3, 100]))
@example(parts=[300, 400], price=100)
@example(parts=[300, 401], price=None)
def test_cutting_a_sale_changes_nothing(parts: list[int], price: int | None) -> None:
    """Sells of one name are judged by their sum, in any order."""
    scenario = holding(price_cents=price)
    whole = found(scenario, sell("AAA", amount=sum(parts)))

    assert found(scenario, *(sell("AAA", amount=part) for part in parts)) == whole
    assert found(scenario, *(sell("AAA", amount=part) for part in reversed(parts))) == whole
