"""LIM03: a bought name becomes too large a part of the portfolio."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predicates.limits.position_weight import position_weight
from scenarios.action import Action, Order
from scenarios.errors import ScenarioError
from scenarios.exact import Ratio
from scenarios.types import Scenario
from tests.builders import a_scenario, buys

Found = dict[str, str]
AFTER, WITH_CASH, BEFORE = "holdings_after", "holdings_after_with_cash", "holdings_before"


def a_portfolio(*, cash: int = 100_000, multiple: str = "1.6", names: int = 8, **held: int) -> Scenario:
    """A cap of 1.6 / 8 = 20 % unless said otherwise."""
    return a_scenario(cash=cash, held=held, equal_weight_names=names, position_multiple=Fraction(multiple))


def judge(scenario: Scenario, action: Action, denominator: str = AFTER) -> Found:
    """Kind of finding by name."""
    found = position_weight(scenario, action, position_weight.read_parameters({"denominator": denominator}))
    return {finding.details["subject"]: finding.kind for finding in found}


SMALL = {"AAA": 10_000, "BBB": 10_000, "CCC": 10_000, "DDD": 10_000, "EEE": 10_000, "FFF": 10_000}


@pytest.mark.parametrize(
    ("denominator", "most"),
    [
        pytest.param(AFTER, 2_500, id="(10,000 + 2,500) / 62,500"),
        pytest.param(BEFORE, 2_000, id="(10,000 + 2,000) / 60,000"),
        pytest.param(WITH_CASH, 22_000, id="(10,000 + 22,000) / 160,000"),
    ],
)
def test_boundary(denominator: str, most: int) -> None:
    """The cap itself holds, a cent more does not; each denominator has its own point."""
    scenario = a_portfolio(**SMALL)

    assert judge(scenario, buys({"AAA": most - 1}), denominator) == {}
    assert judge(scenario, buys({"AAA": most}), denominator) == {}
    assert judge(scenario, buys({"AAA": most + 1}), denominator) == {"AAA": "violation"}


@pytest.mark.parametrize(
    ("held", "orders", "expected"),
    [
        pytest.param({"AAA": 50, "BBB": 50}, [], {"AAA": "note", "BBB": "note"}, id="over before: noted"),
        pytest.param({"AAA": 20, "BBB": 80}, [], {"BBB": "note"}, id="on the cap before: not even noted"),
        pytest.param({"AAA": 20, "BBB": 80}, [("AAA", "buy", 1)], {"AAA": "violation", "BBB": "note"}, id="over"),
        pytest.param({"AAA": 20, "BBB": 80}, [("BBB", "sell", 9)], {"AAA": "note", "BBB": "note"},
                     id="a sale of another name makes it heavier: not its own doing"),
        pytest.param({"AAA": 50, "BBB": 50}, [("AAA", "buy", 9), ("AAA", "sell", 9)], {"AAA": "note", "BBB": "note"},
                     id="bought and sold in equal parts"),
        pytest.param({"AAA": 50, "BBB": 50}, [("AAA", "buy", 9), ("AAA", "sell", 8)],
                     {"AAA": "violation", "BBB": "note"}, id="bought on balance, by a cent"),
        pytest.param({"AAA": 50, "BBB": 50}, [("AAA", "sell", 50), ("BBB", "sell", 50)], {}, id="all sold"),
        pytest.param({}, [("AAA", "buy", 1)], {"AAA": "violation"}, id="the first purchase is all there is"),
        pytest.param({"BBB": 80}, [("AAA", "buy", 20)], {"BBB": "note"}, id="a new name up to its cap: 20 / 100"),
        pytest.param({"BBB": 80}, [("AAA", "buy", 21)], {"AAA": "violation", "BBB": "note"}, id="a new name over it"),
        pytest.param({"AAA": 50, "BBB": 50}, [("ZZZ", "buy", 900)], {}, id="an unknown name is not judged, but counts"),
    ],
)
def test_active_and_passive(held: dict[str, int], orders: list[tuple[str, str, int]], expected: Found) -> None:
    """Only a name bought on balance fails; whatever else is over the cap is a note."""
    assert judge(a_portfolio(**held), Action([Order(*order) for order in orders])) == expected


@pytest.mark.parametrize(
    ("held", "orders", "denominator"),
    [
        pytest.param({}, [("AAA", "buy", 1)], BEFORE, id="measured against nothing"),
        pytest.param({"BBB": 10}, [("BBB", "sell", 50), ("AAA", "buy", 5)], AFTER, id="more sold than held"),
    ],
)
def test_no_whole(held: dict[str, int], orders: list[tuple[str, str, int]], denominator: str) -> None:
    """Where there is nothing to be a part of, a purchase is over the cap, and can still be told."""
    params = position_weight.read_parameters({"denominator": denominator})
    found = position_weight(a_portfolio(**held), Action([Order(*order) for order in orders]), params)

    assert [finding.kind for finding in found] == ["violation"]
    assert f"would be {found[0].left.numerator}/{found[0].left.denominator} of" in position_weight.sentence(found[0])


def test_evidence() -> None:
    """Both sides are unreduced, so that the amounts can be recognised; the sentence says what can be done."""
    (finding,) = position_weight(a_portfolio(**SMALL), buys({"AAA": 10_000}))

    assert (finding.left, finding.right) == (Ratio(20_000, 70_000), Ratio(8, 40))
    assert position_weight.sentence(finding) == (
        "AAA, bought by this action, would be 28.57 % of the holdings after the action, over the cap of 20.00 %; "
        "all else equal, at most 25.00 of it can be bought"
    )


def test_fractional_cents_stay_exact() -> None:
    """An order in fractional shares may come to a fraction of a cent; a third of a cent too much is too much."""
    scenario = a_portfolio(**SMALL)
    third = Order("AAA", "buy", 2_500 + Fraction(1, 3), Fraction(1, 4))

    (finding,) = position_weight(scenario, Action([third]))
    assert finding.left == Ratio(37_501, 187_501)


def test_house_value() -> None:
    """The contract's multiple replaces the scenario's; the number of names stays the scenario's."""
    params = position_weight.read_parameters({"position_multiple": "8"})
    scenario = a_scenario(held={"AAA": 1}, equal_weight_names=8)

    assert position_weight.missing_limit(scenario, params) is None
    assert position_weight(scenario, buys({"AAA": 1}), params) == ()
    assert position_weight.missing_limit(a_scenario(), params) is None
    with pytest.raises(ScenarioError, match="equal_weight_names"):  # declared, and what it needs is missing
        position_weight(a_scenario(), buys({"AAA": 1}), params)


