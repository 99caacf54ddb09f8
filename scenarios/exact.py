"""Exact numbers: decimal strings in files, integers and fractions in memory, never a float.

A rate is written as a decimal string in one spelling only ("0.2", not "0.20" or ".2"), so that equal
values have equal bytes. Evidence may hold a ratio that has no finite decimal expansion; it is written
as "numerator/denominator" in the units that were compared.
"""

import re
from fractions import Fraction
from typing import NamedTuple

_DECIMAL = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?\Z")
MAX_DECIMAL_CHARACTERS = 40


class Ratio(NamedTuple):
    """An unreduced ratio of two integers, so that a reader sees the amounts that were compared."""

    numerator: int
    denominator: int


Number = int | Fraction | Ratio


def parse_decimal(text: str) -> Fraction:
    """Return the exact value of a decimal string in its one spelling.

    Raises:
        ValueError: text is not a plain decimal, is longer than 40 characters, or has another spelling
            than the shortest one (leading plus or zeros, trailing zeros, exponent, "-0").
    """
    if len(text) > MAX_DECIMAL_CHARACTERS or not _DECIMAL.match(text) or text == "-0":
        raise ValueError(
            f"found {text[:60]!r}, expected a plain decimal such as 0.2; no exponent, plus sign or trailing zero"
        )
    return Fraction(text)


def decimal_text(value: Fraction | int) -> str:
    """Return the one decimal spelling of a value with a finite expansion.

    Raises:
        ValueError: value has no finite decimal expansion.
    """
    value = Fraction(value)
    twos = fives = 0
    rest = value.denominator
    while rest % 2 == 0:
        rest //= 2
        twos += 1
    while rest % 5 == 0:
        rest //= 5
        fives += 1
    if rest != 1:
        raise ValueError(f"{value} has no finite decimal expansion")
    places = max(twos, fives)
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    sign = "-" if value < 0 else ""
    return sign + (f"{digits[:-places]}.{digits[-places:]}" if places else digits)


def exact_json(value: Number | str | None) -> int | str | None:
    """Return a number as it is written in records: an integer, or "numerator/denominator"."""
    if type(value) is int or value is None or type(value) is str:
        return value
    if isinstance(value, Ratio):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
    raise TypeError(f"{value!r} is not an exact number")


def read_exact(text: int | str) -> Fraction:
    """Return the value of an integer or of the string that `exact_json` wrote."""
    return Fraction(text)


def round_half_up(value: Fraction, places: int) -> str:
    """Return a value rounded half away from zero, with exactly `places` decimals, for printing."""
    scaled = abs(value) * 10**places
    digits = str((2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)).rjust(places + 1, "0")
    sign = "-" if value < 0 and digits.strip("0") else ""
    return sign + (f"{digits[:-places]}.{digits[-places:]}" if places else digits)
