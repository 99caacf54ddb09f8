"""What an answer is read to advise: orders first, words second, in English and Chinese."""

import json
import time
from typing import Any

import pytest

from replay.environments.fund_advice.advice import Advice, Trigger, read_advice, read_answer_text
from replay.environments.fund_advice.types import BUY, HOLD, SELL

FALL = Trigger("index", False, 30_000)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Buy 5,000 yuan of 990001.", Advice(BUY, ("990001",), 500_000), id="amount and fund"),
        pytest.param("Sell 20% of 990001 over two weeks.", Advice(SELL, ("990001",), pace_days=10), id="pace in words"),
        pytest.param("Reduce to 30 to 40% invested in three steps.", Advice(SELL, (), None, 350_000, 3), id="a range"),
        pytest.param("Keep the position near 60%.", Advice(HOLD, (), None, 600_000), id="a hold with its ratio"),
        pytest.param("Do not sell 990001 now.", Advice(HOLD, ("990001",)), id="a sale advised against is a hold"),
        pytest.param("Do not buy 990001 now.", None, id="a purchase advised against is nothing"),
        pytest.param("Raise cash to 40%.", Advice(SELL, (), None, 600_000), id="more cash is a sale"),
        pytest.param("Sell 990001 down to 50% in cash.", Advice(SELL, ("990001",), None, 500_000), id="told as cash"),
        pytest.param("Should you buy 990001?", None, id="a question"),
        pytest.param("You said buy 990001.", None, id="the client's own words"),
        pytest.param("You could add a little.", None, id="no fund, amount or ratio"),
        pytest.param("Position 62.4%, three funds, 37,600 yuan in cash.", None, id="facts"),
        pytest.param("Keep at least 20% in cash.", None, id="a reserve is no target"),
        pytest.param("If the index falls 3%, buy 990001.", Advice(BUY, ("990001",), trigger=FALL), id="conditional"),
        pytest.param("If it feels right, buy 990001.", None, id="a condition that nobody can check"),
        pytest.param("Buy 990001. If the drawdown reaches 8%, sell it.",
                     Advice(BUY, ("990001",), stop=Trigger("drawdown", True, 80_000)), id="a stop beside"),
        pytest.param("If the index falls 3%, buy 990001. Sell 990002 today.", Advice(SELL, ("990002",), stop=FALL),
                     id="what depends on nothing counts first"),
        pytest.param("分3批买入990012，每次约5,000元。", Advice(BUY, ("990012",), 500_000), id="zh amount"),
        pytest.param("建议卖出990012，分5个交易日，仓位降到40%。", Advice(SELL, ("990012",), None, 400_000, 5),
                     id="zh plan"),
        pytest.param("仓位降到五成。", Advice(SELL, (), None, 500_000), id="zh tenths"),
        pytest.param("不要买990012。", None, id="zh advised against"),
        pytest.param("如果指数下跌3%，买入990001。", Advice(BUY, ("990001",), trigger=FALL), id="zh conditional"),
        pytest.param("要不要买990001？", None, id="zh question"),
        pytest.param("投入2万元买990001。", Advice(BUY, ("990001",), 2_000_000), id="zh ten thousands"),
        pytest.param("", None, id="nothing"),
    ],
)
def test_words(text: str, expected: Advice | None) -> None:
    assert read_advice(text) == expected


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        pytest.param({"orders": [{"instrument": "A", "amount": 500}, {"instrument": "B", "amount": "0.5"}]},
                     Advice(BUY, ("A", "B"), 50_050), id="orders"),
        pytest.param({"orders": [{"instrument": "A", "side": "sell"}]}, Advice(SELL, ("A",)), id="no size"),
        pytest.param({"orders": [], "message": "Sell 990001."}, Advice(SELL, ("990001",)), id="words behind no orders"),
        pytest.param({"orders": 3, "message": "Sell 990001."}, Advice(SELL, ("990001",)), id="orders that are no list"),
        pytest.param({"orders": [{"instrument": "A", "side": "swap"}]}, None, id="no side"),
        pytest.param({"orders": [{"instrument": "A", "amount": "0.505"}]}, None, id="finer than a cent"),
        pytest.param({"orders": [{"instrument": "A", "amount": 9}, {"instrument": "B", "side": "hold"}]}, None,
                     id="one that cannot be read spoils all"),
        pytest.param({"plan": {"direction": "BUY", "funds": ["A"]}, "message": "Wait."}, None,
                     id="a key that the judge refuses advises nothing"),
    ],
)
def test_orders(members: dict[str, Any], expected: Advice | None) -> None:
    assert read_advice(json.dumps(members)) == expected


@pytest.mark.parametrize(
    ("answer", "words"),
    [('{"message": "hi"}', "hi"), ('"hi"', "hi"), ("hi", "hi"), ('{"message": "hi"', '{"message": "hi"'),
     ('{"message": 3}', ""), ('{"a": 1, "a": 2}', '{"a": 1, "a": 2}'), ("null", "null")],
)
def test_the_words_of_an_answer(answer: str, words: str) -> None:
    assert read_answer_text(answer)[0] == words


@pytest.mark.parametrize("piece", ["buy ", "if ", "sell 1", "到", "不要", "9", "{", "keep 5% ", "。如果"])
def test_a_huge_answer_is_read_in_time(piece: str) -> None:
    begun = time.process_time()
    read_advice(piece * (1_000_000 // len(piece)))

    assert time.process_time() - begun < 2
