"""Sub-agents in the place of the rule: recorded once, replayed from then on."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from replay.collect import Reply
from replay.environments.fund_advice.model_agents import (
    MEMBERS,
    AgentView,
    AskedAgent,
    FrozenAgent,
    Proposal,
    Proposed,
    load_proposals,
    view_digests,
    view_rows,
)
from replay.environments.fund_advice.theta import shipped_theta
from scenarios.canonical import canonical_bytes
from scenarios.errors import ReplayError, ScenarioError
from scenarios.theta import AGENTS
from tests.replay.fund_advice.driver import roll

THETA = shipped_theta()
DAYS = 12


def a_view(lanes: int = 1, **members: int) -> AgentView:
    fields = dict.fromkeys(AgentView._fields[2:], 5_000) | members
    return AgentView(np.full((lanes, 12), 700), np.zeros((lanes, 2), dtype=np.int64),
                     *(np.full(lanes, value) for value in fields.values()))


class Model:
    """An endpoint that always sends the same text, and counts."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.asked: list[str] = []

    def __call__(self, messages: Sequence[Any], schema: dict[str, Any] | None, seed: int | None) -> Reply:
        self.asked.append(messages[0][1])
        return Reply(self.text, "stop", None, 0, "2026-01-01T00:00:00Z", "stub")


GOOD = '{"q_e4": [7000, 0, 2000, 1000], "alpha_e4": 9000, "cites": "momentum"}'


@pytest.mark.parametrize("name", AGENTS)
def test_a_recorded_agent_replays_to_the_same_actions(name: str) -> None:
    model, lines = Model(GOOD), []
    asked = AskedAgent(name, model, lambda one: lines.append(canonical_bytes(one.record()) + b"\n"))
    first = roll(THETA, agents={name: asked}, sessions=DAYS)
    records = load_proposals(b"".join(lines), "proposals.jsonl")
    again = roll(THETA, agents={name: FrozenAgent(name, records[name])}, sessions=DAYS)

    assert (again.actions == first.actions).all()
    assert (first.actions != roll(THETA, sessions=DAYS).actions).any()
    assert len(model.asked) == len(lines) == len(records[name])


def test_what_was_asked_is_not_asked_again() -> None:
    model = Model(GOOD)
    agent = AskedAgent("hedonist", model, lambda one: None)
    agent.propose(a_view(3))

    assert len(model.asked) == 1
    assert "momentum: 700" in model.asked[0] and "wants gains" in model.asked[0]


def test_a_view_without_record_is_an_error() -> None:
    view = a_view()
    digest = view_digests("sentinel", view)[0]
    agent = FrozenAgent("sentinel", {
        digest: Proposed(agent="sentinel", view=digest, q_e4=(0, 10_000, 0, 0), alpha_e4=1, cites="scar"),
    })

    assert agent.propose(view).q_e4.tolist() == [[0, 10_000, 0, 0]]
    with pytest.raises(ReplayError, match="no recorded proposal"):
        agent.propose(a_view(trust=5_001))


@pytest.mark.parametrize("member", range(len(MEMBERS)))
def test_every_member_of_a_view_is_in_its_digest(member: int) -> None:
    before = a_view()
    row = view_rows(before).copy()
    row[0, member] += 1
    after = AgentView(row[:, :12], row[:, 12:14], *row[:, 14:].T)

    assert view_digests("sentinel", before) != view_digests("sentinel", after)
    assert view_digests("sentinel", before) != view_digests("hedonist", before)


@pytest.mark.parametrize("text", [
    pytest.param("I would buy.", id="prose"), pytest.param("[1]", id="no object"),
    pytest.param(GOOD.replace("7000", "7001"), id="does not add up"),
    pytest.param(GOOD.replace("momentum", "stars"), id="cites what nobody sees"),
    pytest.param(GOOD.replace("9000", "0.9"), id="a fraction"),
])
def test_an_unusable_reply_is_an_error(text: str) -> None:
    with pytest.raises((ReplayError, ScenarioError), match="sub-agent executive"):
        AskedAgent("executive", Model(text), lambda one: None).propose(a_view())


def test_a_view_answered_twice_is_refused() -> None:
    line = canonical_bytes(Proposed(agent="sentinel", view="0" * 64, q_e4=(0, 0, 10_000, 0), alpha_e4=1,
                                    cites="day").record()) + b"\n"

    with pytest.raises(ReplayError, match="line 2"):
        load_proposals(line + line, "proposals.jsonl")


def test_the_executive_hears_the_others() -> None:
    heard: list[int] = []

    class Listener:
        def propose(self, view: AgentView) -> Proposal:
            heard.extend(view.heard.tolist())
            lanes = len(view.heard)
            return Proposal(np.tile([0, 0, 10_000, 0], (lanes, 1)), np.full(lanes, 5_000), np.zeros(lanes, dtype=int))

    roll(THETA, agents={"executive": Listener()}, sessions=3)

    assert any(heard)
