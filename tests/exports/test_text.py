"""Texts as they are shown: nothing unseen passes, nothing is lost, no spreadsheet finds a formula."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.exports.runs import HOSTILE
from verifier.exports.text import UNSEEN, defuse, escape, shorten, shown

ANY_TEXT = st.text(st.characters() | st.sampled_from("\\u202e\u202e\u200b=+-@\t\r\n中🚀\ud800\x00"), max_size=60)
_ESCAPE = re.compile(r"\\(?:u([0-9a-f]{4})|U([0-9a-f]{8})|(\\)(?=u[0-9a-f]{4}|U[0-9a-f]{8}))")


def read_back(text: str) -> str:
    """What a careful reader takes a shown text for."""
    return _ESCAPE.sub(lambda match: "\\" if match[3] else chr(int(match[1] or match[2], 16)), text)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        pytest.param("plain, 中文, é, 🚀", "plain, 中文, é, 🚀", id="what can be seen stays"),
        pytest.param("two\nlines", "two\nlines", id="line breaks stay"),
        pytest.param("a\u3000b", "a\u3000b", id="the blank of Chinese text stays"),
        pytest.param("\u202eabc", "\\u202eabc", id="bidirectional override"),
        pytest.param("a\u200bb\ufeff", "a\\u200bb\\ufeff", id="zero width"),
        pytest.param("a\x1b[0m\t", "a\\u001b[0m\\u0009", id="control characters"),
        pytest.param("\ud800", "\\ud800", id="a lone surrogate"),
        pytest.param("\U000e0041", "\\U000e0041", id="a tag beyond the common plane"),
        pytest.param("\xa0\u2003", "\\u00a0\\u2003", id="blanks that look like another"),
        pytest.param(r"\u202e \n \x", r"\\u202e \n \x", id="only the letters of an escape are doubled"),
    ],
)
def test_boundary(raw: str, expected: str) -> None:
    assert shown(raw) == expected


@given(ANY_TEXT)
def test_nothing_unseen_passes_and_nothing_is_lost(text: str) -> None:
    said = shown(text)

    assert not re.search(f"[{UNSEEN}]", said)
    said.encode()  # a lone surrogate would raise
    assert read_back(said) == text


def test_an_escape_names_its_character() -> None:
    assert [escape(one) for one in ("\u202e", "\U0001f600", "\\")] == ["\\u202e", "\\U0001f600", "\\\\"]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "  =1", "\n=1", "\u3000\uff1d1", "\uff0b1", "\uff0d1",
                                  "\uff201"])
def test_a_formula_is_defused(text: str) -> None:
    assert defuse(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "1-1", "a=1", "'=1", "(=1)", "\u20141"])
def test_other_texts_are_left_alone(text: str) -> None:
    assert defuse(text) == text


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_what_a_cell_shows_begins_no_formula(text: str) -> None:
    assert not defuse(shown(text)).lstrip().startswith(("=", "+", "-", "@", "\t", "\r"))


@pytest.mark.parametrize("one", ["a", "中", "🚀"])
def test_a_text_is_cut_only_beyond_the_bound_and_says_so(one: str) -> None:
    units = len(one.encode("utf-16-le")) // 2
    whole, longer = one * (300 // units), one * (300 // units + 1)

    assert shorten(whole, 300) == whole
    assert len(shorten(longer, 300).encode("utf-16-le")) <= 600
    assert shorten(longer, 300).endswith(f"… [cut: {len(longer):,} characters in all; review.jsonl has the whole text]")
