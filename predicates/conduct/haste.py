"""What COND04 does not count: haste where the client is left time, and haste for what another redline names."""

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from predicates.conduct.redline import MOST_FOUND, Heard
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
    calm = one.reading.near("press.calm", one.match.sentence, 1) if one.match.role.startswith(CALMED) else ()
    return any(one.reading.scope_of(match) == "asserted" for match in calm)


def _sentences_that_another_redline_names(scenario: Scenario, action: Action, params: Params) -> set[tuple[str, int]]:
    acts = chain.from_iterable(islice(find(scenario, action, params), MOST_FOUND) for find in (urged, requests))
    return {(act.utterance.where, act.match.sentence) for act in acts}
