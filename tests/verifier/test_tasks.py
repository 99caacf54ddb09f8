"""Tasks: side by side or alone, whole or in parts, the same lines; read again in bounded memory."""

import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.environments.fund_advice.advisors import Reply
from replay.environments.fund_advice.population import Member, load_population
from scenarios.canonical import canonical_bytes, encode_exact
from scenarios.errors import ReplayError
from scenarios.types import Answer
from tests.verifier.test_rollouts import inputs, lines
from verifier import rollouts, tasks
from verifier.impact.reading import open_rollout
from verifier.replaying import replay
from verifier.rollouts import rollout

Files = dict[tuple[int, str], bytes]
TWO = ("no-advisor", "personalized-rule")


def logged(given: tasks.Inputs, advisor: str, runs: tuple[int, ...]) -> Files:
    found: Files = {(run, name): b"" for run in runs for name in tasks.TASK_FILES}

    def write(run: int, name: str, more: bytes) -> None:
        found[run, name] += more

    tasks.run_tasks(given, advisor, runs, write)
    return found


@pytest.mark.parametrize("gate", [False, True])
def test_runs_side_by_side_log_what_each_logs_alone(gate: bool) -> None:
    given = inputs(runs=3, gate=gate)
    alone: Files = {}
    for run in (1, 2, 3):
        alone |= logged(given, "redline", (run,))

    assert alone[1, "days.jsonl"] != alone[2, "days.jsonl"]
    assert logged(given, "redline", (1, 2, 3)) == alone
    assert logged(given, "redline", (3, 1)) == {key: data for key, data in alone.items() if key[0] != 2}


