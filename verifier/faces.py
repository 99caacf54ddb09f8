"""Run a clause's own tests: its examples, and the agreement of its faces with the law.

`predicates.testkit` says what is compared; here the engines are handed in: numpy tables for `columns`,
integer programs for `constraints`.
"""

from fractions import Fraction
from importlib.util import find_spec
from typing import NamedTuple

from predicates.registry import Params, Predicate, Unsupported
from predicates.testkit import check_examples, check_faces
from scenarios.action import Action
from scenarios.types import Scenario
from verifier.plan import PlanModel, Slot, SolverError


class FaceReport(NamedTuple):
    """What was run and holds, and what does not hold, one line each."""

    done: tuple[str, ...]
    problems: tuple[str, ...]


def check_clause(clause: Predicate, *, seed: int, cases: int) -> FaceReport:
    """Return what a clause's examples and random cases show.

    Args:
        clause: the clause.
        seed: seed of the random cases.
        cases: how many of them.
    """
    problems = [f"examples: {problem}" for problem in check_examples(clause)]
    done = [] if problems else ["examples: one holds, one fails"]
    columns = None
    if clause.columns_face is not None:
        if find_spec("numpy") is None:
            done.append("columns face not run: numpy is not installed (pip install 'advice-audit[columns]')")
        else:
            from verifier.columns import fails_by_columns

            columns = fails_by_columns
    plan = satisfies_rows if clause.constraints_face is not None else None
    found = check_faces(clause, columns=columns, plan=plan, seed=seed, n=cases)
    faces = ["the law is pure"] + ["columns agree"] * bool(columns) + ["constraints agree"] * bool(plan)
    if not found:
        done.append(f"{cases} random cases (seed {seed}): {', '.join(faces)}")
    return FaceReport(tuple(done), (*problems, *found))


def satisfies_rows(clause: Predicate, scenario: Scenario, action: Action, params: Params) -> bool:
    """Return whether the rows of a clause's constraints face admit exactly this action.

    HiGHS is asked where it is installed, else CBC, whose answers have eight digits.

    Raises:
        Unsupported: an order has no size or a part of a cent, which no plan holds; or the solver cannot
            answer in whole cents.
    """
    assert clause.constraints_face is not None  # noqa: S101
    sizes = []
    for order in action.orders:
        if not isinstance(order.amount, int) and not (
            isinstance(order.amount, Fraction) and order.amount.denominator == 1
        ):
            raise Unsupported("a plan holds whole cents only")
        sizes.append(int(order.amount))
    solver = "cbc" if find_spec("highspy") is None else "highs"
    model = PlanModel(max([scenario.account.cash_cents, sum(sizes), 1]), solver)
    for order, size in zip(action.orders, sizes, strict=True):
        amount, placed = model.integer("fixed", size, size), model.integer("placed", 1, 1)
        model.add_slot(Slot(order.instrument, order.side, amount, placed))
    model.close_slots()
    clause.constraints_face(model, scenario, params)
    try:
        return model.feasible()
    except SolverError as error:
        raise Unsupported(str(error)) from error
