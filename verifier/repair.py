"""The nearest admissible action to one that the contract refuses, or the clauses that allow none.

Near is measured in this order: the fewest orders changed in size, dropped or added; then the fewest cents
moved, |new size - old size| summed over all of them; then, in ticker order (an answered order before an
added one, an earlier answered one before a later), each order in turn as large as the former allow. Each
stage is an integer program, held at its optimum before the next, so the answer is unique and proven
minimal. An order keeps its instrument and its side; another instrument is one order dropped and one
added. Sales are never added. A kept order stays exactly as it was answered; a new size is whole cents.
"""

import time
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

from scenarios.action import Action, Amount, Order
from scenarios.errors import ScenarioError
from scenarios.exact import exact_json
from scenarios.types import Scenario
from verifier.contract import BoundContract, Judge
from verifier.oracle import assert_admissible, roomy_bound
from verifier.plan import (
    DEFAULT_SOLVER,
    PlanModel,
    Slot,
    SolverRun,
    enforced_codes,
    irreducible,
    lexicographic,
    write_clauses,
)
from verifier.verdict import COUNTS_AS_VALID


class Change(NamedTuple):
    """What became of one order: kept, changed, dropped or added; sizes in cents, 0 where there is no order."""

    what: str
    instrument: str
    side: str
    before: Amount
    after: Amount

    def record(self) -> dict[str, Any]:
        """Return the change as it is written."""
        record = self._asdict()
        return {**record, "before": exact_json(self.before), "after": exact_json(self.after)}


class Repair(NamedTuple):
    """The outcome.

    status: "admissible" where nothing was to be done, "repaired", or "impossible". failed: the clauses
    that the answered action fails. action: the nearest admissible action, None where there is none.
    changes: one for each answered order, in answered order, then the added ones. touched and moved_cents:
    the two distances. conflict: where impossible, clauses that admit no action together and of which none
    can be left out. runs: the solver's calls.
    """

    status: str
    failed: tuple[str, ...]
    action: Action | None
    changes: tuple[Change, ...]
    touched: int
    moved_cents: Amount
    conflict: tuple[str, ...]
    runs: tuple[SolverRun, ...]

    def record(self) -> dict[str, Any]:
        """Return what is the same on every machine."""
        return {
            "status": self.status, "failed": self.failed,
            "action": None if self.action is None else self.action.record(),
            "changes": [change.record() for change in self.changes],
            "touched": self.touched, "moved_cents": exact_json(self.moved_cents), "conflict": self.conflict,
        }


def repair(
    judge: Judge, scenario: Scenario, action: Action, solver: str = DEFAULT_SOLVER, time_limit_s: int | None = None
) -> Repair:
    """Return the nearest admissible action, proven minimal and judged by the contract, or what forbids one.

    Args:
        judge: the contract.
        scenario: the scenario.
        action: the action that was read from the answer.
        solver: "cbc" or "highs".
        time_limit_s: seconds after which the search gives up with an error; None for never.

    Raises:
        ScenarioError: a clause that the action fails has no rows to repair it by, or is in ERROR; an order
            has no size; or the outcome fails a clause that has no rows.
        SolverError: the solver gave up, or its answer breaks a row once it is made whole.
    """
    until = None if time_limit_s is None else time.monotonic() + time_limit_s
    bound = judge.bind(scenario)
    state, states, _ = bound.decide(action)
    failed = tuple(code for code, one in states.items() if one == "FAIL")
    if state in COUNTS_AS_VALID:
        kept = tuple(Change("kept", *_named(order), _size(order), _size(order)) for order in action.orders)
        return Repair("admissible", (), action, kept, 0, 0, (), ())
    _refuse_unsized(scenario, action)
    codes = enforced_codes(judge, scenario)
    search = _Search(judge, scenario, action, codes, solver, until)
    _refuse_unrepairable(bound, states, search.unmodelled)
    optima = lexicographic(search.model, search.nearest_first())
    if optima is None:

        def feasible(some: Sequence[str]) -> bool:
            return _Search(judge, scenario, action, some, solver, until).model.feasible()

        conflict = irreducible(codes, feasible)
        return Repair("impossible", failed, None, (), 0, 0, conflict, tuple(search.model.runs))
    changes, orders = search.outcome()
    mended = Action(orders, action.citations, action.message, action.prose, action.turns)
    assert_admissible(bound, mended, search.unmodelled)
    touched, moved = optima[0], Fraction(optima[1], search.parts_of_cent)
    return Repair("repaired", failed, mended, changes, touched, moved, (), tuple(search.model.runs))


