"""What phrases find in a text: its sentences, what matches there, and how it stands.

Sentences are read alone, each word as one character (`predicates.conduct.phrases`). Of each role it is found, and its
scope decided, when it is first asked for.
"""

import re
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from predicates.conduct.normal import Normal
from predicates.conduct.quotation import quotations
from predicates.conduct.scope import REACH, Cue, Place, alone, decide, live_cues
from predicates.conduct.sentences import END, Span

MOST_MATCHES = 100
"""Matches of one redline in one sentence that are weighed; honest words hold a handful."""
MOST_REMEMBERED = 64
"""Of one sentence or frame, what is remembered by so many keys."""
FEW = 64
"""Sentences of a text that are searched whole, at most; of a longer one as far as it is needed."""
SHORT = 400
"""Characters of a sentence that may be remembered, at most."""
LATER = ("claim.", "press.", "control.")
"""The roles of which a text holds many, and few whose scope is asked for (`Reading.scope_of`)."""

WORD = r"[a-z]+(?:'[a-z]+)?"
NUMERAL = r"[0-9]+(?:[.,][0-9]+)*"
TOKEN = re.compile(rf"{WORD}|{NUMERAL}|[,;:()\"%+~/]|-(?=\s)|{END}|[^\x00-\x7f]")

STOP = "\n"  # a sentence's end, in coded text
FIGURE = "00"
"""What stands for every numeral of a sentence where words are looked at, so that their distances do not depend on how
many digits a number has."""

PASSAGE = 3
"""Sentences whose words are weighed together."""

Kept = TypeVar("Kept")


class Match(NamedTuple):
    """One phrase in one place: offsets in code points of the original text, and how the words stand there.

    entry: the entry's id. scope: "asserted", "negated", "quoted", "attributed", "hypothetical", "conditional" or
    "question"; empty where it is decided later (`LATER`). by: the entry that decided the scope, or what else did.
    """

    entry: str
    role: str
    start: int
    end: int
    sentence: int
    scope: str
    by: str = ""


class Passage(NamedTuple):
    """Sentences in a row, by number, and what they weigh together on each scorecard."""

    sentences: tuple[int, ...]
    points: tuple[int, ...]


class Rule:
    """A compiled phrase; its regular expression is made when it is first tried."""

    def __init__(self, entry: str, role: str, source: str) -> None:
        self.entry, self.role, self.source = entry, role, source
        self.family = role.partition(".")[0]
        self.is_later = role.startswith(LATER)

    @cached_property
    def find(self) -> Callable[[str], Iterator[re.Match[str]]]:
        """What yields the places of the phrase in a coded text."""
        return re.compile(self.source).finditer

    @cached_property
    def words(self) -> frozenset[str]:
        """Every character that the phrase spells out."""
        return frozenset(self.source)


_Hit = tuple[int, int, str, Rule]
"""First word, end, entry and rule of a match in coded text."""


class Shape:
    """A coded sentence, and what the phrases find there, of each role when it is first asked for.

    Sentences that differ in numbers and in words that no phrase names have one shape. rules: those likely to match, by
    the first part of their role.
    """

    def __init__(self, coded: str, rules: Iterable[Rule]) -> None:
        self.coded = coded
        self.roles: set[str] = set()  # of all rules
        self.rules: dict[str, list[Rule]] = {}
        for rule in rules:
            self.roles.add(rule.role)
            self.rules.setdefault(rule.family, []).append(rule)
        self._hits: dict[str, list[_Hit]] = {}

    def hits(self, role: str) -> list[_Hit]:
        """Return where the phrases of a role match, in order; its first part alone stands for all that begin so."""
        hits = self._hits.get(role)
        if hits is None:
            family, _, rest = role.partition(".")
            coded = self.coded
            hits = [(*match.span(), rule.entry, rule) for rule in self.rules.get(family, ())
                    if not rest or rule.role == role for match in rule.find(coded)]
            hits.sort()
            self._hits[role] = hits
        return hits

    @cached_property
    def cues(self) -> list[Cue]:
        """The live scope words, in order."""
        return live_cues(Cue(first, last, rule.role, entry)
                         for family in ("scope", "except") for first, last, entry, rule in self.hits(family))


class _Remembering:
    """Remembers what readers made of it, by reader and by what else that depends on."""

    def __init__(self) -> None:
        self.remembered: dict[Hashable, Any] = {}

    def remember(self, key: Hashable, made: Kept) -> Kept:
        """Remember what was made, and forget the rest where it is much."""
        if len(self.remembered) >= MOST_REMEMBERED:
            self.remembered.clear()
        self.remembered[key] = made
        return made


