"""From tables to a sealed trace: the calendar, the rules that funds must pass, tiers, quotas and fees.

The rules stand in one table, in the order in which they are asked; each row of a trace's funnel is one of them.
Source: seed paper 000, appendices D.2 and E.3.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from scenarios.errors import ScenarioError
from scenarios.files import read_file
from scenarios.manifest import FunnelRow, Regime
from scenarios.trace_import.paths import LONGEST_GAP, Candidate, ReturnRule, read_candidate, return_rules
from scenarios.trace_import.rules import (
    default_fees,
    divide_half_even,
    is_foreign,
    is_money_fund,
    risk_level,
    share_class,
)
from scenarios.trace_import.tables import Row, Table, nav_rows, number_text, read_date, read_table, scale
from scenarios.traces import (
    PAPER_REGIMES,
    TIER_OF_LEVEL,
    TIERS,
    Fund,
    FundFees,
    RedemptionStep,
    mark_sessions,
    seal_trace,
)

MADE_BY = "import-1"
PAPER_QUOTAS = (30, 270, 1_700)
STILL_SESSIONS = 20
NOT_STATED = "not stated"
_RATES = ("management", "custody", "sales", "subscription", "subscription_most", "redemption_first", "redemption_then")
_AMOUNT = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*(亿|万)?元?\Z")
_PARTS = {"nav": "*fund_nav*", "meta": "*fund_meta*", "fees": "*fund_fees*", "benchmark": "*index*daily*"}
"""What a folder's files are, by the pattern of their names."""


@dataclass(frozen=True)
class Sources:
    """The files of an import: NAV or price tables, and what describes the funds and the market."""

    nav: tuple[Path, ...]
    benchmark: Path
    meta: Path | None = None
    fees: Path | None = None


@dataclass(frozen=True)
class Options:
    """What an import is asked for.

    first, last: days of the first and last session; where left out, all that the benchmark has. quotas: most funds of
    each tier, conservative first. exchange: keep funds that trade on an exchange. returns: how the returns of a
    source are read, where it is not left to `return_rules`.
    """

    name: str
    first: str | None = None
    last: str | None = None
    regimes: tuple[Regime, ...] = PAPER_REGIMES
    quotas: tuple[int, ...] = PAPER_QUOTAS
    exchange: bool = True
    returns: Mapping[str, ReturnRule] = field(default_factory=dict)


class Sheet(NamedTuple):
    """What is told of a fund besides its path, None where nothing is."""

    name: str | None = None
    type: str | None = None
    aum: str | None = None


class Rule(NamedTuple):
    """A rule by name: whom it takes out, in words and as a question of a fund and its sheet."""

    name: str
    says: str
    refuses: Callable[[Candidate, Sheet], bool]


RULES = (
    Rule("starts late", "no NAV on the base day", lambda fund, _: not fund.starts),
    Rule("ends early", "no NAV on the last session", lambda fund, _: not fund.ends),
    Rule("incomplete", f"NAV on fewer than 98 % of days, or none for more than {LONGEST_GAP} sessions in a row",
         lambda fund, _: not fund.complete),
    Rule("doubtful", "two NAVs for one day, or an event that is not understood", lambda fund, _: fund.doubtful > 0),
    Rule("steep", "a return beyond 35 % that no event explains", lambda fund, _: fund.steep > 0),
    Rule("contradiction", "NAV and growth more than 0.3 points apart, and no event explains it",
         lambda fund, _: fund.apart > 0),
    Rule("foreign unit", "its units are in another currency", lambda _, sheet: is_foreign(sheet.name or "")),
    Rule("frozen", f"one NAV for {STILL_SESSIONS} sessions in a row or more",
         lambda fund, _: fund.still >= STILL_SESSIONS),
    Rule("closed", "no subscription on more than half of its days", lambda fund, _: 2 * fund.closed > fund.observed),
    Rule("money fund", "a money fund", lambda _, sheet: is_money_fund(sheet.type or "")),
)
"""What a fund must pass, in the order of the funnel."""

ROW_RULES = (
    ("other source", "rows of a source that hides events, beside one that states them: left out"),
    ("no positive NAV", "rows without a NAV above 0: left out"),
    ("same row again", "rows that repeat NAV and event of their day: left out"),
    ("another row of the day", "rows with another NAV for their day: left out, the fund is doubtful"),
    ("off calendar", "rows on days without a session: left out, their events moved to the next session"),
    ("event not understood", "rows whose event text is unknown: the fund is doubtful"),
    ("growth in percent", "funds whose growth rates are percents"),
    ("no growth", "rows without growth of a source that hides events, in complete funds: the ratio of NAVs counts"),
    ("halted", "rows with a volume of 0: no order"),
    ("splits", "splits and conversions of complete funds, put back into the NAV"),
    ("dividends", "dividends of complete funds, put back into the NAV"),
    ("carried", "sessions without a NAV in complete funds: the last one stands, return 0, no order"),
)
"""What is decided of rows, and counted."""


