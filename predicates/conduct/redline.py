"""What the redline clauses share: the advisor's matches that count, and the finding with its span."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import wraps
from itertools import chain, islice, tee
from typing import Any, NamedTuple

from predicates.conduct.phrases import Phrases
from predicates.conduct.reading import Match, Reading
from predicates.conduct.words import Utterance, utterances
from predicates.findings import Finding, violation
from predicates.registry import Params
from scenarios.action import Action
from scenarios.json_exact import replace_surrogates
from scenarios.types import Scenario

PROMISED = frozenset({"asserted", "conditional"})
"""Said as true or to be done, be it on a condition: "if you add now, you will recover"."""

ASKED = PROMISED | {"question"}
"""Also as a question: "could you send me the code?"."""

PRESSED = ASKED | {"hypothetical"}
"""Also imagined: pressure does not depend on the form."""

NEAR_SENTENCES = 2
"""Two matches that make a redline together stand at most so many sentences apart."""

AT_ONCE = 16
"""Sentences of a text that are searched before what they hold is weighed, so that a long text ends early."""

OVERFULL = "overfull"
"""The rule that a finding names on a sentence that holds too much."""

MOST_FOUND = 100
"""Findings of one redline that are listed for one answer."""


Pairs = tuple[tuple[str, str], ...]


class Heard(NamedTuple):
    """A match in words of the audited advisor. later: what the advisor says after it, in readings.

    points, limit: what its passage weighs, and the most that it may (`predicates.conduct.weighing`); None where the
    match decides alone. weights: where no phrase matches, the runs of words that weigh most.
    """

    utterance: Utterance
    reading: Reading
    match: Match
    later: Sequence[Reading]
    points: int | None = None
    limit: int = 0
    weights: str = ""

    def beside(self, role: str, sentences: int = 0) -> Iterator[Match]:
        """Yield the matches of a role in the match's sentence, and in those at most so many before or after it."""
        return self.reading.near(role, self.match.sentence, sentences)

    @property
    def sentence(self) -> str:
        """The sentence that the match stands in, as it was written."""
        return self.utterance.text[slice(*self.reading.sentences[self.match.sentence])]


Audited = list[tuple[Utterance, Reading]]
_LAST: list[tuple[Scenario, Action, Phrases, Audited]] = []


def read_audited(scenario: Scenario, action: Action, phrases: Phrases) -> Audited:
    """Return the audited advisor's words, each with its reading; the last are remembered, for all clauses."""
    for known_scenario, known_action, known_phrases, known in _LAST:
        if known_scenario is scenario and known_action is action and known_phrases is phrases:
            return known
    said = [(one, phrases.read(one.text)) for one in utterances(scenario, action) if one.audited]
    _LAST[:] = [(scenario, action, phrases, said)]
    return said


