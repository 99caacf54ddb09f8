"""Phrases that a firm can write without code, and the reading of a text by them.

    will [almost] (surely|certainly) ... (rise|recover|go up)     words, optional, alternatives, a gap
    (肯定|一定|必然)...(涨|回本)                                    a Chinese character is a word
    <certain> ...3 # % !(loss)                                     a set, a gap of at most 3, a number, not followed by

Words match in any case, width and look-alike spelling; blanks, hyphens and marks like * or _ between them do not
matter; "won't" is "will not". `...` skips at most 5 English words or 8 Chinese characters, `...N` at most N, and
never a sentence's end. `<name>` stands for the phrases of every entry with the role `set.name`.

Each word becomes one character, so a phrase becomes a short regular expression over a text a fifth as long, in which
a gap is bounded and the number of ways to try is too (`MOST_WAYS`). A phrase is tried only in a text that holds one
of its anchors: the words, or pairs of Chinese characters, of the part that is rarest in the lexicons. The work is
linear in the text. Source: seed paper 000, appendix M.4, for what is looked for; the design is ours.

Roles that begin with "scope." or "except." decide how other matches stand (`predicates.conduct.scope`).
"""

import re
import sys
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from operator import add, attrgetter, is_
from typing import Any, Generic, NamedTuple, TypeVar

from predicates.conduct.normal import Normal, fold, normalise
from predicates.conduct.quotation import quotations
from predicates.conduct.scope import REACH, Cue, Place, alone, decide, live_cues
from predicates.conduct.sentences import END, Span, sentences
from scenarios.canonical import digest
from scenarios.errors import ScenarioError
from scenarios.lexicon import Entry, Lexicon

GAP = {"en": 5, "zh": 8}
MOST_GAP = 24
MOST_WAYS = 20_000
"""The most ways in which gaps and optional parts of one phrase may combine at one place."""
MOST_DEPTH = 6
MOST_MATCHES = 100
"""Matches of one redline in one sentence that are weighed; honest words hold a handful."""
LATER = ("claim.", "press.", "control.")
"""The roles of which a text holds many, and few whose scope is asked for (`Reading.scope_of`)."""
CACHED_TEXTS = 64
CACHED_CHARACTERS = 20_000
"""Of texts up to this length the last 64 are remembered, of longer ones the last."""
CACHED_SENTENCES = 4_096
CACHED_SENTENCE = 400
"""Of sentences up to this length the last 4,096 that came twice are remembered: advisors and clients repeat."""
KNOWN_TOKENS = 100_000

Kept = TypeVar("Kept")

_WORD = r"[a-z]+(?:'[a-z]+)?"
_NUMBER = r"[0-9]+(?:[.,][0-9]+)*"
TOKEN = re.compile(rf"{_WORD}|{_NUMBER}|[,;:()\"%+~/]|-(?=\s)|{END}|[^\x00-\x7f]")
_SYNTAX = re.compile(rf"\s+|(?P<gap>\.\.\.(?P<most>[0-9]*))|(?P<set><[a-z0-9-]+>)|(?P<mark>[(\[|\])]|!\()"
                     rf"|(?P<token>{_WORD}|{_NUMBER}|[#,:%+~/\"]|[^\x00-\x7f])|-|(?P<wrong>.)")

STOP = "\n"  # a sentence's end, in coded text
OTHER = "."  # a word that stands in no phrase
NUMBER = "#"
_FIRST_CODE = 0xF0000  # the two private planes hold 131,000 words
_PUNCTUATION = {**{mark: mark for mark in ",;:()\"%+~/\u3001\u2014\u2026"}, "-": "\u2014", "/": ","}
_NOT = ("is", "are", "was", "were", "do", "does", "did", "have", "has", "had", "could", "would", "should", "need",
        "must", "might", "may", "ought")
