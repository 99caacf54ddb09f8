"""The ledger: cash, units and tax lots of every investor of a task, exact, and checked every session.

With A the adjusted NAV of a fund and u the units of it held overnight, each account satisfies, every session,

    NAV_d = NAV_{d-1} + deposits - withdrawals - fees + sum of u * (A_d - A_{d-1}) - rounding

in 1e-10 yuan. A purchase that waits for its NAV is an asset at cost. Rounding is a line of its own: units are cut
to 0.01 and cash to the cent, which costs less than one cent an order. Source: seed paper 000, eq 22 and appendix D.3.
"""

from collections import deque
from collections.abc import Sequence
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from replay.environments.fund_advice.population import Investor
from replay.environments.fund_advice.types import BUY, CORE, GAIN, LIMIT, LOSS, SAFE, SELL, Observation
from scenarios.traces import Trace

if TYPE_CHECKING:
    from replay.environments.fund_advice.types import Ints, Mask

SLOTS = 8
"""The most funds that an account holds."""

LEAST_ORDER_CENTS = 1_000
"""The smallest order: 10 yuan."""

E10_IN_CENT = 10**8
LIMIT_SHARE_E4 = 8_000
"""The share of the drawdown tolerance from which the account is in context LIMIT."""

MOVE_PPM = 50_000
"""The unrealised gain or loss from which an account is in context GAIN or LOSS: 5 %."""


class LedgerError(Exception):
    """The daily identity does not hold: a bug of the ledger, never of an advisor."""


class Fill(NamedTuple):
    """One executed order. units_e2 in 0.01 units; cents: paid for a purchase, received before the fee for a sale.

    rounding_e10: what cutting units and cents cost, in 1e-10 yuan, under one cent. refused: nothing was executed,
    because the fund took no such order that day.
    """

    lane: int
    side: int
    fund: int
    units_e2: int
    nav_e8: int
    cents: int
    fee_cents: int
    rounding_e10: int
    refused: bool = False


class _Order(NamedTuple):
    lane: int
    side: int
    fund: int
    cents: int  # of a purchase
    units_e2: int  # of a sale


