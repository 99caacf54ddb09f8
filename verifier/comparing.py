"""Runs side by side: the scores of every advisor, over the scenarios that all of them were asked.

Read from finished runs: states and clauses from the stored verdicts, orders from the stored answers by
the parser that the run names. Runs of another bank or contract are refused, for their numbers do not
compare.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from predicates.registry import Predicate
from scenarios.errors import ReplayError, ScenarioError
from scenarios.files import read_lines, read_record
from scenarios.load import Bank, load_answers, load_bank
from scenarios.manifest import RunManifest
from scenarios.parsing import parse_answer
from scenarios.sealed import SealedFolder, load_contract
from verifier.bank import bind_all, resizer, yardsticks
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
    views: dict[str, list[RunView]] = {}
    for path, run in zip(paths, runs, strict=True):
        for member in ("bank", "contract", "sources", "parser"):
            if getattr(run.manifest, member) != getattr(first.manifest, member):
                what = f"differs from {paths[0]} in {member}"
                raise ScenarioError(str(path), what, "judge the answers alike, then compare")
        for name, seen in _views(run.folder, run.manifest, bank).items():
            if name in views:
                raise ScenarioError(str(path), f"advisor {name} stands in an earlier run too", "name each advisor once")
            views[name] = seen
    common = tuple(common_scenarios(views.values()))
    if not common:
        what = "no scenario was asked of every advisor"
        raise ScenarioError("audit compare", what, "collect answers to common scenarios")
    resized, measures = resizer(bind_all(judge, bank)), yardsticks(bank)
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


def _views(folder: SealedFolder, manifest: RunManifest, bank: Bank) -> dict[str, list[RunView]]:
    answers = {one.id: load_answers(folder.folder / "frozen_outputs" / one.id, bank) for one in manifest.advisors}
    views: dict[str, list[RunView]] = {name: [] for name in answers}
    for number, line in read_lines(folder.read("verdicts.jsonl"), "verdicts.jsonl"):
        record = read_record(line, f"{folder.folder}/verdicts.jsonl line {number}")
        stored = answers[record["advisor"]].by_run.get((record["scenario"], record["run"]))
        action = None
        if stored is not None and "action" in record["digests"]:
            answer = stored.answer
            action = parse_answer(
                bank.scenarios[answer.scenario], answer.text, truncated=answer.truncated,
                finish_reason=answer.finish_reason, parser=manifest.parser,
            ).action
        views[record["advisor"]].append(RunView.stored(record, action))
    return views
