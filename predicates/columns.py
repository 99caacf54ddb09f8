"""What several columns faces share.

The table is handed in (`verifier.columns.Table`), and so is numpy; all numbers are int64.
"""

from typing import Any, Literal

from predicates.registry import Params, Unsupported
from predicates.rows import is_additive
from scenarios.fees import NoFee, StepFee
from scenarios.types import Scenario

UNKNOWN, MISSING = -2, -1
"""Instead of the theme or sector of a name: the scenario does not know the name, or freezes none for it."""


def over_weight(table: Any, groups: Any, held: Any, numerator: Any, denominator: Any, params: Params) -> Any:
    """Return which groups of orders, bought on balance, weigh more than numerator / denominator after the action.

    Args:
        table: the chunk.
        groups: orders of one action put together by name, theme or sector.
        held: cents held of each group.
        numerator: of the cap, for each action.
        denominator: of the cap, for each action.
        params: tell the whole that a weight is a share of, as in `predicates.limits.weights.whole_of`.
    """
    whole = table.of_scenarios("held in all", lambda s: s.held_total)
    if params["denominator"] == "holdings_after":
        whole = whole + table.bought - table.sold
    elif params["denominator"] == "holdings_after_with_cash":
        whole = whole + table.of_scenarios("cash", lambda s: s.account.cash_cents)
    most = table.product(numerator, whole)
    after = table.product(held + groups.net, denominator[groups.action])
    return (groups.net > 0) & (after > most[groups.action])


def groups_of(scenario: Scenario, group: Literal["theme", "sector"]) -> list[int]:
    """Return, for each instrument, the number of its theme or sector, counted in order of appearance, or MISSING."""
    number: dict[str | None, int] = {None: MISSING}
    return [number.setdefault(getattr(name, group), len(number) - 1) for name in scenario.instruments]


def step_fee(scenario: Scenario) -> tuple[int, int]:
    """Return (tranche, fee for each tranche started) in cents.

    Raises:
        Unsupported: the fee schedule is neither a step fee nor zero.
    """
    fees = scenario.fees
    if isinstance(fees, NoFee):
        return 1, 0
    if not isinstance(fees, StepFee):
        raise Unsupported(f"{scenario.id}: a fee of the kind {fees.kind} is not computed in columns")
    return fees.tranche_cents, fees.fee_cents_per_tranche


def tranche_that_counts(scenario: Scenario) -> int:
    """Return the tranche in cents, 1 where no split can raise the fees.

    Raises:
        Unsupported: the fees of a split are not told by tranches alone.
    """
    return 1 if is_additive(scenario.fees) else step_fee(scenario)[0]
