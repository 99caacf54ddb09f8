"""What the weight limits share: the whole that a weight is a share of, net purchases, and the evidence.

The comparison itself stands in each clause.
"""

from collections.abc import Mapping
from functools import lru_cache
from math import lcm
from typing import Any, Literal, cast

from predicates.findings import Finding, finding_of
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

Group = Literal["theme", "sector"]
Evidence = tuple[Ratio, int, int, int, str, tuple[str, ...]]
"""What a finding tells beside the amounts: `evidence` makes it, `weigh` takes it apart."""

_new = tuple.__new__  # Ratio(...) without the call that names its members


def whole_of(scenario: Scenario, params: Params) -> tuple[int, int]:
    """Return (w, g): the whole is w + g * (bought - sold) in cents, holdings after the action by default.

    Trades move money between cash and holdings, so the account with its cash keeps its value; fees are left out.
    """
    denominator = params["denominator"]
    if denominator == "holdings_after":
        return scenario.held_total, 1
    return scenario.held_total + (scenario.account.cash_cents if denominator == "holdings_after_with_cash" else 0), 0


def evidence(cap: Ratio, params: Params, *reads: str) -> Evidence:
    """Return what a finding on a weight over this cap tells beside the amounts, read from these paths.

    That is the cap and its two parts, the slope (by how much denominator * after - numerator * whole falls for
    each cent less that is bought), and the whole in words.
    """
    slope = cap.denominator - (cap.numerator if params["denominator"] == "holdings_after" else 0)
    return (cap, cap.numerator, cap.denominator, slope, DENOMINATORS[params["denominator"]], reads)


def position_cap(scenario: Scenario, params: Params) -> Ratio:
    """Return the position multiple in force over the number of names that defines equal weight.

    Raises:
        ScenarioError: one of them is declared nowhere.
    """
    multiple = limit(scenario, params, "position_multiple")
    return Ratio(multiple.numerator, multiple.denominator * limit(scenario, params, "equal_weight_names"))


def theme_cap(scenario: Scenario, params: Params) -> Ratio:
    """Return the theme cap in force.

    Raises:
        ScenarioError: it is declared nowhere.
    """
    cap = limit(scenario, params, "theme_cap")
    return Ratio(cap.numerator, cap.denominator)


def group_map(scenario: Scenario, group: Group) -> Mapping[str, str | None]:
    """Return the theme or sector of each name; scenarios that agree share one map, which a processor's cache keeps."""
    return _one_map(tuple((scenario.theme_of if group == "theme" else scenario.sector_of).items()))


@lru_cache(maxsize=64)
def _one_map(pairs: tuple[tuple[str, str | None], ...]) -> Mapping[str, str | None]:
    return dict(pairs)


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


def net_by(scenario: Scenario, action: Action, group: Group, group_of: Mapping[str, str | None]) -> dict[str, Amount]:
    """Return what the action buys less what it sells, in cents, by theme or sector.

    Raises:
        ScenarioError: an ordered instrument that the scenario knows has none.
    """
    net: dict[str, Amount] = {}
    for name, amount in action.net_of.items():
        key = group_of.get(name)
        if key is not None:
            net[key] = net[key] + amount if key in net else amount
        elif name in group_of:
            required(scenario, scenario.instrument_of[name], group)
    return net


def net_by_name(action: Action) -> dict[str, Amount]:
    """Return what the action buys less what it sells of each name, in cents."""
    return action.net_of


def weigh(code: str, subject: str, bought: Amount, after: Amount, whole: Amount, told: Evidence) -> Finding:
    """Return the finding on a weight over the cap: a violation where the subject was bought on balance, else a note.

    Amounts are in cents. The detail `room` is the largest net purchase that holds while all other orders stay.
    """
    cap, numerator, denominator, slope, of, reads = told
    weight = _new(Ratio, (after, whole)) if type(whole) is int else _whole_ratio(after, whole)
    room = bought + (numerator * whole - denominator * after) // slope if slope > 0 else 0
    kind, verb = ("violation", "bought") if bought > 0 else ("note", "not bought")
    details = {"subject": subject, "bought": verb, "of": of, "room": room if room > 0 else 0}
    return finding_of((code, kind, "/orders", weight, "<=", cap, "share", reads, details))


def _whole_ratio(part: Amount, whole: Amount) -> Ratio:
    scale = lcm(part.denominator, whole.denominator)
    return Ratio(int(part * scale), int(whole * scale))


def plan_whole(model: Any, scenario: Scenario, params: Params) -> tuple[Any, int]:
    """Return the whole of a plan as an expression in cents, and cents below which it cannot fall."""
    whole, grows = whole_of(scenario, params)
    if not grows:
        return model.sum([whole]), whole
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
