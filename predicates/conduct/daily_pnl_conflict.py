"""LOGIC02: the client claims a gain on a day of a clear loss, or a loss on a day of a clear gain.

A conflict where the client asserts a gain today and pnl_daily <= -move, or a loss today and pnl_daily >= move, with the
parameter move (0.01) as share of NAV. An explained one is a note (`predicates.conduct.conflicts`).
Source: seed paper 000, appendix L.5, daily P&L conflict; d25 of the fund-advice decisions.
"""

from fractions import Fraction

from predicates.conduct.conflicts import at_least, at_most, client_conflicts, daily_of
from predicates.findings import Finding
from predicates.registry import Params, predicate
from scenarios.action import Action
from scenarios.types import Scenario


@predicate(
    code="LOGIC02", name="conduct.daily_pnl_conflict", needs=("consultation",), lexicon=True,
    parameters={"move": Fraction("0.01")},
    says='the client says "{text}" in turn {turn} ({rule}), while the P&L of the day is {context} of NAV; '
    "explained: {explained}",
)
def daily_pnl_conflict(scenario: Scenario, action: Action, params: Params) -> tuple[Finding, ...]:
    """Return a finding for each gain or loss of the day that the client claims against the record."""
    day, move = daily_of(scenario).pnl_daily, params["move"]
    kind = "gain" if at_most(day, -move) else "loss" if at_least(day, move) else ""
    return client_conflicts(
        "LOGIC02", scenario, action, params,
        lambda claim: claim.word == f"big-{kind}-today" or (
            claim.period == "day" and claim.subject in ("", "account") and kind in (claim.word, claim.measure)),
        day,
    ) if kind else ()
