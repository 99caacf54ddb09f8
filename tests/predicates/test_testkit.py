"""The test kit notices what it is there to notice."""

import itertools
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from predicates.cases import ACTIONS_PER_SCENARIO
from predicates.catalogue import load_file, shipped
from predicates.findings import Finding, violation
from predicates.registry import Params, Predicate, Unsupported, predicate
from predicates.scaffold import write_clause
from predicates.testkit import Case, check_examples, check_faces, examples_path, random_cases
from scenarios.action import Action
from scenarios.canonical import canonical_bytes
from scenarios.errors import ScenarioError
from scenarios.files import build
from scenarios.types import Limits, Scenario

# Random cases.


def written(cases: Sequence[Case]) -> list[bytes]:
    return [canonical_bytes([scenario.record(), action.record()]) for scenario, action in cases]


def test_the_seed_decides_the_cases() -> None:
    """The same seed gives the same cases, a longer run begins with them, another seed gives others."""
    short, long, other = (written(list(random_cases(seed, n))) for seed, n in ((1, 20), (1, 40), (2, 20)))

    assert long[:20] == short
    assert not set(short) & set(other)
    assert len(set(long)) > 35


def test_the_cases_can_be_stored() -> None:
    """Every scenario survives being written and read."""
    for scenario, _ in random_cases(3, 20 * ACTIONS_PER_SCENARIO):
        assert build(Scenario, scenario.record(), "case") == scenario


def test_the_cases_stand_where_clauses_turn() -> None:
    """Every limit is declared and absent; cash is met exactly and passed by a cent; odd names and shapes occur."""
    cases = list(random_cases(0, 2_000))
    seen: Counter[str] = Counter()
    for scenario, action in cases:
        names = [order.instrument for order in action.orders]
        over = action.bought - scenario.account.cash_cents
        seen.update(
            what for what, is_so in {
                "exactly the cash": over == 0 and action.orders, "a cent over": over == 1, "a cent under": over == -1,
                "duplicates": len(set(names)) < len(names), "unknown": not set(names) <= set(scenario.instrument_of),
                "not allowed": not set(names) <= scenario.allowed, "hold": action.abstained,
                "sells": any(order.side == "sell" for order in action.orders),
                "unsized": any(order.amount is None and order.shares is None for order in action.orders),
                "part of a share": any(order.shares is not None and order.shares % 1 for order in action.orders),
                "cited": bool(action.citations),
                "unknown fact": any(citation.id not in scenario.fact_of for citation in action.citations),
                f"fees {scenario.fees.kind}": True,
            }.items() if is_so
        )
        for limit in Limits.model_fields:
            seen[f"{limit} {'absent' if getattr(scenario.limits, limit) in (None, False) else 'declared'}"] += 1

    assert min(seen.values()) >= 10, seen.most_common()[-5:]
    assert sum(name.startswith("fees") for name in seen) == 7
    assert len([name for name in seen if name.endswith((" absent", " declared"))]) == 2 * len(Limits.model_fields)


# Laws.


def a_clause(law: Any, says: str = "too many orders") -> Predicate:
    return predicate(code="TEST01", name="test.many_orders", says=says)(law)


def finding(**changed: Any) -> Finding:
    fine: dict[str, Any] = {"code": "TEST01", "where": "/orders", "left": 3, "op": "<=", "right": 2, "unit": "orders",
                            "reads": ("/orders",)}
    return violation(**{**fine, **changed})


def many_orders(scenario: Scenario, action: Action, params: Params) -> tuple[Finding, ...]:
    return (finding(left=len(action.orders)),) if len(action.orders) > 2 else ()


CALLS = itertools.count()


