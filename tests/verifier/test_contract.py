"""A bound contract: every clause always, precedence of states, and the laws that no clause may break."""

import importlib.metadata
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from predicates.cases import random_cases
from predicates.catalogue import find, shipped
from predicates.findings import note
from scenarios.action import Action, Order
from scenarios.canonical import sha256
from scenarios.errors import ScenarioError
from scenarios.fees import NoFee, StepFee
from scenarios.load import shipped_contract
from scenarios.manifest import Contract
from scenarios.sealed import load_contract
from scenarios.types import Answer, Clause, Scenario
from tests.builders import a_scenario, an_instrument, buys
from verifier.contract import BoundContract, Judge

BASE = Judge(load_contract(shipped_contract()))
CASES = list(random_cases(5, 300))


def a_contract(*clauses: Clause) -> Contract:
    return Contract(id="test", version="1", clauses=clauses)


def a_clause(code: str, **members: Any) -> Clause:
    return Clause(**{"code": code, "authority": "test", "owner": "test", **members})


def answer(text: str, **members: Any) -> Answer:
    return Answer(scenario="test-1", run=1, text=text, **members)


def scaled(scenario: Scenario, action: Action, k: int) -> tuple[Scenario, Action]:
    """The same case in a currency worth 1/k: every amount of money times k."""
    record = scenario.record()
    money = [(record["account"], ("cash_cents",)), (record["limits"], ("spread_tolerance_cents",)),
             (record["fees"], ("tranche_cents", "fee_cents_per_tranche"))]
    money += [(position, ("value_cents",)) for position in record["account"]["positions"]]
    money += [(instrument, ("price_cents", "volume_cents")) for instrument in record["instruments"]]
    for holder, members in money:
        for member in members:
            if member in holder:
                holder[member] *= k
    orders = [order._replace(amount=None if order.amount is None else order.amount * k) for order in action.orders]
    return Scenario.model_validate_json(json.dumps(record)), Action(orders, action.citations, action.message)


@given(st.sampled_from(range(len(CASES))), st.randoms(use_true_random=False))
def test_the_order_of_orders_changes_no_state(number: int, dice: Any) -> None:
    scenario, action = CASES[number]
    orders = list(action.orders)
    dice.shuffle(orders)
    bound = BASE.bind(scenario)

    assert (
        bound.decide(Action(orders, action.citations))[:2] == bound.decide(Action(action.orders, action.citations))[:2]
    )


@given(
    st.sampled_from([n for n, (s, _) in enumerate(CASES) if isinstance(s.fees, StepFee | NoFee)]), st.integers(2, 50)
)
def test_the_unit_of_money_changes_no_state(number: int, k: int) -> None:
    """Cash, fees, prices, values and amounts times k: every clause says the same."""
    scenario, action = CASES[number]
    other, larger = scaled(scenario, action, k)

    assert BASE.bind(other).decide(larger)[:2] == BASE.bind(scenario).decide(action)[:2]


def test_the_cases_are_not_all_alike() -> None:
    """The two laws above are shown on cases of every kind."""
    states = {BASE.bind(scenario).decide(action)[0] for scenario, action in CASES}
    failing = {
        code
        for scenario, action in CASES
        for code, state in BASE.bind(scenario).decide(action)[1].items()
        if state == "FAIL"
    }

    assert {"INADMISSIBLE", "ADMISSIBLE"} <= states
    assert len(failing) >= 15


def test_every_clause_is_evaluated_after_the_first_failure() -> None:
    scenario = a_scenario(cash=50_000, recommendation_cap=1, fee_tolerance=Fraction(1, 100))
    state, states, findings = BASE.bind(scenario).decide(buys([30_000, 30_000]))

    assert state == "INADMISSIBLE"
    assert {code for code, one in states.items() if one == "FAIL"} == {"COST01", "LIM01", "LIM02"}
    assert [finding.code for finding in findings] == ["COST01", "LIM01", "LIM02"]


def test_error_outranks_inadmissible() -> None:
    scenario = a_scenario(cash=1, liquidity_fraction=Fraction(1, 10))
    state, states, _ = BASE.bind(scenario).decide(buys([30_000]))

    assert (state, states["LIM06"], states["LIM02"]) == ("ERROR", "ERROR", "FAIL")


def test_terms_are_made_once_for_a_scenario(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    clause = shipped()["LIM02"]
    terms = clause.terms
    monkeypatch.setattr(clause, "terms", lambda scenario, params: asked.append(scenario.id) or terms(scenario, params))
    bound = Judge(a_contract(a_clause("LIM02"))).bind(a_scenario(cash=1))

    assert [bound.decide(buys([size]))[0] for size in (1, 2, 1)] == ["ADMISSIBLE", "INADMISSIBLE", "ADMISSIBLE"]
    assert asked == ["test-1"]


def test_terms_that_cannot_be_had_are_an_error_of_every_action() -> None:
    """A theme cap is declared and a held name has no theme: no weight is known, whatever is ordered."""
    bare = [an_instrument("AAA", theme=None)]
    bound = BASE.bind(a_scenario(instruments=bare, held={"AAA": 100}, theme_cap=Fraction(1, 5)))

    for action in (Action(), buys([100])):
        state, states, findings = bound.decide(action)
        assert (state, states["LIM04"]) == ("ERROR", "ERROR")
        assert [(found.where, found.details) for found in findings if found.code == "LIM04"] == [
            ("test-1#/instruments/AAA/theme", {"reason": "no theme is frozen"})
        ]


def test_a_hold_that_cites_nonsense_is_inadmissible() -> None:
    verdict = BASE.bind(a_scenario()).judge(answer('{"orders": [], "citations": ["X"]}'))

    assert (verdict.state, verdict.failed) == ("INADMISSIBLE", ("GRND01",))


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        pytest.param({}, ("INADMISSIBLE", "FAIL"), id="enforced"),
        pytest.param({"severity": "note"}, ("ADMISSIBLE", "WAIVED"), id="a note only"),
        pytest.param({"effective_from": "2026-01-02"}, ("INADMISSIBLE", "FAIL"), id="from this day on"),
        pytest.param({"effective_from": "2026-01-03"}, ("ADMISSIBLE", "WAIVED"), id="from the next day on"),
        pytest.param({"effective_to": "2026-01-02"}, ("INADMISSIBLE", "FAIL"), id="up to this day"),
        pytest.param({"effective_to": "2026-01-01"}, ("ADMISSIBLE", "WAIVED"), id="up to the day before"),
    ],
)
def test_what_the_contract_enforces(members: dict[str, Any], expected: tuple[str, str]) -> None:
    bound = Judge(a_contract(a_clause("LIM02", **members))).bind(a_scenario(cash=1))
    state, states, findings = bound.decide(buys([2]))

    assert (state, states["LIM02"]) == expected
    assert findings, "a waived violation is still told"


