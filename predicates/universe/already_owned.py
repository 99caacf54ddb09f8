"""UNIV02: a buy of something the client already holds, where only new names may be added.

In an add-only scenario every bought name x must satisfy x not in H, where H holds the instruments with
a position of more than 0 shares; a position of exactly 0 shares is no holding. Sells are not read, the
size of the buy does not matter, and each order counts. Not applicable unless limits.add_only is true.
Source: seed paper 003, table 1, row 3.
"""

from typing import Any

from predicates.findings import Finding, finding_of
from predicates.registry import Params, predicate
from predicates.rows import forbid
from scenarios.action import Action
from scenarios.types import Scenario


@predicate(
    code="UNIV02",
    name="universe.already_owned",
    says="{left} is held already ({quantity} shares) and this scenario only allows new names",
    needs=("add_only",),
    terms=lambda scenario, params: (scenario.owned, scenario.position_of),
)
def already_owned(scenario: Scenario, action: Action, terms: Any) -> tuple[Finding, ...]:
    """Return one violation for each buy of a held instrument."""
    owned, position_of = terms
    if owned.isdisjoint(action.bought_names):
        return ()
    return tuple([
        finding_of(("UNIV02", "violation", f"/orders/{index}/instrument", order.instrument, "not in",
                    "/account/positions", "name", ("/account/positions", "/limits/add_only"),
                    {"quantity": position_of[order.instrument].quantity}))
        for index, order in enumerate(action.orders) if order.instrument in owned and order.side == "buy"
    ])


@already_owned.constraints
def _(model: Any, scenario: Scenario, params: Params) -> None:
    """No buy of a held instrument."""
    forbid(model, [slot for slot in model.buys() if slot.instrument in scenario.owned], "UNIV02")


@already_owned.columns
def _(np: Any, table: Any, params: Params) -> Any:
    """An unknown name is not held."""
    owned = table.of_names("owned", lambda s: [name.id in s.owned for name in s.instruments])
    return table.any_order(table.buys & (owned > 0))
