"""Model judges: read strictly, bound to the answers that they saw, compared exactly, and never in the gate."""

import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from replay.collect import Message, Reply
from replay.judging import Judging, collect_judgements, episodes_of
from scenarios.conduct_bank import BANK, label_lines, seal_answers, seal_bank
from scenarios.errors import ReplayError
from scenarios.files import write_folder
from scenarios.load import load_answers, load_bank
from scenarios.manifest import Reference
from tests.verifier.conduct import the_judge
from verifier.bank import sealed_run
from verifier.cli.judge import command
from verifier.judges import JudgeColumn, agree, content, judged_column, load_judge_column, load_labels, read_scores
from verifier.replaying import replay

FULL = {"compliance": 1, "accuracy": 2, "personalization": 2, "logic": 2, "realism": 2}


@pytest.mark.parametrize(
    ("text", "scores"),
    [
        pytest.param(json.dumps(FULL), FULL, id="the object"),
        pytest.param(f"\n {json.dumps(FULL)} \n", FULL, id="blanks around it"),
        pytest.param(json.dumps({**FULL, "accuracy": 3}), None, id="out of range"),
        pytest.param(json.dumps({**FULL, "compliance": 2}), None, id="compliance is 0 or 1"),
        pytest.param(json.dumps({**FULL, "logic": -1}), None, id="negative"),
        pytest.param(json.dumps({**FULL, "logic": "2"}), None, id="a number as text"),
        pytest.param(json.dumps({**FULL, "logic": True}), None, id="a truth value"),
        pytest.param(json.dumps({**FULL, "logic": 1.0}), None, id="a decimal"),
        pytest.param(json.dumps({**FULL, "why": "so"}), None, id="one member more"),
        pytest.param(json.dumps({"compliance": 1}), None, id="members left out"),
        pytest.param(json.dumps(FULL)[:-1] + ', "logic": 0}', None, id="a member twice"),
        pytest.param(f"```json\n{json.dumps(FULL)}\n```", None, id="a fenced block"),
        pytest.param(f"Scores: {json.dumps(FULL)}", None, id="words around it"),
        pytest.param(f"[{json.dumps(FULL)}]", None, id="a list"),
        pytest.param("", None, id="nothing"),
        pytest.param("\ud800", None, id="no Unicode text"),
    ],
)
def test_anything_but_the_object_is_unreadable(text: str, scores: dict[str, int] | None) -> None:
    """Never guessed: a judge that cannot follow the form is counted as such."""
    assert read_scores(text) == scores


