"""A rollout sealed: tasks run side by side, their consultations judged, everything chained, resumable, replayable.

Each task, one advisor in one run, is a pure function of the inputs. Whoever runs it writes its folder under a temporary
name and renames it when it is whole, so a rollout that is killed goes on with the tasks that are missing and ends with
the same bytes, whatever the number of workers and wherever they are, as long as inputs and folder have the same paths
there. Nothing but digests comes back. What is outside this process, a program or a model, is asked each request once:
its answers are recorded as they come and asked for again by nobody.
"""

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
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import orjson

from predicates.sources import digest_of_source
from replay.environments.fund_advice.advisors import NAMES, NoAdvisor
from replay.environments.fund_advice.population import investors
from replay.environments.fund_advice.program import TIMEOUT_S
from replay.merkle import root_of
from scenarios.canonical import canonical_bytes, digest, sha256
from scenarios.errors import ReplayError, ScenarioError
from scenarios.files import build, open_file, read_answer, read_file, stream_lines, write_file
from scenarios.json_exact import read_json
from scenarios.load import SHIPPED
from scenarios.manifest import MANIFEST_NAME, Reference, RolloutManifest, RolloutTask, SealedFile
from scenarios.rollouts import RolloutConfig
from scenarios.sealed import load_contract, load_manifest, seal_files
from verifier.contract import Judge
from verifier.episodes import FAILED, gate_codes
from verifier.tasks import (
    ASKED,
    LANES,
    TASK_FILES,
    Compared,
    Inputs,
    compare_tasks,
    load_members,
    load_theta,
    program_of,
    store_tasks,
    task_folder,
    trace_at,
)

RELEASE = version("advice-audit")
OWN_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")

Made = TypeVar("Made")


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
    inputs.config.bounds(trace_at(inputs.trace))
    investors(load_members(inputs.population), inputs.config.seed, 1, inputs.config.investors)
    gate_codes(Judge(load_contract(inputs.contract)), inputs.config)
    plan = [(advisor, run) for advisor in inputs.advisors for run in range(1, inputs.config.runs + 1)]
    missing = [(advisor, run) for advisor, run in plan if not task_folder(out, advisor, run).exists()]
    for advisor in dict.fromkeys(advisor for advisor, _ in missing):
        if inputs.advisors[advisor]["kind"] == "program":
            program_of(advisor, inputs.advisors[advisor]).try_start()
    _claim(out, inputs)
    _sweep(out)
    done = len(plan) - len(missing)
    if report is not None:
        report(done, len(plan))
    groups = _groups(missing, inputs, jobs if executor is None else len(missing))
    for runs, _ in _each(groups, jobs, executor, store_tasks, inputs.absolute(), out.absolute()):
        done += len(runs)
        if report is not None:
            report(done, len(plan))
    manifest = seal_rollout(inputs, out, plan)
    shutil.rmtree(out / ASKED, ignore_errors=True)
    (out / "inputs.json").unlink(missing_ok=True)
    return manifest


class Answered(NamedTuple):
    """How the answers of one task came: how many were asked for, and how many failed, by kind of failure."""

    asked: int
    failed: Counter[str]


def answered(out: Path, task: RolloutTask) -> Answered:
    """Return how the answers of a task in a finished rollout came.

    Raises:
        ReplayError: its answers cannot be read.
    """
    path = task_folder(out, task.advisor, task.run) / "answers.jsonl"
    asked, failed = 0, Counter[str]()
    with open_file(path) as file:
        for number, line in stream_lines(file, str(path)):
            asked = number
            if FAILED.encode() in line:
                reason = read_answer(line, f"{path} line {number}").finish_reason or ""
                if reason.startswith(FAILED):
                    failed[reason.removeprefix(FAILED).partition(":")[0]] += 1
    return Answered(asked, failed)


def _sweep(out: Path) -> None:
    """Remove what a killed process left half written."""
    for part in out.glob("tasks/*/.*.part"):
        shutil.rmtree(part)
    for part in (*out.glob(".*.part"), *out.glob("inputs/.*.part")):
        part.unlink()


