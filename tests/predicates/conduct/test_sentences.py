"""Sentences of English, Chinese and mixed text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predicates.conduct.sentences import MOST_CHARACTERS, blocks, sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("it fell. hold on!", ["it fell.", " hold on!"], id="English"),
        pytest.param("跌了。别慌!真的?", ["跌了。", "别慌!", "真的?"], id="Chinese"),
        pytest.param("跌了. buy低", ["跌了.", " buy低"], id="mixed"),
        pytest.param("it pays 2.1 percent.", ["it pays 2.1 percent."], id="a decimal point ends nothing"),
        pytest.param("funds, e.g. bonds, vs. shares", ["funds, e.g. bonds, vs. shares"], id="abbreviations"),
        pytest.param("wait... it may rise", ["wait... it may rise"], id="three points end nothing"),
        pytest.param('"no risk." he said', ['"no risk."', " he said"], id="a quote closes with its sentence"),
        pytest.param("a line\nwrapped", ["a line\nwrapped"], id="a lone line break"),
        pytest.param("first\n- second\n2. third", ["first\n", "- second\n", "2.", " third"], id="a list"),
        pytest.param("really?! yes", ["really?!", " yes"], id="two marks end one sentence"),
    ],
)
def test_ends(text: str, expected: list[str]) -> None:
    """A sentence ends where a reader would end it."""
    assert [text[start:end] for start, end in sentences(text)] == expected


def test_a_text_without_an_end_is_cut() -> None:
    """At the last blank in sight, else in the middle."""
    words, letters = "word " * 1_000, "x" * 5_000

    assert all(words[start:end].endswith(" ") for start, end in sentences(words))
    assert [end - start for start, end in sentences(letters)] == [2_000, 2_000, 1_000]


@given(text=st.text(st.sampled_from("ab .!?。\n\"'1-"), max_size=60).map(lambda part: part * 60))
@settings(max_examples=60)
def test_each_character_lies_in_one_sentence(text: str) -> None:
    """Sentences and blocks cover the text, in order, none too long."""
    for spans in (sentences(text), list(blocks(text))):
        assert "".join(text[start:end] for start, end in spans) == text
        assert all(0 < end - start <= MOST_CHARACTERS for start, end in spans)
