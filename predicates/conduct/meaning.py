"""What an utterance claims of account, market and products: typed numbers and words, each with subject and period.

A number takes its meaning from the nearest word that can measure it: "position", "cash", "lost", "lock-up". Where its
sentence has none, the topic of the words before it holds ("How much is invested?" - "Under half."). Some words are
claims by themselves ("rallying", "no holdings"). All of them are entries of the lexicons, by role:

    claim.MEASURE          gives a number its meaning; one of `MEASURES`. ".alone": claims a direction by itself too
    claim.ignore           takes a number that means something else, such as a shortfall, a chance or an order's size
    claim.word.WORD        a claim in words; one of those that `predicates.conduct.frozen` knows
    claim.period.PERIOD    day, 20td, 3m, recent, total (since the purchase), ever (of a product), other, future
    claim.subject.SUBJECT  account, self (a client's account), market, product; other: a scope that is not frozen
    claim.plan, claim.now  what follows in the clause is to be done; is so

Not claims: what is negated, quoted, attributed, imagined, conditional or asked, plans and targets (in "from 65 % to
40 %" the first is a claim, the second the plan), differences, and statements on another scope that is named.
Source: seed paper 000, appendices L.5 and M.4 to M.6; d27 of the fund-advice decisions.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import zip_longest
from operator import attrgetter
from typing import Any, NamedTuple

from predicates.conduct import wording
from predicates.conduct.numbers import Quantity, read_numbers
from predicates.conduct.reading import Frame, Match, Reading, Sentence

MEASURES: Mapping[str, frozenset[str]] = {
    name: frozenset(units.split()) for name, units in {
        "position": "ratio money bare", "cash": "ratio money bare", "drawdown": "ratio", "gain": "ratio money bare",
        "loss": "ratio money bare", "return": "ratio money bare", "nav": "money bare", "value": "money bare",
        "weight": "ratio", "level": "level bare", "start": "date days", "subscription-fee": "ratio bare",
        "redemption-fee": "ratio bare", "management-fee": "ratio bare", "fee": "ratio", "lockup": "days",
        "notice": "days",
        "stated-return": "ratio", "holds": "count", "tolerance": "ratio", "horizon": "days", "reserve": "ratio money",
        "need": "money bare ratio", "price": "bare money", "sum": "money bare",
        "unfrozen": "ratio money bare count days", "ignore": "ratio money bare days count",
    }.items()
}
"""The words that give a number its meaning, with the units that they can measure."""

LIMITED = frozenset({"position", "cash", "weight", "drawdown"})
"""What a plan sets limits to: "up to 15 % of NAV"."""
LISTED = frozenset({"gain", "loss", "return"})
RETURNS = LISTED | {"drawdown"}
STATED = frozenset({"tolerance", "horizon", "reserve", "need", "no-need", "reserve-met"})
"""What the client stated; "you told us" attributes it and is a claim still."""
STATES = frozenset({"no-holdings", "full", "light", "heavy", "plenty-cash", "no-cash"})
"""Claims in words on the account's state: its owner or a word such as "now" must stand in the same clause."""
SHADES = frozenset({"light", "heavy", "plenty-cash", "no-cash"})
"""Of these, those that are no orders, so that the owner may stand anywhere in the sentence."""
TERMS = frozenset({"no-lockup", "no-notice", "no-subscription-fee", "no-redemption-fee", "no-management-fee",
                   "new-product", "principal-guaranteed", "return-guaranteed", "not-guaranteed"})
"""Claims in words on what a product sheet states."""
RISKS = frozenset({"low-risk", "high-risk", "lowest-risk", "highest-risk"})
SECTORS = ("chips", "health", "tech", "energy", "consumer", "military", "property", "crypto", "overseas", "convertible")
WHOLE = frozenset({
    *(f"{word}-{kind}" for word in ("no", "only", "has", "mostly")
      for kind in ("bond", "money", "deposit", "gold", "equity", *SECTORS)),
    "diversified", "concentrated", "sole", "all-up", "all-down"})
"""Claims in words on all that is held; its owner or a word such as "now" must stand in the sentence."""
RANKED = frozenset({"largest", "smallest", "best", "worst"})
"""Claims in words that set one holding, named beside them, above or below the others."""
HOLDING = frozenset({"in-profit", "under-water"})
"""Claims in words on what one holding made since its purchase."""
COURSES = frozenset({"gain", "loss", "strong", "losing", "minor-losses", "flat-day", "range-market", "rally", "selloff",
                     "big-gain-today",
                     "big-loss-today", "small-drawdown", "large-drawdown"})