class Imported(NamedTuple):
    """A trace that was made of tables: its files by name, and how returns were read by source."""

    files: dict[str, bytes]
    returns: dict[str, ReturnRule]
    universe: tuple[Fund, ...]


def find_sources(
    paths: Sequence[Path], benchmark: Path | None = None, meta: Path | None = None, fees: Path | None = None
) -> Sources:
    """Return the files of an import: tables as they are named, of a folder those whose names say what they are.

    Raises:
        ScenarioError: a path that does not exist, no NAV table, no benchmark, or two files of a folder for one part.
    """
    found: dict[str, Path | None] = {"benchmark": benchmark, "meta": meta, "fees": fees}
    navs: list[Path] = []
    for path in paths:
        if not path.exists():
            raise ScenarioError(str(path), "no such file or folder", "check the path")
        if not path.is_dir():
            navs.append(path)
            continue
        for part, pattern in _PARTS.items():
            files = sorted(path.glob(pattern))
            if part == "nav":
                navs.extend(files)
            elif found[part] is None and files:
                if len(files) > 1:
                    what = f"holds {len(files)} files like {pattern}"
                    raise ScenarioError(str(path), what, f"name one with --{part}")
                found[part] = files[0]
    if not navs:
        raise ScenarioError(", ".join(map(str, paths)), "holds no NAV table",
                            f"name the table, or a folder with one like {_PARTS['nav']}")
    if found["benchmark"] is None:
        raise ScenarioError(", ".join(map(str, paths)), "comes without a benchmark, which is the trading calendar",
                            "name a table of index levels with --benchmark")
    return Sources(tuple(navs), found["benchmark"], found["meta"], found["fees"])


def import_trace(sources: Sources, options: Options) -> Imported:
    """Return a sealed trace made of tables.

    Raises:
        ScenarioError: a table cannot be read as one, a cell is no number or date, the benchmark does not cover the
            horizon, or no fund is left. ReplayError: a file cannot be read.
    """
    tables = [read_table(path) for path in sources.nav]
    benchmark = read_table(sources.benchmark)
    levels = _calendar(benchmark, options)
    session_of = {day: session for session, (day, _) in enumerate(levels)}
    first, last = levels[0][0], levels[-1][0]
    rows, names = _rows_of_funds(tables, first, last)
    sheets, described = _sheets(sources.meta, names)
    fees, charged = _fee_rows(sources.fees)
    rules = {**return_rules(rows), **options.returns}
    counts: Counter[str] = Counter()
    candidates = [read_candidate(code, rows[code], session_of, rules, counts) for code in sorted(rows)]
    funnel = [FunnelRow(rule="all", says=f"funds and rows from {first} to {last}", left=len(candidates),
                        touched=sum(map(len, rows.values())))]
    funnel += [FunnelRow(rule=rule, says=says, left=len(candidates), touched=counts[rule]) for rule, says in ROW_RULES]
    kept = _pass_rules(candidates, sheets, funnel)
    kept = _one_class_each(kept, sheets, funnel)
    if not options.exchange:
        kept = _narrow("exchange", "it trades on an exchange", kept, lambda fund: fund.on_exchange, funnel)
    funds = [_fund(one, sheets.get(one.id, Sheet()), fees.get(one.id)) for one in kept]
    funds = _within_quotas(funds, sheets, options.quotas, funnel)
    files = seal_trace(
        mark_sessions(levels, options.regimes), funds, id=options.name, made_by=MADE_BY,
        options={"from": levels[1][0], "to": last, "exchange": "kept" if options.exchange else "left out",
                 "quotas": "/".join(map(str, options.quotas)),
                 **{f"returns of {source}": rule for source, rule in rules.items()}},
        sources=tuple(sorted((table.file for table in (*tables, benchmark, *described, *charged)),
                             key=lambda file: file.name)),
        benchmark=Path(benchmark.name).name.partition(".")[0], regimes=options.regimes, funnel=tuple(funnel),
    )
    return Imported(files, rules, tuple(funds))


def read_regimes(path: Path) -> tuple[Regime, ...]:
    """Return the dated list in a CSV file with the columns name and start.

    Raises:
        ScenarioError: it has other columns, a start is no date, or it lists nothing. ReplayError: it cannot be read.
    """
    lines = list(csv.reader(io.StringIO(read_file(path).decode("utf-8-sig", errors="replace"))))
    if not lines or lines[0] != ["name", "start"] or any(len(line) != 2 for line in lines) or len(lines) < 2:
        raise ScenarioError(str(path), "is no list of regimes", "write the line `name,start`, then one line a regime")
    return tuple(Regime(name=name, start=read_date(start, f"{path} line {number}"))
                 for number, (name, start) in enumerate(lines[1:], 2))


