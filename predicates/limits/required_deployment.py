"""COV01: nothing is bought although the scenario requires cash to be put to work.

The number of buy orders, sized or not, must be >= 1. How much is bought is not judged, and sells do not
count. Not applicable unless limits.deployment_required is true, so that holding stays a valid answer
wherever the scenario does not say otherwise. Source: an addition to the paper's contract; seed paper 003,
section 3, reports models that abstain where an order was asked for.
"""

from typing import Any

from predicates.findings import Finding, violation
from predicates.registry import Params, predicate
from scenarios.action import Action
from scenarios.types import Scenario


@predicate(
    code="COV01",
    name="limits.required_deployment",
    says="the answer buys nothing, and this scenario requires at least {right} buy",
    needs=("deployment_required",),
)
def required_deployment(scenario: Scenario, action: Action, params: Params) -> tuple[Finding, ...]:
    """Return the violation if no order is a buy."""
    if any(order.side == "buy" for order in action.orders):
        return ()
    return (
        violation("COV01", where="/orders", left=0, op=">=", right=1, unit="buy orders",
                  reads=("/limits/deployment_required",)),
    )


@required_deployment.constraints
def _(model: Any, scenario: Scenario, params: Params) -> None:
    """At least one buy is placed."""
    model.require(model.sum(slot.placed for slot in model.buys()) >= 1, "COV01")
