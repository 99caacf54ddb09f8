"""What the weight limits share: the whole that a weight is a share of, net purchases, and the evidence.

The comparison itself stands in each clause.
"""

from collections.abc import Iterable, Mapping
from math import lcm
from typing import Any, Literal, cast

from predicates.findings import Finding
from predicates.inputs import limit, required
from predicates.registry import Params
from predicates.rows import forbid
from scenarios.action import Action, Amount
from scenarios.exact import Ratio
from scenarios.types import Scenario

DENOMINATORS = {
    "holdings_after": "the holdings after the action",
    "holdings_after_with_cash": "the account, cash included",
    "holdings_before": "the holdings before the action",
}
"""The wholes that a weight can be measured against, the default first, as a person calls them."""

_new = tuple.__new__
"""What a named tuple's constructor calls; called directly it takes half the time, and this is the hot path."""

Group = Literal["theme", "sector"]


def whole_of(scenario: Scenario, action: Action, params: Params) -> Amount:
    """Return the whole in cents: holdings after the action unless the contract chooses another.

    Trades move money between cash and holdings, so the account with its cash keeps its value; fees are left out.
    """
    denominator = params["denominator"]
    if denominator == "holdings_after":
        return scenario.held_total + action.bought - action.sold
    return scenario.held_total + (scenario.account.cash_cents if denominator == "holdings_after_with_cash" else 0)


def position_cap(scenario: Scenario, params: Params) -> Ratio:
    """Return the position multiple in force over the number of names that defines equal weight.

    Raises:
        ScenarioError: one of them is declared nowhere.
    """
    if params["position_multiple"] is None and scenario.position_cap is not None:
        return scenario.position_cap
    multiple = limit(scenario, params, "position_multiple")
    return Ratio(multiple.numerator, multiple.denominator * limit(scenario, params, "equal_weight_names"))


def theme_cap(scenario: Scenario, params: Params) -> Ratio:
    """Return the theme cap in force.

    Raises:
        ScenarioError: it is declared nowhere.
    """
    if params["theme_cap"] is None and scenario.theme_cap is not None:
        return scenario.theme_cap
    cap = limit(scenario, params, "theme_cap")
    return Ratio(cap.numerator, cap.denominator)


def held_by(scenario: Scenario, group: Group) -> dict[str, int]:
    """Return the market value in cents held in each theme or sector.

    Raises:
        ScenarioError: a held instrument has none, so that no weight is known.
    """
    value_of = scenario.theme_value if group == "theme" else scenario.sector_value
    if None in value_of:
        for name in scenario.held:
            required(scenario, scenario.instrument_of[name], group)
    return cast(dict[str, int], value_of)


def net_by(scenario: Scenario, action: Action, group: Group) -> dict[str, Amount]:
    """Return what the action buys less what it sells, in cents, by theme or sector.

    Raises:
        ScenarioError: an ordered instrument that the scenario knows has none.
    """
    group_of = scenario.theme_of if group == "theme" else scenario.sector_of
    net: dict[str, Amount] = {}
    for name, amount in net_by_name(action).items():
        key = group_of.get(name)
        if key is None:
            if name not in group_of:
                continue
            key = required(scenario, scenario.instrument_of[name], group)
        net[key] = net[key] + amount if key in net else amount
    return net


def net_by_name(action: Action) -> dict[str, Amount]:
    """Return what the action buys less what it sells of each name, in cents."""
    if not action.sold_of:
        return action.bought_of
    net = action.bought_of.copy()
    for name, amount in action.sold_of.items():
        net[name] = net.get(name, 0) - amount
    return net


def weigh(
    code: str, subjects: Iterable[str], held: Mapping[str, int], net: Mapping[str, Amount], whole: Amount, cap: Ratio,
    params: Params, reads: tuple[str, ...],
) -> tuple[Finding, ...]:
    """Return the findings on weights over the cap: violations where the subject was bought on balance, else notes.

    Amounts are in cents. The detail `room` is the largest net purchase that holds while all other orders stay.
    """
    of = DENOMINATORS[params["denominator"]]
    numerator, denominator = cap
    slope = denominator - numerator if params["denominator"] == "holdings_after" else denominator
    most = numerator * whole
    found = []
    for subject in subjects:
        bought = net.get(subject, 0)
        after = held.get(subject, 0) + bought
        weight = _new(Ratio, (after, whole)) if type(after) is int is type(whole) else _whole_ratio(after, whole)
        room = bought + (most - denominator * after) // slope if slope > 0 else 0
        details = {"subject": subject, "bought": "bought", "of": of, "room": room if room > 0 else 0}
        kind = "violation"
        if bought <= 0:
            kind, details["bought"] = "note", "not bought"
        found.append(_new(Finding, (code, kind, "/orders", weight, "<=", cap, "share", reads, details)))
    return tuple(found)


def _whole_ratio(part: Amount, whole: Amount) -> Ratio:
    scale = lcm(part.denominator, whole.denominator)
    return Ratio(int(part * scale), int(whole * scale))


def plan_whole(model: Any, scenario: Scenario, params: Params) -> tuple[Any, int]:
    """Return the whole of a plan as an expression in cents, and cents below which it cannot fall."""
    if params["denominator"] != "holdings_after":
        whole = whole_of(scenario, Action(), params)
        return model.sum([whole]), int(whole)
    bought, sold = (model.sum(slot.amount for slot in slots) for slots in (model.buys(), model.sells()))
    least = scenario.held_total - (model.bound if model.sells() else 0)
    return bought - sold + scenario.held_total, least


def plan_net(model: Any, scenario: Scenario, group: Group) -> dict[str, Any]:
    """Return, for each theme or sector that a plan can buy, its net purchase as an expression in cents.

    Orders in an instrument that lacks one are forbidden, because the law refuses to judge them.
    """
    group_of = scenario.theme_of if group == "theme" else scenario.sector_of
    forbid(model, [slot for slot in model.slots if group_of.get(slot.instrument, "") is None], f"no {group} is frozen")
    net: dict[str, Any] = {}
    for slot in [*model.buys(), *model.sells()]:
        key = group_of.get(slot.instrument)
        if key is not None and (slot.side == "buy" or key in net):
            net[key] = net.get(key, model.sum(())) + (slot.amount if slot.side == "buy" else -slot.amount)
    return net
