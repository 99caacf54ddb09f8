"""Rollouts: the same bytes however they are run, judged without touching the trajectory, and replayed whole."""

import gc
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from replay.environments.fund_advice.population import DEFAULT
from scenarios.errors import ReplayError, ScenarioError
from scenarios.load import SHIPPED
from scenarios.rollouts import RolloutConfig
from tests.runs import reseal
from verifier import rollouts
from verifier.replaying import Replayed, replay
from verifier.rollouts import Inputs, known_advisors, rollout

THREE = ("conservative-low-small", "balanced-medium-mid", "aggressive-high-large")
CONFIG: dict[str, Any] = {"seed": 7, "investors": THREE, "end": "2021-04-30"}
ADVISORS = ("no-advisor", "personalized-rule", "redline", "peeking")


def inputs(advisors: tuple[str, ...] = ADVISORS, **members: Any) -> Inputs:
    return Inputs(
        SHIPPED / "traces" / "small-1", SHIPPED / "configs" / "theta-1.json", DEFAULT,
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


def test_garbage_is_looked_for_as_often_after_a_task_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    during, before = [], gc.get_threshold()

    def broken(self: Any, episode: Any) -> Any:
        during.append(gc.get_threshold())
        raise ValueError("a bug")

    monkeypatch.setattr(rollouts.EpisodeJudge, "judge", broken)
    with pytest.raises(ValueError, match="a bug"):
        rollouts.run_task(inputs(), "no-advisor", 1)

    assert during[0][0] > before[0]
    assert gc.get_threshold() == before


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
    whole, asked = rollouts.run_task, []

    def dies_at_the_third(given: Inputs, advisor: str, run: int, *asked_in: Path) -> Any:
        asked.append(advisor)
        if len(asked) == 3:
            raise KeyboardInterrupt
        return whole(given, advisor, run)

    monkeypatch.setattr(rollouts, "run_task", dies_at_the_third)
    with pytest.raises(KeyboardInterrupt):
        rollout(inputs(), tmp_path / "x")
    rollout(inputs(), tmp_path / "x")

    assert asked == ["no-advisor", "personalized-rule", "redline", "redline", "peeking"]
    assert files(tmp_path / "x") == files(made)


def test_a_folder_of_other_inputs_is_refused_and_what_differs_is_named(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    rollouts._claim(tmp_path / "x", inputs())

    with pytest.raises(ReplayError, match="config"):
        rollout(inputs(seed=8), tmp_path / "x")
    with pytest.raises(ReplayError, match="advisors"):
        rollout(inputs(("no-advisor",)), tmp_path / "x")


def test_judging_does_not_touch_the_trajectory(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With no judgement at all, every day of every investor is the same."""

    def silent(self: Any, episode: Any) -> Any:
        scenario, _ = self.scenario(episode)
        answers = self.answers(episode, scenario)
        return rollouts.JudgedEpisode(rollouts._episode_record(episode, "", answers), answers, None, b"{}")  # type: ignore[arg-type]

    monkeypatch.setattr(rollouts.EpisodeJudge, "judge", silent)
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
    heard = lines(tmp_path / "gated", "redline/1", "verdicts.jsonl")

    assert any(turn.get("withheld") for turn in turns)
    assert len(heard) == len(lines(tmp_path / "gated", "redline/1", "episodes.jsonl"))
    assert replay(tmp_path / "gated").difference is None


def test_frozen_answers_give_the_same_rollout(made: Path, tmp_path: Path) -> None:
    given = inputs()._replace(advisors=known_advisors((str(made),)))
    rollout(given, tmp_path / "again")

    for task in ("personalized-rule/1", "redline/1", "peeking/1"):
        for name in rollouts.TASK_FILES:
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
