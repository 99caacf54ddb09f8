"""Exact reading of the numbers in a text, in digits and in words, in English and Chinese.

A quantity keeps where it stands, what kind of unit it has, its exact value, one unit of its last stated digit, and
the words around it that make it a bound or a rough figure. Nothing is rounded: "88 %" is 22/25, "two thirds" 2/3,
"八成八" 22/25. What a number means is decided elsewhere (`predicates.conduct.meaning`).

No pattern gives back what it took, and what surrounds a number is looked at in a window of fixed length, so the
cost is linear in the text.
"""

import re
from calendar import monthrange
from collections.abc import Iterable, Iterator
from datetime import date
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

WINDOW = 24
"""Characters on each side of a number that are searched for the words that qualify it."""

COARSE = Fraction(1, 10)
"""The step of a fraction in words: "half" and "two thirds" are as coarse as a 成, a tenth."""

_MOST_DIGITS = 15


class Quantity(NamedTuple):
    """One number, or a range of two, as it was stated.

    start, end: offsets of the numeral with its unit. unit: "ratio" (percent, points, thirds, 成), "money" (cents),
    "days", "date" (ordinals of the Gregorian calendar; a month or year runs from its first to its last day),
    "level" (R1 to R5), "count" (of holdings), "times", or "bare". low, high: the value, twice the same unless a
    range was stated. step: one unit of the last digit stated. about: whether a word makes it rough. bound: ">" or
    "<", as in "over 80 %", else "". sign: of the sign or the word "minus" before the numeral, 0 where there is none.
    """

    start: int
    end: int
    unit: str
    low: Fraction
    high: Fraction
    step: Fraction
    about: bool = False
    bound: str = ""
    sign: int = 0


_exact = lru_cache(4096)(Fraction)


def _by_initial(words: Iterable[str]) -> str:
    """Return a pattern of alternatives that tells them apart by their first letter."""
    by_letter: dict[str, list[str]] = {}
    for word in sorted(words, key=len, reverse=True):
        by_letter.setdefault(word[0], []).append(word[1:])
    return "(?:" + "|".join(f"{letter}(?:{'|'.join(rest)})" for letter, rest in by_letter.items()) + ")"


_SCALES = {
    "百": 100, "千": 1_000, "k": 1_000, "thousand": 1_000, "万": 10_000, "w": 10_000, "百万": 10**6, "m": 10**6,
    "mn": 10**6, "million": 10**6, "ten-thousand": 10_000, "wan": 10_000, "千万": 10**7, "亿": 10**8, "bn": 10**9,
    "billion": 10**9,
}
_DAYS = (
    ("week", 7), ("周", 7), ("星期", 7), ("礼拜", 7), ("month", 30), ("月", 30), ("quarter", 90), ("季", 90),
    ("year", 365), ("yr", 365), ("年", 365),
)
_SHARE = r"per ?cent(?:age point)?|point"
_UNIT = (
    r"(?P<percent>%|per ?cent(?:age(?! ?-?point))?\b|pct\b)"
    r"|(?P<points>percentage[ -]points?\b|pp\b|points?\b|pts?\b|个?多?百分点|个多?点|个半点)"
    r"|(?P<basis>basis[ -]points?\b|bps?\b|个?基点|个bp)"
    r"|(?P<cheng>成(?![立本为分功长果交员熟绩就都人])(?P<rest>[一二三四五六七八九1-9半](?![0-9成个%块起直些样]))?)"
    r"|(?P<money>元|块(?![儿起])钱?|圆|人民币|yuan\b|rmb\b|cny\b|kuai\b|dollars?\b|bucks\b|usd\b|美元)"
    r"|(?P<time>-?(?:(?:calendar|trading|business|natural)[ -])?"
    r"(?:days?|sessions?|weeks?|months?|quarters?|years?|yrs?)\b"
    r"|t?d\b|个?(?:交易日|自然日|工作日|星期|礼拜|季度)|个月|天|日|周(?!期)|年)"
    r"|(?P<times>倍|x\b|times\b)"
    r"|(?P<count>[只支](?![能是有要会不剩持付])|个(?=持仓|产品|基金|品种)"
    r"|(?:different |separate )?(?:holdings?|funds?|positions?|products?|instruments?|names)\b)"
)
_DIGITS = re.compile(
    r"(?P<year>(?:19|20)[0-9]{2}(?=[-/.年]))(?:[-/.](?P<month>[0-9]{1,2})[-/.](?P<day>[0-9]{1,2})(?![0-9])"
    r"|-(?P<only>[01][0-9])(?![0-9%])|年(?:(?P<yue>[0-9]{1,2})月(?:(?P<ri>[0-9]{1,2})[日号])?)?)"
    r"|(?P<whole>[0-9]++(?:,[0-9]{3}(?![0-9]))*+)(?P<decimals>\.[0-9]++)?"
    r"(?: ?(?:-|—|~|至|到|to) ?(?P<upper>[0-9]{1,9}+(?:\.[0-9]{1,9}+)?)"
    r"(?= ?(?:[%成个天日周年万]|per|point|day|week|month|year|yuan)))?"
    r" ?(?P<scale>百万|千万|[百千万亿]|(?:k|w|mn?|bn)(?![a-z])|-?(?:thousand|million|billion|wan)\b"
    r"|ten-thousand(?=s\b))?(?:(?<=ten-thousand)s(?: of)?)?"
    r"(?P<tail>(?<=万)[1-9](?![0-9.%个成]))? ?(?:" + _UNIT + r")?")

