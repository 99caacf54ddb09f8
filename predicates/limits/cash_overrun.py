"""LIM02: the buys cost more than the cash that is there.

With buys b_i and cash C in cents, sum b_i <= C must hold; equality holds. Where the scenario says that sales
fund buys (limits.sales_fund_buys), the amounts sold are added to C. Parameter fees: "excluded" (default, as
the paper has it) leaves fees out; "included" adds the fees of all orders, buys and sells, to the left side. A
fee by the share of a name that the scenario does not know is unknown and counts 0; its amount counts.
Source: seed paper 003, table 1, row 4.
"""

from typing import Any

from predicates.columns import step_fee
from predicates.findings import Finding, violation
from predicates.registry import Params, predicate
from predicates.rows import total_fee
from scenarios.action import Action
from scenarios.costs import order_fee
from scenarios.types import Scenario


def _terms(scenario: Scenario, params: Params) -> Any:
    sales = scenario.limits.sales_fund_buys
    return scenario.account.cash_cents, sales, "cash and sale proceeds" if sales else "cash", params["fees"]


@predicate(
    code="LIM02",
    name="limits.cash_overrun",
    says="the buys need {left:money} (fees {fees}), {over:money} more than the {right:money} of {funds}; "
    "reduce them by at least that much",
    parameters={"fees": ("excluded", "included")},
    terms=_terms,
)
def cash_overrun(scenario: Scenario, action: Action, terms: Any) -> tuple[Finding, ...]:
    """Return the violation if the buys exceed the available cents."""
    funds, sales, called, fees = terms
    if sales:
        funds += action.sold
    needed = action.bought
    if fees == "included":
        needed += sum([order_fee(scenario, order) for order in action.orders])
    if needed <= funds:
        return ()
    return (
        violation("LIM02", where="/orders", left=needed, op="<=", right=funds, unit="cents",
                  reads=("/account/cash_cents", "/limits/sales_fund_buys", "/orders"), over=needed - funds,
                  fees=fees, funds=called),
    )


@cash_overrun.constraints
def _(model: Any, scenario: Scenario, params: Params) -> None:
    """Buys, with fees where they are included, within cash and the sales that may fund them."""
    needed = model.sum(slot.amount for slot in model.buys())
    funds = model.sum(slot.amount for slot in model.sells() if scenario.limits.sales_fund_buys)
    if params["fees"] == "included":
        needed = needed + total_fee(model, scenario.fees, model.slots, "LIM02")
    model.require(needed - funds <= scenario.account.cash_cents, "LIM02")


@cash_overrun.columns
def _(np: Any, table: Any, params: Params) -> Any:
    """Fees are added where they are included and charged by the tranche."""
    needed, funds = table.bought, table.of_scenarios("cash", lambda s: s.account.cash_cents)
    funds = funds + table.of_scenarios("sales fund buys", lambda s: s.limits.sales_fund_buys) * table.sold
    if params["fees"] == "included":
        tranche = table.of_scenarios("tranche", lambda s: step_fee(s)[0])
        started = table.sum_orders(-(-table.cents // tranche[table.action]))
        needed = needed + table.product(started, table.of_scenarios("fee", lambda s: step_fee(s)[1]))
    return needed > funds
