"""The ledger: exact, checked every session, and never below zero."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay.environments.fund_advice.account import Accounts, LedgerError
from replay.environments.fund_advice.types import CONTEXTS
from scenarios.traces import FundFees, RedemptionStep
from tests.replay.fund_advice.markets import a_fund, a_trace, an_investor

FEES = FundFees(
    subscription=Fraction("0.0015"),
    redemption=(RedemptionStep(under_days=2, rate=Fraction("0.015")), RedemptionStep(rate=Fraction("0.005"))),
    origin="test",
)


def test_a_purchase_fills_at_the_next_nav() -> None:
    accounts = Accounts([an_investor()], a_trace(a_fund("A", "1", "2", "2.5", "3", fees=FEES)))
    accounts.open_session(1)
    assert accounts.buy(0, 0, 1_000_000)
    accounts.close_session()
    assert (accounts.cash_cents[0], accounts.pending_cents[0]) == (9_000_000, 1_000_000)
    (fill,) = accounts.open_session(2)

    # fee 0.15 % of 10,000 yuan is 15 yuan; 9,985 yuan buy 3,994 units at 2.5
    assert fill._asdict() == {
        "lane": 0, "side": 0, "fund": 0, "units_e2": 399_400, "nav_e8": 250_000_000, "cents": 998_500,
        "fee_cents": 1_500, "rounding_e10": 0, "refused": False,
    }
    accounts.close_session()
    assert accounts.nav_e10[0] == (10_000_000 - 1_500) * 10**8


def test_the_same_close_fills_at_once() -> None:
    accounts = Accounts([an_investor()], a_trace(a_fund("A", "1", "2", "2.5")), same_close=True)
    accounts.open_session(1)
    accounts.buy(0, 0, 1_000_000)
    (fill,) = accounts.close_session()

    assert (fill.nav_e8, fill.units_e2) == (200_000_000, 500_000)


def test_the_oldest_units_are_sold_first_and_pay_by_their_age() -> None:
    accounts = Accounts([an_investor()], a_trace(a_fund("A", *["1"] * 6, fees=FEES)), same_close=True)
    for session in (1, 2):
        accounts.open_session(session)
        accounts.buy(0, 0, 1_000_000)
        accounts.close_session()
    accounts.open_session(3)
    held = int(accounts.units_e2[0, 0])
    accounts.sell(0, 0, 7_500)
    (fill,) = accounts.close_session()
    first, second = held // 2, held * 3 // 4 - held // 2

    # the first lot, 2 days old, pays 0.5 %, the second, 1 day old, 1.5 %; 0.01 units at 1 yuan are cents
    assert fill.fee_cents == -(-(Fraction("0.005") * first + Fraction("0.015") * second) // 1)


def test_rounding_is_a_line_of_its_own_under_one_cent() -> None:
    accounts = Accounts([an_investor()], a_trace(a_fund("A", "1", "3.3333", "7.7777")), same_close=True)
    accounts.open_session(1)
    accounts.buy(0, 0, 1_234_567)
    (fill,) = accounts.close_session()

    assert 0 < fill.rounding_e10 < 10**8
    assert fill.cents * 10**8 - fill.rounding_e10 == fill.units_e2 * fill.nav_e8
    assert accounts.cash_cents[0] == 10_000_000 - fill.cents


@pytest.mark.parametrize(
    ("cents", "possible"),
    [
        pytest.param(999, False, id="one cent under 10 yuan"),
        pytest.param(1_000, True, id="10 yuan"),
        pytest.param(10_000_000, True, id="all the cash"),
        pytest.param(10_000_001, False, id="one cent more than the cash"),
    ],
)
def test_what_can_be_bought(cents: int, possible: bool) -> None:
    accounts = Accounts([an_investor()], a_trace(a_fund("A", "1", "1", "1")))
    accounts.open_session(1)

    assert accounts.buy(0, 0, cents) is possible
    assert int(accounts.pending_cents[0]) == (cents if possible else 0)


def test_a_closed_fund_takes_no_order() -> None:
    accounts = Accounts([an_investor()], a_trace(a_fund("A", *["1"] * 6, no_buy=(1, 3), no_sell=(5,))))
    accounts.open_session(1)
    assert not accounts.buy(0, 0, 5_000)
    accounts.close_session()
    accounts.open_session(2)
    assert accounts.buy(0, 0, 5_000)
    accounts.close_session()
    (refused,) = accounts.open_session(3)
    accounts.close_session()

    assert refused.refused and accounts.cash_cents[0] == 10_000_000 and accounts.pending_cents[0] == 0


def test_a_tier_holds_so_many_funds_and_no_more() -> None:
    funds = [a_fund(name, "1", "1", "1", "1") for name in "ABCDEF"]
    accounts = Accounts([an_investor(tier="small", nav0_cents=4_000_000)], a_trace(*funds))
    accounts.open_session(1)

    assert [accounts.buy(0, fund, 5_000) for fund in (0, 1, 2, 3, 0)] == [True, True, True, False, True]
    accounts.close_session()
    accounts.open_session(2)
    assert sorted(accounts.held_funds(0)) == [0, 1, 2]
    assert not accounts.buy(0, 5, 5_000)


def test_a_withdrawal_takes_no_more_than_the_cash() -> None:
    accounts = Accounts([an_investor()], a_trace(a_fund("A", "1", "1", "1")))
    accounts.open_session(1)

    assert accounts.flow(0, -10_000_001) == -10_000_000
    accounts.close_session()
    assert accounts.nav_e10[0] == 0


def test_returns_do_not_count_what_is_paid_in() -> None:
    accounts = Accounts([an_investor()], a_trace(a_fund("A", "1", "1", "1.1")), same_close=True)
    accounts.open_session(1)
    accounts.buy(0, 0, 10_000_000)
    accounts.close_session()
    accounts.open_session(2)
    accounts.flow(0, 5_000_000)
    accounts.close_session()

    assert accounts.day_pnl_ppm[0] == 100_000
    assert accounts.chain_e8[2, 0] == 110_000_000


@pytest.mark.parametrize(
    ("navs", "expected"),
    [
        pytest.param(("1", "1", "0.95", "0.95"), "LOSS", id="down 5 %"),
        pytest.param(("1", "1", "0.96", "0.96"), "CORE", id="down 4 %"),
        pytest.param(("1", "1", "1.05", "1.05"), "GAIN", id="up 5 %"),
        pytest.param(("1", "1", "0.8", "0.8"), "LIMIT", id="the drawdown nears its budget"),
    ],
)
def test_the_mental_account(navs: tuple[str, ...], expected: str) -> None:
    accounts = Accounts([an_investor()], a_trace(a_fund("A", *navs)), same_close=True)
    accounts.open_session(1)
    accounts.buy(0, 0, 6_000_000)
    accounts.close_session()
    accounts.open_session(2)
    accounts.close_session()

    assert CONTEXTS[accounts.observe().context[0]] == expected


def test_a_broken_ledger_is_noticed() -> None:
    accounts = Accounts([an_investor()], a_trace(a_fund("A", "1", "1", "1")))
    accounts.open_session(1)
    accounts.cash_cents[0] += 1

    with pytest.raises(LedgerError, match="identity"):
        accounts.close_session()


STEP = st.tuples(st.sampled_from(["buy", "sell", "flow"]), st.integers(0, 1), st.integers(0, 2),
                 st.integers(-500_000, 3_000_000))


@given(
    navs=st.lists(st.tuples(*[st.integers(10**7, 10**9)] * 3), min_size=6, max_size=6),
    days=st.lists(st.lists(STEP, max_size=4), min_size=5, max_size=5), same_close=st.booleans(),
)
@settings(max_examples=60)
def test_the_identity_holds_whatever_is_ordered(
    navs: list[tuple[int, ...]], days: list[list[tuple[str, int, int, int]]], same_close: bool
) -> None:
    """`close_session` raises where it does not; money is neither made nor lost over the whole run."""
    funds = [
        a_fund(name, *(str(Fraction(row[column], 10**8)) for row in navs), fees=FEES,
               no_buy=(2,) if name == "B" else ())
        for column, name in enumerate("ABC")
    ]
    accounts = Accounts([an_investor(), an_investor(tier="small", nav0_cents=3_000_000)], a_trace(*funds),
                        same_close=same_close)
    fees = np.zeros(2, dtype=np.int64)
    for session, steps in enumerate(days, 1):
        accounts.open_session(session)
        for kind, lane, fund, size in steps:
            if kind == "buy":
                accounts.buy(lane, fund, size)
            elif kind == "sell":
                accounts.sell(lane, fund, min(abs(size), 10_000))
            else:
                accounts.flow(lane, size)
        accounts.close_session()
        fees += accounts.fee_cents
        assert (accounts.cash_cents >= 0).all() and (accounts.units_e2 >= 0).all() and (accounts.cost_cents >= 0).all()
        held = sum(int(accounts.units_e2[lane, slot]) for lane in (0, 1) for slot in range(8))
        assert held == sum(lot[0] for lots in accounts._lots.values() for lot in lots)
        for lane in (0, 1):
            slots = [slot for slot, fund in enumerate(accounts.fund[lane].tolist()) if fund >= 0]
            assert accounts.held_funds(lane) == accounts.fund[lane, slots].tolist()
            assert [accounts.holding(lane, fund) for fund in accounts.held_funds(lane)] == list(
                zip(accounts.units_e2[lane, slots].tolist(), accounts.cost_cents[lane, slots].tolist(), strict=True))
            assert not accounts.units_e2[lane].sum() - accounts.units_e2[lane, slots].sum()
    assert (fees >= 0).all()


def test_what_follows_from_a_trace_is_found_once() -> None:
    one, other = (a_trace(a_fund("A", "1", nav)) for nav in ("1.1", "0.9"))
    first = Accounts([an_investor()], one)

    assert Accounts([an_investor(), an_investor()], one).market is first.market
    assert Accounts([an_investor()], other).market.breadth_e4.tolist() == [5_000, 0]
    assert first.market.breadth_e4.tolist() == [5_000, 10_000]
