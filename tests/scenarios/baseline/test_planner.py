"""Into how many orders the planner puts the cash, and how much into each."""

from fractions import Fraction
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenarios.baseline.planner import SPLITS, cut, funded, is_below_floor, is_fee_neutral, plan
from scenarios.baseline.reference import reference
from scenarios.errors import ScenarioError
from scenarios.fees import FeeSchedule, ProportionalFee, StepFee
from scenarios.types import Policy, Scenario, SubScores
from tests.builders import PAPER_FEES, a_scenario, an_instrument

RANKING = ("CCC", "AAA", "BBB")
TAU = Fraction("0.01")


def case(cash: int, cap: int | None = 2, fees: FeeSchedule = PAPER_FEES, tolerance: Fraction | None = TAU) -> Scenario:
    """Return a scenario with cash in cents."""
    return a_scenario(cash=cash, fees=fees, recommendation_cap=cap, fee_tolerance=tolerance)


def amounts(cash: int, cap: int | None = 2, fees: FeeSchedule = PAPER_FEES, widest: int = 3) -> list[int]:
    """Return the planner's order sizes in cents."""
    return [int(order.amount or 0) for order in plan(case(cash, cap, fees), RANKING, widest)]


@pytest.mark.parametrize(
    ("dollars", "orders"),
    [
        (249, 0), (250, 1), (624, 1), (625, 1), (1000, 1), (1001, 2), (1666, 2), (1667, 1), (2000, 1), (2001, 2),
        (2500, 2), (2501, 1), (3000, 1), (3001, 2), (3333, 2), (3334, 1), (4000, 1), (4001, 2), (5000, 2),
    ],
)
def test_the_papers_bands(dollars: int, orders: int) -> None:
    """With two names allowed, the cash is split 60/40 exactly outside the published defect bands."""
    assert len(amounts(100 * dollars)) == orders


@pytest.mark.parametrize(
    ("cash", "cap", "expected"),
    [
        pytest.param(24_999, 1, [], id="a cent below the floor"),
        pytest.param(25_000, 1, [25_000], id="exactly the floor"),
        pytest.param(300_100, 1, [300_100], id="one name allowed"),
        pytest.param(300_100, 2, [180_060, 120_040], id="two"),
        pytest.param(300_100, 3, [150_050, 90_030, 60_020], id="three"),
        pytest.param(300_100, None, [150_050, 90_030, 60_020], id="no cap"),
        pytest.param(300_100, 9, [150_050, 90_030, 60_020], id="never more than three"),
        pytest.param(200_100, 3, [120_060, 80_040], id="three would pay more, two would not"),
        pytest.param(300_100, 0, [], id="none allowed"),
        pytest.param(100_001, 2, [60_001, 40_000], id="the odd cent goes to the first"),
    ],
)
def test_widest_neutral_split(cash: int, cap: int | None, expected: list[int]) -> None:
    """The planner takes the widest split that costs nothing."""
    assert amounts(cash, cap) == expected


@pytest.mark.parametrize(
    ("cash", "orders"),
    [
        pytest.param(500_000, 2, id="the small leg is 2,000.00"),
        pytest.param(499_900, 1, id="the small leg is 1,999.60"),
    ],
)
def test_a_neutral_split_still_needs_every_leg_at_the_floor(cash: int, orders: int) -> None:
    """At a tolerance of 0.125 % the floor is 2.50 / 0.00125 = 2,000.00, and both splits are fee-neutral."""
    assert len(plan(case(cash, tolerance=Fraction("0.00125")), RANKING)) == orders


def test_a_schedule_without_a_floor_is_never_economic() -> None:
    """A proportional fee is tolerable at any size or at none."""
    assert amounts(25_000, 2, ProportionalFee(rate=TAU)) == [15_000, 10_000]
    assert amounts(25_000, 2, ProportionalFee(rate=Fraction("0.0101"))) == []


def test_without_a_tolerance_any_order_of_something_will_do() -> None:
    """A scenario that declares no tolerance has no floor, but an order of nothing is no order."""
    assert [order.amount for order in plan(case(1, tolerance=None), RANKING)] == [1]
    assert plan(case(0, tolerance=None), RANKING) == ()


