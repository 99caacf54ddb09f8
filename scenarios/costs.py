"""What an action costs: the fees of its orders and of the one order that they could have been.

A fee by the share needs the shares of an order. A name that the scenario does not know has no price, so its
order, unless it is sized in shares, has none: it is left out there, and the universe clause reports it.
"""

from fractions import Fraction
from functools import lru_cache

from scenarios.action import Action, Amount, Order
from scenarios.errors import ScenarioError
from scenarios.fees import FeeSchedule, StepFee
from scenarios.piecewise import Floor
from scenarios.types import Scenario


def shares_of(scenario: Scenario, order: Order) -> Amount:
    """Return an order's size in shares: as answered, or its amount over the frozen price.

    Raises:
        ScenarioError: the order is sized by amount and the scenario freezes no price for its instrument.
    """
    if order.shares is not None:
        return order.shares
    instrument = scenario.instrument_of.get(order.instrument)
    if instrument is None or instrument.price_cents is None:
        raise ScenarioError(
            f"{scenario.id}#/instruments/{order.instrument}/price_cents", "no price is frozen",
            "a fee or a limit by the share needs one; add it to the scenario",
        )
    return Fraction(order.amount or 0) / instrument.price_cents


def _has_shares(scenario: Scenario, order: Order) -> bool:
    return order.shares is not None or order.instrument in scenario.instrument_of


def order_fee(scenario: Scenario, order: Order) -> Amount:
    """Return the fee of one order in cents, 0 where it has no size."""
    if order.amount is None:
        return 0
    if not scenario.fees.uses_shares:
        return scenario.fee(order.amount)
    return scenario.fee(order.amount, shares_of(scenario, order)) if _has_shares(scenario, order) else 0


def floor_of(scenario: Scenario, tolerance: Fraction, instrument: str | None = None) -> Floor | None:
    """Return the smallest order worth its fee; None where that depends on a price and the instrument is not known.

    Raises:
        ScenarioError: tolerance is not positive, or the instrument's price is needed and not frozen.
    """
    if instrument is None and tolerance is scenario.limits.fee_tolerance:
        return scenario.common_floor
    if tolerance.numerator <= 0:
        raise ScenarioError(f"{scenario.id}#/limits/fee_tolerance", f"found {tolerance}", "expected a share above 0")
    if not scenario.fees.uses_shares:
        return _floor(scenario.fees, tolerance.numerator, tolerance.denominator, None)
    known = scenario.instrument_of.get(instrument or "")
    if known is None:
        return None
    return _floor(scenario.fees, tolerance.numerator, tolerance.denominator, known.price_cents)


@lru_cache(maxsize=1024)
def _floor(fees: FeeSchedule, numerator: int, denominator: int, price_cents: int | None) -> Floor:
    return fees.floor(Fraction(numerator, denominator), price_cents)


def is_whole_position(scenario: Scenario, order: Order) -> bool:
    """Return whether an order sells all that is held: the quantity in shares, or the market value in cents."""
    position = scenario.position_of.get(order.instrument)
    if position is None or order.side != "sell":
        return False
    return order.shares == position.quantity if order.shares is not None else order.amount == position.value_cents


def split_and_whole_fee(scenario: Scenario, action: Action, side: str) -> tuple[Amount, Amount]:
    """Return (sum of f(a_i), f(sum of a_i)) in cents over the sized orders of one side.

    Source: seed paper 003, equation 2. A schedule that charges by the share sums shares as it sums amounts.
    """
    fees, fee = scenario.fees, scenario.fee
    amounts, total = (action.buy_amounts, action.bought) if side == "buy" else (action.sell_amounts, action.sold)
    if isinstance(fees, StepFee):  # the formula again, for speed
        tranche, each = fees.tranche_cents, fees.fee_cents_per_tranche
        return -sum([-amount // tranche for amount in amounts]) * each, -(-total // tranche) * each
    if not fees.uses_shares:
        return sum(map(fee, amounts)), fee(total)
    sized = [
        order for order in action.orders
        if order.side == side and order.amount is not None and _has_shares(scenario, order)
    ]
    amounts = [order.amount for order in sized if order.amount is not None]
    shares = [shares_of(scenario, order) for order in sized]
    return sum(map(fee, amounts, shares)), fee(sum(amounts), sum(shares))
