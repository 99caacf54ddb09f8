"""A sealed run opened for reading: its seal checked, its inputs loaded, nothing of its results believed."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from predicates.registry import Predicate
from scenarios.errors import ReplayError
from scenarios.load import Answers, Bank, load_answers, load_bank
from scenarios.manifest import RunManifest
from scenarios.sealed import SealedFolder, load_contract
from verifier.contract import Judge


class OpenRun(NamedTuple):
    """A run's inputs, ready to be judged again."""

    path: Path
    manifest: RunManifest
    bank: Bank
    judge: Judge
    advisors: tuple[Answers, ...]


def open_run(path: Path, extra: Mapping[str, Predicate] | None = None) -> OpenRun:
    """Return a run with its bank, contract and answers.

    Args:
        path: the run's folder or manifest.
        extra: clauses from files, by code, that its contract names and that do not ship.

    Raises:
        SealError, ReplayError: it is no run, cannot be read, does not match its seal, or holds other inputs than
            its manifest names.
        ScenarioError: its contract cannot be used.
    """
    folder = SealedFolder(path)
    manifest = folder.manifest
    if not isinstance(manifest, RunManifest):
        raise ReplayError(str(path), "is no run", "name the folder of a run that `audit bank` wrote")
    folder.contents()
    inputs = folder.folder / "inputs"
    bank, judge = load_bank(inputs / "bank"), Judge(load_contract(inputs / "contract.json"), extra)
    if (bank.reference, judge.digest, judge.source_digests()) != (
        manifest.bank, manifest.contract.digest, manifest.sources
    ):
        what = "names another bank, contract or clause source than it holds or than is installed"
        raise ReplayError(str(path), what, "find out which with `audit replay`")
    advisors = []
    for said in manifest.advisors:
        answers = load_answers(folder.folder / "frozen_outputs" / said.id, bank)
        if answers.digest != said.digest:
            what = f"holds answers of {said.id} other than its manifest names"
            raise ReplayError(str(path), what, "find out which with `audit replay`")
        advisors.append(answers)
    return OpenRun(path, manifest, bank, judge, tuple(advisors))


def load_asked(path: Path) -> tuple[Bank, tuple[Answers, ...]]:
    """Return the bank of a sealed run and its answers, without the contract: a model judge needs no clause.

    Raises:
        SealError, ReplayError: it is no run, or cannot be read.
    """
    folder = SealedFolder(path, RunManifest)
    folder.contents()
    bank = load_bank(folder.folder / "inputs" / "bank")
    manifest = folder.manifest
    assert isinstance(manifest, RunManifest)  # noqa: S101
    return bank, tuple(load_answers(folder.folder / "frozen_outputs" / said.id, bank) for said in manifest.advisors)
