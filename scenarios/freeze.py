"""Freeze: write what a folder holds in canonical form and seal it.

A seal under one id is a promise: content that changed needs a new id. Files that were written by hand
are rewritten to canonical bytes, and the caller is told which.
"""

from collections.abc import Callable, Mapping, Set
from pathlib import Path
from typing import NamedTuple

from scenarios.canonical import canonical_bytes
from scenarios.contracts import POINTS
from scenarios.errors import ReplayError, ScenarioError
from scenarios.files import build, build_answer, list_folder, read_file, read_lines, write_file
from scenarios.json_exact import read_json
from scenarios.lexicon import Lexicon
from scenarios.load import SHIPPED, Bank, read_answer_lines, reference_lines
from scenarios.manifest import MANIFEST_NAME, AnswersManifest, BankManifest, Contract, Plan, Sealed
from scenarios.scorecard import Scorecard
from scenarios.sealed import load_manifest, seal_records
from scenarios.types import Answer, Scenario


class Frozen(NamedTuple):
    """What was sealed, and which files were rewritten to canonical form."""

    manifest: Sealed
    rewritten: tuple[str, ...]


def freeze_contract(path: Path, check: Callable[[Contract], None]) -> Frozen:
    """Seal a contract file in place.

    Args:
        path: the file.
        check: raises for a contract that cannot be used; nothing is written then.

    Raises:
        ScenarioError, ReplayError: the file is unreadable or no contract.
    """
    before = read_file(path)
    record = _object(before, str(path))
    if record.get("format") == "lexicon/1":
        raise ScenarioError(str(path), "is a lexicon, which a contract carries", "add it to one with --into")
    sealed = record.pop("digest", None)
    contract = build(Contract, record, str(path))
    if sealed is not None and sealed != contract.compute_digest():
        what = "carries the digest of other content, under which it was sealed"
        raise ScenarioError(f"{path}#/digest", what, "give it a new id or version, and take the member digest out")
    _own_id(contract, f"{path}#/id")
    check(contract)
    after = contract.sealed_bytes()
    if after != before:
        write_file(path, after)
    return Frozen(
        contract.model_copy(update={"digest": contract.compute_digest()}), (path.name,) if after != before else ()
    )


def extend_contract(base: Contract, path: Path, name: str) -> Contract:
    """Return a contract with one more lexicon, under an id of its own.

    Args:
        base: the contract that is extended; its clauses stay as they are.
        path: the lexicon, a file in the form of docs/schema/lexicon.json.
        name: the id of the new contract.

    Raises:
        ScenarioError, ReplayError: the file is unreadable or no lexicon, an entry or the id is taken, or a role is
            one that no clause of the contract reads.
    """
    lexicon = build(Lexicon, _object(read_file(path), str(path)), str(path))
    known = base.lexicons or ()
    roles = {entry.role for one in known for entry in one.entries} | {clause.code for clause in base.clauses}
    for index, entry in enumerate(lexicon.entries):
        if entry.role not in roles and not entry.role.startswith(("set.", "except.")):
            near = sorted(role for role in roles if role.partition(".")[0] == entry.role.partition(".")[0])
            raise ScenarioError(f"{path}#/entries/{index}/role", f"no clause of {base.id} reads {entry.role!r}",
                                f"name one of {', '.join(near)}" if near else "see docs/lexicons.md for the roles")
    record = {**base.record(), "id": name, "lexicons": [one.record() for one in (*known, lexicon)]}
    record.pop("digest", None)
    contract = build(Contract, record, str(path))
    _own_id(contract, "--id")
    return contract


def replace_scorecards(base: Contract, cards: tuple[Scorecard, ...], name: str) -> Contract:
    """Return a contract with these scorecards and no others, under an id of its own.

    A clause that had none takes the shipped numbers `POINTS`; another keeps its own.

    Raises:
        ScenarioError: the id is that of a shipped contract.
    """
    had = {card.code for card in base.scorecards or ()}
    new = {card.code for card in cards} - had
    clauses = [{**clause.record(),
                "parameters": {**clause.parameters, **(POINTS[clause.code] if clause.code in new else {})}}
               for clause in base.clauses]
    record = {**base.record(), "id": name, "clauses": clauses, "scorecards": [card.record() for card in cards]}
    record.pop("digest", None)
    contract = build(Contract, record, "--id")
    _own_id(contract, "--id")
    return contract


def _own_id(contract: Contract, where: str) -> None:
    """Refuse the id of a contract that ships for other content."""
    shipped = SHIPPED / "contracts" / f"{contract.id}.json"
    if shipped.is_file() and load_manifest(shipped).digest != contract.compute_digest():
        what = f"{contract.id!r} is a contract that ships, with other content"
        raise ScenarioError(where, what, "give yours an id of its own")


