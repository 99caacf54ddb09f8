"""Market traces: sealed trading days and a fixed universe of funds, in integers and strings alone.

A folder holds `sessions.jsonl`, one line a day from the base day on, and `funds.jsonl`, one line a fund in order
of id. NAVs are adjusted: they compound the returns that a holder had, dividends and splits inside. What the lines
say of the market (environment, shock, regime) follows from index levels and dates, and is recomputed whenever a
trace is read. Source: seed paper 000, appendices D, E and J.3. Manual: docs/traces.md.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, cast

import orjson
from pydantic import Field, ValidationError, model_validator

from scenarios.canonical import CANONICAL, encode_exact
from scenarios.errors import ReplayError, ScenarioError, SealError
from scenarios.fields import Rate
from scenarios.files import build, read_lines, read_record
from scenarios.manifest import Id, Reference, Regime, TraceManifest
from scenarios.sealed import SealedFolder, join_lines, seal_files
from scenarios.types import Date, Name, Record

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Env = Literal["up", "range", "down"]
Shock = Literal["up", "down"]
Tier = Literal["conservative", "balanced", "aggressive"]
Sessions = tuple[Annotated[int, Field(ge=1)], ...]
_R = TypeVar("_R", bound=Record)

TIERS: tuple[Tier, ...] = ("conservative", "balanced", "aggressive")
TIER_OF_LEVEL: dict[int, Tier] = {1: "conservative", 2: "conservative", 3: "balanced", 4: "aggressive", 5: "aggressive"}
"""The product tier of each risk level R1 to R5."""

PAPER_REGIMES = (
    Regime(name="bear", start="2021-02-19"), Regime(name="range", start="2022-10-28"),
    Regime(name="bull", start="2024-09-24"),
)
"""The market-cycle intervals of the paper's section 4.1; the last one is open here."""

ENV_MOVE = Fraction(1, 200)
"""The benchmark return from which a day is up, and its negative, from which it is down."""


class Session(Record):
    """One trading day. The base day has a level and nothing else: no return leads to it.

    index_e4: closing level of the benchmark in units of 1e-4.
    """

    date: Date
    index_e4: Annotated[int, Field(gt=0, lt=2**53)]
    env: Env | None = None
    regime: Name | None = None
    shock: Shock | None = None


class RedemptionStep(Record):
    """The redemption fee of units held for less than `under_days` calendar days; without it, for any longer."""

    under_days: Annotated[int, Field(gt=0)] | None = None
    rate: Annotated[Rate, Field(le=1)]


class FundFees(Record):
    """What an order pays, as shares of its amount. What is inside the NAV is named here and never charged.

    origin: where the rates come from, a fee table or the default of the fund's class.
    """

    subscription: Annotated[Rate, Field(le=1)]
    redemption: Annotated[tuple[RedemptionStep, ...], Field(min_length=1)]
    management: Rate | None = None
    custody: Rate | None = None
    sales: Rate | None = None
    origin: Name

    @model_validator(mode="after")
    def _steps_rise_to_an_open_end(self) -> "FundFees":
        *bounded, last = (step.under_days for step in self.redemption)
        if last is not None or None in bounded or bounded != sorted(set(bounded), key=lambda days: days or 0):
            raise ValueError("redemption: bounds rise, and the last step alone has none")
        return self

    def redemption_rate(self, held_days: int) -> Fraction:
        """Return the share that is kept back of units held for this many calendar days."""
        return next(step.rate for step in self.redemption if step.under_days is None or held_days < step.under_days)


