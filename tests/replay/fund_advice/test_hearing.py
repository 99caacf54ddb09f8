"""What a client takes from an advisor's words."""

import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay.environments.fund_advice.hearing import TextSignals, satisfaction, social_cue, text_signals
from replay.environments.fund_advice.phrasebook import phrasebook
from scenarios.theta import WORDS
from tests.replay.fund_advice.consultations import some_facts

FACTS: dict[str, Any] = some_facts(2)
FACTS["account"] |= {"pos_ratio": "0.3126", "cash_cents": 68_581_720}


def test_the_signals_are_those_of_theta() -> None:
    assert TextSignals._fields == WORDS


PIECES = st.sampled_from([
    *(cue for language in ("en", "zh") for cues in phrasebook("signals-1")[language].values() for cue in cues),
    "buy 990001. ", "sell 990001 to 10%. ", "买入990001，", "position at 31.3%", "5%", ". ", "。",
    "drawdown 99.9%",
    "9,999,999 yuan in cash", "x", "\ud800", '{"message": "',
])


@settings(deadline=None)
@given(st.lists(PIECES, max_size=30).map("".join), st.integers(0, 200))
def test_signals_are_bounded_and_the_same_again(message: str, seed: int) -> None:
    signals = text_signals(message, some_facts(seed))

    for name, value in signals._asdict().items():
        assert (-10_000 if name in ("direction", "tone") else 0) <= value <= 10_000
    assert text_signals(message, some_facts(seed)) == signals


@pytest.mark.parametrize(
    ("message", "name", "sign"),
    [
        ("Buy 990001 over 5 sessions.", "direction", 1), ("Sell 990001 over 5 sessions.", "direction", -1),
        ("建议卖出990001。", "direction", -1), ("Keep the position near 30%.", "direction", 0),
        ("Buy 990001 over 5 sessions.", "pacing", 1), ("Buy 990001.", "pacing", 0),
        ("Nobody knows where it goes.", "uncertainty", 1), ("It is guaranteed.", "uncertainty", 0),
        ("谁也不知道。", "uncertainty", 1), ("Mind the drawdown.", "risk_framing", 1),
        ("Your worry is understandable.", "tone", 1), ("You will regret it, last chance.", "tone", -1),
        ("您的担心可以理解。", "tone", 1), ("Hello.", "size", 0),
        ("Sell 990001, bringing the position to 0%.", "size", 1),
    ],
)
def test_what_is_heard(message: str, name: str, sign: int) -> None:
    value = getattr(text_signals(message, FACTS), name)

    assert (value > 0) - (value < 0) == sign


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        pytest.param("Hello.", 5_000, id="no number of the account"),
        pytest.param("Your position at 31.3%.", 10_000, id="right to its last digit"),
        pytest.param("Your position at 31.2%.", 0, id="a tenth too low"),
        pytest.param("Your position at 31%.", 10_000, id="right as a whole percent"),
        pytest.param("You are 31.3% invested with 1 yuan in cash.", 5_000, id="one of two"),
        pytest.param("Go to 50% invested.", 5_000, id="a plan states nothing"),
        pytest.param("您的仓位31.3%，现金685,817元。", 10_000, id="zh both right"),
        pytest.param("您的仓位31.3%，现金685,819元。", 5_000, id="zh cash off by two yuan"),
    ],
)
def test_stated_numbers_are_compared(message: str, expected: int) -> None:
    assert text_signals(message, FACTS).consistency == expected


@pytest.mark.parametrize(("percent", "expected"), [("31.2", 10_000), ("31.3", 10_000), ("31.4", 0), ("31.1", 0)])
def test_half_a_unit_of_the_last_digit_is_right(percent: str, expected: int) -> None:
    facts = {**FACTS, "account": {**FACTS["account"], "pos_ratio": "0.3125"}}

    assert text_signals(f"Your position at {percent}%.", facts).consistency == expected


@pytest.mark.parametrize(
    ("before", "after", "asked", "message", "expected"),
    [
        pytest.param(4_000, 1_000, "How much?", None, 0, id="silence"),
        pytest.param(4_000, 1_000, "How much?", "", 0, id="no words"),
        pytest.param(4_000, 0, "How much?", "At most 20%.", 10_000, id="all removed, answered, no emotion"),
        pytest.param(4_000, 2_000, "How much?", "At most 20%.", 8_000, id="half removed"),
        pytest.param(4_000, 5_000, "How much?", "At most 20%.", 6_000, id="more disagreement than before"),
        pytest.param(0, 0, "How much?", "At most 20%.", 6_000, id="nothing to remove"),
        pytest.param(4_000, 4_000, "How much?", "Hello there.", 2_000, id="not answered"),
        pytest.param(4_000, 4_000, "I am worried.", "Hello there.", 0, id="an emotion not met"),
        pytest.param(4_000, 4_000, "I am worried.", "That is natural.", 2_000, id="an emotion met"),
        pytest.param(4_000, 4_000, "我担心", "可以理解，先分批。", 6_000, id="zh met and answered by a pace"),
    ],
)
def test_satisfaction(before: int, after: int, asked: str, message: str | None, expected: int) -> None:
    assert satisfaction(before, after, asked, message) == expected


@pytest.mark.parametrize(("message", "expected"), [("Go.", 0), ("Others buy.", 5_000), ("别人和大家都买", 10_000)])
def test_talk_of_others(message: str, expected: int) -> None:
    assert social_cue(message) == expected


@pytest.mark.parametrize("piece", ["nobody knows ", "position at ", "仓位", "1", "1,", "yuan in cash"])
def test_a_huge_message_is_heard_in_time(piece: str) -> None:
    begun = time.process_time()
    text_signals(piece * (1_000_000 // len(piece)), FACTS)

    assert time.process_time() - begun < 2
