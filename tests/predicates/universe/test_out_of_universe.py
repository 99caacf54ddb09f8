"""UNIV01: an order names an instrument that may not be recommended in this scenario."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predicates.universe.out_of_universe import out_of_universe
from scenarios.action import Action, Order
from tests.builders import a_scenario, an_instrument

LISTED = [an_instrument("AAA"), an_instrument("BRK-B"), an_instrument("HELD")]
SCENARIO = a_scenario(instruments=LISTED, universe=["AAA", "BRK-B"], held={"HELD": 50_000})


def outside(*orders: Order) -> list[tuple[str, object]]:
    """Place and name of each order that is found outside."""
    return [(finding.where, finding.left) for finding in out_of_universe(SCENARIO, Action(orders))]


@pytest.mark.parametrize(
    ("order", "holds"),
    [
        pytest.param(Order("AAA", "buy", 1), True, id="an allowed name"),
        pytest.param(Order("BRK-B", "sell", 1), True, id="an allowed name on the sell side"),
        pytest.param(Order("AAA"), True, id="an allowed name without a size"),
        pytest.param(Order("ZZZ", "buy", 1), False, id="an unknown name"),
        pytest.param(Order("ZZZ"), False, id="an unknown name without a size"),
        pytest.param(Order("BRK.B", "buy", 1), False, id="a near miss stays outside"),
        pytest.param(Order("aaa", "buy", 1), False, id="lower case stays outside"),
        pytest.param(Order("HELD", "buy", 1), False, id="held and known, but not allowed"),
        pytest.param(Order("HELD", "sell", 1), False, id="the allowed set binds sells too"),
    ],
)
def test_boundary(order: Order, holds: bool) -> None:
    """A name is in the allowed set, letter by letter, or it is not."""
    assert outside(order) == ([] if holds else [("/orders/0/instrument", order.instrument)])


@pytest.mark.parametrize(
    ("name", "near"),
    [("BRK.B", "BRK-B"), ("\u0410AA", "AAA"), ("aaa", "AAA"), ("ZZZ", None)],
    ids=["punctuation", "a Cyrillic A", "case", "nothing alike"],
)
def test_the_near_miss_is_named(name: str, near: str | None) -> None:
    """The reader learns which name the answer seems to mean; the verdict stays the same."""
    (finding,) = out_of_universe(SCENARIO, Action([Order(name, "buy", 1)]))

    assert finding.details["near_miss"] == near
    assert str(near or "none") in out_of_universe.sentence(finding)


@given(names=st.lists(st.sampled_from(["AAA", "BRK-B", "ZZZ", "HELD", "aaa"]), max_size=6))
def test_every_order_is_judged_by_its_own_name(names: list[str]) -> None:
    """The findings are the orders outside the set, in order; neither company nor repetition matters."""
    assert outside(*map(Order, names)) == [
        (f"/orders/{index}/instrument", name) for index, name in enumerate(names) if outside(Order(name))
    ]
