"""COST02: an order is so small that its fee eats too much of it."""

from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from predicates.cost.below_floor import below_floor
from scenarios.action import Action, Amount, Order
from scenarios.errors import ScenarioError
from scenarios.fees import FeeSchedule, NoFee, PerShareFee, ProportionalFee, StepFee
from tests.builders import PAPER_FEES, a_scenario, an_instrument, buys, sells

ONE_PERCENT = Fraction(1, 100)
STEEP = ProportionalFee(rate=Fraction(2, 100))
BY_SHARE = PerShareFee(cents_per_share=Fraction(1), minimum_cents=100)


def is_below(amount: Amount, fees: FeeSchedule = PAPER_FEES, tolerance: Fraction = ONE_PERCENT) -> bool:
    """Whether a buy of one amount is below the floor."""
    return bool(below_floor(a_scenario(fees=fees, fee_tolerance=tolerance), buys([amount])))


@pytest.mark.parametrize(
    ("amount", "fees", "tolerance", "expected"),
    [
        pytest.param(24_999, PAPER_FEES, "0.01", True, id="the paper's floor less a cent"),
        pytest.param(25_000, PAPER_FEES, "0.01", False, id="the paper's floor: 250 dollars"),
        pytest.param(25_001, PAPER_FEES, "0.01", False, id="and a cent over it"),
        pytest.param(100_001, PAPER_FEES, "0.0025", False, id="a second tranche makes no order small again"),
        pytest.param(83_333, PAPER_FEES, "0.003", True, id="a floor between two cents, 83,333 1/3: below"),
        pytest.param(83_334, PAPER_FEES, "0.003", False, id="a floor between two cents: above"),
        pytest.param(1, NoFee(), "0.01", False, id="without fees nothing is too small"),
        pytest.param(10**12, STEEP, "0.01", True, id="a rate over the tolerance: every order is below"),
        pytest.param(1, STEEP, "0.02", False, id="a rate that equals the tolerance: none is"),
        pytest.param(9_999, BY_SHARE, "0.01", True, id="by the share: a minimum of 1.00 less a cent"),
        pytest.param(10_000, BY_SHARE, "0.01", False, id="by the share: on the floor"),
    ],
)
def test_boundary(amount: int, fees: FeeSchedule, tolerance: str, expected: bool) -> None:
    """The verdict turns exactly at the floor that the schedule and the tolerance imply."""
    assert is_below(amount, fees, Fraction(tolerance)) is expected


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        pytest.param(Order("AAA", "sell", 20_000), False, id="the whole value"),
        pytest.param(Order("AAA", "sell", 19_999), True, id="the value less a cent"),
        pytest.param(Order("AAA", "sell", 20_001), True, id="a cent more than the value"),
        pytest.param(Order("AAA", "sell", 20_100, Fraction(2)), False, id="every share, at whatever value"),
        pytest.param(Order("AAA", "sell", 20_000, Fraction(1)), True, id="one share of two"),
        pytest.param(Order("AAA", "buy", 20_000), True, id="a buy of as much"),
        pytest.param(Order("BBB", "sell", 20_000), True, id="a name that is not held"),
        pytest.param(Order("AAA", "sell"), False, id="no size"),
    ],
)
def test_a_whole_position_may_be_sold(order: Order, expected: bool) -> None:
    """A small rest can always be sold, and only by selling all of it."""
    scenario = a_scenario(held={"AAA": 20_000}, fee_tolerance=ONE_PERCENT)

    assert bool(below_floor(scenario, Action([order]))) is expected


def test_each_small_order_is_told_with_its_equation() -> None:
    """One finding for each order below, at its place, with floor, fee and equation."""
    found = below_floor(a_scenario(fee_tolerance=ONE_PERCENT), buys([10_000, 25_000, 24_999]))

    assert [finding.where for finding in found] == ["/orders/0", "/orders/2"]
    assert (found[0].left, found[0].op, found[0].right) == (10_000, ">=", 25_000)
    assert (found[0].details["fee"], found[0].details["equation"]) == (250, "a * 0.01 >= 250")
    assert "for 100.00 pays 2.50 in fees, more than 1.00 % of it" in below_floor.sentence(found[0])


def test_no_floor_is_told_as_none() -> None:
    """Where no order is large enough, the evidence has no right side."""
    (finding,) = below_floor(a_scenario(fees=STEEP, fee_tolerance=ONE_PERCENT), buys([500]))

    assert finding.right is None
    assert "the smallest order worth its fee is none" in below_floor.sentence(finding)


def test_a_house_tolerance_replaces_the_scenarios() -> None:
    """The contract's tolerance decides, and the evidence does not claim to have read the scenario's."""
    params = below_floor.read_parameters({"fee_tolerance": "0.02"})
    scenario = a_scenario(fee_tolerance=ONE_PERCENT)

    assert below_floor(scenario, buys([12_500]), params) == ()
    (finding,) = below_floor(scenario, buys([12_499]), params)
    assert (finding.right, finding.reads) == (12_500, ("/fees", "/orders"))


def test_a_price_that_is_missing_is_an_error() -> None:
    """A fee by the share needs a price of every known name; an unknown one is left to the universe clause."""
    scenario = a_scenario(
        instruments=[an_instrument("AAA", price_cents=None)], fees=BY_SHARE, fee_tolerance=ONE_PERCENT
    )

    assert below_floor(scenario, buys({"ZZZ": 1})) == ()
    with pytest.raises(ScenarioError, match="price"):
        below_floor(scenario, buys({"AAA": 1}))


@given(amount=st.integers(1, 10**7), tranche=st.integers(1, 10**6), fee=st.integers(0, 5000),
       tolerance=st.fractions(Fraction(1, 1000), 1, max_denominator=1000))
@example(amount=25_000, tranche=100_000, fee=250, tolerance=ONE_PERCENT)
def test_what_is_below_pays_too_much(amount: int, tranche: int, fee: int, tolerance: Fraction) -> None:
    """An order is below exactly where even one tranche's fee exceeds its tolerated share."""
    fees = StepFee(tranche, fee)

    assert is_below(amount, fees, tolerance) is (amount * tolerance < fee)
    assert not is_below(amount, fees, tolerance) or fees.fee(amount) > tolerance * amount


@given(amount=st.integers(1, 10**6), scale=st.integers(1, 1000))
def test_the_unit_of_money_does_not_matter(amount: int, scale: int) -> None:
    """Fee and amounts times k give the same verdict."""
    assert is_below(amount) is is_below(amount * scale, StepFee(100_000 * scale, 250 * scale))
    assert bool(below_floor(a_scenario(held={"AAA": amount * 2}, fee_tolerance=ONE_PERCENT),
                            sells({"AAA": amount}))) is is_below(amount)
