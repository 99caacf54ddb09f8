"""Repair: the nearest admissible action against every action, and the clauses that stand in the way."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predicates.registry import Unsupported, predicate
from scenarios.action import Action, Citation, Order
from scenarios.errors import ScenarioError
from scenarios.fees import NoFee, StepFee
from scenarios.types import Scenario
from tests.builders import a_scenario, buys
from tests.verifier.contracts import a_judge
from verifier.plan import SOLVERS
from verifier.repair import Repair, repair

TAU = Fraction(1, 100)
CLAUSES = ("COST01", "COST02", "COV01", "LIM01", "LIM02", "UNIV01", "UNIV02")


def whats(outcome: Repair) -> list[tuple[str, str, int | Fraction]]:
    """Return what became of each order: (what, instrument, cents after)."""
    return [(change.what, change.instrument, change.after) for change in outcome.changes]


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(
    ("members", "answered", "expected"),
    [
        pytest.param({}, {"AAA": 54_000, "BBB": 36_000}, [("kept", "AAA", 54_000), ("dropped", "BBB", 0)],
                     id="a fee-worsening split: dropping the smaller leg moves the fewest cents"),
        pytest.param({}, {"AAA": 90_001}, [("changed", "AAA", 90_000)], id="a cent over the cash"),
        pytest.param({}, {"AAA": 24_999}, [("changed", "AAA", 25_000)], id="a cent below the floor"),
        pytest.param({}, {"AAA": 12_499}, [("dropped", "AAA", 0)], id="nearer to nothing than to the floor"),
        pytest.param({}, {"AAA": 12_500}, [("changed", "AAA", 25_000)],
                     id="as near to nothing as to the floor: the larger amount"),
        pytest.param({}, {"ZZZ": 90_000}, [("dropped", "ZZZ", 0)], id="out of universe"),
        pytest.param({"deployment_required": True}, {"ZZZ": 90_000}, [("dropped", "ZZZ", 0), ("added", "AAA", 25_000)],
                     id="something must be bought: the floor of the first ticker"),
        pytest.param({"cash": 200_000}, {"BBB": 100_000, "AAA": 100_001},
                     [("kept", "BBB", 100_000), ("changed", "AAA", 100_000)], id="an order keeps its place"),
        pytest.param({"cash": 200_000, "fees": NoFee()}, {"BBB": 100_001, "AAA": 100_001},
                     [("changed", "BBB", 99_999), ("kept", "AAA", 100_001)],
                     id="either could give way: the first ticker keeps its size"),
        pytest.param({"cash": 300_000, "recommendation_cap": 2}, {"CCC": 100_000, "BBB": 100_000, "AAA": 100_000},
                     [("dropped", "CCC", 0), ("kept", "BBB", 100_000), ("kept", "AAA", 100_000)],
                     id="one name too many: the last ticker goes"),
    ],
)
def test_nearest(members: dict[str, Any], answered: dict[str, int], expected: list[Any], solver: str) -> None:
    """The fewest orders touched, then the fewest cents moved, then ticker order."""
    scenario = a_scenario(**{"cash": 90_000, "fee_tolerance": TAU, "policy": None, **members})
    outcome = repair(a_judge(*CLAUSES), scenario, buys(answered), solver)

    assert whats(outcome) == expected
    assert outcome.status == "repaired"
    assert outcome.touched == sum(what != "kept" for what, _, _ in expected)
    assert outcome.moved_cents == sum(abs(change.after - change.before) for change in outcome.changes)


def test_an_admissible_action_stays() -> None:
    """Nothing is touched, solved or reordered."""
    action = buys({"BBB": 90_000})
    outcome = repair(a_judge(*CLAUSES), a_scenario(cash=90_000, fee_tolerance=TAU), action)
    assert (outcome.status, outcome.action, whats(outcome), outcome.runs) == (
        "admissible", action, [("kept", "BBB", 90_000)], ())


def test_what_is_not_an_order_stays() -> None:
    """Citations, message, reasons and a kept size in shares, a fraction of a cent included, are left as answered."""
    kept = Order("AAA", "buy", Fraction(10_001, 2), Fraction(1, 4), "0.5", "because")
    action = Action([kept, Order("BBB", "buy", 95_000, Fraction(19, 2), reason="why")], [Citation("fact-1")], "text")
    outcome = repair(a_judge("LIM02"), a_scenario(cash=90_000, policy=None), action)
    changed = Order("BBB", "buy", 84_999, reason="why")

    assert outcome.action == Action([kept, changed], action.citations, "text")
    assert (outcome.touched, outcome.moved_cents) == (1, 10_001)


def test_no_sale_is_added_and_sales_are_repaired() -> None:
    """A sale is resized like a buy; money that sales bring counts where the scenario says so."""
    scenario = a_scenario(cash=50_000, held={"AAA": 100_000}, sales_fund_buys=True, policy=None)
    action = Action([Order("AAA", "sell", 30_000), Order("BBB", "buy", 90_000)])
    outcome = repair(a_judge("LIM02"), scenario, action)
    assert whats(outcome) == [("changed", "AAA", 40_000), ("kept", "BBB", 90_000)]


@pytest.mark.parametrize("solver", SOLVERS)
def test_no_action_is_admissible(solver: str) -> None:
    """200.00 in cash, an order required, floor 250.00: three clauses, none too many, proven by the solver."""
    scenario = a_scenario(cash=20_000, fee_tolerance=TAU, recommendation_cap=1, deployment_required=True, policy=None)
    outcome = repair(a_judge(*CLAUSES), scenario, buys({"AAA": 20_000}), solver)

    assert (outcome.status, outcome.failed, outcome.action) == ("impossible", ("COST02",), None)
    assert outcome.conflict == ("COST02", "COV01", "LIM02")
    assert outcome.runs[-1].status == "Infeasible"


def test_an_order_of_nothing_is_no_order() -> None:
    """Without cash, a required buy cannot be met by an order that was cut down to nothing."""
    outcome = repair(a_judge("COV01", "LIM02"), a_scenario(cash=0, deployment_required=True), buys({"AAA": 100}))
    assert (outcome.status, outcome.conflict) == ("impossible", ("COV01", "LIM02"))


@predicate(code="XTST02", name="test.never_rows", says="never")
def never(scenario: Scenario, action: Action, params: Any) -> tuple[Any, ...]:
    """Fail every action that orders anything; the face cannot say so."""
    from predicates.findings import violation

    return (violation("XTST02", where="", left=1, op="<=", right=0, unit="", reads=()),) if action.orders else ()


@never.constraints
def rows(model: Any, scenario: Scenario, params: Any) -> None:
    """Give up."""
    raise Unsupported("too odd a rule")


def test_a_failing_clause_without_rows_ends_with_its_name() -> None:
    """No order repairs a citation, and no program a rule that it cannot express."""
    scenario = a_scenario(policy=None)
    with pytest.raises(ScenarioError, match=r"GRND01: the action fails this clause.*no constraints face"):
        repair(a_judge("GRND01"), scenario, Action(citations=[Citation("nowhere")]))
    with pytest.raises(ScenarioError, match=r"XTST02: the action fails this clause.*too odd a rule"):
        repair(a_judge("XTST02", extra=[never]), scenario, buys({"AAA": 1}))


def test_a_passing_clause_without_rows_still_judges_the_outcome() -> None:
    """The action passes it, the outcome of the program does not: an error with its code, never a wrong repair."""
    scenario = a_scenario(deployment_required=True, policy=None)
    with pytest.raises(ScenarioError, match=r"XTST02.*could not take part"):
        repair(a_judge("COV01", "XTST02", extra=[never]), scenario, buys({}))


def test_an_order_without_a_size_is_refused() -> None:
    """There is no distance to it."""
    action = Action([Order("ZZZ", "buy")])
    with pytest.raises(ScenarioError, match=r"/orders/0.*no size"):
        repair(a_judge("UNIV01"), a_scenario(policy=None), action)


LARGEST = 6
SIZES = st.integers(1, LARGEST)


def outcomes(action: Action, names: list[str]) -> Iterator[tuple[tuple[int, int, tuple[int, ...]], Action]]:
    """Yield every way to touch an action's orders and add some, with its distance, sizes up to LARGEST."""
    slots = [(order.instrument, int(order.amount or 0)) for order in action.orders] + [(name, 0) for name in names]
    by_ticker = sorted(range(len(slots)), key=lambda place: (slots[place][0], place))
    for sizes in product(range(LARGEST + 1), repeat=len(slots)):
        pairs = list(zip(slots, sizes, strict=True))
        touched = sum(size != before for (_, before), size in pairs)
        moved = sum(abs(size - before) for (_, before), size in pairs)
        orders = [Order(name, "buy", size) for (name, _), size in pairs if size]
        yield (touched, moved, tuple(-sizes[place] for place in by_ticker)), Action(orders)


