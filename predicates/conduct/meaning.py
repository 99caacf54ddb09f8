"""What an utterance claims of account, market and products: typed numbers and words, each with subject and period.

A number takes its meaning from the nearest word that can measure it: "position", "cash", "lost", "lock-up". Where its
sentence has none, the topic of the words before it holds ("How much is invested?" - "Under half."). Some words are
claims by themselves ("rallying", "no holdings"). All of them are entries of the lexicons, by role:

    claim.MEASURE          gives a number its meaning; one of `MEASURES`. ".alone": claims a direction by itself too
    claim.ignore           takes a number that means something else, such as a shortfall, a chance or an order's size
    claim.word.WORD        a claim in words; one of those that `predicates.conduct.frozen` knows
    claim.period.PERIOD    day, 20td, 3m, recent, total (since the purchase), other, future
    claim.subject.SUBJECT  account, self (a client's account), market, product; other: a scope that is not frozen
    claim.plan, claim.now  what follows in the clause is to be done; is so

Not claims: what is negated, quoted, attributed, imagined, conditional or asked, plans and targets (in "from 65 % to
40 %" the first is a claim, the second the plan), differences, and statements on another scope that is named.
Source: seed paper 000, appendices L.5 and M.4 to M.6; d27 of the fund-advice decisions.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from predicates.conduct.numbers import Quantity, read_numbers
from predicates.conduct.phrases import Match, Reading

MEASURES: Mapping[str, frozenset[str]] = {
    name: frozenset(units.split()) for name, units in {
        "position": "ratio money bare", "cash": "ratio money bare", "drawdown": "ratio", "gain": "ratio money bare",
        "loss": "ratio money bare", "return": "ratio money bare", "nav": "money bare", "value": "money bare",
        "weight": "ratio", "level": "level bare", "start": "date days", "subscription-fee": "ratio bare",
        "redemption-fee": "ratio bare", "management-fee": "ratio bare", "fee": "ratio", "lockup": "days",
        "notice": "days",
        "stated-return": "ratio", "holds": "count", "tolerance": "ratio", "horizon": "days", "reserve": "ratio money",
        "need": "money bare ratio", "price": "bare money", "ignore": "ratio money bare days count",
    }.items()
}
"""The words that give a number its meaning, with the units that they can measure."""

LISTED = frozenset({"gain", "loss", "return"})
RETURNS = LISTED | {"drawdown"}
STATED = frozenset({"tolerance", "horizon", "reserve", "need", "no-need"})
"""What the client stated; "you told us" attributes it and is a claim still."""
STATES = frozenset({"no-holdings", "full", "light", "heavy", "plenty-cash", "no-cash"})
"""Claims in words on the account's state: its owner or a word such as "now" must stand in the same clause."""
TERMS = frozenset({"no-lockup", "no-notice", "no-subscription-fee", "no-redemption-fee", "no-management-fee",
                   "principal-guaranteed", "return-guaranteed"})
"""Claims in words on what a product sheet states."""
RISKS = frozenset({"low-risk", "high-risk"})
COURSES = frozenset({"gain", "loss", "strong", "losing", "minor-losses", "flat-day", "range-market", "rally", "selloff",
                     "big-gain-today",
                     "big-loss-today", "small-drawdown", "large-drawdown"})
"""Claims in words on how things went."""
GUARDS = frozenset({"plan", "maybe", "now"})
TRADES = frozenset({"just-bought", "just-sold", "not-bought", "not-sold"})
"""Claims in words on what the client did."""
SHADING = STATES | COURSES | {"chasing"}
"""Claims in words whose parts claim nothing more: "chase the rally"."""
SHEET = frozenset({"level", "start", "subscription-fee", "redemption-fee", "management-fee", "fee", "lockup", "notice",
                   "stated-return", "price"})

REACH = 60
"""Characters between a number and the word before it that gives it its meaning, at most."""
AFTER = 40
"""The same where the word comes after the number, as in "88 % invested"."""
FAINT = 40
"""What "of your account" and "a year" stand behind other words that measure, in characters."""
TOPIC = 3
"""Sentences for which the measure that a question asks about holds on."""
MOST_NUMBERS = 1_000
"""Numbers of one text that are read; beyond them nothing is claimed."""

