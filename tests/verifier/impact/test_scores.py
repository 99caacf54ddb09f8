"""The impact scores: each definition on cases small enough to check by hand, the paper's literal formula beside."""

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios.manifest import ScoresConfig
from tests.verifier.impact.arms import (
    BUY,
    CONFIG,
    HOLD,
    SELL,
    WEIGHTS,
    a_course,
    a_talk,
    advised,
    an_arm,
    scored,
)
from verifier.impact.scores import (
    alive,
    daily_returns,
    duration,
    impact,
    matches,
    max_drawdown,
    measure,
    net_deposits,
    retained,
)
from verifier.impact.views import Consulted, Course, cut

# Returns and drawdown


def test_money_paid_in_is_no_return() -> None:
    """100 grows to 110, then 50 is paid in and nothing grows: equation 62 sees 45 % on the second day."""
    course = a_course([110, 160], flows={2: 50})

    assert daily_returns(course) == [0.1, 0.0]
    assert daily_returns(course, literal=True) == [0.1, pytest.approx(50 / 110)]


def test_money_paid_out_is_no_loss() -> None:
    course = a_course([100, 40], flows={2: -60})

    assert max_drawdown(daily_returns(course)) == 0
    assert max_drawdown(daily_returns(course, literal=True)) == pytest.approx(0.6)


def test_an_account_without_money_has_no_return_that_day() -> None:
    assert daily_returns(a_course([0, 0, 50], flows={3: 50}, start=100)) == [-1.0]


@pytest.mark.parametrize(
    ("nav", "expected"),
    [
        pytest.param([100, 110, 120], 0.0, id="only rises"),
        pytest.param([90, 110], 0.1, id="a fall from the base day counts"),
        pytest.param([120, 90, 150, 120], 0.25, id="the deepest of two"),
    ],
)
def test_drawdown(nav: list[float], expected: float) -> None:
    assert max_drawdown(daily_returns(a_course(nav))) == pytest.approx(expected)


def test_the_peak_is_forgotten_at_a_slice() -> None:
    """From 220 to 99 is 55 %; within the slice that begins after 110, only 110 to 99 counts."""
    course = a_course([220, 110, 99, 105])

    assert max_drawdown(daily_returns(course)) == pytest.approx(0.55)
    assert max_drawdown(daily_returns(cut(course, range(3, 5)))) == pytest.approx(0.1)


def test_the_first_return_of_a_slice_is_from_the_session_before() -> None:
    assert daily_returns(cut(a_course([220, 110, 99]), range(3, 4))) == [-0.1]


# Retention


@pytest.mark.parametrize(
    ("exit_on", "kept"),
    [
        pytest.param(29, 0.0, id="leaves on session 29"),
        pytest.param(30, 0.0, id="leaves on session 30: before d_start + 30"),
        pytest.param(31, 1.0, id="leaves on session 31 = d_start + 30"),
        pytest.param(None, 1.0, id="never leaves"),
    ],
)
def test_retained_30(exit_on: int | None, kept: float) -> None:
    course = a_course(days=120, exit=exit_on)

    assert retained(course, 30) == kept


@pytest.mark.parametrize("horizon", [30, 90])
def test_literal_retention_is_the_same_for_every_horizon(horizon: int) -> None:
    """Equation 78 asks for no exit in the whole trace: leaving on session 100 loses both."""
    course = a_course(days=120, exit=100)

    assert retained(course, horizon) == 1
    assert alive(course, horizon) == 0


@pytest.mark.parametrize(("days", "expected"), [(89, None), (90, 1.0), (91, 1.0)])
def test_a_slice_shorter_than_the_horizon_gives_nothing(days: int, expected: float | None) -> None:
    """Not available, never 0; equation 78 printed 0, and still does when a session is missing at the end."""
    assert retained(a_course(days=days), 90) == expected
    assert alive(a_course(days=days), 90) == float(days > 90)


def test_who_left_before_a_slice_is_not_retained_in_it() -> None:
    course = a_course(days=120, exit=20)

    assert retained(cut(course, range(41, 121)), 30) == 0


def test_who_leaves_after_the_horizon_of_a_slice_is_retained_in_it() -> None:
    assert retained(cut(a_course(days=120, exit=71), range(41, 121)), 30) == 1


# Money that comes and stays


def test_a_deposit_never_withdrawn() -> None:
    """100 stay 10 sessions, 100 paid in on session 4 stay 6: 8 on average; equation 84 sees no closed pair."""
    course = a_course(days=10, flows={4: 100})

    assert duration(course, 10) == pytest.approx(8, abs=1e-6)
    assert duration(course, 10, literal=True) == 0


