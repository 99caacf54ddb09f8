"""Synthetic market traces: seeded, in integers alone, of any size up to the paper's and beyond.

An index walks through a bear, a range and a bull market with shock days; funds follow it by the beta of their tier,
with closed periods, missing days, dividends and splits. Every draw comes from a generator keyed by seed and fund,
so a fund's path does not depend on how many others there are. A coin tossed 1,024 times is the bell curve.
"""

from collections.abc import Iterator
from datetime import date, timedelta
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import NamedTuple

from scenarios.canonical import sha256
from scenarios.errors import ScenarioError
from scenarios.exact import decimal_text
from scenarios.manifest import FunnelRow, Regime
from scenarios.trace_import.returns import Event, compound, value_of_old_unit
from scenarios.trace_import.rules import default_fees, risk_level
from scenarios.traces import TIER_OF_LEVEL, Fund, Session, Tier, mark_sessions, seal_trace

MADE_BY = "synthetic-1"
BASE_DAY = date(2021, 2, 18)
LIMITS = {"seed": (1 - 2**53, 2**53 - 1), "days": (20, 5_000), "funds": (6, 10_000)}
_PPM = 10**6
_FURTHEST_MOVE = 200_000
_FIRST_LEVEL_E4 = 40_000_000


class _Phase(NamedTuple):
    """A market cycle: its share of the days in the paper's horizon, and drift and deviation of a day in ppm."""

    name: str
    days: int
    drift: int
    spread: int


PHASES = (_Phase("bear", 410, -700, 9_000), _Phase("range", 464, 0, 7_000), _Phase("bull", 309, 1_000, 9_000))


class _Kind(NamedTuple):
    """A kind of fund: beta per mille, drift and own deviation of a day in ppm."""

    tier: Tier
    type: str
    name: str
    english: str
    beta: int
    drift: int
    spread: int
    on_exchange: bool = False


KINDS = (
    _Kind("conservative", "债券型-普通债券", "稳健债券", "Bond", 60, 110, 900),
    _Kind("balanced", "混合型-偏债", "均衡混合", "Balanced", 400, 90, 3_000),
    _Kind("balanced", "FOF-稳健型", "稳健养老", "Fund of funds", 450, 90, 3_500),
    _Kind("aggressive", "混合型-偏股", "成长混合", "Growth", 900, 60, 6_000),
    _Kind("aggressive", "股票型-普通", "产业股票", "Equity", 1_100, 60, 8_000),
    _Kind("aggressive", "指数型-股票", "指数", "Index", 1_000, 0, 2_500, True),
    _Kind("aggressive", "股票型-普通", "先锋股票", "Pioneer", 1_250, 80, 14_000),
)


class RawDay(NamedTuple):
    """What a fund publishes of a day: NAV in 1e-4 yuan, None where it publishes none; closed to orders; events."""

    nav_e4: int | None
    no_buy: bool
    no_sell: bool
    events: tuple[Event, ...]


class RawFund(NamedTuple):
    """A fund as its publisher sees it: raw NAVs, with splits and dividends in them."""

    id: str
    kind: _Kind
    letter: str | None
    days: tuple[RawDay, ...]

    @property
    def name(self) -> str:
        """The name that the publisher gives it."""
        return f"合成{self.kind.name}{self.id[-4:]}{self.letter or 'ETF'}"


def build_trace(seed: int, days: int, funds: int, name: str | None = None) -> dict[str, bytes]:
    """Return the files of a sealed synthetic trace by name, the same bytes for the same arguments everywhere.

    Args:
        seed: any integer of 53 bits, which records can hold.
        days: sessions after the base day, 20 to 5,000.
        funds: 6 to 10,000; conservative, balanced and aggressive as the paper's 30, 270 and 1,700, but where there
            are fewer than 2,000, up to a sixth and a quarter of them are conservative and balanced.
        name: the id of the trace; default: one made of the arguments.

    Raises:
        ScenarioError: an argument lies outside these bounds.
    """
    _check("seed", seed)
    sessions = synthetic_sessions(seed, days)
    built, events = [], 0
    for raw in synthetic_funds(seed, sessions, funds):
        built.append(build_fund(raw))
        events += sum(len(day.events) for day in raw.days)
    funnel = (FunnelRow(rule="built", says="drawn from the seed; splits and dividends lie inside the adjusted NAV",
                        left=len(built), touched=events),)
    return seal_trace(
        sessions, built, id=name or f"synthetic-{seed}-{days}x{funds}", made_by=MADE_BY,
        options={"seed": seed, "days": days, "funds": funds}, benchmark="synthetic index", funnel=funnel,
        regimes=_regimes(_calendar(days)),
    )


