"""A rollout sealed: tasks run side by side, their consultations judged, everything chained, resumable, replayable.

Each task, one advisor in one run, is a pure function of the inputs. Whoever runs it writes its folder under a temporary
name and renames it when it is whole, so a rollout that is killed goes on with the tasks that are missing and ends with
the same bytes, whatever the number of workers and wherever they are, as long as inputs and folder have the same paths
there. Nothing but digests comes back, so no process holds more than one task. What is outside this process, a program
or a model, is asked each request once: its answers are recorded as they come and asked for again by nobody.
Judging comes after the trajectory and never feeds back, unless the run is gated.
"""

import gc
import hashlib
import os
import re
import shlex
import shutil
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from importlib.metadata import version
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import orjson

from predicates.sources import digest_of_source
from replay.collect import openai_endpoint
from replay.environments.fund_advice.advice import Advice
from replay.environments.fund_advice.advisors import NAMES, Advisor, FrozenMessages, NoAdvisor, Reply, advisor_named
from replay.environments.fund_advice.endpoint import Endpoint, Recorded
from replay.environments.fund_advice.facts import question_of
from replay.environments.fund_advice.loop import Episode, Task
from replay.environments.fund_advice.population import Population, investors
from replay.environments.fund_advice.program import TIMEOUT_S, Program
from replay.merkle import root_of
from scenarios.canonical import canonical_bytes, digest, encode_exact, sha256
from scenarios.errors import ReplayError, ScenarioError
from scenarios.files import build, read_answer, read_file, read_lines, write_file, write_folder
from scenarios.json_exact import read_json
from scenarios.load import SHIPPED, StoredAnswer
from scenarios.manifest import MANIFEST_NAME, Contract, Reference, RolloutManifest, RolloutTask, SealedFile, Theta
from scenarios.rollouts import RolloutConfig
from scenarios.sealed import join_lines, load_contract, load_manifest, seal_files
from scenarios.traces import Trace, load_trace
from scenarios.types import Answer, Scenario
from verifier.contract import Judge
from verifier.rubric import Rubric, judge_verdict
from verifier.verdict import UNREADABLE, Verdict

RELEASE = version("advice-audit")
ASKED = "asked"
"""Folder of the answers of programs and models while a rollout is under way; they end in answers.jsonl."""
OWN_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")
TASK_FILES = ("days.jsonl", "episodes.jsonl", "answers.jsonl", "verdicts.jsonl")
MOST_BYTES = 1 << 31
"""The largest file of a task that is read."""
_FAILED = "failed: "
"""What the finish reason of an answer begins with that never came."""


class Inputs(NamedTuple):
    """Everything that a task needs, as paths and plain data, so that a worker can load it anew.

    advisors: by id, how each is made: {"kind": "rule"}; {"kind": "frozen", "answers": folder of a rollout};
        {"kind": "program", "command": its words}; {"kind": "endpoint", ...} with the arguments of
        `replay.collect.openai_endpoint`.
    """

    trace: Path
    theta: Path
    population: Path
    contract: Path
    config: RolloutConfig
    advisors: Mapping[str, Mapping[str, Any]]

    def absolute(self) -> "Inputs":
        """Return the same inputs for a process that runs in another folder."""
        trace, theta, population, contract = (path.absolute() for path in self[:4])
        return self._replace(trace=trace, theta=theta, population=population, contract=contract)


class TaskOutput(NamedTuple):
    """The files of one task, its lane heads by lane, and its counts."""

    files: dict[str, bytes]
    heads: dict[str, str]
    task: RolloutTask


