"""What a sentence says is remembered, and that shows in nothing but the time that it takes."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.verifier.conduct import the_judge
from verifier.rubric import Rubric
from verifier.rubric.words import Part, Spoken, Words, read_amounts, read_sentences

FOUND = Rubric.of(the_judge().contract)
assert FOUND is not None
RUBRIC = FOUND

PIECES = st.sampled_from([
    "As a Balanced client", "reduce your position", "to", "from", "65%", "64.5%", "within", "3", "20", "21", "1", "5",
    "sessions", "days", "in", "steps", ".", ". ", ", ", "; ", "? ", "! ", " ", " and ", "do not", "never", "R3", "no",
    "vs", "if the drawdown reaches", "8.0%", "126,073", "it may fall", "nobody knows", "I'm worried", "(", ")", "-",
    "您是平衡型客户", "仓位", "加到", "如果回撤达到", "就停止加仓", "不要", "买入", "分", "个交易日", "可能下跌",
    "5%以内", "3只", "\uff0c", "\u3002", "\uff1f", "\u3001", '"', "\u201c", "\u201d", "'", "<b>", "&amp;", "\n", "- ",
    ": ", "w0rried", "\uff12\uff10", "\u200b", "the rule says",
    "there are a great many words between these that nobody has ever looked for at all",
])
TEXTS = st.lists(PIECES | st.integers(0, 130_000).map(str), max_size=24)


def told(text: str) -> list[Spoken]:
    """Return the sentences of a text as they are read."""
    return list(read_sentences(text, RUBRIC.words))


def placed(text: str) -> list[tuple[int, int, Words]]:
    """Return where the sentences of a text stand and what they say, at its places there."""
    found = []
    for one in told(text):
        plan, said = one.said.plan, one.said.said.items()
        own = {family: tuple(_at_its_place(one, part) for part in parts) for family, parts in said}
        words = Words(one.said.asks, own, tuple(_at_its_place(one, part) for part in plan))
        found.append((one.start, one.end, words))
    return found


def _at_its_place(one: Spoken, part: Part) -> Part:
    return part._replace(start=one.own(part.start), end=one.own(part.end))


@given(pieces=TEXTS, blanks=st.booleans(), digits=st.text("0123456789", min_size=120, max_size=120))
def test_what_is_remembered_is_what_is_read(pieces: list[str], blanks: bool, digits: str) -> None:
    """A text says the same read first, and after another that differs from it in digits."""
    text, drawn = (" " if blanks else "").join(pieces), iter(digits)
    other = re.sub("[0-9]", lambda _: next(drawn, "0"), text)
    RUBRIC.words.forget()
    alone = placed(text)
    RUBRIC.words.forget()
    placed(other)

    assert placed(text) == alone


@pytest.mark.parametrize(
    ("one", "other", "shared"),
    [
        pytest.param("Keep 40% in cash.", "Keep 35% in cash.", True, id="another number"),
        pytest.param("Keep 40% in cash.", "Keep 5% in cash.", True, id="a shorter number"),
        pytest.param("Keep 40% in cash.", "Keep 1,470.5% in cash.", True, id="a longer number"),
        pytest.param("Keep 40% in cash.", "Keep 40% in bonds.", False, id="another word"),
        pytest.param("Sell in 3 steps.", "Sell in 7 steps.", True, id="a number that phrases name with other words"),
        pytest.param("近20日收益不错。", "近30日收益不错。", False, id="a number that a phrase names"),
        pytest.param("Keep <b>40</b>% in cash.", "Keep <b>35</b>% in cash.", False, id="markup"),
        pytest.param('"Keep 40% in cash."', '"Keep 35% in cash."', False, id="quoted"),
    ],
)
def test_sentences_that_differ_in_digits_alone_share_what_they_say(one: str, other: str, shared: bool) -> None:
    (first,), (second,) = told(one), told(other)

    assert (first.said is second.said) is shared


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        pytest.param("at 65%", (65, 100), (66, 100), id="a percentage, half a point either way"),
        pytest.param("130,100 yuan", (13_010_000, 1), (13_010_100, 1), id="money, half a yuan either way"),
    ],
)
def test_an_amount_reaches_half_a_step_either_way(text: str, inside: tuple[int, int], outside: tuple[int, int]) -> None:
    (amount,) = read_amounts(text)

    def holds(above: int, below: int) -> bool:
        return (amount.low[0] * below <= above * amount.low[1]
                and above * amount.high[1] <= amount.high[0] * below)

    assert holds(*inside) and not holds(*outside)
    assert read_amounts("in 3 days, 2 funds") == ()
