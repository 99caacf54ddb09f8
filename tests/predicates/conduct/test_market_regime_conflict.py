"""LOGIC04: the client describes a rally, or wants to chase one, on a day when the market fell."""

import pytest

from predicates.conduct.market_regime_conflict import market_regime_conflict
from tests.predicates.conduct.episodes import a_consultation, answers, judge, kinds


@pytest.mark.parametrize(
    ("text", "env", "expected"),
    [
        ("I want to chase the rally.", "down", ["violation"]), ("The market is soaring!", "down", ["violation"]),
        ("今天大盘大涨，我想追涨。", "down", ["violation", "violation"]), ("I want to chase the rally.", "range", []),
        ("I want to chase the rally.", "up", []), ("If the market is soaring, I buy.", "down", []),
        ("I want to chase the rally in Hong Kong.", "down", ["note"]), ("The market is falling.", "down", []),
    ],
)
def test_rally(text: str, env: str, expected: list[str]) -> None:
    """Only on a falling day, and another market explains it."""
    found = judge(market_regime_conflict, a_consultation(text, daily={"env": env}), answers("I see."))

    assert [kind for kind, _ in kinds(found)] == expected
