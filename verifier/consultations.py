"""The consultations of a sealed rollout, each rebuilt as the scenario that was judged, with what was answered.

An episode states the facts of its day; the scenario is made of them again and must have the digest that is recorded,
as each answer must have the digest of its stored line. What is yielded is therefore what the verdict is about.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from replay.environments.fund_advice.facts import scenario_of
from scenarios.canonical import digest, sha256
from scenarios.errors import ReplayError, SealError
from scenarios.files import read_answer
from scenarios.freeze import answer_files, bank_files
from scenarios.load import Bank, StoredAnswer
from scenarios.manifest import AnswersManifest, BankManifest, Plan, Sealed
from scenarios.sealed import seal_files
from scenarios.types import Scenario
from verifier.impact.reading import Rollout

_REMEDY = "find out what happened with `audit replay`"


class Consultation(NamedTuple):
    """One consultation. record: its line in episodes.jsonl. line: that of its verdict, as stored."""

    advisor: str
    run: int
    record: dict[str, Any]
    scenario: Scenario
    answers: tuple[StoredAnswer, ...]
    line: bytes

    @property
    def session(self) -> int:
        """The session of the trace in which it took place."""
        return int(self.record["session"])


def consultations(rollout: Rollout, advisor: str, run: int) -> Iterator[Consultation]:
    """Yield the consultations of one task, in order of the log.

    Raises:
        SealError: a scenario or an answer is not the recorded one; the line is named.
        ReplayError: a file is missing, or a line does not fit its form.
    """
    task = f"tasks/{advisor}/{run}"
    where = str(rollout.path / task / "episodes.jsonl")
    episodes, answers, verdicts = (
        rollout.folder.read(f"{task}/{name}.jsonl").splitlines() for name in ("episodes", "answers", "verdicts")
    )
    if len(episodes) != len(verdicts):
        raise ReplayError(where, f"has {len(episodes)} lines, verdicts.jsonl {len(verdicts)}", _REMEDY)
    stored = iter(answers)
    for number, (episode, verdict) in enumerate(zip(episodes, verdicts, strict=True), 1):
        place = f"{where} line {number}"
        try:
            record = orjson.loads(episode)
            scenario = _scenario(record, rollout)
            said = tuple(_answer(turn["answer"], next(stored, b""), place) for turn in record["turns"])
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise ReplayError(place, f"does not fit its form ({error!r})", _REMEDY) from error
        found = digest(scenario.record())
        if found != record["digest"]:
            what = f"scenario {scenario.id} made of it has sha256 {found}, the record says {record['digest']}"
            raise SealError(place, what, _REMEDY, "environment steps", stored=record["digest"], found=found)
        yield Consultation(advisor, run, record, scenario, said, verdict)


def _scenario(record: dict[str, Any], rollout: Rollout) -> Scenario:
    dialogue = [("client", turn["client"], True) for turn in record["turns"]]
    if "closing" in record:
        dialogue.append(("client", record["closing"], False))
    return scenario_of(record["scenario"], record["facts"], record["units"], dialogue, rollout.trace)


def _answer(recorded: str, line: bytes, place: str) -> StoredAnswer:
    found = sha256(line)
    if found != recorded:
        raise SealError(place, f"names the answer {recorded}, answers.jsonl has {found} in its place", _REMEDY,
                        "answers", stored=recorded, found=found)
    return StoredAnswer(read_answer(line, place), line)


class FrozenSteps(NamedTuple):
    """A sealed bank of consultations, and the sealed answers of each advisor to its own ones. files: by path."""

    bank: tuple[Sealed, dict[str, bytes]]
    answers: dict[str, tuple[Sealed, dict[str, bytes]]]


def freeze_steps(rollout: Rollout, name: str, advisors: tuple[str, ...], every: int = 1) -> FrozenSteps:
    """Return every n-th consultation of each task as a bank of scenarios, and what was answered as sealed answers.

    A scenario is asked in one run of the rollout alone, which its id names, so that in the bank it is run 1.

    Args:
        rollout: opened.
        name: the id of the bank.
        advisors: whose consultations; each must be one of the rollout's.
        every: 1 for all, 2 for the first, the third and so on of each task.

    Raises:
        SealError, ReplayError: a record differs from its seal, or from what its facts give.
        ScenarioError: there is no consultation to freeze.
    """
    taken: dict[str, list[Consultation]] = {advisor: [] for advisor in advisors}
    for task in rollout.manifest.tasks:
        if task.advisor in taken:
            taken[task.advisor] += list(consultations(rollout, task.advisor, task.run))[::every]
    scenarios = {one.scenario.id: one.scenario for found in taken.values() for one in found}
    if not scenarios:
        raise ReplayError(str(rollout.path), f"holds no consultation of {', '.join(advisors)}",
                          "name another advisor with --advisor")
    files = bank_files(dict(sorted(scenarios.items())))
    manifest = _sealed(BankManifest(id=name, files=seal_files(files)))
    bank = Bank(name, str(manifest.digest), scenarios, files)
    answers = {advisor: _answers(rollout, advisor, bank, found) for advisor, found in taken.items() if found}
    return FrozenSteps((manifest, files), answers)


def _answers(rollout: Rollout, advisor: str, bank: Bank, found: list[Consultation]) -> tuple[Sealed, dict[str, bytes]]:
    about: dict[str, object] = {
        "format": "advisor/1", "id": advisor, "name": advisor, "kind": "rollout",
        "description": f"Answers in rollout {rollout.id}, sha256 {rollout.digest}",
    }
    said = [stored.answer.model_copy(update={"run": 1}) for one in found for stored in one.answers]
    files = answer_files(about, said)
    plan = Plan(scenarios=tuple(sorted(one.scenario.id for one in found)), runs=1)
    manifest = AnswersManifest(id=advisor, bank=bank.reference, plan=plan, files=seal_files(files))
    return _sealed(manifest), files


def _sealed(manifest: Sealed) -> Sealed:
    return manifest.model_copy(update={"digest": manifest.compute_digest()})


def folder_of_answers(bank: Path, advisor: str) -> Path:
    """Return where an advisor's answers lie beside a bank: BANK-answers/ADVISOR."""
    return bank.parent / f"{bank.name}-answers" / advisor