def run_task(inputs: Inputs, advisor: str, run: int, asked: Path | None = None) -> TaskOutput:
    """Run one task, judge what was said in it, and return its files.

    Args:
        inputs: of the rollout.
        advisor: one of them.
        run: counted from 1.
        asked: where the answers of an advisor outside this process are recorded as they come.

    Raises:
        ScenarioError, ReplayError, SealError: an input cannot be used.
    """
    trace, theta = _trace(inputs.trace), load_theta(inputs.theta)
    population = load_members(inputs.population)
    config = inputs.config
    lanes = investors(population, config.seed, run, config.investors)
    judging = EpisodeJudge(_judge(inputs.contract), trace, advisor, run, config)
    gate = judging.admits if config.gate else None
    with ExitStack() as open_for_the_task, _rare_collection():
        answering = _advisors(inputs, advisor, run, asked, open_for_the_task)
        result = Task(trace, lanes, theta, answering, run, config, gate).go()
        lines: dict[str, list[bytes]] = {name: [] for name in TASK_FILES}
        lines["days.jsonl"] = result.lines
        waiting = result.episodes[::-1]
        result.episodes.clear()  # a consultation goes when it is judged: only its lines stay
        while waiting:
            one = judging.judge(waiting.pop())
            lines["episodes.jsonl"].append(encode_exact(one.record, ascii_keys=True))
            lines["answers.jsonl"] += [stored.line for stored in one.answers]
            lines["verdicts.jsonl"].append(one.line)
    task = RolloutTask(advisor=advisor, run=run, days=result.days, episodes=len(lines["verdicts.jsonl"]))
    return TaskOutput({name: join_lines(lines.pop(name)) for name in TASK_FILES}, result.heads, task)


@contextmanager
def _rare_collection() -> Iterator[None]:
    """Look for cycles of garbage seldom: a task keeps nearly all it makes, and looking through it takes 8 % of it."""
    thresholds = gc.get_threshold()
    gc.set_threshold(200_000, *thresholds[1:])
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)


class JudgedEpisode(NamedTuple):
    """A consultation with its answers, its record and its verdict line."""

    record: dict[str, Any]
    answers: tuple[StoredAnswer, ...]
    verdict: Verdict
    line: bytes


class EpisodeJudge:
    """Turns consultations into scenarios and answers, and judges them.

    Args:
        contract: with lexicons; or its judge, where it is at hand. trace: of the rollout. advisor, run: whose
            consultations they are. config: of the rollout.
    """

    def __init__(self, contract: Contract | Judge, trace: Trace, advisor: str, run: int, config: RolloutConfig) -> None:
        self.judged_by = contract if isinstance(contract, Judge) else Judge(contract)
        self.rubric = Rubric.of(self.judged_by.contract)
        self.trace, self.advisor, self.run, self.config = trace, advisor, run, config
        self.gate = _gate_codes(self.judged_by, config)

    def scenario(self, episode: Episode) -> tuple[Scenario, str]:
        """Return the frozen question of a consultation and the digest of its record."""
        day = self.trace.sessions[episode.session].date
        name = f"{self.advisor}.{self.run}.{episode.investor}.{day}"
        dialogue = [("client", turn.client, True) for turn in episode.turns]
        if episode.closing is not None:
            dialogue.append(("client", episode.closing, False))
        question = question_of(name, episode.facts, episode.units, dialogue, self.trace)
        return question.scenario, sha256(encode_exact(question.record, ascii_keys=True))

    def answers(self, episode: Episode, scenario: Scenario) -> tuple[StoredAnswer, ...]:
        """Return the advisor's answers, one for each turn; silence is an empty text, a failure says so."""
        found = []
        for number, turn in enumerate(episode.turns, 1):
            answer = Answer(
                scenario=scenario.id, run=self.run, turn=number, text=turn.reply or "", model=self.advisor,
                prompt_sha256=sha256(turn.request), finish_reason=turn.failure and f"{_FAILED}{turn.failure}",
            )
            found.append(StoredAnswer(answer, encode_exact(answer.record(), ascii_keys=True)))
        return tuple(found)

    def admits(self, episode: Episode) -> bool:
        """Return whether the last message of a consultation may reach the investor, after what reached it before.

        It may where it can be read, every clause ran, no redline fails, and it is suitable where that is asked.
        """
        reached = episode._replace(turns=[turn._replace(reply=turn.heard) for turn in episode.turns])
        scenario, named = self.scenario(reached)
        verdict = self.judged_by.bind(scenario, named).judge_run(self.run, self.answers(reached, scenario))
        return verdict.state not in UNREADABLE and all(verdict.clauses[code] != "FAIL" for code in self.gate)

    def judge(self, episode: Episode) -> JudgedEpisode:
        """Return a consultation with its verdict, the judgement of its words within."""
        scenario, named = self.scenario(episode)
        answers = self.answers(episode, scenario)
        verdict, line = self.decide(scenario, answers, named)
        return JudgedEpisode(_episode_record(episode, named, answers), answers, verdict, line)

    def decide(
        self, scenario: Scenario, answers: Sequence[StoredAnswer], scenario_digest: str | None = None
    ) -> tuple[Verdict, bytes]:
        """Return the verdict on a consultation and its line, the judgement of its words within.

        Args:
            scenario: its frozen question.
            answers: one for each turn.
            scenario_digest: as `Judge.bind` takes it.
        """
        verdict = self.judged_by.bind(scenario, scenario_digest).judge_run(self.run, answers)
        judgement = None if self.rubric is None else judge_verdict(scenario, verdict, self.rubric)
        line = {**verdict.record(), "advisor": self.advisor}
        if judgement is not None:
            line["judgement"] = judgement.record()
        return verdict, encode_exact(line, ascii_keys=verdict.ascii_keys)


