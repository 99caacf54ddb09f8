"""docs/certificates.md shows what the commands print: every line of its examples comes out of them today."""

import re
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from tests.cli.conftest import Audit
from tests.cli.conftest import audit as audit  # the fixture
from tests.docs.checker import SCRIPT, checker

PAGE = SCRIPT.with_name("certificates.md").read_text(encoding="utf-8")
EXPORT, CHECK = (block.splitlines() for block in re.findall(r"```\n(\$ .*?)```", PAGE, re.DOTALL))


@pytest.fixture
def printed(audit: Audit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """What the page's commands print, run one after the other in a folder of their own."""
    monkeypatch.chdir(tmp_path)
    audits = [line.removeprefix("$ audit ").split() for line in EXPORT if line.startswith("$ audit ")]
    outcomes = [audit(*arguments) for arguments in audits]
    code, report = checker.check(Path(CHECK[0].split()[-1]).read_bytes())

    assert [outcome.code for outcome in outcomes] == [0, 0]
    assert code == 0
    return {"export": outcomes[-1].out.splitlines(), "check": report}


def test_the_example(printed: dict[str, list[str]]) -> None:
    """A line that ends in ... may go on."""
    assert EXPORT[-1:] == printed["export"]
    shown = [re.sub(r"\.\.\.$", "*", line) for line in CHECK[1:]]
    places = [[number for number, line in enumerate(printed["check"]) if fnmatchcase(line, one)] for one in shown]

    assert [one for one, found in zip(shown, places, strict=True) if len(found) != 1] == []
    assert places == sorted(places)
    (left_out,) = re.findall(r"\((\d+) clauses, and", PAGE)
    assert len(printed["check"]) - len(shown) == int(left_out)


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`(docs/[\w./-]+)`", PAGE))))
def test_what_it_points_at_is_there(path: str) -> None:
    assert (SCRIPT.parents[1] / path).exists()
