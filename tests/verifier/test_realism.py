"""Realism: elasticities by hand, a planted reaction is found where it is and nowhere else, distances of histograms."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.environments.fund_advice.advisors import NoAdvisor
from replay.environments.fund_advice.loop import Task, seats
from replay.environments.fund_advice.mind import Decision, Mind
from replay.environments.fund_advice.population import DEFAULT
from replay.environments.fund_advice.theta import load_theta
from replay.environments.fund_advice.types import BUY, HOLD
from scenarios.errors import ReplayError, ScenarioError
from scenarios.load import SHIPPED
from scenarios.manifest import Targets
from scenarios.rollouts import RolloutConfig
from scenarios.targets import BINS, SliceTarget
from scenarios.theta import ONE
from scenarios.traces import Trace
from tests.replay.fund_advice.markets import a_fund, a_trace, an_investor
from verifier import realism
from verifier.impact.reading import open_rollout
from verifier.realism import (
    Days,
    Figures,
    Said,
    Watch,
    dialogue_quality,
    figures,
    month_ends,
    realism_of,
    relative_errors,
    risk_bins,
    score_behaviour,
    spread,
    target_row,
)
from verifier.rollouts import known_advisors, rollout
from verifier.tasks import Inputs

NO_MONTHS = (0,) * BINS
THIRD = Fraction(1, 3)


def shares(*counts: int) -> tuple[Fraction, ...]:
    """A histogram of these user-months, the other bins empty."""
    return tuple(Fraction(count, sum(counts)) for count in (*counts, *(0,) * (BINS - len(counts))))


def a_target(**members: Any) -> Targets:
    row = {"profile": "balanced", "regime": "full", "users": 9, "risk_index": (3, 1, *(0,) * 8)} | members
    return Targets(id="t", source="test", slices=(SliceTarget.model_validate(row),))


# Elasticities.


@pytest.mark.parametrize(
    ("bought", "calm", "days", "expected"),
    [
        pytest.param(8, 20, Days(25, 5, 5), Fraction(8, 10) - Fraction(20, 40), id="two investors, five shocks of 25"),
        pytest.param(0, 40, Days(25, 5, 5), Fraction(-1), id="only on the other days"),
        pytest.param(10, 0, Days(25, 5, 5), Fraction(1), id="only on shocks"),
        pytest.param(4, 8, Days(25, 5, 5), Fraction(4, 10) - Fraction(8, 40), id="half as often on the others"),
        pytest.param(8, 20, Days(25, 4, 5), None, id="four shocks are too few"),
        pytest.param(8, 20, Days(5, 5, 5), None, id="no other day"),
    ],
)
def test_buy_elasticity_by_hand(bought: int, calm: int, days: Days, expected: Fraction | None) -> None:
    assert figures((*NO_MONTHS, bought * ONE, calm * ONE, 0, 0), 2, days).buy == expected


def test_sales_go_by_days_of_down_shocks() -> None:
    found = figures((*NO_MONTHS, 0, 0, 6 * ONE, 5 * ONE), 1, Days(20, 5, 10))

    assert (found.buy, found.sell) == (Fraction(0), Fraction(6, 10) - Fraction(5, 10))


# A planted reaction (decision d37).


SHOCKS = (5, 11, 17, 23, 29)
"""Sessions on which the index leaps; it does little else, so that these alone are shocks of 100 sessions."""


def leaping_trace() -> Trace:
    """100 sessions, of which the five of SHOCKS leap: the index by more than on all others, by a little more each."""
    level, levels = 10_000_000, [10_000_000]
    for day in range(1, 101):
        level += level // 20 + day * 1_000 if day in SHOCKS else (-1) ** day * 10_000
        levels.append(level)
    return a_trace(a_fund("990001", *["1"] * 101, level=2), levels=levels)


def planted(monkeypatch: pytest.MonkeyPatch, execution: str, late: int) -> Figures:
    """The figures of two investors who buy on every shock, `late` days after it, and on no other day."""
    trace = leaping_trace()
    assert tuple(day for day, one in enumerate(trace.sessions) if one.shock == "up") == SHOCKS
    session = 0

    def decide(self: Mind, view: Any, allow: Any, draw: Any, among: Any = None) -> Decision:
        nonlocal session
        session += 1
        lanes = len(self.lanes)
        action = np.full(lanes, BUY if session - late in SHOCKS else HOLD)
        flat = np.zeros((lanes, 4), dtype=np.int64)
        return Decision(action, flat, flat[:, 0], flat, flat[:, 0])

    monkeypatch.setattr(Mind, "decide", decide)
    within = range(1, 101)
    watch = Watch(trace, within)
    people = (an_investor(), an_investor(id="other"))
    config = RolloutConfig.model_validate({"execution": execution, "flows": False})
    lanes = seats(people, {"en": NoAdvisor(), "zh": NoAdvisor()}, 1, config.languages)
    Task(trace, lanes, load_theta(), config, watch=watch).go()
    return figures(watch.counts(within).sum(axis=0).tolist(), 2, Days.of(trace, within))


@pytest.mark.parametrize("execution", ["next_nav", "same_close"])
def test_a_planted_reaction_has_its_size(monkeypatch: pytest.MonkeyPatch, execution: str) -> None:
    """Who buys on every shock and never else has an elasticity of 1, whatever NAV fills the order."""
    assert planted(monkeypatch, execution, late=0).buy == 1


@pytest.mark.parametrize("execution", ["next_nav", "same_close"])
def test_a_reaction_one_day_late_is_none(monkeypatch: pytest.MonkeyPatch, execution: str) -> None:
    """No purchase on a shock, five on the 95 other days: no reaction, and what the others then lack."""
    assert planted(monkeypatch, execution, late=1).buy == Fraction(0) - Fraction(5, 95)


# RiskIndex.


def holding(worths: Sequence[int], levels: Sequence[int], cash_cents: int) -> Any:
    """An account that holds funds of these levels, each worth so many cents, beside cash."""
    trace = SimpleNamespace(nav_e8=np.full((1, len(levels)), 10**8), level=np.array(levels, dtype=np.int8))
    units = np.array([worths], dtype=np.int64)
    return SimpleNamespace(fund=np.array([range(len(levels))]), units_e2=units, trace=trace, session=0,
                           nav_e10=(units.sum(axis=1) + cash_cents) * 10**8)


@pytest.mark.parametrize(
    ("worths", "levels", "cash", "expected"),
    [
        pytest.param([0], [5], 100, 0, id="all cash"),
        pytest.param([10_000], [5], 0, 9, id="all in R5: the last bin is closed"),
        pytest.param([4_999], [1], 5_001, 0, id="below a half"),
        pytest.param([5_000], [1], 5_000, 1, id="a half is in the second bin"),
        pytest.param([2_500, 5_000], [2, 4], 2_500, 5, id="a quarter of R2 and a half of R4 are 2.5"),
    ],
)
def test_risk_index_by_hand(worths: list[int], levels: list[int], cash: int, expected: int) -> None:
    assert risk_bins(holding(worths, levels, cash)).tolist() == [expected]


def test_a_month_ends_with_its_last_session() -> None:
    trace = a_trace(a_fund("990001", *["1"] * 62))  # base day 2025-01-01, the last session 2025-03-03

    assert [trace.sessions[day].date for day in month_ends(trace.sessions, range(1, 62))] == [
        "2025-01-31", "2025-02-28", "2025-03-03"]
    assert month_ends(trace.sessions, range(1, 30)) == ()


# Distances and scores.


@pytest.mark.parametrize(
    ("real", "simulated", "apart"),
    [
        pytest.param((1, 1), (1, 1), 0, id="the same"),
        pytest.param((2, 2), (1, 1), 0, id="more people of the same shares"),
        pytest.param((1, 1), (1, 3), Fraction(1, 2), id="a quarter of the mass lies elsewhere"),
        pytest.param((1, 0), (0, 1), 2, id="nothing in common"),
    ],
)
def test_distance_of_histograms(real: tuple[int, ...], simulated: tuple[int, ...], apart: Fraction) -> None:
    one, other = Figures(shares(*real), None, None), Figures(shares(*simulated), None, None)

    assert relative_errors(one, other)[0] == apart / (1 + realism.EPSILON)


COUNTS = st.lists(st.integers(0, 50), min_size=BINS, max_size=BINS).filter(any)


@given(one=COUNTS, other=COUNTS)
def test_a_distance_is_symmetric_and_at_most_two(one: list[int], other: list[int]) -> None:
    left, right = (Figures(shares(*counts), None, None) for counts in (one, other))
    apart = relative_errors(left, right)[0]

    assert apart == relative_errors(right, left)[0]
    assert apart is not None
    assert 0 <= apart <= 2


@pytest.mark.parametrize(
    ("real", "scored"),
    [
        pytest.param("0.01", True, id="just large enough"),
        pytest.param("0.009999", False, id="too small to divide by"),
        pytest.param("-0.01", True, id="so is its opposite"),
        pytest.param(None, False, id="unknown"),
    ],
)
def test_a_tiny_elasticity_is_not_scored(real: str | None, scored: bool) -> None:
    target = Figures(None, None if real is None else Fraction(real), None)

    assert (relative_errors(target, Figures(None, Fraction(1, 50), None))[1] is not None) == scored


def test_a_score_by_hand() -> None:
    """RiskIndex 1/2 off of 1, buy a fifth off, sell twice as large as it should be."""
    targets = a_target(buy_elasticity="0.1", sell_elasticity="0.2")
    found = score_behaviour(targets, {("balanced", "full"): Figures(shares(1, 1), Fraction(8, 100), Fraction(4, 10))},
                            {("balanced", "full"): Fraction(1)})

    eps = realism.EPSILON
    scores = (1 - Fraction(1, 2) / (1 + eps), 1 - Fraction(2, 100) / (Fraction(1, 10) + eps),
              1 - Fraction(2, 10) / (Fraction(2, 10) + eps))
    assert found.slices[0].scores == scores
    assert found.score == Fraction(4, 10) * scores[0] + Fraction(3, 10) * scores[1] + Fraction(3, 10) * scores[2]


def test_the_weight_of_what_is_missing_is_spread() -> None:
    found = score_behaviour(a_target(buy_elasticity="0.1"), {
        ("balanced", "full"): Figures(shares(3, 1), Fraction(0), Fraction(1))}, {("balanced", "full"): Fraction(1, 5)})

    assert found.slices[0].scores[2] is None
    assert found.score == spread([(Fraction(4, 10), Fraction(1)), (Fraction(3, 10), found.slices[0].scores[1])])


def test_slices_weigh_as_they_are_told() -> None:
    rows = (target_row(("balanced", "bear"), (1, *(0,) * 9, 0, 0, 0, 0), 1, Days(10, 0, 0)),
            target_row(("balanced", "bull"), (1, *(0,) * 9, 0, 0, 0, 0), 1, Days(30, 0, 0)))
    targets = Targets(id="t", source="test", slices=rows)
    found = score_behaviour(
        targets, {("balanced", "bear"): Figures(shares(1), None, None),
                  ("balanced", "bull"): Figures(shares(0, 1), None, None)},
        {("balanced", "bear"): Fraction(1, 4), ("balanced", "bull"): Fraction(3, 4)})

    assert found.score == Fraction(1, 4)
    assert found.parts == (Fraction(1, 4), None, None)


def test_a_strict_threshold_halves_the_room() -> None:
    cell = {("balanced", "full"): Figures(shares(5, 3), None, None)}  # 1/8 of the mass elsewhere, 1/4 apart
    strict = a_target().model_copy(update={"taus": (Fraction(1, 2),) * 3})
    loose, tight = (score_behaviour(one, cell, {("balanced", "full"): Fraction(1)}).score for one in
                    (a_target(), strict))

    assert (loose, tight) == (1 - Fraction(1, 4) / (1 + realism.EPSILON), 1 - Fraction(1, 2) / (1 + realism.EPSILON))


# Words.


def test_dialogue_is_averaged_over_people_then_profiles() -> None:
    said = [Said("a", "balanced", 2, 2), Said("a", "balanced", 0, 0), Said("b", "balanced", 2, 2),
            Said("c", "aggressive", 1, 2)]

    assert dialogue_quality(said, {"balanced": Fraction(2, 3), "aggressive": THIRD, "conservative": Fraction(0)}) == (
        Fraction(2, 3) * Fraction(3, 4) + THIRD * Fraction(3, 4))
    assert dialogue_quality([], {}) is None


# Finished rollouts.


THREE = ("conservative-low-small", "balanced-medium-mid", "aggressive-high-large")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("realism") / "made"
    rollout(Inputs(SHIPPED / "traces" / "small-1", SHIPPED / "configs" / "theta-2.json", DEFAULT,
                   SHIPPED / "contracts" / "conduct-1.json", RolloutConfig(investors=THREE, end="2021-05-31"),
                   known_advisors(("no-advisor", "baseline-rule"))), folder)
    return folder


def cohort() -> Targets:
    return Targets(id="t", source="test", slices=tuple(
        SliceTarget(profile=profile, regime="full", users=1, risk_index=(1,) * BINS)
        for profile in ("conservative", "balanced", "aggressive")))


def test_a_finished_rollout_is_made_anew(made: Path) -> None:
    found = realism_of(open_rollout(made), "baseline-rule", cohort())

    months = [sum(row.simulated.risk_index or ()) for row in found.behaviour.slices]
    assert months == [1, 1, 1]
    assert found.behaviour.score is not None
    assert found.dialogue is not None
    assert found.dialogues > 0
    assert found.score == (found.behaviour.score + found.dialogue) / 2


def test_a_gated_rollout_is_made_anew_too(tmp_path: Path) -> None:
    """The contract that it was gated by ships, so that the folder names it alone."""
    rollout(Inputs(SHIPPED / "traces" / "small-1", SHIPPED / "configs" / "theta-2.json", DEFAULT,
                   SHIPPED / "contracts" / "conduct-1.json",
                   RolloutConfig(investors=THREE, end="2021-04-30", gate=True),
                   known_advisors(("no-advisor", "redline"))), tmp_path / "gated")

    assert realism_of(open_rollout(tmp_path / "gated"), "redline", cohort()).behaviour.score is not None


def test_nobody_spoke_without_an_advisor(made: Path) -> None:
    found = realism_of(open_rollout(made), "no-advisor", cohort())

    assert (found.dialogue, found.dialogues, found.score) == (None, 0, None)


def test_a_run_that_comes_out_otherwise_is_refused(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = load_theta().model_copy(update={"choice": "argmax"})
    monkeypatch.setattr(realism, "load_theta", lambda path: other)

    with pytest.raises(ReplayError, match="does not come out as it was logged"):
        realism_of(open_rollout(made), "baseline-rule", cohort())


@pytest.mark.parametrize(
    ("advisor", "regime", "match"),
    [("nobody", "full", "holds no advisor nobody"), ("baseline-rule", "boom", "have the regime 'boom'")],
)
def test_what_is_not_there_is_refused(made: Path, advisor: str, regime: str, match: str) -> None:
    targets = cohort()
    rows = tuple(row.model_copy(update={"regime": regime}) for row in targets.slices)

    with pytest.raises(ScenarioError, match=match):
        realism_of(open_rollout(made), advisor, targets.model_copy(update={"slices": rows}))
