"""SIZE01: an order is not a whole number of shares, or not a whole number of board lots.

An order's shares s are as answered, else amount / frozen price, exact and never rounded; with the
instrument's board lot L (1 unless the scenario says otherwise), s mod L = 0 must hold. Where the
scenario sets limits.odd_lot_remainder, one sell of each instrument may instead carry the whole odd
remainder of what is available: s whole, s <= available and (available - s) mod L = 0. Orders without a
size are not judged, nor are names that are not among the instruments (UNIV01). A price that is needed
and missing is an error of the scenario. Not applicable unless limits.whole_shares is true.
Source: seed paper 003, section 6, modular governance contracts.
"""

from fractions import Fraction
from typing import Any

from predicates.findings import Finding, violation
from predicates.registry import Params, predicate
from predicates.rows import forbid
from scenarios.action import Action, Amount
from scenarios.costs import shares_of
from scenarios.types import Instrument, Scenario


@predicate(
    code="SIZE01", name="limits.integer_shares", needs=("whole_shares",),
    says="the {side} of {instrument} comes to {left} shares, not a multiple of its lot of {right}",
)
def integer_shares(scenario: Scenario, action: Action, params: Params) -> tuple[Finding, ...]:
    """Return one violation for each order whose size is not a multiple of the board lot."""
    found: list[Finding] = []
    remainders: set[str] = set()
    for index, order in enumerate(action.orders):
        instrument = scenario.instrument_of.get(order.instrument)
        if instrument is None or (order.amount is None and order.shares is None):
            continue
        shares, lot = shares_of(scenario, order), instrument.lot_shares
        if order.side == "sell" and instrument.id not in remainders and _is_remainder(scenario, instrument, shares):
            remainders.add(instrument.id)
        elif shares % lot != 0:
            found.append(violation(
                "SIZE01", where=f"/orders/{index}", left=shares, op="multiple of", right=lot, unit="shares",
                reads=("/instruments", "/limits/whole_shares"), side=order.side, instrument=instrument.id,
            ))
    return tuple(found)


def _is_remainder(scenario: Scenario, instrument: Instrument, shares: Amount) -> bool:
    position = scenario.position_of.get(instrument.id)
    if position is None or not scenario.limits.odd_lot_remainder or shares.denominator != 1:
        return False
    return shares <= position.available and (position.available - shares) % instrument.lot_shares == 0


@integer_shares.constraints
def _(model: Any, scenario: Scenario, params: Params) -> None:
    """Amount = price * (L * k + r * remainder), k whole; r = 1 for at most one sell of a name, within what is there."""
    carriers: dict[str, list[Any]] = {}
    for slot in model.slots:
        instrument = scenario.instrument_of.get(slot.instrument)
        if instrument is None:
            continue
        if instrument.price_cents is None:
            forbid(model, [slot], "SIZE01")
            continue
        price, lot = instrument.price_cents, instrument.lot_shares
        shares = model.integer("lots", 0, model.bound // (price * lot)) * lot
        position = scenario.position_of.get(slot.instrument) if slot.side == "sell" else None
        remainder = position.available % lot if position and scenario.limits.odd_lot_remainder else Fraction(0)
        if position and remainder and remainder.denominator == 1:
            carries = model.binary("carries the remainder")
            carriers.setdefault(slot.instrument, []).append(carries)
            shares = shares + int(remainder) * carries
            model.require(slot.amount <= price * position.available + model.bound * (1 - carries), "SIZE01")
        model.require(slot.amount == price * shares, "SIZE01")
    for flags in carriers.values():
        model.require(model.sum(flags) <= 1, "SIZE01")
