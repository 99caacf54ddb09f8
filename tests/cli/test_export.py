"""`audit export`: files for the review, and one line where it cannot be done."""

import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Audit
from tests.runs import a_small_run

CONTROLS = "code,control_id,title\nCOST01,FEE-3,Fees are not multiplied\n"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return a_small_run(tmp_path_factory.mktemp("export"))


@pytest.mark.parametrize(("name", "file"), [("html", "review.html"), ("xlsx", "review.xlsx"), ("csv", "runs.csv"),
                                            ("jsonl", "review.jsonl"), ("pdf", "review.pdf")])
def test_a_format_is_written_and_named(audit: Audit, run: Path, tmp_path: Path, name: str, file: str) -> None:
    outcome = audit("export", run, "--format", name, "--out", tmp_path / "out")

    assert outcome.code == 0
    assert file in outcome.out
    assert (tmp_path / "out" / file).stat().st_size
    assert outcome.out.startswith("Run manifest sha256 ")


def test_several_formats_go_into_one_folder_and_replace_older_files(audit: Audit, run: Path, tmp_path: Path) -> None:
    (tmp_path / "review.jsonl").write_text("old")
    outcome = audit("export", run, "--format", "jsonl", "--format", "csv", "--out", tmp_path)

    assert outcome.code == 0
    assert (tmp_path / "review.jsonl").read_bytes().startswith(b'{"advisors":')
    assert (tmp_path / "summary.csv").exists()


def test_the_firms_control_ids_stand_beside_the_codes(audit: Audit, run: Path, tmp_path: Path) -> None:
    table = tmp_path / "controls.csv"
    table.write_text(CONTROLS)

    assert audit("export", run, "--format", "csv", "--controls", table, "--out", tmp_path / "out").code == 0
    assert "FEE-3" in (tmp_path / "out" / "issue_details.csv").read_text("utf-8-sig")


def test_a_control_for_an_unknown_code_is_refused_with_its_line(audit: Audit, run: Path, tmp_path: Path) -> None:
    table = tmp_path / "controls.csv"
    table.write_text(CONTROLS + "COST77,FEE-4,x\n")
    outcome = audit("export", run, "--format", "csv", "--controls", table, "--out", tmp_path / "out")

    assert outcome.code == 3
    assert "controls.csv line 3: 'COST77' is not in the contract" in outcome.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("name", "library"), [("xlsx", "xlsxwriter"), ("pdf", "reportlab")])
def test_a_missing_extra_is_named(
    audit: Audit, run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, library: str
) -> None:
    for module in [one for one in sys.modules if one.partition(".")[0] == library]:
        monkeypatch.delitem(sys.modules, module)
    for module in (f"verifier.exports.{name}", "verifier.exports.sheets"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setitem(sys.modules, library, None)
    outcome = audit("export", run, "--format", name, "--out", tmp_path)

    assert outcome.code == 3
    assert f"--format {name}: needs {library}" in outcome.err
    assert "pip install 'advice-audit[export]'" in outcome.err
    assert not list(tmp_path.iterdir())


def test_a_run_that_differs_from_its_seal_is_refused(audit: Audit, tmp_path: Path) -> None:
    run = a_small_run(tmp_path)
    verdicts = run / "verdicts.jsonl"
    verdicts.write_bytes(verdicts.read_bytes().replace(b"INADMISSIBLE", b"ADMISSIBLE", 1))
    outcome = audit("export", run, "--format", "jsonl", "--out", tmp_path / "out")

    assert outcome.code == 3
    assert "verdicts.jsonl" in outcome.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("args", [[], ["--format", "doc"], ["--format", "pdf"]])
def test_wrong_usage(audit: Audit, run: Path, args: list[str]) -> None:
    assert audit("export", run, *args).code == 2


def test_no_run_no_export(audit: Audit, tmp_path: Path) -> None:
    outcome = audit("export", tmp_path, "--format", "jsonl", "--out", tmp_path / "out")

    assert outcome.code == 3
    assert "holds no manifest.json" in outcome.err
