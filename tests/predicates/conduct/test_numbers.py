"""Exact reading of numbers in digits and in words, in English and Chinese."""

from datetime import date
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predicates.conduct.normal import normalise
from predicates.conduct.numbers import COARSE, Quantity, read_numbers

PERCENT = Fraction(1, 100)


def read(text: str) -> tuple[Quantity, ...]:
    """Read a text as the clauses do."""
    return read_numbers(normalise(text).text)


def only(text: str) -> Quantity:
    """Return the one number of a text."""
    (one,) = read(text)
    return one


@pytest.mark.parametrize(
    ("text", "unit", "value", "step"),
    [
        ("88 %", "ratio", "0.88", PERCENT), ("11.8%", "ratio", "0.118", PERCENT / 10),
        ("１１.８％", "ratio", "0.118", PERCENT / 10),
        ("eighty-eight percent", "ratio", "0.88", PERCENT),
        ("three point five per cent", "ratio", "0.035", PERCENT / 10),
        ("nine and a half percent", "ratio", "0.095", PERCENT / 2), ("15 bps", "ratio", "0.0015", PERCENT / 100),
        ("two percentage points", "ratio", "0.02", PERCENT), ("八成", "ratio", "0.8", COARSE),
        ("八成八", "ratio", "0.88", PERCENT),
        ("八成半", "ratio", "0.85", PERCENT), ("4成", "ratio", "0.4", COARSE), ("三个点", "ratio", "0.03", PERCENT),
        ("十二个百分点", "ratio", "0.12", PERCENT), ("百分之二点三", "ratio", "0.023", PERCENT / 10),
        ("百分之88", "ratio", "0.88", PERCENT),
        ("千分之一点五", "ratio", "0.0015", PERCENT / 100), ("一半", "ratio", "0.5", COARSE),
        ("half of it", "ratio", "0.5", COARSE),
        ("三分之二", "ratio", "2/3", COARSE), ("two thirds of it", "ratio", "2/3", COARSE),
        ("three quarters", "ratio", "0.75", COARSE),
        ("nine-tenths", "ratio", "0.9", COARSE), ("12,000 yuan", "money", "1200000", Fraction(100)),
        ("¥12,000.50", "money", "1200050", Fraction(1)), ("RMB50k", "money", "5000000", Fraction(100_000)),
        ("1.2万元", "money", "1200000", Fraction(100_000)), ("一万二千块", "money", "1200000", Fraction(100_000)),
        ("12万", "bare", "120000", Fraction(10_000)), ("1万2", "bare", "12000", Fraction(1_000)),
        ("两万五", "bare", "25000", Fraction(1_000)), ("twelve thousand", "bare", "12000", Fraction(1_000)),
        ("a hundred thousand yuan", "money", "10000000", Fraction(10_000_000)),
        ("3.5亿", "bare", "350000000", Fraction(10**7)),
        ("90 days", "days", "90", Fraction(1)), ("三个月", "days", "90", Fraction(30)),
        ("a year", "days", "365", Fraction(365)),
        ("近20个交易日", "days", "20", Fraction(1)), ("R4", "level", "4", Fraction(1)),
        ("它是R1的", "level", "1", Fraction(1)),
        ("3只基金", "count", "3", Fraction(1)), ("nine funds", "count", "9", Fraction(1)),
        ("2x", "times", "2", Fraction(1)),
        ("0.88", "bare", "0.88", PERCENT),
    ],
)
def test_one_number(text: str, unit: str, value: str, step: Fraction) -> None:
    """Unit, exact value and one unit of the last digit stated."""
    one = only(text)

    assert (one.unit, one.low, one.high, one.step) == (unit, Fraction(value), Fraction(value), step)