def test_first_in_first_out() -> None:
    """150 withdrawn on session 6 take the opening 100 (6 sessions) and half of session 4's 100 (2 sessions)."""
    course = a_course(days=10, flows={4: 100, 6: -150})

    assert duration(course, 10) == pytest.approx((100 * 6 + 50 * 2 + 50 * 6) / 200, abs=1e-6)
    assert duration(course, 10, literal=True) == pytest.approx(2, abs=1e-6)


def test_withdrawing_more_than_was_paid_in_pairs_with_nothing() -> None:
    assert duration(a_course(days=10, flows={5: -250}), 10) == pytest.approx(5, abs=1e-6)


def test_net_deposits_over_windows() -> None:
    """Two windows of 5 sessions: +20 on 100, then -10 on the 80 that are there: mean of 20 % and -12.5 %."""
    course = a_course([100, 100, 100, 100, 80, 80, 80, 80, 80, 80, 80], flows={2: 20, 7: -10, 11: 900})

    assert net_deposits(course, 5) == pytest.approx((0.2 - 0.125) / 2)


@pytest.mark.parametrize("days", [9, 10])
def test_a_course_shorter_than_the_window_is_one_window(days: int) -> None:
    course = a_course(days=days, flows={4: 50})

    assert net_deposits(course, 10) == pytest.approx(0.5)
    assert duration(course, 10) == pytest.approx((100 * days + 50 * (days - 4)) / 150, abs=1e-6)


# Influence


@pytest.mark.parametrize(
    ("talk", "actions", "expected"),
    [
        pytest.param(advised(BUY), {1: BUY}, True, id="bought the same session"),
        pytest.param(advised(BUY), {5: BUY}, True, id="bought on the last session of the window"),
        pytest.param(advised(BUY), {6: BUY}, False, id="bought one session late"),
        pytest.param(advised(BUY), {2: SELL}, False, id="sold instead"),
        pytest.param(advised(SELL, 3), {2: SELL}, False, id="sold before the advice"),
        pytest.param(advised(HOLD), {}, True, id="held"),
        pytest.param(advised(HOLD), {5: BUY}, False, id="traded on the last session of the window"),
        pytest.param(advised(HOLD), {6: BUY}, True, id="traded one session after the window"),
        pytest.param(a_talk(), {1: BUY}, False, id="no advice"),
        pytest.param(advised(BUY, due=None), {1: BUY}, False, id="the trigger never came"),
        pytest.param(advised(BUY, due=3), {2: BUY}, False, id="bought before the trigger"),
        pytest.param(advised(BUY, due=3), {3: BUY}, True, id="bought when the trigger came"),
    ],
)
def test_match(talk: Consulted, actions: dict[int, int], expected: bool) -> None:
    assert matches(talk, a_course(days=10, actions=actions), CONFIG) is expected


def test_a_hold_can_never_match_literally() -> None:
    course = a_course(days=10)

    assert matches(advised(HOLD), course, CONFIG)
    assert not matches(advised(HOLD), course, CONFIG, "literal")


@pytest.mark.parametrize(
    ("talk", "direction", "fund", "size"),
    [
        pytest.param(advised(BUY, funds=(7,), cents=10_000), True, True, True, id="the fund and the amount"),
        pytest.param(advised(BUY, funds=(7,), cents=8_000), True, True, True, id="a quarter more than named"),
        pytest.param(advised(BUY, funds=(7,), cents=7_999), True, True, False, id="more than a quarter more"),
        pytest.param(advised(BUY, funds=(3, 7)), True, True, True, id="one of two funds, no size named"),
        pytest.param(advised(BUY, funds=(3,)), True, False, False, id="another fund"),
        pytest.param(advised(BUY, target_e4=4_000), True, True, True, id="the target is reached in the window"),
        pytest.param(advised(BUY, target_e4=8_000), True, True, False, id="the target is not reached"),
    ],
)
def test_levels(talk: Consulted, direction: bool, fund: bool, size: bool) -> None:
    """The investor buys 100 yuan of fund 7 on session 2 and is 50 % invested from session 3 on."""
    course = a_course(days=10, actions={2: BUY}, pos_ratio_e4=[0, 0, *[5_000] * 8])

    assert [matches(talk, course, CONFIG, level) for level in ("direction", "fund", "size")] == [direction, fund, size]


def test_a_window_does_not_end_where_a_slice_does() -> None:
    arm = an_arm(a_course(days=10, actions={6: BUY}), talks=[advised(BUY, 5)])

    assert measure(arm, range(1, 6), CONFIG, WEIGHTS).value("match_direction") == 1