def _episode_record(episode: Episode, scenario: str, answers: Sequence[StoredAnswer]) -> dict[str, Any]:
    """Return the record of a consultation; scenario: its digest."""
    turns = []
    for turn, stored in zip(episode.turns, answers, strict=True):
        one: dict[str, Any] = {"client": turn.client, "request": stored.answer.prompt_sha256,
                               "answer": sha256(stored.line)}
        if turn.failure is not None:
            one["failure"] = turn.failure
        if turn.withheld:
            one["withheld"] = True
        turns.append(one)
    record: dict[str, Any] = {
        "scenario": answers[0].answer.scenario, "digest": scenario, "lane": episode.lane,
        "investor": episode.investor, "session": episode.session, "language": episode.language,
        "facts": episode.facts, "units": episode.units, "turns": turns, "action": episode.action,
        "disagreement_e4": list(episode.disagreement_e4), "satisfaction_e4": episode.satisfaction_e4,
    }
    if episode.closing is not None:
        record["closing"] = episode.closing
    if episode.advice is not None:
        record["advice"] = _advice_record(episode.advice)
    return record


def _advice_record(advice: Advice) -> dict[str, Any]:
    members = {name: value for name, value in advice._asdict().items() if value is not None and value != ()}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in members.items()}


Done = TypeVar("Done")


def rollout(
    inputs: Inputs, out: Path, jobs: int = 1, report: Callable[[int, int], None] | None = None,
    executor: Executor | None = None,
) -> RolloutManifest:
    """Run every task that is not there yet and seal the folder.

    Args:
        inputs: of the rollout.
        out: the folder; an interrupted rollout of the same inputs goes on there.
        jobs: worker processes.
        report: called with (tasks done, tasks in all).
        executor: takes the place of the worker processes, such as a cluster's.

    Raises:
        ReplayError: the folder holds something else, or a rollout of other inputs or code: what differs is named.
        ScenarioError: the inputs do not fit together, or a program cannot be started; then nothing is written.
    """
    inputs.config.bounds(_trace(inputs.trace))
    investors(load_members(inputs.population), inputs.config.seed, 1, inputs.config.investors)
    _gate_codes(Judge(load_contract(inputs.contract)), inputs.config)
    plan = [(advisor, run) for advisor in inputs.advisors for run in range(1, inputs.config.runs + 1)]
    missing = [(advisor, run) for advisor, run in plan if not _task_folder(out, advisor, run).exists()]
    for advisor in dict.fromkeys(advisor for advisor, _ in missing):
        if inputs.advisors[advisor]["kind"] == "program":
            _program(advisor, inputs.advisors[advisor]).try_start()
    _claim(out, inputs)
    _sweep(out)
    done = len(plan) - len(missing)
    if report is not None:
        report(done, len(plan))
    for _ in _each(missing, jobs, executor, _store_task, inputs.absolute(), out.absolute()):
        done += 1
        if report is not None:
            report(done, len(plan))
    manifest = seal_rollout(inputs, out, plan)
    shutil.rmtree(out / ASKED, ignore_errors=True)
    (out / "inputs.json").unlink(missing_ok=True)
    return manifest


