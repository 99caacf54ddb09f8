"""The threshold sheet: every number that a contract's clauses turn on, and how much hangs on it.

A number is a parameter of a clause (a house value), or a limit that the scenarios declare and a clause needs. Each is
moved by -10, -5, -1, +1, +5 and +10 percent in all scenarios at once while the frozen answers stay, and the
verdicts that flip are counted. A number of which no step flips any is dead on these answers: they do not tell whether
it is right, and others may.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from predicates.findings import Finding
from predicates.registry import Predicate
from scenarios.action import Action
from scenarios.exact import decimal_text
from scenarios.load import Answers, Bank
from scenarios.types import Limits, Scenario
from verifier.bank import judge_answers
from verifier.contract import BoundContract, Judge
from verifier.verdict import Verdict

STEPS = (-10, -5, -1, 1, 5, 10)
"""By how many percent each number is moved."""

Decide = Callable[[Action], tuple[str, dict[str, str], tuple[Finding, ...]]]


class Knob(NamedTuple):
    """One number: where it stands, its values, and how many verdicts flip at each step.

    place: "parameter" of the clause or "limit" of the scenarios. values: the distinct ones, as written, smallest
    first. formula: the sentence of the clause's page that it stands in. review: the day by which the clause is
    to be reviewed, None where the contract does not say. flips: one count for each of `STEPS`.
    """

    code: str
    name: str
    place: str
    values: tuple[str, ...]
    formula: str
    authority: str
    owner: str
    review: str | None
    flips: tuple[int, ...]

    @property
    def dead(self) -> bool:
        """Whether no step flips any verdict."""
        return not any(self.flips)


class Sheet(NamedTuple):
    """The numbers of a contract, the clauses that have none, and how many verdicts were looked at."""

    knobs: tuple[Knob, ...]
    without: tuple[str, ...]
    verdicts: int


def threshold_sheet(judge: Judge, bank: Bank, advisors: Sequence[Answers], parser: str) -> Sheet:
    """Return the threshold sheet of a contract over frozen answers.

    Only the clause that a number stands in is decided again; what the others came to is known. A verdict flips when
    its run state changes, or, for a clause that is noted and not enforced, the state of the clause.

    Args:
        judge: the contract.
        bank: the scenarios.
        advisors: the frozen answers.
        parser: how the answers are read.
    """
    bounds = {name: judge.bind(scenario) for name, scenario in bank.scenarios.items()}
    verdicts = [one.verdict for answers in advisors for one in judge_answers(bounds, answers, parser)]
    read: dict[str, list[tuple[Verdict, Action]]] = {}
    for verdict in verdicts:
        if isinstance(verdict.action, Action):
            read.setdefault(verdict.scenario, []).append((verdict, verdict.action))
    codes = [clause.code for clause in judge.contract.clauses]
    numbers = [(code, *number) for code in codes for number in _numbers(judge, bank, code)]
    moves = [(code, place, name, percent) for code, place, name, _ in numbers for percent in STEPS]
    flips = [0] * len(moves)
    for scenario, said in read.items():
        laws = [_decide_moved(judge, bank.scenarios[scenario], *move) for move in moves]
        for verdict, action in said:  # all moves of one verdict together: its words are read once
            for index, (move, decide) in enumerate(zip(moves, laws, strict=True)):
                flips[index] += decide is not None and _flipped(verdict, move[0], decide(action)[1][move[0]])
    clauses = {clause.code: clause for clause in judge.contract.clauses}
    knobs = [
        Knob(code, name, place, tuple(map(_written, sorted(values))), formula_of(judge.predicates[code]),
             clauses[code].authority, clauses[code].owner, clauses[code].review_by,
             tuple(flips[index * len(STEPS) : (index + 1) * len(STEPS)]))
        for index, (code, place, name, values) in enumerate(numbers)
    ]
    with_numbers = {knob.code for knob in knobs}
    return Sheet(tuple(knobs), tuple(code for code in codes if code not in with_numbers), len(verdicts))


def moved(value: int | Fraction, percent: int) -> int | Fraction:
    """Return a number moved by some percent; an integer that the step would not change takes the next one.

    A decimal is moved exactly. An integer is rounded to the nearest, half away from where it was.
    """
    exact = value * Fraction(100 + percent, 100)
    if isinstance(value, Fraction):
        return exact
    step = exact - value
    whole = int(abs(step) + Fraction(1, 2)) or 1
    return value + (whole if percent > 0 else -whole)


def formula_of(predicate: Predicate) -> str:
    """Return the first sentence of a clause's page that states a relation, its indented lines included, in one line.

    A page that states none gives the clause's first sentence.
    """
    title, *paragraphs = predicate.page().split("\n\n")
    text = ""
    for paragraph in paragraphs:
        block = paragraph.startswith("    ")
        lines = [" ".join(line.split()) for line in paragraph.splitlines()]
        goes_on = not text.endswith(".") and (block or lines[0][:1].islower())
        text += (" " if goes_on else "\n") + ("; " if block else " ").join(lines)
    sentences = re.split(r"\n|(?<=\.) (?=[A-Z])", text)
    return next((one.strip() for one in sentences if re.search("[<>=]", one)), " ".join(title.split()))


def _numbers(judge: Judge, bank: Bank, code: str) -> Iterator[tuple[str, str, set[int | Fraction]]]:
    """Yield (place, name, distinct values) of the numbers that a clause turns on."""
    predicate, params = judge.predicates[code], judge.parameters(code)
    for name, kind in predicate.parameters.items():
        value = params[name]
        if kind is not bool and type(value) in (int, Fraction):
            yield "parameter", name, {value}
    for name in predicate.needs:
        if name not in Limits.model_fields or params.get(name) is not None:
            continue
        values: set[int | Fraction] = set()
        for scenario in bank.scenarios.values():
            stated = getattr(scenario.limits, name)
            values |= {one for one in (stated.values() if isinstance(stated, dict) else (stated,)) if _is_number(one)}
        if values:
            yield "limit", name, values


def _decide_moved(judge: Judge, scenario: Scenario, code: str, place: str, name: str, percent: int) -> Decide | None:
    """Return how one clause decides with one number moved, None where the scenario declares no such number."""
    params = judge.parameters(code)
    if place == "parameter":
        params = {**params, name: moved(params[name], percent)}
    else:
        changed = _moved_scenario(scenario, name, percent)
        if changed is None:
            return None
        scenario = changed
    return BoundContract(scenario, judge.digest, {code: (judge.predicates[code], params)},
                         {code: judge.enforced(scenario)[code]}).decide


def _flipped(verdict: Verdict, code: str, state: str) -> bool:
    """Return whether a verdict flips when one clause comes to another state."""
    if state == verdict.clauses[code]:
        return False
    states = {*{**verdict.clauses, code: state}.values()}
    before, after = ("ERROR" if "ERROR" in one else "FAIL" if "FAIL" in one else "" for one in (
        {*verdict.clauses.values()}, states))
    return before != after or "WAIVED" in (state, verdict.clauses[code])


def _moved_scenario(scenario: Scenario, name: str, percent: int) -> Scenario | None:
    """Return the scenario with one limit moved, None where it declares no such number."""
    stated = getattr(scenario.limits, name)
    if isinstance(stated, dict):
        new: Any = {key: moved(value, percent) for key, value in stated.items()}
    elif _is_number(stated):
        new = moved(stated, percent)
    else:
        return None
    limits = scenario.limits.model_copy(update={name: new})
    return Scenario.model_construct(**{**dict(scenario), "limits": limits})


def _is_number(value: object) -> bool:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def _written(value: int | Fraction) -> str:
    return str(value) if isinstance(value, int) else decimal_text(value)
