"""Oracles: the most cash that can be deployed, the best admissible plan, and the fee of one order.

Two optima, and they are not the same thing. The deployment bound is the program of seed paper 003,
section 4: budget, floor, headroom and theme caps, nothing else; it bounds what any plan of buys can
deploy. `scenarios.baseline.deployment` gives its value in closed form; here is the program itself, the
independent check. The best admissible plan obeys every clause of a contract, through the clauses'
`constraints` faces, and is judged by the contract's own verdict before it is handed out.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from scenarios.action import Action, Amount, Order
from scenarios.baseline.deployment import candidates, position_cap
from scenarios.baseline.planner import published_ranking
from scenarios.costs import split_and_whole_fee
from scenarios.errors import ScenarioError
from scenarios.types import Scenario
from verifier.contract import BoundContract, Judge
from verifier.plan import (
    DEFAULT_SOLVER,
    PlanModel,
    SolverRun,
    enforced_codes,
    irreducible,
    lexicographic,
    write_clauses,
)
from verifier.verdict import COUNTS_AS_VALID


class Deployment(NamedTuple):
    """The deployment program's optimum: cents deployed; orders is the count of the answer that was found."""

    cents: int
    orders: int
    run: SolverRun


def deployment_mip(
    cash: int, floor: int, headrooms: Sequence[int], themes: Sequence[str | None],
    theme_rooms: Mapping[str | None, int], count_cap: int | None = None, solver: str = DEFAULT_SOLVER,
) -> Deployment:
    """Return the optimum of the deployment program; arguments as `scenarios.baseline.deployment.deployment_bound`.

    Maximise the sum of x_i under sum of x_i <= cash, f z_i <= x_i <= h_i z_i with z_i in {0, 1}, and for
    each theme the sum of its x_i <= its room. Source: seed paper 003, section 4.
    """
    model = PlanModel(max(cash, 0), solver)
    amounts, flags = [], []
    by_theme: dict[str | None, list[Any]] = {}
    for headroom, theme in zip(headrooms, themes, strict=True):
        amount, flag = model.integer("x", 0, max(headroom, 0)), model.binary("z")
        model.require(amount >= floor * flag, "floor")
        model.require(amount <= max(headroom, 0) * flag, "headroom")
        amounts.append(amount)
        flags.append(flag)
        by_theme.setdefault(theme, []).append(amount)
    model.require(model.sum(amounts) <= max(cash, 0), "budget")
    for theme, members in by_theme.items():
        if theme in theme_rooms:
            model.require(model.sum(members) <= max(theme_rooms[theme], 0), f"theme {theme}")
    return _deployment(model, amounts, flags, count_cap)


def scenario_mip(scenario: Scenario, count_cap: int | None = None, solver: str = DEFAULT_SOLVER) -> Deployment:
    """Return the optimum of the deployment program of a scenario, caps measured after the action.

    As `scenarios.baseline.deployment.scenario_bound`, but with a floor of its own for each name. The caps
    of a name that is not bought are switched off by the least big M that does so.
    """
    cash, names = scenario.account.cash_cents, candidates(scenario)
    model = PlanModel(cash, solver)
    amounts = [model.integer(name.id, 0, cash) for name in names]
    flags = [model.binary(name.id) for name in names]
    after = scenario.held_total + model.sum(amounts)
    for name, amount, flag in zip(names, amounts, flags, strict=True):
        model.require(amount >= name.floor * flag, "floor")
        model.require(amount <= cash * flag, "no amount without an order")
        _cap(model, position_cap(scenario), name.held, amount, after, flag, scenario)
    for theme in dict.fromkeys(name.theme for name in names):
        members = [place for place, name in enumerate(names) if name.theme == theme]
        bought, held = model.binary(str(theme)), scenario.theme_value.get(theme, 0)
        for place in members:
            model.require(bought >= flags[place], "theme bought")
        total = model.sum(amounts[place] for place in members)
        _cap(model, scenario.limits.theme_cap, held, total, after, bought, scenario)
    model.require(model.sum(amounts) <= cash, "budget")
    return _deployment(model, amounts, flags, count_cap)


class Plan(NamedTuple):
    """The best admissible plan.

    status: "optimal", or "infeasible" where no action is admissible. orders: in ranking order. cents: what
    they deploy. unmodelled: why a clause that applies has no rows, by code; the plan was judged by it all
    the same. conflict: where infeasible, clauses that admit no action together and of which none can be
    left out. runs: the solver's calls.
    """

    status: str
    orders: tuple[Order, ...]
    cents: int
    unmodelled: dict[str, str]
    conflict: tuple[str, ...]
    runs: tuple[SolverRun, ...]


