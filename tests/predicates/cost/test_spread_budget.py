"""COST03: an order would lose more to the bid-ask spread than is tolerated."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predicates.cost.spread_budget import spread_budget
from scenarios.action import Action, Order
from scenarios.errors import ScenarioError
from tests.builders import a_scenario, an_instrument, buys


def a_market(spread: str | None = "0.002", tolerance: int | None = 500) -> object:
    """AAA with a spread."""
    instrument = an_instrument("AAA", spread=None if spread is None else Fraction(spread))
    return a_scenario(instruments=[instrument], spread_tolerance_cents=tolerance)


@pytest.mark.parametrize(
    ("orders", "expected"),
    [
        pytest.param([("buy", 250_000)], [], id="on the budget"),
        pytest.param([("buy", 249_999)], [], id="a cent under it"),
        pytest.param([("buy", 250_001)], ["/orders/0"], id="a cent over it"),
        pytest.param([("sell", 250_001)], ["/orders/0"], id="a sell crosses the spread as well"),
        pytest.param([("buy", 200_000), ("buy", 200_000)], [], id="each order by itself"),
        pytest.param([("buy", 1), ("buy", 300_000), ("sell", 300_000)], ["/orders/1", "/orders/2"], id="every order"),
        pytest.param([("buy", None)], [], id="no size"),
    ],
)
def test_boundary(orders: list[tuple[str, int | None]], expected: list[str]) -> None:
    """The verdict turns exactly at spread * amount = tolerance."""
    action = Action([Order("AAA", side, amount) for side, amount in orders])

    assert [finding.where for finding in spread_budget(a_market(), action)] == expected


def test_evidence() -> None:
    """The loss is exact, a fraction of a cent included, and the sentence names the largest order that passes."""
    (finding,) = spread_budget(a_market(), buys([250_001]))

    assert (finding.left, finding.op, finding.right) == (Fraction(250_001, 500), "<=", 500)
    assert spread_budget.sentence(finding).endswith("more than the 5.00 that is tolerated; order at most 2500.00")


def test_a_missing_spread_is_an_error() -> None:
    """A declared budget cannot be judged without the spread; an unknown name is the universe clause's business."""
    assert spread_budget(a_market(spread=None), buys({"ZZZ": 10**9})) == ()
    with pytest.raises(ScenarioError, match="no spread is frozen"):
        spread_budget(a_market(spread=None), buys([1]))


def test_house_value() -> None:
    """The contract's tolerance replaces the scenario's, and stands in where the scenario declares none."""
    params = spread_budget.read_parameters({"spread_tolerance_cents": 0})

    assert spread_budget.missing_limit(a_market(tolerance=None), params) is None
    assert spread_budget.missing_limit(a_market(tolerance=None), spread_budget.read_parameters({})) is not None
    assert spread_budget(a_market(spread="0"), buys([10**9]), params) == ()
    assert len(spread_budget(a_market(), buys([1]), params)) == 1


@given(tolerance=st.integers(0, 10**5), spread=st.fractions(Fraction(1, 1000), 1, max_denominator=1000))
def test_the_largest_order_that_passes(tolerance: int, spread: Fraction) -> None:
    """floor(tolerance / spread) passes and a cent more fails."""
    instrument = an_instrument("AAA", spread=spread)
    scenario = a_scenario(instruments=[instrument], spread_tolerance_cents=tolerance)
    most = tolerance // spread

    assert spread_budget(scenario, buys([most])) == ()
    (finding,) = spread_budget(scenario, buys([most + 1]))
    assert finding.details["most"] == most
