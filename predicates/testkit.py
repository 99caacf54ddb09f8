"""What a rule author runs on a clause: its examples, and the agreement of its faces.

Both checks return a list of problems, each one text for a person; an empty list means that all is well.
They serve the clauses that ship and anybody else's alike. Nothing here needs more than the core install.

A clause `x.py` has beside it `x.examples.json`:

    {"holds": {"scenario": {...}, "answer": {...}, "parameters"?: {...}, "lexicons"?: [{...}]}, "fails": {the same}}

where scenario is a whole scenario as it is stored, answer is what an advisor would send (its object, or
its text as one string), and parameters and lexicons are those of the contract.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from predicates.cases import Case, random_cases
from predicates.conduct.phrases import compile_phrases
from predicates.findings import KINDS, Finding
from predicates.registry import Params, Predicate, Unsupported
from scenarios.action import Action
from scenarios.canonical import canonical_bytes
from scenarios.errors import AuditError, ScenarioError
from scenarios.files import build, read_file
from scenarios.json_exact import read_json
from scenarios.lexicon import Lexicon
from scenarios.parsing import parse_answer
from scenarios.types import Scenario

__all__ = ["Case", "check_examples", "check_faces", "examples_path", "random_cases"]

PLACES = ("orders", "citations", "message", "prose", "turns")
SAMPLES: Mapping[type, tuple[Any, ...]] = {
    bool: (True,), int: (0, 1, 2, 3, 25_000), Fraction: ("0", "0.01", "0.2", "1"),
}
"""Values that a parameter without choices is tried with."""

Columns = Callable[[Predicate, Sequence[Case], Params], Sequence[bool]]
Plan = Callable[[Predicate, Scenario, Action, Params], bool]


# Examples.


def examples_path(predicate: Predicate) -> Path:
    """Return where the clause's examples lie: beside its module."""
    return Path(predicate.source_file()).with_suffix(".examples.json")


def check_examples(predicate: Predicate) -> list[str]:
    """Return what is wrong with a clause's two examples.

    In both the clause must be applicable and the answer must become an action. The example that holds
    gives no violation; the one that fails gives at least one, and nothing under another code.
    """
    path = examples_path(predicate)
    if not path.is_file():
        return [f"{path}: there is no such file; write one example that holds and one that fails"]
    try:
        examples = read_json(read_file(path), str(path))
    except AuditError as error:
        return [str(error)]
    if not isinstance(examples, dict) or set(examples) != {"holds", "fails"}:
        return [f"{path}: expected one object with the members holds and fails; write one example of each"]
    problems = []
    for side, example in examples.items():
        where = f"{path}#/{side}"
        try:
            findings = _judge_example(predicate, example, where)
        except AuditError as error:
            problems.append(str(error))
            continue
        violated = any(finding.kind == "violation" for finding in findings)
        if violated is not (side == "fails"):
            found = "; ".join(map(predicate.sentence, findings)) or "nothing"
            problems.append(f"{where}: the clause finds {found}; expected {'a' if side == 'fails' else 'no'} violation")
    return problems


def _judge_example(predicate: Predicate, example: Any, where: str) -> tuple[Finding, ...]:
    if not isinstance(example, dict) or set(example) - {"parameters", "lexicons"} != {"scenario", "answer"}:
        found = "expected the members scenario, answer and perhaps parameters and lexicons"
        raise ScenarioError(where, found, "mend the example")
    scenario = build(Scenario, example["scenario"], f"{where}/scenario")
    answer = example["answer"]
    parsed = parse_answer(scenario, answer if isinstance(answer, str) else json.dumps(answer))
    if parsed.action is None:
        reason = "; ".join(parsed.fault or ())
        raise ScenarioError(f"{where}/answer", f"{parsed.state}: {reason}", "show an answer that becomes an action")
    try:
        params = _with_phrases(predicate, predicate.read_parameters(example.get("parameters", {})), [
            build(Lexicon, one, f"{where}/lexicons") for one in example.get("lexicons", ())])
    except ValueError as error:
        raise ScenarioError(f"{where}/parameters", str(error), "mend the example") from error
    absent = predicate.missing_limit(scenario, params)
    if absent is not None:
        raise ScenarioError(f"{where}/scenario", f"declares no {absent}, so the clause is not applicable", "declare it")
    outcome = _judge(predicate, (scenario, parsed.action), params)
    fault = _fault_of(predicate, (scenario, parsed.action), outcome)
    if fault is not None or isinstance(outcome, _Raised):
        raise ScenarioError(where, fault or str(outcome), "mend the clause or the example")
    return outcome


