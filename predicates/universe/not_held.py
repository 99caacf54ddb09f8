"""UNIV04: the client is told to sell more of something than can be sold; there are no short sales.

For each sold instrument, the sum of its sells must be <= the available quantity q_a, in shares. An
order sized by amount counts amount / frozen price. Where the scenario freezes no price, money is
compared instead: the sum of the amounts in cents <= value * q_a / q, the available part of the
position's market value, q being the whole quantity. All of it exact; a sale of exactly what is available
holds. A sell of an instrument of which nothing is available violates even without a size.
Source: seed paper 003, section 3 (an action is judged against current holdings).
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from predicates.findings import Finding, violation
from predicates.registry import Params, predicate
from predicates.rows import forbid
from scenarios.action import Action, Amount, Order
from scenarios.costs import shares_of
from scenarios.types import Scenario


@predicate(
    code="UNIV04", name="universe.not_held",
    says="{instrument}: the sells ask for {left} and {right} {measure} are available",
)
def not_held(scenario: Scenario, action: Action, params: Params) -> tuple[Finding, ...]:
    """Return one violation, at its first sell, for each instrument sold beyond what is available."""
    sells: dict[str, list[tuple[int, Order]]] = {}
    for index, order in enumerate(action.orders):
        if order.side == "sell":
            sells.setdefault(order.instrument, []).append((index, order))
    found: list[Finding] = []
    for name, numbered in sells.items():
        sized = [order for _, order in numbered if (order.amount, order.shares) != (None, None)]
        asked, available, unit = _asked_and_available(scenario, name, sized)
        if asked > available or not available:
            where, left = f"/orders/{numbered[0][0]}", asked if sized else "no stated size"
            found.append(violation("UNIV04", where=where, left=left, op="<=", right=available, unit=unit, measure=unit,
                                   reads=("/account/positions", "/instruments"), instrument=name))
    return tuple(found)


def _asked_and_available(scenario: Scenario, name: str, orders: Sequence[Order]) -> tuple[Amount, Amount, str]:
    position, instrument = scenario.position_of.get(name), scenario.instrument_of.get(name)
    if all(order.shares is not None for order in orders) or (instrument and instrument.price_cents):
        return sum(shares_of(scenario, order) for order in orders), position.available if position else 0, "shares"
    each = Fraction(position.value_cents) / position.quantity if position and position.quantity else 0
    asked = sum(order.shares * each if order.shares is not None else order.amount or 0 for order in orders)
    return asked, position.available * each if position else 0, "cents"


@not_held.constraints
def _(model: Any, scenario: Scenario, params: Params) -> None:
    """The sells of each name within what is available, at its frozen price or as part of the position's value."""
    for name in dict.fromkeys(slot.instrument for slot in model.sells()):
        position, instrument = scenario.position_of.get(name), scenario.instrument_of.get(name)
        if position is None or not position.available:
            forbid(model, [slot for slot in model.sells() if slot.instrument == name], "UNIV04")
        elif instrument is not None and instrument.price_cents:
            model.require(model.sold(name) <= instrument.price_cents * position.available, "UNIV04")
        else:
            model.require(model.sold(name) <= position.value_cents * position.available / position.quantity, "UNIV04")