def _calendar(table: Table, options: Options) -> list[tuple[str, int]]:
    """Return (date, level in 1e-4) of the base day and every session: the benchmark's days are the calendar."""
    series, _ = nav_rows(table)
    if len(series) != 1:
        raise ScenarioError(table.name, f"holds {len(series)} series", "give the benchmark alone")
    rows = sorted(next(iter(series.values())), key=lambda row: row.date)
    days = [row.date for row in rows]
    twice = next((row for row, day in zip(rows[1:], days, strict=False) if row.date == day), None)
    if twice is not None:
        raise ScenarioError(f"{table.name} line {twice.line}", f"states {twice.date} twice", "keep one level a day")
    base = 0 if options.first is None else next((at for at, day in enumerate(days) if day >= options.first), 0) - 1
    if base < 0:
        what = f"spans {days[0]} to {days[-1]}, the first session asked for is {options.first}"
        raise ScenarioError(table.name, what, "ask for a day behind its first one; the day before it is the base day")
    end = options.last or days[-1]
    if end > days[-1]:
        raise ScenarioError(table.name, f"ends on {days[-1]}, sessions are asked for until {end}",
                            "ask for an earlier --to, or give more of the benchmark")
    rows = [row for row in rows[base:] if row.date <= end]
    if len(rows) < 2:
        raise ScenarioError(table.name, f"has no session from {options.first or days[0]} to {end}", "ask for more days")
    for row in rows:
        if row.nav is None:
            raise ScenarioError(f"{table.name} line {row.line}", "has no level", "give a level for every session")
    values, unit = scale([number_text(row.nav or "", f"{table.name} line {row.line}") for row in rows])
    levels = [divide_half_even(value * 10**4, unit) for value in values]
    for row, level in zip(rows, levels, strict=True):
        if level <= 0:
            raise ScenarioError(f"{table.name} line {row.line}", f"found level {row.nav}", "levels are above 0")
    return list(zip((row.date for row in rows), levels, strict=True))


def _rows_of_funds(tables: Iterable[Table], first: str, last: str) -> tuple[dict[str, list[Row]], dict[str, str]]:
    rows: dict[str, list[Row]] = {}
    names: dict[str, str] = {}
    for table in tables:
        funds, told = nav_rows(table)
        names.update(told)
        for code, every in funds.items():
            inside = [row for row in every if first <= row.date <= last]
            if inside:
                rows.setdefault(code, []).extend(inside)
    if not rows:
        raise ScenarioError("the tables", f"hold no row from {first} to {last}", "ask for days that they cover")
    return rows, names


def _sheets(path: Path | None, names: Mapping[str, str]) -> tuple[dict[str, Sheet], list[Table]]:
    """Return what is told of each fund, the names in the NAV tables where no other is, and the table read."""
    sheets = {code: Sheet(name=name) for code, name in names.items()}
    if path is None:
        return sheets, []
    table, lines = _lines_by_code(path)
    for code, line in lines.items():
        sheets[code] = Sheet(line.get("name") or names.get(code), line.get("type"), line.get("aum"))
    return sheets, [table]


def _fee_rows(path: Path | None) -> tuple[dict[str, dict[str, str | None]], list[Table]]:
    if path is None:
        return {}, []
    table, lines = _lines_by_code(path)
    return lines, [table]


def _lines_by_code(path: Path) -> tuple[Table, dict[str, dict[str, str | None]]]:
    table = read_table(path)
    if "code" not in table.columns:
        raise ScenarioError(table.name, "has no column code", "name one of its columns code (基金代码)")
    lines: dict[str, dict[str, str | None]] = {}
    for line, cells in enumerate(zip(*table.columns.values(), strict=True), table.first_line):
        told = dict(zip(table.columns, cells, strict=True))
        code = (told["code"] or "").zfill(6)
        if lines.setdefault(code, told) is not told:
            raise ScenarioError(f"{table.name} line {line}", f"tells of {code} twice", "keep one line a fund")
    return table, lines


def _pass_rules(
    candidates: Sequence[Candidate], sheets: Mapping[str, Sheet], funnel: list[FunnelRow]
) -> list[Candidate]:
    kept = list(candidates)
    for rule in RULES:
        kept = _narrow(rule.name, rule.says, kept, _asked(rule, sheets), funnel)
    return kept


def _asked(rule: Rule, sheets: Mapping[str, Sheet]) -> Callable[[Candidate], bool]:
    return lambda fund: rule.refuses(fund, sheets.get(fund.id, Sheet()))


