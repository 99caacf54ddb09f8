"""How each candidate fits the portfolio that is there, once its quality is known.

A starter position is worth a ninth of the holdings, so that it makes up a tenth of them once bought. With
share t of the holdings in the candidate's theme, the projected share is (t + 1/9) / (1 + 1/9) =
(9 t + 1) / 10. A candidate is on concentration watch when that is over the theme cap, else a diversifier
when its theme is empty (t = 0), else a reinforcement. Candidates on watch rank last; within that, the
higher composite score first, then the id. Source: seed paper 003, section 4.
"""

from fractions import Fraction
from typing import NamedTuple

from scenarios.baseline.exclusion import eligible, theme_share
from scenarios.baseline.score import score_of
from scenarios.types import Instrument, Scenario

DIVERSIFIER, REINFORCEMENT, WATCH = "diversifier", "reinforcement", "concentration watch"


class Fit(NamedTuple):
    """One candidate: score in [0, 100], its theme's share of the holdings before and projected, and its role.

    eligible: whether the baseline may buy it; a name that it may not buy is reported all the same.
    """

    instrument: str
    score: Fraction
    theme: str
    before: Fraction
    projected: Fraction
    role: str
    eligible: bool


def fit_report(scenario: Scenario) -> tuple[Fit, ...]:
    """Return every name of the universe with its fit, best fit first.

    Raises:
        ScenarioError: a name of the universe has no theme or no sub-scores.
    """
    may_be_bought = {instrument.id for instrument in eligible(scenario)}
    candidates = [instrument for instrument in scenario.instruments if instrument.id in scenario.allowed]
    return tuple(sorted((_fit(scenario, one, one.id in may_be_bought) for one in candidates), key=_rank))


def rank_by_fit(scenario: Scenario) -> tuple[str, ...]:
    """Return the eligible names, best fit first."""
    return tuple(fit.instrument for fit in fit_report(scenario) if fit.eligible)


def rank_by_score(scenario: Scenario) -> tuple[str, ...]:
    """Return the eligible names by composite score alone, highest first, then by id."""
    ranked = sorted(eligible(scenario), key=lambda one: (-score_of(scenario, one), one.id))
    return tuple(instrument.id for instrument in ranked)


def _fit(scenario: Scenario, instrument: Instrument, may_be_bought: bool) -> Fit:
    before = theme_share(scenario, instrument)
    projected = (9 * before + 1) / 10
    role = _role(before, projected, scenario.limits.theme_cap)
    score = score_of(scenario, instrument)
    return Fit(instrument.id, score, str(instrument.theme), before, projected, role, may_be_bought)


def _role(before: Fraction, projected: Fraction, cap: Fraction | None) -> str:
    if cap is not None and projected > cap:
        return WATCH
    return REINFORCEMENT if before else DIVERSIFIER


def _rank(fit: Fit) -> tuple[bool, Fraction, str]:
    return fit.role == WATCH, -fit.score, fit.instrument