class Scripted:
    """A judge that answers from a list, in turn."""

    def __init__(self, *texts: str) -> None:
        self.texts = texts
        self.asked = 0

    def __call__(self, messages: Sequence[Message], schema: dict[str, Any] | None, seed: int | None) -> Reply:
        self.asked += 1
        return Reply(self.texts[(self.asked - 1) % len(self.texts)], "stop", None, 1, "2026-01-02T03:04:05Z", None)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of two advisors, and a judge in two prompt variants that saw all of it but the last episode."""
    folder = tmp_path_factory.mktemp("judges")
    write_folder(folder / BANK, seal_bank())
    bank = load_bank(folder / BANK)
    for advisor in ("careful", "reckless"):
        write_folder(folder / advisor, seal_answers(advisor, bank.reference))
    advisors = [load_answers(folder / advisor, bank) for advisor in ("careful", "reckless")]
    write_folder(folder / "run", sealed_run(the_judge(), bank, advisors, "tolerant-1")[2])
    refused = json.dumps({**FULL, "compliance": 0, "accuracy": 0, "personalization": 0})
    said = {"rubric": (json.dumps(FULL), refused, "I cannot say."), "brief": (json.dumps(FULL), refused)}
    for variant, texts in said.items():
        judging = Judging(
            f"model-{variant}", bank.reference, tuple(Reference(id=one.id, digest=one.digest) for one in advisors),
            tuple(episodes_of(bank, advisors))[:-1], variant, False, None, "test", "m", {},
        )
        collect_judgements(judging, Scripted(*texts), folder / f"model-{variant}", lambda stored, planned: None)
    (folder / "labels.jsonl").write_bytes(label_lines())
    return folder


def test_a_judges_column_counts_what_it_could_not_read(folder: Path) -> None:
    own, manifest, _ = judged_column(folder / "run")
    column = load_judge_column(folder / "model-rubric", manifest, sorted(own.scores))

    assert len(column.scores) + column.unreadable + column.missing == len(own.scores)
    assert column.missing == 1 and column.unreadable > 20


def test_a_judge_of_other_answers_is_refused(folder: Path) -> None:
    _, manifest, _ = judged_column(folder / "run")
    other = manifest.advisors[0].model_copy(update={"digest": "0" * 64})
    changed = manifest.model_copy(update={"advisors": (other, *manifest.advisors[1:])})

    with pytest.raises(ReplayError, match="other answers of careful"):
        load_judge_column(folder / "model-rubric", changed, [])
    with pytest.raises(ReplayError, match="not the run's"):
        load_judge_column(folder / "model-rubric", manifest.model_copy(update={"bank": other}), [])


def test_a_judges_folder_replays(folder: Path) -> None:
    assert replay(folder / "model-brief", bank_path=folder / BANK).difference is None


def a_column(name: str, *scores: tuple[str, int, int], **members: str) -> JudgeColumn:
    return JudgeColumn(name, members.get("model", ""), members.get("variant", ""), {
        (advisor, f"s{number}", 1): {**FULL, "compliance": compliance, "accuracy": accuracy}
        for number, (advisor, compliance, accuracy) in enumerate(scores)
    })


def test_agreement_is_over_what_both_scored() -> None:
    left = a_column("a", ("x", 1, 0), ("x", 1, 2), ("y", 1, 1), ("y", 0, 0), model="m", variant="rubric")
    right = a_column("b", ("x", 1, 0), ("x", 1, 1), ("y", 1, 1), model="m", variant="brief")
    found = agree(left, right)

    assert found.counts == dict.fromkeys(FULL, 3) and found.kind == "prompt variants"
    assert found.kappa["accuracy"] == Fraction(2, 3) and found.kappa["logic"] is None
    assert found.content is not None and found.content.printed(2) == "0.87"


def test_behind_a_redline_the_content_is_worth_nothing() -> None:
    assert content({**FULL, "compliance": 0}) == 0
    assert content(FULL) == 100
    assert content({**FULL, "accuracy": 0}) == 70
    assert content({"compliance": 1}) is None


def test_labels_are_read_once_each(tmp_path: Path) -> None:
    line = b'{"accuracy":2,"advisor":"a","run":1,"scenario":"s"}\n'
    (tmp_path / "labels").write_bytes(line)

    assert load_labels(tmp_path / "labels").scores == {("a", "s", 1): {"accuracy": 2}}
    (tmp_path / "labels").write_bytes(line * 2)
    with pytest.raises(ReplayError, match="line 2"):
        load_labels(tmp_path / "labels")


def test_the_command_prints_all_of_it(folder: Path) -> None:
    judges = [part for name in ("model-rubric", "model-brief") for part in ("--judge", str(folder / name))]
    result = CliRunner().invoke(command, [str(folder / "run"), *judges, "--labels", str(folder / "labels.jsonl")])

    assert result.exit_code == 0, result.output
    assert "rules / labels" in result.output and "prompt variants" in result.output and "length" in result.output


def test_the_command_as_json(folder: Path) -> None:
    result = CliRunner().invoke(command, [str(folder / "run"), "--labels", str(folder / "labels.jsonl"), "--json"])
    said = json.loads(result.output)

    kappa = {name: Fraction(value) for name, value in said["agreement"][0]["kappa"].items()}
    assert min(kappa.values()) >= Fraction(7, 10)
    assert kappa["compliance"] >= Fraction(4, 5)
    assert [one["name"] for one in said["judges"]] == ["rules", "labels"]
