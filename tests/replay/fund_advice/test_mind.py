"""The whole mind on the shipped trace: every component and every state variable changes what is executed."""

from functools import cache

import numpy as np
import pytest

from replay.environments.fund_advice.mind import RATIONALES, Mind
from replay.environments.fund_advice.population import investors, load_population
from replay.environments.fund_advice.theta import adjust, shipped_theta
from replay.environments.fund_advice.types import BUY, CONSULT, HOLD, SELL, Feedback, Observation
from replay.environments.fund_advice.updates import VARIABLES
from scenarios.theta import ONE, SWITCHES, Switch
from tests.replay.fund_advice.driver import CAUTIOUS, EAGER, SEED, Rollout, roll, small_trace

THETA = shipped_theta()
PEOPLE = investors(load_population(), SEED, 1)
EVERYBODY = np.ones(len(PEOPLE), dtype=bool)


@pytest.fixture(scope="module")
def advised() -> Rollout:
    return roll(THETA, CAUTIOUS)


@pytest.fixture(scope="module")
def eager() -> Rollout:
    return roll(THETA, EAGER)


@pytest.fixture(scope="module")
def alone() -> Rollout:
    return roll(THETA)


@pytest.mark.parametrize("switch", SWITCHES)
def test_each_component_changes_an_executed_action(switch: Switch, advised: Rollout) -> None:
    assert (roll(adjust(THETA, off=(switch,)), CAUTIOUS).actions != advised.actions).any()


@pytest.mark.parametrize("name", [one.name for one in VARIABLES])
def test_each_state_variable_changes_an_executed_action(name: str) -> None:
    """Held at its start, with everything else alive, it gives another trajectory in one of three runs."""
    start = {key: value.copy() for key, value in Mind(THETA, PEOPLE).state().items()}

    def hold(mind: Mind) -> None:
        mind.state()[name][:] = start[name]

    assert any((roll(THETA, EAGER, run=run, meddle=hold).actions != actions_of(run)).any() for run in (1, 2, 3))


@cache
def actions_of(run: int) -> "np.ndarray":
    return roll(THETA, EAGER, run=run).actions


@pytest.mark.parametrize(("switch", "count"), [("text_grounding", 4), ("reflection", 3)])
def test_what_a_component_takes_with_it(switch: Switch, count: int) -> None:
    """Variables that docs/mind.md calls ablated by it never leave their start."""
    names = [one.name for one in VARIABLES if one.ablated_by == switch]
    start, end = Mind(THETA, PEOPLE).state(), roll(adjust(THETA, off=(switch,)), CAUTIOUS).mind.state()

    assert len(names) == count
    assert all((start[name] == end[name]).all() for name in names)


def test_without_the_filter_attention_changes_nothing() -> None:
    theta = adjust(THETA, off=("stimulus_filter",))

    def hold(mind: Mind) -> None:
        mind.attention[:] = 0

    assert (roll(theta, CAUTIOUS, meddle=hold).actions == roll(theta, CAUTIOUS).actions).all()


def test_values_stay_in_their_range() -> None:
    low = {one.name: one.low for one in VARIABLES}

    def check(mind: Mind) -> None:
        for name, values in mind.state().items():
            assert ((values >= low[name]) & (values <= ONE)).all(), name

    assert set(roll(THETA, EAGER, meddle=check).mind.state()) == set(low)


def test_all_arrays_are_integers(advised: Rollout) -> None:
    kept = advised.mind.snapshot()

    assert {value.dtype.kind for value in kept.values() if isinstance(value, np.ndarray)} <= {"i", "b"}
    assert {value.dtype for value in advised.mind.state().values()} == {np.dtype(np.int64)}


# Behaviour.

def test_people_buy_into_rises_and_sell_into_falls() -> None:
    shocks = [one.shock for one in small_trace().sessions[1:]]
    up, down = (np.array([one == kind for one in shocks]) for kind in ("up", "down"))
    runs = [roll(THETA, run=run).actions for run in (1, 2, 3)]
    buys, sells = ((np.concatenate(runs, axis=1) == side).mean(axis=1) for side in (BUY, SELL))

    assert 0.05 < buys[up].mean() - buys[~up].mean() < 0.2
    assert 0.01 < sells[down].mean() - sells[~down].mean() < 0.15


def test_how_often_people_trade_and_ask(advised: Rollout) -> None:
    assert 0.05 < (advised.actions != HOLD).mean() < 0.2
    assert 0.03 < advised.consulted.mean() < 0.12


def test_the_conservative_hold_more_cash(alone: Rollout) -> None:
    mean = [alone.position_e4[:, first : first + 9].mean() for first in (0, 9, 18)]

    assert mean[0] < mean[1] < mean[2]


def test_disagreement_asks(advised: Rollout) -> None:
    """Some days are torn; the less disagreement is still decided, the more is asked."""
    def asked(defer_above: int) -> int:
        constants = THETA.constants.model_copy(update={"defer_above": defer_above})
        theta = THETA.model_copy(update={"constants": constants})
        return sum(int(roll(theta, CAUTIOUS, run=run).consulted.sum()) for run in (1, 2, 3))

    assert 0.02 < (advised.disagreement_e4 > THETA.constants.defer_above).mean() < 0.3
    assert asked(0) > asked(THETA.constants.defer_above) > asked(ONE)


def test_advice_to_buy_makes_buy(alone: Rollout, eager: Rollout) -> None:
    assert eager.position_e4[-1].sum() > alone.position_e4[-1].sum()


# The day.

