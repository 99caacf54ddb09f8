"""A verdict in words and numbers, for a person: every clause, every finding with its arithmetic."""

from collections.abc import Iterator
from typing import Any

from predicates.findings import Finding
from scenarios.action import Action
from scenarios.exact import Number, exact_json
from scenarios.types import Scenario
from verifier.contract import BoundContract, Judge
from verifier.verdict import Verdict

_MEANING = {
    "ADMISSIBLE": "no enforced clause is broken; the orders may be executed as they stand",
    "ABSTAINED": "no order was asked for and no enforced clause is broken",
    "INADMISSIBLE": "at least one enforced clause is broken; the orders must not be executed",
    "MALFORMED": "no action could be read without guessing",
    "TRUNCATED": "the answer was cut off",
    "ERROR": "the verdict could not be completed; this is never admissible",
}


def explain(judge: Judge, bound: BoundContract, verdict: Verdict) -> Iterator[str]:
    """Yield the lines of the explanation."""
    waived = [code for code, state in verdict.clauses.items() if state == "WAIVED"]
    yield f"{verdict.state}: {_MEANING[verdict.state]}"
    if waived:
        yield f"Violated and not enforced by this contract (WAIVED): {', '.join(waived)}"
    yield f"Contract {judge.contract.id} version {judge.contract.version}"
    yield from ("", *_asked(bound.scenario, verdict))
    if verdict.fault is not None:
        yield f"  at {verdict.fault.where}: {verdict.fault.what}; {verdict.fault.remedy}"
    for note in verdict.notes:
        yield f"  note at {note.where or '/'}: {note.what}"
    if verdict.clauses:
        yield ""
    for code, state in verdict.clauses.items():
        absent = f"  (the scenario declares no {bound.absent[code]})" if code in bound.absent else ""
        yield f"  {code:<6}  {state:<14}  {judge.predicates[code].name}{absent}"
        for finding in verdict.findings:
            if finding.code == code:
                yield f"      {finding.kind} at {finding.where or '/'}: {judge.sentence(finding)}"
                if finding.kind != "error":
                    yield f"        {arithmetic(finding)}"
    yield ""
    for name, digest in verdict.digests.items():
        yield f"  {name:<8}  sha256 {digest}"


def _asked(scenario: Scenario, verdict: Verdict) -> Iterator[str]:
    yield f"  scenario {scenario.id}, cash {money(scenario.account.cash_cents)} {scenario.currency}"
    if verdict.action is None:
        return
    for index, order in enumerate(verdict.action.orders):
        size = "no size" if order.amount is None else f"{money(order.amount)} {scenario.currency}"
        shares = "" if order.shares is None else f" ({order.shares} shares)"
        yield f"  /orders/{index}: {order.side} {order.instrument} {size}{shares}"
    for index, citation in enumerate(verdict.action.citations):
        yield f"  /citations/{index}: {citation.id}"


def arithmetic(finding: Finding) -> str:
    """Return the relation that must hold, with the inputs read and the details, in one line."""
    details = ", ".join(f"{name} {exact_json(value)}" for name, value in finding.details.items() if value is not None)
    reads = ", ".join(finding.reads)
    relation = f"{exact_json(finding.left)} {finding.op} {exact_json(finding.right)} {finding.unit}".strip()
    return f"must hold: {relation}; read {reads}" + (f"; {details}" if details else "")


def money(cents: Number) -> str:
    """Return an amount of minor units with two decimals, or as an exact fraction of cents."""
    written = exact_json(cents)
    if not isinstance(written, int):
        return f"{written} cents"
    cents = written
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def what_was_possible(judge: Judge, scenario: Scenario, action: Action | None, solver: str) -> dict[str, Any]:
    """Return the oracles beside an answer, for reading: seconds describe one run, and nothing here is hashed.

    The deployment bound in closed form and by its program; the best plan that every clause admits; and, for an
    action that was read, its fees beside those of one order of the same total.
    """
    from scenarios.baseline.deployment import scenario_bound
    from verifier.oracle import best_plan, fee_oracle, scenario_mip

    program, plan = scenario_mip(scenario, solver=solver), best_plan(judge, scenario, solver)
    return {
        "deployment_bound": {
            "closed_form_cents": scenario_bound(scenario),
            "program": {**program.run.record(), "seconds": f"{program.run.seconds:.3f}", "cents": program.cents,
                        "orders": program.orders},
        },
        "best_plan": {
            "status": plan.status, "cents": plan.cents, "conflict": plan.conflict,
            "orders": [{"instrument": order.instrument, "amount_cents": exact_json(order.amount)}
                       for order in plan.orders],
        },
        "fees": [
            {"side": one.side, "paid": exact_json(one.paid), "consolidated": exact_json(one.consolidated)}
            for one in (() if action is None else fee_oracle(scenario, action))
        ],
    }
