"""One fund's rows as an adjusted path on the trading calendar, and what the selection rules ask of it.

Nothing is mended: a row is used or left out by a rule that is named here and counted, and a fund whose rows cannot
be explained is marked, never smoothed.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Literal, NamedTuple

from scenarios.trace_import.returns import Event, compound, read_event, value_of_old_unit
from scenarios.trace_import.rules import NO_BUY, NO_SELL, TRADED_ON_EXCHANGE, divide_half_even
from scenarios.trace_import.tables import Row, number_text, scale

ReturnRule = Literal["nav", "growth"]
STEEPEST_PERCENT = 35
"""A return beyond this, either way, needs an event that explains it."""

APART_PER_MILLE = 3
"""NAV and growth rate contradict each other beyond this difference of returns."""


class Day(NamedTuple):
    """A row that is kept: its NAV and growth as whole numbers of the fund's units, its events, its statuses.

    session: place in the calendar, None off it. growth: None where the source states none. shut, held: it takes no
    subscription, no redemption.
    """

    session: int | None
    nav: int
    growth: int | None
    events: tuple[Event, ...]
    shut: bool
    held: bool
    on_exchange: bool


@dataclass(frozen=True)
class Candidate:
    """A fund before selection: what its rows say, in numbers that the rules compare.

    observed: calendar days with a NAV, base day included, of `days`. gap: most sessions in a row without one.
    doubtful: rows that contradict another of their day, or state an event that is not understood. The members behind
    it are set for complete funds alone. steep: returns beyond 35 % that no event explains. apart: rows where NAV and
    growth contradict. still: most sessions in a row with one NAV. closed: observed days without subscription.
    """

    id: str
    source: str
    days: int
    observed: int
    starts: bool
    ends: bool
    gap: int
    doubtful: int = 0
    steep: int = 0
    apart: int = 0
    still: int = 0
    nav_e8: tuple[int, ...] = ()
    no_buy: tuple[int, ...] = ()
    no_sell: tuple[int, ...] = ()
    carried: tuple[int, ...] = ()
    closed: int = 0
    on_exchange: bool = False

    @property
    def complete(self) -> bool:
        """Whether it has NAVs from the base day to the last session, few and short gaps."""
        return self.starts and self.ends and 100 * self.observed >= 98 * self.days and self.gap <= LONGEST_GAP


LONGEST_GAP = 5
"""Most sessions in a row that a fund may have no NAV on."""


def return_rules(funds: Mapping[str, Sequence[Row]]) -> dict[str, ReturnRule]:
    """Return by source how returns are read.

    A source that states order statuses or events states its splits and dividends too: NAV ratios with the events
    put back. One that states neither, but growth rates, hides them in its NAVs: growth is compounded. With NAVs
    alone, their ratios are all there is.
    """
    stating = {row.source for rows in funds.values() for row in rows if row.buy or row.sell or row.event}
    growing = {row.source for rows in funds.values() for row in rows if row.growth is not None}
    every = {row.source for rows in funds.values() for row in rows}
    return {source: "growth" if source in growing - stating else "nav" for source in sorted(every)}


def read_candidate(
    code: str, rows: Sequence[Row], session_of: Mapping[str, int], rules: Mapping[str, ReturnRule],
    counts: Counter[str],
) -> Candidate:
    """Return a fund with its path, where its rows are complete enough to have one.

    Args:
        code: the fund's.
        rows: within the horizon, in any order.
        session_of: session of each date of the calendar, 0 for the base day.
        rules: how the returns of each source are read.
        counts: what was decided, by rule; added to.

    Raises:
        ScenarioError: a NAV or a growth rate is no number.
    """
    rule, rows = _one_rule(rows, rules, counts)
    kept, doubtful, unit, growth_unit = _read_days(rows, session_of, counts)
    on = {day.session: day for day in kept if day.session is not None}
    counts["off calendar"] += len(kept) - len(on)
    last = len(session_of) - 1
    marks = [-1, *sorted(on), last + 1]
    seen = Candidate(
        code, ", ".join(sorted({row.source for row in rows})), days=last + 1, observed=len(on),
        starts=0 in on, ends=last in on, doubtful=doubtful,
        gap=max(after - before - 1 for before, after in pairwise(marks)),
    )
    if not seen.complete:
        return seen
    return _with_path(seen, kept, on, rule, unit, growth_unit, counts)


def _one_rule(
    rows: Sequence[Row], rules: Mapping[str, ReturnRule], counts: Counter[str]
) -> tuple[ReturnRule, Sequence[Row]]:
    """Return how a fund's returns are read, and the rows of the sources that are read so, the largest source first.

    A source that states events is preferred to one that hides them; the two are never mixed in one path.
    """
    lengths = Counter(row.source for row in rows)
    rule: ReturnRule = "nav" if any(rules[source] == "nav" for source in lengths) else "growth"
    kept = [row for row in rows if rules[row.source] == rule]
    counts["other source"] += len(rows) - len(kept)
    return rule, sorted(kept, key=lambda row: (-lengths[row.source], row.source)) if len(lengths) > 1 else kept


def _read_days(
    rows: Sequence[Row], session_of: Mapping[str, int], counts: Counter[str]
) -> tuple[list[Day], int, int, int]:
    """Return (the kept rows in order of date, how many leave doubt, units of NAV and of growth that are one)."""
    by_date: dict[str, Row] = {}
    doubtful = 0
    for row in rows:
        if row.nav is None or row.nav.startswith("-") or not row.nav.strip("0."):
            counts["no positive NAV"] += 1
        elif row.date not in by_date:
            by_date[row.date] = row
        elif _says_the_same(by_date[row.date], row):
            counts["same row again"] += 1
        else:
            counts["another row of the day"] += 1
            doubtful += 1
    ordered = [by_date[day] for day in sorted(by_date)]
    navs, unit = scale([number_text(row.nav or "", f"{row.table} line {row.line}") for row in ordered])
    growths, growth_unit = _growths(ordered, navs, counts)
    days = []
    for row, nav, growth in zip(ordered, navs, growths, strict=True):
        event = read_event(row.event) if row.event else None
        if row.event and event is None:
            counts["event not understood"] += 1
            doubtful += 1
        days.append(Day(session_of.get(row.date), nav, growth, (event,) if event else (),
                        row.halted or row.buy in NO_BUY, row.halted or row.sell in NO_SELL,
                        row.buy == TRADED_ON_EXCHANGE))
        counts["halted"] += row.halted
    return days, doubtful, unit, growth_unit


def _says_the_same(one: Row, other: Row) -> bool:
    """Return whether two rows of a day state one NAV and one event; the first one is kept, whoever states it."""
    navs = {Fraction(number_text(row.nav or "", f"{row.table} line {row.line}")) for row in (one, other)}
    return len(navs) == 1 and one.event == other.event


def _growths(rows: Sequence[Row], navs: Sequence[int], counts: Counter[str]) -> tuple[list[int | None], int]:
    """Return (growth rates as whole numbers, how many of their unit are one).

    They are percents where they add up to more than ten times what the NAVs moved, or are written with the sign.
    """
    texts = [number_text(row.growth.removesuffix("%"), f"{row.table} line {row.line}") if row.growth else "0"
             for row in rows]
    values, unit = scale(texts)
    moved = sum(abs(after - before) * 10**12 // before for before, after in pairwise(navs))
    signed = any(row.growth is not None and row.growth.endswith("%") for row in rows)
    if signed or sum(map(abs, values[1:])) * 10**12 > 10 * moved * unit > 0:
        counts["growth in percent"] += 1
        unit *= 100
    return [None if row.growth is None else value for row, value in zip(rows, values, strict=True)], unit


def _with_path(
    seen: Candidate, kept: Sequence[Day], on: Mapping[int, Day], rule: ReturnRule, unit: int, growth_unit: int,
    counts: Counter[str],
) -> Candidate:
    """Return a complete candidate with its path and what the later rules ask."""
    apart, steep = 0, 0
    steps: dict[int, tuple[Fraction | int, int]] = {}
    previous: Day | None = None
    pending: tuple[Event, ...] = ()
    strayed = False
    for before, day in zip((None, *kept), kept, strict=False):
        pending += day.events
        if day.session is None:
            strayed = True
            continue
        if before is not None and previous is not None:
            apart += _contradicts(before, day, day.events, rule, unit, growth_unit) and (
                not strayed or _contradicts(previous, day, pending, rule, unit, growth_unit))
        if previous is not None:
            after, base = _step(previous, day, pending, strayed, rule, unit, growth_unit)
            steps[day.session] = after, base
            counts["no growth"] += rule == "growth" and day.growth is None
            steep += not (100 - STEEPEST_PERCENT) * base <= 100 * after <= (100 + STEEPEST_PERCENT) * base
        previous, pending, strayed = day, (), False
    path = [divide_half_even(on[0].nav * 10**8, unit)]
    carried = []
    for session in range(1, seen.days):
        if session in steps:
            path.append(compound(path[-1], *steps[session]))
        else:
            carried.append(session)
            path.append(path[-1])
    counts["carried"] += len(carried)
    counts["splits"] += sum(event.units != 1 for day in kept for event in day.events)
    counts["dividends"] += sum(event.cash != 0 for day in kept for event in day.events)
    shut = [session for session, day in on.items() if day.shut]
    held = [session for session, day in on.items() if day.held]
    return replace(
        seen, steep=steep, apart=apart, still=_longest_still(on), nav_e8=tuple(path),
        no_buy=tuple(sorted({*shut, *carried} - {0})), no_sell=tuple(sorted({*held, *carried} - {0})),
        carried=tuple(carried), closed=len(shut),
        on_exchange=2 * sum(day.on_exchange for day in on.values()) > len(on),
    )


def _step(
    before: Day, day: Day, events: Sequence[Event], strayed: bool, rule: ReturnRule, unit: int, growth_unit: int
) -> tuple[Fraction | int, int]:
    """Return a gross return as (after, before): growth where that is the rule, else NAVs with the events put back.

    Behind a row off the calendar, whose growth is left out, the NAVs count for growth too, unless they contradict it.
    """
    nav = value_of_old_unit(day.nav, events, unit), before.nav
    if rule == "nav" or day.growth is None:
        return nav
    growth = growth_unit + day.growth, growth_unit
    if strayed and not _further_apart(nav, growth):
        return nav
    return growth


def _contradicts(
    before: Day, day: Day, events: Sequence[Event], rule: ReturnRule, unit: int, growth_unit: int
) -> bool:
    """Return whether growth contradicts the NAVs with their events put back.

    A growth of 0 beside stated events is no statement. Beside none, a NAV that falls further may hide a dividend,
    so only one that rises further contradicts.
    """
    if day.growth is None or (rule == "nav" and day.growth == 0):
        return False
    nav = value_of_old_unit(day.nav, events, unit), before.nav
    growth = growth_unit + day.growth, growth_unit
    if rule == "growth" and nav[0] * growth[1] <= growth[0] * nav[1]:
        return False
    return _further_apart(nav, growth)


def _further_apart(left: tuple[Fraction | int, int], right: tuple[Fraction | int, int]) -> bool:
    difference, scale_of_both = left[0] * right[1] - right[0] * left[1], left[1] * right[1]
    return not -APART_PER_MILLE * scale_of_both <= 1000 * difference <= APART_PER_MILLE * scale_of_both


def _longest_still(on: Mapping[int, Day]) -> int:
    """Return the most observed sessions in a row that show one NAV."""
    longest = run = 1
    for before, day in pairwise(on[session] for session in sorted(on)):
        run = run + 1 if day.nav == before.nav else 1
        longest = max(longest, run)
    return longest

