"""UNIV02: a buy of something the client already holds, where only new names may be added."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predicates.universe.already_owned import already_owned
from scenarios.action import Action, Order
from scenarios.types import Position
from tests.builders import NO_PARAMS, a_scenario


def position(name: str, quantity: str, available: str = "0") -> Position:
    """A holding worth 500.00."""
    return Position(instrument=name, quantity=Fraction(quantity), available=Fraction(available), value_cents=50_000)


SCENARIO = a_scenario(add_only=True, positions=[position("AAA", "5"), position("BBB", "0"), position("CCC", "0.001")],
                      names=("AAA", "BBB", "CCC", "DDD"))


@pytest.mark.parametrize(
    ("order", "holds"),
    [
        pytest.param(Order("DDD", "buy", 100), True, id="a new name"),
        pytest.param(Order("BBB", "buy", 100), True, id="a position of 0 shares is no holding"),
        pytest.param(Order("AAA", "sell", 100), True, id="a sell of a held name"),
        pytest.param(Order("ZZZ", "buy", 100), True, id="an unknown name is UNIV01's business"),
        pytest.param(Order("CCC", "buy", 100), False, id="the smallest part of a share is a holding"),
        pytest.param(Order("AAA", "buy", 1), False, id="one cent of a held name"),
        pytest.param(Order("AAA"), False, id="a held name without a size"),
    ],
)
def test_boundary(order: Order, holds: bool) -> None:
    """The verdict turns on whether anything at all is held, even if none of it can be sold."""
    found = already_owned(SCENARIO, Action([order]))

    assert [finding.where for finding in found] == ([] if holds else ["/orders/0/instrument"])


@pytest.mark.parametrize(("scenario", "absent"), [(a_scenario(), "/limits/add_only"), (SCENARIO, None)])
def test_it_speaks_only_in_an_add_only_scenario(scenario: object, absent: str | None) -> None:
    """Not applicable unless the scenario says that only new names may be added."""
    assert already_owned.missing_limit(scenario, NO_PARAMS) == absent  # type: ignore[arg-type]


@given(names=st.lists(st.sampled_from(["AAA", "BBB", "CCC", "DDD"]), max_size=6), data=st.data())
def test_sells_change_nothing(names: list[str], data: st.DataObject) -> None:
    """Sells placed anywhere among the buys leave the bought names that are found as they were."""
    buys = [Order(name) for name in names]
    mixed = data.draw(st.permutations([*buys, *(Order(name, "sell") for name in names)]))

    def found(orders: list[Order]) -> list[str]:
        return sorted(str(finding.left) for finding in already_owned(SCENARIO, Action(orders)))

    assert found(mixed) == found(buys)