def _with_phrases(predicate: Predicate, params: Params, lexicons: Sequence[Lexicon]) -> Params:
    return {**params, "phrases": compile_phrases(lexicons)} if predicate.lexicon else params


# Faces.


def check_faces(
    predicate: Predicate, *, columns: Columns | None = None, plan: Plan | None = None, seed: int = 0, n: int = 1000
) -> list[str]:
    """Return what is wrong with a clause's law on random cases, and where another face disagrees with it.

    The law must be a pure function that returns a tuple of well-formed findings under its own code, or
    refuses unusable input with an AuditError: judged again in reverse order, from scenarios that were
    written and read again, it must say the same. Only the first counterexample against each face is told,
    in full. A face that raises `Unsupported` is not asked about that case; a face that was not shown both
    to pass and to fail has shown nothing, which is a problem too.

    Args:
        predicate: the clause.
        columns: runs the columns face: (clause, cases, parameters) -> whether each case fails.
        plan: runs the constraints face: (clause, scenario, action, parameters) -> whether the action
            satisfies the rows.
        seed: of the cases.
        n: number of cases, dealt out over the values of the clause's parameters; cases without the
            limits that the clause needs are left out.
    """
    faces: dict[str, _Face] = {}
    if columns is not None:
        faces["columns"] = lambda cases, params: _ask(lambda part: columns(predicate, part, params), cases)
    if plan is not None:
        faces["constraints"] = lambda cases, params: [
            answer for case in cases for answer in _ask(lambda part: [not plan(predicate, *part[0], params)], [case])
        ]
    problems: dict[str, str] = {}
    answered: dict[str, Counter[bool | None]] = {face: Counter() for face in faces}
    settings = _parameter_settings(predicate)
    all_cases = list(random_cases(seed, n))
    for number, given in enumerate(settings):
        params = _with_phrases(predicate, predicate.read_parameters(given), ())
        cases = [
            case for case in all_cases[number :: len(settings)] if predicate.missing_limit(case[0], params) is None
        ]
        decided: list[tuple[Case, tuple[Finding, ...]]] = []
        for case, outcome, fault in _judge_twice(predicate, cases, params):
            if fault is not None:
                problems.setdefault("law", _tell(predicate, fault, seed, given, case, outcome))
            elif not isinstance(outcome, _Raised):
                decided.append((case, outcome))
        for face, ask in faces.items():
            answers = ask([case for case, _ in decided], params)
            for (case, findings), answer in zip(decided, answers, strict=True):
                fails = any(finding.kind == "violation" for finding in findings)
                answered[face][None if answer is None else fails] += 1
                if answer is not None and answer is not fails:
                    says = answer if isinstance(answer, str) else f"says {_word(answer)}"
                    fault = f"the {face} face {says}, the law says {_word(fails)}"
                    problems.setdefault(face, _tell(predicate, fault, seed, given, case, findings))
    for face, count in answered.items():
        if not (count[True] and count[False]):
            problems.setdefault(face, (
                f"{predicate.code}: of {n} random cases (seed {seed}) the {face} face answered {count[True]} that fail "
                f"and {count[False]} that hold, and {count[None]} were unsupported; it takes some of both"
            ))
    return list(problems.values())


@dataclass(frozen=True)
class _Raised:
    """An exception of the law: its text, and whether it says that the input is unusable."""

    text: str
    refused: bool

    def __str__(self) -> str:
        return f"the clause {'refuses' if self.refused else 'raises'} {self.text}"


_Outcome = tuple[Finding, ...] | _Raised
_Face = Callable[[Sequence[Case], Params], list[bool | str | None]]


def _judge(predicate: Predicate, case: Case, params: Params) -> _Outcome:
    try:
        return predicate(*case, params)
    except AuditError as error:
        return _Raised(str(error), refused=True)
    except Exception as error:  # whatever a clause raises is told to its author
        return _Raised(f"{type(error).__name__}: {error}", refused=False)


