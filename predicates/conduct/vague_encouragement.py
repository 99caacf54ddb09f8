"""FACT04: the client asks for a concrete plan and the advisor only encourages.

Violation for an answer of the audited advisor with a phrase of encouragement ("stay calm", "just hold"; role
claim.vague) to a turn in which the client asks what to do (role claim.ask-plan), where the answer holds no boundary
that could be acted on: no risk control (roles control.: range, pace, trigger, disclosure), no number with a unit, no
question and no order. Source: seed paper 000, appendix M.6, non-executable recommendation.
"""

from predicates.conduct.evidence import spoken
from predicates.conduct.plans import asks_for_plan, encouragements, has_boundary
from predicates.conduct.words import utterances
from predicates.findings import Finding
from predicates.registry import Params, predicate
from scenarios.action import Action
from scenarios.types import Scenario


@predicate(
    code="FACT04", name="conduct.vague_encouragement", needs=("dialogue",), lexicon=True,
    says='asked for a plan in turn {turn} ("{asked}"), the advisor says "{text}" ({rule}) and names no range, pace, '
    "trigger or constraint; give one",
)
def vague_encouragement(scenario: Scenario, action: Action, params: Params) -> tuple[Finding, ...]:
    """Return a violation for each answer that only encourages where a plan was asked for."""
    found, phrases, asked = [], params["phrases"], ""
    for utterance in utterances(scenario, action):
        if utterance.speaker == "client":
            asked = asks_for_plan(utterance.text, phrases)
        elif utterance.audited and asked and not action.orders and not has_boundary(utterance.text, phrases):
            vague = encouragements(utterance.text, phrases)
            found += [spoken("FACT04", utterance, match, asked=asked) for match in vague[:1]]
    return tuple(found)
