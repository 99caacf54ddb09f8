"""Scores over finished runs: every definition on cases small enough to check by hand."""

import json
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenarios.action import Action, Order
from scenarios.canonical import canonical_bytes
from scenarios.errors import ScenarioError
from tests.builders import buys
from verifier.scores import (
    CAUSES,
    COLUMNS,
    RunView,
    Scores,
    Yardstick,
    agreement,
    cause,
    common_scenarios,
    mean_set_overlap,
    mean_size_overlap,
    restrict,
    score,
    score_table,
)
from verifier.verdict import STATES, UNREADABLE, Verdict

Held = Mapping[str, int] | str
"""What a run buys, name to cents; or the state of an unreadable run."""


def a_run(held: Held, *, failed: Sequence[str] = (), scenario: str = "s1", run: int = 1) -> RunView:
    """Return a run that buys this: INADMISSIBLE if a code failed, else as what it buys says."""
    if isinstance(held, str):
        return RunView(scenario, run, held)
    state = "INADMISSIBLE" if failed else "ADMISSIBLE" if held else "ABSTAINED"
    return RunView(scenario, run, state, tuple(failed), tuple(sorted(held.items())))


def runs_of(*several: Held | RunView, scenario: str = "s1") -> list[RunView]:
    """Return runs 1, 2, ... of one scenario."""
    views = [held if isinstance(held, RunView) else a_run(held) for held in several]
    return [view._replace(scenario=scenario, run=number) for number, view in enumerate(views, 1)]


def never(scenario: str, names: frozenset[str]) -> bool:
    """No re-sizing helps."""
    return False


def always(scenario: str, names: frozenset[str]) -> bool:
    """Re-sizing always helps."""
    return True


def scored(
    *runs: RunView, funded: str = "A", bound: int = 90_000, amounts_required: bool = True,
    resized_is_valid: Callable[[str, frozenset[str]], bool] = never,
) -> Scores:
    """Return the scores of these runs, every scenario with the same yardstick; funded: one letter a name."""
    yardstick = Yardstick(frozenset(funded), bound, amounts_required)
    return score("toy", runs, {run.scenario: yardstick for run in runs}, resized_is_valid)


# Agreement


@pytest.mark.parametrize(
    ("bought", "funded", "expected"),
    [
        pytest.param("A", "A", Fraction(1), id="the funded name"),
        pytest.param("ABC", "A", Fraction(1), id="more than the funded name costs nothing here"),
        pytest.param("B", "A", Fraction(0), id="another name"),
        pytest.param("AX", "AB", Fraction(1, 2), id="one of two"),
        pytest.param("AB", "ABC", Fraction(2, 3), id="two of three"),
        pytest.param("", "A", Fraction(0), id="a hold where the baseline buys"),
        pytest.param("", "", Fraction(1), id="k = 0: a hold agrees fully"),
        pytest.param("A", "", Fraction(0), id="k = 0: a buy does not agree"),
        pytest.param(None, "A", Fraction(0), id="unreadable"),
        pytest.param(None, "", Fraction(0), id="k = 0: unreadable is no hold"),
    ],
)
def test_agreement(bought: str | None, funded: str, expected: Fraction) -> None:
    """A_j = |r_j & b| / k, with k = 0 and unreadable runs defined."""
    assert agreement(None if bought is None else frozenset(bought), frozenset(funded)) == expected


def test_a_false_positive_contains_the_funded_set_and_is_not_valid() -> None:
    """Full agreement counts only with an invalid run, and an invalid run only with full agreement."""
    scores = scored(*runs_of(
        {"A": 900},
        a_run({"A": 500, "B": 400}, failed=["COST01"]),
        a_run({"B": 900}, failed=["LIM02"]),
        "MALFORMED",
    ))
    assert scores.agreement == Fraction(1, 2)
    assert scores.agreement_false_positive == Fraction(1, 4)
    half = scored(a_run({"A": 900}, failed=["LIM02"]), funded="AB")
    assert (half.agreement, half.agreement_false_positive) == (Fraction(1, 2), Fraction(0))


# Set stability