@pytest.mark.parametrize(
    ("law", "fault"),
    [
        pytest.param(many_orders, None, id="sound"),
        pytest.param(lambda s, a, p: list(many_orders(s, a, p)), "expected a tuple of findings", id="a list"),
        pytest.param(lambda s, a, p: len(a.orders) > 2, "expected a tuple of findings", id="a bool"),
        pytest.param(lambda s, a, p: (finding(code="TEST02"),), "a violation of TEST02", id="another code"),
        pytest.param(lambda s, a, p: (finding()._replace(kind="crime"),), "a crime of TEST01", id="another kind"),
        pytest.param(lambda s, a, p: (finding(left=0.1),), "0.1 is not an exact number", id="a float"),
        pytest.param(lambda s, a, p: (finding(left=True),), "True is not an exact number", id="a bool as number"),
        pytest.param(lambda s, a, p: (finding(where="/orders/99"),), "no place in the action", id="a place beyond"),
        pytest.param(lambda s, a, p: (finding(where="orders"),), "no place in the action", id="no pointer"),
        pytest.param(lambda s, a, p: (finding(where="/cash"),), "no place in the action", id="a place in the scenario"),
        pytest.param(lambda s, a, p: a.orders[0] and (), "raises IndexError", id="a bug"),
        pytest.param(lambda s, a, p: (finding(),) if next(CALLS) < 100 else (), "judged again it says []",
                     id="it counts its calls"),
        pytest.param(lambda s, a, p: (finding(),) if s.held.pop("AAA", None) else (), "it changes what it reads",
                     id="it eats its input"),
        pytest.param(lambda s, a, p: a.buy_amounts.sort() or (), "it changes what it reads", id="it sorts its input"),
        pytest.param(lambda s, a, p: s.held.update(ZZZ=1) or (), "it changes what it reads", id="it adds a holding"),
    ],
)
def test_law(law: Any, fault: str | None) -> None:
    """What the law does wrong is told with the case; a sound law gives no problem."""
    problems = check_faces(a_clause(law), n=80)

    if fault is None:
        assert problems == []
    else:
        (problem,) = problems
        assert fault in problem
        first, *rest = problem.splitlines()
        assert first.startswith("TEST01 (random cases, seed 0): ")
        assert [line.partition(":")[0] for line in rest[:3]] == ["  parameters", "  scenario", "  action"]


def test_a_sentence_that_cannot_be_told_is_found() -> None:
    """The sentence may only use what the finding holds."""
    (problem,) = check_faces(a_clause(many_orders, says="{orders} are too many"), n=80)

    assert "cannot be written or told: KeyError: 'orders'" in problem


def test_unusable_input_is_no_fault_of_the_law() -> None:
    """A law may refuse what it cannot judge, and such cases are put to no face."""

    def law(scenario: Scenario, action: Action, params: Params) -> tuple[Finding, ...]:
        if not action.orders:
            raise ScenarioError("case", "no orders", "give some")
        return many_orders(scenario, action, params)

    def columns(clause: Predicate, cases: Sequence[Case], params: Params) -> list[bool]:
        assert all(action.orders for _, action in cases)
        return [len(action.orders) > 2 for _, action in cases]

    assert check_faces(a_clause(law), columns=columns, n=80) == []


# Faces.


def columns_with(test: Any) -> Any:
    return lambda clause, cases, params: [test(action) for _, action in cases]


def refusing_odd(clause: Predicate, scenario: Scenario, action: Action, params: Params) -> bool:
    if len(action.orders) % 2:
        raise Unsupported("odd")
    return len(action.orders) <= 2 or len(action.orders) % 2 == 1


def test_agreeing_faces_give_no_problem() -> None:
    """True means FAIL for columns and feasible for constraints."""
    clause = a_clause(many_orders)

    assert check_faces(clause, columns=columns_with(lambda action: len(action.orders) > 2), n=80) == []
    assert check_faces(clause, plan=lambda c, s, action, p: len(action.orders) <= 2, n=80) == []


