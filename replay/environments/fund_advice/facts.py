"""What is known on the day of a consultation: the facts that the advisor is shown, and the scenario that is judged.

Both are made of the same numbers. The facts are what a request holds beside the dialogue (`request`); the scenario is
the frozen question of the verifier, and lists only what is held or shown: everything else lies in the trace that the
rollout names. Source: seed paper 000, appendices H.2 and L.1.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from replay.environments.fund_advice.account import E10_IN_CENT, Accounts
from replay.environments.fund_advice.population import Investor
from replay.environments.fund_advice.request import FORMAT, decimal
from replay.environments.fund_advice.types import Observation
from scenarios.canonical import encode_exact
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
        self._clients = [_client(one) for one in accounts.investors]

    def of(self, lane: int, seen: Observation, shortlist: Sequence[int]) -> dict[str, Any]:
        """Return the facts of one investor on the session that is open; shortlist: the columns of the funds shown."""
        accounts, trace = self.accounts, self.trace
        session = accounts.session
        day = trace.sessions[session]
        nav = accounts.nav_e10.item(lane) // E10_IN_CENT
        held = accounts.held_funds(lane)
        before = nav * 1_000_000 // max(1_000_000 + seen.day_pnl_ppm.item(lane), 1)
        return {
            "format": FORMAT, "day": day.date, "session": session,
            "market": {
                "env": day.env or "range", "index_return": decimal(seen.r_mkt_ppm.item(lane), 6),
                "mom20": decimal(seen.mom20_ppm.item(lane), 6), "breadth": decimal(seen.breadth_e4.item(lane), 4),
                "vol20": decimal(seen.vol20_ppm.item(lane), 6),
            },
            "account": {
                "nav_cents": nav, "cash_cents": accounts.cash_cents.item(lane),
                "pos_ratio": decimal(seen.pos_ratio_e4.item(lane), 4),
                "pnl_daily": decimal(seen.day_pnl_ppm.item(lane), 6), "pnl_daily_cents": nav - before,
                "drawdown": decimal(seen.drawdown_e4.item(lane), 4),
                "cum_return_20td": decimal(seen.ret20_ppm.item(lane), 6),
                "cum_return_3m": decimal(seen.ret63_ppm.item(lane), 6), "mdd_3m": decimal(seen.mdd63_e4.item(lane), 4),
                "product_class": self._product_class(lane),
            },
            "holdings": [self._holding(lane, fund) for fund in held],
            "shortlist": [self._shown(fund) for fund in shortlist],
            "client": self._clients[lane],
        }

    def units(self, lane: int) -> dict[str, str]:
        """Return the units of each fund that an investor holds, as decimal strings."""
        accounts = self.accounts
        return {self.trace.funds[fund].id: decimal(accounts.holding(lane, fund)[0], 2)
                for fund in accounts.held_funds(lane)}

    def _holding(self, lane: int, fund: int) -> dict[str, Any]:
        accounts = self.accounts
        units, cost = accounts.holding(lane, fund)
        value = units * self.trace.nav_e8.item(accounts.session, fund) // E10_IN_CENT
        total = decimal((value - cost) * 1_000_000 // max(cost, 1), 6)
        return {**self._named(fund), "value_cents": value, "pnl_total": total}

    def _shown(self, fund: int) -> dict[str, Any]:
        """Return what is shown of a fund, which is the same for everybody who is shown it on the session."""
        session, navs, known = self.accounts.session, self.trace.nav_e8, self.market.sheets
        if (session, fund) not in known:
            now = navs.item(session, fund)
            changes = {}
            for name, back in (("ret20", 20), ("ret63", 63)):
                then = navs.item(max(0, session - back), fund)
                changes[name] = decimal((now - then) * 1_000_000 // then, 6)
            known[session, fund] = {**self._named(fund), **changes}
        return known[session, fund]

    def _named(self, fund: int) -> dict[str, Any]:
        sheet = self.trace.funds[fund]
        return {"fund": sheet.id, "name": sheet.names[0] if sheet.names else sheet.id, "level": sheet.level}

    def _product_class(self, lane: int) -> str:
        """Return the class of the holdings by their value-weighted mean risk level: below 2.5, below 3.5, or above."""
        accounts = self.accounts
        navs = self.trace.nav_e8[accounts.session]
        worth = [(accounts.holding(lane, fund)[0] * navs.item(fund), self.trace.funds[fund].level)
                 for fund in accounts.held_funds(lane)]
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
def _instrument(fund: str, level: int, theme: str, names: tuple[str, ...]) -> tuple[Instrument, dict[str, Any]]:
    """Return a fund as scenarios list it, the same object for the same fund, and its record."""
    one = Instrument(id=fund, risk_level=level, theme=theme, product=ProductSheet(names=names))
    return one, one.record()


@lru_cache(maxsize=4096)
def _stated(
    profile: str, literacy: str, tier: str, horizon_years: int, reserve: str, tolerance: str
) -> tuple[Client, dict[str, Any]]:
    constraints = Constraints(horizon_days=365 * horizon_years, cash_reserve=Fraction(reserve),
                              drawdown_tolerance=Fraction(tolerance))
    one = Client.model_validate({"risk_profile": profile, "literacy": literacy, "asset_tier": tier,
                                 "constraints": constraints})
    return one, one.record()


_exact = lru_cache(65_536)(Fraction)
_LIKE_ALL = Scenario(
    id="consultation", category="fund-advice", as_of="2000-01-01", currency="CNY", account=Account(cash_cents=0),
    instruments=(), universe=(), limits=Limits(amounts_required=False), fees=NoFee(),
)
_ALIKE, _ALIKE_RECORD = dict(_LIKE_ALL), _LIKE_ALL.record()
"""What all consultations share, as members and as they are written."""


def _client_of(facts: Mapping[str, Any]) -> tuple[Client, dict[str, Any]]:
    client = facts["client"]
    return _stated(client["risk_profile"], client["literacy"], client["asset_tier"], client["horizon_years"],
                   client["cash_reserve"], client["drawdown_tolerance"])


class Question(NamedTuple):
    """The scenario of a consultation, and its record, made of the same facts and not of each number anew."""

    scenario: Scenario
    record: dict[str, Any]


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

    Raises:
        ValueError, TypeError, KeyError, IndexError: facts that come from a file do not fit the form of a scenario.
    """
    question = question_of(name, facts, units, dialogue, trace)
    Scenario.model_validate_json(encode_exact(question.record))
    return question.scenario


