"""An episode: one answer for each turn that asks for it, read as words and, at last, one plan."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from scenarios.action import Said
from scenarios.parsing import Parsed, parse_answer, parse_episode
from scenarios.types import Answer, Scenario, Turn
from tests.builders import a_scenario

PLAN = '{"orders": [{"instrument": "AAA", "amount": 900, "reason": "it is cheap"}], "message": "Buy it."}'


def an_episode(*speakers: str) -> Scenario:
    """A dialogue of these speakers; every turn of the client asks for a reply."""
    turns = tuple(Turn.model_validate({"speaker": one, "text": "…", "reply": one == "client"}) for one in speakers)
    return a_scenario().model_copy(update={"dialogue": turns})


def said(*texts: str, finish_reason: str | None = None, parser: str = "tolerant-1", asks: bool = False) -> Parsed:
    """What is read of these answers to the turns 1, 2, ...; asks: whether the scenario asks for orders."""
    scenario = an_episode(*["client"] * len(texts))
    scenario = scenario.model_copy(
        update={"limits": scenario.limits.model_copy(update={"deployment_required": asks})})
    answers = [
        Answer(scenario=scenario.id, run=1, turn=turn, text=text, finish_reason=finish_reason)
        for turn, text in enumerate(texts, 1)
    ]
    return parse_episode(scenario, answers, parser)


def test_words_are_kept_as_they_were_sent() -> None:
    parsed = said("  Keep calm.\n", "Set a limit of {5 %}.")

    assert parsed.state is None and parsed.action is not None
    assert parsed.action.turns == (Said(1, "  Keep calm.\n"), Said(2, "Set a limit of {5 %}."))
    assert not parsed.action.abstained


def test_silence_abstains() -> None:
    parsed = said("", " \n")

    assert parsed.action is not None and parsed.action.abstained
    assert parsed.action.record() == {"orders": []}


def test_the_last_plan_stands_and_its_words_are_kept() -> None:
    parsed = said("First: " + PLAN, PLAN.replace("900", "800").replace("cheap", "cheaper"))

    assert parsed.action is not None
    assert parsed.action.buy_amounts == [80_000]
    assert parsed.action.turns == (
        Said(1, "Buy it."), Said(1, "First:"), Said(1, "it is cheap"), Said(2, "Buy it."),
    )
    assert parsed.action.orders[0].reason == "it is cheaper"
    assert "turn 1" in [note.where for note in parsed.notes]


@pytest.mark.parametrize(
    ("texts", "finish_reason", "state", "where"),
    [
        pytest.param(("Well.", PLAN[:-5]), None, "TRUNCATED", "turn 2", id="a plan that ends inside"),
        pytest.param(("Well.", PLAN + PLAN.replace("900", "1")), None, "MALFORMED", "turn 2", id="two plans"),
        pytest.param(("Well, I thi",), "length", "TRUNCATED", "turn 1", id="words that were clipped"),
        pytest.param(("x" * (2**20 + 1),), None, "MALFORMED", "turn 1", id="more than one MiB"),
    ],
)
def test_a_turn_that_cannot_be_read_decides(
    texts: tuple[str, ...], finish_reason: str | None, state: str, where: str
) -> None:
    parsed = said(*texts, finish_reason=finish_reason)

    assert parsed.state == state
    assert parsed.fault is not None and parsed.fault.where.startswith(where)


WORDS = '{"message": "Keep calm."}'


@pytest.mark.parametrize("parser", ["strict-1", "tolerant-1"])
def test_a_message_alone_is_words(parser: str) -> None:
    """It asks for nothing, and so replaces no plan."""
    parsed = said(WORDS, PLAN, WORDS, parser=parser)

    assert parsed.action is not None
    assert parsed.action.buy_amounts == [90_000]
    assert parsed.action.turns == (Said(1, "Keep calm."), Said(2, "Buy it."), Said(3, "Keep calm."))
    assert parsed.notes == ()


def test_what_stands_around_a_message_is_words_too() -> None:
    parsed = said('Well: {"summary": "Keep calm.", "analysis": "It fell."}')

    assert parsed.action is not None
    assert parsed.action.turns == (Said(1, "Keep calm."), Said(1, "Well:"), Said(1, "It fell."))


def test_an_empty_message_is_silence() -> None:
    parsed = said('{"message": ""}')

    assert parsed.action is not None and parsed.action.abstained


def test_a_message_alone_is_no_answer_where_orders_are_asked_for() -> None:
    parsed = said(PLAN, WORDS, asks=True)

    assert parsed.state == "MALFORMED"
    assert parsed.fault is not None and parsed.fault[:2] == ("turn 2", "found no orders")
    assert said(PLAN, "Keep calm.", asks=True).state is None


@pytest.mark.parametrize("text", [
    "{}", '{"citations": [], "message": "x"}', '{"message": 1}', WORDS + '{"message": ""}',
    '{"message": "x", "plan": {}}', '{"analysis": "x"}',
])
def test_an_object_that_is_no_message_alone_needs_orders(text: str) -> None:
    assert said(text).state == "MALFORMED"


def test_a_single_answer_of_a_message_alone_is_malformed() -> None:
    assert parse_answer(a_scenario(), WORDS).state == "MALFORMED"


@given(texts=st.lists(st.text(), min_size=1, max_size=4))
def test_any_texts_give_one_outcome_and_lose_no_words(texts: list[str]) -> None:
    parsed = said(*texts)

    assert (parsed.action is None) == (parsed.fault is not None)
    if parsed.action is not None:
        kept = "".join(one.message for one in parsed.action.turns)
        assert all(text in kept for text in texts if text.strip() and "{" not in text)


def test_only_a_client_is_answered() -> None:
    with pytest.raises(ValidationError, match="asks for no reply"):
        Turn(speaker="advisor", text="…", reply=True)


def test_the_turns_that_ask() -> None:
    assert an_episode("client", "advisor", "client").reply_turns == (1, 3)
    assert a_scenario().reply_turns == ()
