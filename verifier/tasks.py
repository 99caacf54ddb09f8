"""The tasks of a rollout, one advisor in one run each: run, judged, and written or compared line by line.

A task is a pure function of the inputs. An investor touches no other, so the runs of an advisor that answers within
this process go side by side, and a large population goes in parts: at most `LANES` investors are at work together.
What comes of a session is judged and handed on at once, so memory is bounded by one trace, those investors and what is
said on one day. Judging never feeds back, unless the run is gated.
"""

import gc
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from replay.collect import openai_endpoint
from replay.environments.fund_advice.advisors import Advisor, FrozenMessages, Reply, advisor_named
from replay.environments.fund_advice.endpoint import Endpoint, Recorded
from replay.environments.fund_advice.loop import Episode, Seat, Task, seats
from replay.environments.fund_advice.population import Population, investors
from replay.environments.fund_advice.program import Program
from scenarios.canonical import canonical_bytes, encode_exact
from scenarios.errors import ReplayError
from scenarios.files import build, growing_file, new_folder, open_file, read_answer, read_file, stream_lines
from scenarios.json_exact import read_json
from scenarios.manifest import RolloutTask, Theta
from scenarios.rollouts import RolloutConfig
from scenarios.sealed import join_lines, load_contract, load_manifest
from scenarios.traces import Trace, load_trace
from verifier.contract import Judge
from verifier.episodes import FAILED, EpisodeJudge

ASKED = "asked"
"""Folder of the answers of programs and models while a rollout is under way; they end in answers.jsonl."""
TASK_FILES = ("days.jsonl", "episodes.jsonl", "answers.jsonl", "verdicts.jsonl")
LANES = 108
"""Investors at work together in one process, at most."""

Write = Callable[[int, str, bytes], None]
"""Takes lines of a file of a task, each with its newline: (run, name of the file, lines)."""


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


class Done(NamedTuple):
    """What came of a task beside its files: its counts, and the head of each lane by name."""

    task: RolloutTask
    heads: dict[str, str]


def run_tasks(
    inputs: Inputs, advisor: str, runs: Sequence[int], write: Write, asked: Path | None = None
) -> dict[int, Done]:
    """Run tasks of one advisor side by side, judge what is said in them, and return what came of each by run.

    Args:
        inputs: of the rollout.
        advisor: one of them.
        runs: counted from 1.
        write: takes what they log, in order.
        asked: where the answers of an advisor outside this process are recorded as they come, a file for each run.

    Raises:
        ScenarioError, ReplayError, SealError: an input cannot be used, or `write` raises it.
    """
    trace, theta, config = trace_at(inputs.trace), load_theta(inputs.theta), inputs.config
    judging = EpisodeJudge(judge_by(inputs.contract), trace, advisor, config)
    heads: dict[int, dict[str, str]] = {run: {} for run in runs}
    days, episodes = dict.fromkeys(runs, 0), dict.fromkeys(runs, 0)

    def keep(run: int, lines: list[bytes], consulted: list[Episode]) -> None:
        write(run, "days.jsonl", join_lines(lines))
        for one in map(judging.judge, consulted):
            write(run, "episodes.jsonl", join_lines([encode_exact(one.record, ascii_keys=True)]))
            write(run, "answers.jsonl", join_lines(stored.line for stored in one.answers))
            write(run, "verdicts.jsonl", join_lines([one.line]))
        episodes[run] += len(consulted)

    with ExitStack() as open_for_the_task:
        open_for_the_task.enter_context(_set_aside())
        for lanes in _in_parts(inputs, advisor, runs, asked, open_for_the_task):
            task = Task(trace, lanes, theta, config, judging.admits if config.gate else None, keep=keep)
            task.go()
            for seat, lane in zip(lanes, task.lanes, strict=True):
                heads[seat.run][lane.name] = lane.head
                days[seat.run] += task.sessions
    return {run: Done(RolloutTask(advisor=advisor, run=run, days=days[run], episodes=episodes[run]), heads[run])
            for run in runs}