"""Claims in words on how things went."""
PLANNED = STATES | COURSES | HOLDING | {"new-high", "beat-index", "lag-index", "unscathed", "breached"} | {
    word for word in WHOLE if not word.startswith("has-")}
"""Claims in words on what may be planned, feared or hoped for as well."""
GUARDS = frozenset({"plan", "maybe", "now"})
TRADES = frozenset({"just-bought", "just-sold", "not-bought", "not-sold"})
"""Claims in words on what the client did."""
SHADING = STATES | COURSES | {"chasing"}
"""Claims in words whose parts claim nothing more: "chase the rally"."""
SHEET = frozenset({"level", "start", "subscription-fee", "redemption-fee", "management-fee", "fee", "lockup", "notice",
                   "stated-return", "price"})

BESIDE = 12
"""Characters between a share and the instrument after it that it is of, at most: "60 % of F1"."""
COUNTED = frozenset({"20td", "3m"})
REACH = 60
"""Characters between a number and the word before it that gives it its meaning, at most."""
AFTER = 40
"""The same where the word comes after the number, as in "88 % invested"."""
FAINT = 40
"""What "of your account" and "a year" stand behind other words that measure, in characters."""
TOPIC = 3
"""Sentences for which the measure that a question asks about holds on."""
MOST_CLAIMS = 1_000
"""Numbers, names and claims in words of one text that are weighed; the sentence in which there are more, and all after
it, are one claim that stays open, so that nothing hides behind many."""

_PERIODS = {20: "20td", 28: "20td", 30: "20td", 60: "3m", 63: "3m", 90: "3m"}


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


UNREAD = "unread: too many claims before"
SELF = "claim.subject.self"
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
    """One sentence: its words by what they are for, its mentions, where its clauses end, and the topic before it.

    Offsets are those of the sentence's frame. quoted: tells whether a match stands between quotation marks.
    """

    def __init__(self, frame: Frame, matches: Sequence[Match], quoted: Callable[[Match], bool] | None,
                 mentions: Sequence[Mention], topic: Topic, own: bool) -> None:
        self.frame, self.topic, self.mentions, self.own, self._quoted = frame, topic, mentions, own, quoted
        self.text = frame.text
        self.anchors: list[Word] = []
        self.said: list[Word] = []
        self.guards: list[Word] = []
        self.others: list[Word] = []
        self.marks: list[tuple[int, int, str]] = []
        self.subjects: list[tuple[int, str, str]] = [(one.start, "product", one.instrument) for one in mentions]
        for bucket, word in _outermost(matches):
            if bucket == "subject":
                self.subjects.append((word.start, word.kind, ""))
            elif bucket == "period":
                self.marks.append((word.start, word.end, word.kind))
            elif bucket == "alone":
                self.anchors.append(word)
                self.said.append(word)
            else:
                getattr(self, bucket).append(word)
        self.subjects.sort()
        self._hard: list[int] | None = None
        self._soft: list[int] | None = None

    @property
    def hard(self) -> list[int]:
        """Where clauses end."""
        if self._hard is None:
            self._hard = [match.start() for match in wording.HARD_CUT.finditer(self.text)]
        return self._hard

    @property
    def soft(self) -> list[int]:
        """Where a clause may fall into two."""
        if self._soft is None:
            self._soft = [match.start() for match in wording.SOFT_CUT.finditer(self.text)]
        return self._soft

    def before(self, place: int, most: int) -> str:
        """Return the text before a place, in small letters."""
        return self.text[max(0, place - most) : place]

    def after(self, place: int, most: int) -> str:
        """Return the text from a place on."""
        return self.text[place : place + most]

    def clause(self, place: int) -> tuple[int, int]:
        """Return where the clause begins and ends that a place lies in."""
        index = bisect_right(self.hard, place)
        return self.hard[index - 1] if index else 0, self.hard[index] if index < len(self.hard) else len(self.text)

    def has(self, kind: str, low: int, high: int) -> bool:
        """Return whether a word of a kind begins between two places."""
        return any(word.kind == kind and low <= word.start < high for word in self.others)

    @property
    def asks(self) -> bool:
        """Whether the sentence is a question."""
        return self.text.rstrip(" \"')").endswith(("?", "\uff1f"))

    def scope_near(self, place: int) -> str:
        """Return how a number stands that has no measuring word of its own: as the word nearest to it does."""
        words = [*self.anchors, *self.said, *self.guards, *self.others]
        if not words:
            return "question" if self.asks else "asserted"
        return self.scope_of(min(words, key=lambda word: abs(word.start - place)).match)

    def scope_of(self, match: Match) -> str:
        """Return how the words of a match stand."""
        return self.frame.scope_of(match, self._quoted is not None and self._quoted(match))[0]