def best_plan(judge: Judge, scenario: Scenario, solver: str = DEFAULT_SOLVER) -> Plan:
    """Return the plan of buys that deploys the most cash and violates no clause.

    Among those: the fewest orders, then the lexicographically largest amounts in ranking order; so the
    plan is unique and does not depend on the solver. It has at most one order a name and spends no more
    than the cash.

    Raises:
        ScenarioError: the plan fails a clause that has no rows, or one whose faces disagree.
        SolverError: the solver gave up, or its answer breaks a row once it is made whole.
    """
    codes, names = enforced_codes(judge, scenario), ranked_universe(scenario)

    def model_of(some: Sequence[str], bound: int) -> tuple[PlanModel, dict[str, str]]:
        model = PlanModel(bound, solver)
        for name in names:
            model.add_order(name)
        model.close_slots()
        return model, write_clauses(model, judge, scenario, some)

    model, unmodelled = model_of(codes, scenario.account.cash_cents)
    if lexicographic(model, _best_first(model)) is None:
        bound = roomy_bound(scenario)
        conflict = irreducible(codes, lambda some: model_of(some, bound)[0].feasible())
        return Plan("infeasible", (), 0, unmodelled, conflict, tuple(model.runs))
    amounts = [(slot.instrument, int(model.value(slot.amount))) for slot in model.slots]
    orders = tuple(Order(name, "buy", amount) for name, amount in amounts if amount)
    assert_admissible(judge.bind(scenario), Action(orders), unmodelled)
    return Plan("optimal", orders, sum(amount for _, amount in amounts), unmodelled, (), tuple(model.runs))


def ranked_universe(scenario: Scenario) -> tuple[str, ...]:
    """Return the universe as the scenario's baseline ranks it; names that it may not buy follow, by id."""
    ranked = published_ranking(scenario) if scenario.policy is not None else ()
    return (*ranked, *sorted(scenario.allowed.difference(ranked)))


class FeeComparison(NamedTuple):
    """Fees of one side in cents: as ordered, and as one order of the same total, the lower bound."""

    side: str
    paid: Amount
    consolidated: Amount

    @property
    def premium(self) -> Amount:
        """The fee premium of the split."""
        return self.paid - self.consolidated


def fee_oracle(scenario: Scenario, action: Action) -> tuple[FeeComparison, ...]:
    """Return the fee of the consolidated order beside the fee as ordered, for each side that has orders."""
    return tuple(
        FeeComparison(side, *split_and_whole_fee(scenario, action, side))
        for side, amounts in (("buy", action.buy_amounts), ("sell", action.sell_amounts)) if amounts
    )


def assert_admissible(bound: BoundContract, action: Action, unmodelled: Mapping[str, str]) -> None:
    """Hold an action that a program found against the contract's own verdict.

    Raises:
        ScenarioError: a clause is in ERROR or fails; told apart by whether it had rows.
    """
    state, states, findings = bound.decide(action)
    if state in COUNTS_AS_VALID:
        return
    code = next(code for code, one in states.items() if one in ("FAIL", "ERROR"))
    where = f"{bound.scenario.id}#{code}"
    if states[code] == "ERROR":
        reason = next(finding.details["reason"] for finding in findings if finding.code == code)
        raise ScenarioError(where, f"the clause cannot judge the plan: {reason}", "mend the scenario or the clause")
    if code in unmodelled:
        raise ScenarioError(
            where, f"the plan violates this clause, which could not take part: {unmodelled[code]}",
            "write a constraints face for it, or leave it out of the contract",
        )
    raise ScenarioError(where, "its constraints face admits what its law refuses", "run `audit predicates test` on it")


def roomy_bound(scenario: Scenario, asked: Amount = 0) -> int:
    """Return cents that no sensible order exceeds: far above wealth, what was asked, floors and board lots."""
    floors = [name.floor for name in candidates(scenario)]
    lots = [one.lot_shares * one.price_cents for one in scenario.instruments if one.price_cents is not None]
    wealth = scenario.account.cash_cents + scenario.held_total
    return 2 * (wealth + -(-asked // 1) + max(floors, default=0) + max(lots, default=0)) + 1


def _best_first(model: PlanModel) -> Iterator[tuple[str, Any]]:
    total = model.sum(slot.amount for slot in model.slots)
    yield "max", total
    yield "min", model.sum(slot.placed for slot in model.slots)
    left = model.value(total)
    for slot in model.slots:
        if not left:
            return
        yield "max", slot.amount
        left -= model.value(slot.amount)


def _cap(model: PlanModel, cap: Any, held: int, bought: Any, after: Any, flag: Any, scenario: Scenario) -> None:
    """Require (held + bought) / after <= cap where the flag is set; without it nothing is bought."""
    if cap is None:
        return
    excess = max(0, held - cap * scenario.held_total)
    model.require(held + bought - cap * after <= excess * (1 - flag), "weight after the action")


def _deployment(model: PlanModel, amounts: Sequence[Any], flags: Sequence[Any], count_cap: int | None) -> Deployment:
    count = model.sum(flags)
    if count_cap is not None:
        model.require(count <= count_cap, "count cap")
    cents = model.maximise(model.sum(amounts))
    if cents is None:
        raise AssertionError("to deploy nothing satisfies every row")
    return Deployment(cents, int(model.value(count)), model.runs[-1])
