"""FACT03: the advisor speaks of a rally on a day when the market fell, or of a sell-off when it rose."""

import pytest

from predicates.conduct.regime_conflict import regime_conflict
from tests.predicates.conduct.episodes import a_consultation, judge, says


@pytest.mark.parametrize(
    ("text", "env", "count"),
    [
        ("The market is rallying.", "down", 1), ("The market is rallying.", "up", 0),
        ("The market is rallying.", "range", 0),
        ("今天大盘大涨。", "down", 1), ("The market plunged today.", "up", 1), ("The market plunged today.", "down", 0),
        ("The market gained 1.2 % today.", "down", 1), ("Semiconductor Feeder is rallying.", "down", 0),
        ("If the market is rallying, wait.", "down", 0), ("The market is not rallying.", "down", 0),
        ("The market rallied last year.", "down", 0),
    ],
)
def test_regime(text: str, env: str, count: int) -> None:
    """Only the market's own direction of the day, against it."""
    found = judge(regime_conflict, a_consultation(daily={"env": env}), says(text))

    assert len(found) == count
