"""Money and quantities are read exactly or refused, never guessed or rounded."""

from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scenarios.json_exact import Unreadable
from scenarios.money import (
    cents_of_number,
    cents_of_string,
    quantity_of_number,
    quantity_of_string,
    read_number,
)


def refusal(read: object, *arguments: str) -> str | None:
    """What was found, or None where the text is read."""
    try:
        read(*arguments)  # type: ignore[operator]
    except Unreadable as fault:
        assert fault.remedy
        return fault.what
    return None


@pytest.mark.parametrize(
    ("token", "cents"),
    [
        pytest.param("900", 90_000, id="whole units"),
        pytest.param("900.00", 90_000, id="two decimals"),
        pytest.param("900.5", 90_050, id="one decimal"),
        pytest.param("0.01", 1, id="one cent"),
        pytest.param("900.000", 90_000, id="sub-cent is decided by value"),
        pytest.param("900.10000000000000000000", 90_010, id="many zeros"),
        pytest.param("9e2", 90_000, id="an exponent"),
        pytest.param("9E+2", 90_000, id="a signed exponent"),
        pytest.param("90000e-2", 90_000, id="a negative exponent"),
        pytest.param("0.000000000000000001e20", 10_000, id="the largest exponent"),
        pytest.param("1000000000000000000000e-20", 1_000, id="the smallest exponent"),
        pytest.param("99999999999.99", 10**13 - 1, id="the largest amount"),
        pytest.param("99999999999", 9_999_999_999_900, id="the largest whole amount"),
    ],
)
def test_a_number_is_read_exactly(token: str, cents: int) -> None:
    assert cents_of_number(token, "USD") == cents


@pytest.mark.parametrize(
    ("token", "because"),
    [
        pytest.param("0", "zero", id="zero"),
        pytest.param("0.00", "zero", id="zero with decimals"),
        pytest.param("-0", "zero", id="negative zero"),
        pytest.param("-0.01", "negative", id="minus one cent"),
        pytest.param("-900", "negative", id="negative"),
        pytest.param("900.001", "finer than the minor unit", id="a tenth of a cent"),
        pytest.param("900.00000000000001", "finer than the minor unit", id="lost by a binary float"),
        pytest.param("1e-3", "finer than the minor unit", id="sub-cent by exponent"),
        pytest.param("100000000000", "10^13", id="the bound itself"),
        pytest.param("100000000000.00", "10^13", id="the bound with decimals"),
        pytest.param("1e11", "10^13", id="the bound by exponent"),
        pytest.param("1e21", "exponent", id="an exponent of 21"),
        pytest.param("1e-21", "exponent", id="an exponent of -21"),
        pytest.param("1e400", "exponent", id="beyond a double"),
        pytest.param("1." + "0" * 31, "33 characters", id="33 characters"),
        pytest.param("9" * 5000, "5000 characters", id="more digits than int() reads"),
    ],
)
def test_a_number_is_refused(token: str, because: str) -> None:
    assert because in (refusal(cents_of_number, token, "USD") or "read")


def test_the_longest_number_is_read() -> None:
    assert cents_of_number("1." + "0" * 30, "USD") == 100


@pytest.mark.parametrize(
    ("currency", "token", "cents"),
    [
        pytest.param("JPY", "900", 90_000, id="a whole yen"),
        pytest.param("JPY", "900.00", 90_000, id="a whole yen with decimals"),
        pytest.param("JPY", "900.50", None, id="half a yen"),
        pytest.param("CNY", "900.50", 90_050, id="half a yuan"),
    ],
)
def test_the_minor_unit_is_the_currencys(currency: str, token: str, cents: int | None) -> None:
    if cents is None:
        assert "finer than the minor unit of JPY" in (refusal(cents_of_number, token, currency) or "read")
    else:
        assert cents_of_number(token, currency) == cents


