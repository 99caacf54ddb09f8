"""A new clause passes as written and overwrites nothing."""

import subprocess
import sys
from pathlib import Path

import pytest

from predicates.catalogue import load_file
from predicates.scaffold import write_clause
from predicates.testkit import check_examples, check_faces
from scenarios.errors import ScenarioError
from tests.predicates.test_catalogue import MOST_CODE_LINES, law_lines


def test_what_is_written_passes(tmp_path: Path) -> None:
    """Rule, examples and faces are sound, and the rule fits the limit for a clause."""
    paths = write_clause(tmp_path / "rules", "house.large_order", "HOUSE01")
    clause = load_file(paths[0])["HOUSE01"]

    assert [path.name for path in paths] == ["large_order.py", "large_order.examples.json", "test_large_order.py"]
    assert (clause.name, clause.law.__name__) == ("house.large_order", "large_order")
    assert check_examples(clause) == []
    assert check_faces(clause, columns=lambda _, cases, params: [
        any(order.amount is not None and order.amount > params["max_order_cents"] for order in action.orders)
        for _, action in cases
    ], n=400) == []
    assert law_lines(paths[0].read_text()) <= MOST_CODE_LINES


def test_its_own_tests_pass(tmp_path: Path) -> None:
    """The test file runs by itself, outside the project's tree."""
    write_clause(tmp_path, "house.large_order", "HOUSE01")
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), str(tmp_path)],
        capture_output=True, text=True, check=False,
    )

    assert run.returncode == 0, run.stdout
    assert "7 passed" in run.stdout


@pytest.mark.parametrize("taken", ["large_order.py", "large_order.examples.json", "test_large_order.py"])
def test_nothing_is_overwritten(tmp_path: Path, taken: str) -> None:
    """If one of the files exists, none is written."""
    (tmp_path / taken).write_text("mine")

    with pytest.raises(ScenarioError, match=f"{taken}: exists already"):
        write_clause(tmp_path, "house.large_order", "HOUSE01")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(taken, "mine")]


@pytest.mark.parametrize(
    ("name", "code", "fault"),
    [
        ("large_order", "HOUSE01", "NAME: found 'large_order'"),
        ("house.Large", "HOUSE01", "NAME"),
        ("house.large-order", "HOUSE01", "NAME"),
        ("house.../x", "HOUSE01", "NAME"),
        ("house.class", "HOUSE01", "NAME"),
        ("house.violation", "HOUSE01", "NAME"),
        ("house.large_order", "House01", "CODE: found 'House01'"),
        ("house.large_order", "HOUSE1", "CODE"),
        ("house.large_order", "LIM01", "CODE: LIM01 ships with the project"),
    ],
)
def test_names_that_cannot_be_used_are_refused(tmp_path: Path, name: str, code: str, fault: str) -> None:
    """The message names the argument and its form; nothing is written."""
    with pytest.raises(ScenarioError, match=fault):
        write_clause(tmp_path, name, code)
    assert list(tmp_path.iterdir()) == []
