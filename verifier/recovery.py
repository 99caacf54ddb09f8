"""The recovery experiment: is a cohort found again from its figures, and what does each component of the mind add?

The paper's cohort is private, so a synthetic one stands in for it: investors with hidden parameters, advised by
Baseline-Rule. Within every cell of profile, literacy and tier its seeds are split 80/20 by hash. The full model and
the model without each component are calibrated to the larger part with the same budget, from the shipped parameters,
and scored against the smaller one, on draws that no calibration has seen; so are the hidden parameters themselves.
Intervals are percentiles over the 27 investors drawn anew within their profiles, the same for all models. Whatever
comes out is printed. Source: seed paper 000, appendices J and K; manual: docs/realism.md.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from replay.environments.fund_advice.population import load_population
from replay.environments.fund_advice.theta import adjust, load_theta
from scenarios.manifest import Targets, Theta
from scenarios.theta import SWITCHES
from scenarios.traces import Trace, load_trace
from verifier.calibration import BUDGET, SEEDS, Search, Simulator, Values, calibrate
from verifier.impact.report import draw_investors
from verifier.realism import Behaviour, target_row

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Counts = Mapping[str, Ints]

FULL, HIDDEN, START = "full model", "hidden parameters", "shipped parameters"
BAR = Fraction(95, 100)
"""The share of the hidden parameters' score that the calibrated full model is to reach."""

COHORT, FITTED, SCORED = 1001, 2002, 3003
"""Seeds of the draws: of the cohort, of the calibrations, of the scores on the test part."""

TEST_SHARE = Fraction(1, 5)
OFFSETS = (-3, -2, -1, 1, 2, 3)
"""By how many steps a hidden parameter may lie off the shipped one."""

RESAMPLES = 2_000
STRICT_TAU = Fraction(1, 2)
"""The threshold of the sensitivity analysis (decision d24)."""


class Size(NamedTuple):
    """How large the experiment is. seeds: of the cohort. scored: runs of the population in a score."""

    seeds: int = 40
    budget: int = BUDGET
    fitted: int = SEEDS
    scored: int = 16
    resamples: int = RESAMPLES


PAPER = Size()
"""27 investors by 40 seeds."""


class Row(NamedTuple):
    """One model on the test part.

    interval: 95 % of S_Behav. drop: S_Behav less the full model's, with its 95 % interval, None for the full model and
    what is not calibrated. strict: S_Behav where every tau is 0.5. search: how it was calibrated, None where not.
    """

    name: str
    behaviour: Behaviour
    interval: tuple[Fraction, Fraction]
    strict: Fraction
    drop: Fraction | None = None
    drop_interval: tuple[Fraction, Fraction] | None = None
    search: Search | None = None


class Recovery(NamedTuple):
    """What came out. days: investor-days rolled out in all."""

    trace: Trace
    hidden: Values
    train: Targets
    test: Targets
    rows: tuple[Row, ...]
    days: int

    def row(self, name: str) -> Row:
        """Return the row of a model."""
        return next(row for row in self.rows if row.name == name)

    @property
    def ratio(self) -> Fraction:
        """The calibrated full model's score over that of the hidden parameters."""
        return _score(self.row(FULL).behaviour) / _score(self.row(HIDDEN).behaviour)


def hidden_values(theta: Theta, number: int) -> Values:
    """Return parameters off the shipped ones by one to three steps each, within their ranges, drawn by a key."""
    key = hashlib.sha256(f"advice-audit recovery {number}".encode()).digest()
    return {
        str(name): max(one.low, min(one.high, one.value + OFFSETS[draw % len(OFFSETS)] * one.step))
        for (name, one), draw in zip(theta.parameters.items(), key, strict=False)
    }


def split_lanes(lanes: Sequence[tuple[int, str]]) -> tuple[list[int], list[int]]:
    """Return the lanes of the train and of the test part: of each investor's runs, a fifth by the hash of both.

    Args:
        lanes: (run, investor) in order of lane.
    """
    cells: dict[str, list[tuple[str, int]]] = {}
    for lane, (run, investor) in enumerate(lanes):
        key = hashlib.sha256(f"advice-audit split {investor} {run}".encode()).hexdigest()
        cells.setdefault(investor, []).append((key, lane))
    test = sorted(lane for runs in cells.values() for _, lane in sorted(runs)[: int(len(runs) * TEST_SHARE)])
    held_out = frozenset(test)
    return [lane for lane in range(len(lanes)) if lane not in held_out], test


