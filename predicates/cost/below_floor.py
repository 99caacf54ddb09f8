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
from typing import Any

from predicates.findings import Finding, violation
from predicates.inputs import limit, limit_path
from predicates.registry import Params, Unsupported, predicate
from predicates.rows import forbid
from scenarios.action import Action
from scenarios.costs import floor_of, is_whole_position, order_fee
from scenarios.money import AMOUNT_BOUND_CENTS
from scenarios.types import Scenario


def _terms(scenario: Scenario, params: Params) -> Any:
    tolerance, path = limit(scenario, params, "fee_tolerance"), limit_path(params, "fee_tolerance")
    return tolerance, path, floor_of(scenario, tolerance)


@predicate(
    code="COST02", name="cost.below_floor", needs=("fee_tolerance",), terms=_terms,
    says="the {side} of {instrument} for {left:money} pays {fee:money} in fees, more than {tolerance:%} of it; "
    "the smallest order worth its fee is {right:money}, so enlarge it or leave it out",
    parameters={"fee_tolerance": Fraction},
)
def below_floor(scenario: Scenario, action: Action, terms: Any) -> tuple[Finding, ...]:
    """Return one violation for each order below the floor that the fee schedule implies."""
    (tolerance, path, common), amounts = terms, action.buy_amounts + action.sell_amounts
    if not amounts or (common and common.floor is not None and min(amounts) >= common.floor):
        return ()
    found = []
    for index, order in enumerate(action.orders):
        least = common or floor_of(scenario, tolerance, order.instrument)
        if order.amount is None or least is None:
            continue
        if (least.floor is None or order.amount < least.floor) and not is_whole_position(scenario, order):
            found.append(violation("COST02", where=f"/orders/{index}", left=order.amount, op=">=", right=least.floor,
                                   unit="cents", reads=("/fees", *path, "/orders"), side=order.side,
                                   instrument=order.instrument, fee=order_fee(scenario, order), tolerance=tolerance,
                                   equation=least.equation))
    return tuple(found)


@below_floor.constraints
def _(model: Any, scenario: Scenario, params: Params) -> None:
    """No placed amount below the floor, unless a flag says that the order sells the whole position."""
    tolerance = limit(scenario, params, "fee_tolerance")
    for slot in model.slots:
        instrument = scenario.instrument_of.get(slot.instrument)
        if scenario.fees.uses_shares and instrument is not None and instrument.price_cents is None:
            forbid(model, [slot], "COST02")
            continue
        least = floor_of(scenario, tolerance) or floor_of(scenario, tolerance, slot.instrument)
        if least is None:
            continue
        floor = least.floor
        value = scenario.held.get(slot.instrument, 0) if slot.side == "sell" else 0
        judged = slot.placed
        if value and (floor is None or value < floor):
            whole = model.binary("sells the whole position")
            model.require(slot.amount >= value * whole, "COST02")
            model.require(slot.amount <= value + model.bound * (1 - whole), "COST02")
            judged = slot.placed - whole
        model.require(judged <= 0 if floor is None else slot.amount >= floor * judged, "COST02")


@below_floor.columns
def _(np: Any, table: Any, params: Params) -> Any:
    """An amount in whole cents is below the floor where it is below the next whole cent."""
    def least(scenario: Scenario) -> int:
        common = floor_of(scenario, limit(scenario, params, "fee_tolerance"))
        if common is None:
            raise Unsupported(f"{scenario.id}: the floor differs from name to name where fees depend on shares")
        return AMOUNT_BOUND_CENTS if common.floor is None else min(-(-common.floor // 1), AMOUNT_BOUND_CENTS)

    floor = table.of_scenarios("floor", least)[table.action]
    return table.any_order(table.sized & (table.cents < floor) & ~table.closing)
