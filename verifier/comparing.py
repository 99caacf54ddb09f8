"""Runs side by side: the scores of every advisor, over the scenarios that all of them were asked.

What a run says of itself is not believed: its answers are judged again by its contract and its parser. Runs
of another bank, contract, clause source or parser are refused, for their numbers do not compare.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from predicates.registry import Predicate
from scenarios.errors import ScenarioError
from verifier.bank import bind_all, judge_answers, resizer, yardsticks
from verifier.opening import open_run
from verifier.scores import RunView, Scores, common_scenarios, restrict, score


class Compared(NamedTuple):
    """Scores over the common scenarios, and how many each advisor was asked in all."""

    bank: str
    contract: str
    common: tuple[str, ...]
    asked: dict[str, int]
    scores: tuple[Scores, ...]


def compare(paths: Sequence[Path], extra: Mapping[str, Predicate] | None = None) -> Compared:
    """Return the comparison of the advisors of one or more sealed runs.

    Args:
        paths: folders of the runs, at least one.
        extra: clauses from files, by code, that the runs' contract names and that do not ship.

    Raises:
        SealError, ReplayError: a run cannot be read or does not match its seal.
        ScenarioError: two runs differ in bank, contract, clause sources or parser; an advisor stands in two
            runs; or no scenario is common to all.
    """
    runs = [open_run(path, extra) for path in paths]
    first = runs[0]
    bounds = bind_all(first.judge, first.bank)
    views: dict[str, list[RunView]] = {}
    for run in runs:
        for member in ("bank", "contract", "sources", "parser"):
            if getattr(run.manifest, member) != getattr(first.manifest, member):
                what = f"differs from {first.path} in {member}"
                raise ScenarioError(str(run.path), what, "judge the answers alike, then compare")
        for answers in run.advisors:
            if answers.id in views:
                what = f"advisor {answers.id} stands in an earlier run too"
                raise ScenarioError(str(run.path), what, "name each advisor once")
            judged = judge_answers(bounds, answers, run.manifest.parser)
            views[answers.id] = [RunView.of(one.verdict) for one in judged]
    common = tuple(common_scenarios(views.values()))
    if not common:
        what = "no scenario was asked of every advisor"
        raise ScenarioError("audit compare", what, "collect answers to common scenarios")
    resized, measures = resizer(bounds), yardsticks(first.bank)
    return Compared(
        first.bank.id,
        first.judge.contract.id,
        common,
        {name: len({run.scenario for run in seen}) for name, seen in views.items()},
        tuple(score(name, restrict(seen, common), measures, resized) for name, seen in views.items()),
    )