@pytest.mark.parametrize(
    ("faces", "fault"),
    [
        pytest.param({"columns": columns_with(lambda a: len(a.orders) >= 2)},
                     "the columns face says FAIL, the law says PASS", id="a tie that fails"),
        pytest.param({"columns": columns_with(lambda a: len(a.orders) > 3)},
                     "the columns face says PASS, the law says FAIL", id="too lenient"),
        pytest.param({"plan": lambda c, s, a, p: len(a.orders) < 2},
                     "the constraints face says FAIL, the law says PASS", id="rows too tight"),
        pytest.param({"plan": lambda c, s, a, p: True},
                     "the constraints face says PASS, the law says FAIL", id="no rows"),
        pytest.param({"columns": lambda c, cases, p: [False] * (len(cases) + 1)}, "gives 2 answers to 1 cases",
                     id="one answer too many"),
        pytest.param({"columns": columns_with(lambda a: a.orders[0] and len(a.orders) > 2)},
                     "the columns face raises IndexError", id="a bug in one case"),
        pytest.param({"plan": lambda c, s, a, p: 1 // 0 > 0}, "constraints face raises ZeroDivisionError", id="a bug"),
        pytest.param({"plan": refusing_odd}, "0 that fail", id="asked about one side only"),
    ],
)
def test_a_disagreeing_face_is_found(faces: dict[str, Any], fault: str) -> None:
    """The first counterexample of a face is told in full."""
    (problem,) = check_faces(a_clause(many_orders), n=80, **faces)

    assert fault in problem


def test_unsupported_cases_are_counted() -> None:
    """A face that supports nothing has shown nothing."""

    def columns(clause: Predicate, cases: Sequence[Case], params: Params) -> list[bool]:
        raise Unsupported("no numpy for this")

    (problem,) = check_faces(a_clause(many_orders), columns=columns, n=80)

    assert "answered 0 that fail and 0 that hold, and 80 were unsupported" in problem


@pytest.mark.parametrize(
    ("code", "old", "new"),
    [
        ("LIM02", "cash", lambda s, a, p: a.bought >= s.account.cash_cents),
        ("UNIV01", "allowed", lambda s, a, p: any(o.instrument not in s.instrument_of for o in a.orders)),
        ("GRND02", "text", lambda s, a, p: any(
            c.value is not None and c.id in s.fact_of and c.value != s.fact_of[c.id].value for c in a.citations)),
        ("UNIV03", "own name", lambda s, a, p: any(o.instrument in s.limits.restricted for o in a.orders)),
        ("SIZE01", "sized in shares", lambda s, a, p: any(o.shares is not None and o.shares % 1 for o in a.orders)),
    ],
)
def test_a_face_that_is_almost_right_is_found(code: str, old: str, new: Any) -> None:
    """Near misses of the shipped clauses do not survive the random cases."""
    problems = check_faces(
        shipped()[code], columns=lambda clause, cases, params: [bool(new(*case, params)) for case in cases], n=400
    )

    assert len(problems) == 1
    assert "the columns face says" in problems[0]


# Examples.


@pytest.fixture
def clause(tmp_path: Path) -> Predicate:
    """A clause from a file, with examples that check out."""
    path, *_ = write_clause(tmp_path, "house.large_order", "HOUSE01")
    return load_file(path)["HOUSE01"]


def test_sound_examples_give_no_problem(clause: Predicate) -> None:
    """The scaffold's examples check out, also with the answer given as text."""
    assert check_examples(clause) == []
    path = examples_path(clause)
    examples = json.loads(path.read_text())
    examples["fails"]["answer"] = "Here: " + json.dumps(examples["fails"]["answer"])
    path.write_text(json.dumps(examples))
    assert check_examples(clause) == []


def swapped(examples: dict[str, Any]) -> dict[str, Any]:
    return {"holds": examples["fails"], "fails": examples["holds"]}


def changed(side: str, **members: Any) -> Any:
    return lambda examples: {**examples, side: {**examples[side], **members}}


@pytest.mark.parametrize(
    ("change", "faults"),
    [
        pytest.param(swapped, ["expected no violation", "expected a violation"], id="swapped"),
        pytest.param(lambda e: {"holds": e["holds"]}, ["the members holds and fails"], id="one side only"),
        pytest.param(lambda e: {**e, "fails": {"answer": {}}}, ["the members scenario, answer"], id="no scenario"),
        pytest.param(changed("fails", scenario={}), ["fails/scenario#/id: Field required"], id="an empty scenario"),
        pytest.param(changed("fails", answer="no"), ["MALFORMED"], id="an answer that is none"),
        pytest.param(changed("holds", answer='{"orders": ['), ["TRUNCATED"], id="an answer cut short"),
        pytest.param(changed("holds", parameters={"most": 1}), ["no parameter 'most'"], id="an unknown parameter"),
        pytest.param(changed("holds", parameters={}), ["the clause refuses HOUSE01"], id="a parameter left out"),
    ],
)
def test_unsound_examples_are_found(clause: Predicate, change: Any, faults: list[str]) -> None:
    """Each fault of an example is one problem with its place."""
    path = examples_path(clause)
    path.write_text(json.dumps(change(json.loads(path.read_text()))))
    problems = check_examples(clause)

    assert len(problems) == len(faults)
    for problem, fault in zip(problems, faults, strict=True):
        assert str(path) in problem
        assert fault in problem


def test_an_example_must_be_applicable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A clause that the scenario switches off shows nothing."""
    sound = shipped()["UNIV05"]
    examples = json.loads(examples_path(sound).read_text())
    del examples["holds"]["scenario"]["limits"]
    monkeypatch.setattr(type(sound), "source_file", lambda self: str(tmp_path / "x.py"))
    (tmp_path / "x.examples.json").write_text(json.dumps(examples))

    (problem,) = check_examples(sound)
    assert "#/holds/scenario: declares no /limits/trims_forbidden, so the clause is not applicable" in problem


@pytest.mark.parametrize(("text", "fault"), [(None, "no such file"), ("{", "x.examples.json")])
def test_missing_or_unreadable_examples_are_a_problem(
    text: str | None, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No examples is not the same as sound examples."""
    monkeypatch.setattr(Predicate, "source_file", lambda self: str(tmp_path / "x.py"))
    if text is not None:
        (tmp_path / "x.examples.json").write_text(text)

    (problem,) = check_examples(a_clause(many_orders))
    assert fault in problem
