"""LIM02: the buys cost more than the cash that is there."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predicates.limits.cash_overrun import cash_overrun
from predicates.registry import Params
from scenarios.action import Action, Amount, Order
from scenarios.fees import PerShareFee
from tests.builders import NO_PARAMS, a_scenario, buys

WITH_FEES = cash_overrun.read_parameters({"fees": "included"})


def overrun(cash: int, *orders: Order, sales_fund_buys: bool = False, params: Params = NO_PARAMS) -> Amount:
    """Cents missing, 0 where the predicate holds."""
    found = cash_overrun(a_scenario(cash=cash, sales_fund_buys=sales_fund_buys), Action(orders), params)
    assert not found or found[0].left - found[0].right == found[0].details["over"] > 0
    return found[0].details["over"] if found else 0


BUYS = (Order("AAA", "buy", 60_000), Order("BBB", "buy", 30_000))
SALE = Order("CCC", "sell", 10_000)


@pytest.mark.parametrize(
    ("cash", "orders", "funded", "expected"),
    [
        pytest.param(0, (), False, 0, id="nothing bought of nothing"),
        pytest.param(90_000, BUYS, False, 0, id="all of the cash"),
        pytest.param(90_001, BUYS, False, 0, id="a cent left"),
        pytest.param(89_999, BUYS, False, 1, id="a cent missing"),
        pytest.param(80_000, (*BUYS, SALE), False, 10_000, id="sales do not fund buys"),
        pytest.param(80_000, (*BUYS, SALE), True, 0, id="sales fund buys exactly"),
        pytest.param(79_999, (*BUYS, SALE), True, 1, id="sales fund buys but for a cent"),
        pytest.param(0, (SALE,), False, 0, id="only a sale"),
        pytest.param(0, (Order("AAA"),), False, 0, id="no size"),
        pytest.param(1, (Order("AAA", "buy", Fraction(3, 2), Fraction(1, 2)),), False, Fraction(1, 2), id="half"),
    ],
)
def test_boundary(cash: int, orders: tuple[Order, ...], funded: bool, expected: Amount) -> None:
    """The verdict turns exactly where the cash ends."""
    assert overrun(cash, *orders, sales_fund_buys=funded) == expected


@pytest.mark.parametrize(
    ("cash", "expected"), [pytest.param(90_750, 0, id="fees just paid"), pytest.param(90_749, 1, id="a cent missing")]
)
def test_fees_included(cash: int, expected: int) -> None:
    """The fees of all orders, that of the sale too, come to the buys where the contract says so."""
    assert overrun(cash, *BUYS, SALE, params=WITH_FEES) == expected
    assert overrun(cash, *BUYS, SALE) == 0


def test_a_fee_by_the_share_of_an_unknown_name_counts_nothing() -> None:
    """There is no price to derive it from; the amount still counts."""
    scenario = a_scenario(cash=10_000, fees=PerShareFee(cents_per_share=Fraction(1), minimum_cents=100))

    assert cash_overrun(scenario, buys({"ZZZ": 10_000}), WITH_FEES) == ()
    assert len(cash_overrun(scenario, buys({"ZZZ": 10_001}), WITH_FEES)) == 1
    assert len(cash_overrun(scenario, buys({"AAA": 9_901}), WITH_FEES)) == 1
    assert cash_overrun(scenario, buys({"AAA": 9_900}), WITH_FEES) == ()


def test_sentence() -> None:
    """It says what is needed, what is there and by how much to reduce."""
    (finding,) = cash_overrun(a_scenario(cash=80_000, sales_fund_buys=True), Action([*BUYS]))

    assert cash_overrun.sentence(finding) == (
        "the buys need 900.00 (fees excluded), 100.00 more than the 800.00 of cash and sale proceeds; "
        "reduce them by at least that much"
    )


@given(cash=st.integers(0, 10**6), amounts=st.lists(st.integers(1, 10**6), max_size=5), scale=st.integers(1, 100))
def test_the_overrun_is_what_is_missing(cash: int, amounts: list[int], scale: int) -> None:
    """Order and unit do not matter, and cash raised by the overrun is exactly enough."""
    orders = [Order("AAA", "buy", amount) for amount in amounts]
    over = overrun(cash, *orders)

    assert over == overrun(cash, *reversed(orders)) == max(sum(amounts) - cash, 0)
    assert overrun(cash * scale, *(order._replace(amount=order[2] * scale) for order in orders)) == over * scale
    assert overrun(int(cash + over), *orders) == 0
