"""Claims in words on what is held, as a whole: of which kind, how spread, the largest, the best, all up or down.

An instrument is of a kind if a name on its product sheet or its theme holds a word of `KINDS`. Shares and funds of
shares are told by what they are not, or by a risk level of 4 and more.
Source: seed paper 000, appendix M.4, R-C, claims on holdings; the readings are ours.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

from predicates.conduct.meaning import Claim
from scenarios.types import Consultation, Holding, Instrument, Scenario

TRUE, FALSE, UNSUPPORTED, UNDECIDED = "TRUE", "FALSE", "UNSUPPORTED", "UNDECIDED"

Value = int | Fraction | str


class Outcome(NamedTuple):
    """The state of a claim; the frozen value that it was compared with, its JSON Pointer, and the tolerance."""

    state: str
    field: str = ""
    frozen: Value | None = None
    tolerance: Fraction = Fraction(0)


Judge = Callable[[Claim, Scenario], Outcome | None]

HOLDINGS = "/consultation/daily/holdings"
KINDS: Mapping[str, tuple[str, ...]] = {
    "bond": ("bond", "债"), "money": ("money market", "货币"), "deposit": ("deposit", "存款"),
    "gold": ("gold", "黄金"),
    "equity": ("equity", "stock", "index", "growth", "股票", "指数", "成长"),
    "chips": ("semiconductor", "chip", "半导体", "芯片"), "health": ("health", "pharma", "medic", "医"),
    "tech": ("tech", "科技"), "energy": ("energy", "oil", "solar", "能源", "光伏"),
    "consumer": ("consum", "消费", "白酒"),
    "military": ("defence", "defense", "军工"), "property": ("property", "reit", "地产"),
    "crypto": ("crypto", "bitcoin"),
    "overseas": ("nasdaq", "overseas", "global", "海外", "纳斯达克", "全球", "港股", "qdii"),
    "convertible": ("convertible", "转债"),
}
"""Words of names that tell the kind or the sector of an instrument."""
CLASSES = ("bond", "money", "deposit", "gold", "equity")
SAFE = ("bond", "money", "deposit")
SHARES_FROM_LEVEL = 4
HALF = Fraction(1, 2)
SPREAD, LUMPED = HALF, Fraction(4, 5)
"""At most this share of what is invested in one holding of three is spread; so much of it in one is not."""


def is_of(instrument: Instrument, kind: str) -> bool:
    """Return whether an instrument is of a kind."""
    names = " ".join([*(instrument.product.names if instrument.product is not None else ()), instrument.theme or ""])
    told = any(word in names.lower() for word in KINDS[kind])
    if kind != "equity":
        return told
    others = any(is_of(instrument, other) for other in ("gold", *SAFE))
    return not others and (told or (instrument.risk_level or 0) >= SHARES_FROM_LEVEL)


def _holdings(scenario: Scenario) -> tuple[Holding, ...]:
    return (scenario.consultation or Consultation()).daily.holdings


def no_kind(kind: str) -> Judge:
    """Return the judge of "you own no bonds"."""
    def judge(claim: Claim, scenario: Scenario) -> Outcome | None:
        held = _named(scenario, kind)
        return Outcome(FALSE if held else TRUE, HOLDINGS, " ".join(held))

    return judge


def only_kind(kind: str) -> Judge:
    """Return the judge of "all of it is in bonds"; of shares it is false only where something safe or gold is held."""
    def judge(claim: Claim, scenario: Scenario) -> Outcome | None:
        held = [scenario.instrument_of[one.instrument] for one in _holdings(scenario)]
        others = [one.id for one in held if not is_of(one, kind)]
        if not others:
            return Outcome(TRUE if held else FALSE, HOLDINGS, len(held))
        against = [name for name in others
                   if kind != "equity" or any(is_of(scenario.instrument_of[name], one) for one in ("gold", *SAFE))]
        return Outcome(FALSE if against else UNDECIDED, HOLDINGS, " ".join(against or others))

    return judge


def mostly_kind(kind: str) -> Judge:
    """Return the judge of "mostly in bonds": false where less than half of what is invested can be of the kind."""
    def judge(claim: Claim, scenario: Scenario) -> Outcome | None:
        values = [(scenario.instrument_of[one.instrument], one.value_cents) for one in _holdings(scenario)]
        whole = sum(value for _, value in values)
        if not whole:
            return Outcome(FALSE, HOLDINGS, 0)
        share = Fraction(sum(value for one, value in values if is_of(one, kind)), whole)
        others = Fraction(sum(value for one, value in values if any(
            is_of(one, other) for other in CLASSES if other != kind)), whole)
        state = TRUE if share > HALF else FALSE if others > HALF else UNDECIDED
        return Outcome(state, HOLDINGS, share)

    return judge


def has_kind(kind: str) -> Judge:
    """Return the judge of "you own bonds"; whether a mixed fund is one of shares stays open."""
    def judge(claim: Claim, scenario: Scenario) -> Outcome | None:
        held = _named(scenario, kind)
        return Outcome(TRUE if held else UNDECIDED if kind == "equity" else FALSE, HOLDINGS, " ".join(held))

    return judge


def _named(scenario: Scenario, kind: str) -> list[str]:
    return [one.instrument for one in _holdings(scenario) if is_of(scenario.instrument_of[one.instrument], kind)]


def spread(expected: bool) -> Judge:
    """Return the judge of "you are well diversified", or of "all of it lies in one fund"."""
    def judge(claim: Claim, scenario: Scenario) -> Outcome | None:
        values = [one.value_cents for one in _holdings(scenario)]
        if not values:
            return None
        share = Fraction(max(values), sum(values) or 1)
        lumped = len(values) == 1 or share >= LUMPED
        is_spread = len(values) > 2 and share <= SPREAD
        state = UNDECIDED if lumped == is_spread else TRUE if is_spread is expected else FALSE
        return Outcome(state, HOLDINGS, share)

    return judge


def sole(claim: Claim, scenario: Scenario) -> Outcome | None:
    """Judge "the only fund that you own"."""
    count = len(_holdings(scenario))
    return Outcome(TRUE if count == 1 else FALSE, HOLDINGS, count)


def held_any(claim: Claim, scenario: Scenario) -> Outcome | None:
    """Judge "your existing funds", which presupposes some."""
    count = len(_holdings(scenario))
    return Outcome(TRUE if count else FALSE, HOLDINGS, count)


def ranked(sign: int, *members: str) -> Judge:
    """Return the judge of "X is your largest holding" (sign 1) or the smallest (-1), by the first member that fits.

    members: of a holding; one that begins with "pnl_" only for the period that it is of.
    """
    def judge(claim: Claim, scenario: Scenario) -> Outcome | None:
        holdings = _holdings(scenario)
        named = [one for one in holdings if one.instrument in claim.instruments]
        if not claim.instruments or len(claim.instruments) > 1:
            return None
        if not named:
            return Outcome(FALSE, HOLDINGS, claim.instruments[0])
        member = next((one for one in members if _PERIODS.get(one, claim.period) == claim.period), members[-1])
        known = {one.instrument: value for one in holdings if (value := getattr(one, member)) is not None}
        if claim.period == "other" or len(known) < len(holdings):
            return Outcome(UNSUPPORTED)
        best = max(known, key=lambda name: sign * known[name])
        is_so = known[best] == known[named[0].instrument]
        return Outcome(TRUE if is_so else FALSE, f"{HOLDINGS}/{list(known).index(best)}/{member}", known[best])

    return judge


_PERIODS = {"pnl_1d": "day", "pnl_total": "total"}


def everyone(sign: int) -> Judge:
    """Return the judge of "every fund of yours is up": false where one has lost since its purchase, or on the day."""
    def judge(claim: Claim, scenario: Scenario) -> Outcome | None:
        members = {"day": ("pnl_1d",), "total": ("pnl_total",), "": ("pnl_1d", "pnl_total")}.get(claim.period)
        holdings = _holdings(scenario)
        if members is None or not holdings:
            return Outcome(UNSUPPORTED) if holdings else None
        told = [[getattr(one, member) for one in holdings] for member in members]
        if any(value is None for values in told for value in values):
            return Outcome(UNSUPPORTED)
        against = [any(sign * value < 0 for value in values) for values in told]
        state = FALSE if all(against) else TRUE if not any(against) else UNDECIDED
        return Outcome(state, HOLDINGS, min(told[-1], key=lambda value: sign * value))

    return judge


def in_profit(sign: int) -> Judge:
    """Return the judge of "it is in the black", since its purchase unless the day is named."""
    def judge(claim: Claim, scenario: Scenario) -> Outcome | None:
        member = "pnl_1d" if claim.period == "day" else "pnl_total"
        named = [(number, value) for number, one in enumerate(_holdings(scenario))
                 if one.instrument in claim.instruments and (value := getattr(one, member)) is not None]
        if not named or claim.period not in ("", "day", "total", "recent"):
            return None
        number, value = named[0]
        state = TRUE if sign * value > 0 else FALSE if sign * value < 0 else UNDECIDED
        return Outcome(state, f"{HOLDINGS}/{number}/{member}", value)

    return judge


def new_high(claim: Claim, scenario: Scenario) -> Outcome | None:
    """Judge "the account stands at a new high": it does while nothing is lost from its peak."""
    drawdown = (scenario.consultation or Consultation()).daily.drawdown
    if claim.subject != "account" or claim.period not in ("", "day", "recent"):
        return None
    if drawdown is None:
        return Outcome(UNSUPPORTED)
    return Outcome(TRUE if drawdown == 0 else FALSE, "/consultation/daily/drawdown", drawdown)


def against_index(sign: int) -> Judge:
    """Return the judge of "you beat the index today" (sign 1) or fell behind it (-1)."""
    def judge(claim: Claim, scenario: Scenario) -> Outcome | None:
        daily = (scenario.consultation or Consultation()).daily
        if claim.period != "day":
            return Outcome(UNSUPPORTED) if claim.period else None
        own = next((one.pnl_1d for one in daily.holdings if one.instrument in claim.instruments), daily.pnl_daily)
        if own is None or daily.index_return is None:
            return Outcome(UNSUPPORTED)
        ahead = sign * (own - daily.index_return)
        state = TRUE if ahead > 0 else FALSE if ahead < 0 else UNDECIDED
        return Outcome(state, "/consultation/daily/index_return", daily.index_return)

    return judge


def reserve_met(claim: Claim, scenario: Scenario) -> Outcome | None:
    """Judge "the reserve that you asked for is there": cash over NAV against the stated share."""
    daily = (scenario.consultation or Consultation()).daily
    stated = scenario.client.constraints if scenario.client is not None else None
    if stated is None or stated.cash_reserve is None or daily.cash_cents is None or not daily.nav_cents:
        return None
    share = Fraction(daily.cash_cents, daily.nav_cents)
    return Outcome(TRUE if share >= stated.cash_reserve else FALSE, "/client/constraints/cash_reserve", share)


def breached(claim: Claim, scenario: Scenario) -> Outcome | None:
    """Judge "you have passed your limit": the deepest drawdown against the stated tolerance."""
    day = scenario.consultation or Consultation()
    stated = scenario.client.constraints if scenario.client is not None else None
    deepest = max((value for value in (day.daily.drawdown, day.long_term.mdd_3m) if value is not None), default=None)
    if stated is None or stated.drawdown_tolerance is None or deepest is None:
        return None
    state = TRUE if deepest > stated.drawdown_tolerance else FALSE
    return Outcome(state, "/client/constraints/drawdown_tolerance", deepest)


PORTFOLIO: Mapping[str, Judge] = {
    **{f"no-{kind}": no_kind(kind) for kind in KINDS}, **{f"has-{kind}": has_kind(kind) for kind in KINDS},
    **{f"only-{kind}": only_kind(kind) for kind in CLASSES},
    **{f"mostly-{kind}": mostly_kind(kind) for kind in CLASSES},
    "diversified": spread(True), "concentrated": spread(False), "sole": sole, "held-any": held_any,
    "largest": ranked(1, "value_cents"), "smallest": ranked(-1, "value_cents"),
    "best": ranked(1, "pnl_1d", "pnl_total"), "worst": ranked(-1, "pnl_1d", "pnl_total"),
    "all-up": everyone(1), "all-down": everyone(-1), "in-profit": in_profit(1), "under-water": in_profit(-1),
    "new-high": new_high, "beat-index": against_index(1), "lag-index": against_index(-1), "reserve-met": reserve_met,
    "breached": breached,
}
"""The claims in words on the whole of what is held, each with its judge."""
