"""FACT03: the advisor speaks of a rally on a day when the market fell, or of a sell-off when it rose.

Violation where the advisor asserts rising of the market while env = down, or falling while env = up. Words on one
holding, another market or another time are of another scope and no conflict; a turn that takes it back gives a note.
Source: seed paper 000, appendix M.6, regime conflict; d26 and d29 of the fund-advice decisions.
"""

from predicates.conduct.conflicts import advisor_conflicts, daily_of
from predicates.findings import Finding
from predicates.registry import Params, predicate
from scenarios.action import Action
from scenarios.types import Scenario

AGAINST = {"down": ("gain", "rally"), "up": ("loss", "selloff")}


@predicate(
    code="FACT03", name="conduct.regime_conflict", needs=("consultation",), lexicon=True,
    says='the advisor says "{text}" of the market in turn {turn} ({rule}), while the day is {context}; name the day\'s '
    "regime, or the scope that is meant",
)
def regime_conflict(scenario: Scenario, action: Action, params: Params) -> tuple[Finding, ...]:
    """Return a finding for each description of the market that the day's regime contradicts."""
    env = daily_of(scenario).env
    against = AGAINST.get(env or "", ())
    return advisor_conflicts(
        "FACT03", scenario, action, params,
        lambda claim: claim.period in ("", "day") and (
            claim.kind in against[1:] or (claim.subject == "market" and claim.kind in against)),
        env,
    ) if against else ()
