"""The printed table 3 and its taxonomy come out of judging the frozen answers. Source: seed paper 003, table 3.

Agr.-FP, agreement on holds and stability of holds are as docs/bank.md defines them.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache

import pytest

from replay.rules import RuleAdvisor, answer_lines
from replay.stressors import RUNS, STRESSORS
from scenarios.action import Action
from scenarios.baseline.planner import funded
from scenarios.exact import round_half_up
from scenarios.load import SHIPPED, Answers, Bank, load_answers, load_bank, read_answer_lines, shipped_contract
from scenarios.manifest import Plan
from scenarios.sealed import join_lines, load_contract
from scenarios.types import Scenario
from verifier.bank import recompute
from verifier.contract import Judge
from verifier.scores import Scores

PRINTED = {
    "contract": ("1.00", "0.92", "1.00", "0.00"),
    "agreement-split": ("0.58", "0.94", "1.00", "0.42"),
    "unstable-selector": ("0.95", "0.32", "0.13", "0.00"),
    "fact-hallucination": ("0.67", "0.92", "1.00", "0.33"),
    "cash-overrun": ("0.50", "0.68", "1.00", "0.42"),
}
"""Valid, agree, set S, Agr.-FP."""

TAXONOMY = {"LIM02": 300, "GRND01": 200, "COST01": 150, "LIM01": 150, "COST02": 100}
"""Cash overruns, ungrounded facts, fee-worsening splits, recommendation-cap breaches, below-floor orders."""

EXACT = {
    "contract": (600, Fraction(11, 12), Fraction(1), 0, {}),
    "agreement-split": (350, Fraction(17, 18), Fraction(1), 250, {"COST01": 150, "COST02": 100, "LIM01": 150}),
    "unstable-selector": (570, Fraction(23, 72), Fraction(2, 15), 0, {}),
    "fact-hallucination": (400, Fraction(11, 12), Fraction(1), 200, {"GRND01": 200}),
    "cash-overrun": (300, Fraction(49, 72), Fraction(1), 250, {"LIM02": 300}),
}
"""Valid runs, agreement, set stability, agreement-only false positives, runs by code."""


@cache
def judge() -> Judge:
    """The contract that ships, all of its clauses."""
    return Judge(load_contract(shipped_contract()))


@cache
def bank() -> Bank:
    """The bank that ships."""
    return load_bank(SHIPPED / "bank-1")


@cache
def frozen(name: str) -> Answers:
    """The frozen answers of one stressor."""
    return load_answers(SHIPPED / "answers" / "bank-1" / name, bank())


@cache
def scores(name: str) -> Scores:
    """The scores of one stressor's frozen answers."""
    return rescore(frozen(name))


def rescore(answers: Answers, on: Bank | None = None) -> Scores:
    """The scores of any answers."""
    return recompute(judge(), on or bank(), [answers]).scores[0]


def printed(row: Scores) -> tuple[str, ...]:
    """The four cells of a row as the paper prints them."""
    shown = (row.validity_strict, row.agreement, row.stability, row.agreement_false_positive)
    return tuple("-" if value is None else round_half_up(value, 2) for value in shown)


@pytest.mark.parametrize("name", PRINTED)
def test_every_printed_cell(name: str) -> None:
    """Each cell to its printed precision, and the exact value behind it."""
    row = scores(name)
    valid, agreement, stability, false_positives, codes = EXACT[name]

    assert printed(row) == PRINTED[name]
    assert row.runs == 600
    assert row.valid == valid
    assert (row.agreement, row.stability) == (agreement, stability)
    assert row.agreement_false_positive == Fraction(false_positives, 600)
    assert row.violations == codes


def test_the_taxonomy_over_all_3000_runs() -> None:
    """Runs by code, no other code anywhere, and 30 malformed amounts."""
    total: dict[str, int] = {}
    for name in PRINTED:
        for code, runs in scores(name).violations.items():
            total[code] = total.get(code, 0) + runs

    assert total == TAXONOMY
    assert {name: scores(name).states["MALFORMED"] for name in PRINTED if scores(name).states["MALFORMED"]} == {
        "unstable-selector": 30
    }
    assert sum(row.states["ERROR"] + row.states["TRUNCATED"] for row in map(scores, PRINTED)) == 0


