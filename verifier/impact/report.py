"""The impact of advisors over matched runs: scores by slice with intervals, rankings, sensitivity.

A score is computed in each run and then averaged, for clipping is not linear (decision d21). Two intervals stand beside
each mean. Over runs: the k-th smallest to the k-th largest of the n runs covers the median of a further run, whatever
its distribution, with the exact probability 1 - 2 sum_{i<k} C(n, i) / 2^n; k is the largest with at least 95 %, else 1
(five runs: smallest to largest, 93.75 %). Runs are paired by their draws, so the interval of a difference between two
advisors is that of the differences of their runs. Over investors: the 95 % percentile bootstrap, investors drawn again
within their profile, the same in both arms and in all runs; its draws are SHAKE-256 of the number of the resample.
"""

import hashlib
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import NamedTuple

from scenarios.errors import ScenarioError
from scenarios.manifest import ScoresConfig
from verifier.impact.config import UNITS, scaled
from verifier.impact.means import Mean, Weights, mean, population_mean
from verifier.impact.ranking import Values
from verifier.impact.reading import Rollout
from verifier.impact.scores import Impact, Investor, Measures, impact, investors, pool, scored_measures

COMMON_LEVEL = Fraction(95, 100)
RESAMPLES = 2_000
FULL = "full"
"""The slice of the whole horizon."""


class Estimate(NamedTuple):
    """The mean over runs, and the interval over runs; None where a run has no value."""

    mean: float
    low: float
    high: float


class Slice(NamedTuple):
    """An advisor within some sessions, run by run: its scores, its measures and its baseline's."""

    impacts: tuple[Impact, ...]
    measures: tuple[Measures, ...]
    base: tuple[Measures, ...]

    def estimate(self, score: str) -> Estimate | None:
        """Return a score over the runs, None where a run has none."""
        return over_runs([getattr(one, score) for one in self.impacts])

    def measured(self, name: str, *, base: bool = False, plain: bool = False) -> float | None:
        """Return a measure's mean over the runs that have one; plain: of the plain means."""
        found = [one.means[name] for one in (self.base if base else self.measures)]
        values = [one.plain if plain else one.population for one in found]
        return mean([value for value in values if value is not None])


class Scored(NamedTuple):
    """An advisor. compliance: C of each run; one 0 disqualifies it in all (decision d30).

    investors: 95 % bounds of S_I, S_B, S_Content and S_Total over investors, whole horizon, empty without resamples.
    """

    advisor: str
    compliance: tuple[int, ...]
    slices: Mapping[str, Slice]
    investors: Mapping[str, tuple[float, float]]

    @property
    def gate(self) -> int:
        """C over all runs."""
        return min(self.compliance)


class Report(NamedTuple):
    """Advisors against one baseline on matched runs."""

    rollouts: tuple[Rollout, ...]
    baseline: str
    config: ScoresConfig
    runs: int
    slices: Mapping[str, range]
    advisors: tuple[Scored, ...]

    @property
    def coverage(self) -> Fraction:
        """The chance that an interval over runs covers the median of a further run."""
        return coverage(self.runs, _rank(self.runs))

    def totals(self, score: str = "total", name: str = FULL) -> dict[str, Fraction]:
        """Return a score of every advisor that has one, exactly as the float that it is."""
        found = {one.advisor: one.slices[name].estimate(score) for one in self.advisors}
        return {advisor: Fraction(value.mean) for advisor, value in found.items() if value is not None}

    def parts(self) -> dict[str, tuple[Fraction, Fraction, Fraction]]:
        """Return S_I, S_B and S_Content over the whole horizon of the advisors that have all three and pass the gate.

        The gate comes first: what a disqualified advisor's parts would rank is no ranking of advisors.
        """
        investment, business, content = (self.totals(name) for name in ("investment", "business", "content"))
        passed = [one.advisor for one in self.advisors if one.gate]
        return {name: (investment[name], business[name], content[name]) for name in passed
                if name in investment and name in business and name in content}


def coverage(runs: int, rank: int) -> Fraction:
    """Return the chance that the median lies between the rank-th smallest and the rank-th largest of some runs."""
    return 1 - Fraction(2 * sum(comb(runs, below) for below in range(rank)), 2**runs)


