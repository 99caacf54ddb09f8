"""LOGIC03: the client claims to have just bought or sold, and said the opposite earlier in the episode.

A conflict where the client asserts a purchase after asserting, in an earlier turn, a sale or that nothing was
bought, or a sale after a purchase or after saying that all is still held; or denies what an earlier turn asserts.
Words that name different instruments conflict with nothing. An explained one is a note (see `conflicts`).
Source: seed paper 000, appendix L.5, timeline conflict.
"""

from predicates.conduct.claims import CheckedClaim, read_claims
from predicates.conduct.conflicts import client_conflicts
from predicates.findings import Finding
from predicates.registry import Params, predicate
from scenarios.action import Action
from scenarios.types import Scenario

OPPOSITES = {
    "just-bought": ("just-sold", "not-bought"), "just-sold": ("just-bought", "not-sold"),
    "not-bought": ("just-bought",), "not-sold": ("just-sold",),
}


@predicate(
    code="LOGIC03", name="conduct.timeline_conflict", needs=("dialogue",), lexicon=True,
    says='the client says "{text}" in turn {turn} ({rule}) after saying the opposite in an earlier turn; '
    "explained: {explained}",
)
def timeline_conflict(scenario: Scenario, action: Action, params: Params) -> tuple[Finding, ...]:
    """Return a finding for each trade that the client's own earlier words deny."""
    claims = [one for one in read_claims(scenario, action, params["phrases"]) if one.utterance.speaker == "client"]

    def is_denied(claim: CheckedClaim) -> bool:
        opposite, named = OPPOSITES.get(claim.word, ()), set(claim.instruments)
        return any(one.word in opposite and one.utterance.turn < claim.utterance.turn
                   and not (named and one.instruments and named.isdisjoint(one.instruments)) for one in claims)

    return client_conflicts("LOGIC03", scenario, action, params, is_denied)