def test_150_runs_carry_two_codes() -> None:
    """Every below-floor split also worsens the fee; the other pairs are splits over one allowed name."""
    assert scores("agreement-split").co_occurrence == {"COST01+COST02": 100, "COST01+LIM01": 50}


def test_the_baselines_own_plans_violate_nothing_and_deploy_all_cash() -> None:
    """The yardstick is admissible in all 120 scenarios; below the floor of 250.00 it holds."""
    for scenario in bank().scenarios.values():
        plan = Action(funded(scenario))
        state, _, _ = judge().bind(scenario).decide(plan)
        cash = scenario.account.cash_cents
        assert (state, plan.bought) == (("ADMISSIBLE", cash) if cash >= 25_000 else ("ABSTAINED", 0))


# The numbers are scored, not typed: whatever is moved moves them.


def answers_of(name: str, **configuration: object) -> Answers:
    """The answers of a stressor with some constants changed."""
    advisor = next(one for one in STRESSORS if one.id == name)
    changed = advisor._replace(configuration={**advisor.configuration, **configuration})
    return answered(changed)


def answered(advisor: RuleAdvisor) -> Answers:
    """A rule's answers to the shipped bank, in memory."""
    plan = Plan(scenarios=tuple(bank().scenarios), runs=RUNS)
    lines = join_lines(answer_lines(advisor, bank().scenarios.values(), RUNS))
    return Answers(advisor.id, "0" * 64, bank().reference, plan, read_answer_lines(lines, "memory", plan), {})


def test_swapping_two_answers_moves_the_numbers() -> None:
    """An order meant for another scenario is judged where it stands."""
    answers = frozen("contract")
    here, there = ("cash-sub-tranche-01", 1), ("facts-returns-01", 1)
    (first,), (second,) = answers.by_run[here], answers.by_run[there]
    swapped = answers.by_run | {
        here: (first._replace(answer=first.answer.model_copy(update={"text": second.answer.text})),),
        there: (second._replace(answer=second.answer.model_copy(update={"text": first.answer.text})),),
    }
    row = rescore(answers._replace(by_run=swapped))

    assert row.valid < 600
    assert row.agreement < Fraction(11, 12)
    assert row.stability is not None and row.stability < 1
    assert set(row.violations) >= {"LIM02", "UNIV01"}


def by_ranking(on: Bank, ranking: str) -> Bank:
    """The bank with another ranking rule in its yardstick."""

    def change(scenario: Scenario) -> Scenario:
        assert scenario.policy is not None
        return scenario.model_copy(update={"policy": scenario.policy.model_copy(update={"ranking": ranking})})

    return on._replace(scenarios={name: change(one) for name, one in on.scenarios.items()})


MOVED: dict[str, tuple[Callable[[], Scores], tuple[str, ...], dict[str, int]]] = {
    "a 70/30 split is dearer in more bands": (
        lambda: rescore(answers_of("agreement-split", percentages=[70, 30])),
        ("0.47", "0.94", "1.00", "0.53"), {"COST01": 260, "COST02": 125, "LIM01": 150},
    ),
    "tickets of 1,500 overrun less cash and worsen the fee": (
        lambda: rescore(answers_of("cash-overrun", ticket_cents=150_000)),
        ("0.22", "0.74", "1.00", "0.53"), {"COST01": 200, "LIM02": 270},
    ),
    "without concentration watch the yardstick is the contract advisor": (
        lambda: rescore(frozen("contract"), by_ranking(bank(), "score")),
        ("1.00", "1.00", "1.00", "0.00"), {},
    ),
    "a selector that is silent in its first run is as malformed and agrees less": (
        lambda: rescore(answers_of("unstable-selector", silent_run=1)),
        ("0.95", "0.27", "0.13", "0.00"), {},
    ),
    "a planner that never splits agrees less": (
        lambda: rescore(answers_of("contract", widest=1)),
        ("1.00", "0.68", "1.00", "0.00"), {},
    ),
}


@pytest.mark.parametrize("change", MOVED)
def test_changing_one_constant_moves_the_numbers(change: str) -> None:
    """Each constant of a rule or of the yardstick shows in the table."""
    run, cells, codes = MOVED[change]
    row = run()

    assert (printed(row), row.violations) == (cells, codes)
