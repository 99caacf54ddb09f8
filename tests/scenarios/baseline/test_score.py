"""The composite score of an instrument."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenarios.baseline.score import composite, score_of
from scenarios.errors import ScenarioError
from scenarios.types import SubScores
from tests.builders import a_scenario

SUB_SCORE = st.integers(0, 1000).map(lambda tenths: Fraction(tenths, 10))


@pytest.mark.parametrize(
    ("moat", "compounding", "valuation", "expected"),
    [
        pytest.param(100, 0, 0, Fraction(40), id="moat weighs 40 %"),
        pytest.param(0, 100, 0, Fraction(35), id="compounding weighs 35 %"),
        pytest.param(0, 0, 100, Fraction(25), id="valuation weighs 25 %"),
        pytest.param(95, 85, 89, Fraction(90), id="a mixed name"),
        pytest.param(1, 1, 2, Fraction(5, 4), id="nothing is rounded"),
    ],
)
def test_weights(moat: int, compounding: int, valuation: int, expected: Fraction) -> None:
    """Each sub-score counts with its published weight, exactly."""
    scores = SubScores(moat=Fraction(moat), compounding=Fraction(compounding), valuation=Fraction(valuation))

    assert composite(scores) == expected


@given(moat=SUB_SCORE, compounding=SUB_SCORE, valuation=SUB_SCORE)
def test_is_an_average(moat: Fraction, compounding: Fraction, valuation: Fraction) -> None:
    """The weights add up to one, so the composite lies between the least and the greatest sub-score."""
    score = composite(SubScores(moat=moat, compounding=compounding, valuation=valuation))

    assert min(moat, compounding, valuation) <= score <= max(moat, compounding, valuation)


def test_a_name_without_sub_scores_is_an_error_with_its_place() -> None:
    """Missing input is never taken as a score of zero."""
    scenario = a_scenario()

    with pytest.raises(ScenarioError, match="test-1#/instruments/AAA/scores"):
        score_of(scenario, scenario.instruments[0])
