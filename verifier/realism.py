"""How much simulated investors behave like a real cohort: what they hold, how they meet shocks, how they talk.

    RiskIndex(u, d) = sum over holdings of value / NAV * risk level, cash 0, at the last session of a month, in 10 bins
    beta_buy  = P(buy | day of an up shock) - P(buy | any other day), over the user-days of a profile in a regime
    beta_sell = P(sell | day of a down shock) - P(sell | any other day)
    RE(x)  = |x_sim - x_real| / (|x_real| + 1e-6), of a histogram the sum of absolute differences of shares
    score  = max(0, 1 - RE / tau)
    S_Behav = sum over profiles g and regimes e of w_g,e * (0.4 score_RiskIndex + 0.3 score_buy + 0.3 score_sell)
    S_Dial  = mean of (logic + realism) / 4 of the consultations of an investor, then over investors
    S_Realism = (S_Behav + S_Dial) / 2

with w_g,e the profile's share of the cohort times the regime's share of the sessions. A figure that cannot be had is
left out and its weight spread over the rest: an elasticity with fewer than 5 shock days, or one whose real value is
below 0.01. All exact. Source: seed paper 000, appendix J; decisions d12, d22 to d24 and d37. Manual: docs/realism.md.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from replay.environments.fund_advice.advisors import Advisor
from replay.environments.fund_advice.loop import Task, seats
from replay.environments.fund_advice.mind import Decision
from replay.environments.fund_advice.theta import load_theta
from replay.environments.fund_advice.types import BUY, CONSULT, SELL
from scenarios.errors import ReplayError, ScenarioError
from scenarios.manifest import Targets
from scenarios.targets import BINS, SliceTarget
from scenarios.theta import ONE
from scenarios.traces import Session, Trace
from verifier.episodes import EpisodeJudge
from verifier.impact.reading import Rollout
from verifier.rollouts import contract_of
from verifier.tasks import frozen_advisor, judge_by

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from replay.environments.fund_advice.account import Accounts

    Ints = NDArray[np.int64]

SAYS = ("S_Dial is a consistency check of our own rules: the same project writes the words and judges them. "
        "S_Behav is the figure that data can refute.")
"""What stands wherever S_Realism stands."""

ENOUGH_SHOCKS = 5
LEAST_ELASTICITY = Fraction(1, 100)
EPSILON = Fraction(1, 10**6)

Cell = tuple[str, str]
"""A profile and a regime."""


class Figures(NamedTuple):
    """What is compared of one slice. risk_index: shares by bin. None is not to be had."""

    risk_index: tuple[Fraction, ...] | None
    buy: Fraction | None
    sell: Fraction | None


class SliceScore(NamedTuple):
    """One slice: its weight, both sides, relative errors and scores of the three figures, and their mean by weight."""

    cell: Cell
    weight: Fraction
    real: Figures
    simulated: Figures
    errors: tuple[Fraction | None, ...]
    scores: tuple[Fraction | None, ...]
    score: Fraction | None


class Behaviour(NamedTuple):
    """S_Behav, the three scores over the slices that have them, and the slices."""

    score: Fraction | None
    parts: tuple[Fraction | None, ...]
    slices: tuple[SliceScore, ...]


class Realism(NamedTuple):
    """The realism of one advisor's arm. dialogues: judged consultations."""

    behaviour: Behaviour
    dialogue: Fraction | None
    dialogues: int

    @property
    def score(self) -> Fraction | None:
        """S_Realism; None where one of its halves cannot be had."""
        if self.behaviour.score is None or self.dialogue is None:
            return None
        return (self.behaviour.score + self.dialogue) / 2


# What is observed.


def month_ends(sessions: Sequence[Session], within: range) -> tuple[int, ...]:
    """Return the last session of each calendar month that has one among some, the last of all included."""
    return tuple(day for day in within
                 if day == len(sessions) - 1 or sessions[day].date[:7] != sessions[day + 1].date[:7])


