"""LOGIC02: the client claims a gain on a day of a clear loss, or a loss on a day of a clear gain."""

import pytest

from predicates.conduct.daily_pnl_conflict import daily_pnl_conflict
from tests.predicates.conduct.episodes import a_consultation, answers, judge, kinds

GAIN, LOSS = "I made a big profit today.", "I lost badly today."


@pytest.mark.parametrize(
    ("text", "pnl", "expected"),
    [
        (GAIN, "-0.009", []), (GAIN, "-0.01", ["violation"]), (GAIN, "-0.011", ["violation"]), (GAIN, "0.02", []),
        (LOSS, "0.009", []), (LOSS, "0.01", ["violation"]), (LOSS, "0.011", ["violation"]), (LOSS, "-0.02", []),
        ("今天我大赚了一笔。", "-0.02", ["violation"]), ("Today I gained 2 %.", "-0.02", ["violation"]),
        ("Did I make a big profit today?", "-0.02", []), ("The market rose today.", "-0.02", []),
        ("I made a big profit today, in my other account.", "-0.02", ["note"]),
    ],
)
def test_boundary(text: str, pnl: str, expected: list[str]) -> None:
    """The threshold itself conflicts, on both sides; another account explains it."""
    found = judge(daily_pnl_conflict, a_consultation(text, daily={"pnl_daily": pnl}), answers("I see."))

    assert [kind for kind, _ in kinds(found)] == expected
