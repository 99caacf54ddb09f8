"""LOGIC01: the client claims to hold nothing while much is invested, and does not explain it.

A conflict where the client asserts "fully out" or "all in cash" (in words, or as a position of at most 5 % or cash of
at least 95 %) and pos_ratio >= position, with the parameter position (0.20) as share of NAV. An explained one is a
note (`predicates.conduct.conflicts`). Source: seed paper 000, appendix L.5, position/cash conflict; d25 of the
fund-advice decisions.
"""

from fractions import Fraction

from predicates.conduct.conflicts import at_least, client_conflicts, daily_of, is_all_cash
from predicates.findings import Finding
from predicates.registry import Params, predicate
from scenarios.action import Action
from scenarios.types import Scenario


@predicate(
    code="LOGIC01", name="conduct.position_cash_conflict", needs=("consultation",), lexicon=True,
    parameters={"position": Fraction("0.2")},
    says='the client says "{text}" in turn {turn} ({rule}), while {context} is invested; explained: {explained}',
)
def position_cash_conflict(scenario: Scenario, action: Action, params: Params) -> tuple[Finding, ...]:
    """Return a finding for each time the client claims to hold nothing."""
    position = daily_of(scenario).pos_ratio
    if not at_least(position, params["position"]):
        return ()
    return client_conflicts("LOGIC01", scenario, action, params, is_all_cash, position)
