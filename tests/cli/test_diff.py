"""`audit diff` and `audit thresholds`: what a change of the contract would do to frozen verdicts."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from scenarios.contracts import base_contract
from scenarios.types import Clause
from tests.cli.conftest import Audit
from tests.runs import a_small_run

DROPPED = ("COST01", "COST02", "LIM01")


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return a_small_run(tmp_path)


@pytest.fixture
def stricter(tmp_path: Path) -> Path:
    """base-1 with a house rule on themes that hardly any purchase meets."""
    return changed(tmp_path / "stricter.json", lambda clause: clause.model_copy(
        update={"parameters": {**clause.parameters, "theme_cap": "0.01"}}) if clause.code == "LIM04" else clause)


@pytest.fixture
def looser(tmp_path: Path) -> Path:
    """base-1 without the clauses that the split advisor breaks."""
    return changed(tmp_path / "looser.json", lambda clause: None if clause.code in DROPPED else clause)


def changed(path: Path, change: Callable[[Clause], Clause | None]) -> Path:
    contract = base_contract()
    clauses = tuple(clause for clause in map(change, contract.clauses) if clause is not None)
    path.write_bytes(contract.model_copy(update={"id": path.stem, "clauses": clauses}).sealed_bytes())
    return path


def diff(audit: Audit, run: Path, *contracts: object) -> dict[str, object]:
    folder = run.parent
    found = audit("diff", *contracts, "--bank", folder / "small", "--advisor", folder / "contract", "--advisor",
                  folder / "agreement-split", "--json")
    assert found.code == 0
    return dict(json.loads(found.out))


def test_every_flip_has_the_reasons_of_both_sides(audit: Audit, run: Path, stricter: Path, looser: Path) -> None:
    found = diff(audit, run, looser, stricter)
    flips = found["flips"]

    assert isinstance(flips, list) and flips
    assert (found["removed"], found["added"]) == ([], list(DROPPED))
    for flip in flips:
        assert flip["before"]["state"] != flip["after"]["state"]
        assert flip["before"]["reasons"] or flip["after"]["reasons"]
    assert any("LIM04" in reason for flip in flips for reason in flip["after"]["reasons"])


def test_what_dropped_clauses_forbade_is_free_without_them(audit: Audit, looser: Path) -> None:
    flips = json.loads(audit("diff", "base-1", looser, "--advisor", "agreement-split", "--json").out)["flips"]

    assert flips
    for flip in flips:
        assert flip["after"] == {"state": "ADMISSIBLE", "reasons": []}
        assert flip["before"]["reasons"] and all(reason.startswith(DROPPED) for reason in flip["before"]["reasons"])


def test_turned_round_it_tells_the_same(audit: Audit, run: Path, stricter: Path) -> None:
    forth, back = diff(audit, run, "base-1", stricter), diff(audit, run, stricter, "base-1")

    assert isinstance(forth["flips"], list) and isinstance(back["flips"], list)
    assert [(flip["after"], flip["before"]) for flip in forth["flips"]] == [
        (flip["before"], flip["after"]) for flip in back["flips"]
    ]
    assert (forth["removed"], forth["added"]) == (back["added"], back["removed"])


def test_a_contract_does_not_differ_from_itself(audit: Audit, run: Path) -> None:
    found = diff(audit, run, "base-1", "base-1")

    assert (found["flips"], found["only_clauses"]) == ([], 0)


def test_the_shown_list_ends_with_how_many_are_left(audit: Audit, stricter: Path) -> None:
    found = audit("diff", "base-1", stricter, "--advisor", "agreement-split")

    assert found.code == 0
    assert "more; list them with --all" in found.out


def test_the_sheet_names_dead_knobs_and_numberless_clauses(audit: Audit, run: Path) -> None:
    shown, told = audit("thresholds", run), audit("thresholds", run, "--json")
    record = json.loads(told.out)

    assert shown.code == told.code == 0
    assert "Dead knobs on this run" in shown.out
    assert "UNIV01" in record["without_numbers"]
    assert {f"{knob['code']} {knob['name']}" for knob in record["numbers"] if knob["dead"]} == set(record["dead"])
    assert audit("thresholds", run / "inputs" / "bank").code == 3