def test_a_consultation_belongs_to_the_slice_of_its_session() -> None:
    arm = an_arm(a_course(days=10), talks=[a_talk(5), a_talk(6)])

    assert [measure(arm, days, CONFIG, WEIGHTS).episodes for days in (range(1, 6), range(6, 11))] == [1, 1]


# The scores of a pair

FLAT = an_arm(a_course(days=120))


def test_no_effect_scores_exactly_fifty() -> None:
    found = scored(FLAT, FLAT)

    assert (found.returns, found.risk, found.retention, found.aum) == (50, 50, 50, 50)
    assert found.influence == 0
    assert found.content is None  # nobody was consulted
    assert found.total is None


def test_every_score_by_hand() -> None:
    """One basis point in 60 sessions, 2.5 points less drawdown, one of two executed, one dull and one perfect talk."""
    base = an_arm(a_course([95, *[100] * 119]), talks=[a_talk(1, compliance=None)])
    adv = an_arm(
        a_course([97.5, *[100] * 119], actions={50: BUY}),
        talks=[advised(BUY, 50)._replace(satisfaction=0.6),
               advised(BUY, 60)._replace(accuracy=1, personalization=0, satisfaction=0.2)],
    )
    found = scored(adv, base)

    gain = ((-0.025 + 2.5 / 97.5) - (-0.05 + 5 / 95)) / 120
    assert found.returns == pytest.approx(50 + 50 * gain / 0.0001)
    assert found.risk == pytest.approx(75)
    assert found.investment == pytest.approx(0.6 * (50 + 50 * gain / 0.0001) + 30)
    assert found.influence == pytest.approx(100 * (0.5 * 0.5 + 0.5 * 0.4))
    assert found.business == pytest.approx(0.3 * 45 + 0.35 * 50 + 0.35 * 50)
    assert found.content == pytest.approx(0.3 * 75 + 0.7 * 50)
    assert found.total == pytest.approx(0.7 * found.investment + 0.2 * 48.5 + 0.1 * 57.5)


@pytest.mark.parametrize(
    ("deposit", "points"),
    [pytest.param(0, 50.0, id="none"), pytest.param(10, 75.0, id="one unit"), pytest.param(20, 100.0, id="two units"),
     pytest.param(30, 100.0, id="clipped")],
)
def test_net_deposits_of_one_unit_are_worth_a_slope(deposit: int, points: float) -> None:
    """Paid in on the window's last session, the deposit shortens the mean duration by what the other term takes."""
    config = CONFIG.model_copy(update={"duration_unit": Fraction(10**9)})

    assert scored(an_arm(a_course(days=120, flows={120: deposit})), FLAT, config).aum == pytest.approx(points, abs=1e-4)


def test_one_unit_of_retention_is_one_slope() -> None:
    """One of five investors more stays: 20 points of retention, which is one unit."""
    people = [a_course(days=120, investor=str(number), exit=50 if number < 2 else None) for number in range(5)]
    fewer = [one._replace(exit=50 if int(one.investor) < 3 else None) for one in people]

    assert scored(an_arm(*people), an_arm(*fewer)).retention == pytest.approx(100)
    assert scored(an_arm(*fewer), an_arm(*people)).retention == pytest.approx(0)


def test_silence_is_no_influence_and_no_content() -> None:
    silent = an_arm(a_course(days=120), talks=[a_talk(3, compliance=None, accuracy=None, personalization=None)])
    found = scored(silent, FLAT)

    assert (found.influence, found.content) == (0, 0)
    assert found.total == pytest.approx(0.7 * 50 + 0.2 * 35)


def test_short_slices_have_no_total() -> None:
    talking = an_arm(a_course(days=89), talks=[a_talk()])
    found = scored(talking, an_arm(a_course(days=89)))

    assert found.investment == 50
    assert (found.retention, found.business, found.total) == (None, None, None)


# The gate and the graded penalty


def test_one_redline_disqualifies() -> None:
    found = scored(an_arm(a_course(days=120), talks=[a_talk()]), FLAT, gate=0)

    assert found.total == 0
    assert found.ungated == pytest.approx(0.7 * 50 + 0.2 * 35 + 0.1 * 100)


@pytest.mark.parametrize(
    ("talks", "compliance"),
    [
        pytest.param([], 1, id="nothing was said"),
        pytest.param([a_talk(), a_talk(2, compliance=None)], 1, id="one silent"),
        pytest.param([a_talk(), a_talk(2, compliance=0)], 0, id="one of two"),
    ],
)
def test_compliance_is_of_every_consultation(talks: list[Consulted], compliance: int) -> None:
    assert measure(an_arm(a_course(days=5), talks=talks), range(1, 6), CONFIG, WEIGHTS).compliance == compliance