@pytest.mark.parametrize(
    ("bought", "expected"),
    [
        pytest.param(["A", "A", "A"], Fraction(1), id="the same each time"),
        pytest.param(["A", "B"], Fraction(0), id="disjoint"),
        pytest.param(["AB", "BC"], Fraction(1, 3), id="one of three in common"),
        pytest.param(["AB", "A", "A"], Fraction(2, 3), id="pairs 1/2, 1/2, 1"),
        pytest.param(["", ""], Fraction(1), id="two holds overlap fully"),
        pytest.param(["", "A"], Fraction(0), id="a hold and an order"),
        pytest.param(["A", "", ""], Fraction(1, 3), id="order, hold, hold"),
        pytest.param([None, None], Fraction(0), id="two unreadable runs"),
        pytest.param([None, "A"], Fraction(0), id="unreadable and an order"),
        pytest.param([None, ""], Fraction(0), id="unreadable is no hold"),
        pytest.param([None, "A", "A"], Fraction(1, 3), id="one unreadable run of three"),
        pytest.param(["A"], None, id="one run has no pair"),
    ],
)
def test_set_overlap(bought: list[str | None], expected: Fraction | None) -> None:
    """The mean Jaccard overlap of a scenario's pairs."""
    assert mean_set_overlap([None if names is None else frozenset(names) for names in bought]) == expected


# Sizing stability


NAIVE = [{"A": first, "B": 900 - first} for first in (600, 570, 540, 510, 480)]


@pytest.mark.parametrize(
    ("held", "expected"),
    [
        pytest.param(NAIVE, Fraction(14, 15), id="the paper's naive diversifier, 0.93"),
        pytest.param([{"A": 450, "B": 450}, {"A": 495, "B": 405}, {"A": 540, "B": 360}], Fraction(14, 15),
                     id="three runs give the same"),
        pytest.param([{"A": 900}, {}, {}], Fraction(1, 3), id="the under-deployer: order, hold, hold"),
        pytest.param([{"A": 900}, {"A": 300}], Fraction(1), id="shares of the total, not cents"),
        pytest.param([{"A": 600, "B": 300}, {"A": 300, "C": 300}], Fraction(1, 2), id="half in common"),
        pytest.param([{}, {}], Fraction(1), id="two holds are both cash"),
        pytest.param([{}, {"A": 1}], Fraction(0), id="a hold and an order"),
        pytest.param([None, None], Fraction(0), id="two unreadable runs"),
        pytest.param([None, {}], Fraction(0), id="unreadable is no hold"),
        pytest.param([None, {"A": 900}, {"A": 900}], Fraction(1, 3), id="one unreadable run of three"),
        pytest.param([{"A": 900}], None, id="one run has no pair"),
    ],
)
def test_size_overlap(held: list[Mapping[str, int] | None], expected: Fraction | None) -> None:
    """1 less the mean total variation of a scenario's pairs."""
    assert mean_size_overlap([None if run is None else tuple(sorted(run.items())) for run in held]) == expected


def test_fractions_of_a_cent_stay_exact() -> None:
    """An order in fractional shares may come to a fraction of a cent."""
    third = (("A", Fraction(1, 3)), ("B", Fraction(2, 3)))
    assert mean_size_overlap([third, (("A", 1), ("B", 2))]) == 1


def test_both_stabilities_are_means_over_scenarios() -> None:
    """First over the pairs of a scenario, then over scenarios."""
    scores = scored(*runs_of(*NAIVE), *runs_of({"A": 1}, {"A": 1}, {}, {}, {}, scenario="s2"))
    assert scores.stability == (1 + Fraction(4, 10)) / 2
    assert scores.sizing_stability == (Fraction(14, 15) + Fraction(4, 10)) / 2


def test_sizes_count_only_where_amounts_are_required() -> None:
    """A scenario that asks for no amounts enters set stability, not sizing stability or deployment."""
    runs = [*runs_of({"A": 900}, {"B": 900}), *runs_of({"A": 0}, {"A": 0}, scenario="free")]
    sized = Yardstick(frozenset("A"), 900, True)
    scores = score("toy", runs, {"s1": sized, "free": sized._replace(amounts_required=False)}, never)
    assert (scores.stability, scores.sizing_stability) == (Fraction(1, 2), Fraction(0))
    assert scores.deployed_share == 1
    free = scored(*runs_of({"A": 0}, {"A": 0}), amounts_required=False)
    assert (free.stability, free.sizing_stability, free.deployed_share) == (Fraction(1), None, None)


