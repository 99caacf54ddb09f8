"""Rollouts: the same bytes however they are run, judged without touching the trajectory, and replayed whole."""

import gc
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from replay.environments.fund_advice.loop import Task, Turn, seats
from replay.environments.fund_advice.population import DEFAULT, investors, load_population
from scenarios.errors import AuditError, ReplayError, ScenarioError
from scenarios.load import SHIPPED
from scenarios.rollouts import RolloutConfig
from scenarios.traces import load_trace
from tests.runs import reseal
from verifier import episodes, rollouts, tasks
from verifier.contract import BoundContract
from verifier.replaying import Replayed, replay
from verifier.rollouts import known_advisors, rollout
from verifier.tasks import Inputs

THREE = ("conservative-low-small", "balanced-medium-mid", "aggressive-high-large")
CONFIG: dict[str, Any] = {"seed": 7, "investors": THREE, "end": "2021-04-30"}
ADVISORS = ("no-advisor", "personalized-rule", "redline", "peeking")


def inputs(advisors: tuple[str, ...] = ADVISORS, **members: Any) -> Inputs:
    return Inputs(
        SHIPPED / "traces" / "small-1", SHIPPED / "configs" / "theta-2.json", DEFAULT,
        SHIPPED / "contracts" / "conduct-1.json", RolloutConfig(**{**CONFIG, **members}), known_advisors(advisors),
    )


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def lines(folder: Path, task: str, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "tasks" / task / name).read_bytes().splitlines()]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rollout") / "made"
    rollout(inputs(), folder)
    return folder


@pytest.fixture
def copy(made: Path, tmp_path: Path) -> Path:
    for name, data in files(made).items():
        (tmp_path / "copy" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "copy" / name).write_bytes(data)
    return tmp_path / "copy"


def test_what_is_set_aside_from_the_search_for_garbage_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    during = []

    def broken(self: Any, episode: Any) -> Any:
        during.append(gc.get_freeze_count())
        raise ValueError("a bug")

    monkeypatch.setattr(episodes.EpisodeJudge, "judge", broken)
    with pytest.raises(ValueError, match="a bug"):
        tasks.run_tasks(inputs(), "no-advisor", [1], lambda run, name, lines: None)

    assert during[0] > 0 == gc.get_freeze_count()


def test_it_replays(made: Path) -> None:
    found = replay(made)

    assert (found.kind, found.difference, found.note) == ("rollout", None, "")
    assert found.stages[-1] == "summary"


def test_workers_do_not_change_a_byte(made: Path, tmp_path: Path) -> None:
    rollout(inputs(), tmp_path / "two", jobs=2)

    assert files(tmp_path / "two") == files(made)


