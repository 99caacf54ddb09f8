"""The document: every page carries the digests, every failing case is in it, no line leaves its column."""

import os
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reportlab.pdfbase.pdfmetrics import stringWidth

from verifier.exports.pdf import document_bytes
from verifier.exports.review import Review
from verifier.exports.sheets import EAST, PLAIN, Sheets, block, wrap


def lines(text: str, width: float) -> list[str]:
    return ["".join(piece.text for piece in line) for line in wrap(block(text, size=10), width)]


@pytest.fixture(scope="module")
def document(review: Review) -> bytes:
    return document_bytes(review)


def test_every_page_carries_the_digest_and_its_number(document: bytes, review: Review) -> None:
    pages = document.count(b"/Type /Page\n")
    numbers = re.findall(rb"\(page (\d+) of (\d+)\) Tj", document)

    assert [(int(number), int(many)) for number, many in numbers] == [(one, pages) for one in range(1, pages + 1)]
    assert document.count(f"(Run manifest sha256 {review.digest}) Tj".encode()) == pages


def test_every_failing_case_and_every_run_is_in_it(document: bytes, review: Review) -> None:
    failing = [case for case in review.cases if not case.valid]

    assert failing
    for case in failing:
        assert f"({case.key}) Tj".encode() in document
    assert document.count(b"(must hold: 500 <= 250 cents") == sum("COST01" in case.codes() for case in failing)
    assert f"(All runs \\({len(review.cases)}\\)) Tj".encode() in document


def test_the_judgements_stand_in_it(document: bytes, review: Review) -> None:
    judged = {"case": review.cases[3].key, "compliance": 1, "accuracy": 2, "personalization": 0, "logic": 2,
              "realism": 1, "limits": "personalization: it would fit any client"}
    shown = document_bytes(review._replace(judgements=(judged,)))

    assert b"(Judgements) Tj" not in document
    table = shown[shown.index(b"(Judgements) Tj") : shown.index(b"(Rules) Tj")]
    assert re.findall(rb"\((\d)\) Tj", table) == [b"1", b"2", b"0", b"2", b"1"]
    for said in (b"Personalization", b"What limited them", review.cases[3].key.encode(), b"it would fit any client"):
        assert said in table


def test_hostile_texts_are_shown_and_cut(hostile: Review) -> None:
    document = document_bytes(hostile)

    assert b"pay \\\\u202etpircs\\\\u202c now" in document
    assert b"\\\\U0001f680" in document
    assert b"=HYPERLINK\\(" in document
    assert b"1,000,000 characters in all" in document
    assert b"/JavaScript" not in document and b"/URI" not in document


def test_nothing_is_embedded_or_compressed(document: bytes) -> None:
    assert b"FontFile" not in document
    assert b"FlateDecode" not in document


def test_the_date_is_the_runs_and_the_environment_is_left_as_it_was(
    review: Review, document: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1")

    assert document_bytes(review) == document
    assert f"/CreationDate (D:{review.as_of.replace('-', '')}000000".encode() in document
    assert os.environ["SOURCE_DATE_EPOCH"] == "1"


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        pytest.param("one two three", 40, ["one two ", "three"], id="between words"),
        pytest.param("aaaaaaaaaa", 30, ["aaaaa", "aaaaa"], id="a word wider than the column"),
        pytest.param("我们建议减仓。好", 60, ["我们建议减", "仓。好"], id="a full stop does not begin a line"),
        pytest.param("两行\n\n三行", 60, ["两行", "", "三行"], id="line breaks stay"),
        pytest.param("한 🚀", 300, ["\\ud55c \\U0001f680"], id="a character that no font has"),
    ],
)
def test_lines(text: str, width: float, expected: list[str]) -> None:
    assert lines(text, width) == expected


def test_each_script_has_its_font() -> None:
    (line,) = wrap(block("risk “5 %” 风险，稳 é"), 300)

    assert [(piece.font, piece.text) for piece in line] == [(PLAIN, "risk “5 %” "), (EAST, "风险，稳"), (PLAIN, " é")]


@given(st.text(st.characters(codec="utf-8") | st.sampled_from("中，。ab \n(="), max_size=60), st.floats(25, 300))
def test_no_line_is_wider_than_its_column_and_nothing_is_lost(text: str, width: float) -> None:
    broken = list(wrap(block(text, size=10), width))
    whole = "".join(piece.text for line in wrap(block(text, size=10), 1e9) for piece in line)

    for line in broken:
        ends = [piece.x + stringWidth(piece.text, piece.font, 10) for piece in line]
        assert all(end <= width + 1e-6 for end in ends)
        assert all(piece.x >= end - 1e-6 for piece, end in zip(line[1:], ends, strict=False))
    assert "".join(piece.text for line in broken for piece in line).replace(" ", "") == whole.replace(" ", "")


def test_a_row_longer_than_a_page_goes_on_under_its_head() -> None:
    sheets = Sheets("t", "s", "a", "2026-01-02", ["foot"])
    sheets.table(("Head", "Other"), (1, 1), [(block("word " * 3000), block("x"))])

    assert len(sheets.pages) > 2
    heads = [sum("Head" in getattr(getattr(one, "piece", None), "text", "") for one in page) for page in sheets.pages]
    assert heads == [1] * len(sheets.pages)