@contextmanager
def _set_aside() -> Iterator[None]:
    """Keep all that is there out of the search for garbage for a while: contract, phrases and market stay anyway.

    Where the caller has set something aside already, it is left at that.
    """
    if gc.get_freeze_count():
        yield
        return
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _in_parts(
    inputs: Inputs, advisor: str, runs: Sequence[int], asked: Path | None, open_for_the_task: ExitStack
) -> Iterator[list[Seat]]:
    """Yield the seats of the investors of all runs together if they are few, else run by run and part by part.

    What a run logs depends on its own parts alone.
    """
    config, population = inputs.config, load_members(inputs.population)
    taken = []
    for run in runs:
        advisors = _advisors(inputs, advisor, run, None if asked is None else asked / f"{run}.jsonl", open_for_the_task)
        people = investors(population, config.seed, run, config.investors)
        taken.append(seats(people, advisors, run, config.languages))
    if sum(map(len, taken)) <= LANES:
        yield list(chain.from_iterable(taken))
        return
    for lanes in taken:
        for first in range(0, len(lanes), LANES):
            yield lanes[first : first + LANES]


def store_tasks(inputs: Inputs, out: Path, advisor: str, runs: Sequence[int]) -> None:
    """Run tasks, each into its folder under a temporary name that is renamed when it is whole.

    Raises:
        ReplayError: a folder cannot be written; and as `run_tasks`.
    """
    with ExitStack() as opened:
        making = {run: opened.enter_context(new_folder(task_folder(out, advisor, run))) for run in runs}
        with ExitStack() as files:
            append = {(run, name): files.enter_context(growing_file(folder / name, task_folder(out, advisor, run)))
                      for run, folder in making.items() for name in (*TASK_FILES, "heads.json")}
            done = run_tasks(inputs, advisor, runs, lambda run, name, lines: append[run, name](lines),
                             out / ASKED / advisor)
            for run, one in done.items():
                append[run, "heads.json"](canonical_bytes({"heads": one.heads, "task": one.task.record()}) + b"\n")


class Compared(NamedTuple):
    """A task made anew beside its stored files.

    verdicts: digest of the new verdicts.jsonl. difference: the first line that differs, (file and line, stored,
    recomputed); None where all are equal.
    """

    done: Done
    verdicts: str
    difference: tuple[str, bytes, bytes] | None


def compare_tasks(inputs: Inputs, folder: Path, advisor: str, runs: Sequence[int]) -> list[Compared]:
    """Run tasks anew and compare them, line by line, with their stored files.

    Raises:
        ReplayError: a stored file cannot be read; and as `run_tasks`.
    """
    with ExitStack() as opened:
        stored = {(run, name): opened.enter_context(
                      _Stored(task_folder(folder, advisor, run) / name, f"tasks/{advisor}/{run}/{name}"))
                  for run in runs for name in TASK_FILES}
        done = run_tasks(inputs, advisor, runs, lambda run, name, lines: stored[run, name].compare(lines))
        found = []
        for run, one in done.items():
            files = [stored[run, name] for name in TASK_FILES]
            found.append(Compared(one, stored[run, "verdicts.jsonl"].digest.hexdigest(),
                                  next(filter(None, (file.first_difference() for file in files)), None)))
        return found


class _Stored:
    """A stored file, read beside the lines that it should hold. digest: of those."""

    def __init__(self, path: Path, name: str) -> None:
        self._file = open_file(path)
        self._name = name
        self._before = 0  # lines that were equal
        self._difference: tuple[str, bytes, bytes] | None = None
        self.digest = hashlib.sha256()

    def __enter__(self) -> "_Stored":
        return self

    def __exit__(self, *raised: object) -> None:
        self._file.close()

    def compare(self, lines: bytes) -> None:
        self.digest.update(lines)
        if self._difference is None:
            stored = self._file.read(len(lines))
            if stored == lines:
                self._before += lines.count(b"\n")
            else:
                self._differs(stored + self._file.readline(), lines)

    def first_difference(self) -> tuple[str, bytes, bytes] | None:
        if self._difference is None:
            rest = self._file.readline()
            if rest:
                self._differs(rest, b"")
        return self._difference

    def _differs(self, stored: bytes, fresh: bytes) -> None:
        pairs = zip_longest(stored.split(b"\n"), fresh.split(b"\n"))
        number, (old, new) = next((number, pair) for number, pair in enumerate(pairs, self._before + 1)
                                  if pair[0] != pair[1])
        self._difference = f"{self._name} line {number}", old or b"(no such line)", new or b"(no such line)"


