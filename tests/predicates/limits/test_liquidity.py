"""LIM06: the answer buys more of a name than its market can absorb."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predicates.limits.liquidity import liquidity
from scenarios.action import Action, Order
from scenarios.errors import ScenarioError
from scenarios.types import Scenario
from tests.builders import a_scenario, an_instrument, buys


def a_market(fraction: str | None = "0.01", **volumes: int | None) -> Scenario:
    """Names with these volumes in cents; 1 % of it may be bought."""
    instruments = [an_instrument(name, volume_cents=volume) for name, volume in volumes.items()]
    return a_scenario(instruments=instruments, liquidity_fraction=None if fraction is None else Fraction(fraction))


@pytest.mark.parametrize(
    ("orders", "expected"),
    [
        pytest.param([("AAA", "buy", 100_000)], [], id="on the limit"),
        pytest.param([("AAA", "buy", 99_999)], [], id="a cent under it"),
        pytest.param([("AAA", "buy", 100_001)], ["AAA"], id="a cent over it"),
        pytest.param([("AAA", "buy", 50_000), ("AAA", "buy", 50_001)], ["AAA"], id="cut in two, a cent over it"),
        pytest.param([("AAA", "buy", 50_000), ("BBB", "buy", 500)], [], id="each name by itself"),
        pytest.param([("BBB", "buy", 502), ("AAA", "buy", 100_001)], ["BBB", "AAA"], id="both"),
        pytest.param([("BBB", "buy", 501)], [], id="501 of 501.50: between two cents"),
        pytest.param([("NIL", "buy", 1)], ["NIL"], id="nothing is traded"),
        pytest.param([("AAA", "sell", 10**9)], [], id="a sell"),
        pytest.param([("AAA", "buy", 100_001), ("AAA", "sell", 100_001)], ["AAA"], id="sells do not make up for buys"),
        pytest.param([("ZZZ", "buy", 10**9), ("AAA", "buy", 100_001)], ["AAA"], id="an unknown name"),
    ],
)
def test_boundary(orders: list[tuple[str, str, int]], expected: list[str]) -> None:
    """The verdict turns exactly at fraction * volume, for all buys of one name together."""
    scenario = a_market(AAA=10_000_000, BBB=50_150, NIL=0)
    found = liquidity(scenario, Action([Order(*order) for order in orders]))

    assert [finding.details["instrument"] for finding in found] == expected


def test_a_missing_volume_is_an_error() -> None:
    """A declared limit cannot be judged without the volume of what is bought; what is sold does not need one."""
    scenario = a_market(AAA=None)

    assert liquidity(scenario, Action([Order("AAA", "sell", 1)])) == ()
    with pytest.raises(ScenarioError, match="instruments/AAA/volume_cents: no volume_cents is frozen"):
        liquidity(scenario, buys([1]))


def test_evidence_and_house_value() -> None:
    """The contract's fraction replaces the scenario's; the sentence shows volume, fraction and the most one can buy."""
    params = liquidity.read_parameters({"liquidity_fraction": "0.001"})
    scenario = a_market(None, AAA=10_000_500)
    (finding,) = liquidity(scenario, buys([10_001]), params)

    assert liquidity.missing_limit(scenario, params) is None
    assert (finding.left, finding.op, finding.right) == (10_001, "<=", Fraction(20_001, 2))
    assert finding.reads == ("/instruments", "/orders")
    assert liquidity.sentence(finding) == (
        "the buys of AAA come to 100.01, more than 0.10 % of its frozen volume of 100005.00; buy at most 100.00"
    )


@given(parts=st.lists(st.integers(1, 10**4), min_size=1, max_size=5), volume=st.integers(0, 10**6),
       fraction=st.fractions(0, 1, max_denominator=1000))
def test_cutting_an_order_changes_nothing(parts: list[int], volume: int, fraction: Fraction) -> None:
    """Many small buys of a name are judged as the one buy that they are."""
    instrument = an_instrument("AAA", volume_cents=volume)
    scenario = a_scenario(instruments=[instrument], liquidity_fraction=fraction)
    pieces = Action([Order("AAA", "buy", part) for part in parts])

    assert bool(liquidity(scenario, pieces)) is bool(liquidity(scenario, buys([sum(parts)])))
    assert bool(liquidity(scenario, pieces)) is (sum(parts) > fraction * volume)
