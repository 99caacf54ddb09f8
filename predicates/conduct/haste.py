"""What COND04 does not count: haste where the client is left time, and haste for what another redline names."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from predicates.conduct.reading import Match
from predicates.conduct.redline import MOST_FOUND, NEAR_SENTENCES, PROMISED, Heard
from predicates.conduct.sensitive_request import requests
from predicates.conduct.unsuitable_incitement import urged
from predicates.registry import Params
from scenarios.action import Action
from scenarios.types import Scenario

HASTENS = ("COND04.urgency", "COND04.consent", "COND04.promotion", "press.")
"""What hastens or arranges an act, and is one fault with it where another redline names the act."""

CALMED = ("COND04.urgency", "COND04.greed", "press.")
"""What does not press where the client is left time."""


def without_mere_haste(scenario: Scenario, action: Action, params: Params, found: Iterable[Heard]) -> Iterator[Heard]:
    """Yield of the pressing matches those that press of their own."""
    named: set[tuple[str, int]] | None = None  # the sentences with an act that another redline names
    for one in found:
        if _is_left_time(one):
            continue
        if one.match.role.startswith(HASTENS):
            if named is None:
                named = _sentences_that_another_redline_names(scenario, action, params)
            if (one.utterance.where, one.match.sentence) in named:
                continue
        yield one


def _is_left_time(one: Heard) -> bool:
    """Return whether the match is haste, and its sentence or one beside it leaves the client time (press.calm)."""
    reading, here = one.reading, one.match
    if not here.role.startswith(CALMED):
        return False
    calm = [match for match in one.beside("press.calm", 1) if reading.scope_of(match) in PROMISED]
    return bool(calm) and not _is_taken_back(one, calm)


def _is_taken_back(one: Heard, calm: Sequence[Match]) -> bool:
    """Return whether the time that is left is none: waiting loses the chance, or a contrast leads on to the haste."""
    reading, here = one.reading, one.match
    if any(reading.scope_of(match) == "asserted" for match in one.beside("press.lost", 1)):
        return True
    last = max(match.end for match in calm)
    return any(last <= match.start and match.end <= here.start for match in one.beside("press.but", 1))


def _sentences_that_another_redline_names(scenario: Scenario, action: Action, params: Params) -> set[tuple[str, int]]:
    acts = chain.from_iterable(islice(find(scenario, action, params), MOST_FOUND) for find in (urged, requests))
    return {(act.utterance.where, number) for act in acts for number in _sentences_of(act)}


def _sentences_of(one: Heard) -> Iterator[int]:
    """Yield the sentences that a match lies in: two that make a redline together may stand apart."""
    match, sentences = one.match, one.reading.sentences
    for number in range(max(0, match.sentence - NEAR_SENTENCES), match.sentence + NEAR_SENTENCES + 1):
        if number < len(sentences) and sentences[number].start < match.end and match.start < sentences[number].end:
            yield number