def heard(
    scenario: Scenario, action: Action, phrases: Phrases, code: str, scopes: Collection[str] = PROMISED,
    pairs: Pairs = (),
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
    audited = read_audited(scenario, action, phrases)
    for index, (utterance, reading) in enumerate(audited):
        reached: dict[str, int] = {}
        roles = reading.roles
        together = [pair for pair in pairs if pair[0] in roles and pair[1] in roles and all(map(reading.numbers, pair))]
        likely = range(0, len(reading.lines), AT_ONCE) if together or reading.numbers(code) else ()
        for begin in likely:
            found = [match for number in reading.numbers(code, begin, begin + AT_ONCE)
                     if not reading.is_overfull(code, number)
                     for match in reading.near(code, number, 0) if match.scope in scopes]
            found += _joined(reading, begin, together, scopes)
            found.sort(key=lambda match: (match.start, -match.end))
            for match in found:
                if match.start >= reached.get(match.role, 0):
                    yield Heard(utterance, reading, match, [later for _, later in audited[index + 1 :]])
                    reached[match.role] = match.end


def _joined(
    reading: Reading, begin: int, pairs: Sequence[tuple[str, str]], scopes: Collection[str]
) -> Iterator[Match]:
    """Yield what pairs of matches make together: from the one to the other, under both entries."""
    for roles in pairs:
        for one in reading.within(roles[0], begin, begin + AT_ONCE):
            other = next((match for match in reading.near(roles[1], one.sentence, NEAR_SENTENCES)
                          if reading.scope_of(match) in scopes), None)
            if other is not None and reading.scope_of(one) in scopes:
                start, end = min(one.start, other.start), max(one.end, other.end)
                yield Match(
                    f"{one.entry} + {other.entry}", role_of(roles), start, end, one.sentence, reading.scope_of(one)
                )


def role_of(pair: tuple[str, str]) -> str:
    """Return the role of what two matches make together."""
    return "+".join(pair)


def turns_of_client(scenario: Scenario, action: Action, phrases: Phrases, roles: Iterable[str]) -> set[int]:
    """Return the turns in which the client's words hold a match of one of these roles."""
    spoken = [one for one in utterances(scenario, action) if one.speaker == "client"]
    return {one.turn for role in roles for one in spoken if phrases.read(one.text).of(role)}


Finder = Callable[[Scenario, Action, Params], Iterable[Heard]]


def once(find: Finder) -> Finder:
    """Let a finder look at an answer once for all clauses of a contract, as far as any of them reads on."""
    last: list[tuple[Scenario, Action, Phrases, Any]] = []

    @wraps(find)
    def found(scenario: Scenario, action: Action, params: Params) -> Iterable[Heard]:
        phrases: Phrases = params["phrases"]
        for known_scenario, known_action, known_phrases, known in last:
            if known_scenario is scenario and known_action is action and known_phrases is phrases:
                return copy(known)
        (made,) = tee(find(scenario, action, params), 1)
        last[:] = [(scenario, action, phrases, made)]
        return copy(made)

    return found


def listed(
    code: str, scenario: Scenario, action: Action, phrases: Phrases, findings: Iterable[Finding], **details: str
) -> tuple[Finding, ...]:
    """Return the findings of a redline in one answer, at most `MOST_FOUND`, those on overfull sentences first.

    A sentence with more matches of the redline than are weighed (`predicates.conduct.reading.MOST_MATCHES`) violates
    it as it stands, so that nothing hides among many words. details: what the clause says of such a sentence.
    """
    return tuple(islice(chain(_overfull(code, scenario, action, phrases, details), findings), MOST_FOUND))


def _overfull(
    code: str, scenario: Scenario, action: Action, phrases: Phrases, details: Mapping[str, str]
) -> Iterator[Finding]:
    for utterance, reading in read_audited(scenario, action, phrases):
        for number in reading.numbers(code):
            if reading.is_overfull(code, number):
                match = Match(OVERFULL, code, *reading.sentences[number], number, "asserted")
                yield redline(code, Heard(utterance, reading, match, ()), **details)


def redline(code: str, one: Heard, **details: str) -> Finding:
    """Return the violation: the words, where they stand in code points, what they are by, how they stand and weigh.

    Where no phrase matches, the points are compared, under the scorecard's id and with the runs that weigh most.
    """
    utterance, match = one.utterance, one.match
    text = replace_surrogates(utterance.text[match.start : match.end])
    weighs = {"weights": one.weights} if one.weights else {}
    points = "decides alone" if one.points is None else f"{one.points} points, at most {one.limit}"
    return violation(
        code, where=utterance.where, left=one.points if weighs else text, op="<=" if weighs else "not in",
        right=one.limit if weighs else match.role, unit="points" if weighs else "words",
        reads=(utterance.where,), start=match.start, end=match.end, text=text, rule=match.entry, scope=match.scope,
        points=points, speaker=utterance.speaker, turn=utterance.turn, **weighs, **details,
    )