class _Told(NamedTuple):
    """What a sentence told: its claims at their places in it, the topic that it leaves, what it adds to the weight."""

    claims: tuple[Claim, ...]
    topic: Topic
    weight: int


def read_text(
    reading: Reading, mentions: Sequence[Mention], topic: Topic = NO_TOPIC, *, own: bool = False
) -> tuple[list[Claim], Topic]:
    """Return the claims of one text, in order of place, and the topic that it leaves.

    Args:
        reading: the text, read by phrases that include a claims lexicon.
        mentions: the instruments that its normalised text names, in order of place.
        topic: of the words before it.
        own: whether the account is the speaker's own, so that "I" and "my" speak of it.
    """
    if not mentions and not topic.left and not wording.FIGURE.search(reading.normal.text) and not any(
            match.role != SELF or own for _, sentence in reading.lines for match in sentence.frame.matches("claim")):
        return [], topic
    claims: list[Claim] = []
    left, span = MOST_CLAIMS, reading.normal.span
    for number, (start, sentence) in enumerate(reading.lines):
        end = start + len(sentence.text)
        named = tuple(Mention(one.start - start, one.end - start, one.instrument) for one in mentions[
            bisect_left(mentions, (start,)) : bisect_left(mentions, (end,))]) if mentions else ()
        told = _told(reading, number, named, topic, own)
        topic, left = told.topic, left - told.weight
        if left < 0:
            first, last = span(start, end)
            claims.append(Claim("word", UNREAD, None, first, last, number, UNREAD, "asserted", 0, "", "", ()))
            break
        for claim in told.claims:
            first, last = span(claim.start + start, claim.end + start)
            claims.append(claim._replace(start=first, end=last, sentence=number))
    return claims, topic


def _told(reading: Reading, number: int, named: tuple[Mention, ...], topic: Topic, own: bool) -> _Told:
    """Return what one sentence tells; of one in which nothing is quoted it is remembered."""
    start, sentence = reading.lines[number]
    if reading.quotations:
        span = reading.normal.span
        if reading.has_quotation(*span(start, start + len(sentence.text))):
            return _read(sentence, named, topic, own, lambda match: reading.is_quoted(
                *span(sentence.own(match.start) + start, sentence.own(match.end) + start)))
    key = "claims", named, topic, own
    told: _Told | None = sentence.remembered.get(key)
    return told or sentence.remember(key, _read(sentence, named, topic, own))


class _Framed(NamedTuple):
    """What sentences tell that differ in the values of numbers and in what is named alone; offsets are the frame's.

    numbers: for each claim which number it states, None if none, and its bound. figure: which one the topic keeps,
    None where it keeps none, or the one that it had. instruments: those that were named, in the order of place, and
    then those of the topic.
    """

    told: _Told
    numbers: tuple[tuple[int, str] | None, ...]
    figure: int | None
    instruments: tuple[str, ...]


def _read(sentence: Sentence, named: tuple[Mention, ...], topic: Topic, own: bool,
          quoted: Callable[[Match], bool] | None = None) -> _Told:
    """Return what a sentence tells, its words read as its frame has them, its numbers as they are.

    What a claim means depends on the words, on where they stand, and on what `_kind` tells of each number. Where
    nothing is quoted, it is read once for all sentences of the frame in which these are the same.
    """
    frame, framed = sentence.frame, sentence.framed
    found = read_numbers(sentence.text)
    numbers = [one._replace(start=framed(one.start), end=framed(one.end)) for one in found]
    named = tuple([Mention(framed(one.start), framed(one.end), one.instrument) for one in named])
    instruments = tuple(dict.fromkeys([*(one.instrument for one in named), *topic.instruments]))
    if quoted is not None or topic.figure is not None:
        read = _read_frame(frame, numbers, named, instruments, topic, own, quoted)
    else:
        shares = [one.low for one in found if one.unit == "ratio"]
        key = ("claims", tuple(map(_kind, numbers)), len(shares) > 1 and sum(shares) == 1, own,
               topic._replace(instruments=()),
               tuple((one.start, one.end, instruments.index(one.instrument)) for one in named),
               tuple(map(instruments.index, topic.instruments)))
        known: _Framed | None = frame.remembered.get(key)
        read = known or frame.remember(key, _read_frame(frame, numbers, named, instruments, topic, own, None))
        if read.instruments != instruments:
            read = _renamed(read, dict(zip(read.instruments, instruments, strict=True)))
    return _filled(read, found, sentence, topic)


