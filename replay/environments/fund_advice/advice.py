"""What an answer advises: its orders first, the words second, in English and Chinese.

    {"orders": [{"instrument", "side", "amount"}, ...], "message": ...}            the shape of every other answer

Target ratio, pace and trigger are no orders; they are advised in words. Advice has a direction and at least one of a
fund, an amount and a target ratio; a sentence that has less is none. The first such sentence that depends on nothing
counts, else the first that depends on a trigger that can be read. A question, an attribution and a negated purchase
advise nothing; "do not sell 990001" is a hold. The work is linear in the text, of which the first `MOST_CHARACTERS` are
read. Decision d33 of docs/fund-advice.md.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Any, NamedTuple

from replay.environments.fund_advice.phrasebook import LANGUAGES, phrasebook
from replay.environments.fund_advice.types import BUY, HOLD, SELL
from scenarios.exact import parse_decimal
from scenarios.json_exact import Unreadable, is_doubtful, scan

MOST_CHARACTERS = 20_000
REACH = 300
"""How far behind its verb the particulars of an advice are looked for, in characters."""


class Trigger(NamedTuple):
    """What must happen first: the drawdown, or the return of the index, a fund or the account from here.

    measure: "drawdown", "index", "fund" or "account". rises: whether it must go up to the level; a drawdown is a
    positive number that rises. level_ppm: in millionths, > 0; a fall of the index by 3 % is ("index", False, 30_000).
    """

    measure: str
    rises: bool
    level_ppm: int


class Advice(NamedTuple):
    """What is advised. direction: BUY, SELL or HOLD.

    funds: ids, in order. amount_cents: of one order. target_ppm: the share of NAV to be invested. pace_days: sessions
    over which. trigger: advice on a condition, which counts only once it occurs. stop: a protective condition beside.
    """

    direction: int
    funds: tuple[str, ...] = ()
    amount_cents: int | None = None
    target_ppm: int | None = None
    pace_days: int | None = None
    trigger: Trigger | None = None
    stop: Trigger | None = None


def read_answer_text(answer: str) -> tuple[str, Mapping[str, Any] | None]:
    """Return the words of an answer and its JSON object; an answer that is no JSON object is all words."""
    text = answer.strip()
    if text[:1] not in ("{", '"'):
        return answer, None
    try:
        value, end = scan(text, 0, doubtful=is_doubtful(text))
    except Unreadable:
        return answer, None
    if end != len(text):
        return answer, None
    if type(value) is str:
        return value, None
    if not isinstance(value, dict):
        return answer, None
    message = value.get("message")
    return message if type(message) is str else "", value


@lru_cache(4_096)
def read_advice(answer: str) -> Advice | None:
    """Return what an answer advises, or None."""
    message, members = read_answer_text(answer)
    ordered = None if members is None else _ordered(members)
    return ordered or _told(message[:MOST_CHARACTERS])


# Orders.


def _ordered(members: Mapping[str, Any]) -> Advice | None:
    orders = members.get("orders")
    if not isinstance(orders, list):
        return None
    try:
        read = [(one["instrument"], _ORDERED[str(one.get("side", "buy")).lower()], _order_cents(one.get("amount")))
                for one in orders if isinstance(one, dict) and type(one.get("instrument")) is str]
    except (KeyError, ValueError):  # an order that the judge cannot read is none for the client either
        return None
    if not read:
        return None
    same = [one for one in read if one[1] == read[0][1]]
    amounts = [cents for _, _, cents in same if cents is not None]
    return Advice(read[0][1], tuple(name for name, _, _ in same), sum(amounts) if amounts else None)


_ORDERED = {"buy": BUY, "sell": SELL}
_SIDES = {**_ORDERED, "hold": HOLD}


def _order_cents(value: object) -> int | None:
    """Return an amount in cents; None where none is stated.

    Raises:
        ValueError: it is no amount, too large, or finer than a cent.
    """
    if value is None:
        return None
    cents = parse_decimal(str(value)) * 100
    if not 0 < cents < 10**14 or cents.denominator != 1:
        raise ValueError(f"{value!r} is no amount in whole cents")
    return int(cents)


def _is_whole(advice: Advice) -> bool:
    return bool(advice.funds) or advice.amount_cents is not None or advice.target_ppm is not None


# Words.

_END = re.compile(r"[.!?\n;。！？；](?:(?<!\.)|(?=\s|\Z))")
_FIGURE = re.compile("[0-9]")
"""What a fund, an amount or a target ratio has, but for tenths in words; a sentence without one advises nothing."""

_NO_HINTS = ("not", "n't", "never", "avoid", "without", "instead", "rather", "no need", "stop",
             "不", "别", "无需", "停止", "暂停", "避免")
_NOT = re.compile(r"(?:\bnot|n't|\bnever|\bavoid|\bwithout|\binstead of|\brather than|\bno need to|\bstop)(?: \w+)?\s$"
                  r"|(?:不要|别|不用|不必|无需|不建议|停止|暂停|不急着|避免)[^，。]{0,2}$")
_IF = re.compile(r"\b(?:if|when|once|should the|in case|as soon as|until|unless)\b"
                 r"|如果|若|一旦|要是|等到|只要|的话|当(?!前|天|日|下)")
_IF_HINTS = ("if", "when", "once", "should", "case", "soon", "until", "unless",
             "如果", "若", "一旦", "要是", "等到", "只要", "的话", "当")
_TOLD = ("you said", "you asked", "you want", "they said", "they say", "he said", "she said", "people say", "some say",
         "有人说", "您说", "你说", "听说")
_FUND = re.compile(r"(?<![0-9.,])[0-9]{6}(?![0-9.,]*(?:[0-9%元块万]| ?(?:yuan|rmb|cny)))|\bf[0-9]{1,5}\b")
_NUMBER = r"[0-9]{1,3}(?:\.[0-9]{1,4})?"
_TARGET = re.compile(
    r"(?:\b(?:to|towards?|near|around|about|at|below|under|within|most|than|between)\b|到|至|在|为|约|过)\s?"
    rf"(?:about |around |大?约)?(?P<low>{_NUMBER})\s?(?:%\s?)?"
    rf"(?:(?:to|and|-|~|到|至)\s?(?P<high>{_NUMBER})\s?)?(?:(?<=%)|(?<=% )|%|per ?cent)(?P<cash>\s?(?:in |of )?cash)?")
_IN_CASH = re.compile(r"\bcash\b[^,]*$|现金[^，]*$")
_CHENG = re.compile(r"(?:到|至|在|为|约)(?P<tenths>[一二三四五六七八九1-9半])成")
_AMOUNT = re.compile(
    r"(?:¥|cny|rmb)\s?(?P<before>[0-9][0-9,]*(?:\.[0-9]{1,2})?)"
    r"|(?P<after>[0-9][0-9,]*(?:\.[0-9]{1,4})?)\s?(?P<scale>万|千|k\b|thousand)?\s?(?:yuan|rmb|cny|元|块)")
_PACE = re.compile(
    r"\b(?:over|in|across|during|within|next)\s(?:the next |about |the coming )?(?P<count>[0-9]{1,3}|[a-z]{3,6})\s"
    r"(?:equal |small |trading |consecutive )?(?P<unit>day|session|week|month|step|part|tranche|batch)"
    r"|分(?:成|为)?(?P<zcount>[0-9]{1,3}|[一二两三四五六七八九十])个?(?P<zunit>交易日|天|周|月|次|批|步)")
_NUMERALS = {word: value for value, word in enumerate(
    ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
)} | {word: value for value, word in enumerate("零一二三四五六七八九十")} | {"两": 2, "半": 5}
_SESSIONS = {"week": 5, "周": 5, "month": 21, "月": 21}
"""Sessions of a unit of time; a day and a step take one."""

_MEASURES = {
    "drawdown": re.compile(r"\bdrawdown|回撤"), "fund": re.compile(r"\bfund|\bprice|基金|净值|[0-9]{6}"),
    "index": re.compile(r"\bindex|\bmarket|指数|大盘|市场"),
}
_DOWN = re.compile(r"\b(?:fall|drop|lose|los[ts]|declin|slip|down|below|negative)|跌|亏|回落|下降")
_LEVEL = re.compile(rf"(?P<level>{_NUMBER})\s?(?:%|per ?cent|个点|个百分点)")


def _told(text: str) -> Advice | None:
    first: Advice | None = None
    conditional: Advice | None = None
    stop: Trigger | None = None
    low = text.lower()
    hints = [word for word in _IF_HINTS if word in low]
    for sentence in _sentences(low):
        if not _FIGURE.search(sentence) and "成" not in sentence:
            continue
        depends = any(word in sentence for word in hints) and _IF.search(sentence) is not None
        trigger = _trigger(sentence) if depends else None
        stop = stop or trigger
        advice = _of_sentence(sentence) if first is None else None
        if advice is not None and not depends:
            first = advice
        elif advice is not None and conditional is None and trigger is not None:
            conditional = advice._replace(trigger=trigger)
    return first._replace(stop=stop) if first is not None else conditional


def _sentences(text: str) -> Iterator[str]:
    start = 0
    for match in _END.finditer(text):
        yield text[start : match.end()]
        start = match.end()
    yield text[start:]


def _of_sentence(sentence: str) -> Advice | None:
    if sentence.rstrip().endswith(("?", "？")) or any(words in sentence for words in _TOLD):
        return None
    for start, direction in _verbs(sentence):
        rest = sentence[start : start + REACH]
        target = _target(rest)
        if target is not None and target[1]:
            direction = {BUY: SELL, SELL: BUY, HOLD: HOLD}[direction]
        before = sentence[max(0, start - 24) : start]
        if any(word in before for word in _NO_HINTS) and _NOT.search(before):
            if direction != SELL:
                continue
            direction = HOLD
        amount, pace = _AMOUNT.search(rest), _PACE.search(rest)
        advice = Advice(
            direction, tuple(dict.fromkeys(match[0].upper() for match in _FUND.finditer(rest))),
            None if amount is None else _cents(amount), None if target is None else target[0],
            None if pace is None else _days(pace),
        )
        if _is_whole(advice):
            return advice
    return None


def _verbs(sentence: str) -> list[tuple[int, int]]:
    """Return where a sentence says buy, sell or hold, in order; an English word must stand alone."""
    found = []
    for verb, direction in _known_verbs(sentence.isascii()):
        start = sentence.find(verb)
        while start >= 0:
            end = start + len(verb)
            if not verb.isascii() or not (sentence[start - 1 : start].isalpha() or sentence[end : end + 1].isalpha()):
                found.append((start, direction))
            start = sentence.find(verb, end)
    return sorted(found)


@cache
def _known_verbs(english: bool) -> tuple[tuple[str, int], ...]:
    book = phrasebook("reader-1")
    return tuple((verb, _SIDES[side]) for language in LANGUAGES[: 1 if english else 2]
                 for side, verbs in book[language].items() for verb in verbs)


def _target(text: str) -> tuple[int, bool] | None:
    """Return the share of NAV to be invested in ppm, and whether cash is what the verb moves: "raise cash to 40 %"."""
    for match in _TARGET.finditer(text):
        low = _ppm(match["low"])
        share = low if match["high"] is None else (low + _ppm(match["high"])) // 2
        if share <= 1_000_000:
            turns = bool(_IN_CASH.search(text, 0, match.start()))
            return (1_000_000 - share if turns or match["cash"] else share), turns
    tenths = _CHENG.search(text)
    return None if tenths is None else (_numeral(tenths["tenths"]) * 100_000, False)


def _trigger(text: str) -> Trigger | None:
    """Return the condition that a sentence names with a number, or None."""
    text = text.lower()
    condition = _IF.search(text)
    rest = text[condition.start() :] if condition else text
    level = _LEVEL.search(rest)
    if level is None or _ppm(level["level"]) == 0:
        return None
    clause = rest[: level.end()]
    measure = next((name for name, pattern in _MEASURES.items() if pattern.search(clause)), "account")
    return Trigger(measure, measure == "drawdown" or not _DOWN.search(clause), _ppm(level["level"]))


def _ppm(percent: str) -> int:
    whole, _, places = percent.partition(".")
    return int(whole + places.ljust(4, "0"))


def _numeral(text: str) -> int:
    return int(text) if text.isdecimal() else _NUMERALS.get(text, 0)


def _cents(match: re.Match[str]) -> int | None:
    whole, _, places = (match["before"] or match["after"]).replace(",", "").partition(".")
    scale = {"万": 10_000, "千": 1_000, "k": 1_000, "thousand": 1_000}.get(match["scale"] or "", 1)
    cents = int(whole + places.ljust(4, "0")[:4]) * scale // 100
    return cents if 0 < cents < 10**14 else None


def _days(match: re.Match[str]) -> int | None:
    count = _numeral(match["count"] or match["zcount"]) * _SESSIONS.get(match["unit"] or match["zunit"], 1)
    return count if 0 < count <= 1_000 else None