def test_a_population_in_parts_lives_the_same_days(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = inputs(TWO, runs=2)
    rollout(given, tmp_path / "whole")
    monkeypatch.setattr(tasks, "LANES", 2)  # of three investors
    rollout(given, tmp_path / "parts")

    for task in ("no-advisor/1", "personalized-rule/1", "personalized-rule/2"):
        whole, parts = (lines(tmp_path / one, task, "days.jsonl") for one in ("whole", "parts"))
        assert [line["i"] for line in parts] != [line["i"] for line in whole]
        assert [line for place in range(3) for line in whole if line["i"] == place] == parts_by_place(parts)
    assert replay(tmp_path / "parts").difference is None
    one, other = (open_rollout(tmp_path / name).arm("personalized-rule", 2, 1) for name in ("whole", "parts"))
    assert one.courses == other.courses
    assert sorted(one.consulted) == sorted(other.consulted)


def parts_by_place(days: list[dict[str, int]]) -> list[dict[str, int]]:
    return [line for place in range(3) for line in days if line["i"] == place]


@given(
    runs=st.integers(1, 12), jobs=st.integers(1, 8), people=st.integers(1, 27),
    done=st.sets(st.tuples(st.sampled_from(["no-advisor", "mine", "redline"]), st.integers(1, 12))),
)
def test_every_missing_task_is_in_one_group(
    runs: int, jobs: int, people: int, done: set[tuple[str, int]]
) -> None:
    """In order, at most 108 investors together, of even size, and a program's runs one after the other."""
    members = tuple(one.id for one in load_population().members[:people])
    given_ = inputs(("no-advisor", "redline"), investors=members)
    given_ = given_._replace(advisors={**given_.advisors, "mine": {"kind": "program", "command": ["x"]}})
    missing = [(name, run) for name in given_.advisors for run in range(1, runs + 1) if (name, run) not in done]
    groups = rollouts._groups(missing, given_, jobs)

    assert [(name, run) for name, together in groups for run in together] == missing
    for name in given_.advisors:
        sizes = [len(together) for one, together in groups if one == name]
        assert max(sizes, default=1) - min(sizes, default=1) <= 1
        assert max(sizes, default=1) <= (1 if name == "mine" else max(1, tasks.LANES // people))
    assert len(groups) >= min(len(missing), 2 * jobs)


def crowd(folder: Path, times: int) -> tasks.Inputs:
    """The shipped population so many times."""
    shipped = load_population()
    members = tuple(Member(**{**one.model_dump(), "id": f"{one.id}-{number}"})
                    for number in range(times) for one in shipped.members)
    path = folder / f"{times}.json"
    path.write_bytes(canonical_bytes(shipped.model_copy(update={"members": members}).record()))
    return inputs(investors=None, end=None)._replace(population=path)


def test_memory_does_not_grow_with_the_number_of_investors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "LANES", 27)

    def peak(given: tasks.Inputs) -> tuple[int, int]:
        size = 0

        def count(run: int, name: str, more: bytes) -> None:
            nonlocal size
            size += len(more)

        tracemalloc.start()
        tasks.run_tasks(given, "no-advisor", [1], count)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most, size

    one, eight = crowd(tmp_path, 1), crowd(tmp_path, 8)
    peak(eight)  # what a process remembers of sentences is bounded, and full now
    (few, short), (many, long) = peak(one), peak(eight)

    assert long > 7 * short
    assert many - few < (long - short) / 4  # the population itself


def stored(texts: list[tuple[str, str]]) -> bytes:
    """The answers file of a task: the request's key and what was said, in order."""
    return b"".join(
        encode_exact(Answer(scenario="s", run=1, turn=1, text=said, prompt_sha256=key).record()) + b"\n"
        for key, said in texts)


KEYS = st.sampled_from([letter * 64 for letter in "abcd"])


@given(recorded=st.lists(KEYS, max_size=8), asked=st.lists(KEYS, max_size=12))
def test_frozen_answers_are_found_in_any_order(
    tmp_path_factory: pytest.TempPathFactory, recorded: list[str], asked: list[str]
) -> None:
    """Whatever was asked before, a request gets its recorded reply; one that was never recorded gets none."""
    folder = tmp_path_factory.mktemp("task")
    (folder / "answers.jsonl").write_bytes(stored([(key, f"to {key}") for key in recorded]))

    with tasks.frozen_advisor("a", folder) as frozen:
        for key in asked:
            assert frozen.recall(key) == (Reply(f"to {key}".encode()) if key in recorded else None)


def test_answers_that_come_as_recorded_are_not_held(tmp_path: Path) -> None:
    keys = [f"{number:064x}" for number in range(500)]
    (tmp_path / "answers.jsonl").write_bytes(stored([(key, "x" * 1_000) for key in keys]))

    with tasks.frozen_advisor("a", tmp_path) as frozen:
        tracemalloc.start()
        for one, other in zip(keys[::2], keys[1::2], strict=True):  # two investors of a day, in another order
            assert frozen.recall(other) == frozen.recall(one) == Reply(b"x" * 1_000)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()

    assert peak < 100_000


def test_a_cut_answers_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "answers.jsonl").write_bytes(stored([("a" * 64, "yes")])[:-1])

    with tasks.frozen_advisor("a", tmp_path) as frozen, pytest.raises(ReplayError, match="line 1: the last line is"):
        frozen.recall("a" * 64)


def cut_last(data: bytes) -> bytes:
    return b"".join(data.splitlines(keepends=True)[:-1])


def add_one(data: bytes) -> bytes:
    return data + b"{}\n"


def change_last(data: bytes) -> bytes:
    *before, last = data.splitlines(keepends=True)
    return b"".join(before) + last.replace(b'"k":', b'"K":').replace(b'"d":', b'"D":')


@pytest.mark.parametrize(
    ("change", "stored_line", "beyond"),
    [
        pytest.param(cut_last, b"(no such line)", 0, id="the last line is missing"),
        pytest.param(add_one, b"{}", 1, id="a line more"),
        pytest.param(change_last, None, 0, id="the last line is another"),
    ],
)
def test_the_first_line_that_differs_is_named(
    tmp_path: Path, change: Callable[[bytes], bytes], stored_line: bytes | None, beyond: int
) -> None:
    given = inputs(("no-advisor",))
    rollout(given, tmp_path / "x")
    days = tmp_path / "x/tasks/no-advisor/1/days.jsonl"
    whole = days.read_bytes()
    days.write_bytes(change(whole))
    (found,) = tasks.compare_tasks(given, tmp_path / "x", "no-advisor", [1])
    last = len(whole.splitlines())

    assert found.difference is not None
    where, old, new = found.difference
    assert where == f"tasks/no-advisor/1/days.jsonl line {last + beyond}"
    assert old == (stored_line or change_last(whole).splitlines()[-1])
    assert new == (b"(no such line)" if beyond else whole.splitlines()[-1])
