"""`audit trace`: import, build and show, and what replay and verify say of a trace."""

import json
import sys
from pathlib import Path

import pytest

from scenarios.load import SHIPPED
from tests.cli.conftest import Audit
from tests.scenarios.trace_import.tables import csv_lines, wave, weekdays

SMALL = SHIPPED / "traces" / "small-1"
DAYS = weekdays(60)


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    """Return a folder with two funds, one of which starts late, and an index."""
    csv_lines(tmp_path / "x_fund_nav.csv", "code,date,nav", (
        (code, day, nav) for code, first in (("000001", 0), ("000002", 1))
        for day, nav in zip(DAYS[first:], wave(60)[first:], strict=True)))
    csv_lines(tmp_path / "index_x_daily.csv", "date,close", ((day, f"{3000 + at % 7}") for at, day in enumerate(DAYS)))
    return tmp_path


def test_import_prints_its_funnel_and_seals(tables: Path, audit: Audit) -> None:
    done = audit("trace", "import", tables, "--out", tables / "t")

    assert done.code == 0, done.err
    rows = {line.split("  ")[0]: line.split() for line in done.out.splitlines()}
    assert rows["all"][-3:] == ["-", "2", "119"]
    assert rows["starts late"][-3:] == ["1", "1", "-"]
    assert rows["universe"][-2:] == ["1", "-"]
    assert audit("trace", "import", tables, "--out", tables / "t").code == 0
    assert audit("replay", tables / "t").code == 0
    assert audit("verify", tables / "t").code == 0


def test_import_cuts_the_horizon_and_dates_regimes(tables: Path, audit: Audit) -> None:
    cycles = csv_lines(tables / "cycles.csv", "name,start", (("one", DAYS[2]), ("two", DAYS[30])))

    done = audit("trace", "import", tables / "x_fund_nav.csv", "--benchmark", tables / "index_x_daily.csv", "--from",
                 DAYS[2], "--to", DAYS[50], "--regimes", cycles, "--out", tables / "t", "--id", "mine", "--json")
    told = json.loads(done.out)
    assert (told["id"], told["base_day"], told["last_day"], told["funds"]) == ("mine", DAYS[1], DAYS[50], 2)
    assert [(one["slice"], one["sessions"], one["from"]) for one in told["slices"]] == [
        ("full", 49, DAYS[2]), ("one", 28, DAYS[2]), ("two", 21, DAYS[30])]


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (["{}/none.csv"], 3, "no such file"),
        (["{}/x_fund_nav.csv"], 3, "comes without a benchmark"),
        (["{}", "--benchmark", "{}/none.csv"], 3, "no such file"),
        (["{}", "--meta", "{}/none.csv"], 3, "no such file"),
        (["{}", "--from", "2030-01-01"], 3, "the first session asked for is 2030-01-01"),
        (["{}", "--regimes", "{}/x_fund_nav.csv"], 3, "is no list of regimes"),
        (["{}", "--quota", "0/0/0"], 3, "no fund is left"),
        (["{}", "--id", "no good"], 3, "manifest.json#/id"),
        (["{}", "--quota", "30/270"], 2, "expected three numbers"),
        (["{}", "--returns", "site"], 2, "expected SOURCE=nav"),
        (["{}", "--from", "soon"], 2, "soon"),
        ([], 2, "SOURCE"),
    ],
)
def test_bad_input_is_one_line(tables: Path, audit: Audit, args: list[str], code: int, message: str) -> None:
    done = audit("trace", "import", *(arg.format(tables) for arg in args), "--out", tables / "t")

    assert (done.code, done.out) == (code, "")
    assert message in done.err
    assert not (tables / "t").exists()


def test_the_return_rule_of_a_source_can_be_set(tables: Path, audit: Audit) -> None:
    told = json.loads(audit("trace", "import", tables, "--out", tables / "t", "--returns", "x_fund_nav=growth",
                            "--json").out)

    assert told["options"]["returns of x_fund_nav"] == "growth"


def test_parquet_without_its_library_says_what_to_install(
    tables: Path, audit: Audit, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tables / "nav.parquet").write_bytes(b"PAR1")
    monkeypatch.setitem(sys.modules, "polars", None)

    done = audit("trace", "import", tables / "nav.parquet", "--benchmark", tables / "index_x_daily.csv", "--out",
                 tables / "t")
    assert done.code == 3
    assert "pip install 'advice-audit[trace]'" in done.err


def test_build_gives_the_shipped_bytes(tmp_path: Path, audit: Audit) -> None:
    done = audit("trace", "build", "--seed", "22", "--out", tmp_path / "small-1")

    assert done.code == 0
    assert "60 funds" in done.out
    assert {path.name: path.read_bytes() for path in (tmp_path / "small-1").iterdir()} == {
        path.name: path.read_bytes() for path in SMALL.iterdir()}


def test_build_refuses_a_size_out_of_bounds(tmp_path: Path, audit: Audit) -> None:
    done = audit("trace", "build", "--seed", "1", "--days", "5", "--out", tmp_path / "t")

    assert done.code == 3
    assert "--days: found 5" in done.err


def test_show_finds_a_shipped_trace_by_name_and_lists_its_funds(audit: Audit) -> None:
    done = audit("trace", "show", "small-1", "--funds")

    assert done.code == 0
    assert "合成稳健债券0001" in done.out
    assert len(json.loads(audit("trace", "show", "small-1", "--funds", "--json").out)["universe"]) == 60
    assert "universe" not in json.loads(audit("trace", "show", "small-1", "--json").out)


def test_show_refuses_what_differs_from_its_seal(tmp_path: Path, audit: Audit) -> None:
    for path in SMALL.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "sessions.jsonl").write_bytes((tmp_path / "sessions.jsonl").read_bytes().replace(b"bear", b"bull", 1))

    assert audit("trace", "show", tmp_path).code == 3
    replayed = audit("replay", tmp_path)
    assert replayed.code == 1
    assert "inputs" in replayed.out and "sessions.jsonl" in replayed.out
    assert audit("verify", tmp_path).code == 1


def test_a_trace_is_no_answer_folder(audit: Audit, tmp_path: Path) -> None:
    done = audit("trace", "show", SHIPPED / "bank-1")

    assert done.code == 3
    assert "expected trace" in done.err
