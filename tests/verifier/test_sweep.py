"""The cash sweep: what the planner, the naive split and one order pay, beside the deployment bound."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scenarios.action import Action
from scenarios.baseline.deployment import position_cap, share_of
from scenarios.baseline.planner import funded
from scenarios.costs import split_and_whole_fee
from tests.verifier.contracts import a_judge
from verifier.sweep import Step, defect_region, premium_bands, run_sweep, sweep_rows, sweep_scenario


@pytest.fixture(scope="module")
def steps() -> tuple[Step, ...]:
    """Return every step in whole dollars, with the program's answers."""
    return run_sweep()


def test_the_grid_and_the_points_of_the_program(steps: tuple[Step, ...]) -> None:
    """Every dollar is there; the program was asked at the edges, a dollar beside them, and every fifty dollars."""
    asked = {step.cash // 100 for step in steps if step.mip is not None}
    assert [step.cash for step in steps] == [dollars * 100 for dollars in range(250, 5_001)]
    assert asked >= {edge + offset for edge in (625, 1_000, 1_667, 2_000, 2_501, 3_000, 3_334, 4_000)
                     for offset in (-1, 0, 1)} | set(range(250, 5_001, 50))
    assert all(step.mip == step.bound for step in steps if step.mip is not None)


def test_planner_has_no_gap_and_no_premium(steps: tuple[Step, ...]) -> None:
    """It deploys what the bound says and pays what one order pays, at every step."""
    assert all(step.planner_deployed == step.bound == step.cash for step in steps)
    assert all(step.planner_fee == step.single_fee for step in steps)


def test_naive_split_pays_one_tranche_more_in_four_bands(steps: tuple[Step, ...]) -> None:
    """Exactly 2.50 more inside the bands and nothing outside."""
    assert premium_bands(steps) == ((25_000, 100_000), (166_700, 200_000), (250_100, 300_000), (333_400, 400_000))
    assert {step.naive_fee - step.single_fee for step in steps} == {0, 250}
    assert sum(step.naive_fee > step.single_fee for step in steps) == 2_252
    assert defect_region(steps) == ((62_500, 100_000),)


def test_rows_state_no_difference(steps: tuple[Step, ...]) -> None:
    """Every published figure is met, and a figure without one says why."""
    rows = sweep_rows(steps)
    assert {row.difference for row in rows if row.published is not None} == {"none"}
    assert all(row.reason for row in rows if row.published is None)


def test_rows_would_show_a_difference(steps: tuple[Step, ...]) -> None:
    """The figures come out of the steps: one planner order that deploys a dollar less is seen."""
    spoilt = [steps[0]._replace(planner_deployed=24_900), *steps[1:]]
    assert [row.ours for row in sweep_rows(spoilt) if row.difference not in (None, "none")] == ["$1"]


def test_no_limit_interferes() -> None:
    """The first name has more than 5,000 dollars of headroom, and the planner's orders violate nothing."""
    scenario = sweep_scenario(500_000)
    assert share_of(scenario.held_total, position_cap(scenario)) > 500_000
    bound = a_judge("COST01", "COST02", "LIM01", "LIM02", "LIM03", "LIM04", "UNIV01", "UNIV02").bind(scenario)
    assert bound.decide(Action(funded(scenario)))[0] == "ADMISSIBLE"


@given(cash=st.integers(0, 1_000_000))
@example(cash=100_001)
@example(cash=166_669)
def test_planner_never_pays_more_than_one_order(cash: int) -> None:
    """On the cent grid too."""
    scenario = sweep_scenario(cash)
    paid, whole = split_and_whole_fee(scenario, Action(funded(scenario)), "buy")
    assert paid <= whole <= scenario.fee(cash)