def _gate_codes(judge: Judge, config: RolloutConfig) -> list[str]:
    """Return the clauses that a gated message must not violate.

    Raises:
        ScenarioError: the run is gated, and the contract has none of them.
    """
    redlines = [code for code in judge.predicates if code.startswith("COND")] if config.gate else []
    suitable = [code for code in judge.predicates if code == "SUIT01"] if config.gate_suitability else []
    if (config.gate and not redlines) or (config.gate_suitability and not suitable):
        raise ScenarioError(judge.contract.id, f"holds no clause {'COND..' if not redlines else 'SUIT01'} to gate by",
                            "name a contract with that clause, such as conduct-1, or start without the gate")
    return redlines + suitable


class Answered(NamedTuple):
    """How the answers of one task came: how many were asked for, and how many failed, by kind of failure."""

    asked: int
    failed: Counter[str]


def answered(out: Path, task: RolloutTask) -> Answered:
    """Return how the answers of a task in a finished rollout came.

    Raises:
        ReplayError: its answers cannot be read.
    """
    path = _task_folder(out, task.advisor, task.run) / "answers.jsonl"
    asked, failed = 0, Counter[str]()
    for number, line in read_lines(read_file(path, MOST_BYTES), str(path)):
        asked = number
        if _FAILED.encode() in line:
            reason = read_answer(line, f"{path} line {number}").finish_reason or ""
            if reason.startswith(_FAILED):
                failed[reason.removeprefix(_FAILED).partition(":")[0]] += 1
    return Answered(asked, failed)


def _store_task(inputs: Inputs, out: Path, advisor: str, run: int) -> None:
    output = run_task(inputs, advisor, run, out / ASKED / advisor / f"{run}.jsonl")
    heads = canonical_bytes({"heads": output.heads, "task": output.task.record()}) + b"\n"
    write_folder(_task_folder(out, advisor, run), {**output.files, "heads.json": heads})


def _sweep(out: Path) -> None:
    """Remove what a killed process left half written."""
    for part in out.glob("tasks/*/.*.part"):
        shutil.rmtree(part)
    for part in (*out.glob(".*.part"), *out.glob("inputs/.*.part")):
        part.unlink()


def _each(
    tasks: Sequence[tuple[str, int]], jobs: int, executor: Executor | None, work: Callable[..., Done], *given: Any
) -> Iterator[Done]:
    """Yield what comes of each task, in order: here, in worker processes, or wherever an executor has its workers."""
    if executor is None and jobs <= 1:
        for advisor, run in tasks:
            yield work(*given, advisor, run)
        return
    with executor or ProcessPoolExecutor(jobs, initializer=_end_with, initargs=(os.getpid(),)) as pool:
        pending = [pool.submit(work, *given, advisor, run) for advisor, run in tasks]
        try:
            for future in pending:
                yield future.result()
        finally:
            for future in pending:
                future.cancel()


