"""A rollout for its reviewer: every verdict made anew, both arms side by side, the same bytes every time."""

import csv
import io
import json
from base64 import b64encode
from collections.abc import Iterator
from fractions import Fraction
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenarios.errors import SealError
from scenarios.sealed import load_contract
from tests.cli.conftest import Audit, audit
from tests.exports.chromium import BINARY, Chromium
from tests.exports.rollouts import CONDUCT, a_rollout, copy_of, lines
from tests.exports.test_page import Reading
from tests.runs import reseal
from verifier.exports import rollout_page
from verifier.exports.formats import rollout_files
from verifier.exports.lines import MOST_POINTS, axis_of, drawn
from verifier.exports.rollout import Entry, RolloutReview, load_rollout_review, takeaway

__all__ = ["audit"]

STANDING, OTHERS = 3, 4
"""Cases in plain HTML and cases of valid consultations, as the page of these tests has them."""

FORMATS = ("html", "csv", "jsonl")

FIELDS = ["Dialogue", "Verdict of every clause", "Judgement", "Executed outcome", "Paired baseline", "Takeaway"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return a_rollout(tmp_path_factory.mktemp("rollout") / "made", "no-advisor", "personalized-rule", "redline")


@pytest.fixture(scope="module")
def review(made: Path) -> RolloutReview:
    return load_rollout_review(made)


@pytest.fixture(scope="module")
def entries(review: RolloutReview) -> list[Entry]:
    return list(review.entries())


@pytest.fixture(scope="module", autouse=True)
def few() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rollout_page, "STATIC_CASES", STANDING)
        patch.setattr(rollout_page, "OTHERS", OTHERS)
        yield


@pytest.fixture(scope="module")
def exported(few: None, review: RolloutReview) -> dict[str, bytes]:
    return rollout_files(review, FORMATS)


@pytest.fixture(scope="module")
def page(exported: dict[str, bytes]) -> str:
    return exported["rollout.html"].decode()


@pytest.fixture(scope="module")
def reading(page: str) -> Reading:
    return Reading(page)


def cases_of(reading: Reading) -> set[int]:
    """The numbers of all cases, standing or stored."""
    stored = json.loads(reading.held["script"][0])["cases"]
    standing = [str(attrs["id"]) for tag, attrs in reading.elements if tag == "article"]
    return {int(name.removeprefix("case-")) for name in (*standing, *stored)}


def test_the_same_rollout_gives_the_same_bytes(made: Path, exported: dict[str, bytes]) -> None:
    assert rollout_files(load_rollout_review(made), FORMATS) == exported


def test_the_policy_admits_this_script_and_this_style_alone(reading: Reading) -> None:
    policy = next(attrs["content"] for tag, attrs in reading.elements if attrs.get("http-equiv"))
    script, style = (b64encode(sha256(reading.held[name][-1].encode()).digest()).decode()
                     for name in ("script", "style"))

    assert f"script-src 'sha256-{script}'; style-src 'sha256-{style}'" in str(policy)
    assert not [attrs for _, attrs in reading.elements if "src" in attrs or "style" in attrs]
    assert all(str(attrs["href"]).startswith("#") for _, attrs in reading.elements if "href" in attrs)


def test_every_page_names_the_rollout_by_its_digest(review: RolloutReview, reading: Reading) -> None:
    assert f'content: "Rollout manifest sha256 {review.rollout.digest}"' in reading.held["style"][0]
    assert reading.text.count(review.rollout.digest) == 2  # head and foot


def test_every_consultation_has_a_row_and_every_failing_one_a_case(reading: Reading, entries: list[Entry]) -> None:
    failing = {entry.number for entry in entries if not entry.verdict.valid}
    rows = [attrs for tag, attrs in reading.elements if tag == "tr" and attrs.get("class") in ("ok", "bad")]

    assert len(rows) == len(entries)
    assert failing and failing < cases_of(reading)
    assert len(cases_of(reading)) == len(failing) + OTHERS
    assert len([tag for tag, _ in reading.elements if tag == "article"]) == STANDING


def test_a_case_has_every_field_of_the_audit_schema(reading: Reading) -> None:
    scene, case = ("Setup", "Structured context", "Context of the day", "Longer-term context"), FIELDS
    found = [text for text in reading.text if text in {*scene, "Holdings", *case}]

    assert [text for text in found if text != "Holdings"] == [*scene, *case] * STANDING


