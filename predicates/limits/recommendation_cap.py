"""LIM01: the answer recommends buying more names than allowed.

With k the number of distinct bought instruments and K the recommendation cap, k <= K must hold; k = K
holds. Two orders in one name count once here, though both count in COST01. Buys without a size and buys
outside the universe count; sells do not. Parameter recommendation_cap: a house value for K that replaces the
scenario's. Source: seed paper 003, table 1, row 2.
"""

from typing import Any

from predicates.findings import Finding, finding_of
from predicates.inputs import in_force, limit
from predicates.registry import Params, predicate
from scenarios.action import Action
from scenarios.types import Scenario


@predicate(
    code="LIM01",
    name="limits.recommendation_cap",
    says="the answer buys {left} different names, {over} more than the {right} that are allowed; "
    "drop at least {over} of them",
    needs=("recommendation_cap",),
    parameters={"recommendation_cap": int},
    terms=in_force("recommendation_cap"),
)
def recommendation_cap(scenario: Scenario, action: Action, terms: Any) -> tuple[Finding, ...]:
    """Return the violation if more distinct names are bought than the cap allows."""
    cap, path = terms
    names = len(action.bought_names)
    if names <= cap:
        return ()
    reads = ("/orders", *path)
    return (finding_of(("LIM01", "violation", "/orders", names, "<=", cap, "names", reads, {"over": names - cap})),)


@recommendation_cap.constraints
def _(model: Any, scenario: Scenario, params: Params) -> None:
    """The flags of the names with a placed buy sum to K at most."""
    names = dict.fromkeys(slot.instrument for slot in model.buys())
    cap = limit(scenario, params, "recommendation_cap")
    model.require(model.sum(model.used(name) for name in names) <= cap, "LIM01")


@recommendation_cap.columns
def _(np: Any, table: Any, params: Params) -> Any:
    """The names bought by each action, counted."""
    return table.bought_names > table.of_scenarios("cap", lambda s: limit(s, params, "recommendation_cap"))