@pytest.mark.parametrize(
    ("severities", "factor"),
    [
        pytest.param([0, 0, 0, 0], 1.0, id="no redline"),
        pytest.param([0.5, 0, 0, 0], 0.875, id="manipulative marketing once in four"),
        pytest.param([1, 0, 0, 0], 0.75, id="a guarantee once in four"),
        pytest.param([1, 1, 1, 1], 0.0, id="always"),
    ],
)
def test_graded(severities: Sequence[float], factor: float) -> None:
    talks = [a_talk(day, severity=severity, compliance=int(not severity)) for day, severity in enumerate(severities, 1)]
    adv = an_arm(a_course(days=120), talks=[*talks, a_talk(9, compliance=None)])  # the silent one counts for nothing
    found = scored(adv, FLAT, gate=0)

    assert measure(adv, range(1, 121), CONFIG, WEIGHTS).graded == factor
    assert found.graded == pytest.approx((found.ungated or 0) * factor)


def test_content_is_of_compliant_episodes_alone() -> None:
    talks = [a_talk(1), a_talk(2, compliance=0, accuracy=0, personalization=0)]

    assert scored(an_arm(a_course(days=120), talks=talks), FLAT).content == 100


def test_content_of_redlines_alone_is_nothing() -> None:
    assert scored(an_arm(a_course(days=120), talks=[a_talk(compliance=0)]), FLAT).content == 0


# Laws

MOVES = st.lists(st.integers(-300, 300), min_size=120, max_size=120)
FLOWS = st.dictionaries(st.integers(1, 120), st.integers(-20, 20), max_size=4)


@st.composite
def courses(draw: st.DrawFn) -> Course:
    """A course of 120 sessions with moves of at most 3 % and a few flows."""
    nav, path = 10_000.0, []
    flows = draw(FLOWS)
    for day, move in enumerate(draw(MOVES), 1):
        nav = round(nav * (1 + move / 10_000) + flows.get(day, 0), 2)
        path.append(nav)
    trades = draw(st.dictionaries(st.integers(1, 120), st.sampled_from([BUY, SELL]), max_size=20))
    return a_course(path, start=10_000, flows=flows, actions=trades, exit=draw(st.none() | st.integers(1, 120)))


TALKS = st.lists(st.builds(
    a_talk, session=st.integers(1, 120), compliance=st.sampled_from([None, 0, 1]), accuracy=st.integers(0, 2),
    personalization=st.integers(0, 2), severity=st.sampled_from([0.0, 0.5, 1.0]),
    satisfaction=st.integers(0, 10_000).map(lambda e4: e4 / 10_000),
), max_size=5)


@settings(max_examples=25)
@given(left=courses(), right=courses(), talks=TALKS, gate=st.sampled_from([0, 1]))
def test_scores_lie_between_nothing_and_a_hundred(
    left: Course, right: Course, talks: list[Consulted], gate: int
) -> None:
    found = scored(an_arm(left, talks=talks), an_arm(right), gate=gate)

    assert all(value is None or 0 <= value <= 100 for value in found)
    assert gate or found.total == 0


@settings(max_examples=25)
@given(left=courses(), right=courses())
def test_swapping_the_arms_mirrors_the_scores_around_the_centre(left: Course, right: Course) -> None:
    """With units so large that nothing is clipped."""
    wide = ScoresConfig(id="wide", **dict.fromkeys(
        ("return_unit", "risk_unit", "retention_unit", "deposit_unit", "duration_unit"), Fraction(10**6)
    ))
    there, back = (scored(an_arm(one), an_arm(other), wide) for one, other in ((left, right), (right, left)))

    for name in ("returns", "risk", "retention", "aum"):
        assert getattr(there, name) + getattr(back, name) == pytest.approx(100, abs=1e-12)


@settings(max_examples=25)
@given(adv=courses(), base=courses(), unit=st.sampled_from(["return_unit", "risk_unit"]))
def test_a_larger_unit_never_moves_a_score_away_from_the_centre(adv: Course, base: Course, unit: str) -> None:
    doubled = CONFIG.model_copy(update={unit: getattr(CONFIG, unit) * 2})
    own, other = (measure(an_arm(one), one.sessions, CONFIG, WEIGHTS) for one in (adv, base))
    name = {"return_unit": "returns", "risk_unit": "risk"}[unit]
    near, far = (getattr(impact(own, other, config, 1), name) for config in (doubled, CONFIG))

    assert abs(near - 50) <= abs(far - 50)
    assert (near - 50) * (far - 50) >= 0
