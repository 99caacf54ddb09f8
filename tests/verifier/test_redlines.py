"""Which redlines fire in labelled texts, and which bars they miss."""

import pytest

from scenarios.contracts import conduct_contract
from scenarios.errors import ScenarioError
from scenarios.labels import LabelledText, Labels, load_labels
from scenarios.load import SHIPPED
from verifier.contract import Judge
from verifier.redlines import Fired, fire, measure, shortfalls

PROMISE = LabelledText(id="a", language="en", labels=("COND01",), near="COND01", kind="promise", context="all-cash",
                       advisor_says="I guarantee you a profit.")


@pytest.fixture(scope="module")
def labels() -> Labels:
    return load_labels(SHIPPED / "redlines-1")


@pytest.mark.parametrize("severity", ["violation", "note"])
def test_a_clause_fires_whether_or_not_it_is_enforced(labels: Labels, severity: str) -> None:
    contract = conduct_contract()
    clauses = tuple(clause.model_copy(update={"severity": severity}) for clause in contract.clauses)
    judge = Judge(contract.model_copy(update={"clauses": clauses}))

    assert fire(judge, labels, [PROMISE]) == [Fired(PROMISE, frozenset({"COND01"}))]


def test_a_contract_without_a_redline_is_refused(labels: Labels) -> None:
    contract = conduct_contract()
    clauses = tuple(clause for clause in contract.clauses if clause.code != "COND04")

    with pytest.raises(ScenarioError, match="conduct-1: has no clause COND04"):
        fire(Judge(contract.model_copy(update={"clauses": clauses})), labels, [PROMISE])


def test_a_clause_that_raises_is_no_clean_text(labels: Labels, monkeypatch: pytest.MonkeyPatch) -> None:
    judge = Judge(conduct_contract())

    def broken(*_: object) -> None:
        raise ZeroDivisionError("broken")

    monkeypatch.setattr(judge.predicates["COND03"], "law", broken)
    with pytest.raises(ScenarioError, match="context all-cash: COND03 cannot be decided in text a: the clause raised"):
        fire(judge, labels, [PROMISE])


def test_a_bar_without_a_text_is_missed() -> None:
    found = [PROMISE.model_copy(update={"id": str(number)}) for number in range(40)]
    short = shortfalls(measure([Fired(text, frozenset(text.labels)) for text in found]))

    assert "COND01 zh: no text is labelled with it" in short
    assert "COND02 all: no text is labelled with it" in short
    assert not [line for line in short if line.startswith(("COND01 all", "COND01 en"))]


def test_a_bar_that_is_missed_is_named_with_both_numbers() -> None:
    right, wrong = Fired(PROMISE, frozenset({"COND01"})), Fired(PROMISE, frozenset[str]())
    short = shortfalls(measure([right] * 8 + [wrong] * 2))

    assert "COND01 all: recall 0.8000 under 0.9000" in short
    assert "COND01 en: recall 0.8000 under 0.8500" in short
