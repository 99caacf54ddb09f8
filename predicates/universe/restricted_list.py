"""UNIV03: an order in an instrument that is blocked, or in another share class of a blocked issuer.

With R the scenario's restricted list, an ordered name x must satisfy x not in R and issuer(x) not in
{issuer(r) : r in R}. Issuers are compared as text; the list is static and sizes do not matter, so there
is no tie. Not applicable unless limits.restricted is declared; an empty list blocks nothing. A known
instrument whose issuer is not frozen cannot be cleared: that is an error of the scenario. Names that
are not among the scenario's instruments are left to UNIV01.

Parameter sides: "both" (default) reads buys and sells, "buy" reads buys only, for a list that still
lets the client sell what is held. Source: seed paper 003, section 6, modular governance contracts.
"""

from typing import Any

from predicates.findings import Finding, violation
from predicates.inputs import required
from predicates.registry import Params, predicate
from predicates.rows import forbid
from scenarios.action import Action
from scenarios.types import Scenario


@predicate(
    code="UNIV03", name="universe.restricted_list", needs=("restricted",), parameters={"sides": ("both", "buy")},
    says="{left} may not be traded: {blocked} is on the restricted list ({ground})",
)
def restricted_list(scenario: Scenario, action: Action, params: Params) -> tuple[Finding, ...]:
    """Return one violation for each order in a blocked name or issuer."""
    return tuple([
        violation("UNIV03", where=f"/orders/{index}/instrument", left=order.instrument, op="not in",
                  right="/limits/restricted", unit="name", reads=("/limits/restricted", "/instruments"),
                  blocked=blocked, ground="the same name" if blocked == order.instrument else "the same issuer")
        for index, order in enumerate(action.orders)
        if order.side == "buy" or params["sides"] == "both"
        if (blocked := _blocked_through(scenario, order.instrument)) is not None
    ])


def _blocked_through(scenario: Scenario, name: str) -> str | None:
    restricted, instrument = scenario.limits.restricted or (), scenario.instrument_of.get(name)
    if name in restricted or instrument is None:
        return name if name in restricted else None
    same_issuer = (
        blocked for blocked in restricted
        if required(scenario, scenario.instrument_of[blocked], "issuer") == required(scenario, instrument, "issuer")
    )
    return next(same_issuer, None)


@restricted_list.constraints
def _(model: Any, scenario: Scenario, params: Params) -> None:
    """No order in a blocked name or issuer, nor in one that cannot be cleared because an issuer is not frozen."""
    restricted = scenario.limits.restricted or ()
    issuers = {scenario.instrument_of[name].issuer for name in restricted}
    for slot in model.slots if params["sides"] == "both" else model.buys():
        instrument = scenario.instrument_of.get(slot.instrument)
        unclear = instrument is not None and (instrument.issuer in issuers or None in (*issuers, instrument.issuer))
        if slot.instrument in restricted or (restricted and unclear):
            forbid(model, [slot], "UNIV03")
