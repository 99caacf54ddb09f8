"""COST01: the orders pay more in fees than one order of the same total would."""

from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from predicates.cost.fee_worsening_split import fee_worsening_split
from scenarios.action import Action, Amount, Order
from scenarios.fees import FeeSchedule, MarginalTiers, NoFee, PerShareFee, ProportionalFee, StepFee, Tier
from tests.builders import PAPER_FEES, a_scenario, buys

FLAT_IN_PARTS = ProportionalFee(rate=Fraction(1, 1000), minimum_cents=500)
CHEAPER_ABOVE = MarginalTiers(tiers=(Tier(0, Fraction(1, 100)), Tier(100_000, Fraction(1, 1000))))


def premium_cents(amounts: list[int], fees: FeeSchedule = PAPER_FEES) -> Amount | None:
    """Fee of the parts less fee of the whole, or None where the predicate holds."""
    found = fee_worsening_split(a_scenario(fees=fees), buys(amounts))
    return found[0].left - found[0].right if found else None


@pytest.mark.parametrize(
    ("amounts", "expected"),
    [
        pytest.param([], None, id="a hold"),
        pytest.param([90_000], None, id="one order is the whole"),
        pytest.param([45_000, 45_000], 250, id="the paper's trace: 900 dollars cut in two"),
        pytest.param([100_000, 45_000], None, id="a whole tranche and a rest: a tie"),
        pytest.param([60_000, 60_000], None, id="two tranches started either way"),
        pytest.param([50_000, 50_000], 250, id="two halves of exactly one tranche"),
        pytest.param([50_001, 50_000], None, id="one cent over the edge, and the whole starts a second tranche"),
        pytest.param([100_001, 44_999], 250, id="one cent over the tranche edge"),
        pytest.param([30_000, 30_000, 40_000], 500, id="three parts of one tranche"),
    ],
)
def test_boundary(amounts: list[int], expected: int | None) -> None:
    """The verdict turns exactly where the parts begin to cost more than the whole."""
    assert premium_cents(amounts) == expected


@pytest.mark.parametrize(
    ("fees", "amounts", "expected"),
    [
        pytest.param(NoFee(), [1, 1], None, id="no fee"),
        pytest.param(StepFee(100_000, 0), [1, 1], None, id="a step fee of nothing"),
        pytest.param(ProportionalFee(rate=Fraction(1, 1000)), [333, 334], None, id="proportional: always a tie"),
        pytest.param(FLAT_IN_PARTS, [1_000_000, 1_000_000], None, id="both parts pay more than the minimum"),
        pytest.param(FLAT_IN_PARTS, [10**6, 499_999], Fraction(1, 1000), id="one part a cent under the minimum's end"),
        pytest.param(CHEAPER_ABOVE, [100_000, 100_000], 900, id="the whole reaches a cheaper tier"),
        pytest.param(CHEAPER_ABOVE, [40_000, 60_000], None, id="the whole ends where the cheaper tier begins"),
    ],
)
def test_any_schedule(fees: FeeSchedule, amounts: list[int], expected: Amount | None) -> None:
    """The rule is the same for every fee function."""
    assert premium_cents(amounts, fees) == expected


def test_sides_are_judged_apart() -> None:
    """A buy and a sell are never one order; two sells could have been one."""
    orders = [Order("AAA", "buy", 45_000), Order("BBB", "sell", 45_000)]

    assert fee_worsening_split(a_scenario(), Action(orders)) == ()
    (finding,) = fee_worsening_split(a_scenario(), Action([*orders, Order("CCC", "sell", 45_000)]))
    assert (finding.left, finding.right, finding.details["side"]) == (500, 250, "sell")


def test_evidence_shows_both_ceilings() -> None:
    """For a step fee the finding carries the two tranche counts that the paper compares."""
    (finding,) = fee_worsening_split(a_scenario(), buys([45_000, 45_000]))

    assert (finding.details["split_tranches"], finding.details["whole_tranches"]) == (2, 1)
    assert fee_worsening_split.sentence(finding).startswith(
        "2 buy orders pay 5.00 in fees, one order of the same total would pay 2.50;"
    )


def test_a_fee_by_the_share_leaves_out_a_name_without_a_price() -> None:
    """A name that the scenario does not know is the universe clause's business; known names are still judged."""
    scenario = a_scenario(fees=PerShareFee(cents_per_share=Fraction(1), minimum_cents=100))
    unknown, known = Order("ZZZ", "buy", 10_000), [Order("AAA", "buy", 10_000), Order("BBB", "buy", 10_000)]

    assert fee_worsening_split(scenario, Action([unknown, known[0]])) == ()
    assert [finding.left for finding in fee_worsening_split(scenario, Action([unknown, *known]))] == [200]


CENTS = st.integers(1, 10**9)
SCHEDULE = st.builds(StepFee, tranche_cents=st.integers(1, 10**6), fee_cents_per_tranche=st.integers(0, 5000))


@given(left=CENTS, right=CENTS, rest=st.lists(CENTS, max_size=4), fees=SCHEDULE)
@example(left=1, right=1, rest=[], fees=StepFee(2, 10))
def test_cutting_further_never_helps(left: int, right: int, rest: list[int], fees: StepFee) -> None:
    """f is subadditive, so a finer split is at least as bad as a coarser one."""
    finer, coarser = [left, right, *rest], [left + right, *rest]

    assert (premium_cents(finer, fees) or 0) >= (premium_cents(coarser, fees) or 0)


@given(amounts=st.lists(CENTS, max_size=5), fees=SCHEDULE)
def test_the_fee_is_the_schedules_own(amounts: list[int], fees: StepFee) -> None:
    """The premium is what the schedule charges for the parts less what it charges for the whole."""
    assert (premium_cents(amounts, fees) or 0) == sum(map(fees.fee, amounts)) - fees.fee(sum(amounts))
