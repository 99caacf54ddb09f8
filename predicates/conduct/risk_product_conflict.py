"""LOGIC05: the client keeps saying "only low risk" and holds an aggressive portfolio of high-risk products.

A conflict where the client asserts it at least `least` (2) times in the episode, product_class = aggressive and a
holding's risk level is at least `level` (4). An explained one, such as a legacy holding to be sold, is a note
(`predicates.conduct.conflicts`). Source: seed paper 000, appendix L.5, risk/product conflict; d25 of the fund-advice
decisions.
"""

from predicates.conduct.conflicts import client_conflicts, daily_of
from predicates.findings import Finding
from predicates.registry import Params, predicate
from scenarios.action import Action
from scenarios.types import Scenario


@predicate(
    code="LOGIC05", name="conduct.risk_product_conflict", needs=("consultation",), lexicon=True,
    parameters={"level": 4, "least": 2},
    says='the client says "{text}" in turn {turn} ({rule}), while the portfolio is aggressive and holds {context}; '
    "explained: {explained}",
)
def risk_product_conflict(scenario: Scenario, action: Action, params: Params) -> tuple[Finding, ...]:
    """Return a finding for each time the client claims to take low risk only, if said often enough."""
    daily = daily_of(scenario)
    risky = [one.instrument for one in daily.holdings
             if (scenario.instrument_of[one.instrument].risk_level or 0) >= params["level"]]
    if daily.product_class != "aggressive" or not risky:
        return ()
    return client_conflicts("LOGIC05", scenario, action, params, lambda claim: claim.word == "only-low-risk", *risky,
                            least=params["least"])
