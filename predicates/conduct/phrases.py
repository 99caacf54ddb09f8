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
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import lru_cache, reduce
from operator import add, and_, is_
from typing import Generic, NamedTuple, TypeVar

from predicates.conduct.normal import Normal, fold, is_mixed, normalise
from predicates.conduct.reading import (
    FIGURE,
    NUMERAL,
    SHORT,
    STOP,
    TOKEN,
    WORD,
    Frame,
    Kept,
    Reading,
    Rule,
    Sentence,
    Shape,
)
from predicates.conduct.scorecards import Scorecards
from predicates.conduct.sentences import sentences
from scenarios.canonical import digest
from scenarios.errors import ScenarioError
from scenarios.lexicon import Entry, Lexicon
from scenarios.scorecard import Scorecard

GAP = {"en": 5, "zh": 8}
MOST_GAP = 24
MOST_WAYS = 20_000
"""The most ways in which gaps and optional parts of one phrase may combine at one place."""
MOST_DEPTH = 6
MOST_PARTS = 4
"""Parts of a phrase, the rarest, of which each must be there before it is tried."""
CACHED_TEXTS = 64
CACHED_CHARACTERS = 20_000
"""Of texts up to this length the last 64 are remembered, of longer ones the last."""
CACHED_SENTENCES = 512
"""Short sentences that are remembered: so many that came again, and as many that came once."""
KNOWN_TOKENS = 100_000
DIGIT, NUMERALS = re.compile("[0-9]"), re.compile(NUMERAL)
Key = TypeVar("Key", bound=Hashable)

_SYNTAX = re.compile(rf"\s+|(?P<gap>\.\.\.(?P<most>[0-9]*))|(?P<set><[a-z0-9-]+>)|(?P<mark>[(\[|\])]|!\()"
                     rf"|(?P<token>{WORD}|{NUMERAL}|[#,:%+~/\"]|[^\x00-\x7f])|-|(?P<wrong>.)")

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


