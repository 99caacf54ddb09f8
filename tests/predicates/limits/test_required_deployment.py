"""COV01: nothing is bought although the scenario requires cash to be put to work."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predicates.limits.required_deployment import required_deployment
from scenarios.action import Action, Order
from scenarios.types import Scenario
from tests.builders import NO_PARAMS, a_scenario

SCENARIO = a_scenario(deployment_required=True)


def holds(*orders: Order) -> bool:
    """Whether the orders put any cash to work."""
    return not required_deployment(SCENARIO, Action(orders))


@pytest.mark.parametrize(
    ("orders", "expected"),
    [
        pytest.param([Order("AAA", "buy", 1)], True, id="one cent"),
        pytest.param([Order("AAA")], True, id="a buy without a size"),
        pytest.param([Order("AAA", "sell", 5), Order("BBB", "buy", 5)], True, id="a buy beside a sell"),
        pytest.param([], False, id="a hold"),
        pytest.param([Order("AAA", "sell", 5)], False, id="only a sell"),
        pytest.param([Order("AAA", "sell"), Order("AAA", "sell")], False, id="only sells without a size"),
    ],
)
def test_boundary(orders: list[Order], expected: bool) -> None:
    """One buy is enough, and nothing else is."""
    assert holds(*orders) is expected


def test_the_evidence_counts_buys() -> None:
    """No buy stands against the one that is required."""
    (finding,) = required_deployment(SCENARIO, Action())

    assert (finding.left, finding.op, finding.right, finding.unit) == (0, ">=", 1, "buy orders")


@pytest.mark.parametrize(("scenario", "absent"), [(a_scenario(), "/limits/deployment_required"), (SCENARIO, None)])
def test_it_speaks_only_where_deployment_is_required(scenario: Scenario, absent: str | None) -> None:
    """A hold stays a valid answer wherever the scenario does not say otherwise."""
    assert required_deployment.missing_limit(scenario, NO_PARAMS) == absent


@given(sides=st.lists(st.sampled_from(["buy", "sell"]), max_size=5))
def test_another_buy_never_hurts(sides: list[str]) -> None:
    """What holds still holds with one more buy, and sells never change the verdict."""
    orders = [Order("AAA", side) for side in sides]

    assert holds(*orders, Order("BBB"))
    assert holds(*orders, Order("BBB", "sell")) is holds(*orders)
