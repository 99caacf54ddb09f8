"""`audit freeze --steps`: consultations of a rollout as a sealed bank, judged there as they were in the rollout."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Audit
from tests.exports.rollouts import a_rollout, copy_of, lines
from tests.runs import reseal

ADVISORS = ("no-advisor", "personalized-rule", "redline")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return a_rollout(tmp_path_factory.mktemp("rollout") / "made", *ADVISORS)


def states(folder: Path, advisor: str) -> dict[str, tuple[str, dict[str, str]]]:
    """State and clauses by scenario, of both runs of the rollout."""
    return {one["scenario"]: (one["state"], one["clauses"])
            for run in (1, 2) for one in lines(folder, f"{advisor}/{run}", "verdicts")}


def test_the_bank_gives_the_verdicts_of_the_rollout(audit: Audit, made: Path, tmp_path: Path) -> None:
    bank, run = tmp_path / "bank", tmp_path / "run"
    assert audit("freeze", "--steps", made, "--out", bank).code == 0
    answers = [option for one in ADVISORS for option in ("--advisor", tmp_path / "bank-answers" / one)]
    outcome = audit("bank", "--bank", bank, *answers, "--contract", "conduct-1", "--out", run)

    assert outcome.code == 0
    judged = [json.loads(line) for line in (run / "verdicts.jsonl").read_bytes().splitlines()]
    assert {one["scenario"]: (one["state"], one["clauses"]) for one in judged} == {
        name: state for advisor in ADVISORS for name, state in states(made, advisor).items()}
    assert len(judged) == sum(len(states(made, advisor)) for advisor in ADVISORS)
    assert audit("replay", run / "manifest.json").code == 0


def test_the_scenarios_have_the_digests_that_the_rollout_recorded(audit: Audit, made: Path, tmp_path: Path) -> None:
    bank = tmp_path / "bank"
    assert audit("freeze", "--steps", made, "--out", bank, "--advisor", "redline", "--id", "steps-1").code == 0

    assert json.loads((bank / "manifest.json").read_bytes())["id"] == "steps-1"
    recorded = {one["scenario"] for run in (1, 2) for one in lines(made, f"redline/{run}", "episodes")}
    assert {path.stem for path in (bank / "scenarios").iterdir()} == recorded
    assert [path.name for path in (tmp_path / "bank-answers").iterdir()] == ["redline"]


def test_every_third_is_the_first_the_fourth_and_so_on_of_each_task(audit: Audit, made: Path, tmp_path: Path) -> None:
    bank = tmp_path / "bank"
    assert audit("freeze", "--steps", made, "--out", bank, "--advisor", "redline", "--every", 3).code == 0

    picked = [one["scenario"] for run in (1, 2) for one in lines(made, f"redline/{run}", "episodes")[::3]]
    assert sorted(path.stem for path in (bank / "scenarios").iterdir()) == sorted(picked)


def test_the_same_rollout_gives_the_same_seals(audit: Audit, made: Path, tmp_path: Path) -> None:
    said = [json.loads(audit("freeze", "--steps", made, "--out", tmp_path / name / "bank", "--json").out)
            for name in ("one", "two")]

    first, second = ([one["digest"] for one in documents] for documents in said)
    assert first == second
    assert len(first) == 1 + len(ADVISORS)


def test_a_consultation_that_is_not_the_recorded_one_is_named(audit: Audit, made: Path, tmp_path: Path) -> None:
    folder = copy_of(made, tmp_path / "copy")
    path = folder / "tasks" / "redline" / "1" / "episodes.jsonl"
    first, second, *rest = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join([first, second.replace('"horizon_years":', '"horizon_years":1', 1), *rest]), "utf-8")
    reseal(folder)
    outcome = audit("freeze", "--steps", folder, "--out", tmp_path / "bank", "--advisor", "redline")

    assert outcome.code == 3
    assert "redline/1/episodes.jsonl line 2: scenario redline.1." in outcome.err
    assert not (tmp_path / "bank").exists()


def test_nothing_is_overwritten(audit: Audit, made: Path, tmp_path: Path) -> None:
    (tmp_path / "bank-answers" / "redline").mkdir(parents=True)
    outcome = audit("freeze", "--steps", made, "--out", tmp_path / "bank")

    assert outcome.code == 3
    assert "bank-answers/redline: exists" in outcome.err
    assert not (tmp_path / "bank").exists()


@pytest.mark.parametrize(("arguments", "code", "said"), [
    (("--steps", "made"), 2, "--steps needs --out"),
    (("--steps", "made", "--out", "bank", "--runs", 2), 2, "--steps does not take --runs"),
    (("--every", 2, "folder"), 2, "PATH alone does not take --every"),
    ((), 2, "name a PATH"),
    (("--steps", "made", "--out", "bank", "--advisor", "nobody"), 3, "has no advisor 'nobody'"),
    (("--steps", "small-1", "--out", "bank"), 3, "small-1"),
])
def test_what_cannot_be_frozen_is_said(
    audit: Audit, made: Path, tmp_path: Path, arguments: tuple[object, ...], code: int, said: str
) -> None:
    places = {"made": made, "bank": tmp_path / "bank"}
    outcome = audit("freeze", *(places.get(str(one), one) for one in arguments))

    assert outcome.code == code
    assert said in outcome.err
