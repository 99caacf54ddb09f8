"""UNIV05: the client is told to sell, where the scenario does not allow holdings to be reduced.

Every order must be a buy. A sell of any size, or without one, violates, a sale of the whole position
included. Not applicable unless limits.trims_forbidden is true. Source: seed paper 003, section 3
(add-only or trim rules).
"""

from typing import Any

from predicates.findings import Finding, violation
from predicates.registry import Params, predicate
from predicates.rows import forbid
from scenarios.action import Action
from scenarios.types import Scenario


@predicate(
    code="UNIV05",
    name="universe.trim_not_allowed",
    says="{instrument} would be sold, and this scenario does not allow holdings to be reduced",
    needs=("trims_forbidden",),
)
def trim_not_allowed(scenario: Scenario, action: Action, params: Params) -> tuple[Finding, ...]:
    """Return one violation for each sell."""
    return tuple([
        violation("UNIV05", where=f"/orders/{index}/side", left=order.side, op="==", right="buy", unit="side",
                  reads=("/limits/trims_forbidden",), instrument=order.instrument)
        for index, order in enumerate(action.orders) if order.side == "sell"
    ])


@trim_not_allowed.constraints
def _(model: Any, scenario: Scenario, params: Params) -> None:
    """No sell."""
    forbid(model, model.sells(), "UNIV05")
