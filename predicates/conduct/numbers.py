"""Exact reading of the numbers in a text, in digits and in words, in English and Chinese.

A quantity keeps where it stands, what kind of unit it has, its exact value, the unit of its last stated digit and
the words around it that make it a bound or a rough figure. Nothing is rounded: "88 %" is 22/25, "two thirds" 2/3,
"八成八" 22/25. What a number means is decided elsewhere (`predicates.conduct.claims`).

Every pattern starts with a small set of characters and repeats without giving back, and what surrounds a number is
looked at in a window of fixed length, so the cost is linear in the text.
"""

import re
from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from typing import NamedTuple

WINDOW = 24
"""Characters before and after a number that are searched for the words that qualify it."""


class Quantity(NamedTuple):
    """One number, or a range of two, as it was stated.

    start, end: offsets of the digits with their unit. unit: "ratio" (percent, points, thirds, 成), "money" (cents),
    "days", "date" (ordinals of the proleptic Gregorian calendar, a month or year as its first and last day),
    "level" (R1 to R5), "count" (of holdings), "times" or "bare". points: a ratio in percentage or basis points.
    low, high: the value, twice the same unless a range was stated. step: one unit of the last digit stated.
    bound: ">", "<" or "", as in "over 80 %". sign: -1 or 1 where a sign stands before the digits, else 0.
    """

    start: int
    end: int
    unit: str
    low: Fraction
    high: Fraction
    step: Fraction
    points: bool = False
    about: bool = False
    bound: str = ""
    sign: int = 0


_PERCENT, _ONE = Fraction(1, 100), Fraction(1)
_COARSE = Fraction(1, 10)
"""The step of a fraction in words: "half" and "two thirds" are as coarse as a 成, a tenth."""

_SCALES = {
    "": 1, "百": 100, "千": 1_000, "k": 1_000, "thousand": 1_000, "万": 10_000, "w": 10_000, "百万": 10**6, "m": 10**6,
    "mn": 10**6, "million": 10**6, "千万": 10**7, "亿": 10**8, "bn": 10**9, "billion": 10**9,
}
_DAYS = {
    "d": 1, "day": 1, "session": 1, "天": 1, "日": 1, "交易日": 1, "自然日": 1, "工作日": 1, "week": 7, "周": 7, "星期": 7,
    "礼拜": 7, "month": 30, "月": 30, "季度": 90, "quarter": 90, "year": 365, "yr": 365, "年": 365,
}
_MONTHS = {name: number for number, name in enumerate(
    ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1)}

_UNIT = (
    r"(?P<percent>[%％]|per\s?cent(?:age\b(?!\spoint))?|pct\b)"
    r"|(?P<points>percentage[\s-]points?\b|p\.?p\.?(?![a-z])|(?:full\s)?points?\b|pts?\b|个?百分点|个点)"
    r"|(?P<bp>basis[\s-]points?\b|bps?\b|个?基点|个bp)"
    r"|(?P<cheng>成(?![立本为分功长果交员熟绩就都人交])(?P<rest>[一二三四五六七八九1-9半](?![\d成个%]))?仓?)"
    r"|(?P<money>元|块钱?|人民币|圆|yuan\b|rmb\b|cny\b|kuai\b|dollars?\b|bucks\b|usd\b|美元|美金)"
    r"|(?P<time>-?(?:calendar|trading|business|natural)?[\s-]?(?:days?|sessions?|weeks?|months?|quarters?|years?|yrs?)\b"
    r"|d\b|个?(?:交易日|自然日|工作日|星期|礼拜|季度)|个月|天|日|周|年)"
    r"|(?P<times>倍|x\b|times\b)"
    r"|(?P<count>[只支](?!能|是|有|要|会|不|剩|持|付)|个(?=持仓|产品|基金|品种)|holdings?\b|funds?\b|positions?\b|products?\b"
    r"|instruments?\b|names\b)"
)
_SCALE = r"(?P<scale>百万|千万|[百千万亿]|(?:k|w|mn?|bn)(?![a-z])|(?:thousand|million|billion)\b)?"
_DIGITS = re.compile(
    r"(?P<year>[0-9]{4}(?=[-/.年]))(?:[-/.](?P<mm>[0-9]{1,2})(?:[-/.](?P<dd>[0-9]{1,2}))?(?![0-9])"
    r"|年(?:(?P<zmm>[0-9]{1,2})月(?:份|(?P<zdd>[0-9]{1,2})[日号])?)?)"
    r"|(?P<whole>[0-9]++(?:,[0-9]{3}(?![0-9]))*+)(?P<decimals>\.[0-9]++)?\s?" + _SCALE
    + r"(?P<tail>(?<=万)[1-9](?![0-9.%个成]))?\s?(?:" + _UNIT + r")?", re.IGNORECASE)
_HAN_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_HAN_UNITS = {"十": 10, "百": 100, "千": 1_000, "万": 10_000, "亿": 10**8}
_HAN_NUMERAL = r"[零〇一二两三四五六七八九十百千万亿]"
_HAN = re.compile(
    r"百分之(?P<hundredths>" + _HAN_NUMERAL + r"{1,6}+(?:点[零一二三四五六七八九]{1,4}+)?)"
    r"|(?P<below>" + _HAN_NUMERAL + r"{1,4}+)分之(?P<above>" + _HAN_NUMERAL + r"{1,4}+)"
    r"|(?P<half>半数|半仓|半(?=的?(?:仓|资金|钱|资产|现金))|一半|对半)"
    r"|(?P<whole>半|" + _HAN_NUMERAL + r"{1,12}+)(?P<decimals>点[零一二三四五六七八九]{1,4}+)?(?P<scale>)"
    r"(?P<much>[多几来](?=[万元块个天年]))?(?:" + _UNIT + r")")
