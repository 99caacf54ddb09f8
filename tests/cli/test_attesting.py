"""`audit waive` and `audit sign`, and what `verify` and `replay` say afterwards."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Audit
from tests.runs import a_small_run

CASE = "agreement-split/cash-sub-tranche-03/1"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return a_small_run(tmp_path)


def waive(audit: Audit, run: Path, *more: str) -> int:
    return audit("waive", run, "--clause", "COST01", "--case", CASE, "--by", "Ana", "--reason", "small account",
                 "--expires", "2026-06-30", "--at", "2026-01-05", *more).code


def test_a_waiver_past_its_expiry_fails_again(audit: Audit, run: Path) -> None:
    assert waive(audit, run) == 0
    assert audit("replay", run).code == 0
    assert audit("replay", run, "--as-of", "2026-06-30").code == 0
    late = audit("replay", run, "--as-of", "2026-07-01", "--json")

    assert late.code == 1
    assert json.loads(late.out)["standing"]["expired"] == [[CASE, "COST01"]]
    assert f"COST01 in {CASE} fails again" in audit("replay", run, "--as-of", "2026-07-01").out


def test_a_decision_is_listed_and_checked(audit: Audit, run: Path) -> None:
    signed = audit("sign", run, "--by", "Bo", "--decision", "escalate", "--note", "see the splits", "--at",
                   "2026-01-06", "--json")
    listed = json.loads(audit("verify", run, "--json").out)

    assert signed.code == 0
    assert listed["holds"] and listed["attestations"][0]["statement"] == "decision"
    assert listed["attestations"][0]["digest"] == json.loads(signed.out)["digest"]
    (run / "attestations" / "001.json").write_bytes(b"{}\n")
    assert audit("verify", run).code == 3
    assert audit("replay", run).code == 3


@pytest.mark.parametrize(
    ("args", "code"),
    [
        pytest.param(["--at", "2026-01-06"], 3, id="not a run"),
        pytest.param([], 2, id="no day"),
    ],
)
def test_wrong_use(audit: Audit, tmp_path: Path, args: list[str], code: int) -> None:
    found = audit("sign", tmp_path, "--by", "Bo", "--decision", "accept", "--note", "x", *args)

    assert found.code == code
    assert found.err
