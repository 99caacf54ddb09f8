"""The five stressor advisors of the bank: five ways to be right or wrong, each a rule of a few lines.

They are synthetic and stand for no provider. Rankings and planner are the baseline's own; what each rule does
with them is in its docstring, and docs/bank.md tells what follows. `python -m replay.stressors` writes
their answers, and those of the controls, below manifests/answers/. Source: seed paper 003, section 3.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from replay.controls import CONTROLS
from replay.rules import RuleAdvisor, seal_answers
from scenarios.action import Action, Citation, Order
from scenarios.baseline.fit import rank_by_score
from scenarios.baseline.planner import cut, is_below_floor, plan, published_ranking
from scenarios.files import write_folder
from scenarios.load import load_bank
from scenarios.types import Scenario

RUNS = 5


def contract(request: Scenario, run: int, *, widest: int) -> Action:
    """Plan over the names by score alone, and cite the first fact where facts are given."""
    facts = [Citation(fact.id) for fact in request.facts[:1]]
    return Action(plan(request, rank_by_score(request), widest), facts)


def agreement_split(request: Scenario, run: int, *, percentages: Sequence[int]) -> Action:
    """Copy the head of the published ranking and always split over it; hold with less than the floor."""
    cash = request.account.cash_cents
    names = published_ranking(request)
    if not names or is_below_floor(request, Order(names[0], "buy", cash)):
        return Action()
    return Action([Order(name, "buy", leg) for name, leg in zip(names, cut(cash, percentages), strict=False)])


def unstable_selector(request: Scenario, run: int, *, silent_run: int) -> Action:
    """Put all cash into another name each run, in turn by score; hold with less than the floor.

    Where one name is allowed, one of the runs leaves out the amount.
    """
    names = rank_by_score(request)
    order = Order(names[(run - 1) % len(names)], "buy", request.account.cash_cents)
    if is_below_floor(request, order):
        return Action()
    silent = run == silent_run and request.limits.recommendation_cap == 1
    return Action([order._replace(amount=None) if silent else order])


def fact_hallucination(request: Scenario, run: int, *, widest: int, suffix: str) -> Action:
    """Answer as the contract advisor does, and cite a revision of the first fact that nobody published."""
    answer = contract(request, run, widest=widest)
    invented = [Citation(citation.id + suffix) for citation in answer.citations]
    return Action(answer.orders, [*answer.citations, *invented])


def cash_overrun(request: Scenario, run: int, *, ticket_cents: int) -> Action:
    """Buy whole tickets, one name each by score: as many as the cash covers and the cap allows, but at least one."""
    names = rank_by_score(request)
    covered = request.account.cash_cents // ticket_cents
    cap = request.limits.recommendation_cap
    tickets = max(1, covered if cap is None else min(cap, covered))
    return Action([Order(name, "buy", ticket_cents) for name in names[:tickets]])


STRESSORS = (
    RuleAdvisor("contract", "Contract", "implements the contract: the planner over the names by score",
                contract, {"widest": 3}),
    RuleAdvisor("agreement-split", "Agreement split", "copies the published ranking and always splits over two names",
                agreement_split, {"percentages": [60, 40]}),
    RuleAdvisor("unstable-selector", "Unstable selector", "buys another name each run and once leaves out the amount",
                unstable_selector, {"silent_run": 4}),
    RuleAdvisor("fact-hallucination", "Fact hallucination", "plans as the contract advisor and cites an invented fact",
                fact_hallucination, {"widest": 3, "suffix": "-REVISED"}),
    RuleAdvisor("cash-overrun", "Cash overrun", "buys whole tickets of one size, covered by cash or not",
                cash_overrun, {"ticket_cents": 200_000}),
)
"""The five, in the order of table 3."""

SHIPPED: tuple[tuple[str, RuleAdvisor, int], ...] = (
    *(("bank-1", advisor, RUNS) for advisor in STRESSORS),
    *(("controls-1", advisor, 3) for advisor in CONTROLS),
    ("pilots-1", STRESSORS[0], 3),
)
"""Every shipped set of rule answers: bank, advisor, runs per scenario."""


def write_answers(manifests: Path) -> None:
    """Write every shipped set of rule answers, sealed, below `manifests`/answers, from the banks beside it.

    Raises:
        ReplayError: a bank cannot be read, or a folder exists with other content.
    """
    banks = {name: load_bank(manifests / name) for name in dict.fromkeys(name for name, _, _ in SHIPPED)}
    for name, advisor, runs in SHIPPED:
        write_folder(manifests / "answers" / name / advisor.id, seal_answers(advisor, banks[name], runs))


if __name__ == "__main__":
    write_answers(Path(sys.argv[1] if len(sys.argv) > 1 else "manifests"))
