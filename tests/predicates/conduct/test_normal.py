"""Text as it is matched, with the way back into the original."""

import time

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from predicates.conduct.normal import fold, normalise

WORDS = frozenset({"guaranteed", "risk", "free", "promise", "sure", "will", "can't", "no", "you", "all", "loss", "in"})


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


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        pytest.param("guar<b></b>anteed", "guaranteed", id="tags in a word"),
        pytest.param("You <b>cannot</b> lose", "you cannot lose", id="tags around a word"),
        pytest.param("保<i>证</i>收益", "保证收益", id="tags in Chinese"),
        pytest.param('ri<span style="color: red" class=\'a\'>s</span >k', "risk", id="attributes"),
        pytest.param("r<IMG SRC=x.png/>isk", "risk", id="in capitals"),
        pytest.param("<p>Sure.</p><p>No", "\nsure.\n\nno", id="a browser breaks the line"),
        pytest.param("no<br/>risk", "no\nrisk", id="a line break"),
        pytest.param("none</style>Sure", "none\n\nsure", id="what a browser does not show as text stands apart"),
        pytest.param("guar<!-- nobody sees this -->anteed", "guaranteed", id="a comment in a word"),
        pytest.param("no <!-- x --> risk", "no risk", id="a comment of one word"),
        pytest.param("guar&#97;nteed &#X72;isk", "guaranteed risk", id="numbered entities"),
        pytest.param("no&nbsp;risk, ri&zwnj;sk, r&shy;isk", "no risk, risk, risk", id="named entities"),
        pytest.param("&#1072;ll &#65313; &fjlig;", "all a fj", id="entities are folded"),
        pytest.param("1 &lt; 2", "1 < 2", id="what is escaped twice is read once"),
    ],
)
def test_markup(text: str, folded: str) -> None:
    """What a browser does not show is not read, and what it shows is."""
    assert normalise(text).text == folded


@pytest.mark.parametrize("text", [
    "drawdown < 5% and cash > 3%", "a<b and c>d", "<guaranteed profit>", "<b you cannot lose>", "at&t; r&d; &profit;",
    '<b title="you cannot lose">', "<!-- you cannot lose -->", "吧<!-- 稳赚不赔 -->吧", "<user>", "< b >", "<b", "&#;",
])
def test_what_may_hold_words_stays(text: str) -> None:
    """No sentence hides in an attribute, a comment or an unknown tag, and a sign of comparison is no tag."""
    assert normalise(text) == (text, None, {})


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("gu4rant33d", "guaranteed"), ("R1SK-fr33", "risk-free"), ("pr0mise, $ure", "promise, sure"),
        ("wi11 1oss", "will loss"), ("c@n't y0u", "can't you"), ("n0 r1sk", "no risk"), ("这个r1sk高", "这个risk高"),
        ("@ll", "all"),
    ],
)
def test_digits_and_signs_for_letters(text: str, folded: str) -> None:
    """A token that mixes them is the known word that it spells, in place."""
    assert normalise(text, WORDS) == (folded, None, {})


@pytest.mark.parametrize("text", [
    "f1 r2 3m a1 c60", "518860 20td", "fund3 top10 csi300 us10y", "1st 30th 401k 1980s", "$5k us$100 @11", "a@all.com",
    "r1skier", "gr34t", "t0 n1", "5all", "all5",
])
def test_codes_and_numbers_stay(text: str) -> None:
    """So does every token that spells no known word."""
    assert normalise(text, WORDS).text == text


def test_no_token_is_tried_in_more_ways_than_are_few() -> None:
    """A token of ones only could be read in millions of ways."""
    asked = []

    class Counted(frozenset[str]):
        def __contains__(self, word: object) -> bool:
            asked.append(word)
            return False

    normalise("ll1111111111111111111111", Counted({"x"}))

    assert len(asked) == 16


def test_a_span_covers_the_markup_inside_and_the_last_entity_whole() -> None:
    text = "I gu&#97;r<b>ant</b>ee&#100; <i>it</i>"
    normal = normalise(text)

    assert normal.text == "i guaranteed it"
    assert text[slice(*normal.span(2, 12))] == "gu&#97;r<b>ant</b>ee&#100;"
    assert text[slice(*normal.span(13, 15))] == "it"


def test_folding_alone_leaves_markup() -> None:
    """The sets of a phrase are written like tags."""
    assert fold("<B> Sure") == ("<b> sure", None)


@pytest.mark.parametrize("part", [
    "<", "<b>", "&", "&#97;", "&#0", "&aaaaaaaaaaaaaaaaaaaaaaaaaa", "<!--", "a<!-- ", "<a href=x x=y x=y ", '<b x="',
    "<b style='a: b: ", "r1sk ", "1l", "a1", "$", "l111111111 ",
])
def test_the_work_is_linear(part: str) -> None:
    """Twice the text takes twice the time, on texts made to be expensive."""
    seconds = []
    for characters in (100_000, 400_000):
        text = part * (characters // len(part))
        began = time.process_time()
        normalise(text, WORDS)
        seconds.append(time.process_time() - began)

    assert seconds[1] < 12 * seconds[0] + 0.1


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
    assume("&" not in normal.text and "<" not in normal.text)
    places = [normal.span(at, at + 1) for at in range(len(normal.text))]

    assert all(0 <= start < end <= len(text) for start, end in places)
    assert places == sorted(places)
    assert normalise(normal.text).text == normal.text
