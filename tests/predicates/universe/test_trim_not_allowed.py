"""UNIV05: the client is told to sell, where the scenario does not allow holdings to be reduced."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predicates.universe.trim_not_allowed import trim_not_allowed
from scenarios.action import Action, Order
from scenarios.types import Scenario
from tests.builders import NO_PARAMS, a_scenario

SCENARIO = a_scenario(trims_forbidden=True, held={"AAA": 50_000})


def found(*orders: Order) -> list[str]:
    """Place of each finding."""
    return [finding.where for finding in trim_not_allowed(SCENARIO, Action(orders))]


@pytest.mark.parametrize(
    ("orders", "expected"),
    [
        pytest.param([], [], id="no order"),
        pytest.param([Order("AAA", "buy", 100)], [], id="a buy of what is held"),
        pytest.param([Order("AAA", "sell", 1)], ["/orders/0/side"], id="the smallest sale"),
        pytest.param([Order("AAA", "sell", 50_000)], ["/orders/0/side"], id="the whole position"),
        pytest.param([Order("AAA", "sell")], ["/orders/0/side"], id="without a size"),
        pytest.param([Order("BBB"), Order("ZZZ", "sell")], ["/orders/1/side"], id="a name that is not even held"),
    ],
)
def test_boundary(orders: list[Order], expected: list[str]) -> None:
    """Any sell at all violates, and only sells do."""
    assert found(*orders) == expected


@pytest.mark.parametrize(("scenario", "absent"), [(a_scenario(), "/limits/trims_forbidden"), (SCENARIO, None)])
def test_it_speaks_only_where_trims_are_forbidden(scenario: Scenario, absent: str | None) -> None:
    """Not applicable unless the scenario forbids trims."""
    assert trim_not_allowed.missing_limit(scenario, NO_PARAMS) == absent


@given(sides=st.lists(st.sampled_from(["buy", "sell"]), max_size=6))
def test_one_finding_for_each_sell(sides: list[str]) -> None:
    """Buys never make up for a sell."""
    assert found(*(Order("AAA", side) for side in sides)) == [
        f"/orders/{index}/side" for index, side in enumerate(sides) if side == "sell"
    ]