def cohort_targets(
    name: str, simulator: Simulator, counts: "Counts", lanes: Sequence[int], regimes: Sequence[str]
) -> Targets:
    """Return simulated investors as a cohort."""
    members: dict[str, list[int]] = {}
    for lane in lanes:
        members.setdefault(simulator.profiles[lane], []).append(lane)
    rows = tuple(target_row((profile, regime), counts[regime][own].sum(axis=0).tolist(), len(own),
                            simulator.days[regime])
                 for regime in regimes for profile, own in members.items())
    targets = Targets(id=name, source="synthetic: investors with hidden parameters", slices=rows)
    return targets.model_copy(update={"digest": targets.compute_digest()})


def sample_targets(trace: Trace) -> Targets:
    """Return the cohort that ships as an example, targets-synthetic-1: four runs on a short trace, in one slice."""
    simulator = Simulator(trace, load_population(), COHORT, range(1, 5))
    counts = simulator.counts([adjust(load_theta(), hidden_values(load_theta(), 1))])[0]
    return cohort_targets("targets-synthetic-1", simulator, counts, range(len(simulator.lanes)), ["full"])


def recover(
    trace: Path, number: int = 1, size: Size = PAPER, jobs: int = 1,
    report: Callable[[int, int], None] | None = None,
) -> Recovery:
    """Run the experiment.

    Args:
        trace: folder of the market.
        number: of the hidden parameters.
        size: how large.
        jobs: worker processes.
        report: called with (tasks done, tasks in all).

    Raises:
        ReplayError, SealError: the trace cannot be used.
    """
    import numpy as np

    market, population, theta = load_trace(trace), load_population(), load_theta()
    hidden = hidden_values(theta, number)
    half = -(-size.seeds // 2)
    parts = [range(1, half + 1), range(half + 1, size.seeds + 1)]
    scored = range(1, size.scored + 1)
    models: dict[str, tuple[str, ...]] = {FULL: (), **{f"w/o {switch}": (switch,) for switch in SWITCHES}}
    total, done = len(parts) + 1 + len(models), 0

    def tick(_: object) -> None:
        nonlocal done
        done += 1
        if report is not None:
            report(done, total)

    with ProcessPoolExecutor(jobs) as pool:
        cohort = [pool.submit(_counts, trace, hidden, COHORT, runs) for runs in parts if len(runs)]
        known = pool.submit(_counts, trace, hidden, SCORED, scored, True)
        for counting in (*cohort, known):
            counting.add_done_callback(tick)
        simulator = Simulator(market, population, COHORT, range(1, size.seeds + 1))
        pieces = [future.result()[0] for future in cohort]
        counts = {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]}
        train, test = split_lanes([(seat.run, seat.investor.id) for seat in simulator.lanes])
        regimes = [name for name in market.slices if name != "full"] or ["full"]
        targets = [cohort_targets(f"recovery-{number}-{part}", simulator, counts, lanes, regimes)
                   for part, lanes in (("train", train), ("test", test))]
        fits = {name: pool.submit(_fit, trace, targets[0], off, size) for name, off in models.items()}
        for fit in fits.values():
            fit.add_done_callback(tick)
        found: dict[str, tuple[Search | None, Counts]] = {name: fit.result() for name, fit in fits.items()}
        told = known.result()
    found |= {HIDDEN: (None, told[0]), START: (None, told[1])}
    scorer = Simulator(market, population, SCORED, scored)
    evaluated = sum(len(one.log) for one, _ in found.values() if one is not None)
    days = len(market.slices["full"]) * len(population.members) * (
        size.seeds + size.scored * len(found) + size.fitted * evaluated)
    rows = _rows(scorer, found, targets[1], size.resamples)
    return Recovery(market, hidden, targets[0], targets[1], tuple(rows), days)


def _rows(
    scorer: Simulator, found: "Mapping[str, tuple[Search | None, Counts]]", test: Targets, resamples: int
) -> list[Row]:
    strict = test.model_copy(update={"taus": (STRICT_TAU,) * 3})
    again = {name: _resampled(scorer, counts, test, resamples) for name, (_, counts) in found.items()}
    full = _score(scorer.score(found[FULL][1], test))
    rows = []
    for name, (search, counts) in found.items():
        behaviour = scorer.score(counts, test)
        row = Row(name, behaviour, _interval(again[name]), _score(scorer.score(counts, strict)), search=search)
        if search is not None and name != FULL:
            apart = [one - other for one, other in zip(again[name], again[FULL], strict=True)]
            row = row._replace(drop=_score(behaviour) - full, drop_interval=_interval(apart))
        rows.append(row)
    return rows


def _resampled(scorer: Simulator, counts: "Counts", test: Targets, resamples: int) -> list[Fraction]:
    """Return S_Behav with the investors drawn anew within their profiles, all runs of each together."""
    count = len(scorer.population.members)
    profiles = scorer.profiles[:count]
    sums = {name: rows.reshape(-1, count, rows.shape[1]) for name, rows in counts.items()}
    runs = len(next(iter(sums.values())))
    pooled = {name: rows.sum(axis=0) for name, rows in sums.items()}
    return [_score(scorer.score(pooled, test, draw_investors(profiles, number), runs)) for number in range(resamples)]


