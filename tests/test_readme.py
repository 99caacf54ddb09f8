"""README shows what the commands print: every line of its examples comes out of them today."""

import re
from pathlib import Path

import pytest

from tests.cli.conftest import Audit
from tests.cli.conftest import audit as audit  # the fixture

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```\n(.*?)```", README, re.DOTALL)
LEFT_OUT = "  ... (16 more clauses)"


def block(start: str) -> list[str]:
    """The lines of the one block that begins so, blank ones and what is marked as left out aside."""
    (found,) = [text for text in BLOCKS if text.startswith(start)]
    return [line for line in found.splitlines() if line and line != LEFT_OUT]


def test_the_score_table(audit: Audit, tmp_path: Path) -> None:
    """The advisors are those of `make audit`."""
    (names,) = re.findall(r"^ADVISORS := (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    options = [part for name in names.split() for part in ("--advisor", name)]
    printed = audit("bank", *options, "--out", tmp_path / "run").out.splitlines()

    assert [line for line in block("Bank bank-1") if line not in printed] == []


def test_the_conduct_table(audit: Audit, tmp_path: Path) -> None:
    shown = block("$ audit bank --bank conduct-1")
    printed = audit(*shown[0].split()[2:], "--out", tmp_path / "run").out.splitlines()

    assert [line for line in shown[1:] if line not in printed] == []


def test_the_page_of_the_redlines(audit: Audit) -> None:
    """docs/redlines.md shows the totals of the half that nobody looked at, misses included."""
    page = (ROOT / "docs" / "redlines.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"\$ audit reproduce redlines\n(.*?)```", page, re.DOTALL)
    found = audit("reproduce", "redlines")
    printed = found.out.splitlines()

    assert [line for line in shown.splitlines() if line not in printed] == []
    assert [line for line in printed if line.startswith("under the bar") and line not in shown] == []
    assert found.code == ("under the bar" in shown)


@pytest.mark.parametrize("command", ["check", "repair"])
def test_the_example(audit: Audit, tmp_path: Path, command: str) -> None:
    (tmp_path / "answer.json").write_text("\n".join(block('{"orders"')) + "\n", encoding="utf-8")
    printed = audit(command, "cash-sub-tranche-03", tmp_path / "answer.json").out.splitlines()
    shown = block(f"$ audit {command}")[1:]

    assert [line for line in shown if line not in printed] == []


@pytest.mark.parametrize("path", re.findall(r"\]\(([^)]+)\)|`((?:docs|replay|scenarios)/[\w./-]+)`", README))
def test_what_it_points_at_is_there(path: tuple[str, str]) -> None:
    assert (ROOT / (path[0] or path[1])).exists()


def test_the_page_of_the_clauses(audit: Audit) -> None:
    """docs/clauses.md shows the catalogue as it is; paste `audit predicates list` there when it changes."""
    page = (ROOT / "docs" / "clauses.md").read_text(encoding="utf-8")

    assert audit("predicates", "list").out in page