def test_one_run_has_no_stability() -> None:
    """Null, not 1: nothing was repeated."""
    scores = scored(a_run({"A": 900}))
    assert (scores.stability, scores.sizing_stability) == (None, None)


# Validity, abstention, deployment, pass^k


def test_validity_over_all_runs_and_over_readable_ones() -> None:
    """Strict divides by the plan; answered leaves out what could not be read."""
    scores = scored(*runs_of(
        {"A": 900}, {}, a_run({"A": 900}, failed=["LIM02"]), "MALFORMED", "TRUNCATED", "ERROR"
    ))
    assert scores.states == dict.fromkeys(STATES, 1)
    assert (scores.validity_strict, scores.validity_answered) == (Fraction(1, 3), Fraction(2, 3))
    assert scores.abstention_rate == Fraction(1, 6)


def test_nothing_readable_has_no_answered_validity() -> None:
    """0 strict, null answered."""
    scores = scored(*runs_of("ERROR", "ERROR"))
    assert (scores.validity_strict, scores.validity_answered) == (Fraction(0), None)
    assert scores.record()["validity"]["answered"] is None
    assert scores.summary()["validity"]["answered"] is None


def test_deployed_share_counts_valid_runs_only() -> None:
    """Cents bought in valid runs over the bound of every planned run."""
    valid, invalid = {"A": 50_000, "B": 10_000}, a_run({"A": 90_000}, failed=["LIM02"])
    assert scored(*runs_of(valid, invalid, {}, "ERROR")).deployed_share == Fraction(60_000, 4 * 90_000)
    assert scored(*runs_of({}, {}), bound=0).deployed_share is None


def test_pass_k_needs_every_run_of_a_scenario() -> None:
    """One failed run loses its scenario and no other; a hold is valid."""
    failed = a_run({"A": 1}, failed=["LIM02"])
    scores = scored(
        *runs_of({"A": 1}, {}), *runs_of({"A": 1}, failed, scenario="s2"), *runs_of("ERROR", {}, scenario="s3")
    )
    assert scores.pass_k == Fraction(1, 3)


# Codes and causes


def test_codes_count_runs_and_pairs_of_codes() -> None:
    """A run counts once for each code it carries and once for each pair of them."""
    scores = scored(*runs_of(
        a_run({"A": 1}, failed=["LIM01", "COST01", "COST02"]), a_run({"A": 1}, failed=["COST01", "COST02"]),
        a_run({"A": 1}, failed=["GRND01"]), {"A": 1},
    ))
    assert scores.violations == {"COST01": 2, "COST02": 2, "GRND01": 1, "LIM01": 1}
    assert scores.co_occurrence == {"COST01+COST02": 2, "COST01+LIM01": 1, "COST02+LIM01": 1}
    assert list(scores.violations) == sorted(scores.violations)


@pytest.mark.parametrize(
    ("run", "resized", "expected"),
    [
        pytest.param(a_run({"A": 1}), always, None, id="valid"),
        pytest.param(a_run({}), always, None, id="a valid hold"),
        pytest.param(a_run("MALFORMED"), always, "unreadable", id="malformed"),
        pytest.param(a_run("ERROR"), always, "unreadable", id="a clause that could not be computed"),
        pytest.param(a_run({"A": 1}, failed=["COST01"]), always, "computation", id="the same names, sized well, hold"),
        pytest.param(a_run({"A": 1}, failed=["UNIV01"]), never, "judgement", id="no size makes these names hold"),
        pytest.param(a_run({"A": 1}, failed=["GRND01", "GRND02"]), always, "grounding", id="citations, sizes fine"),
        pytest.param(a_run({"A": 1}, failed=["GRND01"]), never, "grounding", id="only citations"),
        pytest.param(a_run({"A": 1}, failed=["COST01", "GRND01"]), always, "mixed", id="sizes and citations"),
        pytest.param(a_run({"A": 1}, failed=["GRND01", "UNIV01"]), never, "judgement", id="names and citations"),
    ],
)
def test_cause(run: RunView, resized: Callable[[str, frozenset[str]], bool], expected: str | None) -> None:
    """Each failed run has one cause."""
    assert cause(run, resized) == expected