def synthetic_sessions(seed: int, days: int) -> tuple[Session, ...]:
    """Return the base day and the sessions of a synthetic index.

    Raises:
        ScenarioError: days lies outside its bounds.
    """
    _check("days", days)
    draw = _generator(seed, "index")
    calendar = _calendar(days)
    levels = [(calendar[0], _FIRST_LEVEL_E4)]
    for session in range(1, days + 1):
        phase = _phase(session, days)
        move = phase.drift + _bell(draw, phase.spread) * (3 if draw.getrandbits(4) == 0 else 1)
        levels.append((calendar[session], _step(levels[-1][1], move)))
    return mark_sessions(levels, _regimes(calendar))


def synthetic_funds(seed: int, sessions: tuple[Session, ...], funds: int) -> Iterator[RawFund]:
    """Yield the raw funds of a synthetic market, in order of id.

    Raises:
        ScenarioError: funds lies outside its bounds.
    """
    _check("funds", funds)
    moves = [(one.index_e4 - before.index_e4) * _PPM // before.index_e4 for before, one in pairwise(sessions)]
    kinds = {tier: [kind for kind in KINDS if kind.tier == tier] for tier in TIER_OF_LEVEL.values()}
    conservative = min(30, funds // 6)
    balanced = min(270, funds // 4)
    for number in range(funds):
        tier: Tier = ("conservative" if number < conservative else
                      "balanced" if number < conservative + balanced else "aggressive")
        kind = kinds[tier][number % len(kinds[tier])]
        yield _raw_fund(seed, f"99{number + 1:04}", kind, moves)


def build_fund(raw: RawFund) -> Fund:
    """Return a raw fund with its adjusted path: events put back, days without a NAV carried."""
    published = raw.days[0].nav_e4
    if published is None:
        raise ScenarioError(raw.id, "publishes no NAV on the base day", "start its path there")
    path = [published * 10**4]
    carried = []
    for session, day in enumerate(raw.days[1:], 1):
        if day.nav_e4 is None:
            carried.append(session)
            path.append(path[-1])
            continue
        path.append(compound(path[-1], value_of_old_unit(day.nav_e4, day.events, 10**4), published))
        published = day.nav_e4
    level = risk_level(raw.kind.type, path)
    return Fund(
        id=raw.id, names=(raw.name, f"Synthetic {raw.kind.english} {raw.id[-4:]} {raw.letter or 'ETF'}"),
        type=raw.kind.type, level=level, tier=TIER_OF_LEVEL[level], share_class=raw.letter,
        on_exchange=raw.kind.on_exchange, source="synthetic",
        fees=default_fees(raw.kind.type, raw.letter, raw.kind.on_exchange), nav_e8=tuple(path),
        no_buy=tuple(session for session, day in enumerate(raw.days) if day.no_buy),
        no_sell=tuple(session for session, day in enumerate(raw.days) if day.no_sell), carried=tuple(carried),
    )


def _raw_fund(seed: int, name: str, kind: _Kind, moves: list[int]) -> RawFund:
    draw = _generator(seed, name)
    days = len(moves)
    letter = None if kind.on_exchange else "C" if draw.getrandbits(2) == 0 else "A"
    splits = _some_day(draw, days, 3) if kind.tier == "aggressive" else None
    pays = _some_day(draw, days, 1) if kind.tier == "conservative" else None
    closed_at, closed_for = _some_day(draw, days, 2), 5 + draw.getrandbits(4)
    both_sides = draw.getrandbits(2) == 0
    missing = _some_day(draw, days, 4)
    nav = 8_000 + draw.getrandbits(14)
    published = [RawDay(nav, False, False, ())]
    for session, move in enumerate(moves, 1):
        move = kind.drift + move * kind.beta // 1000 + _bell(draw, kind.spread)
        nav = max(_step(nav, max(-_FURTHEST_MOVE, min(_FURTHEST_MOVE, move))), 2_000)
        events: tuple[Event, ...] = ()
        if session == splits:
            events, nav = (Event(units=Fraction(2)),), nav // 2
        elif session == pays:
            events, nav = (Event(cash=Fraction(nav // 50, 10**4)),), nav - nav // 50
        absent = session == missing and not events and session < days
        closed = closed_at is not None and closed_at <= session < closed_at + closed_for
        published.append(RawDay(None if absent else nav, closed or absent, (closed and both_sides) or absent, events))
    return RawFund(name, kind, letter, tuple(published))


def raw_table(sessions: tuple[Session, ...], funds: list[RawFund]) -> str:
    """Return raw funds as the CSV table that a fund site exports; a day without NAV has no row."""
    lines = ["基金代码,基金简称,净值日期,单位净值,申购状态,赎回状态,分红送配"]
    for fund in funds:
        buy, sell = ("场内买入", "场内卖出") if fund.kind.on_exchange else ("开放申购", "开放赎回")
        for one, day in zip(sessions, fund.days, strict=True):
            if day.nav_e4 is not None:
                nav = f"{day.nav_e4 // 10**4}.{day.nav_e4 % 10**4:04}"
                status = "暂停申购" if day.no_buy else buy, "暂停赎回" if day.no_sell else sell
                events = "".join(map(_event_text, day.events))
                lines.append(",".join((fund.id, fund.name, one.date, nav, *status, events)))
    return "\n".join(lines) + "\n"


def _event_text(event: Event) -> str:
    if event.units != 1:
        return f"每份基金份额分拆{decimal_text(event.units)}份"
    return f"每份派现金{decimal_text(event.cash)}元"


def _generator(seed: int, purpose: str) -> Random:
    return Random(int(sha256(f"{MADE_BY} {seed} {purpose}".encode()), 16))  # noqa: S311 - a market, not a secret


def _bell(draw: Random, spread: int) -> int:
    """Return a whole number with mean 0 and this standard deviation: heads of 1,024 coins less 512, over 16."""
    return (draw.getrandbits(1024).bit_count() - 512) * spread // 16


def _some_day(draw: Random, days: int, bits: int) -> int | None:
    """Return a session in the middle half of the horizon with probability 2^-bits, else None."""
    day = days // 4 + draw.getrandbits(32) % (days // 2)
    return day if draw.getrandbits(bits) == 0 else None


def _step(value: int, move_ppm: int) -> int:
    return value * (_PPM + move_ppm) // _PPM


def _calendar(days: int) -> list[str]:
    """Return the base day and the weekdays after it."""
    calendar: list[str] = []
    day = BASE_DAY
    while len(calendar) <= days:
        if day.weekday() < 5:
            calendar.append(day.isoformat())
        day += timedelta(days=1)
    return calendar


def _first_sessions(days: int) -> list[int]:
    whole = sum(phase.days for phase in PHASES)
    return [1 + sum(phase.days for phase in PHASES[:number]) * days // whole for number in range(len(PHASES))]


def _phase(session: int, days: int) -> _Phase:
    return [phase for phase, first in zip(PHASES, _first_sessions(days), strict=True) if session >= first][-1]


def _regimes(calendar: list[str]) -> tuple[Regime, ...]:
    firsts = _first_sessions(len(calendar) - 1)
    return tuple(Regime(name=phase.name, start=calendar[first]) for phase, first in zip(PHASES, firsts, strict=True))


def _check(option: str, value: int) -> None:
    least, most = LIMITS[option]
    if not least <= value <= most:
        raise ScenarioError(f"--{option}", f"found {value}", f"ask for {least:,} to {most:,}")
