"""Plans as integer programs: the model that the clauses' `constraints` faces write their rows into.

A plan is a row of slots. A slot is one possible order: its amount in whole cents and a flag that is 1
exactly where the order is placed. Every row has whole coefficients (a row in fractions is multiplied
out), every variable is an integer, and an answer of the solver counts only after it was rounded to
integers and found to satisfy every row in integer arithmetic: the float is never trusted. PuLP is
imported when the first model is made, so that importing this module costs nothing.
"""

import contextlib
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from math import ceil, floor, gcd, lcm
from typing import TYPE_CHECKING, Any, NamedTuple

from predicates.registry import Unsupported
from scenarios.errors import AuditError
from scenarios.types import Scenario

if TYPE_CHECKING:
    from verifier.contract import Judge

SOLVERS = ("cbc", "highs")
DEFAULT_SOLVER = "cbc"
_TOLERANCE = 1e-9
_EXACT_BELOW = {"cbc": 10**8, "highs": 2**50}
"""Integers that a solver can hand back digit for digit: CBC's solution file has eight digits."""


class SolverError(AuditError):
    """A solver is not installed, gave up, or gave an answer that integer arithmetic refuses."""


class SolverRun(NamedTuple):
    """One call of a solver. seconds only describes: it stays out of every hashed record."""

    solver: str
    version: str
    status: str
    seconds: float

    def record(self) -> dict[str, str]:
        """Return what is the same on every machine."""
        return {"solver": self.solver, "version": self.version, "status": self.status}


class Slot(NamedTuple):
    """One possible order: amount in cents, and placed, 1 exactly where amount > 0, else 0."""

    instrument: str
    side: str
    amount: Any
    placed: Any


class _Row(NamedTuple):
    name: str
    terms: tuple[tuple[Any, int], ...]
    sense: int
    right: int