def _renamed(read: _Framed, names: Mapping[str, str]) -> _Framed:
    """Return the same with other instruments in the places of those that were named."""
    claims, topic, weight = read.told
    told = _Told(
        tuple([claim._replace(instruments=tuple([names[one] for one in claim.instruments])) if claim.instruments
               else claim for claim in claims]),
        topic._replace(instruments=tuple([names[one] for one in topic.instruments])), weight)
    return read._replace(told=told)


def _filled(read: _Framed, found: Sequence[Quantity], sentence: Sentence, topic: Topic) -> _Told:
    """Return what was read in a frame as the sentence tells it: with its own numbers, at their places."""
    own = sentence.own
    claims = []
    for claim, at in zip(read.told.claims, read.numbers, strict=True):
        quantity = claim.quantity if at is None else _bound(found[at[0]], at[1])
        claims.append(claim._replace(quantity=quantity, start=own(claim.start), end=own(claim.end)))
    after = read.told.topic
    if after.figure is not None:
        after = after._replace(figure=topic.figure if read.figure is None else found[read.figure])
    return _Told(tuple(claims), after, read.told.weight)


def _bound(one: Quantity, bound: str) -> Quantity:
    return one if one.bound == bound else one._replace(bound=bound)


def _kind(one: Quantity) -> tuple[Any, ...]:
    """Return what of a number decides what it means; the rest is compared later (`predicates.conduct.frozen`)."""
    start, end, unit, low, _, step, _, bound, sign = one
    if unit == "bare":
        size: Any = (low == 0, low < 1, 1 <= low <= 5 and low.denominator == 1, low >= 100, step >= 1_000)
    else:
        size = _PERIODS.get(int(low)) if unit == "days" else None
    return start, end, unit, size, bound, sign


def _read_frame(
    frame: Frame, numbers: Sequence[Quantity], named: Sequence[Mention], instruments: tuple[str, ...], topic: Topic,
    own: bool, quoted: Callable[[Match], bool] | None,
) -> _Framed:
    """Return what the words of a frame tell with these numbers and names at their places in it."""
    matches = frame.matches("claim")
    if not own:
        matches = tuple(match for match in matches if match.role != SELF)
    has_figure = wording.FIGURE.search(frame.text) is not None
    if not has_figure and not named and not topic.left and not any(map(_is_telling, matches)):
        return _Framed(_Told((), _topic_of(matches, topic), 0), (), None, instruments)
    line = _Line(frame, matches, quoted, named, topic, own)
    if not (has_figure or line.anchors or topic.left or line.others):
        numbers = ()
    claims: list[Claim] = []
    if numbers or line.said or line.mentions:
        claims = list(_claims_of(line, [one for one in numbers if not _is_inside(one, line)]))
        claims.sort(key=attrgetter("start"))
    weight = len(numbers) + len(line.said) + len(line.anchors) + len(line.mentions)
    share = next((one for one in numbers if one.unit == "ratio"), None)
    after = _topic_after(line, share)
    place_of = {one.start: place for place, one in enumerate(numbers)}
    return _Framed(
        _Told(tuple(claims), after, weight),
        tuple([None if claim.quantity is None else (place_of[claim.quantity.start], claim.quantity.bound)
               for claim in claims]),
        place_of[share.start] if share is not None and after.figure is share else None, instruments)


def _is_telling(match: Match) -> bool:
    """Return whether a word may claim or measure, or names a period."""
    return _use_of(match.role)[0] not in ("subject", "guards")


@cache
def _use_of(role: str) -> tuple[str, str]:
    """Return what a word of this role is for in a sentence, and its kind."""
    kind = role.removeprefix("claim.")
    if kind in MEASURES:
        return "anchors", kind
    if kind.startswith("word."):
        return "said", kind
    if role == SELF:
        return "subject", "account"
    family, _, rest = kind.partition(".")
    if family in ("subject", "period"):
        return family, rest
    return ("alone", family) if rest == "alone" else ("guards" if kind in GUARDS else "others", kind)


def _the_longest_first(match: Match) -> tuple[int, int]:
    return match.start, -match.end


