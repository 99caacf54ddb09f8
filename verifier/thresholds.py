"""The threshold sheet: every number that a contract's clauses turn on, and how much hangs on it.

A number is a parameter of a clause (a house value), or a limit that the scenarios declare and a clause needs. Each is
moved by -10, -5, -1, +1, +5 and +10 percent in all scenarios at once while the frozen answers stay, and the
verdicts whose run state changes are counted. A number that no step moves is a dead knob: on these answers nobody
can tell whether it is right.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from predicates.registry import Predicate
from scenarios.action import Action
from scenarios.exact import decimal_text
from scenarios.load import Answers, Bank
from scenarios.manifest import Contract
from scenarios.types import Limits, Scenario
from verifier.bank import judge_answers
from verifier.contract import Judge
from verifier.verdict import Verdict

STEPS = (-10, -5, -1, 1, 5, 10)
"""By how many percent each number is moved."""


class Knob(NamedTuple):
    """One number: where it stands, its values, and the run states that flip at each step.

    place: "parameter" of the clause or "limit" of the scenarios. values: the distinct ones, as written, smallest
    first. formula: the relation that it stands in, from the clause's page. review: the day by which the clause is
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


def threshold_sheet(
    judge: Judge, bank: Bank, advisors: Sequence[Answers], parser: str, extra: Mapping[str, Predicate] | None = None
) -> Sheet:
    """Return the threshold sheet of a contract over frozen answers.

    Args:
        judge: the contract.
        bank: the scenarios.
        advisors: the frozen answers.
        parser: how the answers are read.
        extra: clauses from files, by code, that the contract names and that do not ship.
    """
    bounds = {name: judge.bind(scenario) for name, scenario in bank.scenarios.items()}
    verdicts = [one.verdict for answers in advisors for one in judge_answers(bounds, answers, parser)]
    read = [verdict for verdict in verdicts if verdict.action is not None]
    knobs, without = [], []
    for clause in judge.contract.clauses:
        numbers = list(_numbers(judge, bank, clause.code))
        if not numbers:
            without.append(clause.code)
        for place, name, values in numbers:
            flips = []
            for percent in STEPS:
                moved = _moved_contract(judge.contract, clause.code, name, percent) if place == "parameter" else None
                flips.append(_flips(judge if moved is None else Judge(moved, extra), bank, read,
                                    (name, percent) if place == "limit" else None))
            formula = formula_of(judge.predicates[clause.code])
            knobs.append(Knob(clause.code, name, place, tuple(map(_written, sorted(values))), formula,
                              clause.authority, clause.owner, clause.review_by, tuple(flips)))
    return Sheet(tuple(knobs), tuple(without), len(verdicts))


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
    """Return the first indented block of a clause's page, where house style writes its formula, in one line.

    A page without one gives the clause's first sentence.
    """
    page = predicate.page()
    block = re.search(r"(?:\A|\n)((?:    .+\n?)+)", page)
    return " ".join((block.group(1) if block else page.split("\n\n")[0]).split()).rstrip(",")


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


def _moved_contract(contract: Contract, code: str, name: str, percent: int) -> Contract:
    clauses = []
    for clause in contract.clauses:
        if clause.code == code:
            value = clause.parameters[name]
            new = moved(Fraction(value) if isinstance(value, str) else int(value), percent)
            written = decimal_text(new) if isinstance(value, str) else int(new)
            clause = clause.model_copy(update={"parameters": {**clause.parameters, name: written}})
        clauses.append(clause)
    return contract.model_copy(update={"clauses": tuple(clauses)})


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


def _flips(judge: Judge, bank: Bank, read: Sequence[Verdict], limit: tuple[str, int] | None) -> int:
    """Return how many verdicts have another run state under this contract, or with one limit moved."""
    decided: dict[str, Any] = {}
    for name, scenario in bank.scenarios.items():
        changed = scenario if limit is None else _moved_scenario(scenario, *limit)
        decided[name] = None if changed is None else judge.bind(changed).decide
    count = 0
    for verdict in read:
        decide = decided[verdict.scenario]
        if decide is not None and isinstance(verdict.action, Action):
            count += decide(verdict.action)[0] != verdict.state
    return count


def _is_number(value: object) -> bool:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def _written(value: int | Fraction) -> str:
    return str(value) if isinstance(value, int) else decimal_text(value)
