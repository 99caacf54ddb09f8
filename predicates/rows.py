"""Rows that several constraints faces share.

The model is handed in (`verifier.plan.PlanModel`). Rows have whole or Fraction coefficients, so that an integer
answer either satisfies a row exactly or breaks it by a whole unit.
"""

from collections.abc import Iterable
from typing import Any

from predicates.registry import Unsupported
from scenarios.exact import Ratio
from scenarios.fees import FeeSchedule, NoFee, ProportionalFee, StepFee


def forbid(model: Any, slots: Iterable[Any], why: str) -> None:
    """Let no order be placed in these slots; a name whose limit cannot be computed is treated so, too."""
    for slot in slots:
        model.require(slot.placed == 0, why)


def is_additive(fees: FeeSchedule) -> bool:
    """Return whether the fee of every total is exactly the sum of the fees of its parts."""
    free = isinstance(fees, StepFee) and not fees.fee_cents_per_tranche
    linear = isinstance(fees, ProportionalFee) and not (fees.minimum_cents or fees.unit) and fees.maximum_cents is None
    return free or linear or isinstance(fees, NoFee)


def tranches(model: Any, fees: StepFee, slots: Iterable[Any], why: str) -> Any:
    """Return the number of tranches that the orders start: whole n with n * T - T < a <= n * T, summed."""
    counts = []
    for slot in slots:
        count = model.integer(f"tranches of {slot.instrument}", 0, -(-model.bound // fees.tranche_cents))
        model.require(count * fees.tranche_cents >= slot.amount, why)
        model.require(count * fees.tranche_cents <= slot.amount + fees.tranche_cents - 1, why)
        counts.append(count)
    return model.sum(counts)


def total_fee(model: Any, fees: FeeSchedule, slots: list[Any], why: str) -> Any:
    """Return the fees of these orders in cents as an expression.

    Raises:
        Unsupported: the fee is neither linear nor a step fee.
    """
    if isinstance(fees, StepFee):
        return tranches(model, fees, slots, why) * fees.fee_cents_per_tranche
    if isinstance(fees, ProportionalFee) and is_additive(fees):
        return model.sum(slot.amount for slot in slots) * fees.rate
    if isinstance(fees, NoFee):
        return model.sum(())
    raise Unsupported(f"a fee of the kind {fees.kind} has no exact rows")


def weight_rows(model: Any, value: int, net: Any, whole: Any, least: int, cap: Ratio, why: str) -> None:
    """Keep (value + net) / whole within the cap wherever net > 0.

    Where the value alone fits into the least whole there can be, the row holds by itself for net <= 0 and needs no
    flag. Otherwise a flag that must be 1 where net > 0 switches it on; switched off, it has exactly the slack that
    a subject without purchases can need. Amounts are in cents, net and whole are expressions, and the whole cannot
    fall below `least`.
    """
    share, of = cap
    slack = value * of - share * least
    if slack <= 0:
        model.require((value + net) * of <= share * whole, why)
        return
    grows = model.binary(why)
    model.require(net <= model.bound * grows, why)
    model.require((value + net) * of - share * whole <= slack * (1 - grows), why)