def freeze_bank(folder: Path, name: str | None = None) -> Frozen:
    """Seal scenarios/*.json below a folder as a bank, with the baseline's references computed.

    Args:
        folder: holds `scenarios/` with one file for each scenario.
        name: the bank's id; default: the folder's name.

    Raises:
        ScenarioError, ReplayError: nothing to seal, a file does not fit or is not named after its id, or
            the content changed under an id that was sealed before.
    """
    scenarios: dict[str, Scenario] = {}
    before: dict[str, bytes] = {}
    for path in _plain_files(folder):
        if path in (MANIFEST_NAME, "references.jsonl"):
            continue
        if not path.startswith("scenarios/") or not path.endswith(".json"):
            raise ScenarioError(
                str(folder / path), "has no place in a bank", "keep scenarios/*.json alone in the folder"
            )
        before[path] = read_file(folder / path)
        scenario = build(Scenario, _object(before[path], str(folder / path)), str(folder / path))
        if path != f"scenarios/{scenario.id}.json":
            raise ScenarioError(
                str(folder / path), f"holds scenario {scenario.id!r}", f"name it scenarios/{scenario.id}.json"
            )
        scenarios[scenario.id] = scenario
    if not scenarios:
        raise ScenarioError(str(folder), "holds no scenarios/*.json", "an empty bank proves nothing; add scenarios")
    files = bank_files(scenarios)
    manifest = build(BankManifest, {"id": _name_of(folder, name), "files": seal_records(files)}, str(folder))
    return _write(folder, manifest, files, before)


def bank_files(scenarios: Mapping[str, Scenario]) -> dict[str, bytes]:
    """Return the files of a bank but its manifest: canonical scenarios and the baseline's references."""
    files = {f"scenarios/{name}.json": canonical_bytes(one.record()) + b"\n" for name, one in scenarios.items()}
    files["references.jsonl"] = reference_lines(scenarios.values())
    return files


def freeze_answers(folder: Path, bank: Bank, name: str | None = None, runs: int | None = None) -> Frozen:
    """Seal advisor.json and answers.jsonl as the answers of one advisor to a bank.

    Args:
        folder: holds the two files.
        bank: the bank that was answered; every scenario that has an answer is planned.
        name: the advisor's id; default: the folder's name.
        runs: planned runs for each scenario; default: the largest run that was answered.

    Raises:
        ScenarioError, ReplayError: a file is missing, a line does not fit, an answer names a scenario that
            is not in the bank or a run that is not planned, or the content changed under a sealed id.
    """
    for path in _plain_files(folder):
        if path not in (MANIFEST_NAME, "advisor.json", "answers.jsonl"):
            raise ScenarioError(
                str(folder / path), "has no place among answers", "keep advisor.json and answers.jsonl alone"
            )
    where = str(folder / "answers.jsonl")
    before = {name: read_file(folder / name) for name in ("advisor.json", "answers.jsonl")}
    answers = [
        build_answer(_object(line, f"{where} line {number}", {"text"}), f"{where} line {number}")
        for number, line in read_lines(before["answers.jsonl"], where)
    ]
    if not answers:
        raise ScenarioError(where, "holds no answer", "collect answers first; an empty set proves nothing")
    for answer in answers:
        if answer.scenario not in bank.scenarios:
            raise ScenarioError(
                where, f"answers {answer.scenario!r}, which is not in bank {bank.id}", "give the bank answered"
            )
    scenarios = sorted({answer.scenario for answer in answers})
    planned = {"scenarios": scenarios, "runs": max(answer.run for answer in answers) if runs is None else runs}
    plan = build(Plan, planned, f"{folder}#/plan")
    files = answer_files(_object(before["advisor.json"], str(folder / "advisor.json")), answers)
    read_answer_lines(files["answers.jsonl"], where, plan, bank)
    sealed = {
        "id": _name_of(folder, name), "bank": bank.reference.record(), "plan": planned, "files": seal_records(files)
    }
    manifest = build(AnswersManifest, sealed, str(folder))
    return _write(folder, manifest, files, before)


def answer_files(advisor: dict[str, object], answers: list[Answer]) -> dict[str, bytes]:
    """Return the files of an answers folder but its manifest, answers in order of scenario, run and turn."""
    lines = sorted(answers, key=lambda answer: (answer.scenario, answer.run, answer.turn or 0))
    return {
        "advisor.json": canonical_bytes(advisor) + b"\n",
        "answers.jsonl": b"".join(canonical_bytes(answer.record()) + b"\n" for answer in lines),
    }


def _write(folder: Path, manifest: Sealed, files: Mapping[str, bytes], before: Mapping[str, bytes]) -> Frozen:
    sealed = manifest.model_copy(update={"digest": manifest.compute_digest()})
    target = folder / MANIFEST_NAME
    if target.exists():
        old = load_manifest(target)
        if old.id == sealed.id and old.digest != sealed.digest:
            raise ScenarioError(
                str(folder), f"is sealed as {old.id} {str(old.digest)[:12]} and its content changed",
                "publish it under a new id with --id; a seal is not moved",
            )
    rewritten = tuple(name for name, data in files.items() if name in before and before[name] != data)
    for name, data in files.items():
        if before.get(name) != data:
            write_file(folder / name, data)
    write_file(target, manifest.sealed_bytes())
    return Frozen(sealed, rewritten)


def _name_of(folder: Path, name: str | None) -> str:
    return folder.resolve().name if name is None else name


def _plain_files(folder: Path) -> list[str]:
    if folder.is_symlink() or not folder.is_dir():
        raise ReplayError(str(folder), "is not a folder", "name the folder to seal")
    found = sorted(list_folder(folder))
    for name, is_link in found:
        if is_link:
            raise ScenarioError(str(folder / name), "is a link", "put the file itself there; links are not sealed")
    return [name for name, _ in found]


def _object(raw: bytes, where: str, prose: Set[str] = frozenset()) -> dict[str, object]:
    value = read_json(raw, where, prose=prose)
    if not isinstance(value, dict):
        raise ScenarioError(where, f"holds {type(value).__name__}, expected an object", "write one JSON object")
    return value
