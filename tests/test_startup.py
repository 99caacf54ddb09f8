"""What a command loads, by the names of the modules: noise-free, unlike a clock."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from scenarios.load import SHIPPED

SCENARIO = SHIPPED / "bank-1" / "scenarios" / "cash-sub-tranche-03.json"
HEAVY = {"asyncio", "jsonschema", "numpy", "openai", "pandas", "pulp", "rich"}

CALL = """
import importlib.metadata, json, sys
before = set(sys.modules)
asked = []
importlib.metadata.entry_points = lambda **how: asked.append(how) or ()
from verifier.cli import main
try:
    main(sys.argv[1:])
except SystemExit as ended:
    code = ended.code
print(json.dumps({"code": code, "modules": sorted(set(sys.modules) - before), "asked": asked}), file=sys.stderr)
"""


class Loaded:
    """What one call of `audit` loaded, and which entry points it asked for."""

    def __init__(self, *args: object) -> None:
        done = subprocess.run(
            [sys.executable, "-c", CALL, *map(str, args)], capture_output=True, text=True, check=True,
            cwd=Path(__file__).parents[1],
        )
        told = json.loads(done.stderr.splitlines()[-1])
        self.code: int = told["code"]
        self.asked: list[dict[str, str]] = told["asked"]
        self.packages = {name.partition(".")[0] for name in told["modules"]}
        self.ours = {name for name in told["modules"]
                     if name.partition(".")[0] in ("predicates", "replay", "scenarios", "verifier")}


@pytest.fixture
def answer(tmp_path: Path) -> Path:
    path = tmp_path / "answer.txt"
    name = json.loads(SCENARIO.read_bytes())["universe"][0]
    path.write_text(json.dumps({"orders": [{"instrument": name, "amount": 300}]}))
    return path


@pytest.mark.parametrize("args", [["--help"], ["--version"]])
def test_help_loads_click_and_the_command_table(args: list[str]) -> None:
    loaded = Loaded(*args)

    assert loaded.code == 0
    assert loaded.ours == {"verifier", "verifier.cli"}
    assert "click" in loaded.packages
    assert not loaded.packages & (HEAVY | {"orjson", "pydantic", "pydantic_core", "rfc8785"})


@pytest.mark.parametrize("scenario", [SCENARIO, SCENARIO.stem])
def test_check_loads_nothing_heavy(answer: Path, scenario: object) -> None:
    loaded = Loaded("check", scenario, answer)

    assert loaded.code == 0
    assert not loaded.packages & HEAVY
    assert not {name for name in loaded.ours if name.startswith("replay")}
    assert not loaded.ours & {"verifier.columns", "verifier.oracle", "verifier.plan", "verifier.bank"}


def test_check_loads_only_the_families_of_its_contract(answer: Path) -> None:
    loaded = Loaded("check", SCENARIO, answer)

    assert "predicates.cost.fee_worsening_split" in loaded.ours
    assert not [name for name in loaded.ours if name.startswith("predicates.conduct")]


def test_shipped_codes_scan_no_entry_points(answer: Path) -> None:
    assert Loaded("check", SCENARIO, answer).asked == []


def test_a_foreign_code_scans_the_entry_points_of_clauses(answer: Path, tmp_path: Path) -> None:
    """The probe of the test above can see a scan."""
    from scenarios.manifest import Contract
    from scenarios.types import Clause

    contract = tmp_path / "contract.json"
    clause = Clause(code="MINE01", authority="test", owner="test")
    contract.write_bytes(Contract(id="foreign", version="1", clauses=(clause,)).sealed_bytes())

    loaded = Loaded("check", SCENARIO, answer, "--contract", contract)

    assert loaded.code == 3
    assert loaded.asked == [{"group": "advice_audit.predicates"}]
