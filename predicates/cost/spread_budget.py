"""COST03: an order would lose more to the bid-ask spread than is tolerated.

With s the instrument's frozen spread as a share of its price and B the tolerance in cents, every sized order
a, buy or sell, must satisfy s * a <= B; equality holds. Each order is judged by itself. Names that the
scenario does not know are left to UNIV01; an ordered name whose spread is not frozen is an error of the
scenario. Parameter spread_tolerance_cents: a house value for B. Source: seed paper 003, section 6, modular
governance contracts.
"""

from typing import Any

from predicates.findings import Finding, violation
from predicates.inputs import in_force, limit, required
from predicates.registry import Params, predicate
from predicates.rows import forbid
from scenarios.action import Action
from scenarios.types import Scenario


@predicate(
    code="COST03",
    name="cost.spread_budget",
    says="the {side} of {instrument} for {amount:money} loses {left:money} to a spread of {spread:%}, more than "
    "the {right:money} that is tolerated; order at most {most:money}",
    needs=("spread_tolerance_cents",),
    parameters={"spread_tolerance_cents": int},
    terms=in_force("spread_tolerance_cents"),
)
def spread_budget(scenario: Scenario, action: Action, terms: Any) -> tuple[Finding, ...]:
    """Return one violation for each order whose spread costs more cents than tolerated."""
    tolerance, path = terms
    found = []
    for index, order in enumerate(action.orders):
        instrument, amount = scenario.instrument_of.get(order.instrument), order.amount
        if instrument is None or amount is None:
            continue
        spread = required(scenario, instrument, "spread")
        if amount * spread.numerator > tolerance * spread.denominator:
            found.append(violation("COST03", where=f"/orders/{index}", left=spread * amount, op="<=", right=tolerance,
                                   unit="cents", reads=("/instruments", *path, "/orders"), side=order.side,
                                   instrument=instrument.id, amount=amount, spread=spread, most=tolerance // spread))
    return tuple(found)


@spread_budget.constraints
def _(model: Any, scenario: Scenario, params: Params) -> None:
    """The spread keeps s * a <= B for each slot."""
    tolerance = limit(scenario, params, "spread_tolerance_cents")
    for slot in model.slots:
        instrument = scenario.instrument_of.get(slot.instrument)
        if instrument is not None and instrument.spread is None:
            forbid(model, [slot], "COST03")
        elif instrument is not None:
            model.require(instrument.spread * slot.amount <= tolerance, "COST03")
