"""What makes words a promise, and what does not: hedges, what takes it back, and terms of a contract."""

from bisect import bisect_left, bisect_right
from operator import attrgetter

from predicates.conduct.redline import NEAR_SENTENCES, PROMISED, Heard
from scenarios.types import Scenario

TERMS = {"COND01.principal": ("principal", "principal and return"), "COND01.return": ("principal and return",)}
"""The guarantees of a product sheet under which a statement is a contract term, by role."""

DRAFTED = frozenset({"COND01.guarantee", "COND01.principal", "COND01.return", "COND01.sure"})
"""What the terms of a contract may say, if the sentence speaks of them."""

_start, _sentence = attrgetter("start"), attrgetter("sentence")


def is_promised(one: Heard) -> bool:
    """Return whether the match is said as a promise: a forecast without a hedge, a question only if rhetorical."""
    match = one.match
    if match.role == "COND01.forecast":
        return match.scope == "asserted" and not _stands_in_sentence(one, "doubt.hedge")
    return match.scope in PROMISED or match.role == "COND01.rhetoric"


def is_taken_back(one: Heard) -> bool:
    """Return whether the match's sentence or one of the next two leaves the outcome open (role doubt.open)."""
    doubts = one.reading.of("doubt.open")
    last = one.match.sentence + NEAR_SENTENCES
    near = doubts[bisect_right(doubts, one.match.start, key=_start) : bisect_right(doubts, last, key=_sentence)]
    return any(doubt.scope != "negated" for doubt in near)


def _stands_in_sentence(one: Heard, role: str) -> bool:
    matches = one.reading.of(role)
    at = bisect_left(matches, one.match.sentence, key=_sentence)
    return at < len(matches) and matches[at].sentence == one.match.sentence


def is_contract_term(scenario: Scenario, one: Heard) -> bool:
    """Return whether the match states what the product that its sentence speaks of guarantees."""
    covered, sentence = TERMS.get(one.match.role, ()), one.sentence.casefold()
    sheets = [instrument.product for instrument in scenario.instruments if instrument.product is not None]
    named = [sheet for sheet in sheets if any(name.casefold() in sentence for name in sheet.names)]
    if named:
        return all(sheet.guarantee in covered for sheet in named)
    if one.match.role in DRAFTED and _stands_in_sentence(one, "topic.terms"):
        return True
    is_deposit = one.match.role == "COND01.principal" and _stands_in_sentence(one, "topic.deposit")
    return is_deposit or any(sheet.guarantee in covered for sheet in sheets)