_DIGIT = re.compile("[0-9]")
_HAN_DIGITS = {digit: value for digits in ("零一二三四五六七八九", "〇壹贰叁肆伍陆柒捌玖")
               for value, digit in enumerate(digits)} | {"两": 2}
_HAN_UNITS = {"十": 10, "百": 100, "千": 1_000, "万": 10_000, "亿": 10**8, "拾": 10, "佰": 100, "仟": 1_000}
_HAN_NUMERAL = f"(?:[{''.join({*_HAN_DIGITS, *_HAN_UNITS} - {'一'})}]|一(?![直定般样旦些]))"
_HAN_DECIMALS = "点[零一二三四五六七八九]{1,4}+"
_HAN = re.compile(
    rf"(?P<below>{_HAN_NUMERAL}{{1,4}}+)分之(?P<above>{_HAN_NUMERAL}{{1,6}}+)(?P<after>{_HAN_DECIMALS})?"
    rf"|(?P<half>一半|半仓|半数|对半)"
    rf"|(?P<whole>半|{_HAN_NUMERAL}{{1,20}}+)(?P<decimals>{_HAN_DECIMALS})?(?:[到至~-](?P<upper>{_HAN_NUMERAL}{{1,4}}+))?"
    rf"(?:[多几来]?(?:{_UNIT})|(?<={_HAN_NUMERAL}[百千万亿])|(?<=[百千万亿][一二三四五六七八九]))")

