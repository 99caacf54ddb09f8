"""The cash sweep: 250 to 5,000 dollars in steps of one, three policies beside two exact references.

At each step the naive policy cuts the cash 60/40 over the two best names (the first leg floored to the
cent, the rest to the second), the planner places what the baseline funds, and the single order is the fee
oracle. The deployment bound is asked in closed form at every step, and of the integer program with CBC at
the edges of the bands, a dollar to either side of them, and every fifty dollars. The portfolio leaves the
best name more than 5,000 dollars of headroom, so no concentration limit interferes.
Source: seed paper 003, section 4 and figure 3.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from scenarios.action import Action
from scenarios.baseline.deployment import candidates, scenario_bound, smallest_order
from scenarios.baseline.planner import funded
from scenarios.costs import split_and_whole_fee
from scenarios.fees import StepFee
from scenarios.types import Account, Instrument, Limits, Policy, Position, Scenario, SubScores
from verifier.oracle import scenario_mip
from verifier.plan import DEFAULT_SOLVER

LOW_DOLLARS, HIGH_DOLLARS, GRID_DOLLARS = 250, 5_000, 50
NAIVE_PERCENT = 60
_DOLLAR = 100
_CANDIDATES = {"FIRST": 90, "SECOND": 80, "THIRD": 70}
"""Composite score of each candidate."""


class Step(NamedTuple):
    """One step; every amount in cents. mip: None where the program was not asked."""

    cash: int
    naive_smaller_leg: int
    naive_fee: int | Fraction
    planner_fee: int | Fraction
    single_fee: int | Fraction
    planner_deployed: int | Fraction
    bound: int
    mip: int | None


class Row(NamedTuple):
    """One line of the comparison; published and difference are None where the paper prints no number."""

    name: str
    published: str | None
    ours: str
    difference: str | None
    reason: str | None = None


def sweep_scenario(cash_cents: int) -> Scenario:
    """Return the sweep's scenario: two orders at most, fourteen holdings of 10,000 dollars, three candidates.

    With 1.3 times a seventeenth of 140,000 dollars, a candidate has 10,705 dollars of headroom or more.
    """
    positions, instruments = _portfolio()
    return Scenario(
        id="sweep", category="cash sweep", as_of="2026-01-02", currency="USD",
        account=Account(cash_cents=cash_cents, positions=positions),
        instruments=instruments,
        universe=tuple(_CANDIDATES),
        limits=Limits(
            recommendation_cap=2, equal_weight_names=17, position_multiple=Fraction(13, 10),
            theme_cap=Fraction(1, 5), fee_tolerance=Fraction(1, 100), add_only=True,
        ),
        fees=StepFee(tranche_cents=100_000, fee_cents_per_tranche=250),
        policy=Policy(id="fit", version="1"),
    )


def run_sweep(
    dollars: Iterable[int] = range(LOW_DOLLARS, HIGH_DOLLARS + 1), solver: str = DEFAULT_SOLVER, with_mip: bool = True
) -> tuple[Step, ...]:
    """Return the steps for these cash levels in whole dollars.

    Args:
        dollars: cash levels, ascending.
        solver: solver of the integer program.
        with_mip: whether the program is asked where the module says.

    Raises:
        SolverError: the solver gave up, or its answer breaks a row once it is made whole.
    """
    steps = [_step(sweep_scenario(level * _DOLLAR)) for level in dollars]
    if not with_mip:
        return tuple(steps)
    edges = {edge // _DOLLAR for band in premium_bands(steps) + defect_region(steps) for edge in band}
    asked = {edge + offset for edge in edges for offset in (-1, 0, 1)}
    return tuple(
        step._replace(mip=scenario_mip(sweep_scenario(step.cash), solver=solver).cents)
        if step.cash // _DOLLAR in asked or step.cash // _DOLLAR % GRID_DOLLARS == 0 else step
        for step in steps
    )


def premium_bands(steps: Sequence[Step]) -> tuple[tuple[int, int], ...]:
    """Return the bands of cash in cents, both ends included, where the naive split pays more than one order."""
    return _bands([step.naive_fee > step.single_fee for step in steps], steps)


def defect_region(steps: Sequence[Step]) -> tuple[tuple[int, int], ...]:
    """Return the bands where both legs reach the floor, all fit one fee unit, and the split still pays for two."""
    scenario = sweep_scenario(0)
    floor = smallest_order(scenario, scenario.instrument_of["FIRST"]) or 0
    return _bands([
        step.naive_smaller_leg >= floor and step.naive_fee > step.single_fee == scenario.fee(1) for step in steps
    ], steps)


def sweep_rows(steps: Sequence[Step]) -> tuple[Row, ...]:
    """Return the sweep's figures beside the published ones."""
    floor = candidates(sweep_scenario(0))[0].floor
    asked = [step for step in steps if step.mip is not None]
    return (
        _row("economic floor", "$250", _dollars(floor)),
        _row("planner: largest deployment gap to the bound", "$0",
             _dollars(max(step.bound - step.planner_deployed for step in steps))),
        _row("planner: largest fee premium over one order", "$0",
             _dollars(max(step.planner_fee - step.single_fee for step in steps))),
        _row("naive 60/40: fee premium where there is one", "$2.50", " ".join(sorted({
            _dollars(step.naive_fee - step.single_fee) for step in steps if step.naive_fee != step.single_fee}))),
        _row("naive 60/40: defect region", "[$625, $1000]", _spans(defect_region(steps))),
        _row("naive 60/40: bands with a premium", None, _spans(premium_bands(steps)),
             "the paper draws the bands in figure 3 and prints no edges"),
        _row("deployment bound: steps where program and closed form differ", None,
             f"{sum(step.mip != step.bound for step in asked)} of {len(asked)}", "ours only"),
    )


