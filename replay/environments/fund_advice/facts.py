"""What is known on the day of a consultation: the facts that the advisor is shown, and the scenario that is judged.

Both are made of the same numbers. The facts are what a request holds beside the dialogue (`request`); the scenario is
the frozen question of the verifier, and lists only what is held or shown: everything else lies in the trace that the
rollout names. Source: seed paper 000, appendices H.2 and L.1.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from replay.environments.fund_advice.account import E10_IN_CENT, Accounts
from replay.environments.fund_advice.population import Investor
from replay.environments.fund_advice.request import FORMAT, decimal
from replay.environments.fund_advice.types import Observation
from scenarios.exact import decimal_text
from scenarios.fees import NoFee
from scenarios.traces import Trace
from scenarios.types import (
    Account,
    Client,
    Constraints,
    Consultation,
    DailyContext,
    Holding,
    Instrument,
    Limits,
    LongTermContext,
    Position,
    ProductSheet,
    Scenario,
    Turn,
)


class FactBook:
    """Makes the facts of a consultation from the accounts of a task."""

    def __init__(self, accounts: Accounts) -> None:
        self.accounts = accounts
        self.trace = accounts.trace
        self.market = accounts.market
        self._session = -1
        self._sheets: dict[int, dict[str, Any]] = {}  # of the funds shown on that session
        self._clients = [_client(one) for one in accounts.investors]

    def of(self, lane: int, seen: Observation, shortlist: Sequence[int]) -> dict[str, Any]:
        """Return the facts of one investor on the session that is open; shortlist: the columns of the funds shown."""
        accounts, trace = self.accounts, self.trace
        session = accounts.session
        day = trace.sessions[session]
        nav = int(accounts.nav_e10[lane]) // E10_IN_CENT
        held = accounts.held_funds(lane)
        before = nav * 1_000_000 // max(1_000_000 + int(seen.day_pnl_ppm[lane]), 1)
        return {
            "format": FORMAT, "day": day.date, "session": session,
            "market": {
                "env": day.env or "range", "index_return": decimal(int(seen.r_mkt_ppm[lane]), 6),
                "mom20": decimal(int(seen.mom20_ppm[lane]), 6), "breadth": decimal(int(seen.breadth_e4[lane]), 4),
                "vol20": decimal(int(seen.vol20_ppm[lane]), 6),
            },
            "account": {
                "nav_cents": nav, "cash_cents": int(accounts.cash_cents[lane]),
                "pos_ratio": decimal(int(seen.pos_ratio_e4[lane]), 4),
                "pnl_daily": decimal(int(seen.day_pnl_ppm[lane]), 6), "pnl_daily_cents": nav - before,
                "drawdown": decimal(int(seen.drawdown_e4[lane]), 4),
                "cum_return_20td": decimal(int(seen.ret20_ppm[lane]), 6),
                "cum_return_3m": decimal(int(seen.ret63_ppm[lane]), 6), "mdd_3m": decimal(int(seen.mdd63_e4[lane]), 4),
                "product_class": self._product_class(lane),
            },
            "holdings": [self._holding(lane, fund) for fund in held],
            "shortlist": [self._shown(fund) for fund in shortlist],
            "client": self._clients[lane],
        }

    def units(self, lane: int) -> dict[str, str]:
        """Return the units of each fund that an investor holds, as decimal strings."""
        funds, units = self.accounts.fund[lane].tolist(), self.accounts.units_e2[lane].tolist()
        return {self.trace.funds[fund].id: decimal(count, 2) for fund, count in zip(funds, units, strict=True)
                if fund >= 0}

    def _holding(self, lane: int, fund: int) -> dict[str, Any]:
        accounts = self.accounts
        slot = int((accounts.fund[lane] == fund).argmax())
        nav = int(self.trace.nav_e8[accounts.session, fund])
        value, cost = int(accounts.units_e2[lane, slot]) * nav // E10_IN_CENT, int(accounts.cost_cents[lane, slot])
        total = decimal((value - cost) * 1_000_000 // max(cost, 1), 6)
        return {**self._named(fund), "value_cents": value, "pnl_total": total}

    def _shown(self, fund: int) -> dict[str, Any]:
        """Return what is shown of a fund, which is the same for everybody who is shown it on the session."""
        session, navs = self.accounts.session, self.trace.nav_e8
        if session != self._session:
            self._session, self._sheets = session, {}
        if fund not in self._sheets:
            now = int(navs[session, fund])
            changes = {}
            for name, back in (("ret20", 20), ("ret63", 63)):
                then = int(navs[max(0, session - back), fund])
                changes[name] = decimal((now - then) * 1_000_000 // then, 6)
            self._sheets[fund] = {**self._named(fund), **changes}
        return self._sheets[fund]

    def _named(self, fund: int) -> dict[str, Any]:
        sheet = self.trace.funds[fund]
        return {"fund": sheet.id, "name": sheet.names[0] if sheet.names else sheet.id, "level": sheet.level}

    def _product_class(self, lane: int) -> str:
        """Return the class of the holdings by their value-weighted mean risk level: below 2.5, below 3.5, or above."""
        accounts = self.accounts
        navs = self.trace.nav_e8[accounts.session]
        rows = zip(accounts.fund[lane].tolist(), accounts.units_e2[lane].tolist(), strict=True)
        worth = [(units * int(navs[fund]), self.trace.funds[fund].level) for fund, units in rows if fund >= 0]
        total = sum(value for value, _ in worth)
        if not total:
            return "none"
        twice = 2 * sum(value * level for value, level in worth)
        return "conservative" if twice < 5 * total else "balanced" if twice < 7 * total else "aggressive"


def _client(investor: Investor) -> dict[str, Any]:
    traits = investor.traits
    return {
        "risk_profile": investor.profile, "literacy": investor.literacy, "asset_tier": investor.tier,
        "cash_reserve": decimal_text(traits.cash_reserve),
        "drawdown_tolerance": decimal_text(traits.drawdown_tolerance), "horizon_years": traits.horizon_years,
    }


@lru_cache(maxsize=4096)
def _instrument(fund: str, level: int, theme: str, names: tuple[str, ...]) -> Instrument:
    """Return a fund as scenarios list it, the same object for the same fund."""
    return Instrument(id=fund, risk_level=level, theme=theme, product=ProductSheet(names=names))


@lru_cache(maxsize=4096)
def _stated(profile: str, literacy: str, tier: str, horizon_years: int, reserve: str, tolerance: str) -> Client:
    constraints = Constraints(horizon_days=365 * horizon_years, cash_reserve=Fraction(reserve),
                              drawdown_tolerance=Fraction(tolerance))
    return Client.model_validate({"risk_profile": profile, "literacy": literacy, "asset_tier": tier,
                                  "constraints": constraints})


def scenario_of(
    name: str, facts: Mapping[str, Any], units: Mapping[str, str], dialogue: Sequence[tuple[str, str, bool]],
    trace: Trace,
) -> Scenario:
    """Return the scenario of a consultation.

    Args:
        name: the scenario's id.
        facts: as `FactBook.of` returns them.
        units: of each fund held, as `FactBook.units` returns them.
        dialogue: (speaker, text, whether the advisor answers it) of the client's turns, in order.
        trace: whose funds the facts name.
    """
    market, account, client = facts["market"], facts["account"], facts["client"]
    listed = {one["fund"]: one for one in (*facts["holdings"], *facts["shortlist"])}
    held = [(one["fund"], Fraction(units[one["fund"]]), int(one["value_cents"]), Fraction(one["pnl_total"]))
            for one in facts["holdings"]]
    session = int(facts["session"])
    return Scenario(
        id=name, category="fund-advice", as_of=facts["day"], currency="CNY",
        account=Account(
            cash_cents=account["cash_cents"],
            positions=tuple(Position(instrument=fund, quantity=count, available=count, value_cents=value)
                            for fund, count, value, _ in held),
        ),
        instruments=tuple(_instrument(fund, one["level"], trace.funds[trace.fund_index[fund]].type,
                                      trace.funds[trace.fund_index[fund]].names) for fund, one in listed.items()),
        universe=tuple(fund for fund in listed if not trace.no_buy[session, trace.fund_index[fund]]),
        limits=Limits(amounts_required=False), fees=NoFee(),
        client=_stated(client["risk_profile"], client["literacy"], client["asset_tier"], client["horizon_years"],
                       client["cash_reserve"], client["drawdown_tolerance"]),
        consultation=Consultation(
            daily=DailyContext(
                env=market["env"], product_class=account["product_class"], nav_cents=account["nav_cents"],
                cash_cents=account["cash_cents"], pos_ratio=Fraction(account["pos_ratio"]),
                pnl_daily=Fraction(account["pnl_daily"]), pnl_daily_cents=account["pnl_daily_cents"],
                drawdown=Fraction(account["drawdown"]), index_return=Fraction(market["index_return"]),
                holdings=tuple(Holding(instrument=fund, value_cents=value, pnl_total=total)
                               for fund, _, value, total in held),
            ),
            long_term=LongTermContext(
                cum_return_20td=Fraction(account["cum_return_20td"]), cum_return_3m=Fraction(account["cum_return_3m"]),
                mdd_3m=Fraction(account["mdd_3m"]),
            ),
        ),
        dialogue=tuple(Turn.model_validate({"speaker": speaker, "text": text, "reply": reply})
                       for speaker, text, reply in dialogue),
    )

