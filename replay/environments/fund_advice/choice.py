"""Which fund and how much: what an investor trades without advice, and the shortlist that an advisor is shown.

Without advice a purchase is a share of NAV by profile, cut to the tier's order step, of one fund drawn among the held
ones and those with the best last 20 sessions; a sale is of one held fund, drawn. Only funds whose risk level suits
the profile and that are open today are candidates. Decisions d4 and d16 of docs/fund-advice.md.
"""

from typing import TYPE_CHECKING, NamedTuple

from replay.environments.fund_advice.account import LEAST_ORDER_CENTS, Accounts
from replay.environments.fund_advice.draws import BITS
from replay.environments.fund_advice.types import BUY, SELL
from scenarios.traces import Trace

if TYPE_CHECKING:
    from replay.environments.fund_advice.types import Ints

SHORTLIST = 12
"""Funds that are shown, beside the held ones."""

CANDIDATES = 8
"""Funds that a purchase without advice is drawn among, beside the held ones."""

MOST_OF_NAV_E4 = 2_500
"""The most that one day's order moves when an advised ratio is followed: 25 % of NAV."""


class Wish(NamedTuple):
    """One order that an investor wants: cents for a purchase, share_e4 of the holding for a sale."""

    side: int
    fund: int
    cents: int = 0
    share_e4: int = 0


class Chooser:
    """Chooses funds and sizes for the investors of one task."""

    def __init__(self, accounts: Accounts) -> None:
        self.accounts = accounts
        self.trace = accounts.trace
        self._order_e4 = [int(one.traits.order_share * 10_000) for one in accounts.investors]

    def shortlist(self, lane: int) -> list[int]:
        """Return the columns of the funds shown to an investor's advisor: suitable, open today, the best first."""
        return list(self._best(lane))

    def alone(self, lane: int, action: int, fund_draw: int) -> tuple[Wish, ...]:
        """Return the orders of an action that nobody advised; none where it cannot be carried out."""
        if action == BUY:
            return self._buy_alone(lane, fund_draw)
        return self._sell_alone(lane, fund_draw) if action == SELL else ()

    def toward(self, lane: int, target_e4: int, days: int, funds: tuple[int, ...], draw: int) -> tuple[Wish, ...]:
        """Return the orders that bring the position ratio one day nearer to an advised one.

        Args:
            lane: the investor.
            target_e4: the advised ratio of invested to NAV.
            days: over how many sessions it is to be reached, at least 1.
            funds: the advised funds, in columns; empty where the advice names none.
            draw: picks the fund of a purchase among several.
        """
        accounts = self.accounts
        nav = self._nav_cents(lane)
        invested = nav - int(accounts.cash_cents[lane])
        gap = nav * target_e4 // 10_000 - invested
        size = self._cut(lane, min(abs(gap) // max(days, 1), nav * MOST_OF_NAV_E4 // 10_000))
        if size < LEAST_ORDER_CENTS:
            return ()
        if gap > 0:
            return self._buy(lane, size, self._open(lane, funds) or self._candidates(lane), draw)
        held = accounts.held_funds(lane)
        return self.sell_of(lane, size, tuple(fund for fund in funds if fund in held) or tuple(held))

    def buy_of(self, lane: int, cents: int, funds: tuple[int, ...], draw: int) -> tuple[Wish, ...]:
        """Return the purchase of an advised amount, cut to the investor's step and to the cash."""
        return self._buy(lane, self._cut(lane, cents), self._open(lane, funds) or self._candidates(lane), draw)

    def sell_of(self, lane: int, cents: int, funds: tuple[int, ...]) -> tuple[Wish, ...]:
        """Return the sale of an amount, pro rata over these held funds that are open."""
        accounts = self.accounts
        open_ = [fund for fund in funds if not self.trace.no_sell[accounts.session, fund]]
        worth = sum(self._worth_cents(lane, fund) for fund in open_)
        if worth <= 0:
            return ()
        share = min(10_000, -(-cents * 10_000 // worth))
        return tuple(Wish(SELL, fund, share_e4=share) for fund in open_)

    def _buy_alone(self, lane: int, draw: int) -> tuple[Wish, ...]:
        size = self._cut(lane, self._nav_cents(lane) * self._order_e4[lane] // 10_000)
        return self._buy(lane, size, self._candidates(lane), draw)

    def _sell_alone(self, lane: int, draw: int) -> tuple[Wish, ...]:
        held = [fund for fund in self.accounts.held_funds(lane)
                if not self.trace.no_sell[self.accounts.session, fund]]
        if not held:
            return ()
        size = self._nav_cents(lane) * self._order_e4[lane] // 10_000
        return self.sell_of(lane, size, (held[draw * len(held) >> BITS],))

    def _buy(self, lane: int, cents: int, funds: list[int], draw: int) -> tuple[Wish, ...]:
        size = self._cut(lane, min(cents, self.accounts.cash_cents.item(lane)))
        if size < LEAST_ORDER_CENTS or not funds:
            return ()
        return (Wish(BUY, funds[draw * len(funds) >> BITS], cents=size),)

    def _candidates(self, lane: int) -> list[int]:
        """Return the funds that a purchase is drawn among: open, suitable, and held where no slot is free."""
        accounts, investor = self.accounts, self.accounts.investors[lane]
        held = accounts.held_funds(lane)
        open_ = self._open(lane, tuple(held))
        if len(held) >= investor.means.max_funds:
            return open_
        best = self._best(lane)
        return [*open_, *(fund for fund in best[:CANDIDATES] if fund not in held)]

    def _best(self, lane: int) -> tuple[int, ...]:
        known, key = self.accounts.market.best, (self.accounts.session, self.accounts.investors[lane].traits.max_level)
        if key not in known:
            known[key] = best_funds(self.trace, *key)
        return known[key]

    def _open(self, lane: int, funds: tuple[int, ...]) -> list[int]:
        """Return those of some funds that suit the profile and take a purchase today."""
        level = self.accounts.investors[lane].traits.max_level
        closed = self.trace.no_buy[self.accounts.session]
        return [fund for fund in funds if self.trace.level.item(fund) <= level and not closed.item(fund)]

    def _nav_cents(self, lane: int) -> int:
        return self.accounts.nav_e10.item(lane) // 10**8

    def _worth_cents(self, lane: int, fund: int) -> int:
        units, _ = self.accounts.holding(lane, fund)
        return units * self.trace.nav_e8.item(self.accounts.session, fund) // 10**8

    def _cut(self, lane: int, cents: int) -> int:
        step = self.accounts.investors[lane].means.step_cents
        return cents - cents % step


def best_funds(trace: Trace, session: int, max_level: int) -> tuple[int, ...]:
    """Return the suitable funds that are open for purchase, those with the best last 20 sessions first, ties by id."""
    navs = trace.nav_e8
    change = (navs[session] - navs[max(0, session - 20)]) * 1_000_000 // navs[max(0, session - 20)]
    suits = (trace.level <= max_level) & ~trace.no_buy[session]
    columns = suits.nonzero()[0]
    order: Ints = (-change[columns]).argsort(kind="stable")
    return tuple(columns[order][:SHORTLIST].tolist())
