"""README and docs/fund-advice.md show what rollouts print today, and the programs of `examples/` do what is said."""

import json
import re
import sys
from decimal import Decimal
from pathlib import Path

import pytest

from replay.environments.fund_advice.population import Population, investors
from replay.environments.fund_advice.program import Program
from replay.environments.fund_advice.request import request_bytes
from scenarios.files import build
from scenarios.json_exact import read_json
from tests.pages import PAGES, ROOT, blocks, missing, prepare, steps
from tests.replay.fund_advice.consultations import some_facts


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_shows_is_printed(page: str, tmp_path: Path) -> None:
    """Bring the numbers up to date with `python -m tests.pages`."""
    folder = prepare(tmp_path)
    stale = [(command, line) for block in blocks(page) for command, shown, printed in steps(block, folder)
             for line in missing(shown, printed)]

    assert stale == []


@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_blocks_to_run(page: str) -> None:
    assert any("\n" in block.strip() for block in blocks(page))


def test_lines_are_looked_for_in_order() -> None:
    assert missing(["a", "c"], ["a", "b", "c"]) == []
    assert missing(["c", "a"], ["a", "b", "c"]) == ["a"]
    assert missing(["x", "b", "b"], ["a", "b", "c"]) == ["x", "b"]


def test_the_example_of_an_advisor_keeps_to_what_it_says() -> None:
    """Suitable funds of the shortlist alone, within the cash, and never beyond half of what the reserve leaves."""
    bought = 0
    with Program("mine", (sys.executable, str(ROOT / "examples" / "advisor.py"))) as program:
        for facts in map(some_facts, range(60)):
            answer = json.loads(program.answer(request_bytes(facts, [("client", "What now?")])) or b"")
            account, client = facts["account"], facts["client"]
            suitable = {one["fund"] for one in facts["shortlist"]
                        if one["level"] <= {"conservative": 2, "balanced": 3, "aggressive": 5}[client["risk_profile"]]}
            for order in answer["orders"]:
                invested = Decimal(account["pos_ratio"]) + Decimal(100 * order["amount"]) / account["nav_cents"]
                assert order["instrument"] in suitable
                assert 100 * order["amount"] <= account["cash_cents"]
                assert invested <= (1 - Decimal(client["cash_reserve"])) / 2
            bought += len(answer["orders"])

    assert 0 < bought < 60


def test_the_population_of_the_page_is_one() -> None:
    page = (ROOT / "docs" / "fund-advice.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    population = build(Population, read_json(text.encode(), "docs/fund-advice.md"), "docs/fund-advice.md")

    assert [one.nav0_cents for one in investors(population, 1, 1)][1] == 7_500_000
