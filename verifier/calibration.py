"""Fitting the minds to a cohort: a bounded coordinate search over θ with a budget, and its log.

    D(theta) = sum over profiles g and regimes e of w_g,e * sum over m of w_m * min(1, RE_m / tau_m)

of the figures of `verifier.realism`, so that D = 1 - S_Behav. A sweep moves every parameter by one stride, alone. What
each move did to the figures says, straight on, what several moves together would do; the joint moves that promise
the least D within one, two and four strides are tried too, as long as they improve. The best that was tried is kept
if it is better than what there is. A sweep after which nothing improves turns to the other side, then to half the
stride, and at a stride of one step ends the search; so does the budget. All candidates of a sweep are rolled out side
by side on the same draws, nothing is logged or judged, all is integers and exact fractions, and so the search is a
pure function of its inputs. Source: seed paper 000, eq 14 and appendix B.3; decision d12.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, cycle, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from replay.environments.fund_advice.advisors import Advisor, advisor_named
from replay.environments.fund_advice.loop import Task, seats
from replay.environments.fund_advice.population import Population, investors
from replay.environments.fund_advice.theta import adjust
from scenarios.canonical import canonical_bytes
from scenarios.errors import ReplayError
from scenarios.exact import decimal_text
from scenarios.manifest import Targets, Theta
from scenarios.rollouts import RolloutConfig
from scenarios.sealed import load_manifest
from scenarios.targets import BINS
from scenarios.theta import Tunable
from scenarios.traces import Trace
from verifier.realism import (
    ENOUGH_SHOCKS,
    LEAST_ELASTICITY,
    Behaviour,
    Cell,
    Days,
    Figures,
    Watch,
    figures,
    figures_of,
    score_behaviour,
    slice_weights,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

BUDGET = 40
"""Evaluations of a calibration."""

SEEDS = 6
"""Runs of the population in one evaluation."""

STRIDES = (2, 1)
"""Steps by which a sweep moves a parameter."""

REACHES = (1, 2, 4)
"""Strides within which a joint move is looked for."""

Values = dict[str, int]
"""The value of each parameter, by name."""


class Simulator:
    """Rolls a population out in calibration mode: nothing is logged, nothing is judged.

    Args:
        trace: the market.
        population: whose members are rolled out.
        seed: of the draws.
        runs: of the population.
        advisor: a shipped one, by id.
    """

    def __init__(
        self, trace: Trace, population: Population, seed: int, runs: Sequence[int], advisor: str = "baseline-rule"
    ) -> None:
        self.trace, self.population = trace, population
        self.config = RolloutConfig(seed=seed)
        languages = self.config.languages
        advisors: dict[str, Advisor] = {language: advisor_named(advisor, language) for language in languages}
        self.lanes = [seat for run in runs
                      for seat in seats(investors(population, seed, run), advisors, run, languages)]
        self.profiles = [str(seat.investor.profile) for seat in self.lanes]
        self.slices = trace.slices
        self.days = {name: Days.of(trace, sessions) for name, sessions in self.slices.items()}
        shares: dict[str, Fraction] = {str(name): share for name, share in population.weights().items()}
        self.weights = slice_weights(shares, self.slices)

    def counts(self, thetas: Sequence[Theta], *, expected: bool = False) -> "list[dict[str, Ints]]":
        """Return what each lane did under each θ, by slice; see `Watch.counts`.

        Args:
            thetas: at least one; they differ in the values of parameters alone.
            expected: count chances, as `Watch` does.
        """
        count = len(self.lanes)
        watch = Watch(self.trace, self.slices["full"], expected=expected)
        variants = [theta for theta in thetas for _ in self.lanes] if len(thetas) > 1 else ()
        Task(self.trace, self.lanes * len(thetas), thetas[0], self.config, watch=watch, variants=variants).go()
        whole = {name: watch.counts(sessions) for name, sessions in self.slices.items()}
        return [{name: rows[start : start + count] for name, rows in whole.items()}
                for start in range(0, count * len(thetas), count)]

    def figures(
        self, counts: "Mapping[str, Ints]", lanes: Sequence[int] | None = None, runs: int = 1
    ) -> dict[Cell, Figures]:
        """Return the figures by profile and slice of some lanes, each as often as it stands there; default: of all.

        runs: how many runs of an investor each row of counts adds up.
        """
        members: dict[str, list[int]] = {}
        for lane in range(len(self.lanes)) if lanes is None else lanes:
            members.setdefault(self.profiles[lane], []).append(lane)
        return {(profile, name): figures(rows[own].sum(axis=0).tolist(), len(own) * runs, self.days[name])
                for name, rows in counts.items() for profile, own in members.items()}

    def score(
        self, counts: "Mapping[str, Ints]", targets: Targets, lanes: Sequence[int] | None = None, runs: int = 1
    ) -> Behaviour:
        """Return how near lanes are to a cohort; the arguments are those of `figures`."""
        return score_behaviour(targets, self.figures(counts, lanes, runs), self.weights)


class Measured(NamedTuple):
    """What an evaluation found: D, and the figures that it comes of, as whole numbers that move with the parameters."""

    discrepancy: Fraction
    figures: "Ints"


class Evaluation(NamedTuple):
    """One line of the log: the values that were tried, their D, and whether the search went on from them."""

    number: int
    values: Values
    discrepancy: Fraction
    kept: bool


class Search(NamedTuple):
    """What a search found. ended: "nothing improves" or "budget"."""

    values: Values
    discrepancy: Fraction
    log: tuple[Evaluation, ...]
    ended: str


Objective = Callable[[Sequence[Values]], Sequence[Measured]]
"""Evaluates some candidates."""

Promise = Callable[["Ints"], int]
"""Returns D of figures that nobody had, in any unit."""


def search(
    objective: Objective, promise: Promise, parameters: Mapping[str, Tunable], budget: int = BUDGET,
    strides: Sequence[int] = STRIDES,
) -> Search:
    """Return the best values found within the ranges of the parameters, on the grid of their steps.

    Args:
        objective: what is made small; a pure function.
        promise: D of figures, by which joint moves are chosen; never by which they are kept.
        parameters: with the values from which the search sets out.
        budget: evaluations, at least 1.
        strides: in steps, falling, the last one 1.
    """
    return _Searching(objective, promise, parameters, budget).run(strides)


class _Searching:
    def __init__(
        self, objective: Objective, promise: Promise, parameters: Mapping[str, Tunable], budget: int
    ) -> None:
        self.objective, self.promise, self.parameters, self.budget = objective, promise, parameters, budget
        self.here: Values = {name: one.value for name, one in parameters.items()}
        self.known: dict[tuple[int, ...], Measured] = {}
        self.moves: dict[str, tuple[Values, int, Ints]] = {}  # of each parameter the last: whence, steps, change
        self.slopes: dict[str, tuple[int, Ints]] = {}  # steps, and what they do to the figures
        self.log: list[Evaluation] = []
        self._try([self.here])
        self._keep()

    @property
    def best(self) -> Measured:
        return self.known[tuple(self.here.values())]

    def run(self, strides: Sequence[int]) -> Search:
        for stride in strides:
            side, idle = 1, 0
            while idle < 2:  # neither side has anything to offer
                idle = 0 if self._cycle(side * stride, stride) else idle + 1
                side = -side
                if len(self.log) >= self.budget:
                    return self._ended("budget")
        return self._ended("nothing improves")

    def _ended(self, why: str) -> Search:
        return Search(self.here, self.best.discrepancy, tuple(self.log), why)

    def _cycle(self, steps: int, stride: int) -> bool:
        """Sweep, then move jointly as long as that improves; return whether anything did."""
        start, base = self.here, self.best
        moves = {name: self._moved(start, {name: steps}) for name in self.parameters}
        moves = {name: moved if moved != start else self._moved(start, {name: -steps}) for name, moved in moves.items()}
        for (name, moved), found in zip(moves.items(), self._try(list(moves.values())), strict=False):
            went = (moved[name] - start[name]) // self.parameters[name].step
            if went:
                self._learn(name, start, went, found.figures - base.figures)
        improved = self._go(list(moves.values()))
        while self._go(self._promising(stride)):
            improved = True
        return improved

    def _learn(self, name: str, start: Values, went: int, change: "Ints") -> None:
        """Keep what a move did; with one to the other side from the same place, what both did together."""
        before = self.moves.get(name)
        self.moves[name] = start, went, change
        if before is not None and before[0] == start and before[1] * went < 0:
            went, change = went - before[1], change - before[2]
        self.slopes[name] = went, change

    def _promising(self, stride: int) -> list[Values]:
        """Return the joint moves that promise the least D, one for each reach.

        From where the search is, one parameter or two at a time go a step up or down, as long as that promises less.
        """
        names = list(self.slopes)
        changes = [{name: change} for name in names for change in (1, -1)]
        changes += [one | other for one, other in combinations(changes, 2) if one.keys() != other.keys()]
        found = []
        for reach in REACHES:
            offsets, best, failed = dict.fromkeys(names, 0), self.promise(self.best.figures), 0
            for change in cycle(changes):
                other = offsets | {name: offsets[name] + steps for name, steps in change.items()}
                inside = all(abs(other[name]) <= reach * stride and self._offset(name, other[name]) == other[name]
                             for name in change)
                promised = self.promise(self._expected(other)) if inside else best
                failed = 0 if promised < best else failed + 1
                if promised < best:
                    best, offsets = promised, other
                if failed >= len(changes):
                    break
            found.append(self._moved(self.here, offsets))
        return [one for one in found if one != self.here]

    def _expected(self, offsets: Mapping[str, int]) -> "Ints":
        figures = self.best.figures
        for name, steps in offsets.items():
            if steps:
                went, change = self.slopes[name]
                figures = figures + change * steps // went
        return figures

    def _offset(self, name: str, steps: int) -> int:
        """Return how many of some steps the range of a parameter leaves."""
        one, here = self.parameters[name], self.here[name]
        return max(-((here - one.low) // one.step), min(steps, (one.high - here) // one.step))

    def _moved(self, values: Values, offsets: Mapping[str, int]) -> Values:
        return values | {name: values[name] + self._offset(name, steps) * self.parameters[name].step
                         for name, steps in offsets.items()}

    def _go(self, candidates: Sequence[Values]) -> bool:
        """Evaluate candidates and go to the best of them, if it is better than here."""
        found = self._try(candidates)
        if not found:
            return False
        best = min(range(len(found)), key=lambda one: found[one].discrepancy)
        if found[best].discrepancy >= self.best.discrepancy:
            return False
        self.here = candidates[best]
        self._keep()
        return True

    def _try(self, candidates: Sequence[Values]) -> list[Measured]:
        """Return what candidates come to, of the first ones alone where the budget ends; none is evaluated twice."""
        keys = [tuple(one.values()) for one in candidates]
        fresh = {key: one for key, one in zip(keys, candidates, strict=True) if key not in self.known}
        asked = list(fresh.items())[: self.budget - len(self.log)]
        for (key, one), found in zip(asked, self.objective([one for _, one in asked]) if asked else (), strict=True):
            self.known[key] = found
            self.log.append(Evaluation(len(self.log) + 1, one, found.discrepancy, False))
        return [self.known[key] for key in takewhile(self.known.__contains__, keys)]

    def _keep(self) -> None:
        self.log = [one._replace(kept=True) if one.values == self.here else one for one in self.log]


# Figures as numbers that can be added.

PPM = 10**6


def vector(figures: Mapping[Cell, Figures], targets: Targets) -> "Ints":
    """Return the figures of the targets' slices in ppm, 12 for each; what is not to be had is 0."""
    import numpy as np

    rows = [figures[row.profile, row.regime] for row in targets.slices]
    return np.array([
        int((value or Fraction(0)) * PPM) for one in rows
        for value in (*(one.risk_index or (Fraction(0),) * BINS), one.buy, one.sell)
    ], dtype=np.int64)