def _end_with(parent: int) -> None:
    """End this worker soon after the process that started it, however that ended."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.2)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def seal_rollout(inputs: Inputs, out: Path, plan: Sequence[tuple[str, int]]) -> RolloutManifest:
    """Write the manifest over everything that lies in a finished folder, and return it."""
    heads: dict[str, str] = {}
    tasks, verdicts = [], []
    given = _input_files(inputs)
    sealed = list(seal_files(given))
    for advisor, run in plan:
        folder = _task_folder(out, advisor, run)
        stated = orjson.loads(read_file(folder / "heads.json"))
        heads |= stated["heads"]
        tasks.append(RolloutTask.model_validate(stated["task"]))
        own = {name: _seal(folder / name, f"tasks/{advisor}/{run}/{name}") for name in (*TASK_FILES, "heads.json")}
        sealed += own.values()
        verdicts.append(own["verdicts.jsonl"].sha256.encode())
    judge = Judge(load_contract(inputs.contract))
    trace, theta = _trace(inputs.trace), load_theta(inputs.theta)
    decided = {"config": inputs.config.record(), "trace": trace.digest, "theta": theta.compute_digest(),
               "contract": judge.digest, "advisors": list(inputs.advisors), "release": RELEASE}
    manifest = RolloutManifest(
        id=f"{trace.id}-{digest(decided)[:12]}", config=inputs.config.record(), trace=trace.reference,
        theta=Reference(id=theta.id, digest=theta.compute_digest()),
        population=sha256(given["inputs/population.json"]),
        contract=Reference(id=judge.contract.id, digest=judge.digest), advisors=tuple(inputs.advisors),
        tasks=tuple(tasks), phrasebooks=phrasebook_digests(), sources=judge.source_digests(), engine=engine_digest(),
        release=RELEASE,
        root=root_of(f"{lane}\0{head}".encode() for lane, head in sorted(heads.items())),
        verdicts=root_of(verdicts), files=tuple(sorted(sealed, key=lambda file: file.path)),
    )
    for name, data in given.items():
        write_file(out / name, data)
    write_file(out / MANIFEST_NAME, manifest.sealed_bytes())
    return manifest


def _seal(path: Path, name: str) -> SealedFile:
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
        return SealedFile(path=name, bytes=file.tell(), sha256=found)


def _claim(out: Path, inputs: Inputs) -> None:
    """Mark a folder as that of these inputs and this code, or refuse one of others."""
    stated = {
        "config": inputs.config.record(), "advisors": {name: dict(how) for name, how in inputs.advisors.items()},
        "trace": _trace(inputs.trace).digest, "engine": engine_digest(), "phrasebooks": phrasebook_digests(),
        "contract": load_contract(inputs.contract).digest,
        **{name: sha256(data) for name, data in _input_files(inputs).items()},
    }
    if (out / MANIFEST_NAME).exists():
        raise ReplayError(str(out), "holds a finished rollout", "choose another --out, or replay it")
    claim = out / "inputs.json"
    if claim.exists():
        said, now = dict(_members(read_json(read_file(claim), str(claim)))), dict(_members(stated))
        differing = [name for name in sorted({*said, *now}) if said.get(name) != now.get(name)]
        if differing:
            sides = "; ".join(f"{name}: {said.get(name, 'nothing')} there, {now.get(name, 'nothing')} now"
                              for name in differing)
            raise ReplayError(str(out), f"belongs to a rollout with other inputs or code ({sides})",
                              "repeat the options of that rollout, or choose another --out")
        return
    if out.exists() and not all(path.match(".inputs.json.*.part") for path in out.iterdir()):
        raise ReplayError(str(out), "exists and holds something else", "remove it or choose another --out")
    write_file(claim, canonical_bytes(stated) + b"\n")


def _members(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield what is said, member by member, each by its path: ("config/seed", "1"), ("advisors/mine/command", ...)."""
    if not isinstance(value, dict):
        yield name, value if isinstance(value, str) else canonical_bytes(value).decode()
        return
    for member, inner in value.items():
        yield from _members(inner, f"{name}/{member}".lstrip("/"))


def _input_files(inputs: Inputs) -> dict[str, bytes]:
    """Return the inputs that a folder carries: a contract that ships is named by its digest, as the trace is."""
    contract = load_contract(inputs.contract)
    files = {
        "inputs/theta.json": load_theta(inputs.theta).sealed_bytes(),
        "inputs/population.json": canonical_bytes(load_members(inputs.population).record()) + b"\n",
    }
    shipped = _shipped_contract(contract.id)
    if not shipped.exists() or read_file(shipped) != contract.sealed_bytes():
        files["inputs/contract.json"] = contract.sealed_bytes()
    return files


def _shipped_contract(name: str) -> Path:
    return SHIPPED / "contracts" / f"{name}.json"


def _task_folder(out: Path, advisor: str, run: int) -> Path:
    return out / "tasks" / advisor / str(run)


