"""Runs side by side: the scores of every advisor, over the scenarios that all of them were asked.

What a run says of itself is not believed: its answers are judged again by its contract and its parser. Runs
of another bank, contract, clause source or parser are refused, for their numbers do not compare.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from predicates.registry import Predicate
from scenarios.errors import ReplayError, ScenarioError
from scenarios.load import load_answers, load_bank
from scenarios.manifest import RunManifest
from scenarios.sealed import SealedFolder, load_contract
from verifier.bank import bind_all, judge_answers, resizer, yardsticks
from verifier.contract import Judge
from verifier.scores import RunView, Scores, common_scenarios, restrict, score


class Compared(NamedTuple):
    """Scores over the common scenarios, and how many each advisor was asked in all."""

    bank: str
    contract: str
    common: tuple[str, ...]
    asked: dict[str, int]
    scores: tuple[Scores, ...]


class _Run(NamedTuple):
    """One sealed run, checked against its seal."""

    folder: SealedFolder
    manifest: RunManifest


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
    runs = [_open(path) for path in paths]
    first = runs[0]
    inputs = first.folder.folder / "inputs"
    bank, judge = load_bank(inputs / "bank"), Judge(load_contract(inputs / "contract.json"), extra)
    if (bank.reference, judge.digest, judge.source_digests()) != (
        first.manifest.bank, first.manifest.contract.digest, first.manifest.sources
    ):
        what = "names another bank, contract or clause source than it holds or than is installed"
        raise ReplayError(str(paths[0]), what, "find out which with `audit replay`")
    bounds = bind_all(judge, bank)
    views: dict[str, list[RunView]] = {}
    for path, run in zip(paths, runs, strict=True):
        for member in ("bank", "contract", "sources", "parser"):
            if getattr(run.manifest, member) != getattr(first.manifest, member):
                what = f"differs from {paths[0]} in {member}"
                raise ScenarioError(str(path), what, "judge the answers alike, then compare")
        for said in run.manifest.advisors:
            if said.id in views:
                what = f"advisor {said.id} stands in an earlier run too"
                raise ScenarioError(str(path), what, "name each advisor once")
            answers = load_answers(run.folder.folder / "frozen_outputs" / said.id, bank)
            if answers.digest != said.digest:
                what = f"holds answers of {said.id} other than its manifest names"
                raise ReplayError(str(path), what, "find out which with `audit replay`")
            judged = judge_answers(bounds, answers, run.manifest.parser)
            views[said.id] = [RunView.of(one.verdict) for one in judged]
    common = tuple(common_scenarios(views.values()))
    if not common:
        what = "no scenario was asked of every advisor"
        raise ScenarioError("audit compare", what, "collect answers to common scenarios")
    resized, measures = resizer(bounds), yardsticks(bank)
    return Compared(
        bank.id,
        judge.contract.id,
        common,
        {name: len({run.scenario for run in seen}) for name, seen in views.items()},
        tuple(score(name, restrict(seen, common), measures, resized) for name, seen in views.items()),
    )


def _open(path: Path) -> _Run:
    folder = SealedFolder(path)
    if not isinstance(folder.manifest, RunManifest):
        raise ReplayError(str(path), "is no run", "name the folder of a run that `audit bank` wrote")
    folder.contents()
    return _Run(folder, folder.manifest)