CENTS = st.integers(0, 10**6)


@given(held=st.lists(CENTS, min_size=3, max_size=3), bought=st.integers(1, 10**6), other=CENTS,
       cap=st.tuples(st.sampled_from(["0.5", "0.9", "1.3", "2"]), st.integers(1, 9)),
       denominator=st.sampled_from([AFTER, WITH_CASH, BEFORE]))
def test_room_is_the_largest_purchase_that_holds(
    held: list[int], bought: int, other: int, cap: tuple[str, int], denominator: str
) -> None:
    """Buying the room instead passes, or only leaves a note where there is none, and a cent more fails."""
    scenario = a_portfolio(multiple=cap[0], names=cap[1], **dict(zip(("AAA", "BBB", "CCC"), held, strict=True)))
    params = position_weight.read_parameters({"denominator": denominator})

    def found(amount: int) -> list[int]:
        orders = [Order(name, "buy", size) for name, size in (("AAA", amount), ("BBB", other)) if size]
        return [finding.details["room"] for finding in position_weight(scenario, Action(orders), params)
                if finding.kind == "violation" and finding.details["subject"] == "AAA"]

    for room in found(bought):
        assert room < bought
        assert found(room) == []
        assert found(room + 1) == [room]


@given(held=st.lists(st.integers(1, 10**6), min_size=2, max_size=2),
       amounts=st.lists(st.integers(1, 10**6), max_size=4), scale=st.integers(1, 1000))
def test_unit_and_order_do_not_matter(held: list[int], amounts: list[int], scale: int) -> None:
    """Holdings and orders times k, in any order, give the same verdict."""
    names = ("AAA", "BBB")
    orders = [Order(names[index % 2], "buy", amount) for index, amount in enumerate(amounts)]
    larger = [order._replace(amount=(order.amount or 0) * scale) for order in reversed(orders)]

    assert judge(a_portfolio(names=3, **dict(zip(names, held, strict=True))), Action(orders)) == judge(
        a_portfolio(names=3, **{name: value * scale for name, value in zip(names, held, strict=True)}), Action(larger)
    )
