"""`audit thresholds`: docs/exports.md shows what is printed on the bank that stands at every number."""

import re
from pathlib import Path

import pytest

from tests.cli.conftest import Audit

PAGE = (Path(__file__).parents[2] / "docs" / "exports.md").read_text(encoding="utf-8")


def test_the_page_shows_what_is_printed(audit: Audit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (shown,) = re.findall(r"```\n(\$ audit bank --bank conduct-edges-1.*?)```", PAGE, re.DOTALL)
    for part in shown.split("$ audit ")[1:]:
        command, *lines = part.splitlines()
        printed = audit(*command.split()).out.splitlines()

        assert [line for line in lines if line != "..." and line not in printed] == []