class PlanModel:
    """Slots, rows and a solver.

    Args:
        bound: no order, and no side in total, comes to more cents than this; the big M of the rows.
        solver: "cbc" or "highs".
        until: reading of time.monotonic() at which the solver gives up; None for never. It only decides
            between an answer and an error, never which answer.

    Attributes:
        slots: every slot, in the order in which they were made.
        runs: every call of the solver so far.

    Raises:
        SolverError: the solver is unknown or not installed.
    """

    def __init__(self, bound: int, solver: str = DEFAULT_SOLVER, until: float | None = None) -> None:
        import pulp

        self._pulp = pulp
        self._until = until
        self.bound = bound
        self.solver = solver
        self.slots: list[Slot] = []
        self.runs: list[SolverRun] = []
        self._backend, self._version = _backend(solver)
        self._problem = pulp.LpProblem("plan")
        self._rows: list[_Row] = []
        self._variables: list[Any] = []
        self._values: dict[Any, int] = {}
        self._used: dict[str, Any] = {}
        self._contradiction = False

    # What a clause's face reads and calls.

    def buys(self) -> list[Slot]:
        """Return the slots that buy."""
        return [slot for slot in self.slots if slot.side == "buy"]

    def sells(self) -> list[Slot]:
        """Return the slots that sell."""
        return [slot for slot in self.slots if slot.side == "sell"]

    def sum(self, terms: Iterable[Any]) -> Any:
        """Return the sum of variables, expressions and exact numbers."""
        total = _expression()()
        for term in terms:
            total.addInPlace(term)
        return total

    def bought(self, instrument: str) -> Any:
        """Return the cents bought of an instrument."""
        return self.sum(slot.amount for slot in self.buys() if slot.instrument == instrument)

    def sold(self, instrument: str) -> Any:
        """Return the cents sold of an instrument."""
        return self.sum(slot.amount for slot in self.sells() if slot.instrument == instrument)

    def used(self, instrument: str) -> Any:
        """Return the flag that is 1 exactly where a buy of the instrument is placed."""
        flag = self._used.get(instrument)
        if flag is None:
            placed = [slot.placed for slot in self.buys() if slot.instrument == instrument]
            if len(placed) == 1:
                flag = placed[0]
            else:
                flag = self.binary(f"used {instrument}")
                for one in placed:
                    self.require(flag >= one, f"used {instrument}")
                self.require(flag <= self.sum(placed), f"used {instrument}")
            self._used[instrument] = flag
        return flag

    def integer(self, name: str, low: int, high: int) -> Any:
        """Return a new integer variable in [low, high]."""
        variable = self._problem.add_variable(f"v{len(self._variables)}", low, high, "Integer")
        self._variables.append(variable)
        return _expression()(variable)

    def binary(self, name: str) -> Any:
        """Return a new variable that is 0 or 1."""
        return self.integer(name, 0, 1)

    def require(self, constraint: Any, name: str) -> None:
        """Add a row.

        Args:
            constraint: a comparison of expressions with integer or Fraction coefficients; True or False
                where the comparison holds no variable.
            name: told when an answer of the solver breaks the row.

        Raises:
            TypeError: a coefficient has passed through a float and is not whole.
        """
        if isinstance(constraint, bool):
            self._contradiction |= not constraint
            return
        row = _whole(name, constraint)
        if not row.terms:
            self._contradiction |= not _holds(0, row)
            return
        self._rows.append(row)
        left = self._pulp.LpAffineExpression(dict(row.terms))
        self._problem += self._pulp.LpConstraint(left, row.sense, f"r{len(self._rows)}", row.right)

    # What an oracle does with the model.

    def add_order(self, instrument: str, side: str = "buy") -> Slot:
        """Return a new slot whose order has any amount up to the bound, or is not placed."""
        amount = self.integer(f"{side} {instrument}", 0, self.bound)
        placed = self.binary(f"placed {instrument}")
        self.require(amount <= self.bound * placed, f"no amount without an order of {instrument}")
        self.require(amount >= placed, f"no order of {instrument} without an amount")
        return self.add_slot(Slot(instrument, side, amount, placed))

    def add_slot(self, slot: Slot) -> Slot:
        """Add a slot whose amount and flag are tied together by the caller's own rows."""
        self.slots.append(slot)
        return slot

    def close_slots(self) -> None:
        """Bound each side's total; call it when every slot is made and before the clauses write."""
        for side in (self.buys(), self.sells()):
            if len(side) > 1:
                self.require(self.sum(slot.amount for slot in side) <= self.bound, "a side's total within the bound")

    def feasible(self) -> bool:
        """Return whether some plan satisfies every row."""
        return self.minimise(self.sum(())) is not None

    def maximise(self, objective: Any) -> int | None:
        """Return the largest value of an expression with whole coefficients, None where no plan satisfies the rows.

        Raises:
            SolverError: the solver gave up, or its answer breaks a row once it is made whole.
        """
        return self._solve(objective, self._pulp.LpMaximize)

    def minimise(self, objective: Any) -> int | None:
        """Return the smallest value of an expression; otherwise like `maximise`."""
        return self._solve(objective, self._pulp.LpMinimize)

    def value(self, expression: Any) -> int | Fraction:
        """Return the exact value of an expression in the solver's last answer."""
        terms = expression.items()
        total = _exact(expression.constant) + sum(_exact(factor) * self._values[term] for term, factor in terms)
        return total.numerator if total.denominator == 1 else total

    def _solve(self, objective: Any, sense: int) -> int | None:
        pulp, problem = self._pulp, self._problem
        if self._contradiction:
            self.runs.append(SolverRun("none", "", "Infeasible", 0.0))
            return None
        problem.sense = sense
        terms = {term: _whole_number(factor) for term, factor in objective.items()}
        problem.setObjective(pulp.LpAffineExpression(terms))
        started = time.monotonic()
        self._backend.timeLimit = None if self._until is None else max(self._until - started, 0.001)
        try:
            with tempfile.TemporaryDirectory(prefix="audit-") as folder:
                self._backend.tmpDir = folder
                status = pulp.LpStatus[problem.solve(self._backend)]
        except pulp.PulpSolverError as error:
            raise self._error(f"failed: {error}") from error
        ended = time.monotonic()
        self.runs.append(SolverRun(self.solver, self._version, status, ended - started))
        if status == "Infeasible":
            return None
        if status != "Optimal" or problem.sol_status != pulp.LpSolutionOptimal:
            if self._until is not None and ended >= self._until:
                raise self._error("found no proof within the time limit", "allow more time, or ")
            raise self._error(f"ended with status {status!r}")
        self._read_back()
        return _whole_number(self.value(objective))

    def _read_back(self) -> None:
        values = {}
        for variable in self._variables:
            found = variable.varValue
            values[variable] = whole = variable.lowBound if found is None else round(found)
            if abs(whole) >= _EXACT_BELOW[self.solver]:
                raise self._error(f"handed back {found!r}, with fewer digits than an amount of that size has")
            if not variable.lowBound <= whole <= variable.upBound:
                raise self._error(f"left the bounds of a variable with {found!r}")
        for row in self._rows:
            left = sum(factor * values[term] for term, factor in row.terms)
            if not _holds(left, row):
                raise self._error(f"broke the row {row.name!r}: {left} against {row.right}")
        self._values = values

    def _error(self, what: str, remedy: str = "") -> SolverError:
        other = next(name for name in SOLVERS if name != self.solver)
        return SolverError(f"solver {self.solver}", what, f"{remedy}try the solver {other}")


def lexicographic(model: PlanModel, stages: Iterable[tuple[str, Any]]) -> list[int] | None:
    """Solve one objective after another, each held at its optimum before the next; return the optima.

    Args:
        model: the model; it is left with the last answer.
        stages: ("max" or "min", objective), most important first; a generator may look at the last answer.
    """
    optima: list[int] = []
    for sense, objective in stages:
        best = model.maximise(objective) if sense == "max" else model.minimise(objective)
        if best is None:
            return None
        model.require(objective == best, "optimum of an earlier stage")
        optima.append(best)
    return optima


