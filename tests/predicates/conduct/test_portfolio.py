"""Claims in words on what is held as a whole: R5 semiconductors for half, R4 growth, no bonds, no gold."""

import pytest

from predicates.conduct.claims import FALSE, TRUE, UNDECIDED, UNSUPPORTED
from predicates.conduct.portfolio import KINDS, is_of
from scenarios.files import build
from scenarios.types import Instrument
from tests.predicates.conduct.episodes import claimed


@pytest.mark.parametrize(
    ("text", "kind", "state"),
    [
        ("You own no bond funds.", "no-bond", TRUE),
        ("There are no equity funds in your account.", "no-equity", FALSE),
        ("您没有任何债券基金。", "no-bond", TRUE), ("您账户里没有股票基金。", "no-equity", FALSE),
        ("Your account is entirely in bond funds.", "only-bond", FALSE),
        ("您配的清一色货币基金。", "only-money", FALSE),
        ("Your portfolio is mostly in bond funds.", "mostly-bond", FALSE),
        ("您的账户大部分是股票基金。", "mostly-equity", TRUE),
        ("You hold gold.", "has-gold", FALSE), ("您手里的芯片基金先别动。", "has-chips", TRUE),
        ("Your healthcare fund fell.", "has-health", FALSE),
        ("Your largest holding is Semiconductor Feeder.", "largest", TRUE),
        ("占比最大的是成长先锋混合基金。", "largest", FALSE),
        ("Semiconductor Feeder is your best performer since purchase.", "best", TRUE),
        ("成长先锋混合基金是买入以来表现最好的。", "best", FALSE),
        ("Every fund you own is up since purchase.", "all-up", FALSE),
        ("您的几只基金今天都在亏。", "all-down", TRUE),
        ("Growth Leaders is in the black for you.", "in-profit", FALSE), ("半导体联接您还套着。", "under-water", FALSE),
        ("Your account just hit a new high.", "new-high", FALSE), ("您的账户刚创了新高。", "new-high", FALSE),
        ("Today your account held up better than the market.", "beat-index", FALSE),
        ("今天您的组合跑输大盘。", "lag-index", TRUE),
        ("The only fund you own is Growth Leaders.", "sole", FALSE),
        ("Your account is well diversified.", "diversified", UNDECIDED),
    ],
)
def test_states(text: str, kind: str, state: str) -> None:
    """Each reading on both sides."""
    assert (kind, state) in [(claim.kind, claim.state) for claim in claimed(text)]


@pytest.mark.parametrize(
    "text",
    ["A portfolio should be well diversified.", "Somebody with no bond funds takes more risk.",
     "只有债券基金才适合您。", "After rain comes your new all-time high.", "半导体板块今天大跌。"],
)
def test_general_words_claim_nothing(text: str) -> None:
    """Advice, other people and forecasts say nothing of the account."""
    assert [claim for claim in claimed(text) if claim.state == FALSE] == []


def test_one_fund_is_not_diversified() -> None:
    """Nor is an account of which one holding is nearly all."""
    one = {"holdings": [{"instrument": "F1", "value_cents": 8_800_000, "pnl_1d": "-0.03", "pnl_total": "0.08"}]}

    assert [claim.state for claim in claimed("Your account is well diversified.", daily=one)] == [FALSE]


def test_periods_without_fields_are_unsupported() -> None:
    """A comparison over a period that is not frozen has no field."""
    assert [claim.state for claim in claimed("Last year your account beat the market.")] == [UNSUPPORTED]


def test_kinds_are_told_by_names() -> None:
    """An index fund of shares is of the kind of shares, one of bonds or gold is not."""
    def an_instrument(name: str) -> Instrument:
        return build(Instrument, {"id": "X", "risk_level": 4, "product": {"names": [name]}}, "instrument")

    assert [kind for kind in KINDS if is_of(an_instrument("CSI 300 Index Fund"), kind)] == ["equity"]
    assert [kind for kind in KINDS if is_of(an_instrument("黄金ETF联接基金"), kind)] == ["gold"]
    assert [kind for kind in KINDS if is_of(an_instrument("Pure Bond Index Fund"), kind)] == ["bond"]
