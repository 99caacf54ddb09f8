"""LOGIC04: the client describes a rally, or wants to chase one, on a day when the market fell.

A conflict where the client asserts a rise of the market or says to chase it while env = down. An explained one, such as
another market, is a note (`predicates.conduct.conflicts`).
Source: seed paper 000, appendix L.5, market env conflict; d29 of the fund-advice decisions.
"""

from predicates.conduct.conflicts import client_conflicts, daily_of
from predicates.findings import Finding
from predicates.registry import Params, predicate
from scenarios.action import Action
from scenarios.types import Scenario


@predicate(
    code="LOGIC04", name="conduct.market_regime_conflict", needs=("consultation",), lexicon=True,
    says='the client says "{text}" in turn {turn} ({rule}), while the day is {context}; explained: {explained}',
)
def market_regime_conflict(scenario: Scenario, action: Action, params: Params) -> tuple[Finding, ...]:
    """Return a finding for each rally that the client sees on a falling day."""
    env = daily_of(scenario).env
    return client_conflicts(
        "LOGIC04", scenario, action, params,
        lambda claim: claim.word == "chasing" or (claim.period in ("", "day") and (
            claim.word == "rally" or (claim.subject == "market" and claim.kind == "gain"))),
        env,
    ) if env == "down" else ()
