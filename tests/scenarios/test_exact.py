"""Exact numbers: one spelling for a decimal, no float on the way, rounding only for print."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenarios.exact import Ratio, decimal_text, exact_json, parse_decimal, read_exact, round_half_up

DECIMALS = st.builds(
    lambda digits, places: Fraction(digits, 10**places), st.integers(-(10**18), 10**18), st.integers(0, 12)
)


@given(DECIMALS)
def test_a_decimal_is_read_as_it_was_written(value: Fraction) -> None:
    assert parse_decimal(decimal_text(value)) == value


@pytest.mark.parametrize(
    "text", ["0.20", ".2", "2.", "+1", "-0", "01", "1e2", "1_000", "", " 1", "٣", "NaN", "9" * 41, "1.0", "0x1"]
)
def test_another_spelling_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected a plain decimal"):
        parse_decimal(text)


@pytest.mark.parametrize(
    ("text", "value"), [("0", 0), ("-1.5", Fraction(-3, 2)), ("0.01", Fraction(1, 100)), ("100", 100)]
)
def test_the_one_spelling_is_read(text: str, value: Fraction | int) -> None:
    assert parse_decimal(text) == value
    assert decimal_text(value) == text


def test_a_third_has_no_decimal() -> None:
    with pytest.raises(ValueError, match="no finite"):
        decimal_text(Fraction(1, 3))


@pytest.mark.parametrize(
    ("value", "written"),
    [(7, 7), (Fraction(4, 2), 2), (Fraction(1, 3), "1/3"), (Ratio(20, 40), "20/40"), (None, None), ("x", "x")],
)
def test_evidence_is_written_exactly(value: object, written: object) -> None:
    assert exact_json(value) == written  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [0.5, True, [1]])
def test_evidence_is_never_a_float(value: object) -> None:
    with pytest.raises(TypeError):
        exact_json(value)  # type: ignore[arg-type]


@given(st.fractions())
def test_written_evidence_is_read_back(value: Fraction) -> None:
    written = exact_json(value)
    assert written is not None

    assert read_exact(written) == value


@pytest.mark.parametrize(
    ("value", "places", "printed"),
    [
        (Fraction(7, 12), 2, "0.58"),
        (Fraction(1, 8), 2, "0.13"),
        (Fraction(-1, 8), 2, "-0.13"),
        (Fraction(1, 3), 0, "0"),
        (Fraction(1, 2), 0, "1"),
        (Fraction(-1, 1000), 2, "0.00"),
        (Fraction(995, 1000), 2, "1.00"),
        (Fraction(12), 1, "12.0"),
    ],
)
def test_printing_rounds_half_away_from_zero(value: Fraction, places: int, printed: str) -> None:
    assert round_half_up(value, places) == printed