@pytest.mark.parametrize(
    ("currency", "text", "cents"),
    [
        pytest.param("USD", "900", 90_000, id="plain digits"),
        pytest.param("USD", " 900.5 ", 90_050, id="blanks around"),
        pytest.param("USD", "$900", 90_000, id="a sign"),
        pytest.param("USD", "US$ 900.00", 90_000, id="a longer sign and a blank"),
        pytest.param("USD", "1,000.00", 100_000, id="groups of three"),
        pytest.param("USD", "$1,234,567.89", 123_456_789, id="sign and groups"),
        pytest.param("USD", "900 USD", 90_000, id="a code"),
        pytest.param("USD", "900usd", 90_000, id="a code in lower case"),
        pytest.param("USD", "USD 900", 90_000, id="the code in the place of the sign"),
        pytest.param("USD", "$900 USD", 90_000, id="sign and code"),
        pytest.param("USD", "900.000", 90_000, id="sub-cent is decided by value"),
        pytest.param("USD", "９００．５０", 90_050, id="full-width digits"),
        pytest.param("USD", "＄１，０００", 100_000, id="full-width sign and separator"),
        pytest.param("EUR", "€900", 90_000, id="euro"),
        pytest.param("GBP", "£900", 90_000, id="pound"),
        pytest.param("CNY", "¥900", 90_000, id="yuan"),
        pytest.param("CNY", "￥900元", 90_000, id="yuan as written in China"),
        pytest.param("JPY", "¥900", 90_000, id="yen"),
    ],
)
def test_a_money_string_is_read(currency: str, text: str, cents: int) -> None:
    assert cents_of_string(text, currency) == cents


@pytest.mark.parametrize(
    ("currency", "text", "because"),
    [
        pytest.param("USD", "1.000,00", "more than one way", id="point for thousands"),
        pytest.param("USD", "1.000.000", "more than one way", id="points for thousands"),
        pytest.param("USD", "1,00", "more than one way", id="a decimal comma"),
        pytest.param("USD", "0,900", "more than one way", id="a group that begins with zero"),
        pytest.param("USD", "1,0000", "more than one way", id="a group of four"),
        pytest.param("USD", "10,00,000", "more than one way", id="groups of two"),
        pytest.param("USD", "1000,000", "more than one way", id="a first group of four"),
        pytest.param("USD", "1,000.000,0", "more than one way", id="a comma behind the point"),
        pytest.param("USD", "-900", "negative", id="negative"),
        pytest.param("USD", "$-900", "negative", id="negative behind the sign"),
        pytest.param("USD", "−900", "negative", id="a typographic minus"),
        pytest.param("USD", "($900)", "negative", id="the accountant's negative"),
        pytest.param("USD", "0", "zero", id="zero"),
        pytest.param("USD", "900.001", "finer", id="sub-cent"),
        pytest.param("USD", "€900", "the account is in USD", id="another sign"),
        pytest.param("USD", "900 EUR", "the account is in USD", id="another code"),
        pytest.param("USD", "$900 EUR", "the account is in USD", id="a sign and another code"),
        pytest.param("USD", "¥900", "the account is in USD", id="yen or yuan"),
        pytest.param("EUR", "$900", "the account is in EUR", id="dollars in a euro account"),
        pytest.param("CNY", "HK$900", "the account is in CNY", id="another dollar"),
        pytest.param("USD", "1.5k", "currency", id="a magnitude"),
        pytest.param("USD", "9e2", "", id="an exponent in a string"),
        pytest.param("USD", "+900", "no amount", id="a plus"),
        pytest.param("USD", ".50", "no amount", id="no digit before the point"),
        pytest.param("USD", "900.", "no amount", id="no digit behind the point"),
        pytest.param("USD", "0900", "no amount", id="a leading zero"),
        pytest.param("USD", "1 000", "no amount", id="a blank between digits"),
        pytest.param("USD", "1_000", "", id="an underscore between digits"),
        pytest.param("USD", "٣", "no amount", id="digits of another script"),
        pytest.param("USD", "9²", "", id="a superscript"),
        pytest.param("USD", "NaN", "no amount", id="not a number"),
        pytest.param("USD", "", "no amount", id="nothing"),
        pytest.param("USD", "$", "no amount", id="a sign alone"),
        pytest.param("USD", "10%", "currency", id="a share"),
        pytest.param("USD", "900 - 1000", "no amount", id="a range"),
        pytest.param("USD", "900\n", None, id="a line end is a blank"),
        pytest.param("USD", " " * 30 + "900", "33 characters", id="33 characters"),
        pytest.param("USD", " " * 29 + "900", None, id="32 characters"),
    ],
)
def test_a_money_string_is_refused(currency: str, text: str, because: str | None) -> None:
    found = refusal(cents_of_string, text, currency)

    assert (found is None) == (because is None)
    assert (because or "") in (found or "")