def _interval(values: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
    """Return the order statistics of ranks ceil(n / 40) and ceil(39 n / 40)."""
    ranked, count = sorted(values), len(values)
    return ranked[-(-count // 40) - 1], ranked[-(-39 * count // 40) - 1]


def _score(behaviour: Behaviour) -> Fraction:
    return Fraction(0) if behaviour.score is None else behaviour.score


# How it is printed.

PAPER_DROP = {
    "selective_perception": "-0.125", "discussion": "-0.132", "reflection": "-0.134", "text_grounding": "-0.134",
    "stimulus_filter": "-0.135", "sub_personalities": "-0.159", "mental_accounting": "-0.165",
}
"""Table 10 of seed paper 000, of S_Realism: dialogue, and a language model that we have not, are in it."""

NOTE = ("The cohort is synthetic: investors of this simulator with hidden parameters. Scores are S_Behav on its test "
        "part, 95 % over investors; nobody's words are judged, so there is no S_Realism here. The paper's drop is one "
        "of S_Realism on private data and cannot be compared in size.")


def header() -> tuple[str, ...]:
    """Return the column heads of `rows`."""
    return ("Model", "RiskIndex", "Buy", "Sell", "S_Behav", "95 %", "tau 0.5", "Drop", "95 %", "Paper", "D train",
            "Tried", "As found")


def rows(found: Recovery) -> list[tuple[str, ...]]:
    """Return one row a model, as text."""
    return [
        (row.name, *map(_text, row.behaviour.parts), _text(row.behaviour.score), _bounds(row.interval),
         _text(row.strict), _text(row.drop), _bounds(row.drop_interval),
         PAPER_DROP.get(row.name.removeprefix("w/o "), ""),
         "" if row.search is None else _text(row.search.discrepancy),
         "" if row.search is None else f"{len(row.search.log)}", verdict(row))
        for row in found.rows
    ]


def verdict(row: Row) -> str:
    """Return what an ablation came to: lower, lower within noise, or not lower."""
    if row.drop is None or row.drop_interval is None:
        return ""
    if row.drop >= 0:
        return "not lower"
    return "lower" if row.drop_interval[1] < 0 else "lower, within noise"


def record(found: Recovery) -> dict[str, Any]:
    """Return the experiment as JSON: every figure with 6 decimals."""
    return {
        "trace": {"id": found.trace.id, "digest": found.trace.digest}, "synthetic": NOTE, "hidden": found.hidden,
        "days": found.days, "ratio": round(float(found.ratio), 6), "bar": float(BAR),
        "targets": {"train": found.train.digest, "test": found.test.digest},
        "rows": [{
            "model": row.name, "S_Behav": _number(row.behaviour.score), "interval": [*map(_number, row.interval)],
            "parts": [*map(_number, row.behaviour.parts)], "tau_0.5": _number(row.strict), "drop": _number(row.drop),
            "drop_interval": None if row.drop_interval is None else [*map(_number, row.drop_interval)],
            "found": verdict(row), "values": None if row.search is None else row.search.values,
            "evaluations": None if row.search is None else len(row.search.log),
            "discrepancy": None if row.search is None else _number(row.search.discrepancy),
            "ended": None if row.search is None else row.search.ended,
        } for row in found.rows],
    }


def _number(value: Fraction | None) -> float | None:
    return None if value is None else round(float(value), 6)


def _text(value: Fraction | None) -> str:
    return "" if value is None else f"{float(value):.3f}"


def _bounds(interval: tuple[Fraction, Fraction] | None) -> str:
    return "" if interval is None else f"{_text(interval[0])} to {_text(interval[1])}"


# What a worker does.


@lru_cache(maxsize=1)
def _market(trace: Path) -> Trace:
    return load_trace(trace)


def _counts(trace: Path, values: Values, seed: int, runs: range, shipped: bool = False) -> "list[dict[str, Ints]]":
    """Return what runs of the population did under some parameters, and under the shipped ones where asked."""
    theta = load_theta()
    thetas = [adjust(theta, values), *([theta] if shipped else [])]
    return Simulator(_market(trace), load_population(), seed, runs).counts(thetas)


def _fit(trace: Path, train: Targets, off: tuple[str, ...], size: Size) -> "tuple[Search, Counts]":
    """Return how a model was calibrated, and what it then does on the draws of the test."""
    market, population = _market(trace), load_population()
    theta = adjust(load_theta(), off=off)  # type: ignore[arg-type]
    fitting = Simulator(market, population, FITTED, range(1, size.fitted + 1))
    fitted, found = calibrate(fitting, theta, train, size.budget)
    return found, Simulator(market, population, SCORED, range(1, size.scored + 1)).counts([fitted])[0]