class _Memory(Generic[Key, Kept]):
    """What was made of the last texts: of many that came more than once, and of a few that came once."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._once: dict[Key, Kept] = {}
        self._kept: dict[Key, Kept] = {}

    def get(self, text: Key) -> Kept | None:
        """Return what was made of a text, if it is remembered."""
        known = self._kept.get(text)
        if known is None:
            known = self._once.pop(text, None)
            if known is not None:
                _add(self._kept, text, known, self._most)
        return known

    def keep(self, text: Key, made: Kept) -> None:
        """Remember what was made of a text that came for the first time."""
        _add(self._once, text, made, self._most)


def _add(known: dict[Key, Kept], text: Key, made: Kept, most: int) -> None:
    if len(known) >= most:
        del known[next(iter(known))]
    known[text] = made


_Pieces = tuple[Normal, list[tuple[int, str]]]


def _split(text: str, words: frozenset[str]) -> _Pieces:
    """Return the normalised text and its sentences, each with its offset."""
    plain = (_plain if len(text) <= CACHED_CHARACTERS else _plain.__wrapped__)(text)
    return _pieces(normalise(text, words)) if is_mixed(plain[0].text) else plain


@lru_cache(CACHED_TEXTS)
def _plain(text: str) -> _Pieces:
    """Return the same of a text that no word is spelt in with digits or signs."""
    return _pieces(normalise(text))


def _pieces(normal: Normal) -> _Pieces:
    return normal, [(span.start, normal.text[span.start : span.end]) for span in sentences(normal.text)]


class Phrases:
    """Compiled phrases, and the scorecards beside them.

    digest: of the lexicons and scorecards that they were compiled from. roles: all that entries have. deciding: the
    entries of lexicons that are not weighed.
    """

    def __init__(self, lexicons: Sequence[Lexicon], scorecards: Sequence[Scorecard] = ()) -> None:
        entries = [entry for lexicon in lexicons for entry in lexicon.entries]
        self.digest = _digest(lexicons, scorecards)
        self.scorecards = Scorecards(scorecards)
        self.roles = frozenset(entry.role for entry in entries)
        self.deciding = frozenset(entry.id for lexicon in lexicons if not lexicon.weighed for entry in lexicon.entries)
        codes = _Codes()
        parsed = _parse_all(entries, codes)
        common = Counter(key for _, phrase in parsed for keys in phrase.keys for key in keys)
        self.rules: list[Rule] = []
        needed: dict[str, Counter[int]] = {}
        lacking: Counter[int] = Counter()
        naming: Counter[str] = Counter()
        self._numerals = codes.numerals()
        self._unnamed = str.maketrans(dict.fromkeys(self._numerals, NUMBER))
        numerals = f"[{NUMBER}{self._numerals}]"
        for entry, phrase in parsed:
            needs, bit = _anchors(entry, phrase, common)[:MOST_PARTS], 1 << len(self.rules)
            self.rules.append(Rule(entry.id, entry.role, phrase.pattern.replace(NUMBER, numerals)))
            for part, anchors in enumerate(needs):
                for anchor in anchors:
                    needed.setdefault(anchor, Counter())[part] += bit
            for part in range(len(needs), MOST_PARTS):
                lacking[part] += bit
            for numeral in frozenset(self._numerals).intersection(phrase.pattern):
                naming[numeral] += bit
        # Sets of rules are integers with a bit for each: by anchor and number of the part that it serves, those that
        # have no such part, and those that name a numeral.
        self._needed = {anchor: tuple(masks.items()) for anchor, masks in needed.items()}
        self._lacking = [lacking[part] for part in range(MOST_PARTS)]
        self._naming = dict(naming)
        self.table = codes.table()
        self._words = frozenset(word for word in (*codes, *_CONTRACTED) if word.isascii() and word[0].isalpha())
        self.forget()

    def forget(self) -> None:
        """Drop what was remembered of the texts that were read."""
        self._readings: dict[str, Reading] = {}
        self._long: Reading | None = None
        self._sentences = _Memory[str, Sentence](CACHED_SENTENCES)
        self._frames = _Memory[tuple[str, str], Frame](CACHED_SENTENCES)
        self._shapes = _Memory[str, Shape](CACHED_SENTENCES)
        self._plain = _Memory[str, str](CACHED_SENTENCES)

    def read(self, text: str) -> Reading:
        """Return what stands in a text. The last short texts are remembered, for the clauses of one contract."""
        known = self._readings.get(text)
        if known is not None:
            return known
        if self._long is not None and self._long.text == text:
            return self._long
        normal, pieces = _split(text, self._words)
        reading = Reading(text, normal, [(start, self.sentence(piece)) for start, piece in pieces])
        if len(text) > CACHED_CHARACTERS:
            self._long = reading
            return reading
        if len(self._readings) >= CACHED_TEXTS:
            del self._readings[next(iter(self._readings))]
        self._readings[text] = reading
        return reading

    def sentence(self, text: str) -> Sentence:
        """Return a sentence of normalised text as it is read; the last short ones are remembered, and their frames."""
        known = self._sentences.get(text)
        if known is not None:
            return known
        coded = "".join(map(self.table.__getitem__, TOKEN.findall(text)))
        words, numerals = text, []
        if DIGIT.search(text):
            words, numerals = NUMERALS.sub(FIGURE, text), [match.span() for match in NUMERALS.finditer(text)]
            coded = self._without_numerals(coded)
        is_short = len(text) <= SHORT
        frame = self._frames.get((coded, words))
        if frame is None:
            shape = self._shapes.get(coded)
            if shape is None:
                shape = Shape(coded, self.likely(self.anchors(coded)))
                if is_short:
                    self._shapes.keep(coded, shape)
            frame = Frame(words, shape, self.table, self.scorecards.weigh)
            if is_short:
                self._frames.keep((coded, words), frame)
        found = Sentence(text, frame, numerals)
        if is_short:
            self._sentences.keep(text, found)
        return found

    def _without_numerals(self, coded: str) -> str:
        """Return a coded text with every numeral as a number, unless a phrase that names one of them is likely."""
        named = self._naming.keys() & coded
        if not named:
            return coded
        known = self._plain.get(coded)
        if known is None:
            likely = self._likely(self.anchors(coded))
            is_likely = any(likely & self._naming[numeral] for numeral in named)
            known = coded if is_likely else coded.translate(self._unnamed)
            if len(coded) <= SHORT:
                self._plain.keep(coded, known)
        return known

    def anchors(self, coded: str) -> set[str]:
        """Return the words and pairs of words of a coded text."""
        here = {*coded, *map(add, coded, coded[1:])}
        if not here.isdisjoint(self._numerals):
            here.add(NUMBER)
        return here

    def likely(self, anchors: set[str]) -> list[Rule]:
        """Return the rules that these words and pairs of words do not exclude."""
        bits, rules, found = bin(self._likely(anchors))[:1:-1], self.rules, []
        place = bits.find("1")
        while place >= 0:
            found.append(rules[place])
            place = bits.find("1", place + 1)
        return found

    def _likely(self, anchors: set[str]) -> int:
        met = self._lacking.copy()
        for anchor in self._needed.keys() & anchors:
            for part, rules in self._needed[anchor]:
                met[part] |= rules
        return reduce(and_, met)


_COMPILED: dict[str, Phrases] = {}
_LAST: list[tuple[Sequence[Lexicon | Scorecard], Phrases]] = []


def compile_phrases(lexicons: Sequence[Lexicon], scorecards: Sequence[Scorecard] = ()) -> Phrases:
    """Return the compiled phrases of these lexicons beside these scorecards; the last few are remembered by digest.

    Raises:
        ScenarioError: a phrase breaks the syntax, names an unknown set, has no word that it always needs, or
            combines its gaps and optional parts in more than `MOST_WAYS` ways; or a weight is for no run of words.
    """
    parts: tuple[Lexicon | Scorecard, ...] = (*lexicons, *scorecards)
    for known, phrases in _LAST:  # the clauses of one contract ask after each other
        if len(known) == len(parts) and all(map(is_, known, parts)):
            return phrases
    key = _digest(lexicons, scorecards)
    if key not in _COMPILED:
        if len(_COMPILED) >= 8:
            del _COMPILED[next(iter(_COMPILED))]
        _COMPILED[key] = Phrases(lexicons, scorecards)
    _LAST[:] = [(parts, _COMPILED[key])]
    return _COMPILED[key]


def _digest(lexicons: Sequence[Lexicon], scorecards: Sequence[Scorecard]) -> str:
    return digest([*(one.compute_digest() for one in lexicons), *(card.compute_digest() for card in scorecards)])


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