def _advisors(
    inputs: Inputs, name: str, run: int, asked: Path | None, open_for_the_task: ExitStack
) -> dict[str, Advisor]:
    """Return who answers in a task, by the language of the investor."""
    how = inputs.advisors[name]
    if how["kind"] == "rule":
        return {language: advisor_named(name, language) for language in inputs.config.languages}
    one: Advisor
    if how["kind"] == "frozen":
        one = frozen_advisor(name, _task_folder(Path(how["answers"]), name, run))
    elif how["kind"] == "program":
        one = open_for_the_task.enter_context(_program(name, how))
    else:
        ask = openai_endpoint(**{member: value for member, value in how.items() if member != "kind"})
        one = Endpoint(name, ask, inputs.config.seed + run - 1)
    if how["kind"] != "frozen" and asked is not None:
        asked.parent.mkdir(parents=True, exist_ok=True)
        one = Recorded(one, asked)
    return dict.fromkeys(inputs.config.languages, one)


def _program(name: str, how: Mapping[str, Any]) -> Program:
    return Program(name, how["command"], timeout_s=how["timeout_s"])


def frozen_advisor(name: str, task: Path) -> FrozenMessages:
    """Return an advisor that repeats the answers of a finished task, by the digest of each request.

    Raises:
        ReplayError: the task's answers cannot be read.
    """
    replies: dict[str, Reply] = {}
    where = str(task / "answers.jsonl")
    for number, line in read_lines(read_file(task / "answers.jsonl", MOST_BYTES), where):
        answer = read_answer(line, f"{where} line {number}")
        reason = answer.finish_reason or ""
        replies[str(answer.prompt_sha256)] = Reply(
            answer.text.encode() if answer.text else None, reason.removeprefix(_FAILED) if not answer.text else "",
        )
    return FrozenMessages(name, replies)


@lru_cache(maxsize=2)
def _trace(path: Path) -> Trace:
    return load_trace(path)


@lru_cache(maxsize=2)
def _judge(path: Path) -> Judge:
    return Judge(load_contract(path))


def load_theta(path: Path) -> Theta:
    """Return the minds' configuration from its sealed file.

    Raises:
        ReplayError, SealError: it is unreadable, of another kind, or differs from its seal.
    """
    theta = load_manifest(path)
    if not isinstance(theta, Theta):
        raise ReplayError(str(path), "is no configuration of the mind", "name one such as theta-1.json")
    return theta


def load_members(path: Path) -> Population:
    """Return a population from its file.

    Raises:
        ReplayError: it does not fit the form.
    """
    return build(Population, read_json(read_file(path), str(path)), str(path))


def phrasebook_digests() -> dict[str, str]:
    """Return the digest of each shipped file of words, by name."""
    return {path.stem: sha256(read_file(path)) for path in sorted((SHIPPED / "phrasebooks").glob("*.json"))}


def engine_digest() -> str:
    """Return the digest of the source of everything that makes a rollout of its inputs."""
    return digest_of_source(Path(__file__), ("predicates", "replay", "scenarios", "verifier"))


def known_advisors(
    names: Sequence[str], endpoint: Mapping[str, Any] | None = None, timeout_s: int = TIMEOUT_S
) -> dict[str, dict[str, Any]]:
    """Return how each named advisor is made.

    Args:
        names: a shipped rule by its name, frozen answers by a rollout's folder, a program as NAME=COMMAND, or the name
            of a model's advisor where there is an endpoint.
        endpoint: the arguments of `replay.collect.openai_endpoint`; None where no model is asked.
        timeout_s: seconds that a program has for one answer.

    Raises:
        ScenarioError: a name is none of these, cannot stand in records, or is given twice.
    """
    found: dict[str, dict[str, Any]] = {}
    how: dict[str, Any]
    for name in names:
        path = Path(name)
        called, is_program, command = name.partition("=")
        if (path / MANIFEST_NAME).exists():
            manifest = load_manifest(path / MANIFEST_NAME)
            if not isinstance(manifest, RolloutManifest):
                raise ScenarioError(name, "is no rollout", "name a rule, or the folder of a finished rollout")
            how = {"kind": "frozen", "answers": str(path.resolve())}
            more = dict.fromkeys(manifest.advisors, how)
        elif is_program:
            how = {"kind": "program", "command": _command(called, command), "timeout_s": timeout_s}
            more = {_own_name(called): how}
        elif endpoint is not None and name not in NAMES:
            more = {_own_name(name): {**endpoint, "kind": "endpoint"}}
        else:
            if name not in NAMES:
                raise ScenarioError("advisor", f"found {name!r}", f"choose one of {', '.join(NAMES)}, or give "
                                    "NAME=COMMAND for a program, or the folder of a finished rollout")
            more = {name: {"kind": "rule"}}
        for one in sorted(more.keys() & found):
            if one != NoAdvisor.id:  # every rollout has its baseline already
                raise ScenarioError("advisor", f"{one} is named twice", "give each advisor a name of its own")
        found |= more
    return found


