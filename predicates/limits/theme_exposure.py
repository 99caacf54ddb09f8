"""LIM04: buying makes one theme too large a part of the portfolio.

With the frozen ticker-to-theme map, a theme's weight after the action must satisfy

    (held + bought - sold, all of the theme) / whole <= cap,

in cents; equality holds, and the ratio is cross-multiplied. Only themes bought on balance can fail; another
theme over the cap is a note. Names that the scenario does not know are left to UNIV01; a held or ordered name
whose theme is not frozen is an error of the scenario, for then no weight is known.

Parameter denominator, the whole: as in LIM03. Parameter theme_cap: a house value that replaces the scenario's
cap; the paper's is 0.2. Source: seed paper 003, table 1, row 7, and section 4.
"""

from fractions import Fraction
from typing import Any

from predicates.columns import MISSING, UNKNOWN, groups_of, over_weight
from predicates.findings import Finding
from predicates.inputs import limit_path, required
from predicates.limits.weights import (
    DENOMINATORS,
    evidence,
    group_map,
    held_by,
    net_by,
    plan_net,
    plan_whole,
    theme_cap,
    weigh,
    whole_of,
)
from predicates.registry import Params, predicate
from predicates.rows import weight_rows
from scenarios.action import Action
from scenarios.types import Scenario


def _terms(scenario: Scenario, params: Params) -> Any:
    cap, reads = theme_cap(scenario, params), limit_path(params, "theme_cap")
    held, told = held_by(scenario, "theme"), evidence(cap, params, "/account", "/instruments", *reads, "/orders")
    return (*whole_of(scenario, params), *cap, group_map(scenario, "theme"), held, scenario.largest_themes, told)


@predicate(
    code="LIM04", name="limits.theme_exposure", needs=("theme_cap",),
    says="the theme {subject}, {bought} by this action, would be {left:%} of {of}, over the cap of {right:%}; "
    "all else equal, at most {room:money} of it can be bought",
    parameters={"theme_cap": Fraction, "denominator": tuple(DENOMINATORS)}, terms=_terms,
)
def theme_exposure(scenario: Scenario, action: Action, terms: Any) -> tuple[Finding, ...]:
    """Return one finding for each theme over the cap: a violation if it was bought on balance, else a note."""
    whole, grows, numerator, denominator, theme_of, held, largest, told = terms
    whole += grows * (action.bought - action.sold)
    net, most, found = net_by(scenario, action, "theme", theme_of), numerator * whole, []
    for theme, bought in net.items():
        after = held.get(theme, 0) + bought
        if after * denominator > most:
            found.append(weigh("LIM04", theme, bought, after, whole, told))
    for theme, value in largest:
        if value * denominator <= most:
            break
        if theme not in net:
            found.append(weigh("LIM04", theme, 0, value, whole, told))
    return tuple(found)


@theme_exposure.constraints
def _(model: Any, scenario: Scenario, params: Params) -> None:
    """The weight row of each theme that can be bought, on wherever it is bought on balance."""
    cap, held = theme_cap(scenario, params), held_by(scenario, "theme")
    whole, least = plan_whole(model, scenario, params)
    for theme, net in plan_net(model, scenario, "theme").items():
        weight_rows(model, held.get(theme, 0), net, whole, least, cap, "LIM04")


@theme_exposure.columns
def _(np: Any, table: Any, params: Params) -> Any:
    """Each theme bought on balance, against the whole of its action."""
    theme = table.of_names("theme", lambda s: groups_of(s, "theme"), unknown=UNKNOWN)
    for order in np.flatnonzero((theme == MISSING) & table.sized)[:1]:
        scenario, name = table.instrument_at(order)
        required(scenario, name, "theme")
    themes = table.group(theme, among=theme >= 0)
    held = table.of_names("held", lambda s: [held_by(s, "theme").get(name.theme, 0) for name in s.instruments],
                          at=themes.first)
    numerator = table.of_scenarios("numerator", lambda s: theme_cap(s, params).numerator)
    denominator = table.of_scenarios("denominator", lambda s: theme_cap(s, params).denominator)
    return table.any_of(themes.action, over_weight(table, themes, held, numerator, denominator, params))
