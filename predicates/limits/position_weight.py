"""LIM03: a bought name becomes too large a part of the portfolio.

With m the position multiple and N the frozen number of names that defines equal weight, a name's weight after
the action must satisfy

    (held + bought - sold) / whole <= m / N,

all in cents; equality holds, and the ratio is cross-multiplied. Only names bought on balance (bought > sold)
can fail; another name over the cap is a note. Names that the scenario does not know are left to UNIV01.

Parameter denominator, the whole: "holdings_after" (default: held + bought - sold of all names, without cash),
"holdings_after_with_cash" (holdings and cash; trades do not change it, fees are left out) or "holdings_before".
Measured against nothing, or against less where more is sold than held, any purchase is over the cap.
Parameter position_multiple: a house value for m. Source: seed paper 003, section 4.
"""

from fractions import Fraction
from typing import Any

from predicates.columns import over_weight
from predicates.findings import Finding
from predicates.inputs import limit_path
from predicates.limits.weights import DENOMINATORS, evidence, plan_whole, position_cap, weigh, whole_of
from predicates.registry import Params, predicate
from predicates.rows import weight_rows
from scenarios.action import Action
from scenarios.types import Scenario


def _terms(scenario: Scenario, params: Params) -> Any:
    cap, multiple = position_cap(scenario, params), limit_path(params, "position_multiple")
    told = evidence(cap, params, "/account", "/limits/equal_weight_names", *multiple, "/orders")
    return (*whole_of(scenario, params), *cap, scenario.held, scenario.instrument_of, scenario.largest_positions, told)


@predicate(
    code="LIM03", name="limits.position_weight", needs=("position_multiple", "equal_weight_names"),
    says="{subject}, {bought} by this action, would be {left:%} of {of}, over the cap of {right:%}; "
    "all else equal, at most {room:money} of it can be bought",
    parameters={"position_multiple": Fraction, "denominator": tuple(DENOMINATORS)}, terms=_terms,
)
def position_weight(scenario: Scenario, action: Action, terms: Any) -> tuple[Finding, ...]:
    """Return one finding for each name over the cap: a violation if it was bought on balance, else a note."""
    whole, grows, numerator, denominator, held, known, largest, told = terms
    whole += grows * (action.bought - action.sold)
    net, most, found = action.net_of, numerator * whole, []
    for name, bought in net.items():
        after = held[name] + bought if name in held else bought
        if after * denominator > most and name in known:
            found.append(weigh("LIM03", name, bought, after, whole, told))
    for name, value in largest:
        if value * denominator <= most:
            break
        if name not in net:
            found.append(weigh("LIM03", name, 0, value, whole, told))
    return tuple(found)


@position_weight.constraints
def _(model: Any, scenario: Scenario, params: Params) -> None:
    """The weight row of each name that can be bought, on wherever it is bought on balance."""
    cap = position_cap(scenario, params)
    whole, least = plan_whole(model, scenario, params)
    for name in dict.fromkeys(slot.instrument for slot in model.buys()):
        if name in scenario.instrument_of:
            net = model.bought(name) - model.sold(name)
            weight_rows(model, scenario.held.get(name, 0), net, whole, least, cap, "LIM03")


@position_weight.columns
def _(np: Any, table: Any, params: Params) -> Any:
    """Each name bought on balance, against the whole of its action."""
    names = table.names
    held = table.of_names("held", lambda s: [s.held.get(name.id, 0) for name in s.instruments], at=names.first)
    numerator = table.of_scenarios("numerator", lambda s: position_cap(s, params).numerator)
    denominator = table.of_scenarios("denominator", lambda s: position_cap(s, params).denominator)
    over = over_weight(table, names, held, numerator, denominator, params)
    return table.any_of(names.action, over & table.known[names.first])