def _narrow(
    name: str, says: str, funds: list[Candidate], refuses: Callable[[Candidate], bool], funnel: list[FunnelRow]
) -> list[Candidate]:
    kept = [fund for fund in funds if not refuses(fund)]
    funnel.append(FunnelRow(rule=name, says=says, out=len(funds) - len(kept), left=len(kept)))
    return kept


def _one_class_each(
    funds: list[Candidate], sheets: Mapping[str, Sheet], funnel: list[FunnelRow]
) -> list[Candidate]:
    """Return one share class of each fund, the one with the lowest code; a fund without a name stands alone."""
    first: dict[str, str] = {}
    for fund in funds:
        first.setdefault(share_class(sheets.get(fund.id, Sheet()).name or fund.id)[0], fund.id)
    lowest = set(first.values())
    return _narrow("share class", "another class of a fund that is kept", funds, lambda fund: fund.id not in lowest,
                   funnel)


def _within_quotas(
    funds: Sequence[Fund], sheets: Mapping[str, Sheet], quotas: Sequence[int], funnel: list[FunnelRow]
) -> list[Fund]:
    """Return the most active funds of each tier up to its quota: assets under management first, then code.

    What was traded is not in the data; assets are a proxy, and unknown ones come last. Source: appendix E.3.
    """
    kept: list[Fund] = []
    for tier, quota in zip(TIERS, quotas, strict=True):
        supply = sorted((fund for fund in funds if fund.tier == tier),
                        key=lambda fund: (-read_amount(sheets.get(fund.id, Sheet()).aum), fund.id))
        kept += supply[:quota]
        taken = len(supply[:quota])
        funnel.append(FunnelRow(rule=f"quota {tier}", says=f"at most {quota}, largest assets first, then code",
                                out=len(supply) - taken, left=taken))
    funnel.append(FunnelRow(rule="universe", says="the funds of the trace", left=len(kept)))
    return kept


def read_amount(text: str | None) -> Fraction:
    """Return assets in yuan as sites write them, 29.37亿 or 5304.13万元; -1 where nothing readable is told."""
    found = _AMOUNT.match(text or "")
    if not found:
        return Fraction(-1)
    return Fraction(found[1]) * {"亿": 10**8, "万": 10**4, None: 1}[found[2]]


def _fund(one: Candidate, sheet: Sheet, told: Mapping[str, str | None] | None) -> Fund:
    kind = sheet.type or NOT_STATED
    level = risk_level(kind, one.nav_e8)
    letter = share_class(sheet.name or "")[1]
    fees = _fees(default_fees(kind, letter, one.on_exchange), told or {}, one.id)
    try:
        return Fund(
            id=one.id, names=(sheet.name,) if sheet.name else (), type=kind, level=level, tier=TIER_OF_LEVEL[level],
            share_class=letter, on_exchange=one.on_exchange, source=one.source, fees=fees, nav_e8=one.nav_e8,
            no_buy=one.no_buy, no_sell=one.no_sell, carried=one.carried,
        )
    except ValidationError as error:
        first = error.errors()[0]
        place = f"fund {one.id}#/{'/'.join(map(str, first['loc']))}"
        raise ScenarioError(place, first["msg"], "leave the fund out, or mend its source") from error


def _fees(standard: FundFees, told: Mapping[str, str | None], fund: str) -> FundFees:
    """Return a fund's fees with the rates of its line in the fee table, where there is one, in their place.

    The table states the redemption fee below 7 days and from 7 days on; where the second one ends, the default's
    further steps go on. On an exchange no such fee is due.
    """
    rates: dict[str, Fraction] = {
        name: _rate(text, f"the fees of {fund}#/{name}") for name in _RATES if (text := told.get(name))
    }
    inside = {name: rates.get(name) for name in ("management", "custody", "sales")}
    if not rates or len(standard.redemption) == 1:
        return standard.model_copy(update=inside)
    first, then, *later = standard.redemption
    steps = (RedemptionStep(under_days=first.under_days, rate=rates.get("redemption_first", first.rate)),
             RedemptionStep(under_days=then.under_days, rate=rates.get("redemption_then", then.rate)), *later)
    subscription = rates.get("subscription", rates.get("subscription_most", standard.subscription))
    return standard.model_copy(
        update={"subscription": subscription, "redemption": steps, "origin": "table", **inside}
    )


def _rate(text: str, where: str) -> Fraction:
    percent = text.endswith("%")
    rate = Fraction(number_text(text.removesuffix("%"), where)) / (100 if percent else 1)
    if not 0 <= rate <= Fraction(1, 10):
        raise ScenarioError(where, f"found {text}", "write rates as shares of the amount, such as 0.015, or with %")
    return rate
