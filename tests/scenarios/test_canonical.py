"""Canonical bytes: equal to RFC 8785 for every record without floats, and a refusal for every other."""

import json
from typing import Any

import pytest
import rfc8785
from hypothesis import example, given
from hypothesis import strategies as st

from scenarios.canonical import canonical_bytes, digest, encode_exact
from scenarios.load import SHIPPED

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
INTEGER = st.integers(-(2**53) + 1, 2**53 - 1)
RECORDS = st.recursive(
    st.none() | st.booleans() | INTEGER | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


@given(RECORDS)
@example({"\ue000": 1, "\U00010000": 2})
@example({"a": "\u2028\x7f", "A": ["é", None, True, -0]})
def test_the_bytes_are_those_of_rfc_8785(value: Any) -> None:
    assert canonical_bytes(value) == rfc8785.dumps(value)


@given(st.dictionaries(TEXT, INTEGER, max_size=6))
def test_the_digest_does_not_depend_on_the_order_of_keys(value: dict[str, int]) -> None:
    turned = dict(reversed(value.items()))

    assert digest(turned) == digest(value)


@pytest.mark.parametrize("value", [1.5, [0.0], {"a": {"b": float("nan")}}, {1: 2}, {"a": {1, 2}}, b"x"])
def test_what_is_not_exact_is_refused(value: Any) -> None:
    with pytest.raises(TypeError):
        canonical_bytes(value)


@pytest.mark.parametrize("value", [2**53, -(2**53), 2**64, "\ud83d\ude00", {"\ud800": "x"}, ["\ud800", 2**53]])
def test_what_no_reader_agrees_on_is_refused(value: Any) -> None:
    with pytest.raises(ValueError):
        canonical_bytes(value)


def test_a_lone_surrogate_is_written_as_its_escape() -> None:
    """RFC 8785 refuses it; these are the bytes of JSON.stringify, and they come back as the same text."""
    value = {"b": ["x\ud800\"\u00e9\x01", {"\ue000": "\udfff", "\U00010000": 1}], "a": "\ude00\ud83d"}
    raw = canonical_bytes(value)

    assert raw == (
        '{"a":"\\ude00\\ud83d","b":["x\\ud800\\"\u00e9\\u0001",{"\U00010000":1,"\ue000":"\\udfff"}]}'.encode()
    )
    assert json.loads(raw) == value


def test_the_largest_safe_integer_is_kept() -> None:
    assert canonical_bytes([2**53 - 1, 1 - 2**53]) == b"[9007199254740991,-9007199254740991]"


def test_every_shipped_record_is_stored_in_these_bytes() -> None:
    for_people = {"lexicons", "phrasebooks"}  # sources: a contract carries its lexicons in canonical form
    paths = sorted(path for path in SHIPPED.glob("**/*.json") if path.parent.name not in for_people)
    assert len(paths) > 120

    for path in paths:
        raw = path.read_bytes()
        value = json.loads(raw)
        assert rfc8785.dumps(value) + b"\n" == encode_exact(value) + b"\n" == raw, path
