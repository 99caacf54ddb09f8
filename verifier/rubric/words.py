"""What each sentence of a text says by the phrases of the rubric, and the sums and ratios in it.

What is said is remembered with the frame of a sentence (`predicates.conduct.reading.Frame`), where the text is matched
character for character and nothing in it is quoted, so that it is the same wherever the sentence stands.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from predicates.conduct.numbers import read_numbers
from predicates.conduct.phrases import Phrases
from predicates.conduct.reading import Match, Sentence

_ADVISED = frozenset({"asserted", "conditional"})
_BOUNDED = _ADVISED | {"question"}  # a size may be proposed as a question, an order may not
_UNSAID = frozenset({"quoted", ""})  # "": an exception takes the match away
_CLOSING = " \n\t\"')\u201d\u2019\u300d\uff09"
KNOWN = 4_096
"""Sentences of which the sums and ratios are remembered."""


class Part(NamedTuple):
    """What a phrase of the rubric says. kind: its role without "rubric."; start, end: in `Spoken`; rule: entry."""

    kind: str
    scope: str
    start: int
    end: int
    rule: str


class Words(NamedTuple):
    """What a sentence says. asks: whether it ends as a question. said: what is not quoted, by family of roles.

    plan: the orders, sizes, ranges, paces and triggers that are advised.
    """

    asks: bool
    said: dict[str, tuple[Part, ...]]
    plan: tuple[Part, ...]

    def of(self, family: str) -> tuple[Part, ...]:
        """Return what is said by the roles of a family, the word behind "rubric.", in order."""
        return self.said.get(family, ())


class Spoken(NamedTuple):
    """One sentence of a text. start, end: in the text. said: what it says.

    framed: the sentence in whose frame the places of what it says are counted; None where they are counted from the
    start of the sentence. text: that numbers are read in.
    """

    start: int
    end: int
    said: Words
    framed: Sentence | None
    text: str

    def own(self, place: int) -> int:
        """Return where in the sentence a place of what it says lies."""
        return place if self.framed is None else self.framed.own(place)


def read_sentences(text: str, phrases: Phrases) -> Iterator[Spoken]:
    """Yield the sentences of a text, read by the phrases of the rubric."""
    reading = phrases.read(text)
    is_alone = reading.normal.origin is None and not reading.quotations
    for number, (start, end) in enumerate(reading.sentences):
        asks = text[start:end].rstrip(_CLOSING).endswith(("?", "\uff1f"))
        if not is_alone:
            found = ((match, reading.scope_of(match)) for match in reading.near("rubric", number, 0))
            yield Spoken(start, end, _words(asks, found, start), None, text[start:end])
            continue
        one = reading.lines[number][1]
        frame, key = one.frame, ("rubric", asks)
        words: Words | None = frame.remembered.get(key)
        if words is None:
            matches = frame.matches("rubric")
            words = frame.remember(key, _words(asks, ((match, match.scope) for match in matches), 0))
        yield Spoken(start, end, words, one, one.text)


def _words(asks: bool, found: Iterable[tuple[Match, str]], start: int) -> Words:
    """Return what a sentence says by matches with their scopes; start: what their places are counted from."""
    said: dict[str, list[Part]] = {}
    for match, scope in found:
        if scope not in _UNSAID:
            kind = match.role.removeprefix("rubric.")
            part = Part(kind, scope, match.start - start, match.end - start, match.entry)
            said.setdefault(kind.partition(".")[0], []).append(part)
    plan = [part for part in said.get("plan", ())
            if part.scope in (_ADVISED if part.kind == "plan.order" else _BOUNDED)]
    return Words(asks, {family: tuple(parts) for family, parts in said.items()}, tuple(plan))


class Amount(NamedTuple):
    """A sum in cents or a ratio as it was stated, half a step of its last digit either way.

    low, high: without a sign, each as numerator and denominator.
    """

    unit: str
    start: int
    end: int
    low: tuple[int, int]
    high: tuple[int, int]


@lru_cache(maxsize=KNOWN)
def read_amounts(sentence: str) -> tuple[Amount, ...]:
    """Return the sums and ratios of a sentence, in order.

    Args:
        sentence: as `Spoken.text` has it.
    """
    found = []
    for number in read_numbers(sentence):
        if number.unit in ("money", "ratio"):
            low, below = number.low.as_integer_ratio()
            high, above = number.high.as_integer_ratio()
            step, parts = number.step.as_integer_ratio()
            least = 2 * low * parts - step * below, 2 * below * parts
            most = 2 * high * parts + step * above, 2 * above * parts
            found.append(Amount(number.unit, number.start, number.end, least, most))
    return tuple(found)
