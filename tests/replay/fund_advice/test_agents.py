"""The four sub-agents: which way each thing pulls."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from replay.environments.fund_advice.agents import SURE_E4, Inputs, RuleAgents, cite, wish_e4
from replay.environments.fund_advice.fixed import apportion
from replay.environments.fund_advice.theta import shipped_theta, tables
from replay.environments.fund_advice.types import BUY, CONSULT, HOLD, SELL
from scenarios.theta import ONE, SIGNALS

THETA = shipped_theta()
RULES = RuleAgents(tables(THETA), THETA.constants, {name: one.value for name, one in THETA.parameters.items()})
SENTINEL, HEDONIST, SOCIALITE, EXECUTIVE = range(4)


SHAPES = {"evidence": (1, 4, 12), "recall": (1, 4, 2), "affect": (1, 4), "belief": (1, 4), "trait": (1, 4)}
EVEN = {"evidence": 0, "recall": 0, "affect": 0, "rested": ONE}


def inputs(**members: int | dict[int, int]) -> Inputs:
    """Return an even mood; a number changes a member, a dict its columns: of single agents, or single signals."""
    found = {name: np.full(SHAPES.get(name, (1,)), EVEN.get(name, 5_000)) for name in Inputs._fields}
    for name, change in members.items():
        if isinstance(change, int):
            found[name][:] = change
        else:
            for column, value in change.items():
                found[name][..., column] = value
    return Inputs(**found)


def preferences(**members: int | dict[int, int]) -> "np.ndarray":
    """Return what each agent prefers, (4 agents, 4 actions)."""
    mood = inputs(**members)
    return apportion(RULES.weigh(mood, RULES.pulls(mood)))[0]


@pytest.mark.parametrize(("change", "agent", "more", "less"), [
    pytest.param({"perceived_risk": 8_000}, SENTINEL, SELL, BUY, id="risk that is perceived makes sell"),
    pytest.param({"perceived_risk": 8_000}, EXECUTIVE, CONSULT, BUY, id="and ask"),
    pytest.param({"trust": 8_000}, SOCIALITE, CONSULT, HOLD, id="who trusts asks"),
    pytest.param({"confidence": 8_000}, SOCIALITE, HOLD, CONSULT, id="who is sure does not"),
    pytest.param({"engagement": 9_000}, EXECUTIVE, CONSULT, HOLD, id="who is engaged asks"),
    pytest.param({"affect": {HEDONIST: 5_000}}, HEDONIST, BUY, SELL, id="good feelings buy"),
    pytest.param({"belief": {SENTINEL: 3_000}}, SENTINEL, SELL, BUY, id="disbelief sells"),
    pytest.param({"trait": {SENTINEL: 8_000}}, SENTINEL, SELL, BUY, id="aversion leans to selling"),
    pytest.param({"trait": {HEDONIST: 8_000}}, HEDONIST, BUY, SELL, id="reward sensitivity to buying"),
    pytest.param({"recall": {0: 5_000}}, EXECUTIVE, BUY, SELL, id="memory says buy"),
    pytest.param({"recall": {1: 5_000}}, EXECUTIVE, CONSULT, HOLD, id="memory says ask"),
    pytest.param({"evidence": {SIGNALS.index("move"): 9_000}}, HEDONIST, BUY, HOLD, id="a rising market buys"),
    pytest.param({"evidence": {SIGNALS.index("budget"): 9_000}}, SENTINEL, CONSULT, HOLD, id="a used budget asks"),
    pytest.param({"evidence": {SIGNALS.index("room"): -9_000}}, EXECUTIVE, SELL, BUY, id="a short reserve sells"),
    pytest.param({"evidence": {SIGNALS.index("profit"): 9_000}}, HEDONIST, SELL, BUY, id="a gain is taken"),
    pytest.param({"rested": 0}, HEDONIST, HOLD, BUY, id="who just traded rests"),
])
def test_pulls(change: dict[str, int], agent: int, more: int, less: int) -> None:
    even, changed = preferences(), preferences(**change)

    assert changed[agent, more] > even[agent, more]
    assert changed[agent, less] < even[agent, less]


@pytest.mark.parametrize("member", ["affect", "belief", "trait"])
def test_what_one_agent_feels_moves_no_other(member: str) -> None:
    even, changed = preferences(), preferences(**{member: {SENTINEL: 9_000}})

    assert (changed[SENTINEL] != even[SENTINEL]).any()
    assert (changed[1:] == even[1:]).all()


def test_a_strong_trait_sees_its_motive_larger() -> None:
    move = {SIGNALS.index("move"): 5_000}
    pulls = [RULES.pulls(inputs(trait={SOCIALITE: trait}, evidence=evidence)).drive[0, SOCIALITE]
             for trait in (2_000, 8_000) for evidence in ({}, move)]

    assert pulls[3] - pulls[2] > pulls[1] - pulls[0] > 0


def test_nothing_pulls_an_even_mood_from_its_odds() -> None:
    odds = np.array([getattr(THETA.roles, name).odds for name in ("sentinel", "hedonist", "socialite", "executive")])
    odds[:, CONSULT] = odds[:, CONSULT] * THETA.parameters["ask_odds"].value // ONE * 3 // 4  # engagement of one half

    assert preferences().tolist() == apportion(odds).tolist()


@given(wish=st.integers(-ONE, ONE))
@example(wish=5_000)
def test_the_executive_follows_the_wish_that_it_hears(wish: int) -> None:
    mood = inputs()
    pulls = RULES.pulls(mood)
    alone, heard = (apportion(RULES.listen(mood, pulls, np.array([value])))[0] for value in (0, wish))

    assert (heard[BUY] - alone[BUY]) * wish > 0 or abs(wish) < 200
    assert alone.tolist() == preferences()[EXECUTIVE].tolist()


def test_the_wish_is_the_mean_of_the_drives() -> None:
    weights = np.array([[[3, 1, 4, 2], [0, 10, 0, 0], [1, 1, 1, 1], [10_000, 0, 0, 0]]])

    assert wish_e4(weights).tolist() == [(2_000 - 10_000 + 0) // 3]


def test_a_proposal_cites_its_largest_evidence_and_is_the_surer_for_it() -> None:
    evidence = np.zeros((1, 4, 12), dtype=np.int64)
    evidence[0, :, 3], evidence[0, :, 7] = -6_000, 6_000
    made = cite(np.ones((1, 4, 4), dtype=np.int64), evidence, np.array([9_000]))

    assert made.cites[0].tolist() == [3] * 4
    assert made.alpha_e4[0].tolist() == [SURE_E4 + 3_000] * 3 + [SURE_E4 + 3_000 + 2_000]
    assert made.q_e4[0, 0].tolist() == [2_500] * 4
