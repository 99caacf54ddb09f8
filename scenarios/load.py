"""Load what was frozen: banks and answers, each checked against its seal as it is read."""

from collections.abc import Iterable
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from scenarios.baseline.reference import reference
from scenarios.canonical import canonical_bytes
from scenarios.errors import ReplayError, ScenarioError, SealError
from scenarios.files import build, parse_document, read_answer, read_file, read_lines
from scenarios.json_exact import read_json
from scenarios.manifest import AnswersManifest, BankManifest, Plan, Reference
from scenarios.sealed import SealedFolder, join_lines
from scenarios.types import Answer, Scenario

SHIPPED = Path(__file__).parent.parent / "manifests"
"""The folder of the frozen data that ships with the project."""


class Bank(NamedTuple):
    """Frozen scenarios by id, in order of id."""

    id: str
    digest: str
    scenarios: dict[str, Scenario]
    files: dict[str, bytes]

    @property
    def reference(self) -> Reference:
        """The bank named by id and digest."""
        return Reference(id=self.id, digest=self.digest)


class StoredAnswer(NamedTuple):
    """An answer with the record line that its digest is taken of."""

    answer: Answer
    line: bytes


class Answers(NamedTuple):
    """The frozen answers of one advisor, with the plan that they are scored over.

    by_run: by scenario and run, the one answer, or in an episode one for each turn, in order of turn.
    """

    id: str
    digest: str
    bank: Reference
    plan: Plan
    by_run: dict[tuple[str, int], tuple[StoredAnswer, ...]]
    files: dict[str, bytes]


def load_scenario(path: Path) -> Scenario:
    """Return one scenario from a JSON file, sealed or written by hand.

    Raises:
        ScenarioError, ReplayError: it is unreadable, or does not fit the form; the message names the place.
    """
    return build(Scenario, read_json(read_file(path, 16 << 20), str(path)), str(path))


def load_bank(path: Path) -> Bank:
    """Return a bank, every file checked, every reference recomputed.

    Raises:
        SealError: a file differs from its seal, a stored reference from what the baseline funds.
        ReplayError: a file is missing or unreadable, or is not named after its scenario's id, by which ids are unique.
    """
    folder = SealedFolder(path, BankManifest)
    contents = folder.contents()
    scenarios: dict[str, Scenario] = {}
    for name, raw in contents.items():
        where = str(folder.folder / name)
        if name == "references.jsonl":
            continue
        record = parse_document(raw, where)
        scenario = build(Scenario, record, where)
        if scenario.record() != record:
            remedy = "seal the bank with `audit freeze`, which writes every member"
            raise SealError(where, "is not in its full form (a member is null, or left out)", remedy)
        if name != f"scenarios/{scenario.id}.json":
            raise ReplayError(where, f"holds scenario {scenario.id!r}", f"name the file scenarios/{scenario.id}.json")
        scenarios[scenario.id] = scenario
    if not scenarios:
        raise ReplayError(str(folder.path), "lists no scenario", "an empty bank proves nothing; add scenarios")
    _check_references(contents, scenarios, str(folder.folder / "references.jsonl"))
    scenarios = dict(sorted(scenarios.items()))
    return Bank(
        folder.manifest.id,
        str(folder.manifest.digest),
        scenarios,
        {**contents, "manifest.json": read_file(folder.path)},
    )


def reference_lines(scenarios: Iterable[Scenario]) -> bytes:
    """Return references.jsonl: what the baseline funds in each scenario, in order of id."""
    return join_lines(
        canonical_bytes(reference(scenario)) for scenario in sorted(scenarios, key=lambda one: one.id)
    )


def _check_references(contents: dict[str, bytes], scenarios: dict[str, Scenario], where: str) -> None:
    if "references.jsonl" not in contents:
        raise ReplayError(where, "is not part of the bank", "seal the bank with `audit freeze`, which computes it")
    stored, fresh = contents["references.jsonl"], reference_lines(scenarios.values())
    if stored == fresh:
        return
    for number, (old, new) in enumerate(zip_longest(stored.split(b"\n"), fresh.split(b"\n")), 1):
        if old != new:
            sides = [b"nothing" if side is None else side[:300] for side in (old, new)]
            said, found = (side.decode(errors="replace") for side in sides)
            what, remedy = f"says {said}, recomputed is {found}", "seal the bank under a new id"
            raise SealError(f"{where} line {number}", what, remedy, "inputs", stored=said, found=found)