def promise_of(targets: Targets, weights: Mapping[Cell, Fraction], days: Mapping[str, Days]) -> Promise:
    """Return what D would be, in ppm of ppm and but for rounding, of figures as `vector` has them."""
    import numpy as np

    real: list[int] = []
    scales: list[int] = []
    caps: list[int] = []
    for row in targets.slices:
        own = figures_of(row)
        shocks = days[row.regime]
        there = (own.risk_index is not None, *(
            value is not None and abs(value) >= LEAST_ELASTICITY and count >= ENOUGH_SHOCKS
            for value, count in ((own.buy, shocks.up), (own.sell, shocks.down))))
        whole = sum(weight for weight, known in zip(targets.weights, there, strict=True) if known)
        for known, weight, tau, value in zip(there, targets.weights, targets.taus, (None, own.buy, own.sell),
                                             strict=True):
            cap = weights[row.profile, row.regime] * weight / whole if known else Fraction(0)
            caps.append(int(cap * PPM * PPM))
            scales.append(int(cap * PPM / (tau * (1 if value is None else abs(value) or 1))))
        shares = own.risk_index or (Fraction(0),) * BINS
        real += [int((value or Fraction(0)) * PPM) for value in (*shares, own.buy, own.sell)]
    wanted, scale, most = (np.array(one, dtype=np.int64) for one in (real, scales, caps))

    def promise(figures: "Ints") -> int:
        apart = np.abs(figures - wanted).reshape(-1, BINS + 2)
        errors = np.stack([apart[:, :BINS].sum(axis=1), apart[:, BINS], apart[:, BINS + 1]], axis=1).reshape(-1)
        return int(np.minimum(errors * scale, most).sum())

    return promise


