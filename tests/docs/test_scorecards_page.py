"""docs/scorecards.md: the commands print what the page shows."""

import re
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from scenarios.files import read_file
from scenarios.load import SHIPPED
from tests.cli.conftest import Audit
from tests.cli.conftest import audit as audit  # the fixture

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "scorecards.md").read_text(encoding="utf-8")
SAID, CHECK, LEARN = re.findall(r"```\n(.*?)```", PAGE, re.DOTALL)
LABELS = next(block for block in re.findall(r"```\n(.*?)```", (DOCS / "redlines.md").read_text(encoding="utf-8"),
                                            re.DOTALL) if block.startswith('{"id"'))


@pytest.fixture
def folder(audit: Audit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in a folder with a scenario of one turn, the page's answer, and the labelled set of docs/redlines.md."""
    monkeypatch.chdir(tmp_path)
    Path("scenario.json").write_bytes(read_file(SHIPPED / "conduct-1" / "scenarios" / "calibration-u2.json"))
    Path("answer.txt").write_text(SAID, encoding="utf-8")
    Path("labels.jsonl").write_text(LABELS, encoding="utf-8")
    assert audit("freeze", "labels.jsonl", "--as", "labels", "--out", "firm-labels").code == 0


@pytest.mark.parametrize("example", [CHECK, LEARN], ids=["check", "learn"])
def test_the_examples(audit: Audit, folder: None, example: str) -> None:
    """A line that ends in ... may go on, and one of ... stands for any number of lines."""
    command, *shown = example.splitlines()
    printed = audit(*command.removeprefix("$ audit ").split()).out.splitlines()

    patterns = [line.replace("...", "*") for line in shown if line != "..."]
    places = [next((n for n, line in enumerate(printed) if fnmatchcase(line, one)), None) for one in patterns]
    assert None not in places, printed
    assert places == sorted(place for place in places if place is not None)
