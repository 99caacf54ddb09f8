"""The rule advisors: what they may see, and what each answers."""

from collections.abc import Iterable
from typing import Any

import pytest

from replay.rules import HIDDEN, RuleAdvisor, as_request, seal_answers
from replay.stressors import SHIPPED as SETS
from replay.stressors import (
    agreement_split,
    cash_overrun,
    contract,
    fact_hallucination,
    unstable_selector,
)
from scenarios.action import Action
from scenarios.bank import build_bank, build_controls, build_pilots
from scenarios.baseline.fit import rank_by_score
from scenarios.files import list_folder
from scenarios.load import SHIPPED, load_bank
from scenarios.parsing import parse_answer
from scenarios.types import Scenario

BANK = {scenario.id: scenario for scenario in build_bank()}
SCENARIOS = {"bank-1": list(BANK.values()), "pilots-1": list(build_pilots()), "controls-1": list(build_controls())}
REMEDY = "regenerate with: rm -r manifests/answers/{bank}/{name} && python -m replay.stressors"


class Nameless:
    """A scenario that has neither an id nor a category."""

    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario

    def __getattr__(self, name: str) -> Any:
        if name in ("id", "category"):
            raise AttributeError(f"a rule read the scenario's {name}")
        return getattr(self._scenario, name)


def every_set() -> Iterable[Any]:
    """Each shipped set of answers with a readable test id."""
    return [pytest.param(*one, id=f"{one[0]}/{one[1].id}") for one in SETS]


@pytest.mark.parametrize(("bank", "advisor", "runs"), every_set())
def test_stored_bytes_are_what_the_rules_answer(bank: str, advisor: RuleAdvisor, runs: int) -> None:
    """Nothing is stored that the rules do not answer, and nothing differs."""
    folder, remedy = SHIPPED / "answers" / bank / advisor.id, REMEDY.format(bank=bank, name=advisor.id)
    built = seal_answers(advisor, load_bank(SHIPPED / bank), runs)

    assert {path for path, _ in list_folder(folder)} == set(built), remedy
    assert [path for path in built if (folder / path).read_bytes() != built[path]] == [], remedy


@pytest.mark.parametrize(("bank", "advisor", "runs"), every_set())
def test_no_rule_reads_id_or_category(bank: str, advisor: RuleAdvisor, runs: int) -> None:
    """A scenario without these members gets the same answers."""
    for scenario in SCENARIOS[bank]:
        for run in range(1, runs + 1):
            assert advisor.answer(Nameless(scenario), run) == advisor.answer(as_request(scenario), run)  # type: ignore[arg-type]


def test_a_request_hides_id_and_category_only() -> None:
    """Everything else of the scenario is there."""
    scenario = BANK["facts-rates-03"]
    request = as_request(scenario)

    assert (request.id, request.category) == (HIDDEN, HIDDEN)
    assert request.record() | {"id": scenario.id, "category": scenario.category} == scenario.record()


@pytest.mark.parametrize(("bank", "advisor", "runs"), every_set())
def test_every_answer_but_the_silent_ones_is_strict(bank: str, advisor: RuleAdvisor, runs: int) -> None:
    """The strict parser reads each answer without a liberty; only left-out amounts are MALFORMED."""
    for scenario in SCENARIOS[bank]:
        for run in range(1, runs + 1):
            text = advisor.answer(as_request(scenario), run)
            parsed = parse_answer(scenario, text, parser="strict-1")
            assert parsed.notes == ()
            silent = '"instrument"' in text and '"amount"' not in text
            assert parsed.state == ("MALFORMED" if silent else None)


def sizes(action: Action) -> list[Any]:
    """Order sizes in cents, in order."""
    return [order.amount for order in action.orders]


def with_cash(name: str, cash: int) -> Scenario:
    """A scenario of the bank with other cash, in cents."""
    scenario = BANK[name]
    return scenario.model_copy(update={"account": scenario.account.model_copy(update={"cash_cents": cash})})


@pytest.mark.parametrize(
    ("cash", "expected"),
    [
        pytest.param(24_999, [], id="a cent below the floor: hold"),
        pytest.param(25_000, [15_000, 10_000], id="at the floor: split all the same"),
        pytest.param(400_100, [240_060, 160_040], id="where a split is sound"),
    ],
)
def test_agreement_split(cash: int, expected: list[int]) -> None:
    """It holds below the floor and splits anything else."""
    assert sizes(agreement_split(with_cash("facts-returns-01", cash), 1, percentages=[60, 40])) == expected


@pytest.mark.parametrize(
    ("cash", "tickets"),
    [
        pytest.param(4_000, 1, id="one ticket that the cash does not cover"),
        pytest.param(399_999, 1, id="a cent short of two"),
        pytest.param(400_000, 2, id="two"),
        pytest.param(900_000, 2, id="never above the cap"),
    ],
)
def test_cash_overrun(cash: int, tickets: int) -> None:
    """At least one ticket, at most what cash and cap allow."""
    assert sizes(cash_overrun(with_cash("facts-returns-01", cash), 1, ticket_cents=200_000)) == [200_000] * tickets


def test_unstable_selector() -> None:
    """It walks through the names, and leaves out the amount in one run where one name is allowed."""
    narrow, wide = BANK["cash-sub-tranche-02"], BANK["fees-neutral-band-02"]

    def walk(scenario: Scenario) -> list[tuple[str, Any]]:
        runs = [unstable_selector(scenario, run, silent_run=4) for run in range(1, 6)]
        return [(action.orders[0].instrument, action.orders[0].amount is None) for action in runs]

    assert tuple(name for name, _ in walk(narrow)) == rank_by_score(narrow)
    assert [silent for _, silent in walk(narrow)] == [False, False, False, True, False]
    assert walk(wide)[0] == walk(wide)[4] and not any(silent for _, silent in walk(wide))
    assert unstable_selector(with_cash(narrow.id, 24_999), 4, silent_run=4).abstained


def test_fact_hallucination_adds_one_unknown_fact_where_facts_are_given() -> None:
    """Orders and the true citation are the contract advisor's."""
    for scenario in BANK.values():
        plain = contract(scenario, 1, widest=3)
        invented = fact_hallucination(scenario, 1, widest=3, suffix="-REVISED")
        added = invented.citations[len(plain.citations):]
        assert (invented.orders, invented.citations[: len(plain.citations)]) == (plain.orders, plain.citations)
        assert [citation.id in scenario.fact_of for citation in added] == ([False] if scenario.facts else [])
        assert all(citation.id in scenario.fact_of for citation in plain.citations)
