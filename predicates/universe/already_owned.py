"""UNIV02: a buy of something the client already holds, where only new names may be added.

In an add-only scenario every bought name x must satisfy x not in H, where H holds the instruments with
a position of more than 0 shares; a position of exactly 0 shares is no holding. Sells are not read, the
size of the buy does not matter, and each order counts. Not applicable unless limits.add_only is true.
Source: seed paper 003, table 1, row 3.
"""

from typing import Any

from predicates.findings import Finding, violation
from predicates.registry import Params, predicate
from predicates.rows import forbid
from scenarios.action import Action
from scenarios.types import Scenario


@predicate(
    code="UNIV02",
    name="universe.already_owned",
    says="{left} is held already ({quantity} shares) and this scenario only allows new names",
    needs=("add_only",),
)
def already_owned(scenario: Scenario, action: Action, params: Params) -> tuple[Finding, ...]:
    """Return one violation for each buy of a held instrument."""
    positions = scenario.position_of
    return tuple([
        violation("UNIV02", where=f"/orders/{index}/instrument", left=order.instrument, op="not in",
                  right="/account/positions", unit="name", reads=("/account/positions", "/limits/add_only"),
                  quantity=positions[order.instrument].quantity)
        for index, order in enumerate(action.orders)
        if order.instrument in positions and order.side == "buy" and positions[order.instrument].quantity > 0
    ])


@already_owned.constraints
def _(model: Any, scenario: Scenario, params: Params) -> None:
    """No buy of a held instrument."""
    held = {name for name, position in scenario.position_of.items() if position.quantity > 0}
    forbid(model, [slot for slot in model.buys() if slot.instrument in held], "UNIV02")


@already_owned.columns
def _(np: Any, table: Any, params: Params) -> Any:
    """A name is held where a position has more than 0 shares."""
    held = table.of_names("held", lambda s: [
        name.id in s.position_of and s.position_of[name.id].quantity > 0 for name in s.instruments
    ])
    return table.any_order(table.buys & (held > 0))