def _judge_twice(
    predicate: Predicate, cases: Sequence[Case], params: Params
) -> list[tuple[Case, _Outcome, str | None]]:
    """Return each case with the law's outcome and what is wrong with it."""
    first = [_judge(predicate, case, params) for case in cases]
    again = [_judge(predicate, _written_and_read(case), params) for case in reversed(cases)]
    judged: list[tuple[Case, _Outcome, str | None]] = []
    for case, outcome, other in zip(cases, first, reversed(again), strict=True):
        fault = _fault_of(predicate, case, outcome)
        if fault is None and outcome != other:
            fault = f"the law is not pure: judged again it says {_written(other)}"
        if fault is None and not _is_untouched(case):
            fault = "the law is not pure: it changes what it reads"
        judged.append((case, outcome, fault))
    return judged


def _written_and_read(case: Case) -> Case:
    scenario, action = case
    copied = Action(action.orders, action.citations, action.message, action.prose, action.turns)
    return build(Scenario, scenario.record(), scenario.id), copied


def _is_untouched(case: Case) -> bool:
    """Return whether scenario and action, what is derived from them included, are as they were made."""
    scenario, action = case
    same_scenario, same_action = _written_and_read(case)
    return all(getattr(same_action, name) == getattr(action, name) for name in Action.__slots__) and all(
        callable(value) or getattr(same_scenario, name) == value for name, value in vars(scenario).items()
    )


def _fault_of(predicate: Predicate, case: Case, outcome: object) -> str | None:
    """Return what is wrong with an outcome of the law, or None."""
    if isinstance(outcome, _Raised):
        return None if outcome.refused else str(outcome)
    if not isinstance(outcome, tuple) or not all(isinstance(finding, Finding) for finding in outcome):
        return f"the law returned {outcome!r}, expected a tuple of findings"
    for finding in outcome:
        if finding.code != predicate.code or finding.kind not in KINDS:
            return f"a finding is a {finding.kind} of {finding.code}, expected a violation or note of {predicate.code}"
        if not _points_into(case, finding.where):
            return f"a finding points to {finding.where!r}, which is no place in the action or the dialogue"
        try:
            canonical_bytes(finding.record())
            predicate.sentence(finding)
        except (TypeError, ValueError, LookupError, AttributeError) as error:
            return f"a finding cannot be written or told: {type(error).__name__}: {error}"
    return None


def _points_into(case: Case, where: str) -> bool:
    scenario, action = case
    head, *rest = where.removeprefix("/").split("/")
    if head == "dialogue":
        return len(rest) == 2 and rest[0].isdecimal() and int(rest[0]) < len(scenario.dialogue)
    if not where.startswith("/") or head not in PLACES:
        return where == ""
    return not rest or (rest[0].isdecimal() and int(rest[0]) < len(getattr(action, head)))


def _ask(run: Callable[[Sequence[Case]], Sequence[bool]], cases: Sequence[Case]) -> list[bool | str | None]:
    """Return a face's answers, None where unsupported; what raises is halved until the case is found."""
    try:
        answers = [bool(answer) for answer in run(cases)]
        if len(answers) == len(cases):
            return list(answers)
        says: str | None = f"gives {len(answers)} answers to {len(cases)} cases"
    except Unsupported:
        says = None
    except Exception as error:  # whatever a face raises is told to its author
        says = f"raises {type(error).__name__}: {error}"
    if len(cases) <= 1:
        return [says for _ in cases]
    half = len(cases) // 2
    return _ask(run, cases[:half]) + _ask(run, cases[half:])


def _parameter_settings(predicate: Predicate) -> list[Mapping[str, Any]]:
    """Return the defaults, then each parameter alone at each of its other values."""
    return [{}, *(
        {name: value}
        for name, kind in predicate.parameters.items()
        for value in (kind[1:] if isinstance(kind, tuple) else SAMPLES[kind if isinstance(kind, type) else type(kind)])
    )]


def _word(fails: bool) -> str:
    return "FAIL" if fails else "PASS"


def _written(outcome: _Outcome) -> str:
    return str([finding.record() for finding in outcome]) if isinstance(outcome, tuple) else str(outcome)


def _tell(
    predicate: Predicate, fault: str, seed: int, given: Mapping[str, Any], case: Case, outcome: object
) -> str:
    scenario, action = case
    return "\n".join([
        f"{predicate.code} (random cases, seed {seed}): {fault}",
        f"  parameters: {dict(given)}",
        f"  scenario: {canonical_bytes(scenario.record()).decode()}",
        f"  action: {canonical_bytes(action.record()).decode()}",
        f"  law: {outcome!r}",
    ])