CENTS = st.integers(1, 10**13 - 1)


@given(cents=CENTS)
@example(cents=1)
@example(cents=10**13 - 1)
def test_every_spelling_of_an_amount_is_the_same_amount(cents: int) -> None:
    """Number, grouped string and full-width string of one amount give the cents it was printed from."""
    units, rest = divmod(cents, 100)
    grouped = f"{units:,}.{rest:02d}"

    assert cents_of_number(f"{units}.{rest:02d}", "USD") == cents
    assert cents_of_number(f"{cents}e-2", "USD") == cents
    assert cents_of_string(f"${grouped} USD", "USD") == cents
    assert cents_of_string("".join(chr(ord(mark) + 0xFEE0) for mark in grouped), "USD") == cents


NUMBERS = st.from_regex(r"-?(0|[1-9][0-9]{0,12})(\.[0-9]{1,6})?([eE][+-]?[0-9]{1,2})?", fullmatch=True)


@given(NUMBERS)
@example("1e20")
@example("1e-20")
def test_a_number_is_its_value_or_refused(token: str) -> None:
    """The rational that Python reads from the same token decides, within the bounds."""
    value = 100 * Fraction(token)
    exponent = int(token.lower().partition("e")[2] or 0)
    allowed = abs(exponent) <= 20 and 0 < value < 10**13 and value.denominator == 1

    if allowed:
        assert cents_of_number(token, "USD") == value
    else:
        assert refusal(cents_of_number, token, "USD")


@given(text=st.text(max_size=40) | st.text("$€¥0123456789.,()-+ eEUSDkK０１９，．", max_size=34))
@example(text="\ud800")
def test_any_string_is_read_or_refused(text: str) -> None:
    if refusal(cents_of_string, text, "USD") is None:
        assert 0 < cents_of_string(text, "USD") < 10**13


@pytest.mark.parametrize(
    ("token", "shares"),
    [
        pytest.param("12", 12, id="whole"),
        pytest.param("12.0", 12, id="whole with a decimal"),
        pytest.param("0.125", Fraction(1, 8), id="a fraction"),
        pytest.param("1e-20", Fraction(1, 10**20), id="a tiny fraction"),
        pytest.param("9999999999999", 10**13 - 1, id="the largest"),
        pytest.param("10000000000000", None, id="the bound"),
        pytest.param("0", None, id="zero"),
        pytest.param("-1", None, id="negative"),
        pytest.param("1e21", None, id="an exponent beyond the bound"),
    ],
)
def test_quantity(token: str, shares: int | Fraction | None) -> None:
    if shares is None:
        assert refusal(quantity_of_number, token)
    else:
        assert quantity_of_number(token) == shares
        assert type(quantity_of_number(token)) is type(shares)


def test_a_quantity_string_holds_digits_only() -> None:
    assert quantity_of_string("1,200") == 1200
    assert quantity_of_string("１２") == 12
    assert refusal(quantity_of_string, "$12")
    assert refusal(quantity_of_string, "12 USD")
    assert refusal(quantity_of_string, "-12")


@pytest.mark.parametrize("text", ["", "high", "1.", "01", "+1", "1e", "NaN", "90%", "0x1", "1_0", "٣"])
def test_no_plain_number(text: str) -> None:
    assert "no plain number" in (refusal(read_number, text) or "read")


@pytest.mark.parametrize("text", ["900 u\u017fd", "\u017f 900", "900 US\u0395"])
def test_a_look_alike_of_a_code_is_another_currency(text: str) -> None:
    """A long s is no S, although it is one in capitals."""
    with pytest.raises(Unreadable, match="account is in USD"):
        cents_of_string(text, "USD")