_CONTRACTED = {
    **{f"{word}n't": (word, "not") for word in _NOT}, **{f"{word}nt": (word, "not") for word in _NOT[:13]},
    "won't": ("will", "not"), "wont": ("will", "not"), "can't": ("can", "not"), "cant": ("can", "not"),
    "cannot": ("can", "not"), "shan't": ("shall", "not"), "ain't": ("is", "not"), "gonna": ("going", "to"),
    "gotta": ("got", "to"), "wanna": ("want", "to"),
    **{f"{word}'s": (word, "is") for word in ("it", "that", "there", "he", "she", "what", "here", "this", "who")},
    **{f"{word}'{end}": (word, more) for word in ("i", "you", "he", "she", "it", "we", "they", "that", "there", "this")
       for end, more in (("ll", "will"), ("re", "are"), ("ve", "have"), ("d", "would"))},
    "i'm": ("i", "am"), "let's": ("let", "us"), "lets": ("let", "us"),
}
_SUFFIXES = {"'s": "", "'ll": "will", "'re": "are", "'ve": "have", "'d": "would"}


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


class _Rule:
    """A compiled phrase; its regular expression is made when it is first tried.

    also: sets of anchors of which one of each is needed too.
    """

    def __init__(self, entry: str, role: str, source: str, also: tuple[frozenset[str], ...]) -> None:
        self.entry, self.role, self.source, self.also = entry, role, source, also
        self.family = role.partition(".")[0]
        self.is_later = role.startswith(LATER)

    @cached_property
    def find(self) -> Callable[[str], Iterator[re.Match[str]]]:
        return re.compile(self.source).finditer

    @cached_property
    def words(self) -> frozenset[str]:
        """Every character that the phrase spells out."""
        return frozenset(self.source)


_Hit = tuple[int, int, str, _Rule]
"""First word, end, entry and rule of a match in coded text."""


class _Shape:
    """A coded sentence, and what the phrases find there, of each role when it is first asked for.

    Sentences that differ in numbers and in words that no phrase names have one shape. rules: those likely to match, by
    the first part of their role.
    """

    def __init__(self, coded: str, rules: Iterable[_Rule]) -> None:
        self.coded = coded
        self.rules: dict[str, list[_Rule]] = {}
        for rule in rules:
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


class Sentence:
    """One sentence of normalised text as the phrases read it; offsets are its own.

    remembered: what readers of the sentence found in it, by reader and by what else it depends on. frames: the same for
    all sentences that the phrases read, by what is not peculiar to one of them.
    """

    def __init__(
        self, text: str, shape: _Shape, codes: Mapping[str, str], frames: dict[Hashable, Any]
    ) -> None:
        self.text, self.shape, self._codes, self.frames = text, shape, codes, frames
        self._matches: dict[str, tuple[Match, ...]] = {}
        self._places: dict[Match, _Hit] = {}
        self._scopes: dict[Match, tuple[str, str]] = {}
        self.remembered: dict[Hashable, Any] = {}

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