def _rank(runs: int) -> int:
    """Return the largest rank with enough coverage, 1 where none has."""
    ranks = [rank for rank in range(1, (runs + 1) // 2 + 1) if coverage(runs, rank) >= COMMON_LEVEL]
    return max(ranks, default=1)


def over_runs(values: Sequence[float | None]) -> Estimate | None:
    """Return mean and interval over runs; None where a run has no value, or there is no run."""
    known = [value for value in values if value is not None]
    average = mean(known)
    if average is None or len(known) < len(values):
        return None
    ranked, rank = sorted(known), _rank(len(known))
    return Estimate(average, ranked[rank - 1], ranked[-rank])


def difference(left: Slice, right: Slice, score: str = "total") -> Estimate | None:
    """Return how much better one advisor scores than another, over the differences of their runs."""
    pairs = [(getattr(one, score), getattr(other, score))
             for one, other in zip(left.impacts, right.impacts, strict=True)]
    return over_runs([None if one is None or other is None else one - other for one, other in pairs])


def report(
    rollouts: Sequence[Rollout], config: ScoresConfig, baseline: str = "no-advisor", resamples: int = RESAMPLES
) -> Report:
    """Return the impact of every advisor of matched rollouts; one that stands in several is taken once.

    Args:
        rollouts: matched, as `differences` says; at least one.
        config: weights, units, windows.
        baseline: the advisor that all others are paired with.
        resamples: of the bootstrap over investors; 0 leaves it out.

    Raises:
        ScenarioError: no rollout holds the baseline, or none another advisor.
        SealError, ReplayError: a file cannot be used.
    """
    homes: dict[str, Rollout] = {}
    for one in rollouts:
        for advisor in one.advisors:
            homes.setdefault(advisor, one)
    named = [advisor for advisor in homes if advisor != baseline]
    where = str(rollouts[0].path)
    if baseline not in homes:
        raise ScenarioError(where, f"holds no advisor {baseline}", f"name one of {', '.join(homes)} as baseline")
    if not named:
        raise ScenarioError(where, f"holds no other advisor than {baseline}", "run the rollout with --advisor")
    first = rollouts[0]
    slices, weights = first.slices, first.weights
    arms: dict[str, list[_Arm]] = {advisor: [] for advisor in homes}
    for run in range(1, first.config.runs + 1):
        for advisor, home in homes.items():
            arms[advisor].append(_Arm.read(home, advisor, run, slices, config, weights))
    scored = [_scored(advisor, arms[advisor], arms[baseline], config) for advisor in named]
    if resamples:
        bounds = _bootstrap(arms, baseline, {one.advisor: one.gate for one in scored}, config, weights, resamples)
        scored = [one._replace(investors=bounds.get(one.advisor, {})) for one in scored]
    return Report(tuple(rollouts), baseline, config, first.config.runs, slices, tuple(scored))


class _Arm(NamedTuple):
    """One advisor in one run: its investors and measures by slice."""

    people: Mapping[str, Sequence[Investor]]
    measures: Mapping[str, Measures]

    @classmethod
    def read(
        cls, rollout: Rollout, advisor: str, run: int, slices: Mapping[str, range], config: ScoresConfig,
        weights: Weights,
    ) -> "_Arm":
        """Read one task; its log is let go once its measures are taken."""
        arm = rollout.arm(advisor, run, config.match_window)
        people = {name: investors(arm, sessions, config) for name, sessions in slices.items()}
        measures = {
            name: pool(people[name], [one for one in arm.consulted if one.session in sessions], weights)
            for name, sessions in slices.items()
        }
        return cls(people, measures)


def _scored(advisor: str, arms: Sequence[_Arm], base: Sequence[_Arm], config: ScoresConfig) -> Scored:
    compliance = tuple(arm.measures[FULL].compliance for arm in arms)
    gate = min(compliance)
    slices = {}
    for name in arms[0].measures:
        own, other = [arm.measures[name] for arm in arms], [arm.measures[name] for arm in base]
        impacts = tuple(impact(left, right, config, gate) for left, right in zip(own, other, strict=True))
        slices[name] = Slice(impacts, tuple(own), tuple(other))
    return Scored(advisor, compliance, slices, {})


RESAMPLED = ("investment", "business", "content", "total")
"""The scores that have bounds over investors."""


def _bootstrap(
    arms: Mapping[str, Sequence[_Arm]], baseline: str, gates: Mapping[str, int], config: ScoresConfig,
    weights: Weights, resamples: int,
) -> dict[str, dict[str, tuple[float, float]]]:
    """Return the 95 % percentile bounds over investors: the order statistics of ranks ceil(n / 40), ceil(39 n / 40).

    Nothing is returned where a profile has one investor alone, which drawing again cannot vary.
    """
    profiles = [one.profile for one in arms[baseline][0].people[FULL]]
    if min(map(profiles.count, profiles)) < 2:
        return {}
    names = scored_measures(config)
    columns = {advisor: [{name: [one.own[name] for one in arm.people[FULL]] for name in names} for arm in own]
               for advisor, own in arms.items()}
    found: dict[str, dict[str, list[float]]] = {advisor: {name: [] for name in RESAMPLED} for advisor in gates}
    for number in range(resamples):
        drawn = draw_investors(profiles, number)
        again = {
            advisor: [
                arm.measures[FULL]._replace(means={
                    name: Mean(population_mean([(profiles[one], column[one]) for one in drawn], weights), None, 0)
                    for name, column in run.items()
                }) for arm, run in zip(own, columns[advisor], strict=True)
            ] for advisor, own in arms.items()
        }
        for advisor, gate in gates.items():
            pairs = zip(again[advisor], again[baseline], strict=True)
            impacts = [impact(own, base, config, gate) for own, base in pairs]
            for name, kept in found[advisor].items():
                estimate = over_runs([getattr(one, name) for one in impacts])
                if estimate is not None:
                    kept.append(estimate.mean)
    low, high = -(-resamples // 40) - 1, -(-39 * resamples // 40) - 1
    return {
        advisor: {name: (sorted(kept)[low], sorted(kept)[high]) for name, kept in scores.items()
                  if len(kept) == resamples}
        for advisor, scores in found.items()
    }


def draw_investors(profiles: Sequence[str], number: int) -> list[int]:
    """Return the investors of one resample: as many of each profile as there are, drawn with replacement from it."""
    stream = hashlib.shake_256(f"investors/{number}".encode()).digest(4 * len(profiles))
    members: dict[str, list[int]] = {}
    for index, profile in enumerate(profiles):
        members.setdefault(profile, []).append(index)
    drawn = []
    for index, profile in enumerate(profiles):
        own = members[profile]
        drawn.append(own[int.from_bytes(stream[4 * index : 4 * index + 4], "big") * len(own) >> 32])
    return drawn


def sensitivity(found: Report) -> dict[str, Values]:
    """Return S_Total of every advisor with each unit halved and doubled, by "unit x1/2" and "unit x2"."""
    moved: dict[str, Values] = {}
    for unit in UNITS:
        for factor in (Fraction(1, 2), Fraction(2)):
            config = scaled(found.config, unit, factor)
            totals = {}
            for one in found.advisors:
                full = one.slices[FULL]
                estimate = over_runs([
                    impact(own, base, config, one.gate).total
                    for own, base in zip(full.measures, full.base, strict=True)
                ])
                if estimate is not None:
                    totals[one.advisor] = Fraction(estimate.mean)
            moved[f"{unit} x{factor}"] = totals
    return moved


def differences(rollouts: Sequence[Rollout]) -> dict[str, tuple[str, str]]:
    """Return what differs between rollouts beside the advisor, by key, with both sides; empty where they match (d2).

    An advisor that stands in two of them, such as the baseline, must have done the same in both.
    """
    first = _matched(rollouts[0])
    found: dict[str, tuple[str, str]] = {}
    for other in rollouts[1:]:
        stated = _matched(other)
        for key in sorted({*first, *stated}):
            if first.get(key) != stated.get(key):
                found.setdefault(key, (str(first.get(key)), str(stated.get(key))))
    tasks: dict[str, str] = {}
    for one in () if found else rollouts:  # of other inputs, other deeds say nothing
        for file in one.manifest.files:
            if file.path.startswith("tasks/") and tasks.setdefault(file.path, file.sha256) != file.sha256:
                found.setdefault(file.path, (tasks[file.path], file.sha256))
    return found


def _matched(rollout: Rollout) -> dict[str, str]:
    """Return what matched rollouts share, by key: fees and universe are parts of the trace."""
    manifest = rollout.manifest
    return {
        **{f"config/{key}": str(value) for key, value in rollout.config.record().items()},
        **{f"phrasebooks/{name}": digest for name, digest in manifest.phrasebooks.items()},
        **{f"sources/{code}": digest for code, digest in manifest.sources.items()},
        "trace": manifest.trace.digest, "theta": manifest.theta.digest, "population": manifest.population,
        "contract": manifest.contract.digest, "engine": manifest.engine, "release": manifest.release,
    }