def question_of(
    name: str, facts: Mapping[str, Any], units: Mapping[str, str], dialogue: Sequence[tuple[str, str, bool]],
    trace: Trace,
) -> Question:
    """Return the scenario of a consultation whose facts a `FactBook` made, which need not be checked, and its record.

    The arguments are those of `scenario_of`.
    """
    market, account = facts["market"], facts["account"]
    listed = {one["fund"]: one["level"] for one in (*facts["holdings"], *facts["shortlist"])}
    places = [trace.fund_index[fund] for fund in listed]
    sheets = [_instrument(fund, level, trace.funds[place].type, trace.funds[place].names)
              for (fund, level), place in zip(listed.items(), places, strict=True)]
    closed = trace.no_buy[int(facts["session"])]
    universe = tuple(fund for fund, place in zip(listed, places, strict=True) if not closed.item(place))
    client, stated = _client_of(facts)
    positions, holdings = [], []
    for one in facts["holdings"]:
        fund, count, value = one["fund"], units[one["fund"]], one["value_cents"]
        positions.append({"instrument": fund, "quantity": count, "available": count, "value_cents": value})
        holdings.append({"instrument": fund, "value_cents": value, "pnl_total": one["pnl_total"]})
    daily = {"env": market["env"], "index_return": market["index_return"],
             **{member: account[member] for member in _OF_THE_DAY}}
    longer = {member: account[member] for member in LongTermContext.model_fields}
    turns = [{"speaker": speaker, "text": text, "reply": reply} for speaker, text, reply in dialogue]
    consultation = Consultation.of_valid(
        daily=DailyContext.of_valid(**_read(daily), holdings=tuple(
            Holding.of_valid(**_read(one), pnl_1d=None) for one in holdings)),
        long_term=LongTermContext.of_valid(**_read(longer)), facts_closed=False,
    )
    scenario = Scenario.of_valid(**{
        **_ALIKE, "id": name, "as_of": facts["day"], "instruments": tuple(one for one, _ in sheets),
        "account": Account.of_valid(
            cash_cents=account["cash_cents"], positions=tuple(Position.of_valid(**_read(one)) for one in positions)),
        "universe": universe, "client": client, "consultation": consultation,
        "dialogue": tuple(Turn.of_valid(**one) for one in turns),
    })
    return Question(scenario, {
        **_ALIKE_RECORD, "id": name, "as_of": facts["day"], "instruments": [record for _, record in sheets],
        "account": {"cash_cents": account["cash_cents"], "positions": positions}, "universe": universe,
        "client": stated, "dialogue": turns,
        "consultation": {"daily": {**daily, "holdings": holdings}, "long_term": longer, "facts_closed": False},
    })


_OF_THE_DAY = ("product_class", "nav_cents", "cash_cents", "pos_ratio", "pnl_daily", "pnl_daily_cents", "drawdown")
_EXACT = frozenset({"pos_ratio", "pnl_daily", "drawdown", "index_return", "pnl_total", "quantity", "available",
                    *LongTermContext.model_fields})
"""The members that are written as decimal strings."""


def _read(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members of a record with its decimal strings as exact numbers."""
    return {member: _exact(value) if member in _EXACT else value for member, value in record.items()}