def _outermost(matches: Sequence[Match]) -> Iterator[tuple[str, Word]]:
    """Yield the words that lie in no longer one; what a claim in words is made of may measure, but claims nothing."""
    reached = claimed = first = last = dated = -1
    said = ""
    for match in sorted(matches, key=_the_longest_first) if len(matches) > 1 else matches:
        use, kind = _use_of(match.role)
        start, end = match.start, match.end
        if use == "said":
            if start >= claimed or said != kind:
                yield use, Word(start, end, kind, match)
                said = kind
                claimed = max(claimed, end) if kind[5:] in SHADING else claimed
            continue
        if use == "period":  # "a splendid quarter" names one, "the past quarter" is one
            if end <= dated or (end <= reached and kind not in COUNTED and kind != "day"):
                continue
            dated = end
        elif end <= reached and (start, end) != (first, last):
            continue
        if use != "guards":
            reached, first, last = max(reached, end), start, end
        if use == "alone":
            use = "anchors" if start < claimed else use
        yield use, Word(start, end, kind, match)


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
    line.marks = _told_apart(sorted(line.marks))
    shares = [one for one in numbers if one.unit == "ratio"]
    if len(shares) > 1 and _is_split(line, shares):
        measured = [(one, anchor) for one, anchor in measured if one.unit != "ratio"]
    used = {anchor.start for _, anchor in measured}
    for one, anchor in _nearest(line, measured):
        if anchor.kind != "ignore" and not _is_difference(line, one, anchor):
            scope = line.scope_near(one.start) if anchor.match.role == TOPICAL else line.scope_of(anchor.match)
            yield _claim(line, anchor.kind, "", one, anchor, scope)
    for one in levels:
        yield _claim(line, "level", "", one, None, _scope_of_level(line, one))
    if line.topic.figure is not None and any(word.kind in ("insist", "source") for word in line.others):
        for one in loose[:1]:
            claim = _claim(line, "figure", "", one, None, line.scope_near(one.start))
            yield claim._replace(rival=line.topic.figure, subject="account", instruments=())
    for word in line.said:
        if (word.kind.startswith("word.") or word.start not in used) and not any(
                mention.start <= word.start and word.end <= mention.end for mention in line.mentions):
            yield _in_words(line, word)
    for mention in line.mentions:
        before, after = line.before(mention.start, 24), line.after(mention.end, 40)
        if wording.YOURS.search(before):
            name, scope = "held", "question" if line.asks else "asserted"
        elif wording.YOU_HOLD.match(after):
            name, scope = "held", "asserted"
        elif wording.NO_NAME.search(before) and not wording.LIKE_NAME.match(after):
            name, scope = "not-held", "question" if line.asks else "asserted"
        else:
            continue
        yield Claim("word", name, None, mention.start, mention.end, 0, "", scope, 0, "", "product",
                    (mention.instrument,))