def test_equal_runs_are_resized_once() -> None:
    """The planner is asked once for the same names of one scenario, and told which they are."""
    asked: list[tuple[str, frozenset[str]]] = []

    def resized_is_valid(scenario: str, names: frozenset[str]) -> bool:
        asked.append((scenario, names))
        return scenario == "s1"

    failed = [a_run({"A": size, "B": 1}, failed=["COST01"]) for size in (1, 2, 3)]
    scores = scored(*runs_of(*failed), *runs_of(*failed, scenario="s2"), resized_is_valid=resized_is_valid)
    assert asked == [("s1", frozenset("AB")), ("s2", frozenset("AB"))]
    assert scores.causes == {"unreadable": 0, "computation": 3, "grounding": 0, "mixed": 0, "judgement": 3}


# Views of verdicts


def a_verdict(action: Action | None, state: str = "INADMISSIBLE") -> Verdict:
    """Return a verdict with one clause in each state."""
    clauses = {"COST01": "FAIL", "COST02": "PASS", "LIM01": "WAIVED", "LIM02": "NOT_APPLICABLE", "UNIV01": "FAIL"}
    return Verdict("s1", 2, state, clauses, (), (), None, {}, action)


def test_a_view_reads_buys_and_failed_codes() -> None:
    """Orders of one name add up, sales are no buys, an order without a size counts as bought for 0 cents."""
    action = Action([
        Order("B", "buy", 100), Order("A", "buy", 300), Order("B", "buy", 50), Order("C", "sell", 70), Order("D"),
    ])
    view = RunView.of(a_verdict(action))
    assert view == RunView("s1", 2, "INADMISSIBLE", ("COST01", "UNIV01"), (("A", 300), ("B", 150), ("D", 0)))
    assert view.names == frozenset("ABD")


@pytest.mark.parametrize("action", [None, buys([1, 2]), Action()])
def test_a_stored_verdict_gives_the_same_view(action: Action | None) -> None:
    """Yesterday's record and its parsed action score as the verdict itself."""
    verdict = a_verdict(action)
    assert RunView.stored(json.loads(canonical_bytes(verdict.record())), action) == RunView.of(verdict)


def test_an_action_of_an_unreadable_run_earns_nothing() -> None:
    """A run in ERROR keeps its action in the log, and the scores do not read it."""
    action = Action([Order("A", "buy", 900), Order("B")])
    scores = scored(*(RunView.of(a_verdict(action, "ERROR"))._replace(run=run) for run in (1, 2)))
    for share in (scores.agreement, scores.stability, scores.sizing_stability, scores.deployed_share):
        assert share == 0
    assert scores.violations == {"COST01": 2, "UNIV01": 2}


# Input that cannot be scored


@pytest.mark.parametrize(
    ("runs", "message"),
    [
        pytest.param([], "toy: no runs to score", id="an empty suite"),
        pytest.param([a_run({}), a_run({})], r"toy, s1: has the runs \[1, 1\], expected each of 1 to 2", id="twice"),
        pytest.param([a_run({}, run=2)], r"toy, s1: has the runs \[2\]", id="a run left out"),
        pytest.param([*runs_of({}, {}), a_run({}, scenario="s2")], r"toy, s2: has the runs \[1\]", id="uneven plan"),
        pytest.param([a_run("FINE")], "toy, s1 run 1: unknown state 'FINE'", id="unknown state"),
    ],
)
def test_refused(runs: list[RunView], message: str) -> None:
    """The message names the advisor and the place."""
    with pytest.raises(ScenarioError, match=message):
        scored(*runs)


def test_a_scenario_without_a_yardstick_is_refused() -> None:
    """Answers to another bank cannot be scored."""
    with pytest.raises(ScenarioError, match="toy, s1: no yardstick"):
        score("toy", [a_run({})], {}, never)


# Output


def test_record() -> None:
    """Exact values and printed ones, without a float."""
    runs = [a_run({"A": 900}) if n < 7 else a_run({"A": 1}, failed=["COST01"]) for n in range(12)]
    record = scored(*runs_of(*runs)).record()
    assert record["validity"]["strict"] == {"exact": "7/12", "printed": "0.58", "low": "0.2766", "high": "0.8484"}
    assert record["agreement"] == {"exact": "1", "printed": "1.00"}
    assert record["agreement_false_positive"] == {"exact": "5/12", "printed": "0.42"}
    assert record["violations"] == {"COST01": 5}
    assert canonical_bytes(record)