def test_an_interrupted_rollout_goes_on_to_the_same_bytes(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, asked = tasks.run_tasks, []

    def dies_at_the_third(given: Inputs, advisor: str, *more: Any) -> Any:
        asked.append(advisor)
        if len(asked) == 3:
            raise KeyboardInterrupt
        return whole(given, advisor, *more)

    monkeypatch.setattr(tasks, "run_tasks", dies_at_the_third)
    with pytest.raises(KeyboardInterrupt):
        rollout(inputs(), tmp_path / "x")
    rollout(inputs(), tmp_path / "x")

    assert asked == ["no-advisor", "personalized-rule", "redline", "redline", "peeking"]
    assert files(tmp_path / "x") == files(made)


def test_a_folder_of_other_inputs_is_refused_and_what_differs_is_named(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    rollouts._claim(tmp_path / "x", inputs())

    with pytest.raises(ReplayError, match=r"\(config/seed: 7 there, 8 now\)"):
        rollout(inputs(seed=8), tmp_path / "x")
    with pytest.raises(ReplayError, match=r"\(advisors/peeking/kind: rule there, nothing now; advisors/pers"):
        rollout(inputs(("no-advisor",)), tmp_path / "x")


@pytest.mark.parametrize("left", [b"", b'{"advisors":{"no-ad', b"3\n"])
def test_a_folder_whose_claim_was_cut_is_refused(tmp_path: Path, left: bytes) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "inputs.json").write_bytes(left)

    with pytest.raises(AuditError, match=re.escape(str(tmp_path / "x"))):
        rollout(inputs(), tmp_path / "x")


def test_a_claim_that_was_never_finished_is_none(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / ".inputs.json.1.part").write_bytes(b'{"advisors":{"no-ad')
    rollout(inputs(("no-advisor",), end="2021-02-26"), tmp_path / "x")

    assert replay(tmp_path / "x").difference is None


def test_judging_does_not_touch_the_trajectory(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With no judgement at all, every day of every investor is the same."""

    def silent(self: Any, episode: Any) -> Any:
        scenario, _ = self.scenario(episode)
        answers = self.answers(episode, scenario)
        return episodes.JudgedEpisode(episodes._episode_record(episode, "", answers), answers, None, b"{}")  # type: ignore[arg-type]

    monkeypatch.setattr(episodes.EpisodeJudge, "judge", silent)
    rollout(inputs(), tmp_path / "x")

    assert (tmp_path / "x" / "tasks/redline/1/days.jsonl").read_bytes() == (
        made / "tasks/redline/1/days.jsonl").read_bytes()


def test_arms_share_every_draw_until_somebody_is_advised(made: Path) -> None:
    base, advised = (lines(made, f"{name}/1", "days.jsonl") for name in ("no-advisor", "personalized-rule"))
    first = min(one["d"] for one in advised if one.get("k"))

    assert [one for one in base if one["d"] < first] == [one for one in advised if one["d"] < first]
    assert base != advised


def test_no_advisor_says_nothing_and_is_not_judged(made: Path) -> None:
    verdicts = lines(made, "no-advisor/1", "verdicts.jsonl")

    assert verdicts and {one["state"] for one in verdicts} == {"ABSTAINED"}
    assert not any("judgement" in one for one in verdicts)


def test_the_redline_advisor_is_caught(made: Path) -> None:
    judged = [one["judgement"] for one in lines(made, "redline/1", "verdicts.jsonl") if "judgement" in one]

    assert any(one["compliance"] == 0 for one in judged)


def test_the_peeking_advisor_is_refused(made: Path) -> None:
    turns = [turn for one in lines(made, "peeking/1", "episodes.jsonl") for turn in one["turns"]]

    assert turns and all(turn["failure"].startswith("refused: ") for turn in turns)


def test_a_gated_run_withholds_what_is_inadmissible(made: Path, tmp_path: Path) -> None:
    rollout(inputs(("no-advisor", "redline"), gate=True), tmp_path / "gated")
    turns = [turn for one in lines(tmp_path / "gated", "redline/1", "episodes.jsonl") for turn in one["turns"]]
    days = [[day for day in lines(tmp_path / "gated", f"{name}/1", "days.jsonl") if "h" not in day]
            for name in ("no-advisor", "redline")]

    assert turns and all(turn.get("withheld") for turn in turns)
    assert days[0] == days[1], "what is withheld leaves the course of silence"
    assert replay(tmp_path / "gated").difference is None


class _Canned:
    """Says these answers, one a turn."""

    id = "canned"

    def __init__(self, *answers: bytes | None) -> None:
        self.answers = answers

    def answer(self, request: bytes) -> bytes | None:
        spoken = [one["speaker"] for one in json.loads(request)["dialogue"]]
        return self.answers[spoken.count("client") - 1]


GUARANTEE = b"I guarantee a return of 20 % with no risk."
CALM = b"Prices may fall, and nobody knows when."


def test_a_gate_needs_a_clause_to_gate_by(tmp_path: Path) -> None:
    given = inputs(gate=True)._replace(contract=SHIPPED / "contracts" / "base-1.json")

    with pytest.raises(ScenarioError, match=r"base-1: holds no clause COND"):
        rollout(given, tmp_path / "gated")
    assert not (tmp_path / "gated").exists()


def gated(*answers: bytes | None) -> list[Turn]:
    """Return the turns of a gated consultation on the first day in which an advisor answers so."""
    given = inputs(gate=True)
    trace, config = load_trace(given.trace), given.config
    people = investors(load_population(), config.seed, 1, config.investors)
    canned, judging = _Canned(*answers), episodes.EpisodeJudge(tasks.judge_by(given.contract), trace, "x", config)
    lanes = seats(people, dict.fromkeys(config.languages, canned), 1, config.languages)
    task = Task(trace, lanes, tasks.load_theta(given.theta), config, judging.admits)
    task.accounts.open_session(task.first)
    talk = task._open_talk(0, task.first, task.accounts.observe())
    for turn in range(1, len(answers) + 1):
        heard = task._exchange(0, talk, 0, turn)
        assert heard == talk.turns[-1].heard
    return talk.turns


def test_what_is_withheld_is_not_told_to_the_advisor_as_said() -> None:
    turns = gated(GUARANTEE, CALM, GUARANTEE)
    asked = [[one["speaker"] for one in json.loads(turn.request)["dialogue"]] for turn in turns]

    assert [turn.withheld for turn in turns] == [True, False, True]
    assert [turn.heard for turn in turns] == [None, CALM.decode(), None]
    assert asked == [["client"], ["client", "client"], ["client", "client", "advisor", "client"]]


@pytest.mark.parametrize(
    ("answer", "withheld"),
    [
        pytest.param(None, False, id="silence"),
        pytest.param(CALM, False, id="words"),
        pytest.param(json.dumps({"message": CALM.decode()}).encode(), False, id="a message"),
        pytest.param(GUARANTEE, True, id="a redline"),
        pytest.param(b'{"plan": {}, "message": "Keep calm."}', True, id="malformed: a key that nobody reads"),
        pytest.param(b'{"message": "Keep calm.", "message": "Buy."}', True, id="malformed: said twice"),
        pytest.param(b'{"message": "Keep ca', True, id="truncated"),
    ],
)
def test_the_gate_lets_pass_what_was_judged_and_found_right(answer: bytes | None, withheld: bool) -> None:
    assert [turn.withheld for turn in gated(answer, CALM, answer)] == [withheld, False, withheld]


def test_the_gate_withholds_where_a_clause_cannot_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Any, action: Any) -> Any:
        return "ERROR", {"COND01": "PASS", "GRND01": "ERROR"}, ()

    monkeypatch.setattr(BoundContract, "decide", broken)

    assert [turn.withheld for turn in gated(CALM, CALM, None)] == [True, True, False]


def test_frozen_answers_give_the_same_rollout(made: Path, tmp_path: Path) -> None:
    given = inputs()._replace(advisors=known_advisors((str(made),)))
    rollout(given, tmp_path / "again")

    for task in ("personalized-rule/1", "redline/1", "peeking/1"):
        for name in tasks.TASK_FILES:
            assert (tmp_path / "again/tasks" / task / name).read_bytes() == (made / "tasks" / task / name).read_bytes()


def _change(path: Path, old: bytes, new: bytes) -> None:
    data = path.read_bytes()
    assert old in data
    path.write_bytes(data.replace(old, new, 1))


def a_day(run: Path) -> None:
    _change(run / "tasks/redline/1/days.jsonl", b'"a":2', b'"a":0')


def a_verdict(run: Path) -> None:
    _change(run / "tasks/redline/1/verdicts.jsonl", b'"PASS"', b'"FAIL"')


def an_answer(run: Path) -> None:
    _change(run / "tasks/personalized-rule/1/answers.jsonl", b"yuan", b"euro")


def an_episode(run: Path) -> None:
    _change(run / "tasks/personalized-rule/1/episodes.jsonl", b'"language":"en"', b'"language":"zh"')


@pytest.mark.parametrize("tamper", [a_day, a_verdict, an_answer, an_episode])
@pytest.mark.parametrize("sealed_anew", [False, True])
def test_a_change_is_named(copy: Path, tamper: Callable[[Path], None], sealed_anew: bool) -> None:
    tamper(copy)
    if sealed_anew:
        reseal(copy)
    found: Replayed = replay(copy)

    assert found.difference is not None
    assert "tasks/" in found.difference.record


def test_another_trace_is_refused(copy: Path, tmp_path: Path) -> None:
    def elsewhere(manifest: Mapping[str, Any]) -> dict[str, Any]:
        return {**manifest["trace"], "digest": "0" * 64}

    reseal(copy, trace=elsewhere(json.loads((copy / "manifest.json").read_bytes())))
    found = replay(copy)

    assert found.difference is not None and "#/trace" in found.difference.record


@pytest.mark.parametrize(
    ("members", "says"),
    [
        pytest.param({"start": "2030-01-01", "end": None}, "no session from 2030-01-01;", id="days beyond the trace"),
        pytest.param({"investors": ("nobody",)}, "no investor 'nobody'", id="an investor who is nobody"),
    ],
)
def test_inputs_that_do_not_fit_leave_nothing_behind(tmp_path: Path, members: dict[str, Any], says: str) -> None:
    with pytest.raises(ScenarioError, match=says):
        rollout(inputs(**members), tmp_path / "x")

    assert not (tmp_path / "x").exists()
