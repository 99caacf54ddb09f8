"""The firm's table of control ids: read as filled in, refused with its line."""

from pathlib import Path

import pytest

from scenarios.errors import ScenarioError
from verifier.exports.controls import Control, read_controls

CODES = ("COST01", "LIM01")


def table(folder: Path, *lines: str, encoding: str = "utf-8") -> Path:
    path = folder / "controls.csv"
    path.write_bytes("\n".join(("code,control_id,title", *lines)).encode(encoding))
    return path


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_pairs_are_kept_in_order(tmp_path: Path, encoding: str) -> None:
    path = table(tmp_path, 'LIM01,C-7,"Limits, in all"', "COST01,C-9,费用", "", "LIM01, C-2 ,", encoding=encoding)

    assert read_controls(path, CODES) == {
        "LIM01": (Control("C-7", "Limits, in all"), Control("C-2", "")), "COST01": (Control("C-9", "费用"),)
    }


@pytest.mark.parametrize(
    ("lines", "line", "said"),
    [
        pytest.param(["COST01,C-1,x", "COST99,C-1,x"], 3, "'COST99' is not in the contract", id="unknown code"),
        pytest.param(["COST01,C-1"], 2, "found 'COST01,C-1'", id="a cell is missing"),
        pytest.param(["COST01,C-1,x,y"], 2, "found 'COST01,C-1,x,y'", id="a cell too many"),
        pytest.param([",C-1,x"], 2, "found ',C-1,x'", id="no code"),
        pytest.param(["COST01, ,x"], 2, "found 'COST01, ,x'", id="no control id"),
        pytest.param(["COST01,C-1,x", "COST01,C-1,y"], 3, "COST01 has C-1 already", id="a pair twice"),
        pytest.param(['COST01,"C-1\nC-2",x', "NO,C-1,x"], 4, "'NO' is not in the contract", id="file lines count"),
        pytest.param(['COST01,"C-1'], 2, "is not CSV", id="an open quotation"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, lines: list[str], line: int, said: str) -> None:
    with pytest.raises(ScenarioError, match=rf"controls\.csv line {line}: ") as refused:
        read_controls(table(tmp_path, *lines), CODES)

    assert said in str(refused.value)


def test_the_head_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "controls.csv"
    path.write_text("COST01,C-1,x\n")

    with pytest.raises(ScenarioError, match="line 1: found 'COST01,C-1,x'; begin with code,control_id,title"):
        read_controls(path, CODES)


def test_another_encoding_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="is not UTF-8"):
        read_controls(table(tmp_path, "COST01,C-1,费用", encoding="gbk"), CODES)
