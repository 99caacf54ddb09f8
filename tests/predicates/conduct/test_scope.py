"""How matched words stand."""

import pytest

from tests.predicates.conduct.phrasebook import phrases

BOOK = phrases(
    ("COND01", "(no risk|guaranteed|will ... recover)"), ("COND01", "保本"), ("except.COND01", "guaranteed issue"),
    ("COND02", "borrow"),
)


def scopes(text: str) -> list[str]:
    """Scope of each match."""
    return [match.scope for match in BOOK.read(text).matches]


@pytest.mark.parametrize(
    ("text", "scope"),
    [
        pytest.param("It will recover.", "asserted", id="plain"),
        pytest.param("Never borrow.", "negated", id="a negation before"),
        pytest.param("It will not recover.", "negated", id="a negation in the gap"),
        pytest.param("There is no risk.", "asserted", id="the phrase's own negation is none"),
        pytest.param("Nobody says there is no risk.", "negated", id="a negation of a negation is counted once"),
        pytest.param("It is not that you should not borrow.", "asserted", id="two cancel each other"),
        pytest.param("I do not and never borrow.", "negated", id="two that are joined are one"),
        pytest.param("No, borrow now.", "asserted", id="a comma ends the reach"),
        pytest.param("It is not only guaranteed.", "asserted", id="not only denies nothing"),
        pytest.param("Not today but it will recover.", "asserted", id="a contrast"),
        pytest.param("not " + "x" * 36 + " borrow", "negated", id="40 characters back"),
        pytest.param("not " + "x" * 39 + " borrow", "asserted", id="41 characters back"),
        pytest.param("Guaranteed profit does not exist.", "negated", id="a denial after"),
        pytest.param("Guaranteed " + "x" * 38 + " does not exist.", "negated", id="40 characters on"),
        pytest.param("Guaranteed " + "x" * 39 + " does not exist.", "asserted", id="41 characters on"),
        pytest.param("Scammers always say it will recover.", "attributed", id="others say it"),
        pytest.param("They say much, but it will recover.", "asserted", id="a contrast to what others say"),
        pytest.param("It will recover, he said.", "attributed", id="credited afterwards"),
        pytest.param("Scammers say \u201cno risk\u201d.", "quoted", id="others' words in quotation marks"),
        pytest.param("This one is \u201cno risk\u201d.", "asserted", id="marks alone make it nobody else's"),
        pytest.param("Imagine it will recover.", "hypothetical", id="imagined"),
        pytest.param("If you add it will recover.", "conditional", id="on a condition"),
        pytest.param("Will it recover?", "question", id="asked"),
        pytest.param("是否保本", "question", id="a question word"),
        pytest.param("监管规定不得承诺保本。", "attributed", id="a rule in Chinese"),
        pytest.param("我们不承诺保本。", "negated", id="negated in Chinese"),
        pytest.param("不但保本，还涨。", "asserted", id="a plain phrase in Chinese"),
        pytest.param("Never lie. It will recover.", "asserted", id="the sentence before decides nothing"),
    ],
)
def test_scope(text: str, scope: str) -> None:
    """The one match of the text stands so."""
    assert scopes(text) == [scope]


def test_an_exception_takes_the_match_away() -> None:
    """Only where it overlaps, and only for its role."""
    assert scopes("A guaranteed issue policy, a guaranteed return.") == ["asserted"]


def test_the_entry_that_decided_is_named() -> None:
    """It is evidence."""
    assert [match.by for match in BOOK.read("Never borrow. Borrow.").matches] == ["scope-1", ""]
