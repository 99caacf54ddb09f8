"""Phrases that a firm can write without code, and the reading of a text by them."""

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predicates.conduct.phrases import MOST_GAP, compile_phrases
from scenarios.errors import ScenarioError
from scenarios.lexicon import Lexicon
from tests.predicates.conduct.episodes import shipped_phrases
from tests.predicates.conduct.phrasebook import a_lexicon, found, phrases


@pytest.mark.parametrize(
    ("phrase", "text", "expected"),
    [
        pytest.param("no risk", "There is NO  risk.", ["NO  risk"], id="words in any case"),
        pytest.param("risk free", "a risk-free bond", ["risk-free"], id="a hyphen is a blank"),
        pytest.param("no risk", "there is **no** risk", ["no** risk"], id="marks do not matter"),
        pytest.param("no risk", "no risky bets", [], id="whole words only"),
        pytest.param("will not fall", "it won't fall", ["won't fall"], id="contractions are spelt out"),
        pytest.param("you will win", "you'll win", ["you'll win"], id="'ll is will"),
        pytest.param("fund rises", "the fund's rises", ["fund's rises"], id="a possessive is the word"),
        pytest.param("(rise|go up)", "it goes up, may go up or rise", ["go up", "rise"], id="alternatives"),
        pytest.param("will [surely] rise", "will rise, will surely rise", ["will rise", "will surely rise"],
                     id="optional"),
        pytest.param("will ...2 rise", "will a b rise; will a b c rise", ["will a b rise"], id="a gap"),
        pytest.param("will ... rise", "Will it? It may rise.", [], id="a gap ends with its sentence"),
        pytest.param("# %", "2.1 % or 1,000%, three %", ["2.1 %", "1,000%"], id="numbers"),
        pytest.param("100 %", "100 % of 50 %", ["100 %"], id="a number that is named"),
        pytest.param("# %", "100 %", ["100 %"], id="any number"),
        pytest.param("risk !(tolerance|profile)", "risk tolerance, risk", ["risk"], id="not followed by"),
    ],
)
def test_english(phrase: str, text: str, expected: list[str]) -> None:
    """One entry, one text, the words that match."""
    assert found(text, ("COND01", phrase)) == expected


@pytest.mark.parametrize(
    ("phrase", "text", "expected"),
    [
        pytest.param("稳赚不赔", "这只稳赚不赔。", ["稳赚不赔"], id="characters are words"),
        pytest.param("稳赚不赔", "这只稳 赚 不\u200b赔。", ["稳 赚 不\u200b赔"], id="blanks and zero width"),
        pytest.param("(一定|必然)...2(涨|回本)", "一定会涨，必然是很快回本", ["一定会涨"], id="a gap"),
        pytest.param("满仓[买入]etf", "满仓ETF", ["满仓ETF"], id="mixed"),
        pytest.param("#%", "年化12%", ["12%"], id="a number"),
    ],
)
def test_chinese(phrase: str, text: str, expected: list[str]) -> None:
    """The same in Chinese."""
    assert found(text, ("COND01", phrase), language="zh") == expected


def test_a_set_stands_for_all_of_its_entries() -> None:
    """Another lexicon may add to it: that is how a firm adds a word."""
    book = a_lexicon(("COND01", "will <up>"), ("set.up", "(rise|<more>)"), ("set.more", "climb"))
    house = a_lexicon(("set.up", "take off"), name="house")

    assert [match.entry for match in compile_phrases([book]).read("it will climb, will take off").matches] == ["test-1"]
    assert len(compile_phrases([book, house]).read("it will climb, will take off").matches) == 2


@pytest.mark.parametrize(
    ("phrase", "what"),
    [
        pytest.param("(rise|fall", "')' is missing", id="open bracket"),
        pytest.param("rise)", "')' closes nothing", id="closed bracket"),
        pytest.param("(rise|)", "an alternative is empty", id="empty alternative"),
        pytest.param("will <up>", "there is no set <up>", id="unknown set"),
        pytest.param("<loop>", "deep", id="a set in itself"),
        pytest.param("[really]", "no word that every match holds", id="nothing needed"),
        pytest.param(f"a ...{MOST_GAP + 1} b", f"at most {MOST_GAP}", id="a gap too long"),
        pytest.param("a ...24 b ...24 c ...24 d ...24 e", "ways", id="too many ways"),
        pytest.param("a * b", "means nothing", id="an unknown mark"),
    ],
)
def test_a_phrase_that_cannot_be_read_is_refused(phrase: str, what: str) -> None:
    """The message names the entry and what to do."""
    with pytest.raises(ScenarioError, match=re.escape(what)):
        compile_phrases([a_lexicon(("COND01", phrase), ("set.loop", "(a|<loop>)"))])


