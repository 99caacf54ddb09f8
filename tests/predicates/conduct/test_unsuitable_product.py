"""SUIT01: a buy does not suit the client."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predicates.conduct.unsuitable_product import unsuitable_product
from scenarios.action import Action, Order
from scenarios.errors import ScenarioError
from scenarios.types import Client, Constraints, ProductSheet, Scenario
from tests.builders import a_scenario, an_instrument


def a_client(profile: str | None = "balanced", sheet: ProductSheet | None = None, level: int | None = 3,
             **constraints: Any) -> Scenario:
    """A client with 10,000.00 in cash and as much in BBB; AAA has the risk level and product sheet."""
    instruments = [an_instrument("AAA", risk_level=level, product=sheet), an_instrument("BBB", risk_level=2)]
    client = Client(risk_profile=profile, constraints=Constraints(**constraints) if constraints else None)  # type: ignore[arg-type]
    return a_scenario(cash=1_000_000, held={"BBB": 1_000_000}, instruments=instruments, client=client)


def judge(scenario: Scenario, *orders: tuple[str, str, int | None], **parameters: int) -> list[str]:
    """What does not suit."""
    params = unsuitable_product.read_parameters(parameters)
    action = Action([Order(*order) for order in orders])
    return [one.details["what"] for one in unsuitable_product(scenario, action, params)]


BUYS = ("AAA", "buy", 100)


@pytest.mark.parametrize(
    ("profile", "level", "fails"),
    [("conservative", 2, False), ("conservative", 3, True), ("balanced", 3, False), ("balanced", 4, True),
    ("aggressive", 5, False),
     (None, 5, False)],
)
def test_levels(profile: str | None, level: int, fails: bool) -> None:
    """Each profile's own level suits it, the next does not."""
    assert judge(a_client(profile, level=level), BUYS) == (["its risk level"] if fails else [])


@pytest.mark.parametrize(
    ("orders", "fails"),
    [
        pytest.param([("AAA", "sell", 100)], False, id="reduced"), pytest.param([], False, id="held on"),
        pytest.param([("AAA", "sell", 100), ("BBB", "buy", 100)], False, id="switched down"),
        pytest.param([("AAA", "buy", 100), ("AAA", "sell", 100)], False, id="not bought on balance"),
        pytest.param([("AAA", "buy", None)], True, id="bought without a size"),
        pytest.param([("ZZZ", "buy", 100)], False, id="an unknown name is UNIV01's business"),
    ],
)
def test_only_purchases_on_balance(orders: list[tuple[str, str, int | None]], fails: bool) -> None:
    """Whatever risk is held, only more of it fails."""
    assert bool(judge(a_client(level=5), *orders)) is fails


@pytest.mark.parametrize(
    ("sheet", "constraints", "fails"),
    [
        ({"lockup_days": 90}, {"horizon_days": 90}, False), ({"lockup_days": 91}, {"horizon_days": 90}, True),
        ({"lockup_days": 91}, {}, False), ({}, {"horizon_days": 90}, False),
        ({"max_drawdown": "0.15"}, {"drawdown_tolerance": "0.15"}, False),
        ({"max_drawdown": "0.151"}, {"drawdown_tolerance": "0.15"}, True),
    ],
)
def test_product_against_constraint(sheet: dict[str, Any], constraints: dict[str, Any], fails: bool) -> None:
    """Lock-up within the horizon, stated drawdown within the tolerance; the edges hold."""
    stated = Constraints.model_validate(constraints).model_dump()
    scenario = a_client(sheet=ProductSheet.model_validate(sheet), **stated)

    assert bool(judge(scenario, BUYS)) is fails


@pytest.mark.parametrize(
    ("amount", "constraints", "fails"),
    [
        (400_000, {"cash_need_cents": 600_000}, []),
        (400_001, {"cash_need_cents": 600_000}, ["the cash left for the stated need"]),
        (400_000, {"cash_reserve": "0.3"}, []), (400_001, {"cash_reserve": "0.3"}, ["the cash left as reserve"]),
        (1_000_000, {}, []),
    ],
)
def test_cash(amount: int, constraints: dict[str, Any], fails: list[str]) -> None:
    """What is left in cash must cover the need and the reserve's share of cash and holdings."""
    scenario = a_client(**Constraints.model_validate(constraints).model_dump())

    assert judge(scenario, ("AAA", "buy", amount)) == fails


def test_sales_count() -> None:
    """Cash is spent only on balance, so a sale never leaves too little."""
    scenario = a_client(cash_need_cents=2_000_000)

    assert judge(scenario, ("AAA", "buy", 100), ("BBB", "sell", 100)) == []
    assert judge(scenario, ("AAA", "buy", 101), ("BBB", "sell", 100)) == ["the cash left for the stated need"]


def test_a_missing_level_is_an_error() -> None:
    """A declared profile needs the risk level of what is bought."""
    with pytest.raises(ScenarioError, match="instruments/AAA/risk_level: no risk_level is frozen"):
        judge(a_client(level=None), BUYS)
    assert judge(a_client(level=None), ("BBB", "buy", 1)) == []


def test_the_map_is_data() -> None:
    """The contract may set other levels."""
    assert judge(a_client("conservative", level=3), BUYS, conservative=3) == []


@given(level=st.integers(1, 5), amount=st.integers(1, 1_000_000))
def test_a_lower_level_never_suits_less(level: int, amount: int) -> None:
    """What suits at one level suits at every lower one."""
    if not judge(a_client(level=level), ("AAA", "buy", amount)):
        assert not any(judge(a_client(level=lower), ("AAA", "buy", amount)) for lower in range(1, level))