def test_the_baseline_is_the_same_investors_day_without_an_advisor(made: Path, entries: list[Entry]) -> None:
    """Both sides are read again from the day lines, by session and lane."""
    for entry in entries:
        one = entry.consultation
        for task, day in ((entry.advisor, entry.own), ("no-advisor", entry.base)):
            if task == "no-advisor" == entry.advisor:
                continue
            line = next(line for line in lines(made, f"{task}/{one.run}", "days")
                        if "h" not in line and (line["d"], line["i"]) == (one.session, one.record["lane"]))
            assert day is not None
            assert (day.nav_e8, day.cash_cents, day.pos_ratio_e4) == (line["n"], line["c"], line["p"])
            assert day.action == ("BUY", "SELL", "HOLD")[line["a"]]
    assert {entry.base is None for entry in entries if entry.advisor == "no-advisor"} == {True}


def test_the_words_that_break_a_clause_are_marked(review: RolloutReview, entries: list[Entry], page: str) -> None:
    entry = next(one for one in entries if one.advisor == "redline" and one.number in cases_of(Reading(page)))
    said = {found.details["text"] for found in entry.verdict.findings if found.code.startswith("COND")}

    assert said
    assert all(f"“{words}”" in page for words in said)
    assert "<mark>" in page


def test_the_takeaway_says_what_was_broken_and_what_was_done(review: RolloutReview, entries: list[Entry]) -> None:
    by_advisor = {entry.advisor: takeaway(entry, review.case(entry)) for entry in reversed(entries)}

    assert by_advisor["no-advisor"].startswith("Nobody answered; the investor’s action is ")
    assert "a redline, which disqualifies it" in by_advisor["redline"]
    assert "keeps all" in by_advisor["personalized-rule"]
    assert by_advisor["redline"].endswith("without an advisor.")


def test_csv_has_every_consultation_and_daily_means(
    made: Path, review: RolloutReview, entries: list[Entry], exported: dict[str, bytes]
) -> None:
    tables = {name: list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))
              for name, data in exported.items() if name.endswith(".csv")}
    consultations, daily = tables["consultations.csv"], tables["daily.csv"]

    assert [row["state"] for row in consultations] == [entry.verdict.state for entry in entries]
    assert {row["Rollout manifest sha256"] for table in tables.values() for row in table} == {review.rollout.digest}
    last = [row for row in daily if row["advisor"] == "redline" and row["profile"] == "balanced"][-1]
    ends = [[line for line in lines(made, f"redline/{run}", "days") if line.get("i") == 1 and "h" not in line][-1]
            for run in (1, 2)]
    cents = Fraction(sum(line["n"] for line in ends), 2 * 10**6)
    assert abs(Fraction(last["mean_nav"]) * 100 - cents) <= Fraction(1, 2)
    assert Fraction(last["mean_pos_ratio"]) == Fraction(sum(line["p"] for line in ends), 2 * 10_000)
    assert sum(int(row["consultations"]) for row in daily) == len(entries)


def test_json_lines_hold_one_consultation_each(
    review: RolloutReview, entries: list[Entry], exported: dict[str, bytes]
) -> None:
    found = [json.loads(line) for line in exported["consultations.jsonl"].splitlines()]

    assert [one["number"] for one in found] == list(range(1, len(entries) + 1))
    assert {one["rollout"] for one in found} == {review.rollout.digest}
    assert [one["clauses"] for one in found] == [entry.verdict.clauses for entry in entries]
    assert [[said["text"] for said in one["answers"]] for one in found] == [
        [stored.answer.text for stored in entry.consultation.answers] for entry in entries]


def forge(folder: Path, name: str, old: str, new: str) -> None:
    """Change the first place of a text in a file and seal the folder anew."""
    path = folder / "tasks" / "redline" / "1" / name
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    reseal(folder)


@pytest.mark.parametrize(("name", "old", "new", "said"), [
    pytest.param("verdicts.jsonl", '"INADMISSIBLE"', '"ADMISSIBLE"', "is not what its scenario and answers give",
                 id="a verdict that was turned"),
    pytest.param("episodes.jsonl", '"cash_cents":', '"cash_cents":1', "the record says", id="a fact that was moved"),
    pytest.param("answers.jsonl", '"text":"', '"text":"No. ', "names the answer", id="an answer that was changed"),
])
def test_what_a_replay_would_refuse_is_not_exported(
    made: Path, tmp_path: Path, name: str, old: str, new: str, said: str
) -> None:
    """Even where a forger seals the folder anew."""
    folder = copy_of(made, tmp_path / "copy")
    forge(folder, name, old, new)

    with pytest.raises(SealError, match=said):
        rollout_files(load_rollout_review(folder), ("jsonl",))


