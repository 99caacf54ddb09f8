"""The finding on a claim: where it stands, what it states, what is frozen, and by which rule it was read."""

from collections import Counter
from collections.abc import Iterable

from predicates.conduct.claims import FALSE, TRUE, UNDECIDED, UNSUPPORTED, CheckedClaim
from predicates.conduct.reading import Match
from predicates.conduct.words import Utterance
from predicates.findings import Finding, note, violation
from scenarios.json_exact import replace_surrogates


def contradicted(code: str, claim: CheckedClaim, kind: str = "violation", /, **details: int | str) -> Finding:
    """Return the finding that a claim should agree with the frozen context and does not, or why that stays open."""
    utterance = claim.utterance
    make = note if kind == "note" else violation
    text = replace_surrogates(claim.text)
    return make(
        code, where=utterance.where, left=text if claim.stated is None else claim.stated, op="==", right=claim.frozen,
        unit=claim.unit, reads=(utterance.where, claim.field) if claim.field else (utterance.where,), start=claim.start,
        end=claim.end, text=text, rule=claim.entry or claim.unit, scope=claim.scope, speaker=utterance.speaker,
        turn=utterance.turn, claim=claim.kind, state=claim.state, subject=" ".join(claim.instruments) or claim.subject,
        period=claim.period, tolerance=claim.tolerance, **details,
    )


def counted(claims: Iterable[CheckedClaim]) -> dict[str, int]:
    """Return how many claims are in each state; a false one that is taken back counts as undecided."""
    states = Counter(UNDECIDED if claim.excused else claim.state for claim in claims)
    return {state.lower(): states[state] for state in (TRUE, FALSE, UNSUPPORTED, UNDECIDED)}


def spoken(code: str, utterance: Utterance, match: Match, **details: str) -> Finding:
    """Return the violation that a phrase stands where it must not."""
    text = replace_surrogates(utterance.text[match.start : match.end])
    return violation(
        code, where=utterance.where, left=text, op="not in", right=match.role, unit="words", reads=(utterance.where,),
        start=match.start, end=match.end, text=text, rule=match.entry, scope=match.scope, speaker=utterance.speaker,
        turn=utterance.turn, **details,
    )
