"""Runs side by side: the scores of every advisor, over the scenarios that all of them were asked.

Read from finished runs: states and clauses from the stored verdicts, orders from the stored answers by
the parser that the run names. Runs of another bank or contract are refused, for their numbers do not
compare.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from scenarios.errors import ScenarioError
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


def compare(paths: Sequence[Path]) -> Compared:
    """Return the comparison of the advisors of one or more sealed runs.

    Raises:
        SealError, ReplayError: a run cannot be read or does not match its seal.
        ScenarioError: two runs differ in bank, contract, clause sources or parser; an advisor stands in two
            runs; or no scenario is common to all.
    """
    views: dict[str, list[RunView]] = {}
    first: RunManifest | None = None
    bank: Bank | None = None
    for path in paths:
        folder = SealedFolder(path, RunManifest)
        folder.check()
        manifest = folder.manifest
        assert isinstance(manifest, RunManifest)
        if first is None or bank is None:
            first, bank, root = manifest, load_bank(folder.folder / "inputs" / "bank"), folder.folder
        for member in ("bank", "contract", "sources", "parser"):
            if getattr(manifest, member) != getattr(first, member):
                raise ScenarioError(str(path), f"differs from {paths[0]} in {member}", "judge the answers alike, then compare")
        for name, runs in _views(folder, manifest, bank).items():
            if name in views:
                raise ScenarioError(str(path), f"advisor {name} stands in an earlier run too", "name each advisor once")
            views[name] = runs
    if first is None or bank is None:
        raise ScenarioError("audit compare", "no run was named", "name at least one run folder")
    common = tuple(common_scenarios(views.values()))
    if not common:
        raise ScenarioError("audit compare", "no scenario was asked of every advisor", "collect answers to common scenarios")
    judge = Judge(load_contract(root / "inputs" / "contract.json"))
    resized = resizer(bind_all(judge, bank))
    measures = yardsticks(bank)
    return Compared(
        bank.id, judge.contract.id, common,
        {name: len({run.scenario for run in runs}) for name, runs in views.items()},
        tuple(score(name, restrict(runs, common), measures, resized) for name, runs in views.items()),
    )


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