class Reading:
    """What the phrases find in one text. Of each family of roles it is found, and its scope decided, when asked for.

    lines: the sentences, each with its offset in the normalised text.
    """

    def __init__(self, text: str, normal: Normal, lines: Sequence[tuple[int, Sentence]]) -> None:
        self.text = text
        self.normal = normal
        self.lines = lines
        self._of: dict[str, list[Match]] = {}
        self._later: dict[Match, tuple[Sentence, Match]] = {}

    @cached_property
    def sentences(self) -> tuple[Span, ...]:
        """The sentences, in offsets of the original text."""
        return tuple(Span(*self.normal.span(start, start + len(one.text))) for start, one in self.lines)

    @cached_property
    def quotations(self) -> list[tuple[int, int]]:
        """What stands between quotation marks, in offsets of the original text."""
        return quotations(self.text)

    @cached_property
    def matches(self) -> tuple[Match, ...]:
        """All matches in order of place, without scope words."""
        families = {family for _, one in self.lines for family in one.shape.rules} - {"scope", "except"}
        return tuple(sorted((match for family in families for match in self.of(family)),
                            key=attrgetter("start", "end", "entry")))

    def scope_of(self, match: Match) -> str:
        """Return how the words of a match stand; for the roles in `LATER` it is decided when it is first asked for."""
        if match.scope:
            return match.scope
        one, own = self._later[match]
        return one.scope_of(own, self.is_quoted(match.start, match.end))[0]

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
            for family in one.shape.rules:
                where.setdefault(family, []).append(number)
        return where

    @cached_property
    def families(self) -> frozenset[str]:
        """The first parts of the roles of which phrases are likely."""
        return frozenset(self._where)

    def within(self, role: str, first: int, last: int) -> Iterator[Match]:
        """Yield the matches of a role in the sentences from one to before another; of a long text only these."""
        for number in self.numbers(role, first, last):
            matches = self.lines[number][1].matches(role)
            if matches:
                yield from self._in(number, matches)

    def numbers(self, role: str, first: int = 0, last: int = sys.maxsize) -> Sequence[int]:
        """Return the numbers of the sentences in that range in which phrases of a role's family are likely."""
        numbers = self._where.get(role.partition(".")[0], ())
        return numbers[bisect_left(numbers, first) : bisect_left(numbers, last)] if numbers else ()

    def is_overfull(self, role: str, number: int) -> bool:
        """Return whether a sentence holds more matches of a role than are weighed."""
        return len(self.lines[number][1].shape.hits(role)) > MOST_MATCHES

    def near(self, role: str, sentence: int, most: int) -> Iterator[Match]:
        """Yield the matches of a role in a sentence and in those at most so many before or after it."""
        return self.within(role, max(0, sentence - most), sentence + most + 1)

    def _in(self, number: int, matches: Iterable[Match]) -> Iterator[Match]:
        """Yield the matches of one sentence at their places in the original text."""
        offset, one = self.lines[number]
        for own in matches:
            start, end = own.start + offset, own.end + offset
            if self.normal.origin is not None:
                start, end = self.normal.span(start, end)
            match = Match(own.entry, own.role, start, end, number, own.scope, own.by)
            if not own.scope:
                self._later[match] = one, own
            elif self.quotations and self.is_quoted(start, end):
                scope, by = one.scope_of(own, True)
                match = match._replace(scope=scope, by=by)
            yield match


