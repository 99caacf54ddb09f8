"""The workbook: typed cells, no formula, a head that stays, the digest on every sheet, the same bytes anywhere."""

import io
import re
import zipfile
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

from scenarios.errors import ScenarioError
from verifier.exports import xlsx
from verifier.exports.review import Review
from verifier.exports.tables import CELL_UNITS, Column, Table
from verifier.exports.xlsx import workbook_bytes

_X = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


class Sheet(NamedTuple):
    tree: ElementTree.Element
    cells: dict[str, tuple[str, str]]
    """By place: ("s", text) or ("n", number)."""


def read(data: bytes) -> dict[str, Sheet]:
    archive = zipfile.ZipFile(io.BytesIO(data))
    strings = ["".join(part.text or "" for part in one.iter(f"{_X}t"))
               for one in ElementTree.fromstring(archive.read("xl/sharedStrings.xml"))]  # noqa: S314
    book = ElementTree.fromstring(archive.read("xl/workbook.xml"))  # noqa: S314
    sheets = {}
    for number, one in enumerate(book.iter(f"{_X}sheet"), 1):
        tree = ElementTree.fromstring(archive.read(f"xl/worksheets/sheet{number}.xml"))  # noqa: S314
        cells = {}
        for cell in tree.iter(f"{_X}c"):
            value = cell.find(f"{_X}v")
            if value is not None and value.text is not None:
                text = cell.get("t") == "s"
                cells[cell.attrib["r"]] = ("s", strings[int(value.text)]) if text else ("n", value.text)
        sheets[one.attrib["name"]] = Sheet(tree, cells)
    return sheets


@pytest.fixture(scope="module")
def book(review: Review) -> dict[str, Sheet]:
    return read(workbook_bytes(review))


@pytest.fixture(scope="module")
def hostile_book(hostile: Review) -> dict[str, Sheet]:
    return read(workbook_bytes(hostile))


def test_the_digest_stands_on_every_sheet_and_every_printed_page(book: dict[str, Sheet], review: Review) -> None:
    for sheet in book.values():
        footer = sheet.tree.find(f".//{_X}oddFooter")
        assert sheet.cells["A1"] == ("s", f"Run manifest sha256 {review.digest}")
        assert footer is not None and footer.text is not None and review.digest in footer.text


def test_the_head_stays_and_filters(book: dict[str, Sheet]) -> None:
    for sheet in book.values():
        pane, columns = sheet.tree.find(f".//{_X}pane"), sheet.tree.find(f".//{_X}autoFilter")
        assert pane is not None and pane.get("ySplit") == "2" and pane.get("state") == "frozen"
        assert columns is not None and re.fullmatch(r"A2:[A-Z]+\d+", columns.attrib["ref"])
        assert sheet.tree.find(f".//{_X}cols") is not None


def test_cells_have_their_types(book: dict[str, Sheet]) -> None:
    details = book["Issue details"].cells
    row = {details[f"{letter}2"][1]: details.get(f"{letter}3") for letter in "ABCDEFGHIJKLMNOPQRS"}

    assert row["Left"] == ("n", "500")
    assert row["Must be"] == ("s", "<=")
    assert row["Day"] == ("n", "45625")  # 2024-11-29
    assert row["Code"] == ("s", "COST01")
    assert book["Dataset details"].cells["O4"] == ("n", "0.6667")


def test_there_is_no_formula_and_no_link(hostile: Review, hostile_book: dict[str, Sheet]) -> None:
    names = zipfile.ZipFile(io.BytesIO(workbook_bytes(hostile))).namelist()

    assert not any("externalLink" in name or "sheet1.xml.rels" in name for name in names)
    for sheet in hostile_book.values():
        assert sheet.tree.find(f".//{_X}f") is None
        assert sheet.tree.find(f".//{_X}hyperlink") is None
        for kind, text in sheet.cells.values():
            assert kind == "n" or not text.lstrip().startswith(("=", "+", "-", "@"))


def test_texts_are_strings_and_whole_up_to_what_a_cell_holds(hostile_book: dict[str, Sheet]) -> None:
    texts = [text for kind, text in hostile_book["Runs"].cells.values() if kind == "s"]

    assert "_x005F_x000D_ and _x005F_x0041_" in texts
    assert "'=HYPERLINK(\"http://example.test\",\"x\")" in texts
    assert "pay \\u202etpircs\\u202c now \\u2066x\\u2069" in texts
    longest = max(texts, key=len)
    assert len(longest) == CELL_UNITS
    assert longest.endswith("[cut: 2,000,020 characters in all; review.jsonl has the whole text]")


@pytest.mark.parametrize(
    ("cell", "expected"),
    [(999_999_999_999_999, ("n", "999999999999999")), (10**15, ("s", "1000000000000000")), (-5, ("n", "-5")),
     ("-1/3", ("s", "'-1/3"))],
)
def test_a_number_is_never_rounded(
    review: Review, monkeypatch: pytest.MonkeyPatch, cell: int | str, expected: tuple[str, str]
) -> None:
    monkeypatch.setattr(xlsx, "tables", lambda _: [Table("one", "One", (Column("Left", 9),), ((cell,),))])

    assert read(workbook_bytes(review))["One"].cells["A3"] == expected


def test_what_a_sheet_cannot_hold_is_refused(review: Review, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xlsx, "MAX_ROWS", 10)

    with pytest.raises(ScenarioError, match="rows, a sheet holds 10; export csv or jsonl"):
        workbook_bytes(review)


def test_no_byte_comes_from_the_clock_or_the_machine(review: Review) -> None:
    archive = zipfile.ZipFile(io.BytesIO(workbook_bytes(review)))

    for member in archive.infolist():
        assert member.date_time == (1980, 1, 1, 0, 0, 0)
        assert (member.compress_type, member.create_system) == (zipfile.ZIP_STORED, 3)
    dates = re.findall(r"W3CDTF\">([^<]*)<", archive.read("docProps/core.xml").decode())
    assert dates == [f"{review.as_of}T00:00:00Z"] * 2
