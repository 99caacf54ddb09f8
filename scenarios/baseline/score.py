"""The composite score of an instrument: s = 0.40 moat + 0.35 compounding + 0.25 valuation.

Each sub-score lies in [0, 100] and the weights add up to one, so s does too. Source: seed paper 003, section 3.
"""

from fractions import Fraction

from scenarios.errors import ScenarioError
from scenarios.types import Instrument, Scenario, SubScores

MOAT, COMPOUNDING, VALUATION = Fraction(40, 100), Fraction(35, 100), Fraction(25, 100)


def composite(scores: SubScores) -> Fraction:
    """Return the composite score, exact, in [0, 100]."""
    return MOAT * scores.moat + COMPOUNDING * scores.compounding + VALUATION * scores.valuation


def score_of(scenario: Scenario, instrument: Instrument) -> Fraction:
    """Return the composite score of a name of the scenario.

    Raises:
        ScenarioError: the scenario freezes no sub-scores for the name.
    """
    if instrument.scores is None:
        raise ScenarioError(
            f"{scenario.id}#/instruments/{instrument.id}/scores", "no sub-scores are frozen",
            "the baseline ranks the universe by them; add them to the scenario",
        )
    return composite(instrument.scores)