def _step(scenario: Scenario) -> Step:
    cash = scenario.account.cash_cents
    first = cash * NAIVE_PERCENT // 100
    naive = [first, cash - first]
    planned = Action(funded(scenario))
    planner_fee, _ = split_and_whole_fee(scenario, planned, "buy")
    return Step(
        cash, min(naive), sum(map(scenario.fee, naive)), planner_fee, scenario.fee(cash), planned.bought,
        scenario_bound(scenario), None,
    )


@cache
def _portfolio() -> tuple[tuple[Position, ...], tuple[Instrument, ...]]:
    held = [f"HELD{number:02}" for number in range(1, 15)]
    hundred = Fraction(100)
    return (
        tuple(Position(instrument=name, quantity=hundred, available=hundred, value_cents=1_000_000) for name in held),
        tuple(
            Instrument(id=name, theme=f"theme {place % 7}", price_cents=10_000, scores=_flat(50))
            for place, name in enumerate(held)
        ) + tuple(
            Instrument(id=name, theme=f"theme of {name}", price_cents=10_000, scores=_flat(points))
            for name, points in _CANDIDATES.items()
        ),
    )


def _flat(points: int) -> SubScores:
    return SubScores(moat=Fraction(points), compounding=Fraction(points), valuation=Fraction(points))


def _bands(inside: Sequence[bool], steps: Sequence[Step]) -> tuple[tuple[int, int], ...]:
    bands: list[tuple[int, int]] = []
    before = False
    for step, now in zip(steps, inside, strict=True):
        if now:
            bands.append((bands.pop()[0] if before else step.cash, step.cash))
        before = now
    return tuple(bands)


def _row(name: str, published: str | None, ours: str, reason: str | None = None) -> Row:
    difference = None if published is None else "none" if published == ours else f"{ours} against {published}"
    return Row(name, published, ours, difference, reason)


def _dollars(cents: int | Fraction) -> str:
    whole, rest = divmod(cents, _DOLLAR)
    return f"${whole}" if not rest else f"${whole}.{int(rest):02}"


def _spans(bands: Iterable[tuple[int, int]]) -> str:
    return ", ".join(f"[{_dollars(low)}, {_dollars(high)}]" for low, high in bands)
