"""Replay: recompute a sealed document stage by stage and name the first record that differs.

Nothing stored is believed: verdicts, log, scores and summary are made anew from the inputs in the
folder and from the clauses that are installed, and compared byte for byte. Code is never loaded from
a sealed folder; a clause from a file is named again by whoever replays.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import orjson

from predicates.registry import Predicate
from replay.merkle import root_of
from scenarios.attestations import load_attestations
from scenarios.canonical import canonical_bytes, sha256
from scenarios.errors import AuditError, MissingError, ReplayError, SealError
from scenarios.files import build, read_document, read_record
from scenarios.labels import load_labels
from scenarios.load import SHIPPED, Answers, Bank, load_answers, load_bank, read_answer_lines
from scenarios.manifest import (
    MANIFEST_NAME,
    AnswersManifest,
    BankManifest,
    Contract,
    LabelsManifest,
    Reference,
    RolloutManifest,
    RunManifest,
    ScoresConfig,
    Sealed,
    Targets,
    Theta,
    TraceManifest,
)
from scenarios.parsing import PARSERS
from scenarios.records import VerdictRecord
from scenarios.sealed import STAGES, SealedFolder, load_contract, load_manifest
from scenarios.traces import load_trace
from verifier.bank import Judged, engine_digest, recompute, run_files, run_manifest, scores_bytes
from verifier.contract import Judge, answer_digest

_Key = tuple[str, str, int]


class Difference(NamedTuple):
    """The first difference: the stage and the record that it stands in, with both sides or with what is wrong."""

    stage: str
    record: str
    stored: str
    recomputed: str
    what: str


class Replayed(NamedTuple):
    """What a replay found.

    stages: those that hold, in order. difference: the first one, None where all hold. note: what a reader
    should know and that is no difference, such as an engine of another release.
    """

    kind: str
    id: str
    digest: str
    stages: tuple[str, ...]
    difference: Difference | None
    note: str = ""


def replay(
    path: Path, extra: Mapping[str, Predicate] | None = None, bank_path: Path | None = None,
    trace_path: Path | None = None, jobs: int = 1,
) -> Replayed:
    """Replay a manifest of any kind.

    Args:
        path: a manifest, or the folder that holds one.
        extra: clauses from files, by code, that a contract names and that do not ship.
        bank_path: for answers, the bank that they answer; default: the shipped bank of that name.
        trace_path: for a rollout, its market; default: the shipped trace of that name.
        jobs: for a rollout, worker processes.

    Raises:
        ReplayError: it cannot be replayed: missing or unreadable files, an unknown kind, version or parser.
        ScenarioError: its contract names a clause that is not at hand.
    """
    path = path / MANIFEST_NAME if path.is_dir() else path
    done: list[str] = []
    difference = None
    manifest: Sealed | None = None
    note = ""
    try:
        manifest = SealedFolder(path).manifest if path.name == MANIFEST_NAME else load_manifest(path)
        if isinstance(manifest, RolloutManifest):
            from verifier.rollouts import engine_digest as engine_of_rollouts

            note = "" if manifest.engine == engine_of_rollouts() else _other_engine(manifest.release)
        if isinstance(manifest, RunManifest) and manifest.engine != engine_digest():
            note = _other_engine(manifest.release)
        for stage in _steps(path, manifest, extra, bank_path, trace_path, jobs):
            done.append(stage)
    except MissingError as error:
        raise ReplayError(error.where, error.what, error.remedy) from error
    except SealError as error:
        difference = Difference(STAGES[len(done)], error.where, error.stored, error.found, error.what)
    if manifest is None:
        return Replayed("unreadable", path.parent.name, "", (), difference)
    return Replayed(manifest.record()["kind"], manifest.id, str(manifest.digest), tuple(done), difference, note)


def _steps(
    path: Path, manifest: Sealed, extra: Mapping[str, Predicate] | None, bank_path: Path | None,
    trace_path: Path | None, jobs: int,
) -> Iterator[str]:
    if isinstance(manifest, Contract):
        return _contract_steps(path, extra)
    if isinstance(manifest, BankManifest):
        return _loaded_steps(path, load_bank)
    if isinstance(manifest, LabelsManifest):
        return _loaded_steps(path, load_labels)
    if isinstance(manifest, TraceManifest):
        return _loaded_steps(path, load_trace)
    if isinstance(manifest, Theta | Targets | ScoresConfig):
        return iter(("manifest",))
    if isinstance(manifest, AnswersManifest):
        return _answers_steps(path, manifest, bank_path)
    if isinstance(manifest, RunManifest):
        return _RunReplay(path, manifest, extra).steps()
    if isinstance(manifest, RolloutManifest):
        return _rollout_steps(path, manifest, trace_path, jobs)
    raise ReplayError(str(path), "this kind cannot be replayed", "use the release that wrote it")


def _other_engine(release: str) -> str:
    return (f"release {release} wrote this with another engine than the installed one; what that recomputes is "
            "compared all the same")


class _Differs(SealError):
    """A stored record is not what was recomputed."""

    def __init__(self, where: str, stored: str, found: str) -> None:
        super().__init__(where, "is not what was recomputed", "trust the recomputed one", stored=stored, found=found)


def _contract_steps(path: Path, extra: Mapping[str, Predicate] | None) -> Iterator[str]:
    contract = load_contract(path)
    yield "manifest"
    Judge(contract, extra)
    yield "inputs"


def _loaded_steps(path: Path, load: Callable[[Path], object]) -> Iterator[str]:
    """Yield the stages of a folder whose loader recomputes all that follows from its files."""
    _raise_first(SealedFolder(path).differences(), "manifest")
    yield "manifest"
    load(path)
    yield "inputs"


def _answers_steps(path: Path, manifest: AnswersManifest, bank_path: Path | None) -> Iterator[str]:
    _raise_first(SealedFolder(path).differences(), "manifest")
    yield "manifest"
    at_hand = SHIPPED / manifest.bank.id if bank_path is None else bank_path
    if not at_hand.exists():
        raise ReplayError(f"{path}#/bank", f"bank {manifest.bank.id} does not ship", "name it with --bank")
    bank = load_bank(at_hand)
    if bank.reference != manifest.bank:
        raise _Differs(f"{path}#/bank", f"{manifest.bank.id} {manifest.bank.digest}", f"{bank.id} {bank.digest}")
    yield "inputs"
    judges = read_document(SealedFolder(path).folder / "advisor.json").get("kind") == "judge"  # its names are longer
    for (scenario, run), turns in sorted(load_answers(path, None if judges else bank).by_run.items()):
        for answer, _ in turns:
            prompt, said = answer.prompt, answer.prompt_sha256
            if prompt is not None and said != sha256(prompt.encode()):
                raise _Differs(f"{scenario} run {run} prompt_sha256", str(said), sha256(prompt.encode()))
    yield "answers"


def _raise_first(differences: Sequence[SealError], stage: str) -> None:
    for difference in differences:
        if difference.stage == stage or isinstance(difference, MissingError):
            raise difference


def _rollout_steps(
    path: Path, manifest: RolloutManifest, trace_path: Path | None, jobs: int
) -> Iterator[str]:
    """Yield each stage of a rollout that holds: every day of every investor made anew, and judged again."""
    from verifier.rollouts import phrasebook_digests, recompute_tasks, replayed_inputs

    folder = SealedFolder(path)
    differences = folder.differences()
    _raise_first(differences, "manifest")
    yield "manifest"
    for difference in differences:
        raise difference
    at_hand = SHIPPED / "traces" / manifest.trace.id if trace_path is None else trace_path
    if not at_hand.exists():
        raise ReplayError(f"{path}#/trace", f"trace {manifest.trace.id} does not ship", "name it with --trace")
    inputs = replayed_inputs(folder.folder, manifest, at_hand)
    found = SealedFolder(at_hand).manifest
    if (found.id, found.digest) != (manifest.trace.id, manifest.trace.digest):
        raise _Differs(f"{path}#/trace", f"{manifest.trace.id} {manifest.trace.digest}", f"{found.id} {found.digest}")
    contract = load_contract(inputs.contract)
    if (contract.id, contract.digest) != (manifest.contract.id, manifest.contract.digest):
        raise _Differs(f"contract {manifest.contract.id}", manifest.contract.digest, str(contract.digest))
    sources = Judge(contract).source_digests()
    for code in sorted({*sources, *manifest.sources}):
        if manifest.sources.get(code) != sources.get(code):
            raise _Differs(f"source of clause {code}", str(manifest.sources.get(code)), str(sources.get(code)))
    for name, said in manifest.phrasebooks.items():
        if phrasebook_digests().get(name) != said:
            raise _Differs(f"phrasebook {name}", said, str(phrasebook_digests().get(name)))
    yield "inputs"
    heads: dict[str, str] = {}
    judged = []
    for stated, one in recompute_tasks(folder.folder, manifest, inputs, jobs):
        if one.difference is not None:
            where, old, new = one.difference
            raise _Differs(where, *_shortest(old, new))
        if one.done.task != stated:
            raise _Differs(f"manifest.json#/tasks {stated.advisor} run {stated.run}", str(stated), str(one.done.task))
        heads |= one.done.heads
        judged.append(one.verdicts.encode())
    yield from ("answers", "parse", "clauses", "environment steps")
    for member, root in (
        ("root", root_of(f"{lane}\0{head}".encode() for lane, head in sorted(heads.items()))),
        ("verdicts", root_of(judged)),
    ):
        if getattr(manifest, member) != root:
            raise _Differs(f"manifest.json#/{member}", getattr(manifest, member), root)
    yield from ("scores", "summary")


class _RunReplay:
    """The stages of a bank run, one method each."""

    def __init__(self, path: Path, manifest: RunManifest, extra: Mapping[str, Predicate] | None) -> None:
        self.folder = SealedFolder(path)
        self.manifest = manifest
        self.extra = extra

    def steps(self) -> Iterator[str]:
        """Yield each stage that holds; raise the first difference."""
        differences = self.folder.differences()
        _raise_first(differences, "manifest")
        for name in ("verdicts.jsonl", "log.jsonl", "scores.json"):
            if name not in self.folder.files:
                raise SealError(str(self.folder.path), f"lists no {name}", "restore the run")
        load_attestations(self.folder)
        yield "manifest"
        _raise_first(differences, "inputs")
        bank, judge = self._inputs()
        yield "inputs"
        advisors = self._answers(bank, differences)
        yield "answers"
        judged = recompute(judge, bank, advisors, self.manifest.parser)
        self._verdicts(judged, "parse")
        yield "parse"
        self._verdicts(judged, "clauses")
        _raise_first(differences, "clauses")
        yield "clauses"
        self._log(judged)
        _raise_first(differences, "environment steps")
        yield "environment steps"
        self._scores(judged)
        _raise_first(differences, "scores")
        yield "scores"
        self._summary(judge, bank, advisors, judged)
        yield "summary"

    def _inputs(self) -> tuple[Bank, Judge]:
        stated = self.manifest
        if stated.parser not in PARSERS:
            raise ReplayError(str(self.folder.path), f"parser {stated.parser!r} is unknown here",
                              "use the release that wrote the run")
        bank = load_bank(self.folder.folder / "inputs" / "bank")
        contract = load_contract(self.folder.folder / "inputs" / "contract.json")
        for name, said, found in (
            ("bank", stated.bank, bank.reference),
            ("contract", stated.contract, Reference(id=contract.id, digest=contract.compute_digest())),
        ):
            if said != found:
                raise _Differs(f"manifest.json#/{name}", f"{said.id} {said.digest}", f"{found.id} {found.digest}")
        judge = Judge(contract, self.extra)
        sources = judge.source_digests()
        for code in sorted({*sources, *stated.sources}):
            if stated.sources.get(code) != sources.get(code):
                raise _Differs(f"source of clause {code}", str(stated.sources.get(code)), str(sources.get(code)))
        return bank, judge

    def _answers(self, bank: Bank, differences: Sequence[SealError]) -> list[Answers]:
        for difference in differences:
            if difference.stage == "answers":
                self._name_changed_answer(difference)
                raise difference
        advisors = []
        for said in self.manifest.advisors:
            folder = self.folder.folder / "frozen_outputs" / said.id
            answers = load_answers(folder, bank)
            if answers.digest != said.digest or answers.id != said.id:
                raise _Differs(f"advisor {said.id}", said.digest, answers.digest)
            advisors.append(answers)
        digests = {
            (answers.id, name, run): answer_digest(turns)
            for answers in advisors for (name, run), turns in answers.by_run.items()
        }
        for place, key, stated in self._stored_answer_digests():
            if stated != digests.get(key):
                raise _Differs(f"{_named(key)} ({place})", str(stated), str(digests.get(key)))
        return advisors

    def _name_changed_answer(self, difference: SealError) -> None:
        """Raise the difference anew with the run that changed, where the changed file still reads."""
        path = Path(difference.where)
        if path.name != "answers.jsonl":
            return
        said = {key: stored for _, key, stored in self._stored_answer_digests()}
        try:
            for (scenario, run), turns in read_answer_lines(path.read_bytes(), str(path)).items():
                key = (path.parent.name, scenario, run)
                if said.get(key) != answer_digest(turns):
                    raise _Differs(f"{_named(key)} ({path.name})", str(said.get(key)), answer_digest(turns))
        except ReplayError as error:
            raise SealError(error.where, error.what, error.remedy) from error

    def _stored_answer_digests(self) -> Iterator[tuple[str, _Key, str | None]]:
        """Yield (place, run, digest of its answer) as the stored verdicts say, up to the first that does not read.

        One that does not read differs from the recomputed line, which the stage of the clauses reports.
        """
        raw = (self.folder.folder / "verdicts.jsonl").read_bytes()
        for number, line in enumerate(raw.split(b"\n")[:-1], 1):
            place = f"verdicts.jsonl line {number}"
            try:
                verdict = build(VerdictRecord, read_record(line, place), place)
            except AuditError:
                return
            yield place, (verdict.advisor, verdict.scenario, verdict.run), verdict.digests.answer

    def _verdicts(self, judged: Judged, stage: str) -> None:
        stored = (self.folder.folder / "verdicts.jsonl").read_bytes().split(b"\n")[:-1]
        fresh = [one.line for runs in judged.runs.values() for one in runs]
        for number in range(max(len(stored), len(fresh))):
            old = stored[number] if number < len(stored) else b"(no such line)"
            new = fresh[number] if number < len(fresh) else b"(no such line)"
            if old != new and (stage == "clauses" or _parse_part(old) != _parse_part(new)):
                raise _Differs(f"verdicts.jsonl line {number + 1}", *_shortest(old, new))

    def _log(self, judged: Judged) -> None:
        self._lines("log.jsonl", judged.log.lines)
        if self.manifest.root != judged.log.root():
            raise _Differs("manifest.json#/root", self.manifest.root, judged.log.root())

    def _lines(self, name: str, fresh: Sequence[bytes]) -> None:
        path = self.folder.folder / name
        stored = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
        for number in range(max(len(stored), len(fresh))):
            old = stored[number] if number < len(stored) else b"(no such line)"
            new = fresh[number] if number < len(fresh) else b"(no such line)"
            if old != new:
                raise _Differs(f"{name} line {number + 1}", *_shortest(old, new))

    def _scores(self, judged: Judged) -> None:
        self._lines("judgements.jsonl", [episode.line for episode in judged.episodes])
        stored = (self.folder.folder / "scores.json").read_bytes()
        fresh = scores_bytes(judged.scores)
        if stored != fresh:
            raise _Differs("scores.json", *_first_member(stored, fresh))

    def _summary(self, judge: Judge, bank: Bank, advisors: Sequence[Answers], judged: Judged) -> None:
        files = run_files(judge, bank, advisors, judged)
        fresh = run_manifest(judge, bank, advisors, judged, self.manifest.parser, files)
        fresh = fresh.model_copy(update={"engine": self.manifest.engine, "release": self.manifest.release})
        stored = self.manifest.model_copy(update={"digest": None})
        if stored.record() != fresh.record():
            raise _Differs(
                "manifest.json", *_first_member(canonical_bytes(stored.record()), canonical_bytes(fresh.record()))
            )


def _named(key: _Key) -> str:
    return f"advisor {key[0]}, scenario {key[1]}, run {key[2]}"


def _parse_part(line: bytes) -> object:
    """Return what the parser alone decides of a verdict line: the action's digest, the notes, the fault."""
    try:
        record = orjson.loads(line)
        return record["digests"].get("action"), record.get("notes"), record.get("fault")
    except (orjson.JSONDecodeError, KeyError, TypeError, AttributeError):
        return line