_PERIODS = {20: "20td", 28: "20td", 30: "20td", 60: "3m", 63: "3m", 90: "3m"}
_HARD_CUT = re.compile("[;\u2014()\u3002!?\uff0c\uff1b\uff08\uff09]|,(?![0-9]{3})|\\. ")
_SOFT_CUT = re.compile(
    r"\b(?:and|with|but|while|though|as|because|so|which|versus|against|yet)\b|[而但和与跟]|:|同时|不过|可是|所以|因为|加上|另外")
_FROM = re.compile(
    r"(?:from|从|由)(?: (?:the|your|about|around|its|current|roughly|nearly)| ?[目当现]前?在?的?| ?大?约)* ?$")
_ASKS = re.compile("(?:吗|呢|多少|几个|怎么样|如何)[。. ]*$")
_IT = ("it ", "it's ", "its ", "this ", "that ", "they ", "它", "该", "这", "其")
_YOURS = re.compile(
    r"(?:\byour (?:own |existing |current )?|[您你](?:的|手里的|手上的|这笔|那笔|这只|那只|持有的|买的))[\"' ]?$")
_TO = re.compile(
    r"(?:\b(?:to|below|above|under|within)|到|至|成|为)"
    r"(?: (?:about|around|roughly|only|just|the|a|at|most|least)| ?大?约)* ?$")
_REACHED = re.compile("(?:回撤|跌|亏)(?:到|至) ?$")
_THEN = re.compile(
    " ?(?:or more |以上|以内|以下|左右|的话|时)?"
    "(?:就|则|便|时|离场|止损|止盈|走人|清仓"
    "|(?:that )?(?:we|you) (?:agreed|set|planned)|[^,;，]{0,4}都?(?:不会|别留|不留|没有)"
    "|[^,;]{0,24}\\buntil\\b)")
_FIGURE = re.compile("[0-9%成只支点]|percent|funds|holdings|positions")
_PART_OF = re.compile(
    " of (?:your|the|our|its|that|this)? ?(?:remaining |available |free |current )?(?:cash|position)\\b")
_ASIDE = re.compile(", ?(?:ha[sv]|is|are|was|were)")
_GENERIC = re.compile(r"\b(?:an?|any|such) (?:maximum |max |typical )?$")
_DENIED = re.compile(r"(?:\bnot|n't|不是|并非)(?: (?:about|around|at))? ?$")
_LEVEL_SAID = re.compile(
    r"(?:\b(?:is|are|it's|that's|rated|says?|as|class|level|rating|category|only|at|be|being)|[是为属级标到]|显示)"
    r"[ :]{0,2}(?:a |an |only |just |about |的|在|只)?$")
_LEVEL_DENIED = re.compile(
    r"(?:\bnot|n't|不是|并非|而非|up to|above|below|over|最高到|不超过|以上|unlock[a-z]*)[^,.;，。]{0,8}$")
_DIFFERENCE = re.compile(
    r" ?(?:points? )?(?:(?:above|below|over|under|short of|(?:more|less|higher|lower|better|worse) than)"
    r" (?:the|your|what|our|its|that)\b(?! (?:past|last|same|quarter|month|year|period|whole|three|first|twenty|20))"
    r"|(?:less|more) than\b|(?:more|less)\b)|[的]?(?:差距|差额)")


class Mention(NamedTuple):
    """An instrument that a text names: by id, alias or one of the names of its product sheet."""

    start: int
    end: int
    instrument: str


class Word(NamedTuple):
    """A match of a claims lexicon. kind: its role without "claim."."""

    start: int
    end: int
    kind: str
    match: Match


class Topic(NamedTuple):
    """What was spoken of last: the measure with its rule, the subject with its instruments, the period.

    left: sentences for which the measure still holds. figure: the last share that was stated without a word that
    tells what it measures.
    """

    measure: str = ""
    entry: str = ""
    left: int = 0
    subject: str = ""
    instruments: tuple[str, ...] = ()
    period: str = ""
    figure: Quantity | None = None


NO_TOPIC = Topic()
NO_WORD = Word(0, 0, "", Match("", "", 0, 0, 0, ""))
TOPICAL = "topic"