_WORDS = {word: value for value, word in enumerate((
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"))} | {
    word: 10 * value for value, word in enumerate((
        "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"), 2)} | {"a": 1, "an": 1}
_WORD_SCALES = {"hundred": 100, "thousand": 1_000, "million": 10**6, "billion": 10**9}
_PARTS = {"half": 2, "halves": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
          "eighth": 8, "tenth": 10}
_ONE_WORD = "(?:" + "|".join(sorted([*_WORDS, *_WORD_SCALES], key=len, reverse=True)) + r")\b"
_ENGLISH = re.compile(
    r"(?P<whole>(?<![a-z])" + _ONE_WORD + r"(?:[\s-](?:and\s)?" + _ONE_WORD + r"){0,7}+)"
    r"(?:\spoint(?P<decimals>(?:\s" + _ONE_WORD + r"){1,4}+))?"
    r"(?:[\s-](?:(?P<parts>thirds?|quarters?|fourths?|fifths|sixths|sevenths|eighths|tenths?)\b(?!\s(?:of\s)?(?:20|this|last))"
    r"|(?P<halved>half)\b)|(?P<scale>)[\s-]?(?:" + _UNIT + r"))"
    r"|(?P<half>(?<![a-z])half\b(?!-?\s?(?:year|hour|day|month|time|way)))", re.IGNORECASE)
_ANY_WORD = re.compile(r"\b(?:" + "|".join(sorted([*_WORDS, "half"], key=len, reverse=True)) + r")\b", re.IGNORECASE)

_ABOUT = re.compile(
    r"(?:about|around|roughly|nearly|almost|close\sto|near|approximately|approx\.?|some|circa|~|≈|the\s(?:best|better)\s"
    r"part\sof|just\s(?:under|over|shy\sof|above|below)|a\sbit\s(?:over|under)|slightly\s(?:over|under|above|below)"
    r"|[约近]|大概|大约|差不多|将近|接近|快要?|快到|左右|小)\s?(?:的|是|有|在|为|a\s)?\s?[¥￥$]?$", re.IGNORECASE)
_ABOUT_AFTER = re.compile(r"\s?(?:左右|上下|or\sso\b|ish\b|-ish\b|的样子|give\sor\stake|roughly\b|or\sthereabouts)", re.IGNORECASE)
_BOUND = re.compile(
    r"(?:(?P<over>(?<!no\s)(?<!not\s)(?:more\sthan|over|above|at\sleast|exceed(?:s|ed|ing)?|upwards\sof|beyond|in\sexcess\sof)"
    r"|(?<!不)超过?了?|逾|至少|(?<!不)高于|(?<!不)大于|不少于|不低于|破)"
    r"|(?P<under>less\sthan|under|below|at\smost|no\smore\sthan|not\smore\sthan|not\seven|up\sto|fewer\sthan|within|short\sof"
    r"|不到|不足|低于|少于|不超过|小于|至多|最多|没到|连))"
    r"\s?(?:a\s)?[¥￥$]?$", re.IGNORECASE)
_BOUND_AFTER = re.compile(r"\s?(?:(?P<over>以上|多(?!少|空|头|半)|有余|出头|or\smore\b|and\sup\b|plus\b|\+)|(?P<under>以下|以内|都?不到|or\sless\b))",
                          re.IGNORECASE)
_JOINT = re.compile(r"\s?(?:-|–|—|~|～|〜|至|到|to|and|与|和)\s?(?:about\s|约)?", re.IGNORECASE)
_OPENED = re.compile(r"(?:from|从|由|自)\s?(?:about|around|约|原来的|目前的|现在的|the\scurrent)?\s?$", re.IGNORECASE)
_BETWEEN = re.compile(r"(?:between|介于|在)\s?$", re.IGNORECASE)
_MONTH_BEFORE = re.compile(
    r"(?:(?P<before>[0-9]{1,2})(?:st|nd|rd|th)?\s(?:of\s)?)?\b(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}"
    r"\.?,?\s(?:(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?,?\s)?(?:of\s)?$", re.IGNORECASE)
_YEAR_BEFORE = re.compile(r"(?:\b(?:in|since|from|back\sin|of|until|early|late|mid)[\s-]|[在自于从])$", re.IGNORECASE)
_LEVEL = re.compile(r"(?<![a-z0-9])r\s?-?$", re.IGNORECASE)
_CURRENCY = re.compile(r"(?:[¥￥$]|rmb|cny|usd)\s?$", re.IGNORECASE)
_MOST_DIGITS = 15


def read_numbers(text: str) -> tuple[Quantity, ...]:
    """Return the numbers of a text in order; two that one range joins are one quantity.

    A bare numeral in words ("one", 一) is no number; it takes a unit. Digits always are one, unless there are more
    than 15 of them.
    """
    found = [one for one in map(lambda match: _from_digits(text, match), _DIGITS.finditer(text)) if one is not None]
    if not text.isascii():
        found += [one for one in map(_from_han, _HAN.finditer(text)) if one is not None]
    if _ANY_WORD.search(text):
        found += [one for one in map(_from_english, _ENGLISH.finditer(text)) if one is not None]
    return tuple(_join(text, _apart(sorted(found)))) if found else ()
