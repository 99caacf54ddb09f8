"""What a client's profile and stated constraints ask of an action, and what of it does not hold."""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from predicates.inputs import required
from predicates.limits.weights import net_by_name
from predicates.registry import Params
from scenarios.action import Action
from scenarios.types import Constraints, ProductSheet, Scenario

PROFILES = {"conservative": 2, "balanced": 3, "aggressive": 5}
"""The highest risk level that suits each profile."""


class Unfit(NamedTuple):
    """A relation that does not hold: of which instrument ("all orders" for the account), what, both sides, the unit."""

    instrument: str
    what: str
    left: int | Fraction
    op: str
    right: int | Fraction
    unit: str


def unfit(scenario: Scenario, action: Action, params: Params) -> Iterator[Unfit]:
    """Yield what does not suit the client.

    Raises:
        ScenarioError: a profile is declared and a bought instrument has no frozen risk level.
    """
    client = scenario.client
    if client is None:
        return
    net = net_by_name(action)
    unsized = {order.instrument for order in action.orders if order.side == "buy" and order.amount is None}
    stated = client.constraints or Constraints()
    for name in sorted({name for name, amount in net.items() if amount > 0} | unsized):
        instrument = scenario.instrument_of.get(name)
        if instrument is None:
            continue
        if client.risk_profile is not None:
            most = params[client.risk_profile]
            level = required(scenario, instrument, "risk_level")
            if level > most:
                yield Unfit(name, "its risk level", level, "<=", most, "level")
        sheet = instrument.product or ProductSheet()
        for what, value, limit, unit in (
            ("its lock-up", sheet.lockup_days, stated.horizon_days, "days"),
            ("its stated maximum drawdown", sheet.max_drawdown, stated.drawdown_tolerance, "share"),
        ):
            if value is not None and limit is not None and value > limit:
                yield Unfit(name, what, value, "<=", limit, unit)
    spent = action.bought - action.sold
    if spent > 0:
        yield from _too_little_cash(scenario, stated, scenario.account.cash_cents - spent)


def _too_little_cash(scenario: Scenario, stated: Constraints, left: int | Fraction) -> Iterator[Unfit]:
    whole = scenario.account.cash_cents + scenario.held_total
    reserve = None if stated.cash_reserve is None else stated.cash_reserve * whole
    for what, need in (
        ("the cash left for the stated need", stated.cash_need_cents), ("the cash left as reserve", reserve),
    ):
        if need is not None and left < need:
            yield Unfit("all orders", what, left, ">=", need, "cents")
