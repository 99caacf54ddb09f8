"""`audit freeze --as labels`: a firm's own labelled texts as a sealed set that the redlines are measured on."""

import json
import re
from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from scenarios.labels import half_of, load_labels
from scenarios.load import SHIPPED
from tests.cli.conftest import Audit

PAGE = (Path(__file__).parents[2] / "docs" / "redlines.md").read_text(encoding="utf-8")
TEXTS, SHOWN = (re.search(rf"```\n({start}.*?)```", PAGE, re.DOTALL) for start in (r'\{"id"', r"\$ audit freeze"))
CONTEXT = json.loads((SHIPPED / "redlines-1" / "contexts" / "all-cash.json").read_bytes())
Change = Callable[[dict[str, Any]], object]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The texts of the page, in the folder that we stand in."""
    assert TEXTS is not None
    monkeypatch.chdir(tmp_path)
    path = Path("labels.jsonl")
    path.write_text(TEXTS[1], encoding="utf-8")
    return path


def a_text(name: str, **members: object) -> str:
    """A line with an advisor's text."""
    return json.dumps({"id": name, "language": "en", "labels": [], "near": "COND01", "kind": "calm",
                       "context": "all-cash", "advisor_says": "Take your time.", **members}) + "\n"


def contexts_with(folder: Path, change: Change) -> Path:
    """A folder with one context, changed."""
    record = dict(CONTEXT)
    change(record)
    folder.mkdir()
    (folder / "all-cash.json").write_text(json.dumps(record), encoding="utf-8")
    return folder


def test_the_page_shows_what_the_commands_print(audit: Audit, file: Path) -> None:
    """A line that ends in ... may go on; a line of ... stands for the rest."""
    assert SHOWN is not None
    for part in SHOWN[1].split("$ audit ")[1:]:
        command, *lines = part.splitlines()
        printed = audit(*command.split()).out.splitlines()
        wanted = lines[: lines.index("...")] if "..." in lines else lines

        assert len(printed) == len(wanted) or "..." in lines
        assert all(fnmatchcase(got, line.replace("...", "*")) for line, got in zip(wanted, printed, strict=False))


def test_the_set_is_sealed_with_its_contexts_and_every_text_in_its_half(audit: Audit, file: Path) -> None:
    assert audit("freeze", file, "--as", "labels", "--out", "set", "--id", "memo-1").code == 0
    labels = load_labels(Path("set"))

    assert labels.id == "memo-1"
    assert sorted(labels.contexts) == ["balanced-range", "balanced-up", "conservative-range"]
    assert {text.id: half for half, texts in labels.texts.items() for text in texts} == {
        f"memo-0{number}": half_of(f"memo-0{number}") for number in range(1, 6)}
    assert audit("verify", "set").code == audit("replay", "set").code == 0


def test_the_shipped_set_seals_to_its_own_digest(audit: Audit, tmp_path: Path) -> None:
    """Neither the order of the lines nor blank ones matter."""
    shipped = SHIPPED / "redlines-train-1"
    halves = [(shipped / half / "items.jsonl").read_text("utf-8") for half in ("test", "dev")]
    lines = "".join(halves).split("\n")
    (tmp_path / "texts.jsonl").write_text("\n\n".join(reversed(lines)), encoding="utf-8")
    out = tmp_path / "redlines-train-1"

    assert audit("freeze", tmp_path / "texts.jsonl", "--as", "labels", "--out", out).code == 0
    assert (out / "manifest.json").read_bytes() == (shipped / "manifest.json").read_bytes()


def test_a_context_of_the_firm(audit: Audit, file: Path) -> None:
    folder = contexts_with(Path("mine"), lambda record: record.update(id="all-cash", as_of="2026-02-02"))
    file.write_text(a_text("a"), encoding="utf-8")
    assert audit("freeze", file, "--as", "labels", "--contexts", folder, "--out", "set").code == 0

    assert load_labels(Path("set")).contexts["all-cash"].as_of == "2026-02-02"


