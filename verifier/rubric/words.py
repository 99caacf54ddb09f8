"""What each sentence of a text says by the phrases of the rubric, and the sums and ratios in it.

Advisors and clients say the same again with other numbers, so what a sentence says is remembered, for all sentences
that differ from it in nothing but digits. That is exact in plain text, of which `_PLAIN` says what it is made of: no
quotation, markup, list or look-alike, so that a sentence says by itself what it says among others, and one character
is matched as one. Phrases see of a number only where it stands, unless they name it ("20"), so a number that a phrase
names is part of what sentences have to share. All other text is read whole, each time.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from predicates.conduct.numbers import read_numbers
from predicates.conduct.phrases import Phrases
from predicates.conduct.reading import Match, Reading
from scenarios.lexicon import Lexicon

_ADVISED = frozenset({"asserted", "conditional"})
_BOUNDED = _ADVISED | {"question"}  # a size may be proposed as a question, an order may not
_UNSAID = frozenset({"quoted", ""})  # "": an exception takes the match away
_CLOSING = " \n\t\"')\u201d\u2019\u300d\uff09"
KNOWN = 4_096
"""Sentences of which it is remembered what they say, and of which the sums and ratios are."""
MOST_CHARACTERS = 2_000
"""Of plain text; a longer one may hold a sentence that is cut (`predicates.conduct.sentences`)."""

_PLAIN = re.compile(
    r"(?:[A-Za-z]++(?:'[a-z]++)?+(?![0-9'])|R[1-5](?![A-Za-z0-9'])|[0-9]++(?![A-Za-z']|\uff0c[0-9])"
    r"|[\u4e00-\u9fff\uff0c\uff1a\uff1b\u3001]|[.!?\u3002\uff01\uff1f](?![')\uff09])| (?! )|[(),:;%+/\uff08\uff09-])*+")
_NUMERAL = re.compile(r"[0-9]++(?:[.,][0-9]++)*+")
_ZEROS = str.maketrans("123456789", "000000000")


class Part(NamedTuple):
    """What a phrase of the rubric says. kind: its role without "rubric."; start, end: in the sentence; rule: entry."""

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


def numerals_of(lexicons: Iterable[Lexicon]) -> frozenset[str]:
    """Return the numbers that phrases name, in digits, and those that only look so: too many do no harm."""
    return frozenset(number for lexicon in lexicons for entry in lexicon.entries
                     for number in _NUMERAL.findall(unicodedata.normalize("NFKC", entry.phrase)))


def read_sentences(
    text: str, claims: Phrases, words: Phrases, numerals: frozenset[str] | None
) -> Iterator[tuple[int, int, Words]]:
    """Yield start, end and words of each sentence of a text.

    Args:
        text: as it was written.
        claims: the phrases that the clauses have read it by.
        words: the phrases of the rubric.
        numerals: the numbers that these name, in digits; without them nothing is remembered.
    """
    if numerals is None or len(text) > MOST_CHARACTERS or not _PLAIN.fullmatch(text):
        yield from _read(words.read(text), text)
        return
    for start, end in claims.read(text).sentences:
        sentence = text[start:end]
        named = tuple([number for number in _NUMERAL.findall(sentence) if number in numerals])
        key = words.digest, sentence.translate(_ZEROS), named
        known = _KNOWN.get(key)
        if known is None:
            if len(_KNOWN) >= KNOWN:
                del _KNOWN[next(iter(_KNOWN))]
            ((_, _, known),) = _read(words.read(sentence), sentence)
            _KNOWN[key] = known
        yield start, end, known


_KNOWN: dict[tuple[str, str, tuple[str, ...]], Words] = {}


def _read(reading: Reading, text: str) -> Iterator[tuple[int, int, Words]]:
    matches: dict[int, list[Match]] = {}
    for match in reading.of("rubric"):
        matches.setdefault(match.sentence, []).append(match)
    for number, (start, end) in enumerate(reading.sentences):
        said: dict[str, list[Part]] = {}
        for match in matches.get(number, ()):
            scope = reading.scope_of(match)
            if scope not in _UNSAID:
                kind = match.role.removeprefix("rubric.")
                part = Part(kind, scope, match.start - start, match.end - start, match.entry)
                said.setdefault(kind.partition(".")[0], []).append(part)
        asks = text[start:end].rstrip(_CLOSING).endswith(("?", "\uff1f"))
        plan = [part for part in said.get("plan", ())
                if part.scope in (_ADVISED if part.kind == "plan.order" else _BOUNDED)]
        yield start, end, Words(asks, {family: tuple(parts) for family, parts in said.items()}, tuple(plan))


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
    """Return the sums and ratios of a sentence, in order."""
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