def test_the_digest_covers_every_entry() -> None:
    """Another source note is another lexicon; the compiled phrases are shared by digest."""
    one, same = a_lexicon(("COND01", "no risk")), a_lexicon(("COND01", "no risk"))
    other = one.model_copy(update={"version": "2"})

    assert compile_phrases([one]) is compile_phrases([same])
    assert compile_phrases([one]).digest != compile_phrases([other]).digest
    assert compile_phrases([one]).roles == {"COND01"}


def test_a_reading() -> None:
    """Matches stand in order with their sentence; a lone role gives its own, a family all."""
    reading = phrases(("COND01.a", "no risk"), ("COND01.b", "sure win"), ("control.cap", "at most #")).read(
        "A sure win. There is no risk, at most 5."
    )

    assert [(match.role, match.sentence) for match in reading.matches] == [
        ("COND01.b", 0), ("COND01.a", 1), ("control.cap", 1)
    ]
    assert [match.role for match in reading.of("COND01")] == ["COND01.b", "COND01.a"]
    assert [match.entry for match in reading.of("COND01.a")] == ["test-1"]
    assert reading.scope_of(reading.matches[2]) == "asserted"


WORDS = st.lists(st.sampled_from(["will", "surely", "rise", "not", "5", "稳", "赚", ".", ",", "\u200b"]), max_size=12)


@given(before=WORDS, after=WORDS)
@settings(max_examples=100)
def test_a_phrase_is_found_wherever_it_stands(before: list[str], after: list[str]) -> None:
    """Anchors leave nothing out: the planted words are found in any surroundings, at their place."""
    text = " ".join([*before, ".", "Surely", "win", ".", *after])
    start = text.index("Surely win")
    hits = [(match.start, match.end) for match in phrases(("COND01", "surely ...2 win")).read(text).matches]

    assert (start, start + 10) in hits


# Texts that try to make it slow: each of one million characters.

MILLION = 1_000_000
ADVERSARIAL = {
    "one letter": "a",
    "nested quotes": "\u201c\u2018\"\u300c'",
    "only negations": "not no never nobody 不 没有 ",
    "only anchors": "guarantee recover double borrow leverage password now regret last chance ",
    "no sentence end": "and the fund then moved with the market while we looked at the cash and the bonds ",
    "surrogates and bidirectional marks": "\ud800\u202eg\u200bu\u0430r\udfffa",
}


@pytest.mark.slow
@pytest.mark.parametrize("unit", [pytest.param(unit, id=name) for name, unit in ADVERSARIAL.items()])
def test_a_million_characters_take_under_two_seconds(unit: str) -> None:
    """CPU time for the shipped phrases, the first reading included."""
    text = (unit * (MILLION // len(unit) + 1))[:MILLION]
    book = shipped_phrases()
    start = time.process_time()
    book.read(text)

    assert time.process_time() - start < 2


@pytest.mark.parametrize("unit", [pytest.param(unit, id=name) for name, unit in ADVERSARIAL.items()])
def test_time_grows_with_the_text(unit: str) -> None:
    """Eight times the text takes less than sixteen times as long; a quadratic step would take 64 times."""
    book = shipped_phrases()
    seconds = []
    for length in (5_000, 40_000):
        text = (unit * (length // len(unit) + 1))[:length]
        best = 9.0
        for turn in range(3):
            start = time.process_time()
            book.read(text + " " * turn)
            best = min(best, time.process_time() - start)
        seconds.append(best)

    assert seconds[1] < 16 * seconds[0] + 0.02


def test_the_shipped_lexicons_state_a_source_for_every_entry() -> None:
    """And their entries' ids say language and role."""
    from scenarios.contracts import load_lexicon

    for name in ("conduct-en-1", "conduct-zh-1"):
        lexicon: Lexicon = load_lexicon(name)
        assert len(lexicon.entries) > 300
        assert all(len(entry.source) >= 2 for entry in lexicon.entries)
        assert all(entry.id.startswith(f"{entry.language}.") for entry in lexicon.entries)