_WORDS = {word: value for value, word in enumerate((
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"))} | {
    word: 10 * value for value, word in enumerate((
        "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"), 2)} | {"a": 1}
_WORD_SCALES = {"hundred": 100, "thousand": 1_000, "million": 10**6, "billion": 10**9}
_PARTS = {"half": 2, "halve": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "eighth": 8,
          "tenth": 10}
_WORD = _by_initial([*_WORDS, *_WORD_SCALES]) + r"\b"
_NEXT = _by_initial([*(_WORDS.keys() - {"a"}), *_WORD_SCALES]) + r"\b"
_ENGLISH = re.compile(
    rf"\b(?:(?P<whole>{_WORD}(?:[ -](?:and )?{_NEXT}){{0,7}}+)"
    rf"(?: point(?P<decimals>(?: {_NEXT}){{1,4}}+)|(?P<more> and a half))?"
    rf"(?: ?to (?P<upper>{_NEXT}(?:[ -]{_NEXT}){{0,3}}+))?"
    rf"(?:[ -](?P<part>{_by_initial(_PARTS)})s?\b"
    r"(?= (?:of(?! [-+0-9])|in|is|are|has|cash|invested|your|sits?)\b|(?<!a quarter) ?[,.;:!?)]|(?<!a quarter) ?$)"
    rf"|[ -]?(?:{_UNIT})"
    r"|(?<=hundred)|(?<=thousand)|(?<=million))"
    rf"|(?P<half>(?<!and a )half)\b(?:[ -](?:an? )?(?P<period>year)\b|(?P<fine> (?:an? |of (?:an?|one) )(?:{_SHARE}))"
    r"|(?P<other>[ -](?:an? )?(?:hour|day|month|time|way|million|hearted)))?)")

_SPELT = frozenset({*_WORDS, *_WORD_SCALES, *_PARTS, "thirds", "quarters", "tenths", "week", "month", "year"} - {"a"})
_LETTERS = re.compile("[a-z]+").findall

_ABOUT = (" about", " around", " roughly", " nearly", " almost", " close to", " near", " approximately", " approx",
          " approx.",
          " some", " circa", "~", "≈", " just under", " just over", " just shy of", " just above", " just below",
          " slightly under", " slightly over", " slightly above", " slightly below", " a bit over", " a bit under",
          " a little over", " a little under", " a touch over", " a touch under", " just about", "约", "近", "大概",
          "差不多",
          "接近", "快", "快到", "左右")
_NOT_UNDER = (" never below", " not below", " never under", " at least", " no less than", " not less than", "没低于",
              "未低于", "不低于", "不少于", "不小于", "至少")
_UNDER = (" less than", " fewer than", " under", " below", " at most", " no more than", " not more than", " not even",
          " barely even", " up to", " within", " never more than", " never over", " not over", " never above",
          " never exceeded", " not exceeded", " not exceed", "没超过", "没有超过", "未超过", "没超", "从未超过",
          "不到", "不足", "低于", "少于", "不超过", "小于", "至多", "最多", "没到")
_OVER = (" more than", " over", " above", " exceeds", " exceeding", " exceeded", " upwards of", " beyond", " north of",
         "超过", "超", "逾", "高于", "大于", "多于")
_ABOUT_AFTER = ("左右", "上下", "or so", "ish", "-ish", "的样子", "give or take", "or thereabouts")
_OVER_AFTER = ("以上", "or more", "plus", "+")
_AND_MORE = re.compile("多(?![少空头半])|出头|有余|几")
_UNDER_AFTER = ("以下", "以内", "都不到", "不到", "or less")
_SIGNS = (("+", 1), (" plus", 1), ("负", -1), (" minus", -1), (" negative", -1))
_CURRENCIES = ("¥", "$", "rmb", "cny", "usd")
_JOINT = re.compile(r" ?(?:-|—|~|至|到|to|(?P<both>and|与|和)) ?")
_NEAREST = re.compile(r",? ?\(?(?:when |if )?(?:rounded |rounding )?(?:off )?to the nearest ")
_MOVED = re.compile(r"(?:from|从|由|自)[a-z 约]{0,12}$")
_BETWEEN = re.compile(r"(?:between|介于|在) ?$")
_MONTH_NUMBERS = {name: number for number, name in enumerate(
    ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1)}
_MONTH = re.compile(
    r"(?:\b(?P<before>[0-9]{1,2})(?:st|nd|rd|th)? (?:of )?)?\b(?P<month>" + "|".join(_MONTH_NUMBERS)
    + r")[a-z]{0,6}\.?,? (?:of )?(?:(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?,? )?$")
_AS_YEAR = re.compile(" ?(?:as|was|is) (?:the|its) (?:launch|start|inception|founding)")
_IN_YEAR = re.compile(r"(?:\b(?:in|since|from|back|of|until|early|late|mid|year)[ -]|[在自于从])$")


@lru_cache(256)
def read_numbers(text: str) -> tuple[Quantity, ...]:
    """Return the numbers of a text in order; two that a range joins are one quantity.

    A numeral in words ("one", 一) is a number only with a unit or a scale. Digits always are, unless a letter
    stands before them, as in a product code, or there are more than 15.

    Args:
        text: normalised (`predicates.conduct.normal`).
    """
    found: list[Quantity] = []
    for match in _DIGITS.finditer(text) if _DIGIT.search(text) else ():
        found += _from_digits(text, match)
    if not text.isascii():
        for match in _HAN.finditer(text):
            found += _from_han(text, match)
    for match in () if _SPELT.isdisjoint(_LETTERS(text)) else _ENGLISH.finditer(text):
        found += _from_english(text, match)
    return tuple(_joined(text, sorted(found)) if len(found) > 1 else found)


def _from_digits(text: str, match: re.Match[str]) -> Iterable[Quantity]:
    start = match.start()
    if match["year"]:
        month = match["month"] or match["only"] or match["yue"]
        return _date(start, match.end(), int(match["year"]), month, match["day"] or match["ri"])
    whole, decimals, upper = match.group("whole", "decimals", "upper")
    digits = whole.replace(",", "")
    places = len(decimals) - 1 if decimals else 0
    if len(digits) + places > _MOST_DIGITS:
        return ()
    before = text[max(0, start - WINDOW) : start]
    kind = ""
    last = before[-1:]
    if "a" <= last <= "z" or last in ("_", "¥", "$") or (last == " " and before.rstrip().endswith(_CURRENCIES)):
        if before.rstrip().endswith(_CURRENCIES):
            kind = "money"
        elif last == "r" and digits in ("1", "2", "3", "4", "5") and not ("a" <= before[-2:-1] <= "z"):
            return (Quantity(start - 1, start + 1, "level", _exact(int(digits)), _exact(int(digits)), _exact(1)),)
        else:
            return ()
    elif before.endswith("百分之"):
        kind = "ratio"
    if len(digits) == 4 and digits[:2] in ("19", "20") and match.lastgroup == "whole":
        worded = _MONTH.search(before)
        if worded is not None:
            month = str(_MONTH_NUMBERS[worded["month"]])
            return _date(start - len(worded[0]), start + 4, int(digits), month, worded["day"] or worded["before"])
        if _IN_YEAR.search(before) or _AS_YEAR.match(text, match.end()):
            return _date(start, start + 4, int(digits), None, None)
    spelt = (match["scale"] or "").lstrip("-")
    if spelt == "m" and not kind and digits in ("1", "3", "6", "12") and not decimals:  # 3M: three months
        days = _exact(30 * int(digits))
        return (Quantity(start, match.end("scale"), "days", days, days, _exact(30)),)
    scale = _SCALES[spelt] if spelt else 1
    below, value, step = 10**places, int(digits + decimals[1:] if decimals else digits) * scale, scale
    if match["tail"]:
        value, step = value + int(match["tail"]) * scale // 10, scale // 10
    return _measured(text, match, value, step, below, Fraction(upper) * scale * below if upper else None, kind)


def _date(start: int, end: int, year: int, month: str | None, day: str | None) -> Iterable[Quantity]:
    first, last = int(month or 1), int(month or 12)
    if not 1 <= first <= 12:
        return ()
    length = monthrange(year, last)[1]
    if day is not None and not 1 <= int(day) <= length:
        return ()
    low, high = date(year, first, int(day or 1)), date(year, last, int(day or length))
    return (Quantity(start, end, "date", _exact(low.toordinal()), _exact(high.toordinal()), _exact(0)),)


def _from_han(text: str, match: re.Match[str]) -> Iterable[Quantity]:
    if match["half"]:
        return _measured(text, match, 1, None, 2, None, "ratio")
    numeral = match["whole"] or match["above"]
    if text[match.start() - 1 : match.start()] == "第":
        return ()
    decimals = (match["decimals"] or match["after"] or "点")[1:]
    value, step, below = (1, 1, 2) if numeral == "半" else (*_han_value(numeral), 1)
    upper = _han_value(match["upper"])[0] if match["upper"] else None
    if len(numeral) == 2 and not decimals and set(numeral) <= _HAN_DIGITS.keys():  # 七八成: seven or eight tenths
        value, upper, step = _HAN_DIGITS[numeral[0]], _HAN_DIGITS[numeral[1]], 1
    if decimals:
        below, step = 10 ** len(decimals), 1
        value = value * below + int("".join(str(_HAN_DIGITS[digit]) for digit in decimals))
    if match["below"]:
        parts = _han_value(match["below"])[0]
        fine = step if parts in (100, 1_000, 10_000) else None
        return _measured(text, match, value, fine, below * parts, None, "part") if parts else ()
    return _measured(text, match, value, step, below, None if upper is None else Fraction(upper * below), "")


def _han_value(numeral: str) -> tuple[int, int]:
    """Return value and step: 十二 is 12 to the one, 一万二 is 12,000 to the thousand."""
    total = section = digit = 0
    unit = 1
    for character in numeral:
        if character in _HAN_DIGITS:
            digit = 10 * digit + _HAN_DIGITS[character]
            continue
        unit = _HAN_UNITS[character]
        if unit >= 10_000:
            total, section = (total + section + digit or 1) * unit, 0
        else:
            section += (digit or 1) * unit
        digit = 0
    step = unit
    if numeral[-1] in _HAN_DIGITS:
        step = unit // 10 if numeral[-2:-1] in _HAN_UNITS else 1
    return total + section + digit * step, step


def _from_english(text: str, match: re.Match[str]) -> Iterable[Quantity]:
    if match["other"]:
        return ()
    if match["fine"]:  # half a percent
        return _measured(text, match, 1, 1, 2, None, "ratio")
    if match["half"]:
        kind, step = ("year", 1) if match["period"] else ("ratio", None)
        return _measured(text, match, 1, step, 2, None, kind)
    value, least = _english_value(match["whole"])
    if match["part"]:
        return _measured(text, match, value, None, _PARTS[match["part"]], None, "part")
    decimals = (match["decimals"] or "").split()
    below = 10 ** len(decimals)
    for word in decimals:
        value, least = 10 * value + _WORDS.get(word, 0), 1
    if match["more"]:
        value, least, below = 2 * value + 1, 1, 2
    upper = _english_value(match["upper"])[0] if match["upper"] else None
    return _measured(text, match, value, least, below, None if upper is None else Fraction(upper * below), "")


def _english_value(words: str) -> tuple[int, int]:
    total = section = 0
    step = 1
    spelt = words.replace("-", " ").split()
    if spelt[0] == "a" and len(spelt) > 1 and spelt[1] in _WORDS:  # "a five percent drawdown"
        del spelt[0]
    for word in spelt:
        if word in _WORDS:
            section, step = section + _WORDS[word], 1
        elif word == "hundred":
            section, step = (section or 1) * 100, 100
        elif word in _WORD_SCALES:
            step *= _WORD_SCALES[word]
            total, section = total + (section or 1) * _WORD_SCALES[word], 0
    return total + section, step


def _measured(
    text: str, match: re.Match[str], value: int, step: int | None, below: int, upper: Fraction | None, kind: str
) -> Iterable[Quantity]:
    """Return the quantity (value, step and upper over `below`) in its unit, with what the words around make of it."""
    start, end = match.span()
    while text[end - 1] == " ":
        end -= 1
    unit, times = "bare", 1
    named = match.lastgroup
    if kind in ("ratio", "part"):
        unit = "ratio"
        below *= 100 if kind == "ratio" and step is not None else 1
    elif named == "percent" or named == "points":
        unit, below = "ratio", below * 100
    elif named == "cheng":
        unit, below = "ratio", below * 10
        if rest := match["rest"]:
            value, step, below = 10 * value + (5 if rest == "半" else _HAN_DIGITS.get(rest) or int(rest)), 1, below * 10
    elif kind == "money" or named == "money":
        unit, times = "money", 100
    elif kind == "year" or named == "time":
        spoken = "year" if kind else match["time"]
        unit, times = "days", next((days for name, days in _DAYS if name in spoken), 1)
    elif named == "basis":
        unit, below = "ratio", below * 10_000
    elif named == "times" or named == "count":
        unit = named
    low = _exact(value * times, below)
    high = low if upper is None else Fraction(upper * times, below)
    least = COARSE if step is None else _exact(step * times, below)
    before = " " + text[max(0, start - WINDOW) : start].rstrip(" $¥")
    sign = 0
    if before[-1] in "-+负sude":  # the last letters of the signs
        if before[-1] == "-":
            sign = 0 if before[-2].isascii() and (before[-2].isalnum() or before[-2] == "%") else -1
        else:
            sign = next((value for mark, value in _SIGNS if before.endswith(mark)), 0)
        before = before.rstrip("-+负") if sign else before
    before = before.rstrip("是有在为了 ").removesuffix(" a")
    after = text[end : end + WINDOW].lstrip(" 仓的")
    if upper is None and step is not None and (_AND_MORE.match(after) or "多" in match[0]):
        high = low + least
    about = before.endswith(_ABOUT) or after.startswith(_ABOUT_AFTER)
    if before.endswith(_NOT_UNDER):
        bound = ">"
    elif before.endswith(_UNDER) or after.startswith(_UNDER_AFTER):
        bound = "" if about else "<"
    elif before.endswith(_OVER) or after.startswith(_OVER_AFTER):
        bound = "" if about else ">"
    else:
        bound = ""
    if upper is not None and (low > high or _MOVED.search(text, max(0, start - WINDOW), start)):
        middle = match.start("upper")
        return (Quantity(start, middle, unit, low, low, least, about, bound, sign),
                Quantity(middle, end, unit, high, high, least, about, bound, sign))
    return (Quantity(start, end, unit, low, high, least, about, bound, sign),)


def _joined(text: str, found: list[Quantity]) -> Iterator[Quantity]:
    """Yield the quantities, overlaps dropped, ranges such as "40 % to 50 %" made one, "to the nearest 100" a step."""
    held = found[0]
    for one in found[1:]:
        if one.start < held.end:
            held = one if one.end > held.end else held
        elif one.start - held.end < 40 and _NEAREST.fullmatch(text, held.end, one.start):
            held = held._replace(step=one.low * (100 if (held.unit, one.unit) == ("money", "bare") else 1))
        elif one.start - held.end < 8 and _is_range(text, held, one):
            if held.unit != one.unit:
                held = held._replace(low=held.low / 100, high=held.high / 100, step=held.step / 100, unit=one.unit)
            held = held._replace(end=one.end, high=one.high, about=held.about or one.about)
        else:
            yield held
            held = one
    yield held


def _is_range(text: str, left: Quantity, right: Quantity) -> bool:
    """Return whether words join two numbers of one unit, or a bare one and a percentage, into a range."""
    mixed = (left.unit, right.unit) == ("bare", "ratio")
    if right.unit in ("date", "level") or not (mixed or left.unit == right.unit):
        return False
    joint = _JOINT.fullmatch(text, left.end, right.start)
    if joint is None or left.high >= right.low * (100 if mixed else 1):
        return False
    before = text[max(0, left.start - WINDOW) : left.start]
    return bool(_BETWEEN.search(before)) if joint["both"] else not _MOVED.search(before)