class Fund(Record):
    """One fund of the universe with its whole path.

    level: risk level R1 to R5. nav_e8: adjusted NAV of one unit in 1e-8 yuan, one entry a session, base day first.
    no_buy, no_sell: sessions, counted from 1, on which it takes no such order; on the base day nobody trades. carried:
    sessions without a NAV of their own, where the last one stands and no order is taken. on_exchange: it trades on an
    exchange, and filling it at NAV is an assumption.
    """

    id: Id
    names: tuple[Name, ...] = ()
    type: Name
    level: Annotated[int, Field(ge=1, le=5)]
    tier: Tier
    share_class: Annotated[str, Field(pattern=r"^[A-Z]$")] | None = None
    on_exchange: bool = False
    source: Name | None = None
    fees: FundFees
    nav_e8: Annotated[tuple[Annotated[int, Field(gt=0, lt=2**53)], ...], Field(min_length=2)]
    no_buy: Sessions = ()
    no_sell: Sessions = ()
    carried: Sessions = ()

    @model_validator(mode="after")
    def _is_consistent(self) -> "Fund":
        if self.tier != TIER_OF_LEVEL[self.level]:
            raise ValueError(f"tier: R{self.level} is {TIER_OF_LEVEL[self.level]}")
        for label, days in (("no_buy", self.no_buy), ("no_sell", self.no_sell), ("carried", self.carried)):
            if days and (list(days) != sorted(set(days)) or days[-1] >= len(self.nav_e8)):
                raise ValueError(f"{label}: list each session once, in order, below {len(self.nav_e8)}")
        closed = set(self.no_buy) & set(self.no_sell)
        for day in self.carried:
            if day not in closed or self.nav_e8[day] != self.nav_e8[day - 1]:
                raise ValueError(f"carried: session {day} repeats the NAV before it and takes no order")
        return self


def benchmark_return(sessions: Sequence[Session], session: int) -> Fraction:
    """Return the benchmark's close-to-close return of a session as an exact ratio.

    Raises:
        IndexError: session is 0, the base day, or beyond the last one.
    """
    if session < 1:
        raise IndexError("the base day has no return")
    before, level = sessions[session - 1].index_e4, sessions[session].index_e4
    return Fraction(level - before, before)


def env_of(move: Fraction) -> Env:
    """Return a day's market environment: up from +0.5 %, down from -0.5 %, else range."""
    return "up" if move >= ENV_MOVE else "down" if move <= -ENV_MOVE else "range"


