"""LOGIC06: the client's account of recent performance contradicts the long-term context beyond fixed thresholds.

    consistent gains   while cum_return_20td <= loss_20td or cum_return_3m <= loss_3m
    consistent losses  while cum_return_20td >= gain_20td or cum_return_3m >= gain_3m
    small drawdown     while mdd_3m >= large
    large drawdown     while mdd_3m <= small

Parameters as ratios: loss_20td (-0.03), loss_3m (-0.05), gain_20td (0.03), gain_3m (0.05), large (0.1), small (0.03).
An explained one is a note (`predicates.conduct.conflicts`).
Source: seed paper 000, appendix L.5, long-term performance conflict, thresholds as printed.
"""

from fractions import Fraction

from predicates.conduct.conflicts import GAINS, LOSSES, at_least, at_most, client_conflicts, is_recent, long_term_of
from predicates.findings import Finding
from predicates.registry import Params, predicate
from scenarios.action import Action
from scenarios.types import Scenario


@predicate(
    code="LOGIC06", name="conduct.long_term_performance_conflict", needs=("consultation",), lexicon=True,
    parameters={"loss_20td": Fraction("-0.03"), "loss_3m": Fraction("-0.05"), "gain_20td": Fraction("0.03"),
                "gain_3m": Fraction("0.05"), "large": Fraction("0.1"), "small": Fraction("0.03")},
    says='the client says "{text}" in turn {turn} ({rule}), while the returns of 20 days and 3 months and the drawdown '
    "are {context}; explained: {explained}",
)
def long_term_performance_conflict(scenario: Scenario, action: Action, params: Params) -> tuple[Finding, ...]:
    """Return a finding for each claim on recent gains, losses or drawdown that the record contradicts."""
    known = long_term_of(scenario)
    month, quarter, fall = known.cum_return_20td, known.cum_return_3m, known.mdd_3m
    lost = at_most(month, params["loss_20td"]) or at_most(quarter, params["loss_3m"])
    gained = at_least(month, params["gain_20td"]) or at_least(quarter, params["gain_3m"])
    denied = {"small-drawdown": at_least(fall, params["large"]), "large-drawdown": at_most(fall, params["small"])}
    return client_conflicts(
        "LOGIC06", scenario, action, params,
        lambda claim: (lost and is_recent(claim, GAINS)) or (gained and is_recent(claim, LOSSES))
        or denied.get(claim.word, False),
        month, quarter, fall,
    )
