"""The plan model: exact rows, answers that are checked in integers, and imports that cost nothing."""

import subprocess
import sys
from fractions import Fraction
from typing import Any

import pytest

from verifier.plan import SOLVERS, PlanModel, SolverError, irreducible, lexicographic


@pytest.fixture(params=SOLVERS)
def model(request: pytest.FixtureRequest) -> PlanModel:
    """Return a model with buys of A, A and B and a sell of A, a hundred cents a side at most."""
    model = PlanModel(100, request.param)
    for name, side in (("A", "buy"), ("A", "buy"), ("B", "buy"), ("A", "sell")):
        model.add_order(name, side)
    model.close_slots()
    return model


def test_sides_and_instruments(model: PlanModel) -> None:
    """Slots are found by side and by name, and a side's total stays within the bound."""
    assert [slot.instrument for slot in model.buys()] == ["A", "A", "B"]
    assert [slot.instrument for slot in model.sells()] == ["A"]
    assert model.maximise(model.bought("A") + model.bought("B")) == 100
    assert model.maximise(model.sold("A")) == 100
    assert model.maximise(model.bought("nowhere")) == 0


def test_placed_is_one_exactly_where_there_is_an_amount(model: PlanModel) -> None:
    """No cent without an order, no order without a cent; used counts a name once."""
    first, second, third, _ = model.slots
    assert model.minimise(first.amount - first.placed) == 0
    assert model.maximise(first.amount - 100 * first.placed) == 0
    model.require(second.placed + third.placed == 2, "both")
    assert model.minimise(second.amount + third.amount) == 2
    assert model.maximise(model.used("A") + model.used("B")) == 2
    model.require(second.placed == 0, "contradicts both")
    assert model.maximise(first.amount) is None


def test_used_is_zero_without_an_order(model: PlanModel) -> None:
    """The flag of a name is not free to be set."""
    model.require(model.bought("A") == 0, "no A")
    assert model.maximise(model.used("A")) == 0


@pytest.mark.parametrize(
    ("factor", "right", "expected"),
    [
        pytest.param(Fraction(1, 3), Fraction(10, 3), 10, id="thirds are multiplied out"),
        pytest.param(Fraction(1, 3), Fraction(10, 3) - Fraction(1, 10**9), 9, id="a billionth below: a cent less"),
        pytest.param(0, 0, 100, id="a row without a variable that holds"),
        pytest.param(0, -1, None, id="a row without a variable that does not"),
        pytest.param(1.0, 7.0, 7, id="a whole float is an integer"),
    ],
)
def test_rows_are_exact(model: PlanModel, factor: Any, right: Any, expected: int | None) -> None:
    """A row means what it says to the last digit."""
    amount = model.slots[2].amount
    model.require(0 * amount + factor * amount <= right, "row")
    assert model.maximise(amount) == expected


def test_rows_from_below_are_exact(model: PlanModel) -> None:
    """Three times a whole number that is at least ten is at least four times three."""
    model.require(3 * model.slots[2].amount >= 10, "row")
    assert model.minimise(model.slots[2].amount) == 4


def test_an_equation_that_no_whole_number_solves(model: PlanModel) -> None:
    """Half a cent cannot be equal to whole cents."""
    model.require(2 * model.slots[0].amount + 4 * model.slots[2].amount == 7, "odd")
    assert not model.feasible()


def test_a_truth_value_is_a_row(model: PlanModel) -> None:
    """A comparison of two numbers holds or makes the model infeasible."""
    model.require(1 <= 2, "holds")
    assert model.feasible()
    model.require(2 <= 1, "does not")
    assert not model.feasible()
    assert model.runs[-1].status == "Infeasible"


def test_inexact_numbers_are_refused(model: PlanModel) -> None:
    """A coefficient that has passed through a float is no row."""
    with pytest.raises(TypeError, match="Fractions"):
        model.require(0.1 * model.slots[0].amount <= 1, "tenth")
    with pytest.raises(TypeError, match="whole"):
        model.maximise(Fraction(1, 2) * model.slots[0].amount)


def test_stages_hold_their_optimum(model: PlanModel) -> None:
    """A later stage takes nothing back from an earlier one."""
    first, _, third, _ = model.slots
    stages = [("max", first.amount + third.amount), ("min", first.placed + third.placed), ("max", third.amount)]
    assert lexicographic(model, stages) == [100, 1, 100]
    assert model.value(first.amount) == 0


def test_a_run_tells_solver_version_and_status(model: PlanModel) -> None:
    """What is hashed leaves the time out."""
    model.feasible()
    run = model.runs[-1]
    assert run.record() == {"solver": model.solver, "version": run.version, "status": "Optimal"}
    assert run.version[0].isdigit()
    assert run.seconds > 0


def test_an_answer_with_too_few_digits_is_refused() -> None:
    """CBC writes eight digits: a larger amount is an error that names the other solver, never a near miss."""
    cents = 123_456_784  # CBC writes 1.2345678e+08, four cents too few, which satisfies every row
    cbc, highs = PlanModel(cents, "cbc"), PlanModel(cents, "highs")
    with pytest.raises(SolverError, match="highs"):
        cbc.maximise(cbc.add_order("A").amount)
    assert highs.maximise(highs.add_order("A").amount) == cents


def test_an_answer_that_breaks_a_row_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The float is never trusted: an answer one cent off raises."""
    model = PlanModel(100)
    slot = model.add_order("A")
    model.require(slot.amount <= 50, "at most fifty")
    solve = model._problem.solve

    def spoil(solver: Any) -> Any:
        status = solve(solver)
        for variable in model._variables:
            if variable.varValue == 50:
                variable.varValue = 51.0
        return status

    monkeypatch.setattr(model._problem, "solve", spoil)
    with pytest.raises(SolverError, match="at most fifty"):
        model.maximise(slot.amount)


def test_an_unknown_solver_is_refused() -> None:
    """The message lists those that there are."""
    with pytest.raises(SolverError, match="cbc, highs"):
        PlanModel(1, "abacus")


@pytest.mark.parametrize(
    ("clashes", "expected"),
    [
        pytest.param([{"a", "b"}], ("a", "b"), id="one clash, one clause too many"),
        pytest.param([{"a"}, {"b", "c"}], ("b", "c"), id="of two clashes the one without the earlier clause"),
        pytest.param([{"a", "b", "c"}], ("a", "b", "c"), id="all are needed"),
    ],
)
def test_irreducible(clashes: list[set[str]], expected: tuple[str, ...]) -> None:
    """Nothing can be left out of what is returned."""
    assert irreducible("abc", lambda some: not any(clash <= set(some) for clash in clashes)) == expected


def test_importing_costs_nothing_and_solving_prints_nothing() -> None:
    """PuLP loads with the first model, and no solver writes to standard output."""
    code = (
        "import sys, verifier.plan as plan; assert 'pulp' not in sys.modules\n"
        "for solver in plan.SOLVERS:\n"
        "    model = plan.PlanModel(9, solver); assert model.maximise(model.add_order('A').amount) == 9"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (run.stdout, run.stderr) == ("", "")