class Claim(NamedTuple):
    """What was said. start, end: offsets of the number or word in code points of the original text.

    measure: one of `MEASURES`, "word", or "figure": a share set against another one, the rival. word: the claim's
    word. sign: -1 for what was lost, 0 if not stated. entry: of the lexicon; empty where the unit alone tells the
    meaning (R4). scope: "asserted", or why it is no claim.
    """

    measure: str
    word: str
    quantity: Quantity | None
    start: int
    end: int
    sentence: int
    entry: str
    scope: str
    sign: int
    period: str
    subject: str
    instruments: tuple[str, ...]
    rival: Quantity | None = None


class _Line:
    """One sentence: its words by what they are for, its mentions, where its clauses end, and the topic before it."""

    def __init__(self, reading: Reading, number: int, span: tuple[int, int], words: Sequence[Word],
                 mentions: Sequence[Mention], topic: Topic, own: bool) -> None:
        self.reading, self.number, self.topic, self.mentions, self.own = reading, number, topic, mentions, own
        self.start, self.end = reading.normal.span(*span)
        self.plain = reading.normal.text[span[0] : span[1]]
        self.anchors: list[Word] = []
        self.said: list[Word] = []
        self.guards: list[Word] = []
        self.others: list[Word] = []
        self.marks: list[tuple[int, int, str]] = []
        self.subjects: list[tuple[int, str, str]] = [(one.start, "product", one.instrument) for one in mentions]
        for word in words:
            kind = word.kind
            if kind in MEASURES:
                self.anchors.append(word)
            elif kind.startswith("word."):
                self.said.append(word)
            elif kind.startswith("subject."):
                self.subjects.append((word.start, kind[8:], ""))
            elif kind.startswith("period."):
                self.marks.append((word.start, word.end, kind[7:]))
            elif kind.endswith(".alone"):
                self.anchors.append(word._replace(kind=kind[:-6]))
                self.said.append(word)
            elif kind in GUARDS:
                self.guards.append(word)
            else:
                self.others.append(word)
        self.subjects.sort()

    @cached_property
    def text(self) -> str:
        """The sentence in small letters, as long as it was written."""
        normal = self.reading.normal
        return self.plain if normal.origin is None else self.reading.text[self.start : self.end].lower()

    @cached_property
    def hard(self) -> list[int]:
        """Where clauses end."""
        return [self.start + match.start() for match in _HARD_CUT.finditer(self.text)]

    @cached_property
    def soft(self) -> list[int]:
        """Where a clause may fall into two."""
        return [self.start + match.start() for match in _SOFT_CUT.finditer(self.text)]

    def before(self, place: int, most: int) -> str:
        """Return the text before a place, in small letters."""
        return self.text[max(0, place - self.start - most) : place - self.start]

    def after(self, place: int, most: int) -> str:
        """Return the text from a place on."""
        return self.text[place - self.start : place - self.start + most]

    def clause(self, place: int) -> tuple[int, int]:
        """Return where the clause begins and ends that a place lies in."""
        index = bisect_right(self.hard, place)
        return self.hard[index - 1] if index else self.start, self.hard[index] if index < len(self.hard) else self.end

    def has(self, kind: str, low: int, high: int) -> bool:
        """Return whether a word of a kind begins between two places."""
        return any(word.kind == kind and low <= word.start < high for word in self.others)

    @cached_property
    def asks(self) -> bool:
        """Whether the sentence is a question."""
        return self.text.rstrip(" \"')").endswith(("?", "\uff1f"))

    def scope_near(self, place: int) -> str:
        """Return how a number stands that has no measuring word of its own: as the word nearest to it does."""
        words = [*self.anchors, *self.said, *self.guards, *self.others]
        if not words:
            return "question" if self.asks else "asserted"
        return self.reading.scope_of(min(words, key=lambda word: abs(word.start - place)).match)


