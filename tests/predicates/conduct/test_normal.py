"""Text as it is matched, with the way back into the original."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predicates.conduct.normal import normalise


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        pytest.param("No Risk", "no risk", id="capitals"),
        pytest.param("ＮＯ　ｒｉｓｋ", "no risk", id="full width"),
        pytest.param("n\u200bo r\u202eisk\u0000", "no risk", id="zero width, bidirectional, control"),
        pytest.param("n\u043e r\u0456sk", "no risk", id="Cyrillic look-alikes"),
        pytest.param("gu\u03b1r\u03b1ntee", "guarantee", id="Greek look-alikes"),
        pytest.param("ga\u0308in", "gain", id="a mark over a letter"),
        pytest.param("can\u2019t", "can't", id="a typographic apostrophe"),
        pytest.param("\u201c保本\u201d，", '"保本",', id="Chinese marks"),
        pytest.param("ri\ud800sk", "risk", id="a lone surrogate"),
        pytest.param("no   risk", "no risk", id="blanks"),
        pytest.param("no\nrisk", "no\nrisk", id="a line break stays"),
        pytest.param("保本🙂", "保本🙂", id="emoji stays"),
    ],
)
def test_folding(text: str, folded: str) -> None:
    """What looks alike is alike."""
    assert normalise(text).text == folded


def test_a_span_points_into_the_original() -> None:
    """Where characters vanish or multiply, the way back still names the words as they were written."""
    text = "a\u200b\ufb01ne  gu\u0430r\u200bantee!"
    normal = normalise(text)
    start = normal.text.index("guarantee")

    assert normal.text == "afine guarantee!"
    assert text[slice(*normal.span(start, start + 9))] == "gu\u0430r\u200bantee"


@given(text=st.text(st.characters(codec=None), max_size=40))
@settings(max_examples=150)
def test_every_place_comes_from_one_place(text: str) -> None:
    """Any text folds, its places run forward, and folding again changes nothing that a phrase could see."""
    normal = normalise(text)
    places = [normal.span(at, at + 1) for at in range(len(normal.text))]

    assert all(0 <= start < end <= len(text) for start, end in places)
    assert places == sorted(places)
    assert normalise(normal.text).text == normal.text