@pytest.mark.parametrize(
    ("text", "about", "bound", "sign"),
    [
        ("about 88 %", True, "", 0), ("88% or so", True, "", 0), ("约88%", True, "", 0), ("八成左右", True, "", 0),
        ("close to 90%", True, "", 0),
        ("over 80 %", False, ">", 0), ("at least 80 %", False, ">", 0), ("不低于80%", False, ">", 0),
        ("逾八成", False, ">", 0),
        ("less than 5 %", False, "<", 0), ("no more than 5 %", False, "<", 0), ("不到一成", False, "<", 0),
        ("不超过5%", False, "<", 0),
        ("−4.1 %", False, "", -1), ("minus 1.6 percent", False, "", -1), ("亏损-2.5%", False, "", -1),
        ("+0.4%", False, "", 1),
        ("moreover 5 %", False, "", 0), ("5 %", False, "", 0),
    ],
)
def test_qualified(text: str, about: bool, bound: str, sign: int) -> None:
    """The words around a number make it rough, a bound, or signed."""
    one = only(text)

    assert (one.about, one.bound, one.sign) == (about, bound, sign)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("40%-50%", [("0.4", "0.5")]), ("3 to 5 percent", [("0.03", "0.05")]),
        ("between 40 and 50 percent", [("0.4", "0.5")]),
        ("七八成", [("0.7", "0.8")]), ("from 65% to 40%", [("0.65", "0.65"), ("0.4", "0.4")]),
        ("从65%降到40%", [("0.65", "0.65"), ("0.4", "0.4")]), ("65% and 40%", [("0.65", "0.65"), ("0.4", "0.4")]),
        ("赚了一千七百多", [("1700", "1800")]), ("from 65 to 40 percent", [("0.65", "0.65"), ("0.4", "0.4")]),
    ],
)
def test_ranges(text: str, values: list[tuple[str, str]]) -> None:
    """A range is one quantity; a movement from one value to another is two."""
    assert [(one.low, one.high) for one in read(text)] == [(Fraction(low), Fraction(high)) for low, high in values]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2018-03-15", date(2018, 3, 15), date(2018, 3, 15)), ("2021年3月", date(2021, 3, 1), date(2021, 3, 31)),
        ("since 2019", date(2019, 1, 1), date(2019, 12, 31)), ("15 March 2021", date(2021, 3, 15), date(2021, 3, 15)),
        ("March 15, 2021", date(2021, 3, 15), date(2021, 3, 15)),
        ("February 2024", date(2024, 2, 1), date(2024, 2, 29)),
    ],
)
def test_dates(text: str, first: date, last: date) -> None:
    """A date is its day; a month or year runs from its first to its last day."""
    one = only(text)

    assert (one.unit, one.low, one.high) == ("date", first.toordinal(), last.toordinal())


@pytest.mark.parametrize(
    "text", ["F301", "一定会涨", "one of the best", "第一季度", "the third fund", "9" * 16, "CSI", "2021-13-45x",
    "成立于", "half a day"])
def test_no_number(text: str) -> None:
    """Product codes, ordinals, words that only look like numbers and endless digits are none."""
    assert [one for one in read(text) if one.unit != "bare"] == []


@given(st.integers(0, 10**12), st.integers(0, 4))
def test_digits_are_exact(value: int, places: int) -> None:
    """Any plain decimal percentage reads as exactly that share, and its step is its last digit."""
    text = f"{value // 10**places}.{value % 10**places:0{places}d} %" if places else f"{value} %"
    one = only(text)

    assert (one.low, one.step) == (Fraction(value, 100 * 10**places), Fraction(1, 100 * 10**places))


@given(st.integers(1, 99_999_999))
def test_chinese_numerals_are_exact(value: int) -> None:
    """A number spelt out in full is read back."""
    one = only(f"{spell(value)}元")

    assert one.low == 100 * value


def spell(value: int) -> str:
    """Return a number below 10^8 in Chinese, with 零 where a place is skipped."""
    if value >= 10_000:
        rest = value % 10_000
        return spell(value // 10_000) + "万" + (("零" if rest < 1_000 else "") + spell(rest) if rest else "")
    text, skipped = "", False
    for unit, scale in ((1_000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = value // unit % 10
        if digit:
            text += ("零" if skipped and text else "") + "零一二三四五六七八九"[digit] + scale
        skipped = not digit
    return text


@given(st.text(st.sampled_from("0123456789.,%-一二三十百万亿成半点到个元天月年 abfhort"), max_size=40))
def test_total_and_ordered(text: str) -> None:
    """Any text is read without error into quantities in order that do not overlap and lie in it."""
    found = read_numbers(text)

    assert all(0 <= one.start < one.end <= len(text) and one.low <= one.high for one in found)
    assert all(left.end <= right.start for left, right in pairwise(found))
