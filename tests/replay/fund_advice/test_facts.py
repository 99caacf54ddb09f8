"""The scenario of a consultation: made without a check, and yet what a check of its record gives."""

from fractions import Fraction
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from replay.environments.fund_advice.advisors import Advisor, advisor_named
from replay.environments.fund_advice.facts import Question, question_of, scenario_of
from replay.environments.fund_advice.loop import Episode, Task, seats
from replay.environments.fund_advice.population import investors, shijian_27
from replay.environments.fund_advice.theta import load_theta
from scenarios.canonical import canonical_bytes
from scenarios.load import SHIPPED
from scenarios.rollouts import RolloutConfig
from scenarios.traces import Trace, load_trace
from scenarios.types import Scenario

CONFIG = RolloutConfig(seed=7, end="2021-03-31")
"""Some forty sessions: accounts that are empty, and accounts with several holdings."""


@pytest.fixture(scope="module")
def trace() -> Trace:
    return load_trace(SHIPPED / "traces" / "small-1")


@pytest.fixture(scope="module")
def episodes(trace: Trace) -> list[Episode]:
    advisors: dict[str, Advisor] = {one: advisor_named("personalized-rule", one) for one in CONFIG.languages}
    found: list[Episode] = []
    lanes = seats(investors(shijian_27(), 7, 1), advisors, 1, CONFIG.languages)
    Task(trace, lanes, load_theta(), CONFIG, keep=lambda run, lines, consulted: found.extend(consulted)).go()
    return found


def question(episode: Episode, trace: Trace) -> Question:
    dialogue = [("client", turn.client, True) for turn in episode.turns]
    return question_of("a.1", episode.facts, episode.units, [*dialogue, ("client", "Done.", False)], trace)


def parts(value: Any) -> Any:
    """Return a model as nested plain values, each with its type, members that were not given included."""
    if isinstance(value, BaseModel):
        return type(value), {name: parts(getattr(value, name)) for name in type(value).model_fields}
    return (type(value), [parts(one) for one in value]) if isinstance(value, tuple) else (type(value), value)


def test_it_is_what_a_check_of_its_record_gives(episodes: list[Episode], trace: Trace) -> None:
    held = set()
    for episode in episodes:
        made, record = question(episode, trace)
        held.add(len(made.account.positions))

        assert parts(made) == parts(Scenario.model_validate_json(canonical_bytes(record)))
        assert canonical_bytes(made.record()) == canonical_bytes(record)
    assert {0, 1, 2} <= held


def test_one_that_is_read_is_the_same(episodes: list[Episode], trace: Trace) -> None:
    episode = episodes[-1]
    read = scenario_of("a.1", episode.facts, episode.units, [("client", "Well?", True)], trace)

    assert read == question_of("a.1", episode.facts, episode.units, [("client", "Well?", True)], trace).scenario
    assert type(read.consultation and read.consultation.daily.drawdown) is Fraction


@pytest.mark.parametrize(("member", "value"), [
    pytest.param("nav_cents", "12", id="cents as text"), pytest.param("drawdown", "0.50", id="another spelling"),
    pytest.param("drawdown", "-0.5", id="below nothing"), pytest.param("product_class", "wild", id="no such class"),
])
def test_facts_that_do_not_fit_are_refused_where_they_are_read(
    episodes: list[Episode], trace: Trace, member: str, value: str
) -> None:
    episode = episodes[-1]
    facts = {**episode.facts, "account": {**episode.facts["account"], member: value}}

    with pytest.raises(ValidationError):
        scenario_of("a.1", facts, episode.units, [], trace)
