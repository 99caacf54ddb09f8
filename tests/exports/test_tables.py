"""The tables of a review: whole rows, and the same counts wherever they are counted."""

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from scenarios.types import Answer
from tests.builders import a_scenario
from tests.exports.runs import NAMES, a_bank, a_run, seal
from verifier.exports.jsonl import lines_bytes
from verifier.exports.page import page_bytes
from verifier.exports.pdf import document_bytes
from verifier.exports.review import Review, load_review
from verifier.exports.tables import DEAD, Table, found, tables


def named(review: Review, name: str) -> Table:
    return next(table for table in tables(review) if table.name == name)


def column(table: Table, head: str) -> list[Any]:
    index = [one.head for one in table.columns].index(head)
    return [row[index] for row in table.rows]


@pytest.mark.parametrize("which", ["review", "hostile"])
def test_every_row_has_a_cell_for_every_column(which: str, request: pytest.FixtureRequest) -> None:
    for table in tables(request.getfixturevalue(which)):
        assert table.rows
        assert {len(row) for row in table.rows} == {len(table.columns)}, table.name


def test_the_layout_is_the_one_that_reviewers_know(review: Review) -> None:
    assert [table.title for table in tables(review)] == [
        "Summary", "Dataset details", "Issue summary", "Issue details", "Rules report", "Failures", "Runs"
    ]


def test_issues_are_counted_alike_in_sum_and_one_by_one(review: Review) -> None:
    details = named(review, "issue_details")
    keys = zip(*(column(details, head) for head in ("Advisor", "Code", "Category")), strict=True)
    summed = named(review, "issue_summary")
    said = zip(*(column(summed, head) for head in ("Advisor", "Code", "Category", "Places")), strict=True)

    assert Counter(keys) == {(advisor, code, category): places for advisor, code, category, places in said}


def test_every_run_stands_in_each_rule(hostile: Review) -> None:
    report = named(hostile, "rules_report")
    states = ("Fail", "Error", "Waived", "Pass", "Not applicable", "Not judged")

    for counts in zip(*(column(report, state) for state in states), strict=True):
        assert sum(counts) == len(hostile.cases)
    assert set(column(report, "Not judged")) == {15}


def test_every_place_is_an_issue_and_a_note_is_none(tmp_path: Path) -> None:
    scenario = a_scenario(instruments=NAMES, held={"AAA": 9_000_000}, equal_weight_names=10,
                          position_multiple=Fraction(13, 10))
    orders = [{"instrument": name, "amount": 900} for name in ("XXX", "YYY")]
    bank = a_bank(tmp_path / "bank", [scenario])
    seal(tmp_path / "one", bank, [Answer(scenario=scenario.id, run=1, text=json.dumps({"orders": orders}))])
    review = load_review(a_run(tmp_path, bank, "one"))
    details = named(review, "issue_details")

    assert "note" in {finding.kind for finding in review.cases[0].findings}
    assert column(details, "Code") == ["UNIV01", "UNIV01"]
    assert column(details, "Place") == ["/orders/0/instrument", "/orders/1/instrument"]
    assert column(named(review, "issue_summary"), "Places") == [2]


def test_an_unread_run_is_an_issue(hostile: Review) -> None:
    assert column(named(hostile, "issue_details"), "Code") == ["MALFORMED"] * 15
    assert column(named(hostile, "failures"), "All") == [15]


def test_what_was_found_of_an_advisor_is_one_sentence(review: Review) -> None:
    good, bad = review.scores

    assert found(good) == "6 of 6 runs count as valid (100.0 %, 95 % bounds 54.1 % to 100.0 %)."
    assert found(bad) == ("4 of 6 runs count as valid (66.7 %, 95 % bounds 22.3 % to 95.7 %); "
                          "broken clauses by runs: COST01 2, LIM01 2.")


def test_the_threshold_sheet_stands_in_every_format_where_it_is_asked_for(run: Path, review: Review) -> None:
    asked = load_review(run, thresholds=True)
    sheet = asked.thresholds
    assert sheet is not None
    table = named(asked, "thresholds")

    assert column(table, "Code") == [*(knob.code for knob in sheet.knobs), *sheet.without]
    assert column(table, "10 % less")[: len(sheet.knobs)] == [knob.flips[0] for knob in sheet.knobs]
    assert column(table, "Finding").count(DEAD) == sum(knob.dead for knob in sheet.knobs)
    assert {*column(table, "Finding")[len(sheet.knobs) :]} == {"has no number"}
    assert b'id="thresholds"' in page_bytes(asked)
    assert b'"thresholds":{' in lines_bytes(asked)
    assert b"moved alone" in document_bytes(asked)
    for made in (page_bytes(review), lines_bytes(review), document_bytes(review)):
        assert b"moved alone" not in made
        assert b'"thresholds"' not in made