def read_text(
    reading: Reading, mentions: Sequence[Mention], topic: Topic = NO_TOPIC, *, own: bool = False
) -> tuple[list[Claim], Topic]:
    """Return the claims of one text, in order of place, and the topic that it leaves.

    Args:
        reading: the text, read by phrases that include a claims lexicon.
        mentions: the instruments that it names, in order of place.
        topic: of the words before it.
        own: whether the account is the speaker's own, so that "I" and "my" speak of it.
    """
    words: dict[int, list[Word]] = {}
    for match in reading.matches:
        if match.role.startswith("claim."):
            kind = match.role[6:]
            if kind == "subject.self":
                if not own:
                    continue
                kind = "subject.account"
            words.setdefault(match.sentence, []).append(Word(match.start, match.end, kind, match))
    if not words and not mentions and not topic.left and not _FIGURE.search(reading.normal.text):
        return [], topic
    claims: list[Claim] = []
    left = MOST_NUMBERS
    for number, span in enumerate(reading.folded):
        start, end = reading.normal.span(*span)
        named = mentions[bisect_left(mentions, (start,)) : bisect_left(mentions, (end,))] if mentions else ()
        line = _Line(reading, number, span, _outermost(words.get(number, ())), named, topic, own)
        found: list[Quantity] = []
        if left and (line.anchors or topic.left or line.others or _FIGURE.search(line.plain)):
            found = [_moved(one, reading, span[0]) for one in read_numbers(line.plain)[:left]]
            left -= len(found)
        if found or line.said or line.mentions:
            claims += _claims_of(line, [one for one in found if not _is_inside(one, line)])
        topic = _topic_after(line, next((one for one in found if one.unit == "ratio"), None))
    return sorted(claims, key=lambda claim: claim.start), topic


def _outermost(words: Sequence[Word]) -> list[Word]:
    """Return the words that lie in no longer one; what a claim in words is made of may measure, but claims nothing."""
    kept: list[Word] = []
    reached = claimed = -1
    last, span = "", (0, 0)
    for word in sorted(words, key=lambda word: (word.start, -word.end)):
        if word.kind.startswith("word."):
            if word.start >= claimed or last != word.kind:
                kept.append(word)
                last = word.kind
                claimed = max(claimed, word.end) if last[5:] in SHADING else claimed
        elif word.kind in GUARDS:
            if word.end > reached or (word.start, word.end) == span:
                kept.append(word)
        elif word.end > reached or (word.start, word.end) == span:
            reached, span = word.end, (word.start, word.end)
            inside = word.start < claimed and word.kind.endswith(".alone")
            kept.append(word._replace(kind=word.kind[:-6]) if inside else word)
    return kept


def _moved(one: Quantity, reading: Reading, offset: int) -> Quantity:
    if reading.normal.origin is None and not offset:
        return one
    start, end = reading.normal.span(one.start + offset, one.end + offset)
    return one._replace(start=start, end=end)


def _is_inside(one: Quantity, line: _Line) -> bool:
    """Return whether a number is part of a name ("CSI 300") or of a claim in words."""
    around = [(word.start, word.end) for word in line.said if word.kind.startswith("word.")]
    around += [(mention.start, mention.end) for mention in line.mentions]
    return any(start <= one.start and one.end <= end for start, end in around)


def _claims_of(line: _Line, numbers: Sequence[Quantity]) -> Iterator[Claim]:
    measured: list[tuple[Quantity, Word]] = []
    levels: list[Quantity] = []
    loose: list[Quantity] = []
    starts = [word.start for word in line.anchors]
    for one in numbers:
        anchor = _anchor_of(line, one, starts, numbers)
        if one.unit == "date" and anchor is None:
            line.marks.append((one.start, one.end, "other"))
        elif one.unit == "days" and (anchor is None or anchor.kind == "ignore"):
            line.marks.append((one.start, one.end, _PERIODS.get(int(one.low), "span")))
        elif anchor is not None:
            measured.append((one, anchor))
        elif one.unit == "level":
            levels.append(one)
        elif one.unit == "ratio":
            loose.append(one)
    line.marks.sort()
    used = {anchor.start for _, anchor in measured}
    for one, anchor in _nearest(line, measured):
        if anchor.kind != "ignore" and not _is_difference(line, one, anchor):
            scope = line.scope_near(one.start) if anchor.match.role == TOPICAL else line.reading.scope_of(anchor.match)
            yield _claim(line, anchor.kind, "", one, anchor, scope)
    for one in levels:
        yield _claim(line, "level", "", one, None, _scope_of_level(line, one))
    if line.topic.figure is not None and any(word.kind in ("insist", "source") for word in line.others):
        for one in loose[:1]:
            claim = _claim(line, "figure", "", one, None, line.scope_near(one.start))
            yield claim._replace(rival=line.topic.figure, subject="account", instruments=())
    for word in line.said:
        if word.kind.startswith("word.") or word.start not in used:
            yield _in_words(line, word)
    for mention in line.mentions:
        if _YOURS.search(line.before(mention.start, 24)):
            yield Claim("word", "held", None, mention.start, mention.end, line.number, "",
                        "question" if line.asks else "asserted", 0, "", "product", (mention.instrument,))


