"""COST02: an order is so small that its fee eats too much of it.

With tau the largest share of an order that its fee may take, every sized order a, buy or sell, must satisfy
a >= floor; equality holds. For a step fee the floor is c / tau, compared exactly as a * tau >= c. For any
other schedule it is the least amount whose fee is at most tau times the amount, at the instrument's frozen
price where the fee depends on shares; where no amount qualifies every order is below it. The floor is always
derived from the fee schedule and tau, and the evidence shows the equation.

The sale of a whole position is not judged: shares equal to its quantity, or an amount equal to its value. A
name that the scenario does not know has no price, so a fee by the share does not judge it. Parameter
fee_tolerance: a house value for tau. Source: seed paper 003, table 1, row 5, and section 4 (MIN = c / tau).
"""

from fractions import Fraction
from functools import lru_cache
from typing import Any

from predicates.findings import Finding, violation
from predicates.inputs import limit, limit_path
from predicates.registry import Params, predicate
from predicates.rows import forbid
from scenarios.action import Action
from scenarios.costs import is_whole_position, order_fee
from scenarios.fees import FeeSchedule
from scenarios.piecewise import Floor
from scenarios.types import Scenario


@predicate(
    code="COST02",
    name="cost.below_floor",
    says="the {side} of {instrument} for {left:money} pays {fee:money} in fees, more than {tolerance:%} of it; "
    "the smallest order worth its fee is {right:money}, so enlarge it or leave it out",
    needs=("fee_tolerance",),
    parameters={"fee_tolerance": Fraction},
)
def below_floor(scenario: Scenario, action: Action, params: Params) -> tuple[Finding, ...]:
    """Return one violation for each order below the floor that the fee schedule implies."""
    fees, tolerance = scenario.fees, limit(scenario, params, "fee_tolerance")
    common = None if fees.uses_shares else _floor(fees, tolerance.numerator, tolerance.denominator, None)
    amounts = action.buy_amounts + action.sell_amounts
    if not amounts or (common and common.floor is not None and min(amounts) >= common.floor):
        return ()
    found = []
    for index, order in enumerate(action.orders):
        amount, instrument = order.amount, scenario.instrument_of.get(order.instrument)
        if amount is None or (common is None and instrument is None):
            continue
        price = instrument.price_cents if instrument else None
        floor, equation = common or _floor(fees, tolerance.numerator, tolerance.denominator, price)
        if (floor is None or amount < floor) and not is_whole_position(scenario, order):
            reads = ("/fees", *limit_path(params, "fee_tolerance"), "/orders")
            found.append(violation("COST02", where=f"/orders/{index}", left=amount, op=">=", right=floor, unit="cents",
                                   reads=reads, side=order.side, instrument=order.instrument,
                                   fee=order_fee(scenario, order), tolerance=tolerance, equation=equation))
    return tuple(found)


@lru_cache(maxsize=1024)
def _floor(fees: FeeSchedule, numerator: int, denominator: int, price_cents: int | None) -> Floor:
    return fees.floor(Fraction(numerator, denominator), price_cents)


@below_floor.constraints
def _(model: Any, scenario: Scenario, params: Params) -> None:
    """No amount below the floor where an order is placed, unless a flag says that the order sells the whole position."""
    fees, tolerance = scenario.fees, limit(scenario, params, "fee_tolerance")
    for slot in model.slots:
        instrument = scenario.instrument_of.get(slot.instrument)
        if fees.uses_shares and (instrument is None or instrument.price_cents is None):
            if instrument is not None:
                forbid(model, [slot], "COST02")
            continue
        price = instrument.price_cents if instrument is not None and fees.uses_shares else None
        floor = _floor(fees, tolerance.numerator, tolerance.denominator, price).floor
        value = scenario.held.get(slot.instrument, 0) if slot.side == "sell" else 0
        judged = slot.placed
        if value and (floor is None or value < floor):
            whole = model.binary("sells the whole position")
            model.require(slot.amount >= value * whole, "COST02")
            model.require(slot.amount <= value + model.bound * (1 - whole), "COST02")
            judged = slot.placed - whole
        model.require(judged <= 0 if floor is None else slot.amount >= floor * judged, "COST02")