def _shortest(old: bytes, new: bytes, around: int = 120) -> tuple[str, str]:
    """Return both lines cut to the neighbourhood of their first difference."""
    first = next((index for index, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    start = max(0, first - around // 2)
    cut = ["…" * (start > 0) + line[start : start + around].decode(errors="replace") for line in (old, new)]
    return cut[0], cut[1]


def _first_member(old: bytes, new: bytes) -> tuple[str, str]:
    """Return the first member, as pointer and value, in which two JSON documents differ."""
    try:
        left, right = orjson.loads(old), orjson.loads(new)
    except orjson.JSONDecodeError:
        return _shortest(old, new)
    pointer = ""
    while True:
        if isinstance(left, dict) and isinstance(right, dict):
            steps = [key for key in sorted({*left, *right}) if left.get(key) != right.get(key)]
        elif isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
            steps = [index for index in range(len(left)) if left[index] != right[index]]
        else:
            break
        if not steps:
            return _shortest(old, new)
        step = steps[0]
        pointer += f"/{step}"
        left = left[step] if not isinstance(left, dict) else left.get(step)
        right = right[step] if not isinstance(right, dict) else right.get(step)
    shown = [orjson.dumps(side, option=orjson.OPT_SORT_KEYS).decode()[:200] for side in (left, right)]
    return f"{pointer} = {shown[0]}", f"{pointer} = {shown[1]}"
