"""What a fund is: level, class, currency, fees; each rule on both sides of where it turns."""

from fractions import Fraction

import pytest

from scenarios.trace_import.rules import (
    default_fees,
    is_foreign,
    is_money_fund,
    risk_level,
    share_class,
    type_floor,
    volatility_band,
)
from scenarios.trace_import.universe import read_amount


@pytest.mark.parametrize(
    ("kind", "floor"),
    [
        ("债券型-普通债券", 2), ("债券型-债券指数", 2), ("指数型-固收", 2), ("QDII-纯债", 2),
        ("债券型-可转债", 3), ("混合型-偏债", 3), ("混合型-股债平衡", 3), ("混合型-股票对冲", 3),
        ("混合型-灵活配置", 3), ("商品型-非QDII", 3), ("指数型-其他", 3), ("FOF-进取型", 3),
        ("混合型-偏股", 4), ("股票型-普通", 4), ("指数型-股票", 4), ("QDII-股票", 4), ("Reits", 4), ("not stated", 4),
    ],
)
def test_the_type_sets_the_least_level(kind: str, floor: int) -> None:
    assert type_floor(kind) == floor


def swings(step: int) -> list[int]:
    """Return a path of four returns of 1/step up and down: their annual deviation is 18/step."""
    path = [10**12]
    for sign in (1, -1, 1, -1):
        path.append(path[-1] * (step + sign) // step)
    return path


@pytest.mark.parametrize(
    ("step", "band"), [(1_801, 1), (1_799, 2), (361, 2), (359, 3), (121, 3), (119, 4), (73, 4), (71, 5)]
)
def test_volatility_turns_at_one_five_fifteen_and_twenty_five_percent(step: int, band: int) -> None:
    assert volatility_band(swings(step)) == band


def test_the_larger_of_floor_and_band_is_the_level() -> None:
    assert risk_level("债券型-普通债券", swings(1_801)) == 2
    assert risk_level("债券型-普通债券", swings(71)) == 5
    assert risk_level("股票型-普通", swings(1_801)) == 4


@pytest.mark.parametrize(
    ("name", "stem", "letter"),
    [
        ("华夏永福混合A", "华夏永福混合", "A"),
        ("华安智联混合(LOF)A", "华安智联混合", "A"),
        ("嘉实美国成长股票(QDII)人民币", "嘉实美国成长股票人民币", None),
        ("博时黄金ETFD", "博时黄金ETF", "D"),
        ("博时黄金ETF", "博时黄金ETF", None),
        ("易方达黄金ETF联接C", "易方达黄金ETF联接", "C"),
        ("汇添富沪深300指数A(LOF)A", "汇添富沪深300指数A", "A"),
        ("某某混合C类", "某某混合", "C"),
        ("某某混合F", "某某混合F", None),
        ("某某 MSCI", "某某MSCI", None),
        ("", "", None),
    ],
)
def test_classes_of_one_fund_share_a_name(name: str, stem: str, letter: str | None) -> None:
    assert share_class(name) == (stem, letter)


def test_words_of_a_name_and_type() -> None:
    assert is_foreign("某某债券美元现汇") and is_foreign("某某股票美汇A") and not is_foreign("某某美国股票人民币")
    assert is_money_fund("货币型-普通货币") and not is_money_fund("债券型-普通债券")


@pytest.mark.parametrize(
    ("kind", "letter", "exchange", "subscription", "late"),
    [
        ("股票型-普通", "A", False, "0.0015", {6: "0.015", 7: "0.0075", 30: "0.005", 365: "0.0025", 730: "0"}),
        ("债券型-普通债券", None, False, "0.0008", {0: "0.015", 729: "0.0025"}),
        ("混合型-偏股", "C", False, "0", {6: "0.015", 7: "0.005", 29: "0.005", 30: "0"}),
        ("指数型-股票", None, True, "0.0005", {0: "0.0005", 9_999: "0.0005"}),
    ],
)
def test_default_fees(kind: str, letter: str | None, exchange: bool, subscription: str, late: dict[int, str]) -> None:
    fees = default_fees(kind, letter, exchange)

    assert fees.subscription == Fraction(subscription)
    assert {days: fees.redemption_rate(days) for days in late} == {days: Fraction(rate) for days, rate in late.items()}


@pytest.mark.parametrize(
    ("text", "yuan"),
    [("29.37亿", 2_937_000_000), ("5304.13万元", 53_041_300), ("120", 120), (None, -1), ("--", -1), ("about 3", -1)],
)
def test_assets_as_sites_write_them(text: str | None, yuan: int) -> None:
    assert read_amount(text) == yuan