def calibrate(
    simulator: Simulator, theta: Theta, targets: Targets, budget: int = BUDGET, id: str | None = None,
    report: Callable[[int, int], None] | None = None,
) -> tuple[Theta, Search]:
    """Return θ with the parameter values that come nearest to a cohort, sealed, and how they were found.

    Args:
        simulator: of the trace, population and draws of every evaluation.
        theta: where the search sets out; ranges, steps and everything else is its own.
        targets: of the cohort.
        budget: evaluations.
        id: of the result; default: that of theta.
        report: called with (evaluations done, budget).
    """
    done = 0

    def measure(candidates: Sequence[Values]) -> list[Measured]:
        nonlocal done
        thetas = [adjust(theta, one) for one in candidates]
        made = [simulator.figures(counts) for counts in simulator.counts(thetas, expected=True)]
        done += len(candidates)
        if report is not None:
            report(done, budget)
        scores = [score_behaviour(targets, figures, simulator.weights).score for figures in made]
        return [Measured(Fraction(1) if score is None else 1 - score, vector(figures, targets))
                for score, figures in zip(scores, made, strict=True)]

    promise = promise_of(targets, simulator.weights, simulator.days)
    found = search(measure, promise, {str(name): one for name, one in theta.parameters.items()}, budget)
    return adjust(theta, found.values, id=id), found


def log_lines(found: Search, **inputs: Any) -> list[bytes]:
    """Return the log of a search as canonical lines: what went in, every evaluation, how it ended.

    D is written with 9 decimals, rounded half to even; the search compares exact fractions.
    """
    lines: list[dict[str, Any]] = [{"format": "calibration-log/1", **inputs}]
    lines += [{"number": one.number, "values": dict(one.values), "discrepancy": _decimal(one.discrepancy),
               "kept": one.kept} for one in found.log]
    lines.append({"ended": found.ended, "values": dict(found.values), "discrepancy": _decimal(found.discrepancy)})
    return [canonical_bytes(line) for line in lines]


def _decimal(value: Fraction) -> str:
    return decimal_text(round(value, 9))


def load_targets(path: Path) -> Targets:
    """Return a cohort's aggregates from their sealed file.

    Raises:
        ReplayError, SealError: the file is unreadable, of another kind, or differs from its seal.
    """
    targets = load_manifest(path)
    if not isinstance(targets, Targets):
        raise ReplayError(str(path), "holds no targets", "see docs/realism.md for the form")
    return targets