def enforced_codes(judge: "Judge", scenario: Scenario) -> tuple[str, ...]:
    """Return, in code order, the clauses that apply to the scenario and whose violation is not waived."""
    enforced = judge.enforced(scenario)
    return tuple(
        code for code, predicate in judge.predicates.items()
        if enforced[code] and predicate.missing_limit(scenario, judge.parameters(code)) is None
    )


def write_clauses(model: PlanModel, judge: "Judge", scenario: Scenario, codes: Sequence[str]) -> dict[str, str]:
    """Write the rows of these clauses; return, by code, why a clause has none.

    A face that gives up half-way leaves rows that the clause implies, so the model stays a relaxation.
    """
    silent: dict[str, str] = {}
    for code in codes:
        face = judge.predicates[code].constraints_face
        if face is None:
            silent[code] = "it has no constraints face"
            continue
        try:
            face(model, scenario, judge.parameters(code))
        except Unsupported as error:
            silent[code] = str(error)
    return silent


def irreducible(codes: Sequence[str], feasible: Callable[[Sequence[str]], bool]) -> tuple[str, ...]:
    """Return a smallest set, in the sense that none can be left out, of clauses that admit no plan together.

    A deletion filter: each clause in turn is left out for good if the rest still admits none. Which of
    several such sets is found depends on the order of the codes and on nothing else.

    Args:
        codes: clauses that admit no plan together.
        feasible: whether these clauses together admit a plan.
    """
    kept = list(codes)
    for code in codes:
        rest = [other for other in kept if other != code]
        if not feasible(rest):
            kept = rest
    return tuple(kept)


def _exact(number: Any) -> Fraction:
    if isinstance(number, float) and not (number.is_integer() and abs(number) < 2**53):
        raise TypeError(f"a row holds the number {number!r}; write rows with integers or Fractions")
    return Fraction(number)


def _whole_number(number: Any) -> int:
    exact = _exact(number)
    if exact.denominator != 1:
        raise TypeError(f"an objective holds the number {exact}; give it whole coefficients")
    return exact.numerator


@cache
def _expression() -> Any:
    """Return the type of the model's expressions: PuLP's, except that an empty one starts from the integer 0.

    PuLP starts from the float 0.0, which would turn every exact number that is added to it into a float.
    """
    import pulp

    class Exact(pulp.LpAffineExpression):  # type: ignore[misc, unused-ignore]
        def __init__(self, e: Any = None, constant: Any = 0, name: str | None = None) -> None:
            super().__init__(e, constant, name)

        def emptyCopy(self) -> "Exact":
            return Exact()

        def copy(self) -> "Exact":
            return Exact(self)

    return Exact


def _whole(name: str, constraint: Any) -> _Row:
    """Return a row multiplied out, then divided by what its factors share and tightened to whole numbers."""
    terms = {term: _exact(factor) for term, factor in constraint.items() if factor}
    right = -_exact(constraint.constant)
    scale = lcm(right.denominator, *(factor.denominator for factor in terms.values()))
    common = gcd(*(int(factor * scale) for factor in terms.values())) or 1
    limit = right * scale / common
    if constraint.sense < 0:
        limit = Fraction(floor(limit))
    elif constraint.sense > 0:
        limit = Fraction(ceil(limit))
    elif limit.denominator != 1:  # no whole number is equal to it
        return _Row(name, (), 0, 1)
    whole = tuple((term, int(factor * scale) // common) for term, factor in terms.items())
    return _Row(name, whole, constraint.sense, int(limit))


def _holds(left: int, row: _Row) -> bool:
    return left <= row.right if row.sense < 0 else left >= row.right if row.sense > 0 else left == row.right


def _backend(solver: str) -> tuple[Any, str]:
    import pulp

    if solver == "cbc":
        path = pulp.PULP_CBC_CMD.pulp_cbc_path
        options = [f"integerT {_TOLERANCE}"]
        return pulp.COIN_CMD(path=path, msg=False, threads=1, gapRel=0, gapAbs=0, options=options), _cbc_version(path)
    if solver == "highs":
        version = _highs_version()
        tolerance = {"mip_feasibility_tolerance": _TOLERANCE}
        return pulp.HiGHS(msg=False, threads=1, gapRel=0, gapAbs=0, **tolerance), version
    raise SolverError(f"solver {solver}", "no such solver", f"choose one of {', '.join(SOLVERS)}")


@cache
def _cbc_version(path: str) -> str:
    try:
        told = subprocess.run([path, "-quit"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise SolverError("solver cbc", f"cannot be run: {error}", "install PuLP's CBC, or choose highs") from error
    found = re.search(r"Version: (\S+)", told)
    return found.group(1) if found else "unknown"


@cache
def _highs_version() -> str:
    try:
        import highspy
    except ImportError as error:
        raise SolverError("solver highs", "is not installed", "install highspy, or choose cbc") from error
    with _quiet_stdout():  # the first instance greets on the process's standard output
        return str(highspy.Highs().version())


@contextlib.contextmanager
def _quiet_stdout() -> Iterator[None]:
    sys.stdout.flush()
    saved = os.dup(1)
    null = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(null, 1)
        yield
    finally:
        os.dup2(saved, 1)
        os.close(null)
        os.close(saved)
