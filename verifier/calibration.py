"""Fitting the minds to a cohort: a bounded coordinate search over θ, and what it costs to leave a component out.

    D(theta) = sum over profiles g and regimes e of w_g,e * sum over m of w_m * min(1, RE_m / tau_m)

of the figures of `verifier.realism`, so that D = 1 - S_Behav. A sweep tries every parameter one stride up and one
down, some parameters at a time; what improves alone is tried together, and the best is kept if it is better than
what there is. A sweep that improves nothing halves the stride, and at a stride of one step ends the search; so does
the budget. All candidates of a block are rolled out side by side on the same draws, nothing is logged or judged, and
D is an exact fraction, so the search is a pure function of its inputs. Source: seed paper 000, eq 14; decision d12.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from replay.environments.fund_advice.advisors import Advisor, advisor_named
from replay.environments.fund_advice.loop import Task
from replay.environments.fund_advice.population import Population, investors
from replay.environments.fund_advice.theta import adjust
from scenarios.canonical import canonical_bytes
from scenarios.errors import ReplayError
from scenarios.exact import decimal_text
from scenarios.manifest import Targets, Theta
from scenarios.rollouts import RolloutConfig
from scenarios.sealed import load_manifest
from scenarios.theta import Tunable
from scenarios.traces import Trace
from verifier.realism import Behaviour, Cell, Days, Figures, Watch, figures, score_behaviour, slice_weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

BUDGET = 40
"""Evaluations of a calibration."""

SEEDS = 2
"""Runs of the population in one evaluation."""

BLOCK = 3
"""Parameters that are tried side by side."""

STRIDES = (4, 2, 1)
"""Steps of a parameter that a sweep tries, each until a sweep improves nothing."""

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
        self.advisors: dict[str, Advisor] = {
            language: advisor_named(advisor, language) for language in self.config.languages}
        self.lanes = [(run, one) for run in runs for one in investors(population, seed, run)]
        self.profiles = [str(one.profile) for _, one in self.lanes]
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
        Task(self.trace, [one for _, one in self.lanes] * len(thetas), thetas[0], self.advisors,
             [run for run, _ in self.lanes] * len(thetas), self.config, logged=False, watch=watch,
             variants=variants).go()
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


Objective = Callable[[Sequence[Values]], Sequence[Fraction]]
"""Returns D of each of some candidates."""


def search(
    objective: Objective, parameters: Mapping[str, Tunable], budget: int = BUDGET, block: int = BLOCK,
    strides: Sequence[int] = STRIDES,
) -> Search:
    """Return the best values found within the ranges of the parameters, on the grid of their steps.

    Args:
        objective: what is made small; a pure function.
        parameters: with the values from which the search sets out.
        budget: evaluations, at least 1.
        block: parameters that are tried side by side.
        strides: in steps, falling, the last one 1.
    """
    return _Searching(objective, parameters, budget).run(block, strides)


class _Searching:
    def __init__(self, objective: Objective, parameters: Mapping[str, Tunable], budget: int) -> None:
        self.objective, self.parameters, self.budget = objective, parameters, budget
        self.here: Values = {name: one.value for name, one in parameters.items()}
        self.known: dict[tuple[int, ...], Fraction] = {}
        self.log: list[Evaluation] = []
        self.best = self._try([self.here])[0]
        self._keep()

    def run(self, block: int, strides: Sequence[int]) -> Search:
        names = list(self.parameters)
        for stride in strides:
            while True:
                before = self.best
                for start in range(0, len(names), block):
                    self._block(names[start : start + block], stride)
                    if len(self.log) >= self.budget:
                        return Search(self.here, self.best, tuple(self.log), "budget")
                if self.best == before:
                    break
        return Search(self.here, self.best, tuple(self.log), "nothing improves")

    def _block(self, names: Sequence[str], stride: int) -> None:
        """Try each of some parameters up and down, then together what improved alone; go to the best."""
        moves = [(name, self.here | {name: value}) for name in names for value in self._around(name, stride)]
        found = self._try([values for _, values in moves])
        better: dict[str, tuple[Fraction, Values]] = {}
        for (name, values), score in zip(moves, found, strict=False):
            if score < min(self.best, better[name][0] if name in better else self.best):
                better[name] = score, values
        if not better:
            return
        score, values = min(better.values(), key=lambda one: one[0])
        together = self.here | {name: moved[name] for name, (_, moved) in better.items()}
        if len(better) > 1:
            joint = self._try([together])
            if joint and joint[0] < score:
                score, values = joint[0], together
        self.here, self.best = values, score
        self._keep()

    def _around(self, name: str, stride: int) -> Iterator[int]:
        one, here = self.parameters[name], self.here[name]
        for value in (min(here + stride * one.step, one.high), max(here - stride * one.step, one.low)):
            if value != here:
                yield value

    def _try(self, candidates: Sequence[Values]) -> list[Fraction]:
        """Return D of candidates, of the first ones alone where the budget ends; none is evaluated twice."""
        fresh = [one for one in candidates if tuple(one.values()) not in self.known][: self.budget - len(self.log)]
        for one, score in zip(fresh, self.objective(fresh) if fresh else (), strict=True):
            self.known[tuple(one.values())] = score
            self.log.append(Evaluation(len(self.log) + 1, one, score, False))
        found = []
        for one in candidates:
            if tuple(one.values()) not in self.known:
                break
            found.append(self.known[tuple(one.values())])
        return found

    def _keep(self) -> None:
        self.log = [one._replace(kept=True) if one.values == self.here else one for one in self.log]


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

    def discrepancies(candidates: Sequence[Values]) -> list[Fraction]:
        nonlocal done
        thetas = [adjust(theta, one) for one in candidates]
        found = [simulator.score(counts, targets).score for counts in simulator.counts(thetas, expected=True)]
        done += len(candidates)
        if report is not None:
            report(done, budget)
        return [Fraction(1) if one is None else 1 - one for one in found]

    found = search(discrepancies, {str(name): one for name, one in theta.parameters.items()}, budget)
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
