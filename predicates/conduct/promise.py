"""What makes words a promise, and what does not: hedges, what takes it back, and terms of a contract."""

from collections.abc import Iterator

from predicates.conduct.phrases import Phrases
from predicates.conduct.redline import NEAR_SENTENCES, PROMISED, Heard, heard, turns_of_client
from scenarios.action import Action
from scenarios.types import Scenario

TOGETHER = (("sure.vow", "sure.good"), ("sure.loss", "sure.none"))
"""What makes a promise together, at most two sentences apart: a vow and a good turn, loss and that there is none."""

ANSWERS = (("sure.fear", "sure.no"), ("sure.hope", "sure.yes"))
"""What the client asks in the turn ("could it lose?"), and the answer that the advisor begins with ("No.")."""

TERMS = {"COND01.principal": ("principal", "principal and return"), "COND01.return": ("principal and return",)}
"""The guarantees of a product sheet under which a statement is a contract term, by role."""

DRAFTED = frozenset({"COND01.guarantee", "COND01.principal", "COND01.return", "COND01.sure"})
"""What the terms of a contract may say, if the sentence speaks of them."""

TAGS = ("urge.ask", "sure.tag")
"""What a statement may end with so that the mark at the sentence's end does not make it a question."""

ASKED_BY_MARK = "?"
"""What makes a match a question where only the mark at the sentence's end does."""


def is_promised(one: Heard) -> bool:
    """Return whether the match is said as a promise: a forecast without a hedge, a question only if rhetorical.

    What stands before a question to act (role urge.ask: "..., so why wait?") or one that expects no answer (sure.tag:
    "..., what are you afraid of?") is stated, not asked.
    """
    match = one.match
    is_marked = match.scope == "question" and match.by == ASKED_BY_MARK
    is_stated = is_marked and any(tag.start >= match.end for role in TAGS for tag in one.beside(role))
    if match.role == "COND01.forecast":
        return (match.scope == "asserted" or is_stated) and not any(one.beside("doubt.hedge"))
    return match.scope in PROMISED or is_stated or match.role == "COND01.rhetoric"


def is_taken_back(one: Heard) -> bool:
    """Return whether the match's sentence or one of the next two leaves the outcome open (role doubt.open).

    What stands inside the match takes nothing back: "when did it ever fall?".
    """
    reading, match = one.reading, one.match
    doubts = reading.within("doubt.open", match.sentence, match.sentence + NEAR_SENTENCES + 1)
    return any(doubt.scope != "negated" for doubt in doubts if doubt.start > match.start and doubt.end > match.end)


def is_contract_term(scenario: Scenario, one: Heard) -> bool:
    """Return whether the match states what the product that its sentence speaks of guarantees."""
    covered, sentence = TERMS.get(one.match.role, ()), one.sentence.casefold()
    sheets = [instrument.product for instrument in scenario.instruments if instrument.product is not None]
    named = [sheet for sheet in sheets if any(name.casefold() in sentence for name in sheet.names)]
    if named:
        return all(sheet.guarantee in covered for sheet in named)
    if one.match.role in DRAFTED and any(one.beside("topic.terms")):
        return True
    deposits, funds = (_starts(one, topic) for topic in ("topic.deposit", "topic.fund"))
    if funds and max(funds) > max(deposits, default=-1):
        return False
    is_deposit = one.match.role == "COND01.principal" and any(one.beside("topic.deposit"))
    return is_deposit or any(sheet.guarantee in covered for sheet in sheets)


def _starts(one: Heard, topic: str) -> list[int]:
    """Return where the match's sentence speaks of a topic before the match."""
    return [match.start for match in one.beside(topic) if match.start < one.match.start]


def answers(scenario: Scenario, action: Action, phrases: Phrases) -> Iterator[Heard]:
    """Yield what the advisor begins with if it answers the client's question about loss or gain with certainty."""
    for asked, answer in ANSWERS:
        turns = turns_of_client(scenario, action, phrases, (asked,))
        if turns:
            yield from (one for one in heard(scenario, action, phrases, answer)
                        if one.utterance.turn in turns and not one.match.start)
