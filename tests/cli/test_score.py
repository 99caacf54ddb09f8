"""`audit score`, `audit compare` over rollouts, `audit reproduce shijian`: arguments in; exit code and output out."""

import json
from pathlib import Path

import pytest

from scenarios.load import SHIPPED
from tests.cli.conftest import Audit
from tests.verifier.impact.folders import a_talk, write_rollout

SILENT = [a_talk(10, state="ABSTAINED")]
GOOD = [a_talk(10, scores=(1, 2, 2), satisfaction_e4=8_000)]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_rollout(tmp_path_factory.mktemp("score"), {"no-advisor": SILENT, "good": GOOD}, runs=2)


def test_score(audit: Audit, run: Path) -> None:
    found = audit("score", run, "--resamples", 0)

    assert found.code == 0
    assert "Full horizon" in found.out
    assert "Sensitivity" not in found.out
    assert "good" in found.out


def test_sensitivity(audit: Audit, run: Path) -> None:
    assert "risk_unit x1/2" in audit("score", run, "--resamples", 0, "--sensitivity").out


def test_scores_as_json_and_in_a_file_are_the_same(audit: Audit, run: Path, tmp_path: Path) -> None:
    out = tmp_path / "scores.json"
    found = audit("score", run, "--resamples", 0, "--json", "--out", out)
    digest = json.loads((run / "manifest.json").read_bytes())["digest"]

    assert found.code == 0
    assert json.loads(found.out) == json.loads(out.read_bytes())
    assert json.loads(found.out)["rollouts"] == [{"id": "toy", "digest": digest}]


def test_nothing_is_written_into_a_sealed_folder(audit: Audit, run: Path) -> None:
    found = audit("score", run, "--resamples", 0, "--out", run / "scores.json")

    assert found.code == 2
    assert "is sealed" in found.err
    assert not (run / "scores.json").exists()


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        pytest.param(("--baseline", "nobody"), "holds no advisor nobody", id="no such baseline"),
        pytest.param(("--config", "theta-2"), "no configuration of scores", id="another document as configuration"),
        pytest.param(("--config", "no-such"), "no such file", id="no such configuration"),
        pytest.param(("--trace", "no-such"), "no such file", id="no such trace"),
    ],
)
def test_what_cannot_be_scored(audit: Audit, run: Path, arguments: tuple[str, ...], what: str) -> None:
    found = audit("score", run, *arguments)

    assert found.code == 3
    assert what in found.err


def test_a_bank_is_no_rollout(audit: Audit) -> None:
    assert audit("score", SHIPPED / "bank-1").code == 3


def test_compare_rollouts(audit: Audit, run: Path, tmp_path: Path) -> None:
    other = write_rollout(tmp_path, {"no-advisor": SILENT, "better": GOOD}, runs=2)
    found = audit("compare", run, other)

    assert found.code == 0
    assert "2 rollouts on trace small-1, 2 advisors against no-advisor" in found.out
    assert "S_Total by regime" in found.out


def test_rollouts_that_differ_in_more_than_the_advisor_are_refused(audit: Audit, run: Path, tmp_path: Path) -> None:
    other = write_rollout(tmp_path, {"no-advisor": SILENT, "better": GOOD}, runs=2, seed=2, max_turns=6)
    found = audit("compare", run, other)

    assert found.code == 2
    assert "config/max_turns: 3 and 6\nconfig/seed: 1 and 2\n" in found.err
    assert "tasks/" not in found.err


def test_rollouts_are_not_compared_with_banks(audit: Audit, run: Path) -> None:
    found = audit("compare", run, SHIPPED / "bank-1")

    assert found.code == 2
    assert "like with like" in found.err
