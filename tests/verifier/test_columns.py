"""Many actions at once: the columns say what the law says, within bounds that are checked."""

import tracemalloc
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from predicates.cases import random_cases
from predicates.catalogue import shipped
from predicates.registry import Predicate
from predicates.testkit import check_faces
from scenarios.action import Action, Citation, Order
from scenarios.errors import ScenarioError
from scenarios.fees import ProportionalFee, StepFee
from scenarios.manifest import Contract
from scenarios.types import Clause, Scenario
from tests.builders import a_scenario, an_instrument, buys, cites, sells
from verifier.columns import ActionColumns, fails_by_columns, judge_columns, make_columns
from verifier.contract import Judge

TABLE_1 = ("COST01", "COST02", "GRND01", "LIM01", "LIM02", "LIM03", "LIM04", "UNIV01", "UNIV02")
LIMITS: dict[str, Any] = {
    "recommendation_cap": 2, "equal_weight_names": 9, "position_multiple": Fraction("1.3"),
    "theme_cap": Fraction("0.2"), "fee_tolerance": Fraction("0.01"), "add_only": True,
}


def a_judge(*codes: str, **members: Any) -> Judge:
    clauses = tuple(Clause(code=code, authority="test", owner="test", **members) for code in codes or TABLE_1)
    return Judge(Contract(id="test", version="1", clauses=clauses))


def by_law(judge: Judge, scenarios: Sequence[Scenario], rows: Sequence[tuple[int, Action]]) -> dict[str, list[bool]]:
    """The contract's own verdicts, one action at a time."""
    states = [judge.bind(scenarios[which]).decide(action)[1] for which, action in rows]
    return {code: [state[code] == "FAIL" for state in states] for code in judge.predicates}


def by_columns(
    judge: Judge, scenarios: Sequence[Scenario], rows: Sequence[tuple[int, Action]], **how: Any
) -> dict[str, list[bool]]:
    fails = judge_columns(judge, scenarios, make_columns(scenarios, rows), **how)
    return {code: fail.tolist() for code, fail in fails.items()}


@pytest.mark.parametrize("clause", [shipped()[code] for code in TABLE_1], ids=lambda clause: clause.code)
def test_columns_and_law_agree_on_random_cases(clause: Predicate) -> None:
    assert check_faces(clause, columns=fails_by_columns, seed=5, n=900) == []


@pytest.mark.parametrize("chunk", [1, 3, 4096])
def test_the_contract_says_the_same_whatever_the_chunk(chunk: int) -> None:
    """Many scenarios in one table, actions of 0 to 5 orders, sells and repeated names among them."""
    usable = [
        (scenario, action) for scenario, action in random_cases(11, 500)
        if isinstance(scenario.fees, StepFee) and all(item.theme for item in scenario.instruments)
        and all(type(order.amount) is int for order in action.orders)
    ]
    scenarios = [scenario for scenario, _ in usable]
    rows = [(index, action) for index, (_, action) in enumerate(usable)]
    judge = a_judge()
    expected = by_law(judge, scenarios, rows)

    assert len(rows) > 60
    assert all(0 < sum(fails) < len(rows) for fails in expected.values())
    assert by_columns(judge, scenarios, rows, chunk=chunk) == expected


def test_edges_of_the_shape() -> None:
    """Nothing ordered; the same unknown name twice and two unknown names; a buy without a size."""
    scenario = a_scenario(held={"CCC": 1_000_000}, amounts_required=False, **LIMITS)
    rows = [
        (0, Action()), (0, buys({"X": 30_000, "Y": 30_000})), (0, Action([Order("X", "buy", 30_000)] * 3)),
        (0, buys({"X": 30_000, "Y": 30_000, "Z": 30_000})), (0, Action([Order("AAA"), Order("BBB"), Order("CCC")])),
        (0, cites("moon")), (0, Action()),
    ]
    judge = a_judge()

    assert by_columns(judge, [scenario], rows) == by_law(judge, [scenario], rows)
    assert by_columns(judge, [scenario], rows)["LIM01"] == [False, False, False, True, True, False, False]
    assert by_columns(judge, [scenario], []) == {code: [] for code in TABLE_1}


def test_a_sale_of_the_whole_position_is_not_below_the_floor() -> None:
    scenario = a_scenario(held={"AAA": 20_000}, **LIMITS)
    rows = [(0, sells({"AAA": amount})) for amount in (19_999, 20_000, 20_001, 25_000)]

    assert by_columns(a_judge("COST02"), [scenario], rows)["COST02"] == [True, False, True, False]


def test_a_floor_between_two_cents() -> None:
    """250 / 0.003 is 83,333 and a third: an order of whole cents must reach the next one."""
    scenario = a_scenario(fee_tolerance=Fraction("0.003"))
    rows = [(0, buys([amount])) for amount in (83_333, 83_334)]

    assert by_columns(a_judge("COST02"), [scenario], rows)["COST02"] == [True, False]


def test_a_limit_that_one_scenario_lacks_fails_nothing_there() -> None:
    scenarios = [a_scenario(recommendation_cap=0), a_scenario()]
    rows = [(index, buys([30_000])) for index in (0, 1, 0)]

    assert by_columns(a_judge("LIM01"), scenarios, rows)["LIM01"] == [True, False, True]