class Frame(_Remembering):
    """What sentences share that differ in their numbers alone: the words, and how the phrases stand there.

    text: with `FIGURE` for every numeral; offsets are those of this text.
    """

    def __init__(
        self, text: str, shape: Shape, codes: Mapping[str, str], weigh: Callable[[str], tuple[int, ...]]
    ) -> None:
        super().__init__()
        self.text, self.shape, self._codes, self._weigh = text, shape, codes, weigh
        self._matches: dict[str, tuple[Match, ...]] = {}
        self._places: dict[Match, _Hit] = {}
        self._scopes: dict[Match, tuple[str, str]] = {}

    @cached_property
    def points(self) -> tuple[int, ...]:
        """What the words weigh on each scorecard (`predicates.conduct.scorecards`); () where there are none."""
        return self._weigh(self.text)

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Where each coded word stands."""
        spans: list[tuple[int, int]] = []
        codes = self._codes
        for token in TOKEN.finditer(self.text):
            code = codes[token[0]]
            if len(code) == 1:
                spans.append(token.span())
            else:
                spans += [token.span()] * len(code)
        return spans

    @cached_property
    def _cues(self) -> tuple[list[Cue], list[int]]:
        """The live scope words, and where each begins."""
        cues = self.shape.cues
        return cues, [self.spans[cue.first][0] for cue in cues]

    def matches(self, role: str) -> tuple[Match, ...]:
        """Return the matches of a role, without scope where that can wait, else as where nothing is quoted."""
        found = self._matches.get(role)
        if found is None:
            found = self._matches[role] = tuple(self._place(self.shape.hits(role)))
        return found

    def _place(self, hits: Iterable[_Hit]) -> Iterator[Match]:
        for hit in hits:
            first, last, entry, rule = hit
            scope, by = ("", "") if rule.is_later else self._decide(hit, False)
            if scope or rule.is_later:
                match = Match(entry, rule.role, self.spans[first][0], self.spans[last - 1][1], 0, scope, by)
                self._places[match] = hit
                yield match

    def scope_of(self, match: Match, in_quotation: bool = False) -> tuple[str, str]:
        """Return how one of the matches stands, and what decided it; ("", entry) where it is none after all."""
        if in_quotation:
            return self._decide(self._places[match], True)
        scope = self._scopes.get(match)
        if scope is None:
            scope = self._scopes[match] = self._decide(self._places[match], False)
        return scope

    def _decide(self, hit: _Hit, in_quotation: bool) -> tuple[str, str]:
        first, last, _, rule = hit
        coded, spans = self.shape.coded, self.spans
        ends = coded.find(STOP, last)
        asks = ends >= 0 and "?" in self.text[slice(*spans[ends])]
        live, places = self._cues
        near = live[bisect_left(places, spans[first][0] - REACH) : bisect_left(places, spans[last - 1][1] + REACH)]
        if not near:
            return alone(asks)
        return decide(Place(coded, spans, first, last, rule.words, asks), rule.role, near, in_quotation)


class Sentence(_Remembering):
    """One sentence of normalised text, and its frame."""

    def __init__(self, text: str, frame: Frame, numerals: Sequence[tuple[int, int]]) -> None:
        super().__init__()
        self.text, self.frame = text, frame
        self._framed: list[int] = []  # where the numerals end, in the frame and in the text
        self._own: list[int] = []
        grown = 0
        for start, end in numerals:
            grown += len(FIGURE) - (end - start)
            self._framed.append(end + grown)
            self._own.append(end)

    def own(self, place: int) -> int:
        """Return where in the text an offset of the frame lies, which is none within a numeral."""
        before = bisect_right(self._framed, place)
        return place + self._own[before - 1] - self._framed[before - 1] if before else place

    def framed(self, place: int) -> int:
        """Return where in the frame an offset of the text lies; one within a numeral is at most its end."""
        before = bisect_right(self._own, place)
        lies = place + self._framed[before - 1] - self._own[before - 1] if before else place
        return min(lies, self._framed[before]) if before < len(self._framed) else lies


class Reading:
    """What the phrases find in one text. Of each family of roles it is found, and its scope decided, when asked for.

    lines: the sentences, each with its offset in the normalised text.
    """

    def __init__(self, text: str, normal: Normal, lines: Sequence[tuple[int, Sentence]]) -> None:
        self.text = text
        self.normal = normal
        self.lines = lines
        self._of: dict[str, list[Match]] = {}
        self._later: dict[Match, tuple[Frame, Match]] = {}
        self._numbers: dict[str, Sequence[int]] = {}

    @cached_property
    def sentences(self) -> tuple[Span, ...]:
        """The sentences, in offsets of the original text."""
        return tuple(Span(*self.normal.span(start, start + len(one.text))) for start, one in self.lines)

    @cached_property
    def passages(self) -> list[Passage]:
        """The passages: `PASSAGE` sentences in a row that hold words, or all of a shorter text."""
        worded = [(number, one.frame.points) for number, (_, one) in enumerate(self.lines) if one.frame.points]
        parts = [worded[first : first + PASSAGE] for first in range(max(1, len(worded) - PASSAGE + 1))]
        return [Passage(tuple(number for number, _ in part),
                        tuple(map(sum, zip(*[points for _, points in part], strict=True)))) for part in parts if part]

    @cached_property
    def _begins(self) -> list[int]:
        """The first sentence of each passage."""
        return [passage.sentences[0] for passage in self.passages]

    def around(self, sentence: int) -> list[Passage]:
        """Return the passages that hold a sentence, `PASSAGE` at most."""
        last = bisect_right(self._begins, sentence)
        return [one for one in self.passages[max(0, last - PASSAGE) : last] if sentence in one.sentences]

    @cached_property
    def heaviest(self) -> tuple[int, ...]:
        """The most points of a passage on each scorecard; () where no sentence holds a word."""
        return tuple(map(max, zip(*[passage.points for passage in self.passages], strict=True)))

    @cached_property
    def quotations(self) -> list[tuple[int, int]]:
        """What stands between quotation marks, in offsets of the original text."""
        return quotations(self.text)

    @cached_property
    def matches(self) -> tuple[Match, ...]:
        """All matches in order of place, without scope words."""
        return tuple(sorted((match for family in self._where.keys() - {"scope", "except"} for match in self.of(family)),
                            key=attrgetter("start", "end", "entry")))

    def scope_of(self, match: Match) -> str:
        """Return how the words of a match stand; for the roles in `LATER` it is decided when it is first asked for."""
        if match.scope:
            return match.scope
        frame, framed = self._later[match]
        return frame.scope_of(framed, self.is_quoted(match.start, match.end))[0]

    def is_quoted(self, start: int, end: int) -> bool:
        """Return whether a stretch of the original text stands between quotation marks."""
        around = bisect_right(self.quotations, (start,)) - 1
        return around >= 0 and end < self.quotations[around][1]

    def has_quotation(self, start: int, end: int) -> bool:
        """Return whether a quotation touches a stretch of the original text."""
        around = bisect_right(self.quotations, (end,)) - 1
        return around >= 0 and self.quotations[around][1] > start

    def of(self, role: str) -> list[Match]:
        """Return the matches of a role; the first part alone stands for all roles that begin with it."""
        found = self._of.get(role)
        if found is None:
            found = self._of[role] = list(self.within(role, 0, len(self.lines)))
        return found

    @cached_property
    def _where(self) -> Mapping[str, Sequence[int]]:
        """The numbers of the sentences in which phrases of a family of roles are likely, by family."""
        where: dict[str, list[int]] = {}
        for number, (_, one) in enumerate(self.lines):
            for family in one.frame.shape.rules:
                where.setdefault(family, []).append(number)
        return where

    @cached_property
    def roles(self) -> set[str]:
        """The roles of which phrases are likely."""
        return set[str]().union(*[one.frame.shape.roles for _, one in self.lines])

    def within(self, role: str, first: int, last: int) -> Iterator[Match]:
        """Yield the matches of a role in the sentences from one to before another; of a long text only these."""
        for number in self.numbers(role, first, last):
            matches = self.lines[number][1].frame.matches(role)
            if matches:
                yield from self._in(number, matches)

    def numbers(self, role: str, first: int = 0, last: int = sys.maxsize) -> Sequence[int]:
        """Return the numbers of the sentences in that range in which phrases of a role match.

        Of a text of many sentences those in which one of its family is likely, so that it may be read no further.
        """
        numbers = self._numbers.get(role)
        if numbers is None:
            numbers = self._where.get(role.partition(".")[0], ())
            if numbers and len(self.lines) <= FEW:
                numbers = [number for number in numbers if self.lines[number][1].frame.shape.hits(role)]
            self._numbers[role] = numbers
        if not numbers or (first <= numbers[0] and numbers[-1] < last):
            return numbers
        return numbers[bisect_left(numbers, first) : bisect_left(numbers, last)]

    def is_overfull(self, role: str, number: int) -> bool:
        """Return whether a sentence holds more matches of a role than are weighed."""
        return len(self.lines[number][1].frame.shape.hits(role)) > MOST_MATCHES

    def near(self, role: str, sentence: int, most: int) -> Iterator[Match]:
        """Yield the matches of a role in a sentence and in those at most so many before or after it."""
        return self.within(role, max(0, sentence - most), sentence + most + 1)

    def _in(self, number: int, matches: Iterable[Match]) -> Iterator[Match]:
        """Yield the matches of one sentence at their places in the original text."""
        offset, one = self.lines[number]
        for framed in matches:
            start, end = one.own(framed.start) + offset, one.own(framed.end) + offset
            if self.normal.origin is not None:
                start, end = self.normal.span(start, end)
            match = Match(framed.entry, framed.role, start, end, number, framed.scope, framed.by)
            if not framed.scope:
                self._later[match] = one.frame, framed
            elif self.quotations and self.is_quoted(start, end):
                scope, by = one.frame.scope_of(framed, True)
                match = match._replace(scope=scope, by=by)
            yield match