class Watch:
    """Sees a task: who bought and sold in every session, and what each account holds at the end of a month.

    Expected, a purchase or sale counts as the chance that it had when the action was drawn, less the orders that were
    drawn and not taken. That has the same mean as the count and a fraction of its variance; it serves calibration,
    where few investors have to do, and nothing that is reported.

    Args:
        trace: of the task.
        within: its sessions.
        expected: whether chances are counted.
    """

    def __init__(self, trace: Trace, within: range, *, expected: bool = False) -> None:
        self.trace, self.within, self.expected = trace, within, expected
        self.actions: list[Ints] = []
        self.traded: dict[int, list[Ints]] = {BUY: [], SELL: []}
        self.bins: dict[int, Ints] = {}
        self._ends = frozenset(month_ends(trace.sessions, within))

    def __call__(self, accounts: "Accounts", decision: Decision, action: "Ints") -> None:
        """Take in one session."""
        self.actions.append(action.astype("int8"))
        for side, rows in self.traded.items():
            did = action == side
            if self.expected:
                chance = decision.q_e4[:, side] * ONE // (ONE - decision.q_e4[:, CONSULT])
                rows.append((chance - ((decision.action == side) & ~did) * ONE).astype("int16"))
            else:
                rows.append((did * ONE).astype("int16"))
        if accounts.session in self._ends:
            self.bins[accounts.session] = risk_bins(accounts)

    def counts(self, sessions: range) -> "Ints":
        """Return what each lane did within some sessions, shape (lanes, BINS + 4), in whole numbers that add up.

        User-months by bin; then, in 1/10,000, user-days with a purchase on days of up shocks and on others, and with a
        sale on days of down shocks and on others.
        """
        import numpy as np

        inside = slice(sessions.start - self.within.start, sessions.stop - self.within.start)
        ends = [self.bins[day] for day in sessions if day in self.bins]
        months = [sum((bins == one for bins in ends), np.zeros(len(self.actions[0]), dtype=np.int64))
                  for one in range(BINS)]
        rows = []
        for side, shock in ((BUY, "up"), (SELL, "down")):
            shocked = np.array([self.trace.sessions[day].shock == shock for day in sessions])
            did = np.array(self.traded[side][inside])
            rows += [did[shocked].sum(axis=0), did[~shocked].sum(axis=0)]
        return np.array([*months, *rows], dtype=np.int64).T


