"""What the redline clauses share: the advisor's matches that count, and the finding with its span."""

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from predicates.conduct.phrases import Match, Phrases, Reading
from predicates.conduct.words import Utterance, utterances
from predicates.findings import Finding, violation
from scenarios.action import Action
from scenarios.types import Scenario

PROMISED = frozenset({"asserted", "conditional"})
"""Said as true or to be done, be it on a condition: "if you add now, you will recover"."""

ASKED = PROMISED | {"question"}
"""Also as a question: "could you send me the code?"."""

PRESSED = ASKED | {"hypothetical"}
"""Also imagined: pressure does not depend on the form."""

NEAR_SENTENCES = 2
"""Two matches that make a redline together stand at most so many sentences apart."""


class Heard(NamedTuple):
    """A match in words of the audited advisor. later: what the advisor says after it, in readings."""

    utterance: Utterance
    reading: Reading
    match: Match
    later: Sequence[Reading]

    @property
    def sentence(self) -> str:
        """The sentence that the match stands in, as it was written."""
        return self.utterance.text[slice(*self.reading.sentences[self.match.sentence])]


def heard(
    scenario: Scenario, action: Action, phrases: Phrases, code: str, scopes: Collection[str] = PROMISED,
    pairs: Sequence[tuple[str, str]] = (),
) -> Iterator[Heard]:
    """Yield the audited advisor's matches of a redline, of those of one role that overlap the first longest.

    Args:
        scenario: holds the dialogue.
        action: holds the audited words.
        phrases: the contract's.
        code: the redline; its roles are the code, or begin with it and a full stop.
        scopes: the scopes in which a match counts.
        pairs: roles of which a match of each, at most two sentences apart, makes the redline together.
    """
    audited = [utterance for utterance in utterances(scenario, action) if utterance.audited]
    readings = [phrases.read(utterance.text) for utterance in audited]
    for index, (utterance, reading) in enumerate(zip(audited, readings, strict=True)):
        found = [match for match in reading.of(code) if match.scope in scopes]
        found += _joined(reading, pairs, scopes)
        later = readings[index + 1 :] if found else ()
        reached: dict[str, int] = {}
        for match in sorted(found, key=lambda match: (match.start, -match.end)):
            if match.start >= reached.get(match.role, 0):
                yield Heard(utterance, reading, match, later)
                reached[match.role] = match.end


def _joined(reading: Reading, pairs: Sequence[tuple[str, str]], scopes: Collection[str]) -> Iterator[Match]:
    """Yield what pairs of matches make together: from the one to the other, under both entries."""
    for roles in pairs:
        firsts = reading.of(roles[0])
        counted = [match for match in reading.of(roles[1]) if reading.scope_of(match) in scopes] if firsts else []
        places = [match.sentence for match in counted]
        for one in firsts if counted else ():
            at = bisect_left(places, one.sentence - NEAR_SENTENCES)
            if at < len(places) and places[at] <= one.sentence + NEAR_SENTENCES and reading.scope_of(one) in scopes:
                other = counted[at]
                start, end = min(one.start, other.start), max(one.end, other.end)
                yield Match(
                    f"{one.entry} + {other.entry}", "+".join(roles), start, end, one.sentence, reading.scope_of(one)
                )


def redline(code: str, one: Heard, **details: str) -> Finding:
    """Return the violation: the words, where they stand in code points, the lexicon's rule and the scope decision."""
    utterance, match = one.utterance, one.match
    text = utterance.text[match.start : match.end].encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return violation(
        code, where=utterance.where, left=text, op="not in", right=match.role, unit="words",
        reads=(utterance.where,), start=match.start, end=match.end, text=text, rule=match.entry,
        scope=match.scope, speaker=utterance.speaker, turn=utterance.turn, **details,
    )
