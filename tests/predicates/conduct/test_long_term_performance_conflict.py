"""LOGIC06: the client's account of recent performance contradicts the long-term context beyond fixed thresholds."""

import pytest

from predicates.conduct.long_term_performance_conflict import long_term_performance_conflict
from tests.predicates.conduct.episodes import a_consultation, answers, judge, kinds

GAINS, LOSSES = "I've been making money lately.", "I keep losing lately, constant losses."
SMALL, LARGE = "My drawdown is basically nothing.", "My drawdown is huge."


def found(text: str, month: str = "0", quarter: str = "0", fall: str = "0.05") -> list[str]:
    """Kinds of the findings on one client's words."""
    long_term = {"cum_return_20td": month, "cum_return_3m": quarter, "mdd_3m": fall}
    scenario = a_consultation(text, long_term=long_term)
    return sorted({kind for kind, _ in kinds(judge(long_term_performance_conflict, scenario, answers("I see.")))})


@pytest.mark.parametrize(
    ("text", "month", "quarter", "conflict"),
    [
        (GAINS, "-0.029", "0", False), (GAINS, "-0.03", "0", True), (GAINS, "-0.031", "0", True),
        (GAINS, "0", "-0.049", False),
        (GAINS, "0", "-0.05", True), (GAINS, "0.1", "0.1", False), (LOSSES, "0.029", "0", False),
        (LOSSES, "0.03", "0", True),
        (LOSSES, "0", "0.049", False), (LOSSES, "0", "0.05", True), (LOSSES, "-0.1", "-0.1", False),
    ],
)
def test_returns(text: str, month: str, quarter: str, conflict: bool) -> None:
    """The printed thresholds, each side and the edge."""
    assert found(text, month, quarter) == (["violation"] if conflict else [])


@pytest.mark.parametrize(
    ("text", "fall", "conflict"),
    [(SMALL, "0.099", False), (SMALL, "0.1", True), (SMALL, "0.101", True), (LARGE, "0.031", False),
    (LARGE, "0.03", True),
     (LARGE, "0.029", True), (LARGE, "0.2", False), (SMALL, "0.01", False)],
)
def test_drawdown(text: str, fall: str, conflict: bool) -> None:
    """A small drawdown from 10 %, a large one up to 3 %."""
    assert found(text, fall=fall) == (["violation"] if conflict else [])


def test_explained_or_not_claimed() -> None:
    """Another account makes it a note; a question claims nothing."""
    assert found("My drawdown is basically nothing, in my other account.", fall="0.2") == ["note"]
    assert found("Is my drawdown huge?", fall="0.01") == []