def risk_bins(accounts: "Accounts") -> "Ints":
    """Return the bin of each account's RiskIndex; what waits for its NAV is not held yet."""
    import numpy as np

    held = accounts.fund >= 0
    worth = np.where(held, accounts.units_e2 * accounts.trace.nav_e8[accounts.session][accounts.fund], 0)
    levels = accounts.trace.level.astype(np.int64)[accounts.fund]
    bins: Ints = (worth * levels).sum(axis=1) * (BINS // 5) // np.maximum(accounts.nav_e10, 1)
    return np.minimum(bins, BINS - 1)


class Days(NamedTuple):
    """How many sessions a slice has, and how many of them are days of up and of down shocks."""

    sessions: int
    up: int
    down: int

    @classmethod
    def of(cls, trace: Trace, sessions: range) -> "Days":
        """Return those of some sessions of a trace."""
        shocks = [trace.sessions[day].shock for day in sessions]
        return cls(len(shocks), shocks.count("up"), shocks.count("down"))


def figures(counts: Sequence[int], investors: int, days: Days) -> Figures:
    """Return the figures of a slice.

    Args:
        counts: as `Watch.counts` has them, added over the investors.
        investors: how many these are, at least 1.
        days: of the slice.
    """
    months, (bought, else_bought, sold, else_sold) = list(map(int, counts[:BINS])), map(int, counts[BINS:])
    total = sum(months)
    return Figures(
        tuple(Fraction(count, total) for count in months) if total else None,
        _elasticity(bought, days.up, else_bought, days.sessions - days.up, investors),
        _elasticity(sold, days.down, else_sold, days.sessions - days.down, investors),
    )


def _elasticity(shocked: int, days: int, calm: int, others: int, investors: int) -> Fraction | None:
    if days < ENOUGH_SHOCKS or not others:
        return None
    return Fraction(shocked, days * investors * ONE) - Fraction(calm, others * investors * ONE)


# How it is scored.


def relative_errors(real: Figures, simulated: Figures) -> tuple[Fraction | None, ...]:
    """Return RE of RiskIndex, buy and sell elasticity; None where one side is not to be had."""
    bins = None
    if real.risk_index is not None and simulated.risk_index is not None:
        apart = sum(abs(one - other) for one, other in zip(simulated.risk_index, real.risk_index, strict=True))
        bins = apart / (1 + EPSILON)
    return bins, _relative(real.buy, simulated.buy), _relative(real.sell, simulated.sell)


def _relative(real: Fraction | None, simulated: Fraction | None) -> Fraction | None:
    if real is None or simulated is None or abs(real) < LEAST_ELASTICITY:
        return None
    return abs(simulated - real) / (abs(real) + EPSILON)


def score_behaviour(targets: Targets, simulated: Mapping[Cell, Figures], weights: Mapping[Cell, Fraction]) -> Behaviour:
    """Return how near simulated figures are to a cohort's, over the slices of the targets.

    Args:
        targets: of the cohort.
        simulated: by profile and regime; a slice that is missing has no score.
        weights: of each slice; they need not add up to 1.
    """
    rows = []
    for row in targets.slices:
        cell = (row.profile, row.regime)
        real, found = figures_of(row), simulated.get(cell, Figures(None, None, None))
        errors = relative_errors(real, found)
        scores = tuple(None if error is None else max(Fraction(0), 1 - error / tau)
                       for error, tau in zip(errors, targets.taus, strict=True))
        rows.append(SliceScore(cell, weights.get(cell, Fraction(0)), real, found, errors, scores,
                               spread(zip(targets.weights, scores, strict=True))))
    parts = tuple(spread((row.weight, row.scores[part]) for row in rows) for part in range(3))
    return Behaviour(spread((row.weight, row.score) for row in rows), parts, tuple(rows))


def spread(weighed: Iterable[tuple[Fraction, Fraction | None]]) -> Fraction | None:
    """Return the weighted mean of the values that there are; the weight of the others is spread over them."""
    known = [(weight, value) for weight, value in weighed if value is not None]
    total = sum(weight for weight, _ in known)
    return sum((weight * value for weight, value in known), Fraction(0)) / total if total else None


def figures_of(row: SliceTarget) -> Figures:
    """Return the figures of a cohort's slice."""
    total = sum(row.risk_index)
    shares = tuple(Fraction(count, total) for count in row.risk_index) if total else None
    return Figures(shares, row.buy_elasticity, row.sell_elasticity)


def target_row(cell: Cell, counts: Sequence[int], investors: int, days: Days) -> SliceTarget:
    """Return investors as the cohort of one slice; an elasticity is rounded half to even to 6 decimals."""
    _, buy, sell = figures(counts, investors, days)
    return SliceTarget(
        profile=cell[0], regime=cell[1], users=investors, risk_index=tuple(map(int, counts[:BINS])),
        buy_elasticity=None if buy is None else round(buy, 6), sell_elasticity=None if sell is None else round(sell, 6),
    )


def slice_weights(shares: Mapping[str, Fraction], slices: Mapping[str, range]) -> dict[Cell, Fraction]:
    """Return the profile's share of the cohort times the regime's share of the sessions, by profile and regime."""
    whole = len(slices["full"])
    return {(profile, regime): share * Fraction(len(sessions), whole)
            for profile, share in shares.items() for regime, sessions in slices.items()}


def check_regimes(targets: Targets, slices: Mapping[str, range], trace: Trace) -> None:
    """Raise where a cohort has a regime that the trace has not.

    Raises:
        ScenarioError: it names the regime.
    """
    for row in targets.slices:
        if row.regime not in slices:
            raise ScenarioError(f"targets {targets.id}", f"have the regime {row.regime!r}, trace {trace.id} has not",
                                f"name one of {', '.join(slices)}")


# Finished rollouts.


def realism_of(rollout: Rollout, advisor: str, targets: Targets) -> Realism:
    """Return the realism of one advisor's arm of a finished rollout, all runs pooled.

    Day lines do not hold what an account is made of, so each run is made anew from its frozen answers, and compared
    with its log, action by action.

    Raises:
        ScenarioError: the rollout has no such advisor, or the targets name a regime that its trace has not.
        ReplayError, SealError: a file cannot be used, or a run does not come out as it was logged.
    """
    if advisor not in rollout.advisors:
        raise ScenarioError(str(rollout.path), f"holds no advisor {advisor}", f"name one of {rollout.advisors}")
    check_regimes(targets, rollout.slices, rollout.trace)
    wanted = {row.regime for row in targets.slices}
    totals: dict[Cell, list[int]] = {}
    people: dict[str, int] = {}
    for run in range(1, rollout.config.runs + 1):
        watch = _watched(rollout, advisor, run)
        lanes = rollout.lanes(run)
        for one in lanes:
            people[one.profile] = people.get(one.profile, 0) + 1
        for regime in wanted:
            for one, row in zip(lanes, watch.counts(rollout.slices[regime]).tolist(), strict=True):
                old = totals.get((one.profile, regime), [0] * len(row))
                totals[one.profile, regime] = [left + right for left, right in zip(old, row, strict=True)]
    found = {cell: figures(counts, people[cell[0]], Days.of(rollout.trace, rollout.slices[cell[1]]))
             for cell, counts in totals.items()}
    shares: dict[str, Fraction] = {str(name): share for name, share in rollout.population.weights().items()}
    behaviour = score_behaviour(targets, found, slice_weights(shares, rollout.slices))
    said = list(_judged(rollout, advisor))
    return Realism(behaviour, dialogue_quality(said, shares), len(said))


def _watched(rollout: Rollout, advisor: str, run: int) -> Watch:
    """Return what a run did, made anew from its answers."""
    task, config = rollout.path / "tasks" / advisor / str(run), rollout.config
    watch = Watch(rollout.trace, range(rollout.first, rollout.last + 1))
    gate = None
    if config.gate:
        judge = judge_by(contract_of(rollout.path, rollout.manifest))
        gate = EpisodeJudge(judge, rollout.trace, advisor, config).admits
    theta = load_theta(rollout.path / "inputs" / "theta.json")
    with frozen_advisor(advisor, task) as frozen:
        advisors: dict[str, Advisor] = dict.fromkeys(config.languages, frozen)
        lanes = seats(rollout.lanes(run), advisors, run, config.languages)
        Task(rollout.trace, lanes, theta, config, gate, watch=watch).go()
    logged = [list(course.action) for course in rollout.arm(advisor, run, 1).courses]
    if [list(map(int, column)) for column in zip(*watch.actions, strict=True)] != logged:
        raise ReplayError(str(task), "does not come out as it was logged", "find out what happened with `audit replay`")
    return watch


class Said(NamedTuple):
    """The judge's two scores of the client's side of a consultation, 0 to 2 each."""

    investor: str
    profile: str
    logic: int
    realism: int


def _judged(rollout: Rollout, advisor: str) -> Iterable[Said]:
    for run in range(1, rollout.config.runs + 1):
        profiles = {one.id: str(one.profile) for one in rollout.lanes(run)}
        episodes, verdicts = (
            [orjson.loads(line) for line in rollout.folder.read(f"tasks/{advisor}/{run}/{name}.jsonl").splitlines()]
            for name in ("episodes", "verdicts"))
        for episode, verdict in zip(episodes, verdicts, strict=True):
            judgement: dict[str, Any] | None = verdict.get("judgement")
            if judgement is not None:
                name = episode["investor"]
                yield Said(name, profiles[name], judgement["logic"], judgement["realism"])


def dialogue_quality(said: Iterable[Said], shares: Mapping[str, Fraction]) -> Fraction | None:
    """Return S_Dial: over the consultations of an investor, the investors of a profile, and the profiles by share.

    An investor without a judged consultation leaves the mean. Source: seed paper 000, eqs 42 to 45.
    """
    own: dict[tuple[str, str], list[Fraction]] = {}
    for one in said:
        own.setdefault((one.profile, one.investor), []).append(Fraction(one.logic + one.realism, 4))
    by_profile: dict[str, list[Fraction]] = {}
    for (profile, _), scores in own.items():
        by_profile.setdefault(profile, []).append(_mean(scores))
    return spread((shares[profile], _mean(of)) for profile, of in by_profile.items())


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)