class _Memory(Generic[Kept]):
    """What was made of the last texts that came more than once; what comes once is not worth its room."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._once: dict[str, None] = {}
        self._kept: dict[str, Kept] = {}
        self.get = self._kept.get

    def keep(self, text: str, made: Kept) -> None:
        """Keep what was made of a text if it came before."""
        known: dict[str, Any] = self._kept if text in self._once else self._once
        if len(known) >= self._most:
            del known[next(iter(known))]
        known[text] = made if known is self._kept else None


@lru_cache(CACHED_TEXTS)
def _split(text: str, words: frozenset[str]) -> tuple[Normal, list[tuple[int, str]]]:
    """Return the normalised text and its sentences, each with its offset."""
    normal = normalise(text, words)
    return normal, [(span.start, normal.text[span.start : span.end]) for span in sentences(normal.text)]


class Phrases:
    """Compiled phrases. digest: of the lexicons that they were compiled from. roles: all that entries have."""

    def __init__(self, lexicons: Sequence[Lexicon]) -> None:
        entries = [entry for lexicon in lexicons for entry in lexicon.entries]
        self.digest = digest([lexicon.compute_digest() for lexicon in lexicons])
        self.roles = frozenset(entry.role for entry in entries)
        codes = _Codes()
        parsed = _parse_all(entries, codes)
        common = Counter(key for _, phrase in parsed for keys in phrase.keys for key in keys)
        self._rules: dict[str, list[_Rule]] = {}
        self._numerals = codes.numerals()
        numerals = f"[{NUMBER}{self._numerals}]"
        for entry, phrase in parsed:
            anchors, *also = _anchors(entry, phrase, common)
            rule = _Rule(entry.id, entry.role, phrase.pattern.replace(NUMBER, numerals), tuple(also))
            for anchor in anchors:
                self._rules.setdefault(anchor, []).append(rule)
        self.table = codes.table()
        self._words = frozenset(word for word in (*codes, *_CONTRACTED) if word.isascii() and word[0].isalpha())
        self.forget()

    def forget(self) -> None:
        """Drop what was remembered of the texts that were read."""
        self._readings: dict[str, Reading] = {}
        self._long: Reading | None = None
        self._sentences = _Memory[Sentence](CACHED_SENTENCES)
        self._shapes = _Memory[_Shape](CACHED_SENTENCES)
        self._frames: dict[Hashable, Any] = {}

    def read(self, text: str) -> Reading:
        """Return what stands in a text. The last short texts are remembered, for the clauses of one contract."""
        known = self._readings.get(text)
        if known is not None:
            return known
        if self._long is not None and self._long.text == text:
            return self._long
        normal, pieces = (_split if len(text) <= CACHED_CHARACTERS else _split.__wrapped__)(text, self._words)
        reading = Reading(text, normal, [(start, self.sentence(piece)) for start, piece in pieces])
        if len(text) > CACHED_CHARACTERS:
            self._long = reading
            return reading
        if len(self._readings) >= CACHED_TEXTS:
            del self._readings[next(iter(self._readings))]
        self._readings[text] = reading
        return reading

    def sentence(self, text: str) -> Sentence:
        """Return a sentence of normalised text as it is read; the last short ones are remembered, and their shapes."""
        known = self._sentences.get(text)
        if known is not None:
            return known
        coded = "".join(map(self.table.__getitem__, TOKEN.findall(text)))
        shape = self._shapes.get(coded)
        if shape is None:
            shape = _Shape(coded, self.likely(self.anchors(coded)))
            if len(coded) <= CACHED_SENTENCE:
                self._shapes.keep(coded, shape)
        found = Sentence(text, shape, self.table, self._frames)
        if len(text) <= CACHED_SENTENCE:
            self._sentences.keep(text, found)
        return found

    def anchors(self, coded: str) -> set[str]:
        """Return the words and pairs of words of a coded text."""
        here = {*coded, *map(add, coded, coded[1:])}
        if not here.isdisjoint(self._numerals):
            here.add(NUMBER)
        return here

    def likely(self, anchors: set[str]) -> list[_Rule]:
        """Return the rules that these words and pairs of words do not exclude."""
        lacks, found = anchors.isdisjoint, []
        for rule in set[_Rule]().union(*map(self._rules.__getitem__, self._rules.keys() & anchors)):
            for part in rule.also:
                if lacks(part):
                    break
            else:
                found.append(rule)
        return found


_COMPILED: dict[str, Phrases] = {}
_LAST: list[tuple[Sequence[Lexicon], Phrases]] = []


def compile_phrases(lexicons: Sequence[Lexicon]) -> Phrases:
    """Return the compiled phrases of these lexicons; the last few are remembered by digest.

    Raises:
        ScenarioError: a phrase breaks the syntax, names an unknown set, has no word that it always needs, or
            combines its gaps and optional parts in more than `MOST_WAYS` ways.
    """
    for known, phrases in _LAST:  # the clauses of one contract ask after each other
        if len(known) == len(lexicons) and all(map(is_, known, lexicons)):
            return phrases
    key = digest([lexicon.compute_digest() for lexicon in lexicons])
    if key not in _COMPILED:
        if len(_COMPILED) >= 8:
            del _COMPILED[next(iter(_COMPILED))]
        _COMPILED[key] = Phrases(lexicons)
    _LAST[:] = [(tuple(lexicons), _COMPILED[key])]
    return _COMPILED[key]


# From a phrase to its pattern and its anchors.


class _Codes(dict[str, str]):
    """The character that stands for each word of the lexicons."""

    def __missing__(self, word: str) -> str:
        self[word] = word if word > "\x7f" and len(word) == 1 else chr(_FIRST_CODE + len(self))
        return self[word]

    def spell(self, token: str) -> str:
        """Return the coded form of one token of a phrase."""
        if token in _PUNCTUATION:
            return _PUNCTUATION[token]
        if token == NUMBER:
            return NUMBER
        return "".join(self[word] for word in _CONTRACTED.get(token, (token.removesuffix("'s"),)))

    def numerals(self) -> str:
        """Return the characters of the numbers that phrases name."""
        return "".join(code for word, code in self.items() if word[0].isdigit())

    def table(self) -> "_Table":
        """Return the coded form of every token that a text can hold and a phrase names."""
        words = {word: code for word, code in self.items() if word.isascii() and word.isalpha()}
        whole = _Table({**self, **_PUNCTUATION, **dict.fromkeys(".!?\u3002\n", STOP)})
        for word, code in words.items():
            for suffix, more in _SUFFIXES.items():
                whole[word + suffix] = code + (self.get(more, OTHER) if more else "")
        for token, parts in _CONTRACTED.items():
            whole[token] = "".join(self.get(part, OTHER) for part in parts)
        return whole


class _Table(dict[str, str]):
    """The coded form of each token; of one that no phrase names, whether it is a number."""

    def __missing__(self, token: str) -> str:
        code = NUMBER if token[0].isdigit() else OTHER
        if len(self) < KNOWN_TOKENS:
            self[token] = code
        return code


class _Phrase(NamedTuple):
    """A parsed phrase.

    keys: for each part that every match holds, the anchors of which it holds one. empty: whether it can match nothing.
    words: all that it matches, if they are plain words; else empty.
    """

    pattern: str
    keys: tuple[frozenset[str], ...]
    ways: int
    empty: bool = False
    words: tuple[str, ...] = ()


def _parse_all(entries: Sequence[Entry], codes: _Codes) -> list[tuple[Entry, _Phrase]]:
    sets: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.role.startswith("set."):
            sets.setdefault(f"<{entry.role.removeprefix('set.')}>", []).append(entry)
    known: dict[str, _Phrase] = {}
    found = []
    for entry in entries:
        if not entry.role.startswith("set."):
            found.append((entry, _Parser(entry, sets, known, codes, 0).whole()))
    return found


class _Parser:
    """Reads one phrase by descent; sets are read when they are met, once."""

    def __init__(
        self, entry: Entry, sets: Mapping[str, list[Entry]], known: dict[str, _Phrase], codes: _Codes, depth: int
    ) -> None:
        self.entry, self.sets, self.known, self.codes, self.depth = entry, sets, known, codes, depth
        self.rest = list(_SYNTAX.finditer(fold(entry.phrase)[0]))[::-1]
        if depth > MOST_DEPTH:
            raise self.wrong(f"sets stand in sets more than {MOST_DEPTH} deep", "take the circle out")

    def wrong(self, what: str, remedy: str) -> ScenarioError:
        return ScenarioError(f"lexicon entry {self.entry.id}", f"{self.entry.phrase!r}: {what}", remedy)

    def whole(self) -> _Phrase:
        phrase = self.choice("")
        if phrase.ways > MOST_WAYS:
            raise self.wrong(f"tries {phrase.ways} ways, at most {MOST_WAYS}", "use fewer or shorter gaps")
        return phrase

    def choice(self, close: str) -> _Phrase:
        """Read alternatives up to the closing mark."""
        parts, last = [self.sequence()], ""
        while self.rest:
            last = self.rest.pop()[0]
            if last == close:
                break
            if last != "|":
                raise self.wrong(f"{last!r} closes nothing", "open it, or take it out")
            parts.append(self.sequence())
        if last != close and close:
            raise self.wrong(f"{close!r} is missing", "close the bracket")
        if not all(part.pattern for part in parts):
            raise self.wrong("an alternative is empty", "write [x] for what may be left out")
        return _either(parts)

    def sequence(self) -> _Phrase:
        parts: list[_Phrase] = []
        word = ""
        while self.rest and self.rest[-1]["mark"] not in ("|", ")", "]"):
            item = self.rest.pop()
            if item["wrong"]:
                raise self.wrong(f"{item[0]!r} means nothing here", "see the syntax in predicates.conduct.phrases")
            if item["token"]:
                word += self.codes.spell(item[0])
                continue
            if word and (item["gap"] or item["set"] or item["mark"]):
                parts.append(_literal(word))
                word = ""
            if item["gap"]:
                parts.append(self.gap(item["most"]))
            elif item["set"]:
                parts.append(self.named(item[0]))
            elif item["mark"]:
                inner = self.choice("]" if item[0] == "[" else ")")
                if item[0] == "[":
                    inner = _Phrase(f"(?:{inner.pattern})?", (), inner.ways + 1, True)
                elif item[0] == "!(":
                    inner = _Phrase(f"(?!{inner.pattern})", (), 1, True)
                parts.append(inner)
        return _after_each_other([*parts, *([_literal(word)] if word else [])])

    def gap(self, most: str) -> _Phrase:
        bound = int(most or GAP[self.entry.language])
        if bound > MOST_GAP:
            raise self.wrong(f"a gap of {bound}, at most {MOST_GAP}", "write a shorter gap")
        return _Phrase(f"[^{STOP}]{{0,{bound}}}?", (), bound + 1, True)

    def named(self, name: str) -> _Phrase:
        if name not in self.known:
            if name not in self.sets:
                raise self.wrong(f"there is no set {name}", f"add entries with the role set.{name[1:-1]}")
            self.known[name] = _either([
                _Parser(entry, self.sets, self.known, self.codes, self.depth + 1).whole() for entry in self.sets[name]
            ])
        return self.known[name]


def _literal(word: str) -> _Phrase:
    keys = {key for key in (map(add, word, word[1:]) if len(word) > 1 else word) if NUMBER not in key} or set(word)
    pattern = "".join(char if char == NUMBER else re.escape(char) for char in word)
    anchors = tuple(frozenset({key}) for key in sorted(keys))
    return _Phrase(pattern, anchors, 1, words=(word,) if NUMBER not in word else ())


def _after_each_other(parts: Sequence[_Phrase]) -> _Phrase:
    if len(parts) == 1:
        return parts[0]
    ways = 1
    for part in parts:
        ways *= part.ways
    keys = tuple(keys for part in parts if not part.empty for keys in part.keys)
    return _Phrase("".join(part.pattern for part in parts), keys, ways, all(part.empty for part in parts))


def _either(parts: Sequence[_Phrase]) -> _Phrase:
    if len(parts) == 1:
        return parts[0]
    words = tuple(word for part in parts for word in part.words)
    others = [part.pattern for part in parts if not part.words]
    empty = any(part.empty for part in parts)
    keys: tuple[frozenset[str], ...] = ()
    if not empty:  # each alternative is known by its rarest keys; one of them stands in every match
        best = [min(part.keys, key=_weight, default=frozenset[str]()) for part in parts]
        keys = (frozenset().union(*best),) if all(best) else ()
    pattern = "|".join([*others, *([_spell(words)] if words else [])])
    ways = sum(part.ways for part in parts if part.ways > 1) or 1
    return _Phrase(f"(?:{pattern})", keys, ways, empty, () if others else words)


def _spell(words: Iterable[str]) -> str:
    """Return a pattern of all these words, the longest first, in which each beginning is tried once."""
    rest: dict[str, list[str]] = {}
    for word in sorted(set(words)):
        rest.setdefault(word[0], []).append(word[1:])
    single = [head for head, ends in rest.items() if ends == [""]]
    longer = []
    for head, ends in rest.items():
        more = [end for end in ends if end]
        if more:
            inner = _spell(more)
            grouped = inner if len(more) == 1 else f"(?:{inner})"
            optional = f"(?:{inner})?" if "" in ends else grouped
            longer.append(re.escape(head) + optional)
    if single:
        longer.append(re.escape(single[0]) if len(single) == 1 else f"[{''.join(map(re.escape, single))}]")
    return "|".join(longer)


def _weight(keys: Iterable[str]) -> tuple[int, int]:
    """Pairs before single words, few before many."""
    keys = list(keys)
    return sum(len(key) == 1 for key in keys), len(keys)


def _anchors(entry: Entry, phrase: _Phrase, common: Counter[str]) -> list[frozenset[str]]:
    """Return the anchors of every part, the rarest first; every match holds one of each."""
    parts = sorted(phrase.keys, key=lambda keys: sum(common[key] for key in keys))
    if not parts:
        what, remedy = "has no word that every match holds", "write one outside of the optional parts"
        raise ScenarioError(f"lexicon entry {entry.id}", f"{entry.phrase!r}: {what}", remedy)
    return parts
