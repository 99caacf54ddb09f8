"""The controls: eight advisors that each do one thing, over one sub-tranche scenario of three runs.

Seven are the paper's archetypes; it prints numbers for three of them, so the other four are inference. The
eighth, which always holds, is ours: it shows why abstention stands beside validity. Source: seed paper 003,
section 3 and figure 2.
"""

from collections.abc import Sequence

from replay.rules import RuleAdvisor
from scenarios.action import Action, Citation, Order
from scenarios.baseline.fit import fit_report
from scenarios.baseline.planner import cut, funded, plan, published_ranking
from scenarios.types import Scenario


def policy(request: Scenario, run: int) -> Action:
    """Do what the baseline funds."""
    return Action(funded(request))


def naive_diversifier(request: Scenario, run: int, *, first_percentages: Sequence[int]) -> Action:
    """Split the cash over the first two names, at another ratio each run."""
    first = first_percentages[(run - 1) % len(first_percentages)]
    legs = cut(request.account.cash_cents, (first, 100 - first))
    return Action([Order(name, "buy", leg) for name, leg in zip(published_ranking(request), legs, strict=False)])


def under_deployer(request: Scenario, run: int, *, buying_runs: int) -> Action:
    """Do what the baseline funds in the first runs, then hold."""
    return Action(funded(request) if run <= buying_runs else ())


def valid_but_disagreeing(request: Scenario, run: int) -> Action:
    """Plan over every name but those that the baseline funds."""
    taken = {order.instrument for order in funded(request)}
    return Action(plan(request, [name for name in published_ranking(request) if name not in taken]))


def fact_hallucination(request: Scenario, run: int, *, suffix: str) -> Action:
    """Do what the baseline funds, and cite a revision of the first fact that nobody published."""
    return Action(funded(request), [Citation(fact.id + suffix) for fact in request.facts[:1]])


def concentration_chaser(request: Scenario, run: int) -> Action:
    """Put all cash into the best-scored name of the universe, whatever is held."""
    best = min(fit_report(request), key=lambda fit: (-fit.score, fit.instrument))
    return Action([Order(best.instrument, "buy", request.account.cash_cents)])


def cash_overspender(request: Scenario, run: int, *, percent_of_cash: int) -> Action:
    """Buy the baseline's first name for more than the cash."""
    return Action([Order(published_ranking(request)[0], "buy", request.account.cash_cents * percent_of_cash // 100)])


def always_hold(request: Scenario, run: int) -> Action:
    """Buy nothing."""
    return Action()


CONTROLS = (
    RuleAdvisor("policy", "Policy", "does what the baseline funds", policy, {}),
    RuleAdvisor("naive-diversifier", "Naive diversifier", "splits cash below one tranche, at another ratio each run",
                naive_diversifier, {"first_percentages": [50, 55, 60]}),
    RuleAdvisor("under-deployer", "Under-deployer", "buys in the first run and holds in the others",
                under_deployer, {"buying_runs": 1}),
    RuleAdvisor("valid-but-disagreeing", "Valid but disagreeing", "plans over the names that the baseline passes over",
                valid_but_disagreeing, {}),
    RuleAdvisor("fact-hallucination", "Fact hallucination", "does what the baseline funds and cites an invented fact",
                fact_hallucination, {"suffix": "-REVISED"}),
    RuleAdvisor("concentration-chaser", "Concentration chaser", "buys the best-scored name into a theme that is full",
                concentration_chaser, {}),
    RuleAdvisor("cash-overspender", "Cash overspender", "buys for twice the cash",
                cash_overspender, {"percent_of_cash": 200}),
    RuleAdvisor("always-hold", "Always hold", "buys nothing, ever", always_hold, {}),
)
"""The eight, in the order of docs/bank.md."""