class _Search:
    """The program: a slot for each answered order at its place, then one for each name that may be added."""

    def __init__(
        self, judge: Judge, scenario: Scenario, action: Action, codes: Sequence[str], solver: str, until: float | None
    ) -> None:
        self.answered = action.orders
        sizes = [_size(order) for order in self.answered]
        self.model = model = PlanModel(roomy_bound(scenario, sum(sizes)), solver, until)
        self.parts_of_cent = lcm(*(Fraction(size).denominator for size in sizes))  # in which moves are whole
        self._kept: list[Any] = []
        self._moved: list[Any] = []
        for order, size in zip(self.answered, sizes, strict=True):
            self._add_answered(order, size)
        added = [model.add_order(name) for name in sorted(scenario.allowed)]
        model.close_slots()
        self._touched = model.sum([1 - kept for kept in self._kept] + [slot.placed for slot in added])
        self._distance = model.sum(self._moved + [self.parts_of_cent * slot.amount for slot in added])
        self.unmodelled = write_clauses(model, judge, scenario, codes)

    def _add_answered(self, order: Order, size: Amount) -> None:
        model, name = self.model, order.instrument
        kept, resized, placed = model.binary("kept"), model.binary("resized"), model.binary("placed")
        new = model.integer("new size", 0, model.bound)
        model.require(placed == kept + resized, f"order of {name} kept, resized or dropped")
        model.require(new <= model.bound * resized, f"new size of {name}")
        model.require(new >= resized, f"new size of {name}")
        moved = model.integer("moved", 0, self.parts_of_cent * model.bound)
        model.require(moved >= self.parts_of_cent * (new - size * (1 - kept)), f"cents moved of {name}")
        model.require(moved >= self.parts_of_cent * (size * (1 - kept) - new), f"cents moved of {name}")
        model.add_slot(Slot(name, order.side, size * kept + new, placed))
        self._kept.append(kept)
        self._moved.append(moved)

    def nearest_first(self) -> Iterator[tuple[str, Any]]:
        yield "min", self._touched
        yield "min", self._distance
        by_ticker = sorted(enumerate(self.model.slots), key=lambda item: (item[1].instrument, item[0]))
        for _, slot in by_ticker:
            yield "max", self.parts_of_cent * slot.amount

    def outcome(self) -> tuple[tuple[Change, ...], tuple[Order, ...]]:
        """Return what became of every order, and the orders that are left."""
        changes: list[Change] = []
        orders: list[Order] = []
        for place, slot in enumerate(self.model.slots):
            after = self.model.value(slot.amount)
            answered = self.answered[place] if place < len(self.answered) else None
            before = 0 if answered is None else _size(answered)
            if answered is None and not after:
                continue
            what = "added" if answered is None else "kept" if after == before else "changed" if after else "dropped"
            changes.append(Change(what, slot.instrument, slot.side, before, after))
            if after:
                resized = Order(slot.instrument, slot.side, after)
                orders.append(resized if answered is None else answered if what == "kept" else
                              answered._replace(amount=after, shares=None))
        return tuple(changes), tuple(orders)


def _named(order: Order) -> tuple[str, str]:
    return order.instrument, order.side


def _size(order: Order) -> Amount:
    return order.amount or 0


def _refuse_unsized(scenario: Scenario, action: Action) -> None:
    for place, order in enumerate(action.orders):
        if order.amount is None:
            raise ScenarioError(
                f"{scenario.id}#/orders/{place}", "the order has no size, so no distance to another one",
                "repair answers whose orders state amounts",
            )


def _refuse_unrepairable(bound: BoundContract, states: dict[str, str], unmodelled: dict[str, str]) -> None:
    for code, state in states.items():
        where = f"{bound.scenario.id}#{code}"
        if state == "ERROR":
            raise ScenarioError(where, "the clause cannot judge the action", "mend what `audit check` reports first")
        if state == "FAIL" and code in unmodelled:
            raise ScenarioError(
                where, f"the action fails this clause, and no order repairs it: {unmodelled[code]}",
                "correct the answer there, then repair the orders",
            )