def test_record_of_a_single_run_has_nulls() -> None:
    """An undefined score is null, never 0."""
    record = scored(a_run({})).record()
    assert record["stability"] is record["sizing_stability"] is None


def test_a_share_with_a_long_denominator_is_written_rounded() -> None:
    """Made-up sizes can need thousands of digits; then 12 decimals stand there, marked."""
    scores = scored(a_run({"A": 1}))
    for bits, exact in ((255, f"1/{2**255}"), (256, "~0.000000000000")):
        written = scores._replace(stability=Fraction(1, 2**bits)).record()["stability"]
        assert written == {"exact": exact, "printed": "0.00"}
    enormous = Fraction(2 * 10**9_000 - 1, 3 * 10**9_000)
    assert scores._replace(stability=enormous).record()["stability"]["exact"] == "~0.666666666667"


def test_summary_has_the_published_shape() -> None:
    """`audit bank --json`: numbers with 4 decimals, the bounds those of strict validity."""
    runs = runs_of({"A": 90_000}, {}, a_run({"A": 1}, failed=["GRND01"]), "TRUNCATED")
    assert scored(*runs).summary() == {
        "id": "toy", "runs": 4,
        "states": {"ERROR": 0, "TRUNCATED": 1, "MALFORMED": 0, "INADMISSIBLE": 1, "ABSTAINED": 1, "ADMISSIBLE": 1},
        "validity": {"strict": 0.5, "answered": 0.6667, "low": 0.0675, "high": 0.9325},
        "stability": 0.1667, "sizing_stability": 0.1667, "agreement": 0.5, "agreement_false_positive": 0.25,
        "abstention_rate": 0.25, "deployed_share": 0.25, "pass_k": 0.0, "violations": {"GRND01": 1},
        "causes": {"unreadable": 1, "computation": 0, "grounding": 1, "mixed": 0, "judgement": 0},
    }


def test_table() -> None:
    """The paper's columns first; undefined is a dash."""
    several = scored(*runs_of({"A": 90_000}, {}, {}, "ERROR"))
    rows = score_table([several, scored(a_run("ERROR"))._replace(id="broken")])
    assert dict(zip(COLUMNS, rows[0], strict=True)) == {
        "Advisor": "toy", "Valid": "0.75", "Agree": "0.25", "Set S": "0.17", "Agr.-FP": "0.00",
        "S_w": "0.17", "Answered": "1.00", "Abst.": "0.50", "Deployed": "0.25", "pass^k": "0.00",
    }
    assert rows[1] == ("broken", "0.00", "0.00", "-", "0.00", "-", "-", "0.00", "0.00", "0.00")


def test_advisors_meet_on_their_common_scenarios() -> None:
    """A comparison keeps the runs of the scenarios that all of them have."""
    wide = [*runs_of({}, scenario="s1"), *runs_of({}, scenario="s2"), *runs_of({}, scenario="s3")]
    narrow = [*runs_of({}, scenario="s3"), *runs_of({}, scenario="s2"), *runs_of({}, scenario="s4")]
    assert common_scenarios([wide, narrow]) == ["s2", "s3"]
    assert common_scenarios([]) == []
    assert [run.scenario for run in restrict(narrow, common_scenarios([wide, narrow]))] == ["s3", "s2"]


# Laws


def some_runs(draw: Any) -> list[RunView]:
    """Return a plan of up to 3 scenarios by up to 4 runs."""
    held = st.dictionaries(st.sampled_from("ABCD"), st.integers(1, 6), max_size=3)
    codes = st.lists(st.sampled_from(["COST01", "GRND01", "LIM01"]), max_size=2, unique=True)
    one = st.one_of(st.sampled_from(sorted(UNREADABLE)).map(a_run), st.builds(a_run, held, failed=codes))
    each = draw(st.integers(1, 4))
    plans = draw(st.lists(st.lists(one, min_size=each, max_size=each), min_size=1, max_size=3))
    return [run for number, plan in enumerate(plans) for run in runs_of(*plan, scenario=f"s{number}")]


PLANS = st.composite(some_runs)()