def a_view(mind: Mind, **changes: int) -> tuple:
    """Return what an uneventful day looks like to everybody, and draws spread over the whole range."""
    calm = dict.fromkeys(Observation._fields, 0) | {
        "vol20_ppm": 8_000, "breadth_e4": 5_000, "cash_ratio_e4": 5_000, "pos_ratio_e4": 5_000, "idle_days": 30,
        "context": 4,
    }
    lanes = len(mind.trust)
    seen = Observation(*(np.full(lanes, value, dtype=np.int64) for value in (calm | changes).values()))
    return mind.perceive(seen), np.arange(lanes) * (2**31 // lanes)


def test_what_cannot_be_done_is_not_drawn() -> None:
    mind = Mind(THETA, PEOPLE)
    view, draw = a_view(mind, cash_ratio_e4=0)
    assert not mind.decide(view, EVERYBODY, draw).q_e4[:, BUY].any()

    view, draw = a_view(mind, pos_ratio_e4=0)
    assert not mind.decide(view, EVERYBODY, draw).q_e4[:, SELL].any()

    closed = mind.decide(view, ~EVERYBODY, draw)
    assert not closed.q_e4[:, CONSULT].any()
    assert (closed.q_e4.sum(axis=1) == ONE).all()


def test_literacy_sharpens_the_draw() -> None:
    """The same person, only more literate: q, its square, its cube."""
    people = [PEOPLE[0].model_copy(update={"literacy": literacy}) for literacy in ("low", "medium", "high")]
    mind = Mind(THETA, people)
    view, draw = a_view(mind)
    low, medium, high = mind.decide(view, np.ones(3, dtype=bool), draw).q_e4.tolist()

    for q, power in ((medium, 2), (high, 3)):
        whole = sum(one**power for one in low)
        assert all(abs(part * whole - one**power * ONE) <= whole for part, one in zip(q, low, strict=True))


def test_argmax_takes_the_largest() -> None:
    mind = Mind(THETA.model_copy(update={"choice": "argmax"}), PEOPLE)
    view, draw = a_view(mind)
    decision = mind.decide(view, EVERYBODY, draw)

    assert (decision.action == decision.q_e4.argmax(axis=1)).all()


def test_a_rationale_is_evidence_of_an_agent(advised: Rollout) -> None:
    mind = Mind(THETA, PEOPLE)
    view, draw = a_view(mind, r_mkt_ppm=30_000, pos_ratio_e4=0, cash_ratio_e4=ONE)
    decision = mind.decide(view, EVERYBODY, draw)

    for lane, rationale in enumerate(decision.rationale):
        assert view.evidence[lane, :, rationale].any(), RATIONALES[rationale]


def test_deciding_twice_changes_nothing_but_what_was_asked() -> None:
    mind = Mind(THETA, PEOPLE)
    view, draw = a_view(mind)
    first, second = mind.decide(view, EVERYBODY, draw), mind.decide(view, EVERYBODY, draw)

    assert all((one == other).all() for one, other in zip(first, second, strict=True))


def test_some_decide_as_they_would_among_all() -> None:
    mind, some = Mind(THETA, PEOPLE), np.array([3, 11, 20])
    view, draw = a_view(mind, r_mkt_ppm=9_000)
    whole, part = mind.decide(view, EVERYBODY, draw), mind.decide(view, EVERYBODY[some], draw[some], some)

    assert all((one[some] == other).all() for one, other in zip(whole, part, strict=True))


def test_lanes_do_not_touch_each_other() -> None:
    """Ten days of two investors together are ten days of each alone."""
    pair, singles = Mind(THETA, PEOPLE[:2]), [Mind(THETA, [one]) for one in PEOPLE[:2]]
    draw = np.random.default_rng(5)
    for _ in range(10):
        seen = Observation(*draw.integers(0, 5, (len(Observation._fields), 2)))
        u, came = draw.integers(0, 2**31, 2), Feedback(*draw.integers(-30_000, 30_000, (3, 2)))
        yes = np.array([True, True])
        together = pair.decide(pair.perceive(seen), yes, u)
        pair.hear(yes, np.full((2, 7), 4_000))
        pair.feedback(np.minimum(together.action, HOLD), came)
        for lane, mind in enumerate(singles):
            own = slice(lane, lane + 1)
            view = mind.perceive(Observation(*(column[own] for column in seen)))
            apart = mind.decide(view, yes[own], u[own])
            mind.hear(yes[own], np.full((1, 7), 4_000))
            mind.feedback(np.minimum(apart.action, HOLD), Feedback(*(column[own] for column in came)))
            assert apart.q_e4.tolist() == together.q_e4[own].tolist()
    for name, values in pair.state().items():
        assert values.tolist() == [int(mind.state()[name][0]) for mind in singles]


def test_a_restored_mind_goes_on_as_if_nothing_had_happened() -> None:
    mind, other = roll(THETA, CAUTIOUS, sessions=30).mind, Mind(THETA, PEOPLE)
    kept = mind.snapshot()
    view, draw = a_view(mind, r_mkt_ppm=9_000)
    expected = mind.decide(view, EVERYBODY, draw).q_e4.tolist()
    mind.feedback(np.full(len(PEOPLE), HOLD), Feedback(*np.full((3, len(PEOPLE)), -30_000)))
    other.restore(kept)
    mind.restore(kept)

    for one in (mind, other):
        assert one.decide(a_view(one, r_mkt_ppm=9_000)[0], EVERYBODY, draw).q_e4.tolist() == expected
