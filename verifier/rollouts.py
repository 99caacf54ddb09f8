"""A rollout sealed: tasks run side by side, their consultations judged, everything chained, resumable, replayable.

Each task, one advisor in one run, is a pure function of the inputs. It writes its folder under a temporary name and
renames it when it is whole, so a rollout that is killed goes on with the tasks that are missing and ends with the same
bytes, whatever the number of workers. Judging comes after the trajectory and never feeds back, unless the run is gated.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from predicates.sources import digest_of_source
from replay.environments.fund_advice.advice import Advice
from replay.environments.fund_advice.advisors import Advisor, FrozenMessages, Reply, advisor_named
from replay.environments.fund_advice.facts import scenario_of
from replay.environments.fund_advice.loop import Episode, Task
from replay.environments.fund_advice.population import Population, investors
from replay.merkle import root_of
from scenarios.canonical import canonical_bytes, digest, encode_exact, sha256
from scenarios.errors import ReplayError, ScenarioError
from scenarios.files import build, read_answer, read_file, read_lines, write_folder
from scenarios.json_exact import read_json
from scenarios.load import SHIPPED, StoredAnswer
from scenarios.manifest import MANIFEST_NAME, Contract, Reference, RolloutManifest, RolloutTask, Theta
from scenarios.rollouts import RolloutConfig
from scenarios.sealed import join_lines, load_contract, load_manifest, seal_files
from scenarios.traces import Trace, load_trace
from scenarios.types import Answer, Scenario
from verifier.contract import Judge
from verifier.rubric import Rubric, judge_verdict
from verifier.verdict import Verdict

RELEASE = version("advice-audit")
TASK_FILES = ("days.jsonl", "episodes.jsonl", "answers.jsonl", "verdicts.jsonl")


class Inputs(NamedTuple):
    """Everything that a task needs, as paths and plain data, so that a worker can load it anew.

    advisors: by id, how each is made: {"kind": "rule"}, {"kind": "frozen", "answers": path of a task's folder}.
    """

    trace: Path
    theta: Path
    population: Path
    contract: Path
    config: RolloutConfig
    advisors: Mapping[str, Mapping[str, Any]]


class TaskOutput(NamedTuple):
    """The files of one task, its lane heads by lane, and its counts."""

    files: dict[str, bytes]
    heads: dict[str, str]
    task: RolloutTask


def run_task(inputs: Inputs, advisor: str, run: int) -> TaskOutput:
    """Run one task, judge what was said in it, and return its files.

    Raises:
        ScenarioError, ReplayError, SealError: an input cannot be used.
    """
    trace, theta = _trace(inputs.trace), load_theta(inputs.theta)
    population = load_members(inputs.population)
    config = inputs.config
    lanes = investors(population, config.seed, run, config.investors)
    judging = EpisodeJudge(load_contract(inputs.contract), trace, advisor, run, config)
    gate = judging.admits if config.gate else None
    result = Task(trace, lanes, theta, _advisors(inputs, advisor, run), run, config, gate).go()
    judged = [judging.judge(episode) for episode in result.episodes]
    files = {
        "days.jsonl": join_lines(result.lines),
        "episodes.jsonl": join_lines(encode_exact(one.record) for one in judged),
        "answers.jsonl": join_lines(stored.line for one in judged for stored in one.answers),
        "verdicts.jsonl": join_lines(one.line for one in judged),
    }
    task = RolloutTask(advisor=advisor, run=run, days=result.days, episodes=len(judged))
    return TaskOutput(files, result.heads, task)


class JudgedEpisode(NamedTuple):
    """A consultation with its answers, its record and its verdict line."""

    record: dict[str, Any]
    answers: tuple[StoredAnswer, ...]
    verdict: Verdict
    line: bytes


class EpisodeJudge:
    """Turns consultations into scenarios and answers, and judges them.

    Args:
        contract: with lexicons. trace: of the rollout. advisor, run: whose consultations they are.
        config: of the rollout.
    """

    def __init__(self, contract: Contract, trace: Trace, advisor: str, run: int, config: RolloutConfig) -> None:
        self.judged_by = Judge(contract)
        self.rubric = Rubric.of(contract)
        self.trace, self.advisor, self.run, self.config = trace, advisor, run, config

    def scenario(self, episode: Episode) -> Scenario:
        """Return the frozen question of a consultation."""
        day = self.trace.sessions[episode.session].date
        name = f"{self.advisor}.{self.run}.{episode.investor}.{day}"
        dialogue = [("client", turn.client, True) for turn in episode.turns]
        if episode.closing is not None:
            dialogue.append(("client", episode.closing, False))
        return scenario_of(name, episode.facts, episode.units, dialogue, self.trace)

    def answers(self, episode: Episode, scenario: Scenario) -> tuple[StoredAnswer, ...]:
        """Return the advisor's answers, one for each turn; silence is an empty text, a failure says so."""
        found = []
        for number, turn in enumerate(episode.turns, 1):
            answer = Answer(
                scenario=scenario.id, run=self.run, turn=number, text=turn.reply or "", model=self.advisor,
                prompt_sha256=sha256(turn.request), finish_reason=turn.failure and f"failed: {turn.failure}",
            )
            found.append(StoredAnswer(answer, encode_exact(answer.record())))
        return tuple(found)

    def admits(self, episode: Episode) -> bool:
        """Return whether what was said so far may reach the investor: no redline, and suitable where that is asked."""
        scenario = self.scenario(episode)
        verdict = self.judged_by.bind(scenario).judge_run(self.run, self.answers(episode, scenario))
        gate = [code for code in verdict.clauses if code.startswith("COND")]
        gate += ["SUIT01"] if self.config.gate_suitability else []
        return verdict.state != "ERROR" and all(verdict.clauses.get(code) != "FAIL" for code in gate)

    def judge(self, episode: Episode) -> JudgedEpisode:
        """Return a consultation with its verdict, the judgement of its words within."""
        scenario = self.scenario(episode)
        answers = self.answers(episode, scenario)
        verdict = self.judged_by.bind(scenario).judge_run(self.run, answers)
        judgement = None if self.rubric is None else judge_verdict(scenario, verdict, self.rubric)
        line = {**verdict.record(), "advisor": self.advisor}
        if judgement is not None:
            line["judgement"] = judgement.record()
        return JudgedEpisode(_episode_record(episode, scenario, answers), answers, verdict, encode_exact(line))


def _episode_record(episode: Episode, scenario: Scenario, answers: Sequence[StoredAnswer]) -> dict[str, Any]:
    turns = []
    for turn, stored in zip(episode.turns, answers, strict=True):
        one: dict[str, Any] = {"client": turn.client, "request": sha256(turn.request), "answer": sha256(stored.line)}
        if turn.failure is not None:
            one["failure"] = turn.failure
        if turn.withheld:
            one["withheld"] = True
        turns.append(one)
    record: dict[str, Any] = {
        "scenario": scenario.id, "digest": digest(scenario.record()), "lane": episode.lane,
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
    """
    plan = [(advisor, run) for advisor in inputs.advisors for run in range(1, inputs.config.runs + 1)]
    _claim(out, inputs)
    missing = [(advisor, run) for advisor, run in plan if not _task_folder(out, advisor, run).exists()]
    done = len(plan) - len(missing)
    if report is not None:
        report(done, len(plan))
    for advisor, run, output in _outputs(inputs, missing, jobs, executor):
        heads = canonical_bytes({"heads": output.heads, "task": output.task.record()}) + b"\n"
        write_folder(_task_folder(out, advisor, run), {**output.files, "heads.json": heads})
        done += 1
        if report is not None:
            report(done, len(plan))
    manifest = seal_rollout(inputs, out, plan)
    (out / "inputs.json").unlink(missing_ok=True)
    return manifest


def _outputs(
    inputs: Inputs, missing: Sequence[tuple[str, int]], jobs: int, executor: Executor | None
) -> Iterator[tuple[str, int, TaskOutput]]:
    if executor is None and jobs <= 1:
        for advisor, run in missing:
            yield advisor, run, run_task(inputs, advisor, run)
        return
    with executor or ProcessPoolExecutor(jobs) as pool:
        pending = [(advisor, run, pool.submit(run_task, inputs, advisor, run)) for advisor, run in missing]
        for advisor, run, future in pending:
            yield advisor, run, future.result()


def seal_rollout(inputs: Inputs, out: Path, plan: Sequence[tuple[str, int]]) -> RolloutManifest:
    """Write the manifest over everything that lies in a finished folder, and return it."""
    heads: dict[str, str] = {}
    tasks, verdicts = [], []
    files = dict(_input_files(inputs))
    for advisor, run in plan:
        folder = _task_folder(out, advisor, run)
        stated = orjson.loads(read_file(folder / "heads.json"))
        heads |= stated["heads"]
        tasks.append(RolloutTask.model_validate(stated["task"]))
        for name in (*TASK_FILES, "heads.json"):
            files[f"tasks/{advisor}/{run}/{name}"] = read_file(folder / name, 1 << 31)
        verdicts.append(sha256(files[f"tasks/{advisor}/{run}/verdicts.jsonl"]).encode())
    judge = Judge(load_contract(inputs.contract))
    trace, theta = _trace(inputs.trace), load_theta(inputs.theta)
    decided = {"config": inputs.config.record(), "trace": trace.digest, "theta": theta.compute_digest(),
               "contract": judge.digest, "advisors": list(inputs.advisors), "release": RELEASE}
    manifest = RolloutManifest(
        id=f"{trace.id}-{digest(decided)[:12]}", config=inputs.config.record(), trace=trace.reference,
        theta=Reference(id=theta.id, digest=theta.compute_digest()),
        population=sha256(files["inputs/population.json"]),
        contract=Reference(id=judge.contract.id, digest=judge.digest), advisors=tuple(inputs.advisors),
        tasks=tuple(tasks), phrasebooks=phrasebook_digests(), sources=judge.source_digests(), engine=engine_digest(),
        release=RELEASE,
        root=root_of(f"{lane}\0{head}".encode() for lane, head in sorted(heads.items())),
        verdicts=root_of(verdicts), files=seal_files(files),
    )
    for name, data in _input_files(inputs).items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_bytes(data)
    (out / MANIFEST_NAME).write_bytes(manifest.sealed_bytes())
    return manifest


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
        said = orjson.loads(read_file(claim))
        differing = sorted(name for name in {*said, *stated} if said.get(name) != _plain(stated.get(name)))
        if differing:
            sides = "; ".join(f"{name}: {str(said.get(name))[:80]} there, {str(stated.get(name))[:80]} now"
                              for name in differing)
            raise ReplayError(str(out), f"belongs to a rollout with other inputs or code ({sides})",
                              "repeat the options of that rollout, or choose another --out")
        return
    if out.exists() and any(out.iterdir()):
        raise ReplayError(str(out), "exists and holds something else", "remove it or choose another --out")
    out.mkdir(parents=True, exist_ok=True)
    claim.write_bytes(canonical_bytes(_plain(stated)) + b"\n")


def _plain(value: Any) -> Any:
    return orjson.loads(orjson.dumps(value))


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


def _advisors(inputs: Inputs, name: str, run: int) -> dict[str, Advisor]:
    """Return who answers in a task, by the language of the investor."""
    how = inputs.advisors[name]
    if how["kind"] == "frozen":
        frozen = frozen_advisor(name, _task_folder(Path(how["answers"]), name, run))
        return dict.fromkeys(inputs.config.languages, frozen)
    return {language: advisor_named(name, language) for language in inputs.config.languages}


def frozen_advisor(name: str, task: Path) -> FrozenMessages:
    """Return an advisor that repeats the answers of a finished task, by the digest of each request.

    Raises:
        ReplayError: the task's answers cannot be read.
    """
    replies: dict[str, Reply] = {}
    where = str(task / "answers.jsonl")
    for number, line in read_lines(read_file(task / "answers.jsonl", 1 << 31), where):
        answer = read_answer(line, f"{where} line {number}")
        reason = answer.finish_reason or ""
        replies[str(answer.prompt_sha256)] = Reply(
            answer.text.encode() if answer.text else None, reason.removeprefix("failed: ") if not answer.text else "",
        )
    return FrozenMessages(name, replies)


@lru_cache(maxsize=2)
def _trace(path: Path) -> Trace:
    return load_trace(path)


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


def known_advisors(names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return how each named advisor is made: a shipped rule by its name, or frozen answers by a rollout's folder.

    Raises:
        ScenarioError: a name is neither.
    """
    found: dict[str, dict[str, Any]] = {}
    for name in names:
        path = Path(name)
        if (path / MANIFEST_NAME).exists():
            manifest = load_manifest(path / MANIFEST_NAME)
            if not isinstance(manifest, RolloutManifest):
                raise ScenarioError(name, "is no rollout", "name a rule, or the folder of a finished rollout")
            found |= {one: {"kind": "frozen", "answers": str(path)} for one in manifest.advisors}
        else:
            advisor_named(name)
            found[name] = {"kind": "rule"}
    return found


class Recomputed(NamedTuple):
    """One task made anew from frozen answers, beside what is stored."""

    task: RolloutTask
    fresh: TaskOutput
    stored: dict[str, bytes]


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
    """Yield every task of a finished rollout, made anew, beside its stored files."""
    planned = {(task.advisor, task.run): task for task in manifest.tasks}
    for advisor, run, output in _outputs(inputs, list(planned), jobs, None):
        stored = {name: read_file(_task_folder(folder, advisor, run) / name, 1 << 31) for name in TASK_FILES}
        yield Recomputed(planned[advisor, run], output, stored)
