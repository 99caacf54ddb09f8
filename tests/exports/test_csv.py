"""CSV: what a spreadsheet opens without harm and a script reads back."""

import csv
import io

import pytest

from tests.exports.runs import HOSTILE
from verifier.exports.csv import csv_files
from verifier.exports.review import Review
from verifier.exports.text import defuse, shown


def rows(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True))


def test_a_file_begins_with_a_mark_and_ends_its_lines_as_the_rfc_asks(review: Review) -> None:
    for data in csv_files(review).values():
        assert data.startswith(b"\xef\xbb\xbf")
        assert data.endswith(b"\r\n")


def test_every_row_carries_the_digest(hostile: Review) -> None:
    for data in csv_files(hostile).values():
        assert {row["Run manifest sha256"] for row in rows(data)} == {hostile.digest}


def test_a_table_without_rows_says_so(review: Review) -> None:
    good = review._replace(failures=(), cases=tuple(case for case in review.cases if case.valid))
    read = rows(csv_files(good)["issue_details.csv"])

    assert [(row["Verdict line"], row["Run manifest sha256"]) for row in read] == [("(none)", review.digest)]


def test_texts_come_back_escaped_and_defused(hostile: Review) -> None:
    said = [row["Answer"] for row in rows(csv_files(hostile)["runs.csv"]) if row["Scenario"] == "plain-1"]

    assert said[:-1] == [defuse(shown(text)) for text in HOSTILE.values()]
    assert said[-1].endswith("… [cut: 1,000,000 characters in all; review.jsonl has the whole text]")


def test_no_cell_begins_a_formula(hostile: Review) -> None:
    for data in csv_files(hostile).values():
        for row in rows(data):
            assert not any(cell.lstrip().startswith(("=", "+", "-", "@")) for cell in row.values())


@pytest.mark.parametrize(
    ("head", "cell"), [("Left", "500"), ("Must be", "<="), ("Right", "250"), ("Day", "2024-11-29")]
)
def test_numbers_and_dates_are_plain(review: Review, head: str, cell: str) -> None:
    assert rows(csv_files(review)["issue_details.csv"])[0][head] == cell