def _told_apart(marks: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Return the periods without "the past" right before one that is counted: 之前三个月."""
    return [mark for mark, follower in zip_longest(marks, marks[1:], fillvalue=(0, 0, ""))
            if not (mark[2] == "other" and follower[2] in COUNTED and 0 <= follower[0] - mark[1] <= 1)]


def _is_split(line: _Line, shares: Sequence[Quantity]) -> bool:
    """Return whether shares are those of a plan that divides the whole: "growth 70 %, bonds 20 %, cash 10 %"."""
    told = any(word.kind == "position" for word in line.anchors) or any(word.kind == "now" for word in line.guards)
    return not told and sum(one.low for one in shares) == 1 and not wording.SAID.search(line.text)


def _anchor_of(line: _Line, one: Quantity, starts: Sequence[int], numbers: Sequence[Quantity]) -> Word | None:
    """Return the nearest word that can measure the number, one that comes after it must stand close; else the topic."""
    best, least = None, REACH + 40
    place = bisect_left(starts, one.start)
    for word in (*line.anchors[max(0, place - 5) : place], *line.anchors[place : place + 3]):
        if one.unit not in MEASURES[word.kind] or not _fits(one, word.kind):
            continue
        if one.unit == "days" and line.after(one.start, 2) == "a " and wording.RATE.search(line.before(one.start, 8)):
            continue  # "2.1 percent a year" is a rate
        before = word.start < one.start
        if not before and wording.PART_OF.match(line.after(one.end, 40)):
            return None
        if word.kind in LISTED and (line.after(word.end, 4) == " to " or _is_ordered(line, word, one)):
            continue
        low, high = (word.end, one.start) if before else (one.end, word.start)
        gap, cuts = max(high - low, 0), _count(line.hard, low, high)
        if gap > (REACH if before else AFTER) or (cuts and not before and not wording.ASIDE.match(line.after(low, 6))):
            continue
        if cuts and line.has("correct", low, high):
            gap = cuts = 0
        if cuts and (one.unit == "days" or (one.unit == "bare" and word.kind != "nav")):
            continue
        between = sum(low <= other.start < high for other in numbers[:40])
        if between and word.kind not in LISTED and (cuts or word.kind == "drawdown"):
            continue
        cost = gap + 25 * cuts + (10 if before else 25) * _count(line.soft, low, high) + 3 * (not before) + 20 * between
        cost += FAINT * ((word.kind == "weight" and not line.mentions) or (word.kind == "stated-return" and not before))
        if cost < least:
            best, least = word, cost
    if best is not None and best.kind == "loss" and one.unit == "ratio":
        low, _ = line.clause(one.start)
        low = max([low, *(other.end for other in numbers[:40]
                        if other.unit == "ratio" and other.end <= one.start)])
        fallen = [word for word in line.anchors if word.kind == "drawdown" and low <= word.start < one.start]
        _, high = line.clause(one.start)
        deepest = [word for word in line.anchors if word.kind == "drawdown" and one.end <= word.start < high
                   and not any(one.end <= other.start < word.start for other in numbers[:40])]
        return fallen[-1] if fallen else deepest[0] if deepest else best
    return best or _owned(line, one) or _topical(line, one)


def _owned(line: _Line, one: Quantity) -> Word | None:
    """Return the measure of a number that stands by a possessive or a name: "your three funds", "F1 is 10,000 yuan"."""
    kind = ""
    if one.unit == "money" or (one.unit == "bare" and one.step >= 1_000):
        kind = "sum" if not line.mentions and wording.YOUR_SUM.search(line.before(one.start, 16)) else ""
    if one.unit == "days" and wording.TERM.match(line.after(one.end, 16)):
        kind = "lockup"
    if one.unit == "ratio" and one.sign and any(0 <= one.start - place <= BESIDE for place, _, _ in line.subjects):
        kind = "return"
    if one.unit == "count" and wording.YOURS.search(line.before(one.start, 24)):
        kind = "holds"
    elif line.mentions and (one.unit == "money" or (one.unit == "bare" and one.step >= 1_000)) and not any(
            one.unit in MEASURES[word.kind] for word in line.anchors):
        low, _ = line.clause(one.start)
        inside = wording.IN_NAME.match(line.after(one.end, 40))
        named = any(low <= mention.start < one.start or (inside and mention.start == one.end + inside.end())
                    for mention in line.mentions)
        kind = "value" if named else ""
    return Word(one.start, one.start, kind, Match("", TOPICAL, one.start, one.start, 0, "")) if kind else None


def _is_ordered(line: _Line, word: Word, one: Quantity) -> bool:
    """Return whether an order stands between a word for a gain or loss and the number: "up today, so trim 5 %"."""
    return any(guard.kind == "plan" and word.end <= guard.start < one.start for guard in line.guards)


def _topical(line: _Line, one: Quantity) -> Word | None:
    """Return the measure of the topic, where it can measure the number and no word of the clause can."""
    topic = line.topic
    if not topic.left or one.unit not in MEASURES[topic.measure] or not _fits(one, topic.measure):
        return None
    low, high = line.clause(one.start)
    if any(one.unit in MEASURES[word.kind] and low <= word.start < high for word in line.anchors) or any(
            word.kind == "plan" and low <= word.start < one.start for word in line.guards):
        return None
    return Word(one.start, one.start, topic.measure, Match(topic.entry, TOPICAL, one.start, one.start, 0, ""))


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
    sign = -1 if measure == "loss" else 0 if quantity is None else quantity.sign or int(measure == "gain")
    first, last = (at.start, at.end) if anchor is None else (min(at.start, anchor.start), max(at.end, anchor.end))
    named = word or measure
    if measure == "drawdown" and anchor is not None and not line.subjects and wording.GENERIC.search(
            line.before(anchor.start, 12)):
        scope = "mentioned"
    if quantity is not None and wording.DENIED.search(line.before(at.start, 16)):
        scope = "negated"
    if scope == "negated" and quantity is not None and quantity.bound == ">" and wording.MORE_THAN.search(
            line.before(at.start, 16)):  # "never lost more than 3 %"
        quantity, scope = quantity._replace(bound="<"), "asserted"
    if scope == "conditional" and named in ("lockup", "notice", "no-lockup", "no-notice"):
        scope = "asserted"
    if scope == "question" and _is_told_first(line, at):
        scope = "asserted"
    if scope == "attributed" and (named in STATED or line.has("source", 0, at.end)):
        scope = "asserted"
    if scope == "asserted" and (not word or word in PLANNED) and _is_planned(line, at, named):
        scope = "planned"
    period = _period_at(line, at.start, at.end)
    of_product = named in SHEET | TERMS | HOLDING or (period == "total" and not _owner(line, at)) or (
        named in ("weight", "value") and bool(line.mentions))
    subject, instruments = _subject_at(line, first, last, of_product, named)
    return Claim(measure, word, quantity, at.start, at.end, 0, "" if anchor is None else anchor.match.entry,
                 scope, sign, period, subject, instruments)


def _is_told_first(line: _Line, at: Quantity | Word) -> bool:
    """Return whether a question only follows what is claimed: "you are at 40 %, shall we buy?"."""
    _, high = line.clause(at.start)
    tail = line.text[high:]
    asked = wording.ASKING.search(line.text[: at.end]) or wording.CONFIRMING.search(tail)
    return len(tail) > 3 and not asked


def _owner(line: _Line, at: Quantity | Word) -> bool:
    """Return whether the clause names the account, and not only in "since you bought"."""
    low, high = line.clause(at.start)
    owners = [place for place, kind, _ in line.subjects if kind == "account" and low <= place < high]
    return any(not any(start <= place < end for start, end, _ in line.marks) for place in owners)


def _in_words(line: _Line, word: Word) -> Claim:
    name = word.kind.removeprefix("word.")
    claim = _claim(line, "word", name, None, word, line.scope_of(word.match))
    low, high = line.clause(word.start)
    if name in ("gain", "loss") and not line.marks:
        return claim._replace(period="")
    if name in RANKED:
        after = [one for one in line.mentions if word.end <= one.start < high][:1]
        beside = after or [one for one in line.mentions if low <= one.start < word.start][-1:]
        return claim._replace(subject="product", instruments=tuple(one.instrument for one in beside))
    if name in ("beat-index", "lag-index"):
        leads = {kind for place, kind, _ in line.subjects if low <= place < word.start}
        if "market" in leads and "account" not in leads:  # "the index did better" is said of the index
            claim = claim._replace(word="lag-index" if name == "beat-index" else "beat-index")
        before = [one for one in line.subjects if one[0] < word.start and (one[1] == "account" or one[2])]
        return claim._replace(subject="account", instruments=(before[-1][2],) if before and before[-1][2] else ())
    if name in TRADES:
        named = [one.instrument for one in line.mentions if low <= one.start < high]
        return claim._replace(instruments=tuple(dict.fromkeys(named)))
    if name in ("held", "not-held"):
        first = word.start if name == "held" else low
        named = [one.instrument for one in line.mentions if first <= one.start < high]
        return claim._replace(subject="product", instruments=tuple(dict.fromkeys(named)))
    if claim.scope == "asserted" and name.startswith("profile-") and not line.own and not any(
            kind == "account" for _, kind, _ in line.subjects) and not wording.AS_A.search(line.before(word.end, 24)):
        return claim._replace(scope="mentioned")
    if claim.scope == "asserted" and name in WHOLE:
        told = any(kind == "account" for _, kind, _ in line.subjects) or line.own or any(
            guard.kind == "now" for guard in line.guards) or line.topic.subject == "account"
        if not told or any(kind == "other" for _, kind, _ in line.subjects):
            return claim._replace(scope="mentioned")
    if claim.scope == "asserted" and name in STATES | RISKS:
        kinds = {kind for place, kind, _ in line.subjects if name in SHADES or low <= place < (
            high if name in STATES else word.end)}
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
    rest = line.after(at.end, end - at.end)
    if wording.THEN.match(rest) or wording.POSSIBLE.match(rest):
        return True
    lead = line.before(at.start, max(min(at.start - start, 60), 40))
    if named in LIMITED and not wording.SAID.search(lead) and (
            wording.LIMIT.search(lead) or wording.CAPPED.match(rest) or wording.PACED.match(rest)):
        return True
    guessed = named in RETURNS or named in COURSES
    if named == "drawdown" and wording.REACHED.search(line.before(at.start, 8)) and not any(
            word.kind == "now" and start <= word.start < end for word in line.guards):
        return True
    last = planned = ""
    for word in line.guards:
        if line.after(word.end, 1) in wording.DONE:
            continue
        if start <= word.start and word.end <= at.start + 1 and (
                not guessed or word.kind == "maybe") and (named not in STATED or word.kind == "plan"):
            last = word.kind
            planned = planned or (last if last == "plan" else "")
    if not last and wording.TO.search(line.before(at.start, 40)):  # "reduce to 40 % (cash to 60 %)": one plan for both
        return any(word.kind == "plan" and word.end <= at.start for word in line.guards)
    if last == "now":
        return bool(planned and (wording.TO.search(line.before(at.start, 40)) or wording.AND_THEN.search(lead)))
    return bool(last) and not (last == "plan" and wording.FROM.search(lead) and not wording.ONLY_IF.match(rest))


def _is_difference(line: _Line, one: Quantity, anchor: Word) -> bool:
    if one.unit != "ratio" or anchor.kind == "drawdown":
        return False
    low, _ = line.clause(one.start)
    if wording.PAIRED.match(line.after(one.end, 16)) and not line.text[low : one.start].strip(" ,\uff0c"):
        return True
    return bool(wording.DIFFERENCE.match(line.after(one.end, 30)) or (
        anchor.kind in LISTED and wording.COMPARED.search(line.before(one.start, min(one.start - low, 40)))))


def _scope_of_level(line: _Line, one: Quantity) -> str:
    before = line.before(one.start, 16)
    if wording.LEVEL_DENIED.search(before):
        return "negated"
    return line.scope_near(one.start) if wording.LEVEL_SAID.search(before) else "mentioned"


def _period_at(line: _Line, start: int, end: int) -> str:
    """Return the period named nearest in the clause, else the last one before it in the sentence or the topic."""
    if not line.marks:
        return line.topic.period
    low, high = line.clause(start)
    inside = [mark for mark in line.marks if low <= mark[0] < high]
    for strongest in ("other", "ever", "future"):
        if any(mark[2] == strongest for mark in inside):
            return strongest
    if inside:
        rest = line.after(end, high - end)
        over = next((mark for mark in inside if wording.OVER.fullmatch(rest[: max(mark[0] - end, 0)])), None)
        return (over or min(inside, key=lambda mark: max(mark[0] - end, start - mark[1], 0)))[2]
    earlier = [mark for mark in line.marks if mark[0] < start]
    return earlier[-1][2] if earlier else line.topic.period


def _subject_at(line: _Line, start: int, end: int, of_product: bool, named: str) -> tuple[str, tuple[str, ...]]:
    """Return what is spoken of, with the instruments: named in the clause, else before it, else the topic.

    of_product: only a product can have what is claimed, whoever owns it. Another scope, once named, lasts through the
    sentence, until a clause names the account or an instrument again.
    """
    found = [one for one in line.subjects if of_product and one[1] in ("product", "other")] or line.subjects
    if named in ("unfrozen", "approved") and line.mentions:  # "first among its peers" is said of what is named
        found = [one for one in found if one[1] != "other"]
    if named in ("position", "cash", "nav", "value", "weight", "holds"):  # a market has none
        found = [one for one in found if one[1] != "market"]
    low, high = line.clause(start)
    before = [one for one in found if one[0] < end]
    inside = [one for one in before if one[0] >= low]
    after = [one for one in found if end <= one[0] < high
             if named not in LIMITED or one[1] == "account" or one[0] - end <= BESIDE]
    rest = line.after(end, high - end)
    beside = next((one for one in after if wording.OF_THIS.fullmatch(rest[: one[0] - end])), None)
    if beside is not None and of_product:
        return "product", (beside[2],) if beside[2] else ()
    chosen = inside or (after[:1] if not before else []) or before
    if not chosen:
        topic = line.topic
        topical = topic.left and not (line.anchors and named in LIMITED)
        carried = topic.subject != "product" or of_product or topical or line.text.lstrip().startswith(wording.IT)
        return (topic.subject, topic.instruments) if carried else ("", ())
    kind = chosen[-1][1]
    if inside and kind == "account":
        near = max([low, *(cut for cut in line.soft if low <= cut < end)])
        held = [one for one in inside if one[2] and one[0] >= near]
        kind, chosen = ("product", held) if held else (kind, chosen)
    other = any(one[1] == "other" for one in (inside or before))
    if other and (not inside or not chosen[-1][2]):
        return "other", ()
    if kind == "product" and named in ("position", "cash", "drawdown", "nav") and any(
            mark in line.text[chosen[-1][0] : start] for mark in ";\uff1b"):
        return "account", ()
    names = tuple(dict.fromkeys(name for _, one, name in chosen if one == kind and name))
    return kind, names if names or kind != "product" else line.topic.instruments


def _topic_of(matches: Sequence[Match], topic: Topic) -> Topic:
    """Return the topic after a sentence that claims and measures nothing."""
    subjects = [match.role for match in matches if match.role.startswith("claim.subject.")]
    subject = _use_of(subjects[-1])[1] if subjects else topic.subject
    return topic if (subject, "") == (topic.subject, topic.period) else topic._replace(subject=subject, period="")


def _topic_after(line: _Line, share: Quantity | None) -> Topic:
    topic = line.topic
    anchors = [word for word in line.anchors if word.kind != "ignore"]
    measure, entry, left = topic.measure, topic.entry, max(topic.left - 1, 0)
    asks = line.asks or bool(wording.ASKS.search(line.text))
    if anchors:
        measure, entry, left = anchors[-1].kind, anchors[-1].match.entry, TOPIC if asks else 0
    if not left:
        measure = entry = ""
    return Topic(
        measure, entry, left,
        line.subjects[-1][1] if line.subjects else topic.subject,
        (line.mentions[-1].instrument,) if line.mentions else topic.instruments,
        next((kind for _, _, kind in reversed(line.marks) if asks and kind not in ("span", "future")), ""),
        None if anchors else share or topic.figure,
    )