def load_answers(path: Path, bank: Bank | None = None) -> Answers:
    """Return an advisor's frozen answers, every line checked against form and plan.

    Raises:
        SealError: a file differs from its seal.
        ReplayError: a line is unreadable, an answer lies outside the plan or stands twice for one run, or
            the answers belong to another bank.
    """
    folder = SealedFolder(path, AnswersManifest)
    contents = folder.contents()
    manifest = folder.manifest
    assert isinstance(manifest, AnswersManifest)
    where = str(folder.folder / "answers.jsonl")
    if bank is not None and manifest.bank != bank.reference:
        raise ReplayError(
            str(folder.path),
            f"answers bank {manifest.bank.id} {manifest.bank.digest[:12]}, the bank given is "
            f"{bank.id} {bank.digest[:12]}",
            "give the bank that was answered with --bank",
        )
    unknown = sorted(set(manifest.plan.scenarios) - set(bank.scenarios)) if bank is not None else []
    if unknown:
        raise ReplayError(
            f"{folder.path}#/plan/scenarios",
            f"plans {unknown[0]!r}, which is not in bank {manifest.bank.id}",
            "plan scenarios of the bank",
        )
    if set(contents) != {"advisor.json", "answers.jsonl"}:
        raise ReplayError(str(folder.path), "lists other files than advisor.json and answers.jsonl", "keep these two")
    parse_document(contents["advisor.json"], str(folder.folder / "advisor.json"))
    return Answers(manifest.id, str(manifest.digest), manifest.bank, manifest.plan,
                   read_answer_lines(contents["answers.jsonl"], where, manifest.plan, bank),
                   {**contents, "manifest.json": read_file(folder.path)})


def read_answer_lines(
    raw: bytes, where: str, plan: Plan | None = None, bank: Bank | None = None
) -> dict[tuple[str, int], tuple[StoredAnswer, ...]]:
    """Return the answers in a file of canonical lines, by scenario and run.

    Raises:
        ReplayError: a line is unreadable, outside the plan, the second answer for one run, or for a turn that
            asks for none.
    """
    planned = None if plan is None else frozenset(plan.scenarios)
    found: dict[tuple[str, int], dict[int | None, StoredAnswer]] = {}
    for number, line in read_lines(raw, where):
        place = f"{where} line {number}"
        answer = read_answer(line, place)
        turn = "" if answer.turn is None else f" turn {answer.turn}"
        if planned is not None and plan is not None and (answer.scenario not in planned or answer.run > plan.runs):
            raise ReplayError(place, f"answers {answer.scenario} run {answer.run}, which is not planned",
                              "remove the line, or plan the run")
        if bank is not None and answer.turn not in (bank.scenarios[answer.scenario].reply_turns or (None,)):
            raise ReplayError(place, f"answers{turn or ' no turn'} of {answer.scenario}, which asks for none there",
                              "say in `turn` which of the dialogue's turns with `reply` it answers")
        turns = found.setdefault((answer.scenario, answer.run), {})
        if answer.turn in turns:
            raise ReplayError(place, f"is the second answer for {answer.scenario} run {answer.run}{turn}",
                              "keep the first answer that was given")
        turns[answer.turn] = StoredAnswer(answer, line)
    return {key: tuple(turns[turn] for turn in sorted(turns, key=lambda turn: turn or 0))
            for key, turns in found.items()}


def shipped_contract() -> Path:
    """Return the path of the contract that ships."""
    return SHIPPED / "contracts" / "base-1.json"


def resolve(path: Path, kind: str) -> Path:
    """Return a path as given, or the shipped document of that name where no such path exists.

    Args:
        path: a path, or the name of a shipped bank, contract or answers folder.
        kind: "", "contracts" or "answers/bank-1": the folder below the shipped data.
    """
    if path.exists() or path.is_symlink():
        return path
    shipped = SHIPPED / kind / path
    for candidate in (shipped, shipped.with_name(shipped.name + ".json")):
        if candidate.exists():
            return candidate
    raise ScenarioError(str(path), "no such file or folder", "check the path, or name a shipped document")
