"""The totals of an action, which the clauses read."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from scenarios.action import Action, Citation, Order
from scenarios.parsing import print_action
from scenarios.plain_answer import read_plain
from tests.builders import a_scenario, an_instrument

NAMES = ("AAA", "BBB", "CCC")
SIZED, ANY = (
    st.tuples(st.sampled_from(NAMES), st.sampled_from(("buy", "sell")), size).map(lambda members: Order(*members))
    for size in (st.integers(1, 10**9), st.none() | st.integers(1, 10**9))
)


def totals(action: Action) -> dict[str, object]:
    """Every attribute, and of what is bought and sold also the order of its names."""
    parts = {name: getattr(action, name) for name in Action.__slots__}
    return parts | {name: list(parts[name].items()) for name in ("bought_of", "sold_of", "net_of")}


def of_side(orders: Sequence[Order], side: str, name: str) -> int:
    return sum(int(order.amount or 0) for order in orders if (order.side, order.instrument) == (side, name))


@given(st.lists(ANY, max_size=8))
def test_totals_are_sums_over_the_orders(orders: list[Order]) -> None:
    action = Action(orders)
    bought = {name: of_side(orders, "buy", name) for name in NAMES}
    sold = {name: of_side(orders, "sell", name) for name in NAMES}

    assert {name: action.bought_of.get(name, 0) for name in NAMES} == bought
    assert {name: action.sold_of.get(name, 0) for name in NAMES} == sold
    assert {name: action.net_of.get(name, 0) for name in NAMES} == {name: bought[name] - sold[name] for name in NAMES}
    assert action.net_of.keys() == {order.instrument for order in orders if order.amount is not None}
    assert (action.bought, action.sold) == (sum(bought.values()), sum(sold.values()))
    assert (sum(action.buy_amounts), sum(action.sell_amounts)) == (action.bought, action.sold)
    assert action.names == {order.instrument for order in orders}
    assert action.bought_names == {order.instrument for order in orders if order.side == "buy"}


@given(st.lists(SIZED, max_size=8))
def test_a_reader_that_sums_while_it_reads_gets_the_same_totals(orders: list[Order]) -> None:
    scenario = a_scenario(instruments=[an_instrument(name) for name in NAMES])
    action = Action(orders, [Citation("F")], "m")
    plain = read_plain(scenario, print_action(action))

    assert plain is not None
    assert totals(plain) == totals(action)
