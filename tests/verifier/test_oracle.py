"""The oracles: program against closed form, cent for cent; best plan against every plan; the fee of one order."""

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predicates.findings import Finding, violation
from predicates.registry import Params, Predicate, Unsupported, predicate
from scenarios.action import Action, Order
from scenarios.baseline.deployment import deployment_bound, scenario_bound
from scenarios.errors import ScenarioError
from scenarios.fees import StepFee
from scenarios.types import Scenario, SubScores
from tests.builders import a_scenario, an_instrument, buys, sells
from tests.verifier.contracts import a_judge
from verifier.oracle import best_plan, deployment_mip, fee_oracle, ranked_universe, scenario_mip
from verifier.plan import SOLVERS

TAU = Fraction(1, 100)
CLAUSES = ("COST01", "COST02", "COV01", "LIM01", "LIM02", "LIM03", "LIM04", "UNIV01", "UNIV02")


def instances(seed: int, count: int) -> Iterator[tuple[Any, ...]]:
    """Yield deployment instances in cents: 5 to 50 names, 1 to 12 themes, cash at and beside the floors."""
    draw = random.Random(seed)
    for number in range(count):
        names, themes = draw.choice([5, 17, 17, 50]), draw.randint(1, 12)
        floor = draw.choice([25_000, 25_000, 25_000, 10_000, 33_333, 25_001, 50_000])
        cash = draw.choice([floor - 1, floor, floor + 1, 2 * floor - 1, 3 * floor + 7,
                            draw.randrange(25_000, 500_001), draw.randrange(100_000, 10_000_000)])
        rooms = [draw.choice([0, floor - 1, floor, floor + 1, draw.randrange(floor // 5, 8 * floor),
                              draw.randrange(floor, 13 * floor // 10)]) for _ in range(names)]
        theme_of = [str(draw.randrange(themes)) for _ in range(names)]
        theme_rooms = {
            str(theme): draw.choice([0, floor - 1, floor, 2 * floor - 1, draw.randrange(floor // 2, 30 * floor)])
            for theme in range(themes)
        }
        yield cash, floor, rooms, theme_of, theme_rooms, draw.randrange(1, 8) if number % 3 == 0 else None


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(
    ("seed", "count"), [(1, 50), pytest.param(2, 2_000, marks=pytest.mark.slow)],
)
def test_program_equals_closed_form(solver: str, seed: int, count: int) -> None:
    """Both deploy the same cents on every seeded instance, within the counts that the instance allows."""
    for instance in instances(seed, count):
        found = deployment_mip(*instance, solver=solver)
        assert found.cents == deployment_bound(*instance), instance
        assert found.run.status == "Optimal"
        assert found.orders * instance[1] <= found.cents <= instance[0]


def portfolios(seed: int, count: int) -> Iterator[Scenario]:
    """Yield scenarios whose position and theme caps often bind, in cents of a realistic size."""
    draw = random.Random(seed)
    for _ in range(count):
        names = [f"N{number}" for number in range(draw.randint(2, 9))]
        held = {name: draw.randrange(1, 400_000) for name in names if draw.random() < 0.5}
        yield a_scenario(
            cash=draw.choice([24_999, 25_000, 50_001, draw.randrange(25_000, 900_000)]), held=held,
            instruments=[an_instrument(name, theme=f"t{draw.randrange(4)}") for name in names],
            fee_tolerance=TAU, position_multiple=Fraction(13, 10), equal_weight_names=draw.choice([3, 5, 8]),
            theme_cap=draw.choice([Fraction(1, 5), Fraction(7, 20), None]), add_only=draw.random() < 0.3,
        )


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(("seed", "count"), [(3, 25), pytest.param(4, 500, marks=pytest.mark.slow)])
def test_program_equals_closed_form_after_the_action(solver: str, seed: int, count: int) -> None:
    """Caps measured after the action: the greatest fixed point is the program's optimum."""
    for number, scenario in enumerate(portfolios(seed, count)):
        cap = 1 + number % 3 if number % 2 else None
        assert scenario_mip(scenario, cap, solver).cents == scenario_bound(scenario, cap), scenario.record()


@pytest.mark.parametrize("limits", [
    pytest.param({"position_multiple": Fraction(8, 10), "equal_weight_names": 2}, id="position"),
    pytest.param({"theme_cap": Fraction(4, 10)}, id="theme"),
])
def test_over_its_cap_before_the_action(limits: dict[str, Any]) -> None:
    """A at 80 % cannot be bought under a cap of 40 %; B can, until 2,000.00 + b = 0.4 (10,000.00 + b)."""
    scenario = a_scenario(cash=2_000_000, held={"AAA": 800_000, "BBB": 200_000}, names=(), **limits)
    assert [scenario_mip(scenario, solver=solver).cents for solver in SOLVERS] == [333_333, 333_333]
    assert scenario_bound(scenario) == 333_333


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_first_in_ranking_gets_the_most(solver: str) -> None:
    """13 % of 12,000.00 holds 1,560.00 of 2,000.00: two orders, and the better name takes all that it can."""
    names = [an_instrument(name, scores=SubScores(moat=score, compounding=score, valuation=score))
             for name, score in (("AAA", Fraction(60)), ("BBB", Fraction(70)), ("CCC", Fraction(50)))]
    scenario = a_scenario(
        cash=200_000, instruments=[*names, an_instrument("HELD")], held={"HELD": 1_000_000},
        universe=("AAA", "BBB", "CCC"), position_multiple=Fraction(13, 10), equal_weight_names=10,
    )
    plan = best_plan(a_judge("LIM02", "LIM03"), scenario, solver)
    assert [(order.instrument, order.amount) for order in plan.orders] == [("BBB", 156_000), ("AAA", 44_000)]


TINY = st.builds(
    a_scenario,
    cash=st.integers(0, 7), held=st.dictionaries(st.sampled_from(["AAA", "BBB", "HELD"]), st.integers(1, 12)),
    instruments=st.tuples(*(
        st.builds(an_instrument, st.just(name), theme=st.sampled_from(["s", "t"]),
                  scores=st.builds(SubScores, moat=score, compounding=score, valuation=score))
        for name in ("AAA", "BBB", "HELD") for score in [st.sampled_from([Fraction(50), Fraction(60)])]
    )),
    universe=st.just(("AAA", "BBB")),
    fees=st.builds(StepFee, st.sampled_from([3, 100]), st.integers(1, 3)),
    fee_tolerance=st.just(Fraction(1)),
    equal_weight_names=st.integers(2, 4), position_multiple=st.just(Fraction(13, 10)),
    theme_cap=st.sampled_from([None, Fraction(1, 2), Fraction(3, 4)]), add_only=st.booleans(),
)


def all_plans(scenario: Scenario) -> Iterator[tuple[int, ...]]:
    """Yield the amounts of every plan of buys within the cash, in ranking order."""
    cash, names = scenario.account.cash_cents, ranked_universe(scenario)
    return (amounts for amounts in product(range(cash + 1), repeat=len(names)) if sum(amounts) <= cash)


def plan_of(scenario: Scenario, amounts: tuple[int, ...]) -> tuple[Order, ...]:
    """Return the orders of these amounts, in ranking order."""
    return tuple(Order(name, "buy", one) for name, one in zip(ranked_universe(scenario), amounts, strict=True) if one)


@settings(max_examples=40, deadline=None)
@given(scenario=TINY)
def test_bound_equals_the_best_that_the_clauses_admit(scenario: Scenario) -> None:
    """The bound is the most that any enumerated plan deploys within cash, floor, weights and themes."""
    bound = a_judge("COST02", "LIM02", "LIM03", "LIM04", "UNIV02").bind(scenario)
    admitted = [sum(amounts) for amounts in all_plans(scenario)
                if bound.decide(Action(plan_of(scenario, amounts)))[0] in ("ADMISSIBLE", "ABSTAINED")]

    assert scenario_bound(scenario) == max(admitted)


@settings(max_examples=25, deadline=None)
@given(scenario=TINY, cap=st.integers(0, 2), required=st.booleans())
def test_best_plan_is_the_best_of_all_plans(scenario: Scenario, cap: int, required: bool) -> None:
    """Most cents, then fewest orders, then the largest amounts in ranking order; both solvers find that one plan."""
    limits = scenario.limits.model_copy(update={"recommendation_cap": cap, "deployment_required": required})
    scenario = scenario.model_copy(update={"limits": limits})
    judge = a_judge(*CLAUSES)
    bound = judge.bind(scenario)
    admitted = [amounts for amounts in all_plans(scenario)
                if bound.decide(Action(plan_of(scenario, amounts)))[0] in ("ADMISSIBLE", "ABSTAINED")]
    found = [best_plan(judge, scenario, solver) for solver in SOLVERS]

    if admitted:
        best = max(admitted, key=lambda amounts: (sum(amounts), -sum(one > 0 for one in amounts), amounts))
        assert [plan.orders for plan in found] == [plan_of(scenario, best)] * 2
        assert [plan.cents for plan in found] == [sum(best)] * 2
    else:
        assert [(plan.status, bool(plan.conflict)) for plan in found] == [("infeasible", True)] * 2


def test_conflict_names_no_clause_too_many() -> None:
    """200.00 in cash, an order required, floor 250.00: floor, requirement and cash; the cap has no part in it."""
    scenario = a_scenario(cash=20_000, fee_tolerance=TAU, recommendation_cap=1, deployment_required=True, policy=None)
    plan = best_plan(a_judge("COST01", "COST02", "COV01", "LIM01", "LIM02"), scenario)

    assert (plan.status, plan.conflict, plan.orders) == ("infeasible", ("COST02", "COV01", "LIM02"), ())
    assert plan.runs[0].record() == {"solver": "cbc", "version": plan.runs[0].version, "status": "Infeasible"}


def test_a_waived_clause_binds_nothing() -> None:
    """A clause whose severity is a note takes no part in the plan."""
    scenario = a_scenario(cash=20_000, fee_tolerance=TAU, policy=None)
    assert best_plan(a_judge("COST02", "LIM02"), scenario).cents == 0
    assert best_plan(a_judge("COST02", "LIM02", waived=["COST02"]), scenario).cents == 20_000


def a_clause(limit_cents: int, with_face: bool) -> Predicate:
    """Return a clause: no order above the limit."""

    @predicate(code="XTST01", name="test.too_large", says="too large")
    def too_large(scenario: Scenario, action: Action, params: Params) -> tuple[Finding, ...]:
        return tuple(
            violation("XTST01", where="/orders", left=amount, op="<=", right=limit_cents, unit="cents", reads=())
            for amount in action.buy_amounts if amount > limit_cents
        )

    if with_face:
        @too_large.constraints
        def rows(model: Any, scenario: Scenario, params: Params) -> None:
            raise Unsupported("the test says so")

    return too_large


@pytest.mark.parametrize("with_face", [False, True])
def test_a_clause_without_rows_is_reported_and_still_judges(with_face: bool) -> None:
    """A plan that such a clause admits says that it was not modelled; one that it refuses is an error with its code."""
    reason = "the test says so" if with_face else "it has no constraints face"
    scenario = a_scenario(cash=50_000, policy=None)
    admitted = best_plan(a_judge("LIM02", "XTST01", extra=[a_clause(50_000, with_face)]), scenario)
    assert admitted.unmodelled == {"XTST01": reason}

    with pytest.raises(ScenarioError, match=f"XTST01.*{reason}"):
        best_plan(a_judge("LIM02", "XTST01", extra=[a_clause(49_999, with_face)]), scenario)


def test_fee_oracle_is_the_fee_of_one_order() -> None:
    """900.00 cut 60/40 pays for two tranches, one order for one; sides are compared apart."""
    fees = fee_oracle(a_scenario(), buys([54_000, 36_000]))
    assert [(fee.side, fee.paid, fee.consolidated, fee.premium) for fee in fees] == [("buy", 500, 250, 250)]
    assert [fee.side for fee in fee_oracle(a_scenario(), sells({"AAA": 1}))] == ["sell"]
    assert fee_oracle(a_scenario(), buys([])) == ()