def _anchor_of(line: _Line, one: Quantity, starts: Sequence[int], numbers: Sequence[Quantity]) -> Word | None:
    """Return the nearest word that can measure the number, one that comes after it must stand close; else the topic."""
    best, least = None, REACH + 40
    place = bisect_left(starts, one.start)
    for word in (*line.anchors[max(0, place - 5) : place], *line.anchors[place : place + 3]):
        if one.unit not in MEASURES[word.kind] or not _fits(one, word.kind):
            continue
        before = word.start < one.start
        if not before and _PART_OF.match(line.after(one.end, 40)):
            return None
        if word.kind in LISTED and (line.after(word.end, 4) == " to " or _is_ordered(line, word, one)):
            continue
        low, high = (word.end, one.start) if before else (one.end, word.start)
        gap, cuts = max(high - low, 0), _count(line.hard, low, high)
        if gap > (REACH if before else AFTER) or (cuts and not before and not _ASIDE.match(line.after(low, 6))):
            continue
        if cuts and line.has("correct", low, high):
            gap = cuts = 0
        if cuts and one.unit == "days":
            continue
        between = sum(low <= other.start < high for other in numbers[:40])
        if between and word.kind not in LISTED and (cuts or word.kind == "drawdown"):
            continue
        cost = gap + 25 * cuts + 10 * _count(line.soft, low, high) + (0 if before else 3) + 20 * between
        cost += FAINT * ((word.kind == "weight" and not line.mentions) or (word.kind == "stated-return" and not before))
        if cost < least:
            best, least = word, cost
    if best is not None and best.kind == "loss" and one.unit == "ratio":
        low, _ = line.clause(one.start)
        low = max([low, *(other.end for other in numbers[:40]
                        if other.unit == "ratio" and other.end <= one.start)])
        fallen = [word for word in line.anchors if word.kind == "drawdown" and low <= word.start < one.start]
        return fallen[-1] if fallen else best
    return best or _owned(line, one) or _topical(line, one)


def _owned(line: _Line, one: Quantity) -> Word | None:
    """Return the measure of a number that stands by a possessive or a name: "your three funds", "F1 is 10,000 yuan"."""
    kind = ""
    if one.unit == "count" and _YOURS.search(line.before(one.start, 24)):
        kind = "holds"
    elif one.unit == "money" and line.mentions and not line.anchors:
        low, _ = line.clause(one.start)
        kind = "value" if any(low <= mention.start < one.start for mention in line.mentions) else ""
    return Word(one.start, one.start, kind, Match("", TOPICAL, one.start, one.start, line.number, "")) if kind else None


def _is_ordered(line: _Line, word: Word, one: Quantity) -> bool:
    """Return whether an order stands between a word for a gain or loss and the number: "up today, so trim 5 %"."""
    return any(guard.kind == "plan" and word.end <= guard.start < one.start for guard in line.guards)


def _topical(line: _Line, one: Quantity) -> Word | None:
    """Return the measure of the topic, where it can measure the number and no word of the clause can."""
    topic = line.topic
    if not topic.left or one.unit not in MEASURES[topic.measure] or not _fits(one, topic.measure):
        return None
    low, high = line.clause(one.start)
    if any(one.unit in MEASURES[word.kind] and low <= word.start < high for word in line.anchors):
        return None
    return Word(one.start, one.start, topic.measure, Match(topic.entry, TOPICAL, one.start, one.start, line.number, ""))


def _fits(one: Quantity, measure: str) -> bool:
    """Return whether a number can be what is measured: no signed share of money, a bare share below one or amount."""
    if one.sign and measure in ("position", "cash", "weight", "nav"):
        return False
    if one.unit != "bare":
        return True
    if measure == "level":
        return 1 <= one.low <= 5 and one.low.denominator == 1
    if measure in ("position", "subscription-fee", "redemption-fee", "management-fee"):
        return one.low == 0 or (one.low < 1 and measure == "position")
    return measure in ("price", "ignore") or one.low >= 100