@settings(max_examples=20, deadline=None)
@given(
    cash=st.integers(0, LARGEST), cap=st.integers(0, 2), required=st.booleans(), tranche=st.integers(2, 7),
    floor=st.integers(1, 3), held=st.sampled_from([{}, {"BBB": 5}]),
    orders=st.lists(st.tuples(st.sampled_from(["AAA", "BBB", "ZZZ"]), SIZES), max_size=2),
)
def test_no_action_is_nearer(
    cash: int, cap: int, required: bool, tranche: int, floor: int, held: dict[str, int],
    orders: list[tuple[str, int]],
) -> None:
    """Of all enumerated actions the repair is the nearest admissible one; where none is, no clause is too many."""
    scenario = a_scenario(
        cash=cash, held=held, names=("AAA", "BBB"), fees=StepFee(tranche, floor), fee_tolerance=Fraction(1),
        recommendation_cap=cap, add_only=True, deployment_required=required, policy=None,
    )
    action = Action([Order(name, "buy", size) for name, size in orders])
    everything = sorted(outcomes(action, ["AAA", "BBB"]), key=lambda item: item[0])
    outcome = repair(a_judge(*CLAUSES), scenario, action, "highs")

    assert outcome.action == nearest(everything, scenario, CLAUSES)
    if outcome.action is None:
        for code in outcome.conflict:
            assert nearest(everything, scenario, [one for one in outcome.conflict if one != code]) is not None
        assert nearest(everything, scenario, outcome.conflict) is None


def nearest(everything: list[Any], scenario: Scenario, codes: Any) -> Action | None:
    """Return the first of the sorted actions that these clauses admit."""
    if not codes:
        return Action()
    bound = a_judge(*codes).bind(scenario)
    return next((one for _, one in everything if bound.decide(one)[0] in ("ADMISSIBLE", "ABSTAINED")), None)
