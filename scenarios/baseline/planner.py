"""The planner: into how many orders the cash goes, and how much into each.

It takes the widest split of 100, 60/40 and 50/30/20 that the recommendation cap, the policy and the number
of ranked names allow, whose orders together pay no more than one order of the same total (a tie is
neutral), and of which none is below the floor. Below the floor for one order it holds. Legs are cut off
to the whole cent and the cents left over go to the first. It deploys all of the cash or none; headroom under
the position and theme caps is not its business, so a scenario for it needs some. Source: seed paper 003, section 4.
"""

from collections.abc import Sequence

from scenarios.action import Action, Order
from scenarios.baseline.fit import rank_by_fit, rank_by_score
from scenarios.costs import split_and_whole_fee
from scenarios.errors import ScenarioError
from scenarios.types import Scenario

SPLITS = ((50, 30, 20), (60, 40), (100,))
"""Percentages by rank, widest first."""


def funded(scenario: Scenario) -> tuple[Order, ...]:
    """Return the orders that the scenario's baseline funds; none when it holds.

    Raises:
        ScenarioError: the scenario names no policy, or freezes too little for it.
    """
    policy = scenario.policy
    if policy is None:
        raise ScenarioError(f"{scenario.id}#/policy", "no baseline is named", "add a policy to the scenario")
    return plan(scenario, published_ranking(scenario), widest=policy.widest_split)


def published_ranking(scenario: Scenario) -> tuple[str, ...]:
    """Return the eligible names in the order that the scenario's baseline prefers them."""
    by_score = scenario.policy is not None and scenario.policy.ranking == "score"
    return rank_by_score(scenario) if by_score else rank_by_fit(scenario)


def plan(scenario: Scenario, ranking: Sequence[str], widest: int = 3) -> tuple[Order, ...]:
    """Return the planner's orders for the scenario's cash over names in order of preference.

    Args:
        scenario: gives cash, fees, tolerance and recommendation cap.
        ranking: names, best first.
        widest: the most orders to place, 1 to 3.
    """
    cap = scenario.limits.recommendation_cap
    most = min(widest, len(ranking), widest if cap is None else cap)
    for split in SPLITS:
        if len(split) > most:
            continue
        amounts = cut(scenario.account.cash_cents, split)
        orders = tuple(Order(name, "buy", amount) for name, amount in zip(ranking, amounts, strict=False))
        if not any(is_below_floor(scenario, order) for order in orders) and is_fee_neutral(scenario, orders):
            return orders
    return ()


def cut(total_cents: int, percentages: Sequence[int]) -> tuple[int, ...]:
    """Return the total cut by percentages that add up to 100: each leg floored to the cent, the rest to the first."""
    legs = [total_cents * percentage // 100 for percentage in percentages]
    return (total_cents - sum(legs[1:]), *legs[1:])


def is_fee_neutral(scenario: Scenario, orders: Sequence[Order]) -> bool:
    """Return whether the orders together pay no more than one order of their total."""
    split, whole = split_and_whole_fee(scenario, Action(orders), "buy")
    return split <= whole


def is_below_floor(scenario: Scenario, order: Order) -> bool:
    """Return whether an order's fee takes more of it than the tolerance; an order of nothing always does."""
    amount, tolerance = order.amount or 0, scenario.limits.fee_tolerance
    if not amount or tolerance is None:
        return not amount
    floor = scenario.fees.floor(tolerance, scenario.instrument_of[order.instrument].price_cents).floor
    return floor is None or amount < floor
