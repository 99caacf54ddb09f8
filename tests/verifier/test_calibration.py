"""Calibration: the search on functions whose least value is known, and investors side by side under several θ."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.environments.fund_advice.account import Accounts
from replay.environments.fund_advice.advisors import advisor_named
from replay.environments.fund_advice.loop import Task, seats
from replay.environments.fund_advice.mind import Decision
from replay.environments.fund_advice.population import investors, load_population
from replay.environments.fund_advice.theta import adjust, load_theta
from replay.environments.fund_advice.updates import VARIABLES
from scenarios.canonical import canonical_bytes
from scenarios.errors import ReplayError, ScenarioError, SealError
from scenarios.files import build
from scenarios.json_exact import read_json
from scenarios.load import SHIPPED
from scenarios.manifest import Targets, Theta
from scenarios.rollouts import RolloutConfig
from scenarios.targets import BINS
from scenarios.theta import ONE, SWITCHES, Switch, Tunable
from scenarios.traces import Trace, load_trace
from verifier import calibration
from verifier.calibration import (
    Measured,
    Search,
    Simulator,
    Values,
    calibrate,
    load_targets,
    log_lines,
    promise_of,
    search,
    vector,
)
from verifier.realism import Watch, check_regimes
from verifier.recovery import (
    FULL,
    HIDDEN,
    START,
    Size,
    cohort_targets,
    hidden_values,
    record,
    recover,
    rows,
    sample_targets,
    split_lanes,
)

PEAKS = {"a": 14_000, "b": 4_000, "c": 26_000, "d": 10_000}


def tunables(names: Sequence[str] = tuple(PEAKS), value: int = 10_000) -> dict[str, Tunable]:
    return {name: Tunable(value=value, low=0, high=30_000, step=2_000) for name in names}


def bowl(candidates: Sequence[Values]) -> list[Measured]:
    """Least where every parameter is at its peak; the figures are how far each is from it."""
    found = []
    for one in candidates:
        figures = np.array([one[name] - PEAKS[name] for name in one], dtype=np.int64)
        found.append(Measured(Fraction(int(np.abs(figures).sum())), figures))
    return found


def size(figures: "np.ndarray") -> int:
    return int(np.abs(figures).sum())


def blind(figures: "np.ndarray") -> int:
    """Promises nothing, so that every move is made alone."""
    return 0


def test_the_least_value_of_a_bowl_is_found() -> None:
    found = search(bowl, size, tunables(), budget=200)

    assert (found.values, found.discrepancy, found.ended) == (PEAKS, Fraction(0), "nothing improves")


def test_it_is_found_one_coordinate_at_a_time_too() -> None:
    found = search(bowl, blind, tunables(), budget=500)

    assert (found.values, found.discrepancy, found.ended) == (PEAKS, Fraction(0), "nothing improves")


def test_a_valley_takes_a_joint_move() -> None:
    """Along a valley no parameter improves alone; what each did to the figures shows the way."""

    def valley(candidates: Sequence[Values]) -> list[Measured]:
        found = []
        for one in candidates:
            a, b = one["a"] - 10_000, one["b"] - 10_000
            figures = np.array([9 * (a - b), a + b - 16_000], dtype=np.int64)
            found.append(Measured(Fraction(int(np.abs(figures).sum())), figures))
        return found

    alone, joint = (search(valley, promise, tunables(("a", "b")), budget=60) for promise in (blind, size))

    assert alone.values == {"a": 10_000, "b": 10_000}
    assert (joint.values, joint.discrepancy) == ({"a": 18_000, "b": 18_000}, Fraction(0))


def test_a_promise_that_is_broken_is_not_kept() -> None:
    """What is kept is decided by D alone."""
    found = search(bowl, lambda figures: -size(figures), tunables(), budget=60)

    assert found.discrepancy <= found.log[0].discrepancy
    assert found.discrepancy == bowl([found.values])[0].discrepancy


def test_the_budget_is_kept() -> None:
    asked: list[Values] = []

    def counted(candidates: Sequence[Values]) -> list[Measured]:
        asked.extend(candidates)
        return bowl(candidates)

    found = search(counted, blind, tunables(), budget=11)

    assert (len(asked), len(found.log), found.ended) == (11, 11, "budget")
    assert [one.number for one in found.log] == list(range(1, 12))
    assert found.discrepancy == min(one.discrepancy for one in found.log)


def test_nothing_is_evaluated_twice() -> None:
    found = search(bowl, size, tunables(), budget=500)
    tried = [tuple(one.values.values()) for one in found.log]

    assert len(set(tried)) == len(tried)


def test_a_start_that_is_best_ends_after_a_sweep_to_either_side() -> None:
    best = {name: Tunable(value=peak, low=0, high=30_000, step=2_000) for name, peak in PEAKS.items()}
    found = search(bowl, size, best, budget=500)

    assert (found.values, found.ended) == (PEAKS, "nothing improves")
    assert len(found.log) == 1 + 4 * len(PEAKS)  # two strides, two sides


STEPS = st.integers(0, 15)


@given(start=STEPS, peaks=st.lists(STEPS, min_size=1, max_size=5), budget=st.integers(1, 60), joint=st.booleans())
def test_a_search_stays_in_range_and_never_ends_worse(
    start: int, peaks: list[int], budget: int, joint: bool
) -> None:
    names = "abcde"[: len(peaks)]

    def apart(candidates: Sequence[Values]) -> list[Measured]:
        rows = [np.array([one[name] - 2_000 * peak for name, peak in zip(names, peaks, strict=True)])
                for one in candidates]
        return [Measured(Fraction(size(row)), row) for row in rows]

    found = search(apart, size if joint else blind, tunables(names, 2_000 * start), budget)

    assert found.discrepancy <= found.log[0].discrepancy
    assert found.discrepancy == apart([found.values])[0].discrepancy
    assert all(0 <= value <= 30_000 and value % 2_000 == 0 for one in found.log for value in one.values.values())
    assert len(found.log) <= budget


# Investors side by side.


@pytest.fixture(scope="module")
def trace() -> Trace:
    return load_trace(SHIPPED / "traces" / "small-1")


@pytest.fixture(scope="module")
def pair(trace: Trace) -> Simulator:
    return Simulator(trace, load_population(), 7, (1, 2))


THETAS = (load_theta(), adjust(load_theta(), {"buy_odds": 20_000, "loss_gain": 2_000, "recall_gain": 12_000}),
          adjust(load_theta(), {"ask_odds": 24_000, "move_gain": 2_000, "risk_gain": 20_000, "affect_gain": 0}))


def test_side_by_side_is_one_after_the_other(trace: Trace, pair: Simulator) -> None:
    """Neither another θ nor another run among the lanes changes what an investor does."""
    together = pair.counts(THETAS)
    for theta, both in zip(THETAS, together, strict=True):
        alone = [Simulator(trace, load_population(), 7, (run,)).counts([theta])[0]["full"] for run in (1, 2)]
        assert (both["full"] == np.concatenate(alone)).all()
    assert not (together[0]["full"] == together[1]["full"]).all()


@pytest.mark.parametrize("switch", [None, *SWITCHES])
def test_side_by_side_without_a_component(trace: Trace, switch: Switch | None) -> None:
    """The arrays that lanes share or have of their own are the same ones, whatever is taken out."""
    simulator = Simulator(trace, load_population(), 7, (1,))
    thetas = [adjust(theta, off=(switch,) if switch else ()) for theta in THETAS[:2]]
    together = simulator.counts(thetas)

    assert all((both["full"] == simulator.counts([theta])[0]["full"]).all()
               for theta, both in zip(thetas, together, strict=True))


def test_chances_have_the_mean_of_what_is_done(pair: Simulator) -> None:
    """In all, within three standard deviations of the draws; and day by day they are no more than chances."""
    done, expected = (pair.counts(THETAS[:1], expected=chances)[0]["full"].sum(axis=0)[BINS:] / ONE
                      for chances in (False, True))

    assert (np.abs(done - expected) <= 3 * np.sqrt(done)).all()
    assert (expected != done).all()


# What moves an action, with the loop and Baseline-Rule.


def acts(trace: Trace, theta: Theta, hold: str | None = None) -> "np.ndarray":
    """The executed actions of three runs; hold: the state variable that stands 0.2 above its start every evening."""
    advisors = {language: advisor_named("baseline-rule", language) for language in ("en", "zh")}
    lanes = [seat for run in (1, 2, 3)
             for seat in seats(investors(load_population(), 7, run), advisors, run, ("en", "zh"))]
    watch = Watch(trace, trace.slices["full"])

    def meddle(accounts: Accounts, decision: Decision, action: "np.ndarray") -> None:
        watch(accounts, decision, action)
        if hold is not None:
            task.mind.state()[hold][:] = start[hold] + 2_000

    task = Task(trace, lanes, theta, RolloutConfig(seed=7), watch=meddle)
    start = {name: values.copy() for name, values in task.mind.state().items()}
    task.go()
    return np.array(watch.actions)


@pytest.fixture(scope="module")
def usual(trace: Trace) -> "np.ndarray":
    return acts(trace, load_theta())


@pytest.mark.parametrize("switch", SWITCHES)
def test_each_component_changes_an_executed_action(trace: Trace, usual: "np.ndarray", switch: Switch) -> None:
    assert (acts(trace, adjust(load_theta(), off=(switch,))) != usual).any()


@pytest.mark.parametrize("name", [one.name for one in VARIABLES])
def test_each_state_variable_changes_an_executed_action(trace: Trace, usual: "np.ndarray", name: str) -> None:
    assert (acts(trace, load_theta(), hold=name) != usual).any()


# A calibration.


def test_a_calibration_finds_its_own_start(pair: Simulator) -> None:
    """A cohort of the same draws and parameters is matched by the first evaluation, and by no other."""
    counts = pair.counts(THETAS[:1], expected=True)[0]
    targets = cohort_targets("t", pair, counts, range(len(pair.lanes)), ["full"])
    theta, found = calibrate(pair, THETAS[0], targets, budget=7, id="theta-same")

    assert found.discrepancy < Fraction(1, 10**4)  # elasticities of a cohort are rounded to 6 decimals
    assert [one.kept for one in found.log] == [True, *[False] * 6]
    assert (theta.id, theta.parameters) == ("theta-same", THETAS[0].parameters)


def test_a_promise_is_what_d_would_be(pair: Simulator) -> None:
    """Of figures that are there, it is D, but for the rounding of whole numbers."""
    first, second = (pair.counts([theta])[0] for theta in THETAS[:2])
    targets = cohort_targets("t", pair, first, range(len(pair.lanes)), ["full"])
    promise = promise_of(targets, pair.weights, pair.days)
    score = pair.score(second, targets).score

    assert score is not None
    assert abs(Fraction(promise(vector(pair.figures(second), targets)), 10**12) - (1 - score)) < Fraction(1, 10**3)
    assert promise(vector(pair.figures(first), targets)) < 10**9


def test_a_calibration_comes_nearer(pair: Simulator) -> None:
    """A cohort that asks twice as often is approached."""
    counts = pair.counts([adjust(THETAS[0], {"buy_odds": 20_000})])[0]
    targets = cohort_targets("t", pair, counts, range(len(pair.lanes)), ["full"])
    theta, found = calibrate(pair, THETAS[0], targets, budget=13)

    assert found.discrepancy < found.log[0].discrepancy
    assert theta.digest == theta.compute_digest()
    assert {name: one.value for name, one in theta.parameters.items()} == found.values


def test_the_log_says_what_went_in_and_what_came_out(pair: Simulator) -> None:
    found = search(bowl, size, tunables(), budget=5)
    first, *middle, last = (read_json(line, "log") for line in log_lines(found, seed=7))

    assert first == {"format": "calibration-log/1", "seed": 7}
    assert [one["number"] for one in middle] == [1, 2, 3, 4, 5]
    assert last["ended"] == "budget"


# Targets.


def test_targets_are_sealed(tmp_path: Path, pair: Simulator) -> None:
    counts = pair.counts(THETAS[:1])[0]
    targets = cohort_targets("mine", pair, counts, range(len(pair.lanes)), ["full"])
    path = tmp_path / "targets.json"
    path.write_bytes(targets.sealed_bytes())

    assert load_targets(path) == targets
    path.write_bytes(targets.sealed_bytes().replace(b'"mine"', b'"ours"'))
    with pytest.raises(SealError):
        load_targets(path)
    with pytest.raises(ReplayError, match="holds no targets"):
        load_targets(SHIPPED / "configs" / "theta-2.json")


def test_the_shipped_targets_are_what_the_code_says(trace: Trace) -> None:
    stored = (SHIPPED / "configs" / "targets-synthetic-1.json").read_bytes()

    assert stored == sample_targets(trace).sealed_bytes(), "write sample_targets(small-1).sealed_bytes() there"
    assert stored.count(b"synthetic") > 1


ROW = {"profile": "balanced", "regime": "bull", "users": 3, "risk_index": [1] * BINS}


@pytest.mark.parametrize(
    ("members", "match"),
    [
        ({"slices": [ROW, ROW]}, "list each profile and regime once"),
        ({"slices": [ROW], "taus": ["1", "0", "1"]}, "each is above 0"),
        ({"slices": [ROW], "weights": ["0.4", "0.4", "0.4"]}, "add up to 1"),
        ({"slices": [{**ROW, "risk_index": [1] * 9}]}, "at least 10"),
        ({"slices": [{**ROW, "buy_elasticity": 0.1}]}, "decimal string"),
    ],
)
def test_unusable_targets(members: dict[str, object], match: str) -> None:
    with pytest.raises(ReplayError, match=match):
        build(Targets, {"id": "t", "source": "s", **members}, "t")


def test_a_regime_that_the_trace_has_not_is_named(trace: Trace) -> None:
    targets = build(Targets, {"id": "t", "source": "s", "slices": [{**ROW, "regime": "boom"}]}, "t")

    with pytest.raises(ScenarioError, match="have the regime 'boom'"):
        check_regimes(targets, trace.slices, trace)


# The recovery experiment.


def test_a_fifth_of_every_cell_is_held_out() -> None:
    lanes = [(run, name) for run in range(1, 41) for name in ("a", "b", "c")]
    train, test = split_lanes(lanes)

    assert sorted((*train, *test)) == list(range(120))
    assert [sum(lanes[lane][1] == name for lane in test) for name in ("a", "b", "c")] == [8, 8, 8]
    assert len({lanes[lane][0] for lane in test}) > 8  # not the same runs in every cell


def test_hidden_parameters_lie_off_the_shipped_ones() -> None:
    theta = load_theta()
    hidden = hidden_values(theta, 1)

    assert all(hidden[name] != one.value and abs(hidden[name] - one.value) <= 3 * one.step
               for name, one in theta.parameters.items())
    assert hidden != hidden_values(theta, 2)


@pytest.mark.slow
def test_the_experiment_on_a_reduced_size() -> None:
    """One seed of ten and a handful of evaluations on the shipped trace: the shape, and the same twice."""
    reduced = Size(seeds=5, budget=4, fitted=1, scored=2, resamples=40)
    one, other = (recover(SHIPPED / "traces" / "small-1", 1, reduced, jobs) for jobs in (1, 2))

    assert canonical_bytes([list(row) for row in rows(one)]) == canonical_bytes([list(row) for row in rows(other)])
    assert [row.name for row in one.rows] == [FULL, *(f"w/o {name}" for name in SWITCHES), HIDDEN, START]
    assert all(row.search is None or len(row.search.log) == 4 for row in one.rows)
    assert record(one)["hidden"] == hidden_values(load_theta(), 1)
    assert isinstance(one.row(FULL).search, Search)
    assert calibration.BUDGET == 40