@pytest.mark.parametrize(("lines", "told"), [
    pytest.param("", "labels.jsonl: holds no text", id="nothing"),
    pytest.param(a_text("a") + "{", "labels.jsonl line 2", id="a line that is cut"),
    pytest.param(a_text("a") + "\n" + a_text("a"), "line 3: 'a' stands twice, first in labels.jsonl line 1", id="id"),
    pytest.param(a_text("a", labels=["COND06"]), "line 1#/labels/0: ", id="a redline that nobody measures"),
    pytest.param(a_text("a", language="de"), "line 1#/language: ", id="a language"),
    pytest.param(a_text("a", advisor_says=""), "line 1#/advisor_says: ", id="silence"),
    pytest.param(a_text("a", says="x"), "line 1#/says: ", id="an unknown member"),
    pytest.param(a_text("a", context="all-cush"), "has no context 'all-cush'; name one of these", id="no context"),
    pytest.param(a_text("a", context="../contexts/all-cash"), "has no context '../", id="a context elsewhere"),
])
def test_bad_texts_are_refused_with_their_line(audit: Audit, file: Path, lines: str, told: str) -> None:
    file.write_text(lines, encoding="utf-8")
    outcome = audit("freeze", file, "--as", "labels", "--out", "set")

    assert outcome.code == 3
    assert told in outcome.err and outcome.err.count("\n") == 1
    assert [path.name for path in Path().iterdir()] == [file.name]


@pytest.mark.parametrize(("change", "told"), [
    pytest.param(lambda record: record.update(id="other"), "all-cash.json#/id: holds scenario 'other'", id="its name"),
    pytest.param(lambda record: record.update(dialogue=[{"speaker": "client", "text": "Hello.", "reply": True}]),
                 "all-cash.json#/dialogue: holds turns", id="a dialogue"),
    pytest.param(lambda record: record.pop("account"), "all-cash.json#/account: ", id="no account"),
])
def test_a_context_that_does_not_fit_is_named(audit: Audit, file: Path, change: Change, told: str) -> None:
    file.write_text(a_text("a"), encoding="utf-8")
    outcome = audit("freeze", file, "--as", "labels", "--contexts", contexts_with(Path("mine"), change), "--out", "set")

    assert outcome.code == 3
    assert told in outcome.err
    assert not Path("set").exists()


def test_nothing_is_written_over(audit: Audit, file: Path) -> None:
    Path("set").mkdir()

    assert "set: exists" in audit("freeze", file, "--as", "labels", "--out", "set").err
    assert list(Path("set").iterdir()) == []


@pytest.mark.parametrize(("arguments", "told"), [
    (("--as", "labels"), "--as needs --out"),
    (("--as", "labels", "--out", "set", "--runs", 2), "--as does not take --runs"),
    (("--contexts", "mine"), "PATH alone does not take --contexts"),
    (("--as", "words", "--out", "set"), "'words'"),
])
def test_options_that_do_not_go_together(audit: Audit, file: Path, arguments: tuple[object, ...], told: str) -> None:
    outcome = audit("freeze", file, *arguments)

    assert outcome.code == 2
    assert told in outcome.err


def test_what_cannot_be_measured_is_said(audit: Audit, file: Path) -> None:
    file.write_text(a_text("memo-02"), encoding="utf-8")
    assert audit("freeze", file, "--as", "labels", "--out", "set").code == 0
    halves = [audit("reproduce", "redlines", "--labels", "set", "--half", half) for half in ("dev", "test")]

    assert sorted(one.code for one in halves) == [1, 3]
    (empty,) = (one for one in halves if one.code == 3)
    (full,) = (one for one in halves if one.code == 1)
    assert "set: holds no text in half" in empty.err
    assert "under the bar: COND03 zh: no text is labelled with it" in full.out
    half = half_of("memo-02")
    refused = audit("reproduce", "redlines", "--labels", "set", "--half", half, "--contract", "base-1")
    assert refused.code == 3
    assert "contract base-1: has no clause COND01" in refused.err