def test_a_waived_clause_fails_nothing() -> None:
    rows = [(0, buys([30_000]))]
    scenarios = [a_scenario(recommendation_cap=0)]

    for judge in (a_judge("LIM01", severity="note"), a_judge("LIM01", effective_from="2026-01-03")):
        assert by_columns(judge, scenarios, rows)["LIM01"] == by_law(judge, scenarios, rows)["LIM01"] == [False]


def test_the_largest_amounts_do_not_wrap_round() -> None:
    """13 times the whole would pass 2^63 if cents were summed and scaled without care."""
    most = 10**13 - 1
    scenario = a_scenario(cash=10**15 - 1, held={"AAA": 10**15 - 1}, **LIMITS)
    rows = [
        (0, Action([Order(name, "buy", most) for name in ("AAA", "BBB") for _ in range(count)])) for count in (1, 40)
    ]
    judge = a_judge()

    assert by_columns(judge, [scenario], rows) == by_law(judge, [scenario], rows)


def test_a_product_beyond_64_bits_is_refused() -> None:
    fine = LIMITS | {"theme_cap": Fraction("0.2000001")}  # 2 * 10^12 cents times 10^7 is just above 2^63
    scenario = a_scenario(held={"AAA": 10**12}, **fine)
    columns = make_columns([scenario], [(0, buys({"AAA": 10**12}))])

    with pytest.raises(ScenarioError, match=r"LIM04.* does not fit into 64 bits"):
        judge_columns(a_judge("LIM04"), [scenario], columns)


@pytest.mark.parametrize(
    "order",
    [
        pytest.param(Order("AAA", "buy", Fraction(1, 2), Fraction(1, 200)), id="a fraction of a cent"),
        pytest.param(Order("ZZZ", "buy", None, 3), id="shares of a name without a price"),
        pytest.param(Order("AAA", "buy", 10**13), id="too large"),
        pytest.param(Order("AAA", "buy", 0), id="nothing"),
    ],
)
def test_what_a_table_cannot_hold_is_refused(order: Order) -> None:
    with pytest.raises(ScenarioError, match="action 1#/orders/0"):
        make_columns([a_scenario()], [(0, buys([30_000])), (0, Action([order]))])


@pytest.mark.parametrize(
    ("column", "values"),
    [("scenario", [0, 1]), ("order_ends", [2, 1]), ("order_ends", [1, 3]), ("side", [0, 3]), ("cents", [-1, 5]),
     ("cents", [5, 10**13]), ("instrument", [0, -1]), ("citation_ends", [0, 9]), ("fact", [-1])],
)
def test_values_outside_their_range_are_refused(column: str, values: list[int]) -> None:
    scenarios = [a_scenario(**LIMITS)]
    columns = make_columns(scenarios, [(0, buys([30_000])), (0, Action([Order("BBB", "buy", 1)], [Citation("x")]))])

    with pytest.raises(ScenarioError, match=f"columns#{column}"):
        judge_columns(a_judge(), scenarios, replace(columns, **{column: np.array(values)}))


def test_what_the_law_refuses_is_refused() -> None:
    instruments = [an_instrument("AAA"), an_instrument("BBB", theme=None)]
    scenarios = [a_scenario(instruments=instruments, **LIMITS)]
    judge = a_judge("LIM04")

    assert by_columns(judge, scenarios, [(0, buys({"AAA": 30_000}))]) == {"LIM04": [True]}
    with pytest.raises(ScenarioError, match="BBB/theme"):
        by_columns(judge, scenarios, [(0, buys({"BBB": 30_000}))])


def test_a_clause_without_a_face_and_a_fee_that_it_cannot_express_are_refused() -> None:
    rows = [(0, buys([30_000, 30_000]))]

    with pytest.raises(ScenarioError, match=r"GRND02.*no columns face"):
        by_columns(a_judge("GRND02"), [a_scenario()], rows)
    with pytest.raises(ScenarioError, match=r"COST01.*proportional"):
        by_columns(a_judge("COST01"), [a_scenario(fees=ProportionalFee(Fraction("0.001"), 500))], rows)
    assert by_columns(a_judge("LIM02", "GRND02"), [a_scenario()], rows, codes=["LIM02"]) == {"LIM02": [False]}


def test_memory_is_bounded_by_the_chunk() -> None:
    scenarios, judge = [a_scenario(cash=40_000, **LIMITS)], a_judge()
    chunk = 256

    def peak(actions: int) -> int:
        ends = np.arange(2, 2 * actions + 1, 2)
        columns = ActionColumns(
            np.zeros(actions, np.int32), ends, np.tile(np.array([0, 1], np.int16), actions),
            np.zeros(2 * actions, np.uint8), np.full(2 * actions, 30_000), np.zeros(actions, np.int64),
            np.zeros(0, np.int16),
        )
        judge_columns(judge, scenarios, replace(
            columns, scenario=columns.scenario[:1], order_ends=ends[:1], citation_ends=columns.citation_ends[:1]
        ))
        tracemalloc.start()
        judge_columns(judge, scenarios, columns, chunk=chunk)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most - actions * len(TABLE_1)

    assert peak(64 * chunk) < 1.2 * peak(4 * chunk)
