"""Money and quantities read exactly from what an advisor wrote.

An amount is an integer number of cents (hundredths of the currency unit), 0 < amount < 10^13. It is
written as a JSON number (900, 900.50, 9e2), or, where the parser allows strings, as

    [currency sign or code] digits, plain or in comma groups of three [. digits] [currency code]

("$1,000.00", "1000 USD", full-width "＄９００"). Whether it is finer than the minor unit is decided by
value: 900.000 is 900, 900.001 is refused. Nothing is rounded and no separator is guessed.
"""

import re
from fractions import Fraction

from scenarios.json_exact import Unreadable, quote

AMOUNT_BOUND_CENTS = 10**13
QUANTITY_BOUND = 10**13
MAX_CHARACTERS = 32
MAX_EXPONENT = 20

SIGNS: dict[str, tuple[str, ...]] = {
    "AUD": ("$", "A$"), "CAD": ("$", "C$"), "CNY": ("¥", "CN¥"), "EUR": ("€",), "GBP": ("£",), "HKD": ("$", "HK$"),
    "INR": ("₹",), "JPY": ("¥", "JP¥"), "KRW": ("₩",), "SGD": ("$", "S$"), "USD": ("$", "US$"),
}
"""Signs of each currency; one that several currencies share means the account's."""

OTHER_CODES: dict[str, tuple[str, ...]] = {"CNY": ("RMB", "元"), "JPY": ("円",)}
"""Further names that may stand where the ISO code may."""

WHOLE_UNIT_CURRENCIES = frozenset({"CLP", "ISK", "JPY", "KRW", "PYG", "UGX", "VND", "XAF", "XOF", "XPF"})
"""Currencies whose minor unit is the unit itself (ISO 4217), so that 900.50 is finer than it."""

_PLAIN = re.compile(r"(0|[1-9][0-9]{0,10})(?:\.([0-9])([0-9])?)?").fullmatch
_NUMBER = re.compile(r"(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?").fullmatch
_DIGITS = r"(?P<digits>(?:0|[1-9][0-9]*|[1-9][0-9]{0,2}(?:,[0-9]{3})+)(?:\.[0-9]+)?)"
_NAME = r"[^0-9\s.,+()\N{MINUS SIGN}\N{EN DASH}-]*"
_MONEY = re.compile(rf"(?P<sign>{_NAME})\s?{_DIGITS}\s?(?P<code>{_NAME})").fullmatch
_NEGATIVE = re.compile(r"[^0-9]*[-(\N{MINUS SIGN}\N{EN DASH}]").match
_HALF_WIDTH = {full: full - 0xFEE0 for full in range(0xFF01, 0xFF5F)} | {
    0x3000: " ", 0xFFE0: "¢", 0xFFE1: "£", 0xFFE5: "¥", 0xFFE6: "₩"
}
_SIZE_REMEDY = "write a positive amount such as 900 or 900.50"


def read_number(token: str) -> Fraction:
    """Return the exact value of a JSON number token.

    Raises:
        Unreadable: it is longer than 32 characters, its exponent is beyond +-20, or it is no JSON number.
    """
    if len(token) > MAX_CHARACTERS:
        raise Unreadable("", f"found a number of {len(token)} characters", f"write at most {MAX_CHARACTERS}")
    match = _NUMBER(token)
    if match is None:
        raise Unreadable("", f"found {quote(token)}, which is no plain number", "write a number such as 0.9")
    minus, whole, decimals, exponent = match.groups("")
    power = int(exponent or 0)
    if abs(power) > MAX_EXPONENT:
        raise Unreadable("", f"found the exponent {power}", f"keep it between -{MAX_EXPONENT} and {MAX_EXPONENT}")
    value = int(whole + decimals) * Fraction(10) ** (power - len(decimals))
    return -value if minus else value


def cents_of_number(token: str, currency: str) -> int:
    """Return the cents of an amount in currency units that is written as a JSON number token.

    Raises:
        Unreadable: it is zero, negative, finer than the minor unit or beyond a bound.
    """
    plain = _PLAIN(token)
    if plain is not None and currency not in WHOLE_UNIT_CURRENCIES:
        units, tenths, hundredths = plain.groups("0")
        cents = int(units + tenths + hundredths)
        if cents:
            return cents
    value = 100 * read_number(token)
    if value <= 0:
        raise Unreadable("", f"found the amount {token}, which is {'zero' if value == 0 else 'negative'}", _SIZE_REMEDY)
    if value >= AMOUNT_BOUND_CENTS:
        raise Unreadable("", f"found the amount {token}, which is 10^13 minor units or more", "write a smaller amount")
    if value.denominator != 1 or (currency in WHOLE_UNIT_CURRENCIES and value % 100):
        raise Unreadable("", f"found the amount {token}, finer than the minor unit of {currency}", _SIZE_REMEDY)
    return value.numerator


def cents_of_string(text: str, currency: str) -> int:
    """Return the cents of a money string in the account's currency.

    Raises:
        Unreadable: it is not in the grammar above, names another currency, or the number is refused.
    """
    digits, sign, code = _split(text.translate(_HALF_WIDTH).strip(), text)
    codes = (currency, *OTHER_CODES.get(currency, ()))
    if sign and sign not in SIGNS.get(currency, ()) and _upper(sign) not in codes:
        raise _other_currency(sign, currency)
    if code and _upper(code) not in codes:
        raise _other_currency(code, currency)
    return cents_of_number(digits, currency)


def quantity_of_number(token: str) -> int | Fraction:
    """Return the shares that are written as a JSON number token, an integer where they are whole.

    Raises:
        Unreadable: they are zero, negative or beyond a bound.
    """
    value = read_number(token)
    if not 0 < value < QUANTITY_BOUND:
        raise Unreadable("", f"found {token} shares", "write a positive number of shares below 10^13")
    return value.numerator if value.denominator == 1 else value


def quantity_of_string(text: str) -> int | Fraction:
    """Return the shares that are written as a string of digits, plain or in comma groups of three.

    Raises:
        Unreadable: the string is anything else, or the number is refused.
    """
    digits, *rest = _split(text.translate(_HALF_WIDTH).strip(), text)
    if any(rest):
        raise Unreadable("", f"found the quantity {quote(text)}", "write a number of shares such as 12")
    return quantity_of_number(digits)


def _split(text: str, answered: str) -> tuple[str, str, str]:
    """Return the digits without group separators, the sign before and the code behind them."""
    if len(answered) > MAX_CHARACTERS:
        raise Unreadable("", f"found a string of {len(answered)} characters", f"write at most {MAX_CHARACTERS}")
    match = _MONEY(text)
    if match is not None:
        return match["digits"].replace(",", ""), match["sign"], match["code"]
    if _NEGATIVE(text):
        raise Unreadable("", f"found {quote(answered)}, which is negative", _SIZE_REMEDY)
    if "," in text or text.count(".") > 1:
        raise Unreadable(
            "", f"found {quote(answered)}, whose separators can be read in more than one way",
            "write digits with a decimal point, such as 1000.00",
        )
    raise Unreadable("", f"found {quote(answered)}, which is no amount", _SIZE_REMEDY)


def _upper(code: str) -> str:
    """Return a code in capitals; letters beyond ASCII, such as a long s, stay what they are."""
    return code.upper() if code.isascii() else code


def _other_currency(found: str, currency: str) -> Unreadable:
    return Unreadable("", f"found the currency {quote(found)}, the account is in {currency}", f"state it in {currency}")
