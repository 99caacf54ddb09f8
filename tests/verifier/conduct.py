"""A consultation to judge, under the shipped conduct contract; each test names only what it is about."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from scenarios.action import Action, Said
from scenarios.contracts import conduct_contract
from scenarios.types import Client, Consultation, DailyContext, Holding, LongTermContext, Scenario, Turn
from tests.builders import a_scenario
from verifier.contract import Judge
from verifier.rubric import Judgement, Rubric, judge_episode

DAILY: dict[str, Any] = {
    "env": "range", "nav_cents": 10_000_000, "cash_cents": 3_500_000, "pos_ratio": Fraction("0.65"),
    "holdings": (Holding(instrument="AAA", value_cents=6_500_000),),
}
LONG_TERM = {"cum_return_20td": Fraction("0.012"), "mdd_3m": Fraction("0.064")}


@cache
def the_judge() -> Judge:
    """Return the shipped contract, ready to decide."""
    return Judge(conduct_contract())



def a_consultation(
    *client: str, profile: str | None = "balanced", daily: dict[str, Any] | None = None,
    long_term: dict[str, Any] | None = None, closed: bool = False,
) -> Scenario:
    """Return an episode of these words of the client, each to be answered: Balanced, 65 % in AAA, a range market."""
    held = {"AAA": 6_500_000} if daily is None else {}
    return a_scenario(names=("AAA",), held=held, currency="CNY").model_copy(update={
        "dialogue": tuple(Turn(speaker="client", text=text, reply=True) for text in client),
        "client": None if profile is None else Client.model_validate({"risk_profile": profile}),
        "consultation": Consultation(
            daily=DailyContext(**(DAILY if daily is None else daily)),
            long_term=LongTermContext(**(LONG_TERM if long_term is None else long_term)), facts_closed=closed,
        ),
    })


def judged(scenario: Scenario, *answers: str) -> Judgement:
    """Return the judgement of these answers, one for each turn of the client."""
    action = Action(turns=[Said(turn, text) for turn, text in enumerate(answers, 1) if text])
    judge = the_judge()
    _, states, findings = judge.bind(scenario).decide(action)
    rubric = Rubric.of(judge.contract)
    assert rubric is not None
    return judge_episode(scenario, action, states, findings, rubric)


def names(judgement: Judgement, prefix: str) -> Sequence[str]:
    """Return the names of the items found that begin so, each once, in order."""
    return list(dict.fromkeys(item.name for item in judgement.items if item.name.startswith(prefix)))