def test_a_file_that_differs_from_its_seal_is_refused(made: Path, tmp_path: Path) -> None:
    folder = copy_of(made, tmp_path / "copy")
    days = folder / "tasks" / "no-advisor" / "2" / "days.jsonl"
    days.write_bytes(days.read_bytes().replace(b'"a":2', b'"a":1', 1))

    with pytest.raises(SealError, match=r"days\.jsonl"):
        load_rollout_review(folder)


def test_a_rollout_without_the_baseline_is_shown_without_pairs(tmp_path: Path) -> None:
    alone = load_rollout_review(a_rollout(tmp_path / "alone", "redline", runs=1, end="2021-03-10"))

    assert alone.scores is None
    assert "The rollout has no arm no-advisor." in rollout_files(alone, ("html",))["rollout.html"].decode()
    assert {entry.base for entry in alone.entries()} == {None}


def test_a_contract_of_the_firm_is_read_from_the_rollout(tmp_path: Path) -> None:
    own = tmp_path / "own.json"
    own.write_bytes(load_contract(CONDUCT).model_copy(update={"id": "own-1"}).sealed_bytes())
    folder = a_rollout(tmp_path / "rollout", "redline", runs=1, end="2021-03-05", contract=own)
    own.unlink()

    assert b"own-1" in rollout_files(load_rollout_review(folder), ("html",))["rollout.html"]


# The pictures


@given(st.lists(st.fractions(-10**9, 10**9, max_denominator=10**6), min_size=1, max_size=8))
def test_an_axis_holds_every_value_with_few_even_ticks(values: list[Fraction]) -> None:
    ticks = axis_of(values, str).ticks

    assert ticks[0] <= min(values) and max(values) <= ticks[-1]
    assert 2 <= len(ticks) <= 7
    assert len({later - earlier for earlier, later in pairwise(ticks)}) == 1


@given(st.integers(1, 5_000))
def test_a_long_course_is_drawn_in_part_and_to_its_end(many: int) -> None:
    shown = drawn(many)

    assert shown[0] == 0 and shown[-1] == many - 1
    assert len(shown) <= MOST_POINTS + 1
    assert many > MOST_POINTS or len(shown) == many


# The command and the browser


def test_the_command_finds_out_that_it_is_a_rollout(audit: Audit, made: Path, tmp_path: Path) -> None:
    outcome = audit("export", made, "--format", "csv", "--out", tmp_path / "out")

    assert outcome.code == 0
    assert outcome.out.startswith("Rollout manifest sha256 ")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"consultations.csv", "daily.csv"}


@pytest.mark.parametrize(("options", "code", "said"), [
    (("--format", "xlsx"), 3, "take html, csv, jsonl"),
    (("--format", "html", "--controls", "table.csv"), 2, "not for a rollout"),
    (("--format", "html", "--trace", "no-such-trace"), 3, "no-such-trace"),
])
def test_what_a_rollout_has_not_is_refused(
    audit: Audit, made: Path, tmp_path: Path, options: tuple[str, ...], code: int, said: str
) -> None:
    outcome = audit("export", made, *options, "--out", tmp_path / "out")

    assert outcome.code == code
    assert said in outcome.err
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
@pytest.mark.skipif(BINARY is None, reason="no Chromium is installed; `make browser` installs Debian's")
def test_it_is_read_in_a_browser(page: str, reading: Reading, tmp_path: Path) -> None:
    path = tmp_path / "rollout.html"
    path.write_text(page, "utf-8")
    shown = "[...document.querySelectorAll('#table tbody tr')].filter(row => row.getClientRects().length)"
    with Chromium(tmp_path / "home") as browser:
        browser.open(path, width=360, height=740)
        assert browser.run("document.documentElement.scrollWidth") == 360
        browser.run("{ const it = document.getElementById('filter-advisor'); it.value = 'redline';"
                    " it.dispatchEvent(new Event('change')) }")
        assert browser.run(f"{shown}.every(row => row.cells[1].textContent === 'redline')")
        stored: Any = browser.run("Object.keys(JSON.parse(document.getElementById('data').textContent).cases)")
        browser.run(f"location.hash = '#case-{stored[0]}'")
        browser.wait("document.querySelector('#case header .kind')")
        assert browser.run("[...document.querySelectorAll('#case article > h4')].map(one => one.textContent)") == FIELDS
        assert browser.run("document.documentElement.scrollWidth") == 360
        assert browser.complaints == []
        assert [url for url in browser.requests if not url.startswith("file:")] == []