def _groups(
    tasks: Sequence[tuple[str, int]], inputs: Inputs, jobs: int
) -> list[tuple[str, tuple[int, ...]]]:
    """Return the tasks as advisors with runs that go side by side, in order; each worker has two groups or more.

    An advisor outside this process takes one run after the other.
    """
    people = len(inputs.config.investors or load_members(inputs.population).members)
    most = min(LANES // people, len(tasks) // (2 * jobs))
    found: list[tuple[str, tuple[int, ...]]] = []
    for advisor in inputs.advisors:
        runs = [run for name, run in tasks if name == advisor]
        size = max(1, most) if inputs.advisors[advisor]["kind"] in ("rule", "frozen") else 1
        parts = -(-len(runs) // size)
        ends = [len(runs) * part // parts for part in range(1, parts + 1)]
        found += [(advisor, tuple(runs[first:end])) for first, end in pairwise([0, *ends])]
    return found


def _each(
    groups: Sequence[tuple[str, tuple[int, ...]]], jobs: int, executor: Executor | None, work: Callable[..., Made],
    *given: Any,
) -> Iterator[tuple[tuple[int, ...], Made]]:
    """Yield the runs and what comes of each group: here, in worker processes, or where an executor has its workers."""
    if executor is None and jobs <= 1:
        for advisor, runs in groups:
            yield runs, work(*given, advisor, runs)
        return
    with executor or ProcessPoolExecutor(jobs, initializer=_end_with, initargs=(os.getpid(),)) as pool:
        pending = [(runs, pool.submit(work, *given, advisor, runs)) for advisor, runs in groups]
        try:
            for runs, future in pending:
                yield runs, future.result()
        finally:
            for _, future in pending:
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
        folder = task_folder(out, advisor, run)
        stated = orjson.loads(read_file(folder / "heads.json"))
        heads |= stated["heads"]
        tasks.append(RolloutTask.model_validate(stated["task"]))
        own = {name: _seal(folder / name, f"tasks/{advisor}/{run}/{name}") for name in (*TASK_FILES, "heads.json")}
        sealed += own.values()
        verdicts.append(own["verdicts.jsonl"].sha256.encode())
    judge = Judge(load_contract(inputs.contract))
    trace, theta = trace_at(inputs.trace), load_theta(inputs.theta)
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
        "trace": trace_at(inputs.trace).digest, "engine": engine_digest(), "phrasebooks": phrasebook_digests(),
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


def replayed_inputs(folder: Path, manifest: RolloutManifest, trace: Path) -> Inputs:
    """Return the inputs of a finished rollout, every advisor one that repeats what was answered.

    Args:
        folder: of the rollout.
        manifest: its manifest.
        trace: where the trace lies that it names.
    """
    config = build(RolloutConfig, manifest.config, f"{folder}#/config")
    return Inputs(
        trace, folder / "inputs" / "theta.json", folder / "inputs" / "population.json",
        contract_of(folder, manifest), config,
        {name: {"kind": "frozen", "answers": str(folder)} for name in manifest.advisors},
    )


def contract_of(folder: Path, manifest: RolloutManifest) -> Path:
    """Return where the contract of a finished rollout lies: within it, or among those that ship."""
    own = folder / "inputs" / "contract.json"
    return own if own.exists() else _shipped_contract(manifest.contract.id)


def recompute_tasks(
    folder: Path, manifest: RolloutManifest, inputs: Inputs, jobs: int = 1
) -> Iterator[tuple[RolloutTask, Compared]]:
    """Yield every task of a finished rollout, as it is stated and as it came when it was made anew."""
    stated = {(task.advisor, task.run): task for task in manifest.tasks}
    for _, made in _each(_groups(list(stated), inputs, jobs), jobs, None, compare_tasks, inputs, folder):
        for one in made:
            yield stated[one.done.task.advisor, one.done.task.run], one