class Accounts:
    """The accounts of the investors of one task, one lane each.

    Args:
        investors: in order of lane.
        trace: the market.
        same_close: fill at the NAV of the day of the decision; else at the next session's.
        base: the session before the first one; everybody holds cash alone after it.

    Attributes:
        session: the last one that was marked; 0 is the base day.
        cash_cents, pending_cents: shape (lanes,); pending is paid for purchases that wait for their NAV.
        fund, units_e2, cost_cents: shape (lanes, SLOTS); fund is the trace's column, -1 for an empty slot.
        nav_e10: NAV in 1e-10 yuan after the session.
    """

    def __init__(
        self, investors: Sequence[Investor], trace: Trace, *, same_close: bool = False, base: int = 0
    ) -> None:
        import numpy as np

        self.np = np
        self.investors = tuple(investors)
        self.trace = trace
        self.same_close = same_close
        lanes, days = len(self.investors), len(trace.sessions)
        self.lanes = np.arange(lanes)
        self.session = base
        self.cash_cents: Ints = np.array([one.nav0_cents for one in investors], dtype=np.int64)
        self.pending_cents: Ints = np.zeros(lanes, dtype=np.int64)
        self.fund: Ints = np.full((lanes, SLOTS), -1, dtype=np.int64)
        self.units_e2: Ints = np.zeros((lanes, SLOTS), dtype=np.int64)
        self.cost_cents: Ints = np.zeros((lanes, SLOTS), dtype=np.int64)
        self.nav_e10: Ints = self.cash_cents * E10_IN_CENT
        self.idle_days: Ints = np.zeros(lanes, dtype=np.int64)
        self.chain_e8: Ints = np.full((days, lanes), 10**8, dtype=np.int64)
        self.peak_e8: Ints = np.full(lanes, 10**8, dtype=np.int64)
        self.day_pnl_ppm: Ints = np.zeros(lanes, dtype=np.int64)
        self.flow_cents: Ints = np.zeros(lanes, dtype=np.int64)
        self.fee_cents: Ints = np.zeros(lanes, dtype=np.int64)
        self.cue_e4: Ints = np.zeros(lanes, dtype=np.int64)
        self._rounding_e10: Ints = np.zeros(lanes, dtype=np.int64)
        self._funds = [[-1] * SLOTS for _ in range(lanes)]  # the rows of fund, for one account at a time
        self._worth_e10: Ints = np.zeros(lanes, dtype=np.int64)  # of the holdings, at the last mark
        self._lots: dict[tuple[int, int], list[list[int]]] = {}  # (lane, fund) to [units_e2, session], first in first
        self._orders: list[_Order] = []
        self._orders_of: dict[int, list[_Order]] = {}  # the same, by lane
        self._before_e10 = self.nav_e10.copy()
        self._limit_e4 = _shares_e4(np, [one.traits.drawdown_tolerance for one in investors]) * LIMIT_SHARE_E4 // 10_000
        self._reserve_e4 = _shares_e4(np, [one.traits.cash_reserve for one in investors])
        self.market = market_of(trace)

    # The day.

    def open_session(self, session: int) -> list[Fill]:
        """Begin a session: mark at its NAVs, then fill what waited for them.

        Returns:
            The fills, in the order in which they were asked for.

        Raises:
            ValueError: session is not the one after the last.
        """
        if session != self.session + 1:
            raise ValueError(f"session {session} does not follow {self.session}")
        self._before_e10 = self.nav_e10
        self.session = session
        self.flow_cents, self.fee_cents, self._rounding_e10 = self.np.zeros((3, len(self.lanes)), dtype=self.np.int64)
        navs = self.trace.nav_e8
        moved = navs[session][self.fund] - navs[session - 1][self.fund]
        self._earned_e10 = (self.units_e2 * moved).sum(axis=1)  # an empty slot has no units
        self.idle_days = self.idle_days + 1
        fills = self._fill()
        self._mark()
        return fills

    def close_session(self) -> list[Fill]:
        """End a session: fill at its close where the run is so configured, then check the identity and the returns.

        Raises:
            LedgerError: an account does not satisfy the identity, or holds less than nothing.
        """
        fills = self._fill() if self.same_close else []
        self._mark()
        self._check()
        self.peak_e8 = self.np.maximum(self.peak_e8, self.chain_e8[self.session])
        return fills

    def observe(self) -> Observation:
        """Return what each investor sees of market and account after the session's mark."""
        np, day, market = self.np, self.session, self.market
        nav = np.maximum(self.nav_e10 // E10_IN_CENT, 1)
        chain, worth = self.chain_e8, self._worth_e10 // E10_IN_CENT
        seen = chain[max(0, day - 63) : day + 1]
        peaks = np.maximum.accumulate(seen, axis=0)
        cost = self.cost_cents.sum(axis=1)
        unreal = np.where(cost > 0, (worth - cost) * 1_000_000 // np.maximum(cost, 1), 0)
        peak = np.maximum(self.peak_e8, chain[day])
        drawdown = (peak - chain[day]) * 10_000 // peak
        pos, cash = (worth + self.pending_cents) * 10_000 // nav, self.cash_cents * 10_000 // nav
        context = np.where(unreal <= -MOVE_PPM, LOSS, np.where(unreal >= MOVE_PPM, GAIN, CORE))
        context = np.where(drawdown >= self._limit_e4, LIMIT, np.where(cash < self._reserve_e4, SAFE, context))
        move, momentum, volatility, breadth = market.seen[day].repeat(len(nav)).reshape(4, -1)
        return Observation(
            r_mkt_ppm=move, mom20_ppm=momentum, vol20_ppm=volatility, breadth_e4=breadth, pos_ratio_e4=pos,
            cash_ratio_e4=cash, unreal_ppm=unreal, day_pnl_ppm=self.day_pnl_ppm, drawdown_e4=drawdown,
            ret20_ppm=_change_ppm(chain, day, 20), ret63_ppm=_change_ppm(chain, day, 63),
            mdd63_e4=((peaks - seen) * 10_000 // peaks).max(axis=0), idle_days=self.idle_days, cue_e4=self.cue_e4,
            context=context,
        )

    # Orders and flows.

    def buy(self, lane: int, fund: int, cents: int) -> bool:
        """Order a purchase; cash is set aside at once. Return whether the order is possible.

        It is not where the fund is closed today, the order is below 10 yuan or over the cash, or no slot is free.
        """
        if cents < LEAST_ORDER_CENTS or cents > self.cash_cents.item(lane):
            return False
        if self.trace.no_buy.item(self.session, fund) or self._slot(lane, fund) is None:
            return False
        self.cash_cents[lane] -= cents
        self.pending_cents[lane] += cents
        self._place(_Order(lane, BUY, fund, cents, 0))
        self.idle_days[lane] = 0
        return True

    def sell(self, lane: int, fund: int, share_e4: int) -> bool:
        """Order the sale of a share of a holding; return whether the order is possible.

        It is not where the fund is closed today or not held, or the proceeds would be below 10 yuan and the holding
        is not sold whole.
        """
        slot = self._held_slot(lane, fund)
        if slot is None or self.trace.no_sell.item(self.session, fund):
            return False
        units = self.units_e2.item(lane, slot) * share_e4 // 10_000
        worth = units * self.trace.nav_e8.item(self.session, fund) // E10_IN_CENT
        if units <= 0 or (worth < LEAST_ORDER_CENTS and share_e4 < 10_000):
            return False
        if any(order.fund == fund and order.side == SELL for order in self._orders_of.get(lane, ())):
            return False
        self._place(_Order(lane, SELL, fund, 0, units))
        self.idle_days[lane] = 0
        return True

    def flow(self, lane: int, cents: int) -> int:
        """Pay cash in (cents > 0) or out (cents < 0), at most the cash there is; return what was paid."""
        paid = max(cents, -self.cash_cents.item(lane))
        self.cash_cents[lane] += paid
        self.flow_cents[lane] += paid
        return paid

    # Inside.

    def holdings_e10(self) -> "Ints":
        """Return the market value of each account's holdings at the session's NAVs, in 1e-10 yuan."""
        navs = self.trace.nav_e8[self.session]
        return (self.units_e2 * navs[self.fund]).sum(axis=1)  # type: ignore[no-any-return]

    def held_funds(self, lane: int) -> list[int]:
        """Return the columns of the funds that an investor holds, in order of slot."""
        return [fund for fund in self._funds[lane] if fund >= 0]

    def holding(self, lane: int, fund: int) -> tuple[int, int]:
        """Return the units in 0.01 and the cost in cents of a fund that an investor holds.

        Raises:
            ValueError: the fund is not held.
        """
        slot = self._funds[lane].index(fund)
        return self.units_e2.item(lane, slot), self.cost_cents.item(lane, slot)

    def _mark(self) -> None:
        """Value the accounts, and the session's flow-adjusted return with the index that it chains to."""
        np = self.np
        self._worth_e10 = self.holdings_e10()
        self.nav_e10 = (self.cash_cents + self.pending_cents) * E10_IN_CENT + self._worth_e10
        before, last = self._before_e10 // E10_IN_CENT, self.chain_e8[self.session - 1]
        earned = np.maximum(self.nav_e10 // E10_IN_CENT - self.flow_cents, 0)
        base, alive = np.maximum(before, 1), before > 0
        self.day_pnl_ppm = np.where(alive, (earned - before) * 1_000_000 // base, 0)
        self.chain_e8[self.session] = np.maximum(np.where(alive, last * earned // base, last), 1)

    def _place(self, order: _Order) -> None:
        self._orders.append(order)
        self._orders_of.setdefault(order.lane, []).append(order)

    def _fill(self) -> list[Fill]:
        orders, self._orders, self._orders_of = self._orders, [], {}
        fills = [self._buy(order) if order.side == BUY else self._sell(order) for order in orders]
        for fill in fills:
            self.fee_cents[fill.lane] += fill.fee_cents
            self._rounding_e10[fill.lane] += fill.rounding_e10
        return fills

    def _buy(self, order: _Order) -> Fill:
        lane, _, fund, cents, _ = order
        nav = self.trace.nav_e8.item(self.session, fund)
        self.pending_cents[lane] -= cents
        slot = self._slot(lane, fund)
        if slot is None or self.trace.no_buy.item(self.session, fund):
            self.cash_cents[lane] += cents
            return Fill(lane, BUY, fund, 0, nav, 0, 0, 0, refused=True)
        rate = self.trace.funds[fund].fees.subscription
        fee = -(-rate.numerator * cents // rate.denominator)
        units = (cents - fee) * E10_IN_CENT // nav
        worth = units * nav
        paid = -(-worth // E10_IN_CENT)
        self.cash_cents[lane] += cents - fee - paid
        if units:
            self.fund[lane, slot] = self._funds[lane][slot] = fund
            self.units_e2[lane, slot] += units
            self.cost_cents[lane, slot] += paid + fee
            self._lots.setdefault((lane, fund), []).append([units, self.session])
        return Fill(lane, BUY, fund, units, nav, paid, fee, paid * E10_IN_CENT - worth)

    def _sell(self, order: _Order) -> Fill:
        lane, _, fund, _, units = order
        nav = self.trace.nav_e8.item(self.session, fund)
        slot = self._held_slot(lane, fund)
        if slot is None or self.trace.no_sell.item(self.session, fund):
            return Fill(lane, SELL, fund, 0, nav, 0, 0, 0, refused=True)
        held = self.units_e2.item(lane, slot)
        worth = units * nav
        gross = worth // E10_IN_CENT
        fee = min(gross, _up(self._redemption_fee(lane, fund, units, nav)))
        self.cash_cents[lane] += gross - fee
        self.cost_cents[lane, slot] -= self.cost_cents.item(lane, slot) * units // held
        self.units_e2[lane, slot] = held - units
        if held == units:
            self.fund[lane, slot] = self._funds[lane][slot] = -1
            self.cost_cents[lane, slot] = 0
        return Fill(lane, SELL, fund, units, nav, gross, fee, worth - gross * E10_IN_CENT)

    def _redemption_fee(self, lane: int, fund: int, units: int, nav: int) -> Fraction:
        """Take units out of the oldest lots first and return their redemption fee in exact cents."""
        lots, fees = self._lots[lane, fund], self.trace.funds[fund].fees
        kept = Fraction(0)  # units, in 0.01, that the rates come to
        while units:
            oldest = lots[0]
            taken = min(units, oldest[0])
            rate = fees.redemption_rate(self.market.days_between(oldest[1], self.session))
            if rate:
                kept += rate * taken
            units -= taken
            oldest[0] -= taken
            if not oldest[0]:
                lots.pop(0)
        return kept * nav / E10_IN_CENT

    def _slot(self, lane: int, fund: int) -> int | None:
        """Return the slot that holds a fund, else a free one within the tier's number of funds, None where none is."""
        slot = self._held_slot(lane, fund)
        if slot is not None:
            return slot
        row = self._funds[lane]
        held = {one for one in row if one >= 0}
        waiting = {order.fund for order in self._orders_of.get(lane, ()) if order.side == BUY} - {fund}
        if len(held | waiting) >= self.investors[lane].means.max_funds:
            return None
        return row.index(-1)

    def _held_slot(self, lane: int, fund: int) -> int | None:
        row = self._funds[lane]
        return row.index(fund) if fund in row else None

    def _check(self) -> None:
        expected = (self._before_e10 + (self.flow_cents - self.fee_cents) * E10_IN_CENT + self._earned_e10
                    - self._rounding_e10)
        wrong = (expected != self.nav_e10) | (self.cash_cents < 0) | (self.pending_cents < 0)
        wrong |= self.units_e2.min(axis=1) < 0
        if wrong.any():
            lane = int(wrong.argmax())
            raise LedgerError(
                f"session {self.session}, investor {self.investors[lane].id}: NAV is {int(self.nav_e10[lane])}, the "
                f"identity gives {int(expected[lane])}; cash {int(self.cash_cents[lane])} cents"
            )


class Market:
    """What follows from a trace alone, once for each session: arrays of integers, entry 0 is the base day.

    Attributes:
        seen: return, momentum and volatility in millionths and breadth in 1/10,000, shape (sessions, 4).
        best, sheets: what `choice.best_funds` and `facts` found of a session, kept for every task on the trace.
    """

    def __init__(self, trace: Trace) -> None:
        import numpy as np

        self.trace = trace
        self.best: dict[tuple[int, int], tuple[int, ...]] = {}
        self.sheets: dict[tuple[int, int], dict[str, Any]] = {}
        levels = np.array([one.index_e4 for one in trace.sessions], dtype=np.int64)
        days = len(levels)
        self.return_ppm: Ints = np.zeros(days, dtype=np.int64)
        self.return_ppm[1:] = (levels[1:] - levels[:-1]) * 1_000_000 // levels[:-1]
        back = np.maximum(np.arange(days) - 20, 0)
        self.momentum_ppm: Ints = (levels - levels[back]) * 1_000_000 // levels[back]
        total = np.cumsum(np.abs(self.return_ppm))
        self.volatility_ppm: Ints = (total - total[back]) // np.maximum(np.arange(days) - back, 1)
        rose = (trace.nav_e8[1:] > trace.nav_e8[:-1]).sum(axis=1)
        self.breadth_e4: Ints = np.full(days, 5_000, dtype=np.int64)
        self.breadth_e4[1:] = rose * 10_000 // len(trace.funds)
        self.seen: Ints = np.stack((self.return_ppm, self.momentum_ppm, self.volatility_ppm, self.breadth_e4), axis=1)
        self._ordinals = [date.fromisoformat(one.date).toordinal() for one in trace.sessions]
        months = [one.date[:7] for one in trace.sessions]
        self.begins_month: Mask = np.array([False, *(a != b for a, b in zip(months[1:], months, strict=False))])

    def days_between(self, first: int, last: int) -> int:
        """Return the calendar days between two sessions."""
        return self._ordinals[last] - self._ordinals[first]


def market_of(trace: Trace) -> Market:
    """Return what follows from a trace, the same object for one of the last two traces that were asked for."""
    for market in tuple(_LAST):
        if market.trace is trace:
            return market
    _LAST.append(Market(trace))
    return _LAST[-1]


_LAST: deque[Market] = deque(maxlen=2)


def _change_ppm(chain: "Ints", day: int, sessions: int) -> "Ints":
    """Return the change of the chained index over some sessions, fewer where the trace is younger, in millionths."""
    before = chain[max(0, day - sessions)]
    return (chain[day] - before) * 1_000_000 // before  # type: ignore[no-any-return]


def _shares_e4(np: object, shares: Sequence[Fraction]) -> "Ints":
    import numpy

    return numpy.array([int(share * 10_000) for share in shares], dtype=numpy.int64)


def _up(cents: Fraction) -> int:
    """Return an exact number of cents rounded up to the cent, as a fee is."""
    return -(-cents.numerator // cents.denominator)
