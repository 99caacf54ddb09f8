"""Which verdicts a new contract flips: the same frozen answers under two contracts, with both reasons."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from scenarios.load import Answers, Bank
from verifier.bank import bind_all, judge_answers
from verifier.contract import Judge
from verifier.verdict import Verdict


class Flip(NamedTuple):
    """One run whose state differs. before, after: its state and why it is so, under each contract."""

    advisor: str
    scenario: str
    run: int
    before: tuple[str, tuple[str, ...]]
    after: tuple[str, tuple[str, ...]]

    def record(self) -> dict[str, Any]:
        """Return the flip for reading by a machine."""
        sides = {name: {"state": state, "reasons": reasons}
                 for name, (state, reasons) in (("before", self.before), ("after", self.after))}
        return {"advisor": self.advisor, "scenario": self.scenario, "run": self.run, **sides}


class Diff(NamedTuple):
    """What changes between two contracts.

    flips: the runs with another state. only_clauses: how many runs keep their state while the state of a clause
    that both contracts have changes. codes: the clauses that only one of them has, removed and added.
    """

    runs: int
    flips: tuple[Flip, ...]
    only_clauses: int
    removed: tuple[str, ...]
    added: tuple[str, ...]


def diff(before: Judge, after: Judge, bank: Bank, advisors: Sequence[Answers], parser: str) -> Diff:
    """Return which verdicts differ between two contracts on the same frozen answers."""
    old, new = bind_all(before, bank), bind_all(after, bank)
    common = before.predicates.keys() & after.predicates.keys()
    flips, runs, only_clauses = [], 0, 0
    for answers in advisors:
        for left, right in zip(
            judge_answers(old, answers, parser), judge_answers(new, answers, parser), strict=True
        ):
            runs += 1
            one, other = left.verdict, right.verdict
            if one.state != other.state:
                flips.append(Flip(answers.id, one.scenario, one.run, _side(before, one), _side(after, other)))
            elif any(one.clauses.get(code) != other.clauses.get(code) for code in common):
                only_clauses += 1
    return Diff(runs, tuple(flips), only_clauses, *(
        tuple(sorted(left.predicates.keys() - right.predicates.keys()))
        for left, right in ((before, after), (after, before))
    ))


def _side(judge: Judge, verdict: Verdict) -> tuple[str, tuple[str, ...]]:
    """Return the state and one reason for each finding that makes it so."""
    if verdict.fault is not None:
        return verdict.state, (f"{verdict.fault.where}: {verdict.fault.what}",)
    failed = {code for code, state in verdict.clauses.items() if state in ("FAIL", "ERROR")}
    return verdict.state, tuple(
        f"{finding.code} at {finding.where or '/'}: {judge.sentence(finding)}"
        for finding in verdict.findings if finding.code in failed and finding.kind != "note"
    )
