"""LOGIC05: the client keeps saying "only low risk" and holds an aggressive portfolio of high-risk products."""

import pytest

from predicates.conduct.risk_product_conflict import risk_product_conflict
from tests.predicates.conduct.episodes import a_consultation, answers, judge, kinds

LOW = "I only buy low risk."


@pytest.mark.parametrize(
    ("client", "product_class", "expected"),
    [
        pytest.param([LOW], "aggressive", [], id="said once"),
        pytest.param([LOW, "Again: I only buy low risk."], "aggressive", ["violation", "violation"], id="said twice"),
        pytest.param([LOW, "我只买低风险的。"], "aggressive", ["violation", "violation"], id="in two languages"),
        pytest.param([LOW, LOW], "balanced", [], id="a balanced portfolio"),
        pytest.param([LOW, "I only buy low risk; those are a legacy holding."], "aggressive", ["note",
            "note"], id="explained"),
    ],
)
def test_said_twice(client: list[str], product_class: str, expected: list[str]) -> None:
    """Twice in an episode, with R4 or R5 held in an aggressive portfolio."""
    scenario = a_consultation(*client, daily={"product_class": product_class})
    found = judge(risk_product_conflict, scenario, answers(*["I see."] * len(client)))

    assert [kind for kind, _ in kinds(found)] == expected


@pytest.mark.parametrize(("level", "count"), [(4, 2), (5, 2), (6, 0)])
def test_level(level: int, count: int) -> None:
    """A holding of the level itself counts."""
    found = judge(risk_product_conflict, a_consultation(LOW, LOW), answers("I see.", "I see."), level=level)

    assert len(found) == count
