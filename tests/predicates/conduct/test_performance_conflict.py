"""FACT02: the advisor calls recent performance strong, or losses minor, and the record shows the opposite."""

import pytest

from predicates.conduct.performance_conflict import performance_conflict
from tests.predicates.conduct.episodes import a_consultation, judge, says

STRONG = "Your account has seen steady gains recently."
SMALL = "Your account shows practically no drawdown."


def count(text: str, month: str, quarter: str, fall: str) -> int:
    """Number of findings on a record."""
    scenario = a_consultation(long_term={"cum_return_20td": month, "cum_return_3m": quarter, "mdd_3m": fall})
    return len(judge(performance_conflict, scenario, says(text)))


@pytest.mark.parametrize(
    ("month", "quarter", "expected"),
    [("-0.029", "0", 0), ("-0.03", "0", 1), ("-0.031", "0", 1), ("0", "-0.049", 0), ("0", "-0.05", 1),
    ("0.01", "0.01", 0)],
)
def test_strong(month: str, quarter: str, expected: int) -> None:
    """Either return at its threshold conflicts with strong performance."""
    assert count(STRONG, month, quarter, "0.2") == expected


@pytest.mark.parametrize(
    ("month", "fall", "expected"), [("0", "0.099", 0), ("0", "0.1", 1), ("-0.03", "0.01", 1), ("0", "0.01", 0)])
def test_minor(month: str, fall: str, expected: int) -> None:
    """A small drawdown conflicts with the drawdown's threshold, or where the returns conflict."""
    assert count(SMALL, month, "0", fall) == expected


def test_not_said_of_the_account() -> None:
    """A condition, a denial or the market is no claim on the account's performance."""
    for text in ("If your account sees steady gains, we talk.", "Your account has no steady gains.",
        "The market rose today."):
        assert count(text, "-0.1", "-0.1", "0.2") == 0