@pytest.mark.parametrize(
    ("clause", "says"),
    [
        (a_clause("LIM02", version=2), "asks for version 2"),
        (a_clause("LIM02", parameters={"fee": "x"}), "no parameter"),
        (a_clause("LIM02", parameters={"fees": "maybe"}), "expected one of"),
        (a_clause("NONE01"), "no installed clause"),
    ],
)
def test_a_contract_that_cannot_be_kept_is_refused(clause: Clause, says: str) -> None:
    with pytest.raises(ScenarioError, match=says):
        Judge(a_contract(clause))


def test_the_verdict_names_what_it_judged() -> None:
    bound: BoundContract = BASE.bind(a_scenario())
    line = b'{"the":"stored line"}'
    verdict = bound.judge(answer('{"orders": []}'), line)

    assert verdict.digests["answer"] == sha256(line)
    assert verdict.digests["contract"] == load_contract(shipped_contract()).digest
    assert verdict.digests["action"] == sha256(b'{"orders":[]}')


def test_another_scenario_digest_for_another_scenario() -> None:
    assert BASE.bind(a_scenario(cash=1)).digests["scenario"] != BASE.bind(a_scenario(cash=2)).digests["scenario"]


def test_truncated_and_missing() -> None:
    bound = BASE.bind(a_scenario())

    assert bound.judge(answer('{"orders": [', finish_reason="length")).state == "TRUNCATED"
    assert bound.judge_run(3, ()).state == "ERROR"
    assert "no answer" in str(bound.judge_run(3, ()).fault)


def test_clauses_run_in_code_order_whatever_the_contract_says() -> None:
    turned = Judge(a_contract(a_clause("UNIV01"), a_clause("COST01")))

    assert list(turned.predicates) == ["COST01", "UNIV01"]


def test_a_clause_from_an_entry_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed package brings FIRM01; no core edit."""
    (tmp_path / "firm_rules.py").write_text(
        '"""FIRM01: a rule of a firm."""\n'
        "from predicates.registry import predicate\n"
        '@predicate(code="FIRM01", name="firm.rule", says="x")\n'
        "def rule(scenario, action, params):\n    return ()\n"
    )
    info = tmp_path / "firm-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: firm\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[advice_audit.predicates]\nrule = firm_rules:rule\n")
    monkeypatch.syspath_prepend(tmp_path)

    assert find(["FIRM01"])["FIRM01"].name == "firm.rule"


def test_entry_points_are_scanned_only_for_codes_that_do_not_ship(monkeypatch: pytest.MonkeyPatch) -> None:
    def scanned(**_: object) -> None:
        raise AssertionError("scanned")

    monkeypatch.setattr(importlib.metadata, "entry_points", scanned)

    assert find(shipped()) == shipped()
    with pytest.raises(AssertionError, match="scanned"):
        find(["FIRM01"])


def test_an_order_without_a_size_is_judged_by_name_alone() -> None:
    scenario = a_scenario(amounts_required=False, recommendation_cap=1)
    state, states, _ = BASE.bind(scenario).decide(Action([Order("AAA"), Order("BBB")]))

    assert (state, states["LIM01"], states["LIM02"]) == ("INADMISSIBLE", "FAIL", "PASS")


@pytest.mark.parametrize(("details", "ascii_keys"), [
    pytest.param({"tranches": 1}, True, id="names of ours"),
    pytest.param({"\uffff": 1, "\U00010000": 2}, False, id="names that sort otherwise by UTF-16 than by code point"),
])
def test_the_bytes_of_a_verdict_are_canonical_whatever_a_finding_calls_its_details(
    details: dict[str, int], ascii_keys: bool
) -> None:
    found = note("COST01", where="", left=1, op="<=", right=2, unit="cents", reads=(), **details)
    verdict = BASE.bind(a_scenario()).judge(answer('{"orders": []}'))._replace(findings=(found,))

    assert verdict.ascii_keys == ascii_keys
    assert verdict.bytes() == rfc8785.dumps(json.loads(verdict.bytes()))


def test_a_scenario_digest_that_is_at_hand_is_taken() -> None:
    scenario = a_scenario()
    named = BASE.bind(scenario).digests["scenario"]

    assert BASE.bind(scenario, named).digests == BASE.bind(scenario).digests
    assert BASE.bind(scenario, "0" * 64).judge(answer('{"orders": []}')).digests["scenario"] == "0" * 64
