"""COST01: the orders pay more in fees than one order of the same total would.

With the scenario's fee function f (exact, in cents), orders a_1..a_k of one side are fee-worsening when
f(a_1) + ... + f(a_k) > f(a_1 + ... + a_k). A tie holds. Buys and sells are judged apart. A fee that is
charged by the share sums shares as it sums amounts. For a step fee, f(a) = ceil(a / T) * c, and the
evidence shows both ceilings. Source: seed paper 003, table 1 and section 4, equation 2.
"""

from typing import Any

from predicates.columns import tranche_that_counts
from predicates.findings import Finding, finding_of
from predicates.inputs import step_of
from predicates.registry import Params, Unsupported, predicate
from predicates.rows import is_additive, tranches
from scenarios.action import Action
from scenarios.costs import split_and_whole_fee
from scenarios.fees import StepFee
from scenarios.types import Scenario


@predicate(
    code="COST01", name="cost.fee_worsening_split", terms=step_of,
    says="{orders} {side} orders pay {left:money} in fees, one order of the same total would pay {right:money}; "
    "place one order, or choose sizes that add no fee",
)
def fee_worsening_split(scenario: Scenario, action: Action, step: Any) -> tuple[Finding, ...]:
    """Return one violation for each side whose split raises the total fee in cents."""
    found = []
    for side, sizes, total in (("buy", action.buy_amounts, action.bought), ("sell", action.sell_amounts, action.sold)):
        if len(sizes) < 2:
            continue
        details: dict[str, Any] = {"side": side, "orders": len(sizes)}
        if step is None:
            split, whole = split_and_whole_fee(scenario, action, side)
        else:
            (tranche, fee), started, least = step, 0, -(total // -step[0])
            for size in sizes:
                started -= size // -tranche  # a // -T is -ceil(a / T)
            split, whole = started * fee, least * fee
            details["split_tranches"], details["whole_tranches"] = started, least
        if split > whole:
            reads = ("/fees", "/orders")
            found.append(finding_of(("COST01", "violation", "/orders", split, "<=", whole, "cents", reads, details)))
    return tuple(found)


@fee_worsening_split.constraints
def _(model: Any, scenario: Scenario, params: Params) -> None:
    """With n_i >= a_i / T whole, sum n_i <= ceil(sum a_i / T) is (sum n_i - 1) * T < sum a_i."""
    fees = scenario.fees
    for slots in (model.buys(), model.sells()):
        if len(slots) < 2 or is_additive(fees):
            continue
        if not isinstance(fees, StepFee):
            raise Unsupported(f"a split has no exact rows where the fee is of the kind {fees.kind}")
        started = tranches(model, fees, slots, "COST01")
        model.require((started - 1) * fees.tranche_cents + 1 <= model.sum(slot.amount for slot in slots), "COST01")


@fee_worsening_split.columns
def _(np: Any, table: Any, params: Params) -> Any:
    """Tranches started by the orders of a side, against those started by their sum; the fee of each cancels."""
    tranche = table.of_scenarios("tranche", tranche_that_counts)
    started = -(-table.cents // tranche[table.action])
    worse = np.zeros(table.size, np.bool_)
    for side, total in table.sides:
        worse |= table.sum_orders(started, among=side) > -(-total // tranche)
    return worse
