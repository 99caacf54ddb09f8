"""The bytes that an advisor is told."""

from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from replay.environments.fund_advice.request import CLIENT, decimal, ppm, request_bytes
from scenarios.exact import decimal_text, parse_decimal
from tests.replay.fund_advice.consultations import some_facts


@pytest.mark.parametrize("seed", range(20))
def test_a_request_is_canonical(seed: int) -> None:
    facts = some_facts(seed)
    spoken = [(CLIENT, "担心 \"é\"\n")]

    written = request_bytes(facts, spoken)

    assert written == rfc8785.dumps({**facts, "dialogue": [{"speaker": "client", "text": spoken[0][1]}]})
    assert b"\n" not in written


def kinds(value: Any) -> set[type]:
    """Return the types of the leaves of a record."""
    if isinstance(value, dict):
        return set().union(*map(kinds, value.values()))
    return set().union(*map(kinds, value)) if isinstance(value, list) else {type(value)}


def test_a_request_holds_text_and_integers() -> None:
    assert kinds(some_facts(3)) == {str, int}


@given(value=st.integers(-10**9, 10**9), places=st.integers(1, 6))
def test_a_decimal_has_the_one_spelling(value: int, places: int) -> None:
    text = decimal(value, places)

    assert text == decimal_text(parse_decimal(text))
    assert ppm(text) == value * 10 ** (6 - places)


@pytest.mark.parametrize("text", ["", "-", "1e3", "0.1234567", "1.2.3", "nan", "--1", "½"])
def test_what_is_no_decimal_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="decimal"):
        ppm(text)
