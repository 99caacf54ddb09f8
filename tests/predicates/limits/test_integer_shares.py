"""SIZE01: an order is not a whole number of shares, or not a whole number of board lots."""

from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from predicates.limits.integer_shares import integer_shares
from scenarios.action import Action, Order
from scenarios.errors import ScenarioError
from scenarios.types import Position, Scenario
from tests.builders import NO_PARAMS, a_scenario, an_instrument


def scenario(lot: int = 1, held: str = "0", available: str | None = None, odd: bool = False) -> Scenario:
    """AAA at 1.00 a share in lots of `lot`, BBB without a price."""
    position = Position(instrument="AAA", quantity=Fraction(held), available=Fraction(available or held),
                        value_cents=100)
    listed = [an_instrument("AAA", price_cents=100, lot_shares=lot), an_instrument("BBB", price_cents=None)]
    return a_scenario(instruments=listed, positions=[position], whole_shares=True, odd_lot_remainder=odd)


def by_shares(shares: str | int, side: str = "buy", name: str = "AAA") -> Order:
    """An order sized in shares."""
    return Order(name, side, None, Fraction(shares))


def found(given: Scenario, *orders: Order) -> list[tuple[str, object, object]]:
    """Place, shares and lot of each finding."""
    return [(item.where, item.left, item.right) for item in integer_shares(given, Action(orders))]


@pytest.mark.parametrize(
    ("order", "lot", "shares"),
    [
        pytest.param(by_shares(3), 1, None, id="whole shares"),
        pytest.param(Order("AAA", "buy", 300), 1, None, id="an amount that buys whole shares"),
        pytest.param(by_shares(200), 100, None, id="whole lots"),
        pytest.param(Order("AAA", "buy", 20_000), 100, None, id="an amount that buys whole lots"),
        pytest.param(Order("AAA"), 100, None, id="no size, no fault"),
        pytest.param(by_shares("0.5", name="ZZZ"), 1, None, id="an unknown name is UNIV01's business"),
        pytest.param(Order("ZZZ", "buy", 50), 1, None, id="an unknown name needs no price"),
        pytest.param(by_shares("3.000001"), 1, Fraction("3.000001"), id="a millionth of a share"),
        pytest.param(Order("AAA", "buy", 301), 1, Fraction("3.01"), id="one cent over"),
        pytest.param(Order("AAA", "buy", 299), 1, Fraction("2.99"), id="one cent under"),
        pytest.param(by_shares(199), 100, 199, id="one share under the lot"),
        pytest.param(by_shares(201), 100, 201, id="one share over the lot"),
        pytest.param(by_shares("50", "sell"), 100, 50, id="a sell is judged too"),
    ],
)
def test_boundary(order: Order, lot: int, shares: object) -> None:
    """The verdict turns at whole multiples of the lot, on both sides of them."""
    assert found(scenario(lot), order) == ([] if shares is None else [("/orders/0", shares, lot)])


@pytest.mark.parametrize(
    ("orders", "places"),
    [
        pytest.param([by_shares(30, "sell")], [], id="the remainder alone"),
        pytest.param([by_shares(230, "sell")], [], id="everything"),
        pytest.param([by_shares(130, "sell"), by_shares(100, "sell")], [], id="the remainder with one lot, then a lot"),
        pytest.param([by_shares(100, "sell"), by_shares(130, "sell")], [], id="a lot, then the rest"),
        pytest.param([by_shares(29, "sell")], ["/orders/0"], id="one share of it short"),
        pytest.param([by_shares(31, "sell")], ["/orders/0"], id="one share over it"),
        pytest.param([by_shares(330, "sell")], ["/orders/0"], id="one lot more than is there"),
        pytest.param([by_shares(20, "sell"), by_shares(10, "sell")], ["/orders/0", "/orders/1"], id="not in one order"),
        pytest.param([by_shares(30, "sell"), by_shares(30, "sell")], ["/orders/1"], id="there is one remainder only"),
        pytest.param([by_shares(30)], ["/orders/0"], id="a buy of the same size"),
        pytest.param([by_shares(30, "sell", "BBB")], [], id="another name, lots of one"),
    ],
)
def test_odd_lot_remainder(orders: list[Order], places: list[str]) -> None:
    """Of 230 available shares in lots of 100, the odd 30 leave in one order."""
    given = scenario(lot=100, held="300", available="230", odd=True)

    assert [place for place, _, _ in found(given, *orders)] == places


@pytest.mark.parametrize(
    ("given", "shares"),
    [
        pytest.param(scenario(lot=100, held="230", odd=False), 30, id="the scenario does not allow it"),
        pytest.param(scenario(lot=1, held="2.5", odd=True), Fraction("2.5"), id="the remainder is not whole"),
    ],
)
def test_no_remainder(given: Scenario, shares: Fraction | int) -> None:
    """A remainder leaves only where the scenario says so, and only in whole shares."""
    assert len(found(given, Order("AAA", "sell", None, shares))) == 1


def test_a_missing_price_is_an_error() -> None:
    """An order sized by amount cannot be judged without a price."""
    with pytest.raises(ScenarioError, match="BBB/price_cents: no price is frozen"):
        found(scenario(), Order("BBB", "buy", 100))


@pytest.mark.parametrize(("given", "absent"), [(a_scenario(), "/limits/whole_shares"), (scenario(), None)])
def test_it_speaks_only_where_shares_are_whole(given: Scenario, absent: str | None) -> None:
    """Not applicable unless the scenario says that shares are whole."""
    assert integer_shares.missing_limit(given, NO_PARAMS) == absent


@given(lots=st.integers(1, 50), lot=st.integers(1, 200), off=st.integers(0, 200))
@example(lots=1, lot=100, off=100)
def test_only_the_remainder_matters(lots: int, lot: int, off: int) -> None:
    """Whole lots on top change nothing, whether the order is given in shares or in money."""
    given, holds = scenario(lot), off % lot == 0

    assert (not found(given, by_shares(lots * lot + off))) is holds
    assert (not found(given, Order("AAA", "buy", 100 * (lots * lot + off)))) is holds


@given(sizes=st.permutations([30, 100, 130, 30, 50]), count=st.integers(1, 5))
def test_the_order_of_sells_does_not_matter(sizes: list[int], count: int) -> None:
    """How many sells fail is a matter of their sizes, not of their order."""
    given = scenario(lot=100, held="230", odd=True)
    orders = [by_shares(size, "sell") for size in sizes[:count]]

    assert len(found(given, *orders)) == len(found(given, *reversed(orders)))