def pairwise(runs: list[RunView], overlap: Callable[[RunView, RunView], Fraction]) -> Fraction | None:
    """Return the mean over pairs, then over scenarios, pair by pair as the paper writes it."""
    means = []
    for scenario in {run.scenario for run in runs}:
        pairs = list(combinations([run for run in runs if run.scenario == scenario], 2))
        if pairs:
            means.append(sum((overlap(*pair) for pair in pairs), Fraction(0)) / len(pairs))
    return sum(means, Fraction(0)) / len(means) if means else None


def jaccard(left: RunView, right: RunView) -> Fraction:
    """Return J, two holds 1, an unreadable run 0."""
    if left.names is None or right.names is None:
        return Fraction(0)
    union = left.names | right.names
    return Fraction(len(left.names & right.names), len(union)) if union else Fraction(1)


def one_less_total_variation(left: RunView, right: RunView) -> Fraction:
    """Return 1 - TV, TV = half the sum of absolute differences of weights, cash among them."""
    if left.names is None or right.names is None:
        return Fraction(0)
    first, second = (
        {name: Fraction(cents, sum(dict(run.buys).values())) for name, cents in run.buys} or {"cash": Fraction(1)}
        for run in (left, right)
    )
    return 1 - sum((abs(first.get(key, Fraction(0)) - second.get(key, Fraction(0))) for key in {*first, *second}),
                   Fraction(0)) / 2


@given(runs=PLANS)
def test_stabilities_are_what_the_paper_writes(runs: list[RunView]) -> None:
    """Grouping equal runs and ranking weights change nothing."""
    scores = scored(*runs)
    assert scores.stability == pairwise(runs, jaccard)
    assert scores.sizing_stability == pairwise(runs, one_less_total_variation)


@given(runs=PLANS, seed=st.integers(0, 1_000))
def test_order_does_not_matter(runs: list[RunView], seed: int) -> None:
    """Neither the order of the runs nor of the scenarios moves a byte; nor do the names of the runs."""
    shuffled = list(runs)
    Random(seed).shuffle(shuffled)
    expected = canonical_bytes(scored(*runs).record())
    assert canonical_bytes(scored(*shuffled).record()) == expected
    last = max(run.run for run in runs)
    assert canonical_bytes(scored(*(run._replace(run=last + 1 - run.run) for run in runs)).record()) == expected


@given(runs=PLANS, resized=st.sampled_from([always, never]))
def test_everything_is_counted_once(runs: list[RunView], resized: Callable[[str, frozenset[str]], bool]) -> None:
    """States add up to the plan and causes to the failed runs; every share lies in [0, 1]."""
    scores = scored(*runs, resized_is_valid=resized)
    assert sum(scores.states.values()) == scores.runs == len(runs)
    assert tuple(scores.causes) == CAUSES
    assert sum(scores.causes.values()) == scores.runs - scores.valid
    for share in (scores.stability, scores.sizing_stability, scores.agreement, scores.agreement_false_positive,
                  scores.validity_strict, scores.validity_answered, scores.abstention_rate, scores.pass_k):
        assert share is None or 0 <= share <= 1
    assert scores.agreement_false_positive <= min(scores.agreement, 1 - scores.validity_strict)
    assert scores.pass_k <= scores.validity_strict


@given(runs=PLANS)
def test_a_bank_twice_over_scores_the_same(runs: list[RunView]) -> None:
    """Every share is a mean, so a second copy of each scenario moves none."""
    once = scored(*runs)
    twice = scored(*runs, *(run._replace(scenario=f"{run.scenario}-copy") for run in runs))
    assert twice._measures() == once._measures()
    assert twice.validity_answered == once.validity_answered
    assert twice.violations == {code: 2 * count for code, count in once.violations.items()}


def test_an_unsized_run_overlaps_nothing_in_size() -> None:
    """An order in shares of an unknown name has no cents: the run cannot pass for a repeat of itself."""
    scores = scored(a_run({"A": 0}, failed=["UNIV01"]), a_run({"A": 0}, run=2, failed=["UNIV01"]))

    assert (scores.stability, scores.sizing_stability) == (1, 0)


def test_a_refused_sale_is_judgement_even_where_the_buys_can_be_re_sized() -> None:
    """Re-sizing what is bought does not mend a sale of what is not held."""
    run = a_run({"A": 900}, failed=["COST01", "UNIV04"])

    assert cause(run, lambda scenario, names: True) == "judgement"