def task_folder(out: Path, advisor: str, run: int) -> Path:
    """Return where a task lies in a rollout."""
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
        one = open_for_the_task.enter_context(frozen_advisor(name, task_folder(Path(how["answers"]), name, run)))
    elif how["kind"] == "program":
        one = open_for_the_task.enter_context(program_of(name, how))
    else:
        ask = openai_endpoint(**{member: value for member, value in how.items() if member != "kind"})
        one = Endpoint(name, ask, inputs.config.seed + run - 1)
    if how["kind"] != "frozen" and asked is not None:
        asked.parent.mkdir(parents=True, exist_ok=True)
        one = Recorded(one, asked)
    return dict.fromkeys(inputs.config.languages, one)


def program_of(name: str, how: Mapping[str, Any]) -> Program:
    """Return the program that answers under a name, not yet started."""
    return Program(name, how["command"], timeout_s=how["timeout_s"])


@contextmanager
def frozen_advisor(name: str, task: Path) -> Iterator[FrozenMessages]:
    """Hold an advisor that repeats the answers of a finished task, by the digest of each request.

    Raises:
        ReplayError: the task's answers cannot be read; also when it is asked.
    """
    path = task / "answers.jsonl"
    with open_file(path) as file:
        yield FrozenMessages(name, _Recorded(file, str(path)).reply_to)


class _Recorded:
    """The answers of a finished task by the digest of the request, read as they are asked for.

    Requests that come about as they were recorded find theirs a few lines on, and only what was passed on the way is
    held; one that stands nowhere further on is looked for in all of them.
    """

    def __init__(self, file: BinaryIO, where: str) -> None:
        self._file, self._where = file, where
        self._rest = self._read()
        self._passed: dict[str, list[Reply]] = {}
        self._all: dict[str, Reply] | None = None

    def reply_to(self, key: str) -> Reply | None:
        if self._all is None:
            passed = self._passed.pop(key, [])
            if passed:
                reply = passed.pop()
                if passed:
                    self._passed[key] = passed
                return reply
            for request, reply in self._rest:
                if request == key:
                    return reply
                self._passed.setdefault(request, []).append(reply)
            self._passed.clear()
            self._file.seek(0)
            self._all = dict(self._read())
        return self._all.get(key)

    def _read(self) -> Iterator[tuple[str, Reply]]:
        for number, line in stream_lines(self._file, self._where):
            answer = read_answer(line, f"{self._where} line {number}")
            reason = answer.finish_reason or ""
            yield str(answer.prompt_sha256), Reply(
                answer.text.encode() if answer.text else None, reason.removeprefix(FAILED) if not answer.text else "")


@lru_cache(maxsize=2)
def trace_at(path: Path) -> Trace:
    """Return the trace in a folder; the last ones are remembered."""
    return load_trace(path)


@lru_cache(maxsize=2)
def judge_by(path: Path) -> Judge:
    """Return the judge by the contract in a file; the last ones are remembered."""
    return Judge(load_contract(path))


def load_theta(path: Path) -> Theta:
    """Return the minds' configuration from its sealed file.

    Raises:
        ReplayError, SealError: it is unreadable, of another kind, or differs from its seal.
    """
    theta = load_manifest(path)
    if not isinstance(theta, Theta):
        raise ReplayError(str(path), "is no configuration of the mind", "name one such as theta-2.json")
    return theta


def load_members(path: Path) -> Population:
    """Return a population from its file.

    Raises:
        ReplayError: it does not fit the form.
    """
    return build(Population, read_json(read_file(path), str(path)), str(path))
