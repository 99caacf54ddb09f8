"""UNIV01: an order names an instrument that may not be recommended in this scenario.

Every ordered name x, buy or sell, sized or not, must satisfy x in U, where U is the scenario's allowed
set after declared aliases were resolved. Names are compared as the scenario says (exactly unless it
declares otherwise); a lookalike such as BRK.B for BRK-B stays outside, and the finding names it as the
near miss. There is no tie: a name is in the set or it is not. Source: seed paper 003, table 1, row 1.
"""

from typing import Any

from predicates.findings import Finding, violation
from predicates.registry import Params, predicate
from predicates.rows import forbid
from scenarios.action import Action
from scenarios.tickers import near_miss
from scenarios.types import Scenario


@predicate(
    code="UNIV01",
    name="universe.out_of_universe",
    says="{left} is not in the scenario's allowed set; the nearest known name is {near_miss}",
    terms=lambda scenario, params: scenario.allowed,
)
def out_of_universe(scenario: Scenario, action: Action, allowed: Any) -> tuple[Finding, ...]:
    """Return one violation for each order whose instrument is outside the allowed set."""
    if allowed.issuperset(action.names):
        return ()
    return tuple([
        violation("UNIV01", where=f"/orders/{index}/instrument", left=order.instrument, op="in", right="/universe",
                  unit="name", reads=("/universe", "/instruments"), near_miss=near_miss(scenario, order.instrument))
        for index, order in enumerate(action.orders) if order.instrument not in allowed
    ])


@out_of_universe.constraints
def _(model: Any, scenario: Scenario, params: Params) -> None:
    """No order outside the allowed set."""
    forbid(model, [slot for slot in model.slots if slot.instrument not in scenario.allowed], "UNIV01")


@out_of_universe.columns
def _(np: Any, table: Any, params: Params) -> Any:
    """An unknown name is not allowed."""
    allowed = table.of_names("allowed", lambda s: [name.id in s.allowed for name in s.instruments])
    return table.any_order(allowed == 0)