def test_the_ranking_gives_the_names_in_order() -> None:
    """The largest leg goes to the first name, and a short ranking narrows the split."""
    orders = plan(case(300_100, 3), RANKING)

    assert [order.instrument for order in orders] == ["CCC", "AAA", "BBB"]
    assert len(plan(case(300_100, 3), RANKING[:2])) == 2
    assert plan(case(300_100, 3), ()) == ()
    assert amounts(300_100, 3, widest=1) == [300_100]


FEES = st.one_of(
    st.builds(StepFee, tranche_cents=st.integers(1, 200_000), fee_cents_per_tranche=st.integers(0, 2_000)),
    st.builds(ProportionalFee, rate=st.integers(0, 300).map(lambda bps: Fraction(bps, 10_000)),
              minimum_cents=st.integers(0, 500)),
)


@given(cash=st.integers(0, 10**6), cap=st.integers(0, 4), fees=FEES)
def test_never_pays_more_never_leaves_a_rest_and_is_widest(cash: int, cap: int, fees: FeeSchedule) -> None:
    """All cash or none; no more fees than one order; no leg below the floor; no wider split would do."""
    scenario = case(cash, cap, fees)
    orders = plan(scenario, RANKING)
    sizes = [order.amount or 0 for order in orders]

    assert sum(sizes) in ((cash,) if orders else (0,))
    assert sum(map(fees.fee, sizes)) <= fees.fee(sum(sizes))
    assert not any(is_below_floor(scenario, order) for order in orders)
    for split in SPLITS:
        if len(orders) < len(split) <= min(cap, 3):
            wider = [order._replace(amount=leg) for order, leg in
                     zip(plan(case(10**9, 3, StepFee(1, 0)), RANKING), cut(cash, split), strict=False)]
            assert not is_fee_neutral(scenario, wider) or any(is_below_floor(scenario, leg) for leg in wider)


@given(total=st.integers(0, 10**9), split=st.sampled_from(SPLITS))
def test_a_cut_adds_up(total: int, split: tuple[int, ...]) -> None:
    """Later legs are the floor of their percentage; the first takes what is left, so nothing is lost."""
    legs = cut(total, split)

    assert sum(legs) == total
    assert legs[1:] == tuple(total * percentage // 100 for percentage in split[1:])


def scored_case(ranking: Literal["fit", "score"] | None = "fit") -> Scenario:
    """Return a scenario whose best-scored name stands in a theme of 15 %."""
    def scores(value: int) -> SubScores:
        return SubScores(moat=Fraction(value), compounding=Fraction(value), valuation=Fraction(value))

    listed = [an_instrument("BEST", theme="grain", scores=scores(90)), an_instrument("NEXT", scores=scores(80)),
              an_instrument("OLD", theme="grain"), an_instrument("REST")]
    policy = Policy(id="p", version="1", ranking=ranking) if ranking else None
    return a_scenario(
        cash=90_000, instruments=listed, universe=("BEST", "NEXT"), held={"OLD": 1_500, "REST": 8_500},
        theme_cap=Fraction("0.2"), recommendation_cap=2, fee_tolerance=TAU, policy=policy,
    )


def test_the_policy_names_the_ranking() -> None:
    """By fit the crowded name is passed over, by score it is funded."""
    assert [order.instrument for order in funded(scored_case("fit"))] == ["NEXT"]
    assert [order.instrument for order in funded(scored_case("score"))] == ["BEST"]


def test_reference_is_what_is_funded_and_how_each_name_fits() -> None:
    """The stored record holds exact numbers and nothing that the scenario does not imply."""
    assert reference(scored_case()) == {
        "scenario": "test-1",
        "policy": {"id": "p", "version": "1"},
        "orders": [{"instrument": "NEXT", "amount_cents": 90_000}],
        "fit": [
            {"instrument": "NEXT", "score": "80", "role": "diversifier", "before": 0, "projected": "1/10",
             "eligible": True},
            {"instrument": "BEST", "score": "90", "role": "concentration watch", "before": "3/20",
             "projected": "47/200", "eligible": True},
        ],
    }


def test_without_a_policy_there_is_no_yardstick() -> None:
    """Nothing is funded by default."""
    assert reference(scored_case(None)) == {"scenario": "test-1"}
    with pytest.raises(ScenarioError, match="#/policy"):
        funded(scored_case(None))