def _count(places: Sequence[int], low: int, high: int) -> int:
    return bisect_left(places, high) - bisect_left(places, low)


def _nearest(line: _Line, measured: Sequence[tuple[Quantity, Word]]) -> Iterable[tuple[Quantity, Word]]:
    """Return the pairs without a number that takes its word from another clause, where a nearer number has it.

    Returns are told in lists ("quarter -9.8 %, month -7.3 %"), and a number may correct the one before it.
    """
    if len(measured) < 2:
        return measured
    nearest: dict[int, int] = {}
    for one, word in measured:
        gap = max(word.start - one.end, one.start - word.end)
        nearest[word.start] = min(gap, nearest.get(word.start, gap))

    def stays(one: Quantity, word: Word) -> bool:
        if max(word.start - one.end, one.start - word.end) == nearest[word.start]:
            return True
        low, high = min(one.end, word.end), max(one.start, word.start)
        told = one.unit == "ratio" and word.kind in LISTED
        apart = one.unit == "days" or _count(line.hard, low, high)
        return told or not apart or line.has("correct", low, high)

    return [pair for pair in measured if stays(*pair)]


def _claim(
    line: _Line, measure: str, word: str, quantity: Quantity | None, anchor: Word | None, scope: str
) -> Claim:
    at = quantity or anchor or NO_WORD
    sign = -1 if measure == "loss" else 0 if quantity is None else quantity.sign
    first, last = (at.start, at.end) if anchor is None else (min(at.start, anchor.start), max(at.end, anchor.end))
    named = word or measure
    if measure == "drawdown" and anchor is not None and not line.subjects and _GENERIC.search(
            line.before(anchor.start, 12)):
        scope = "mentioned"
    if quantity is not None and _DENIED.search(line.before(at.start, 16)):
        scope = "negated"
    if scope == "attributed" and (named in STATED or line.has("source", line.start, at.end)):
        scope = "asserted"
    if scope == "asserted" and (not word or word in STATES or word in COURSES) and _is_planned(line, at, named):
        scope = "planned"
    of_product = named in SHEET or named in TERMS or (named in ("weight", "value") and bool(line.mentions))
    subject, instruments = _subject_at(line, first, last, of_product)
    return Claim(measure, word, quantity, at.start, at.end, line.number, "" if anchor is None else anchor.match.entry,
                 scope, sign, _period_at(line, at.start, at.end), subject, instruments)


def _in_words(line: _Line, word: Word) -> Claim:
    name = word.kind.removeprefix("word.").removesuffix(".alone")
    claim = _claim(line, "word", name, None, word, line.reading.scope_of(word.match))
    low, high = line.clause(word.start)
    if name in ("gain", "loss") and not line.marks:
        return claim._replace(period="")
    if name in TRADES:
        named = [one.instrument for one in line.mentions if low <= one.start < high]
        return claim._replace(instruments=tuple(dict.fromkeys(named)))
    if name in ("held", "not-held"):
        first = word.start if name == "held" else low
        named = [one.instrument for one in line.mentions if first <= one.start < high]
        return claim._replace(subject="product", instruments=tuple(dict.fromkeys(named)))
    if claim.scope == "asserted" and name in STATES | RISKS:
        kinds = {kind for place, kind, _ in line.subjects if low <= place < word.end}
        owned = not kinds.isdisjoint({"account", "product"} if name in RISKS else {"account"})
        now = name in STATES and any(guard.kind == "now" and low <= guard.start < word.end for guard in line.guards)
        if not owned and not now and not line.own and not (name in RISKS and claim.instruments):
            return claim._replace(scope="mentioned")
    return claim


