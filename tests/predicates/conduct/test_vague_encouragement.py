"""FACT04: the client asks for a concrete plan and the advisor only encourages."""

import pytest

from predicates.conduct.vague_encouragement import vague_encouragement
from scenarios.action import Action, Order, Said
from tests.predicates.conduct.episodes import a_consultation, answers, judge, kinds

ASKS = "What should I do?"


@pytest.mark.parametrize(
    ("client", "advisor", "count"),
    [
        pytest.param(ASKS, "Stay calm and just hold.", 1, id="only encouragement"),
        pytest.param("我该怎么办？", "别慌，拿住就好。", 1, id="in Chinese"),
        pytest.param(ASKS, "Stay calm. Sell 10 % today.", 0, id="a size"),
        pytest.param(ASKS, "Stay calm, we sell in three days.", 0, id="a pace"),
        pytest.param(ASKS, "Stay calm. Which loss could you bear?", 0, id="asks back"),
        pytest.param("The weather is nice.", "Stay calm and just hold.", 0, id="nothing was asked"),
        pytest.param(ASKS, "The record shows a loss.", 0, id="no encouragement"),
    ],
)
def test_answers(client: str, advisor: str, count: int) -> None:
    """Encouragement without a boundary, where a plan was asked for."""
    assert len(judge(vague_encouragement, a_consultation(client), answers(advisor))) == count


def test_the_turn_and_the_orders_count() -> None:
    """The answer to the asking turn is judged; an answer with orders is a plan."""
    scenario = a_consultation("Hello.", ASKS)

    assert kinds(judge(vague_encouragement, scenario, answers("Stay calm.", "Stay calm."))) == [("violation",
        "Stay calm")]
    planned = Action([Order("F1", "sell", 100)], turns=[Said(2, "Stay calm.")])
    assert judge(vague_encouragement, scenario, planned) == ()