def _own_name(name: str) -> str:
    if not OWN_NAME.fullmatch(name) or name in NAMES:
        raise ScenarioError("advisor", f"found {name!r}, which {'is a rule' if name in NAMES else 'is no id'}",
                            f"choose one of {', '.join(NAMES)}, or give an id of your own of at most 40 letters a-z, "
                            "digits, dots, dashes and underscores")
    return name


def _command(name: str, command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ScenarioError(f"advisor {name}", f"the command cannot be read ({error})", "mend its quotes") from error
    if not words:
        raise ScenarioError(f"advisor {name}", "no program is named", "give its command, as NAME=COMMAND")
    return words


class Recomputed(NamedTuple):
    """What came of one task when it was made anew from frozen answers.

    stated, task: its counts, as stored and as recomputed. heads: of its lanes. verdicts: digest of verdicts.jsonl.
    difference: the first line that differs, (file and line, stored, recomputed); None where all are equal.
    """

    stated: RolloutTask
    task: RolloutTask
    heads: dict[str, str]
    verdicts: str
    difference: tuple[str, bytes, bytes] | None


def replayed_inputs(folder: Path, manifest: RolloutManifest, trace: Path) -> Inputs:
    """Return the inputs of a finished rollout, every advisor one that repeats what was answered.

    Args:
        folder: of the rollout.
        manifest: its manifest.
        trace: where the trace lies that it names.
    """
    own = folder / "inputs" / "contract.json"
    contract = own if own.exists() else _shipped_contract(manifest.contract.id)
    config = build(RolloutConfig, manifest.config, f"{folder}#/config")
    return Inputs(
        trace, folder / "inputs" / "theta.json", folder / "inputs" / "population.json", contract, config,
        {name: {"kind": "frozen", "answers": str(folder)} for name in manifest.advisors},
    )


def recompute_tasks(folder: Path, manifest: RolloutManifest, inputs: Inputs, jobs: int = 1) -> Iterator[Recomputed]:
    """Yield what comes of every task of a finished rollout, made anew and compared with its stored files."""
    planned = {(task.advisor, task.run): task for task in manifest.tasks}
    for task, heads, verdicts, difference in _each(list(planned), jobs, None, _compare_task, inputs, folder):
        yield Recomputed(planned[task.advisor, task.run], task, heads, verdicts, difference)


def _compare_task(
    inputs: Inputs, folder: Path, advisor: str, run: int
) -> tuple[RolloutTask, dict[str, str], str, tuple[str, bytes, bytes] | None]:
    fresh = run_task(inputs, advisor, run)
    differences = (
        _first_difference(f"tasks/{advisor}/{run}/{name}", _task_folder(folder, advisor, run) / name, data)
        for name, data in fresh.files.items()
    )
    return fresh.task, fresh.heads, sha256(fresh.files["verdicts.jsonl"]), next(filter(None, differences), None)


def _first_difference(name: str, path: Path, fresh: bytes) -> tuple[str, bytes, bytes] | None:
    stored = read_file(path, MOST_BYTES)
    if stored == fresh:
        return None
    lines = enumerate(zip_longest(stored.split(b"\n"), fresh.split(b"\n")), 1)
    number, (old, new) = next((number, pair) for number, pair in lines if pair[0] != pair[1])
    return f"{name} line {number}", old or b"(no such line)", new or b"(no such line)"