def shock_thresholds(moves: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
    """Return (q05, q95), the order statistics of rank ceil(n / 20) and ceil(19 n / 20) of all returns.

    Beyond them, strictly, a day is a shock day. Source: seed paper 000, eqs 30 to 32.

    Raises:
        ScenarioError: there is no return.
    """
    if not moves:
        raise ScenarioError("sessions", "hold no return", "a trace has a base day and at least one session")
    ranked, count = sorted(moves), len(moves)
    return ranked[-(-count // 20) - 1], ranked[-(-19 * count // 20) - 1]


def mark_sessions(levels: Sequence[tuple[str, int]], regimes: Sequence[Regime]) -> tuple[Session, ...]:
    """Return the sessions of a trace with what follows from index levels and dates.

    Args:
        levels: (date, closing level in 1e-4), the base day first, in order of date, every level > 0.
        regimes: in order of their first day; a session before the first of them has none.

    Raises:
        ScenarioError: there is no session after the base day.
    """
    bare = tuple(Session(date=day, index_e4=level) for day, level in levels)
    moves = [benchmark_return(bare, session) for session in range(1, len(bare))]
    low, high = shock_thresholds(moves)
    starts = [one.start for one in regimes]
    marked = []
    for one, move in zip(bare[1:], moves, strict=True):
        begun = bisect_right(starts, one.date)
        marked.append(Session(
            date=one.date, index_e4=one.index_e4, env=env_of(move),
            regime=regimes[begun - 1].name if begun else None,
            shock="up" if move > high else "down" if move < low else None,
        ))
    return (bare[0], *marked)


@dataclass(frozen=True)
class Trace:
    """A market trace as it was sealed. Session 0 is the base day; arrays are (sessions, funds), and read only."""

    manifest: TraceManifest
    sessions: tuple[Session, ...]
    funds: tuple[Fund, ...]

    @property
    def id(self) -> str:
        """The id of its manifest."""
        return self.manifest.id

    @property
    def digest(self) -> str:
        """The digest of its manifest, which names the digest of every file."""
        return str(self.manifest.digest)

    @property
    def reference(self) -> Reference:
        """The trace named by id and digest."""
        return Reference(id=self.id, digest=self.digest)

    @cached_property
    def fund_index(self) -> dict[str, int]:
        """The column of each fund."""
        return {fund.id: column for column, fund in enumerate(self.funds)}

    @cached_property
    def session_index(self) -> dict[str, int]:
        """The session of each date."""
        return {one.date: session for session, one in enumerate(self.sessions)}

    @cached_property
    def slices(self) -> dict[str, range]:
        """The sessions of the full horizon, and of each regime that has any; the base day is in none."""
        slices = {"full": range(1, len(self.sessions))}
        for regime in self.manifest.regimes:
            days = [session for session, one in enumerate(self.sessions) if one.regime == regime.name]
            if days:
                slices[regime.name] = range(days[0], days[-1] + 1)
        return slices

    def benchmark_return(self, session: int) -> Fraction:
        """Return the benchmark's return of a session, 1 or later, as an exact ratio."""
        return benchmark_return(self.sessions, session)

    @cached_property
    def nav_e8(self) -> "NDArray[np.int64]":
        """Adjusted NAV in 1e-8 yuan, shape (sessions, funds), every entry > 0."""
        numpy = _numpy()
        paths: NDArray[np.int64] = numpy.array([fund.nav_e8 for fund in self.funds], dtype=numpy.int64).T.copy()
        return _frozen(paths)

    @cached_property
    def no_buy(self) -> "NDArray[np.bool_]":
        """Where a fund takes no subscription, shape (sessions, funds)."""
        return self._closed([fund.no_buy for fund in self.funds])

    @cached_property
    def no_sell(self) -> "NDArray[np.bool_]":
        """Where a fund takes no redemption, shape (sessions, funds)."""
        return self._closed([fund.no_sell for fund in self.funds])

    @cached_property
    def level(self) -> "NDArray[np.int8]":
        """Risk level 1 to 5, shape (funds,)."""
        numpy = _numpy()
        levels: NDArray[np.int8] = numpy.array([fund.level for fund in self.funds], dtype=numpy.int8)
        return _frozen(levels)

    def _closed(self, days: Iterable[Sessions]) -> "NDArray[np.bool_]":
        closed: NDArray[np.bool_] = _numpy().zeros((len(self.sessions), len(self.funds)), dtype=bool)
        for column, sessions in enumerate(days):
            closed[list(sessions), column] = True
        return _frozen(closed)


def _numpy() -> Any:
    try:
        import numpy
    except ModuleNotFoundError as error:
        raise ScenarioError("the arrays of a trace", "need numpy, which is not installed",
                            "pip install 'advice-audit[trace]'") from error
    return numpy


_Array = TypeVar("_Array", bound="NDArray[Any]")


def _frozen(array: _Array) -> _Array:
    array.setflags(write=False)
    return array


def count_trace(sessions: Sequence[Session], funds: Sequence[Fund]) -> dict[str, int]:
    """Return what a trace holds, in numbers: days of each kind, funds of each tier and level, closed cells."""
    days = sessions[1:]
    env, shock = Counter(one.env for one in days), Counter(one.shock for one in days)
    tiers, levels = Counter(fund.tier for fund in funds), Counter(fund.level for fund in funds)
    return {
        "env_up": env["up"], "env_range": env["range"], "env_down": env["down"],
        "shock_up": shock["up"], "shock_down": shock["down"],
        **{tier: tiers[tier] for tier in TIERS},
        **{f"r{level}": levels[level] for level in TIER_OF_LEVEL},
        "on_exchange": sum(fund.on_exchange for fund in funds),
        "cells_no_buy": sum(len(fund.no_buy) for fund in funds),
        "cells_no_sell": sum(len(fund.no_sell) for fund in funds),
        "cells_carried": sum(len(fund.carried) for fund in funds),
    }


def seal_trace(sessions: Sequence[Session], funds: Iterable[Fund], **members: Any) -> dict[str, bytes]:
    """Return the files of a sealed trace by name, its manifest among them.

    Args:
        sessions: as `mark_sessions` returns them.
        funds: in any order; they are written in order of id.
        members: the other members of the manifest: id, made_by, options, sources, benchmark, regimes, funnel.

    Raises:
        ScenarioError: there is no fund, an id stands twice, a path has another length than the calendar, or a member
            of the manifest does not fit.
    """
    ranked = sorted(funds, key=lambda fund: fund.id)
    _check_funds(ranked, len(sessions), "funds", ScenarioError)
    files = {
        "sessions.jsonl": join_lines(encode_exact(one.record()) for one in sessions),
        "funds.jsonl": join_lines(encode_exact(one.record()) for one in ranked),
    }
    try:
        manifest = TraceManifest(
            **members, base_day=sessions[0].date, last_day=sessions[-1].date, sessions=len(sessions) - 1,
            funds=len(ranked), counts=count_trace(sessions, ranked), files=seal_files(files),
        )
    except ValidationError as error:
        first = error.errors()[0]
        raise ScenarioError(f"manifest.json#/{'/'.join(map(str, first['loc']))}",
                            first["msg"].removeprefix("Value error, "), "give another id, or other regimes") from error
    return {**files, "manifest.json": manifest.sealed_bytes()}


def load_trace(path: Path) -> Trace:
    """Return a trace: every byte compared with its seal, everything that follows from it recomputed.

    Args:
        path: its folder or manifest.

    Raises:
        SealError: a file differs from its seal, or a line from what its levels and dates say.
        ReplayError: a file is missing or unreadable, or a line does not fit its form.
    """
    folder = SealedFolder(path, TraceManifest)
    contents, manifest = folder.contents(), cast(TraceManifest, folder.manifest)
    if set(contents) != {"sessions.jsonl", "funds.jsonl"}:
        raise ReplayError(str(folder.path), "lists other files than sessions.jsonl and funds.jsonl", "keep these two")
    days, lines = folder.folder / "sessions.jsonl", folder.folder / "funds.jsonl"
    sessions = tuple(_read(Session, contents["sessions.jsonl"], days))
    funds = tuple(_read(Fund, contents["funds.jsonl"], lines))
    _check_sessions(sessions, manifest.regimes, str(days))
    _check_funds(funds, len(sessions), str(lines), ReplayError)
    said = (manifest.sessions, manifest.funds, manifest.base_day, manifest.last_day, manifest.counts)
    found = (len(sessions) - 1, len(funds), sessions[0].date, sessions[-1].date, count_trace(sessions, funds))
    if said != found:
        raise SealError(str(folder.path), "counts other sessions and funds than the files hold", "seal it anew",
                        "inputs", stored=repr(said), found=repr(found))
    return Trace(manifest, sessions, funds)


def _read(kind: type[_R], raw: bytes, path: Path) -> list[_R]:
    """Return the records of canonical lines: in one step where a line is right, by the long way where it is not."""
    records = []
    for number, line in read_lines(raw, str(path)):
        try:
            if b"null" not in line and orjson.dumps(orjson.loads(line), option=CANONICAL) == line:
                records.append(kind.model_validate_json(line))
                continue
        except (orjson.JSONDecodeError, TypeError, ValidationError):
            pass  # said below, with its place
        place = f"{path} line {number}"
        value = read_record(line, place)
        records.append(build(kind, value, place))
        if records[-1].record() != value:
            raise SealError(place, "is not in its full form (a member is null)", "seal it anew", "inputs")
    return records


def _check_sessions(sessions: Sequence[Session], regimes: Sequence[Regime], where: str) -> None:
    if len(sessions) < 2:
        raise ReplayError(where, f"holds {len(sessions)} days", "a trace has a base day and at least one session")
    for number, (before, one) in enumerate(pairwise(sessions), 2):
        if one.date <= before.date:
            raise ReplayError(f"{where} line {number}", f"{one.date} stands behind {before.date}", "order the days")
    fresh = mark_sessions([(one.date, one.index_e4) for one in sessions], regimes)
    for number, (one, other) in enumerate(zip(sessions, fresh, strict=True), 1):
        if one != other:
            raise SealError(f"{where} line {number}", "is not what levels and dates say", "seal it anew", "inputs",
                            stored=encode_exact(one.record()).decode(), found=encode_exact(other.record()).decode())


def _check_funds(
    funds: Sequence[Fund], days: int, where: str, error: type[ReplayError] | type[ScenarioError]
) -> None:
    if not funds:
        raise error(where, "no fund is left", "loosen the rules, or give more data")
    before = ""
    for fund in funds:
        if fund.id <= before:
            raise error(f"{where}#{fund.id}", f"stands behind {before}", "list each fund once, in order of id")
        if len(fund.nav_e8) != days:
            raise error(f"{where}#{fund.id}/nav_e8", f"has {len(fund.nav_e8)} entries, the calendar has {days} days",
                        "give one NAV a day")
        before = fund.id
