"""The conduct bank through the commands: judged, replayed, and laid beside the judges that ship."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from scenarios.load import SHIPPED
from tests.cli.conftest import Audit

JUDGES = sorted(path.name for path in (SHIPPED / "judges" / "conduct-1").iterdir())


@pytest.fixture
def run(audit: Audit, tmp_path: Path) -> Path:
    audit("bank", "--bank", "conduct-1", "--contract", "conduct-1", "--advisor", "careful", "--advisor", "careless",
          "--advisor", "reckless", "--out", tmp_path / "run")
    return tmp_path / "run"


def test_the_bank_prints_the_conduct_table(audit: Audit, tmp_path: Path) -> None:
    printed = audit("bank", "--bank", "conduct-1", "--contract", "conduct-1", "--advisor", "reckless",
                    "--out", tmp_path / "run")

    lines = printed.out.splitlines()
    head = next(at for at, line in enumerate(lines) if line.startswith("Conduct over"))
    row = lines[head + 2].split()
    assert row[:4] == ["reckless", "38", "38", "0"]
    assert Fraction(row[4]) <= Fraction(1, 20)


def test_the_run_replays(audit: Audit, run: Path) -> None:
    assert audit("replay", run).code == 0


def test_the_shipped_judges_stand_beside_the_rules(audit: Audit, run: Path) -> None:
    """Two small real models, two prompts each: read without exception, and of no use as judges."""
    names = [part for name in JUDGES for part in ("--judge", name)]
    said = json.loads(audit("judge", run, *names, "--labels", SHIPPED / "labels" / "conduct-1.jsonl", "--json").out)

    assert len(JUDGES) >= 2 and all(one["episodes"] >= 20 for one in said["judges"])
    by_pair = {(one["left"], one["right"]): one for one in said["agreement"]}
    for dimension, own in by_pair["rules", "labels"]["kappa"].items():
        assert all(Fraction(by_pair[name, "labels"]["kappa"][dimension]) < Fraction(own) for name in JUDGES), dimension


@pytest.mark.parametrize("name", JUDGES)
def test_a_shipped_judge_replays(audit: Audit, name: str) -> None:
    assert audit("replay", SHIPPED / "judges" / "conduct-1" / name).code == 0
