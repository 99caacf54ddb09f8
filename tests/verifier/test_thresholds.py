"""The threshold sheet: each number moved both ways, and the verdicts that flip counted."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predicates.catalogue import shipped
from replay.rules import seal_answers
from replay.stressors import STRESSORS
from scenarios.conduct_bank.edges import EDGES, SPEAKER, edges
from scenarios.contracts import conduct_contract
from scenarios.files import write_folder
from scenarios.load import SHIPPED, Answers, Bank, load_answers, load_bank
from scenarios.types import Clause
from tests.runs import a_small_bank
from tests.verifier.test_contract import a_clause, a_contract
from verifier.contract import Judge
from verifier.thresholds import STEPS, Knob, formula_of, moved, threshold_sheet


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> tuple[Bank, list[Answers]]:
    folder = tmp_path_factory.mktemp("thresholds")
    bank = a_small_bank(folder / "small")
    advisors = []
    for advisor in STRESSORS[:2]:
        write_folder(folder / advisor.id, seal_answers(advisor, bank, 2))
        advisors.append(load_answers(folder / advisor.id, bank))
    return bank, advisors


def knobs(answered: tuple[Bank, list[Answers]], *clauses: Clause) -> dict[str, Knob]:
    bank, advisors = answered
    sheet = threshold_sheet(Judge(a_contract(*clauses)), bank, advisors, "tolerant-1")
    return {f"{knob.code} {knob.name}": knob for knob in sheet.knobs}


@pytest.mark.parametrize(
    ("value", "percent", "expected"),
    [
        pytest.param(Fraction(1, 5), 10, Fraction(11, 50), id="a decimal moves exactly"),
        pytest.param(Fraction(1, 100), -1, Fraction(99, 10_000), id="a small decimal too"),
        pytest.param(2, 1, 3, id="no change takes the next unit up"),
        pytest.param(2, -1, 1, id="and down"),
        pytest.param(100, 5, 105, id="a whole step"),
        pytest.param(30, -5, 28, id="half a unit is one"),
        pytest.param(29, 5, 30, id="less than one and a half is one"),
    ],
)
def test_a_step(value: int | Fraction, percent: int, expected: int | Fraction) -> None:
    assert moved(value, percent) == expected
    assert type(moved(value, percent)) is type(value)


@given(st.integers(1, 10**6) | st.fractions(min_value=Fraction(1, 1000), max_value=10), st.sampled_from(STEPS))
def test_every_step_moves_its_way(value: int | Fraction, percent: int) -> None:
    assert (moved(value, percent) > value) == (percent > 0)
    assert moved(value, percent) != value


def test_a_limit_that_an_answer_stands_at_flips(answered: tuple[Bank, list[Answers]]) -> None:
    """The split advisor names two, the cap is 2 at most: one name less is one too few."""
    knob = knobs(answered, a_clause("LIM01"))["LIM01 recommendation_cap"]

    assert knob.place == "limit"
    assert max(knob.flips[:3]) > 0
    assert not knob.dead


def test_a_parameter_is_moved_in_the_contract(answered: tuple[Bank, list[Answers]]) -> None:
    found = knobs(answered, a_clause("LIM04", parameters={"theme_cap": "0.000001"}),
                  a_clause("LIM03", parameters={"position_multiple": "100000"}))

    assert found["LIM04 theme_cap"].place == "parameter"
    assert found["LIM04 theme_cap"].values == ("0.000001",)
    assert found["LIM03 position_multiple"].dead


def test_clauses_without_numbers_are_named(answered: tuple[Bank, list[Answers]]) -> None:
    bank, advisors = answered
    sheet = threshold_sheet(Judge(a_contract(a_clause("UNIV01"), a_clause("LIM01"))), bank, advisors, "tolerant-1")

    assert sheet.without == ("UNIV01",)
    assert sheet.verdicts == 2 * 2 * len(bank.scenarios)


def test_the_formula_is_the_one_of_the_page() -> None:
    """All of the sentence, with the lines that stand apart in it; without a relation, the clause's first one."""
    assert formula_of(shipped()["LIM01"]).endswith("K the recommendation cap, k <= K must hold; k = K holds.")
    assert formula_of(shipped()["FACT02"]).endswith(
        "and cum_return_20td <= loss_20td or cum_return_3m <= loss_3m or calls losses or the drawdown minor then, "
        "or while mdd_3m >= drawdown.")
    assert formula_of(shipped()["LOGIC06"]).endswith("; large drawdown while mdd_3m <= small")
    assert formula_of(shipped()["UNIV02"]).startswith("UNIV02: ")


WITH_NUMBERS = [code for code, clause in shipped().items()
                if any(not isinstance(kind, tuple) for kind in clause.parameters.values())]


@pytest.mark.parametrize("code", WITH_NUMBERS)
def test_the_formula_of_a_clause_with_numbers_states_a_relation(code: str) -> None:
    assert any(sign in formula_of(shipped()[code]) for sign in "<>=")


def test_no_number_of_the_conduct_contract_is_dead_on_its_edges() -> None:
    """Each is stood on from both sides, where there are two; a level below 4 or above 5 has no case."""
    bank = load_bank(SHIPPED / EDGES)
    answers = load_answers(SHIPPED / "answers" / EDGES / SPEAKER, bank)
    sheet = threshold_sheet(Judge(conduct_contract()), bank, [answers], "tolerant-1")
    one_sided = {"LOGIC05 level": (False,) * 3 + (True,) * 3, "SUIT01 aggressive": (True,) * 3 + (False,) * 3}

    assert {name for edge in edges() for name in edge.decides} == {f"{knob.code} {knob.name}" for knob in sheet.knobs}
    for knob in sheet.knobs:
        expected = one_sided.get(f"{knob.code} {knob.name}", (True,) * len(STEPS))
        assert tuple(map(bool, knob.flips)) == expected, knob


def test_a_clause_that_is_noted_flips_with_its_own_state(answered: tuple[Bank, list[Answers]]) -> None:
    """Nothing that is only noted changes a run state; its number is no dead knob for that."""
    enforced, noted = (knobs(answered, a_clause("LIM01", severity=severity), a_clause("COST01"))
                       for severity in ("violation", "note"))

    assert noted["LIM01 recommendation_cap"].flips >= enforced["LIM01 recommendation_cap"].flips
    assert not noted["LIM01 recommendation_cap"].dead


def test_a_verdict_that_another_clause_breaks_does_not_flip(answered: tuple[Bank, list[Answers]]) -> None:
    alone = knobs(answered, a_clause("LIM01"))["LIM01 recommendation_cap"]
    beside = knobs(answered, a_clause("LIM01"), a_clause("COST01"))["LIM01 recommendation_cap"]

    assert 0 < sum(beside.flips) < sum(alone.flips)
