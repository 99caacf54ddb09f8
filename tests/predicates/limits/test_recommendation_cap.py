"""LIM01: the answer recommends buying more names than allowed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predicates.limits.recommendation_cap import recommendation_cap
from scenarios.action import Action, Order
from tests.builders import NO_PARAMS, a_scenario


def excess(cap: int, *orders: Order) -> int:
    """Names over the cap, 0 where the predicate holds."""
    found = recommendation_cap(a_scenario(recommendation_cap=cap), Action(orders))
    assert not found or found[0].left - found[0].right == found[0].details["over"] > 0
    return found[0].details["over"] if found else 0


@pytest.mark.parametrize(
    ("cap", "names", "expected"),
    [
        pytest.param(2, "", 0, id="a hold"),
        pytest.param(2, "AB", 0, id="as many as allowed"),
        pytest.param(2, "ABC", 1, id="one more"),
        pytest.param(2, "ABCDE", 3, id="three more"),
        pytest.param(2, "AAAB", 0, id="orders in one name count once"),
        pytest.param(2, "ABCA", 1, id="and the others still count"),
        pytest.param(0, "", 0, id="nothing allowed, nothing bought"),
        pytest.param(0, "A", 1, id="nothing allowed, one bought"),
    ],
)
def test_boundary(cap: int, names: str, expected: int) -> None:
    """The verdict turns after the cap-th distinct name."""
    assert excess(cap, *(Order(name, "buy", 100) for name in names)) == expected


def test_what_counts() -> None:
    """Buys without a size and buys of unknown names count, sells do not."""
    assert excess(1, Order("AAA"), Order("ZZZ")) == 1
    assert excess(1, Order("AAA"), Order("BBB", "sell", 5), Order("CCC", "sell")) == 0


def test_house_value() -> None:
    """The contract's cap replaces the scenario's and stands in where the scenario has none."""
    params = recommendation_cap.read_parameters({"recommendation_cap": 1})
    two = Action([Order("AAA", "buy", 1), Order("BBB", "buy", 1)])

    (finding,) = recommendation_cap(a_scenario(recommendation_cap=2), two, params)
    assert finding.reads == ("/orders",)
    assert recommendation_cap.missing_limit(a_scenario(), params) is None
    assert recommendation_cap.missing_limit(a_scenario(), NO_PARAMS) == "/limits/recommendation_cap"


def test_sentence() -> None:
    """It says how many names must go."""
    action = Action([Order(name, "buy", 1) for name in "ABC"])
    (finding,) = recommendation_cap(a_scenario(recommendation_cap=1), action)

    assert recommendation_cap.sentence(finding) == (
        "the answer buys 3 different names, 2 more than the 1 that are allowed; drop at least 2 of them"
    )


ORDERS = st.lists(st.builds(Order, st.sampled_from("ABCDE"), st.sampled_from(["buy", "sell"]), st.integers(1, 9)))


@given(orders=ORDERS, cap=st.integers(0, 5))
def test_a_repeated_order_changes_nothing(orders: list[Order], cap: int) -> None:
    """Only distinct names count, in any order, and a higher cap is never worse."""
    assert excess(cap, *orders) == excess(cap, *reversed(orders), *orders)
    assert excess(cap + 1, *orders) == max(excess(cap, *orders) - 1, 0)