def _is_planned(line: _Line, at: Quantity | Word, named: str) -> bool:
    """Return whether the clause makes a plan, a condition or a guess of what is said: "trim to 40 %", "may fall 5 %".

    What a product sheet states cannot be planned, and returns only be guessed. A word such as "now" after the plan, or
    "from" before the number, makes it a claim again.
    """
    if named in SHEET:
        return False
    start, end = line.clause(at.start)
    if _THEN.match(line.after(at.end, end - at.end)):
        return True
    guessed = named in RETURNS or named in COURSES
    if named == "drawdown" and _REACHED.search(line.before(at.start, 8)) and not any(
            word.kind == "now" and start <= word.start < end for word in line.guards):
        return True
    last = planned = ""
    for word in line.guards:
        if start <= word.start and word.end <= at.start + 1 and (
                not guessed or word.kind == "maybe") and (named not in STATED or word.kind == "plan"):
            last = word.kind
            planned = planned or (last if last == "plan" else "")
    if last == "now":
        return bool(planned and _TO.search(line.before(at.start, 40)))
    return bool(last) and not (last == "plan" and _FROM.search(line.before(at.start, 40)))


def _is_difference(line: _Line, one: Quantity, anchor: Word) -> bool:
    return one.unit == "ratio" and anchor.kind != "drawdown" and bool(_DIFFERENCE.match(line.after(one.end, 30)))


def _scope_of_level(line: _Line, one: Quantity) -> str:
    before = line.before(one.start, 16)
    if _LEVEL_DENIED.search(before):
        return "negated"
    return line.scope_near(one.start) if _LEVEL_SAID.search(before) else "mentioned"


def _period_at(line: _Line, start: int, end: int) -> str:
    """Return the period named nearest in the clause, else the last one before it in the sentence or the topic."""
    if not line.marks:
        return line.topic.period
    low, high = line.clause(start)
    inside = [mark for mark in line.marks if low <= mark[0] < high]
    for strongest in ("other", "future"):
        if any(mark[2] == strongest for mark in inside):
            return strongest
    if inside:
        return min(inside, key=lambda mark: max(mark[0] - end, start - mark[1], 0))[2]
    earlier = [mark for mark in line.marks if mark[0] < start]
    return earlier[-1][2] if earlier else line.topic.period


def _subject_at(line: _Line, start: int, end: int, of_product: bool) -> tuple[str, tuple[str, ...]]:
    """Return what is spoken of, with the instruments: named in the clause, else before it, else the topic.

    of_product: only a product can have what is claimed, whoever owns it. Another scope, once named, lasts through the
    sentence, until a clause names the account or an instrument again.
    """
    found = [one for one in line.subjects if of_product and one[1] in ("product", "other")] or line.subjects
    low, high = line.clause(start)
    before = [one for one in found if one[0] < end]
    inside = [one for one in before if one[0] >= low]
    after = [one for one in found if end <= one[0] < high]
    chosen = inside or (after[:1] if not before else []) or before
    if not chosen:
        topic = line.topic
        carried = topic.subject != "product" or of_product or topic.left or line.text.lstrip().startswith(_IT)
        return (topic.subject, topic.instruments) if carried else ("", ())
    kind = chosen[-1][1]
    if inside and kind == "account":
        near = max([low, *(cut for cut in line.soft if low <= cut < end)])
        held = [one for one in inside if one[2] and one[0] >= near]
        kind, chosen = ("product", held) if held else (kind, chosen)
    other = any(one[1] == "other" for one in (inside or before))
    if other and (not inside or not chosen[-1][2]):
        return "other", ()
    named = tuple(dict.fromkeys(name for _, one, name in chosen if one == kind and name))
    if kind == "product" and not named and line.topic.subject == "product":
        named = line.topic.instruments
    return kind, named


def _topic_after(line: _Line, share: Quantity | None) -> Topic:
    topic = line.topic
    anchors = [word for word in line.anchors if word.kind != "ignore"]
    measure, entry, left = topic.measure, topic.entry, max(topic.left - 1, 0)
    asks = line.asks or bool(_ASKS.search(line.text))
    if anchors:
        measure, entry, left = anchors[-1].kind, anchors[-1].match.entry, TOPIC if asks else 0
    return Topic(
        measure, entry, left,
        line.subjects[-1][1] if line.subjects else topic.subject,
        (line.mentions[-1].instrument,) if line.mentions else topic.instruments,
        next((kind for _, _, kind in reversed(line.marks) if asks and kind not in ("span", "future")), ""),
        None if anchors else share or topic.figure,
    )
