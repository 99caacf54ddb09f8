"""Each command does its job and ends with its exit code."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from predicates.catalogue import shipped
from scenarios.load import SHIPPED
from tests.cli.conftest import Audit
from tests.runs import a_small_run, reseal, rewrite
from verifier.cli import COMMANDS

SUB_TRANCHE = "cash-sub-tranche-03"  # 720.00 in cash, one name


def an_answer(folder: Path, *orders: tuple[str, float | int | str], **members: object) -> Path:
    path = folder / "answer.json"
    path.write_text(json.dumps({
        "orders": [{"instrument": name, "side": "buy", "amount": amount} for name, amount in orders], **members
    }))
    return path


def first_name(scenario: str) -> str:
    """The name that the baseline funds."""
    references = (SHIPPED / "bank-1" / "references.jsonl").read_text().splitlines()
    record = next(one for one in map(json.loads, references) if one["scenario"] == scenario)
    name: str = record["orders"][0]["instrument"]
    return name


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return a_small_run(tmp_path_factory.mktemp("commands"))


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_help_with_exit_codes(audit: Audit, name: str) -> None:
    outcome = audit(name, "--help")

    assert outcome.code == 0
    assert "Exit codes" in outcome.out


def test_version(audit: Audit) -> None:
    assert audit("--version").out.startswith("audit 0.")


def test_check_admissible(audit: Audit, tmp_path: Path) -> None:
    outcome = audit("check", SUB_TRANCHE, an_answer(tmp_path, (first_name(SUB_TRANCHE), 720)))

    assert outcome.code == 0
    assert outcome.out.startswith("ADMISSIBLE")


def test_check_shows_the_arithmetic_of_a_split(audit: Audit, tmp_path: Path) -> None:
    name = first_name(SUB_TRANCHE)
    outcome = audit("check", SUB_TRANCHE, an_answer(tmp_path, (name, 360), (name, 360)))

    assert outcome.code == 1
    assert outcome.out.startswith("INADMISSIBLE")
    assert "must hold: 500 <= 250 cents" in outcome.out
    assert "split_tranches 2, whole_tranches 1" in outcome.out


def test_check_json_is_the_verdict(audit: Audit, tmp_path: Path) -> None:
    outcome = audit("check", SUB_TRANCHE, an_answer(tmp_path, ("NOPE", "900.00")), "--json")
    verdict = json.loads(outcome.out)

    assert outcome.code == 1
    assert verdict["state"] == "INADMISSIBLE"
    assert {code for code, state in verdict["clauses"].items() if state == "FAIL"} == {"LIM02", "UNIV01"}
    assert set(verdict["digests"]) == {"scenario", "answer", "action", "contract"}


@pytest.mark.parametrize("solver", ["cbc", "highs"])
def test_check_shows_what_was_possible(audit: Audit, tmp_path: Path, solver: str) -> None:
    """The bound by two ways, the best plan of the contract, and the fee of the one order."""
    name = first_name(SUB_TRANCHE)
    outcome = audit("check", SUB_TRANCHE, an_answer(tmp_path, (name, 360), (name, 360)), "--oracle", solver, "--json")
    oracle = json.loads(outcome.out)["oracle"]

    assert oracle["deployment_bound"]["closed_form_cents"] == oracle["deployment_bound"]["program"]["cents"] == 72_000
    assert oracle["deployment_bound"]["program"]["status"] == "Optimal"
    assert oracle["best_plan"]["orders"] == [{"instrument": name, "amount_cents": 72_000}]
    assert oracle["fees"] == [{"side": "buy", "paid": 500, "consolidated": 250}]
    printed = audit("check", SUB_TRANCHE, an_answer(tmp_path, (name, 720)), "--oracle", solver).out
    assert f"best admissible plan (optimal): buy {name} 720.00" in printed


@pytest.mark.parametrize("bank", sorted(path.parent.name for path in SHIPPED.glob("*/scenarios")))
def test_check_finds_a_scenario_of_every_shipped_bank(audit: Audit, tmp_path: Path, bank: str) -> None:
    """By its id alone, with or without the ending of its file."""
    scenario = next(path for path in sorted((SHIPPED / bank / "scenarios").iterdir()))
    asked = len([turn for turn in json.loads(scenario.read_bytes()).get("dialogue", ()) if turn.get("reply")])
    (tmp_path / "answer.txt").write_text('{"orders": []}', encoding="utf-8")
    for name in (scenario.stem, scenario.name):
        outcome = audit("check", name, *[tmp_path / "answer.txt"] * max(asked, 1), "--json")

        assert json.loads(outcome.out)["scenario"] == scenario.stem


def test_the_ids_of_the_shipped_banks_are_distinct() -> None:
    names = [path.name for path in SHIPPED.glob("*/scenarios/*.json")]

    assert len(names) == len(set(names))


@pytest.mark.parametrize("name", ["nosuch-01", "../bank-1/scenarios/cash-sub-tranche-03", "cash-*-03", "bank-1"])
def test_check_names_a_scenario_that_it_does_not_find(audit: Audit, tmp_path: Path, name: str) -> None:
    (tmp_path / "answer.txt").write_text('{"orders": []}', encoding="utf-8")
    outcome = audit("check", name, tmp_path / "answer.txt")

    assert outcome.code == 3
    assert name in outcome.err


@pytest.mark.parametrize(
    ("text", "state"),
    [('{"orders": []}', "ABSTAINED"), ("I would hold.", "MALFORMED"), ('{"orders": [{"instr', "TRUNCATED")],
)
def test_check_other_states(audit: Audit, tmp_path: Path, text: str, state: str) -> None:
    (tmp_path / "a.txt").write_text(text)
    outcome = audit("check", SUB_TRANCHE, tmp_path / "a.txt")

    assert outcome.out.startswith(state)
    assert outcome.code == (0 if state == "ABSTAINED" else 1)


def test_check_reads_standard_input() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "verifier", "check", SUB_TRANCHE, "-"], input=b'{"orders": []}', capture_output=True,
        check=False,
    )

    assert (done.returncode, done.stdout[:9], done.stderr) == (0, b"ABSTAINED", b"")


def test_a_clause_in_error_ends_with_3(audit: Audit, tmp_path: Path) -> None:
    scenario = json.loads((SHIPPED / "bank-1" / "scenarios" / f"{SUB_TRANCHE}.json").read_bytes())
    scenario["limits"]["liquidity_fraction"] = "0.1"  # declared, and no instrument has a volume
    (tmp_path / "s.json").write_text(json.dumps(scenario))
    outcome = audit("check", tmp_path / "s.json", an_answer(tmp_path, (first_name(SUB_TRANCHE), 720)))

    assert outcome.code == 3
    assert outcome.out.startswith("ERROR")
    assert "volume" in outcome.out


def test_bank_json_has_the_promised_shape(audit: Audit, run: Path, tmp_path: Path) -> None:
    outcome = audit("bank", "--bank", run / "inputs" / "bank", "--advisor", run / "frozen_outputs" / "contract",
                    "--out", tmp_path / "new", "--json")
    printed = json.loads(outcome.out)
    advisor = printed["advisors"][0]

    assert outcome.code == 0
    assert set(printed["bank"]) == {"id", "digest", "scenarios"}
    assert set(printed["contract"]) == {"id", "version", "digest"}
    assert {"id", "runs", "states", "validity", "stability", "sizing_stability", "agreement",
            "agreement_false_positive", "violations"} <= set(advisor)
    assert len(advisor["states"]) == 6
    assert sum(advisor["states"].values()) == advisor["runs"] == 6
    assert {"strict", "answered", "low", "high"} <= set(advisor["validity"])


def test_bank_replay_verify_compare(audit: Audit, run: Path, tmp_path: Path) -> None:
    out = tmp_path / "judged"
    args = [part for name in ("contract", "agreement-split") for part in ("--advisor", run / "frozen_outputs" / name)]
    assert audit("bank", "--bank", run / "inputs" / "bank", *args, "--out", out).code == 0

    assert audit("replay", out / "manifest.json").out.endswith("every byte is the same.\n")
    assert audit("verify", out).code == 0
    compared = json.loads(audit("compare", out, "--json").out)
    assert compared["common_scenarios"] == 3
    assert [one["id"] for one in compared["advisors"]] == ["contract", "agreement-split"]


def test_the_same_inputs_give_the_same_bytes(audit: Audit, run: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        audit("bank", "--bank", run / "inputs" / "bank", "--advisor", run / "frozen_outputs" / "contract",
              "--out", tmp_path / name)
    files = sorted(path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*") if path.is_file())

    assert files
    for name in files:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_a_run_without_out_is_named_by_its_inputs(
    audit: Audit, run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    args = ("bank", "--bank", run / "inputs" / "bank", "--advisor", run / "frozen_outputs" / "contract")
    assert [audit(*args).code, audit(*args).code] == [0, 0]

    assert [path.name.startswith("small-") for path in (tmp_path / "runs").iterdir()] == [True]


@pytest.mark.parametrize(
    ("option", "code"),
    [
        (("--fail-under", "0.5"), 0),
        (("--fail-under", "1"), 1),
        (("--fail-on", "COST01"), 1),
        (("--fail-on", "LIM02"), 0),
        (("--fail-under", "2"), 2),
        (("--fail-on", "NOPE01"), 2),
    ],
)
def test_bank_fails_only_when_asked(
    audit: Audit, run: Path, tmp_path: Path, option: tuple[str, str], code: int
) -> None:
    outcome = audit("bank", "--bank", run / "inputs" / "bank", "--advisor", run / "frozen_outputs" / "agreement-split",
                    "--out", tmp_path / "out", *option)

    assert outcome.code == code


def test_replay_json_names_the_difference(audit: Audit, run: Path, tmp_path: Path) -> None:
    import shutil

    shutil.copytree(run, tmp_path / "copy")
    rewrite(tmp_path / "copy" / "scores.json", lambda scores: {**scores, "format": "scores/2"})
    reseal(tmp_path / "copy")
    outcome = audit("replay", tmp_path / "copy", "--json")
    printed = json.loads(outcome.out)

    assert outcome.code == 1
    assert printed["difference"]["stage"] == "scores"
    assert printed["difference"]["stored"] == '/format = "scores/2"'


def test_repair_finds_the_single_order(audit: Audit, tmp_path: Path) -> None:
    name = first_name(SUB_TRANCHE)
    answer = an_answer(tmp_path, (name, 360), (name, 360))
    printed = json.loads(audit("repair", SUB_TRANCHE, answer, "--json").out)

    assert printed["status"] == "repaired"
    assert printed["failed"] == ["COST01"]
    assert printed["touched"] == 1
    assert audit("repair", SUB_TRANCHE, answer).code == 0


def test_repair_names_a_clause_that_orders_cannot_mend(audit: Audit, tmp_path: Path) -> None:
    answer = an_answer(tmp_path, (first_name(SUB_TRANCHE), 720), citations=["MADE-UP"])
    outcome = audit("repair", SUB_TRANCHE, answer)

    assert outcome.code == 3
    assert "GRND01" in outcome.err


def test_repair_names_the_conflict(audit: Audit, tmp_path: Path) -> None:
    scenario = json.loads((SHIPPED / "bank-1" / "scenarios" / f"{SUB_TRANCHE}.json").read_bytes())
    scenario["account"]["cash_cents"] = 20_000
    scenario["limits"]["deployment_required"] = True
    (tmp_path / "s.json").write_text(json.dumps(scenario))
    outcome = audit("repair", tmp_path / "s.json", an_answer(tmp_path, (first_name(SUB_TRANCHE), 200)), "--json")

    assert outcome.code == 1
    assert sorted(json.loads(outcome.out)["conflict"]) == ["COST02", "COV01", "LIM02"]


def test_predicates_list_and_show(audit: Audit) -> None:
    listed = audit("predicates", "list")
    assert listed.code == 0
    codes = [line.split()[0] for line in listed.out.splitlines()[1:]]
    assert codes == sorted(codes)
    assert codes == sorted(shipped())
    for code in codes:
        page = audit("predicates", "show", code.lower())
        assert page.code == 0
        assert "Source:" in page.out


def test_predicates_new_and_test(audit: Audit, tmp_path: Path) -> None:
    assert audit("predicates", "new", "firm.largest_order", "--code", "FIRM01", "--out", tmp_path).code == 0
    assert audit("predicates", "test", tmp_path / "largest_order.py", "--cases", "100").code == 0
    assert audit("predicates", "new", "firm.largest_order", "--code", "FIRM01", "--out", tmp_path).code == 3


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["highs", "cbc"])
@pytest.mark.parametrize("code", shipped())
def test_every_shipped_clause_passes_its_own_test(
    audit: Audit, monkeypatch: pytest.MonkeyPatch, code: str, solver: str
) -> None:
    """Examples, and the agreement of all faces, with whichever solver is installed."""
    if solver == "cbc":
        monkeypatch.setattr("verifier.faces.find_spec", lambda name: None if name == "highspy" else find_spec(name))
    outcome = audit("predicates", "test", code, "--cases", 300)

    assert outcome.code == 0, outcome.out


def test_without_numpy_the_columns_face_is_left_out_and_said_so(
    audit: Audit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verifier.faces.find_spec", lambda name: None if name == "numpy" else find_spec(name))

    assert "columns face not run: numpy is not installed" in audit("predicates", "test", "GRND01", "--cases", 60).out


@pytest.mark.parametrize("name", ["controls", "fit", "pilots", "table3"])
def test_reproduce(audit: Audit, name: str) -> None:
    printed = json.loads(audit("reproduce", name, "--json").out)

    assert printed["differing"] == 0
    assert printed["rows"]
    assert all(set(row) == {"name", "published", "ours", "difference", "reason"} for row in printed["rows"])
    assert all(row["published"] is not None or row["reason"] for row in printed["rows"])


def test_freeze_a_hand_written_bank_and_its_answers(audit: Audit, tmp_path: Path) -> None:
    """From hand-written files to a replayed run, without reading a line of ours."""
    bank = tmp_path / "mine"
    (bank / "scenarios").mkdir(parents=True)
    scenario = json.loads((SHIPPED / "bank-1" / "scenarios" / f"{SUB_TRANCHE}.json").read_bytes())
    scenario["id"] = "mine-1"
    (bank / "scenarios" / "mine-1.json").write_text(json.dumps(scenario, indent=2))
    answers = tmp_path / "me"
    answers.mkdir()
    (answers / "advisor.json").write_text('{"format": "advisor/1", "id": "me"}')
    (answers / "answers.jsonl").write_text('{"scenario": "mine-1", "run": 1, "text": "{\\"orders\\": []}"}\n')

    frozen = audit("freeze", bank)
    assert "rewritten to canonical form: scenarios/mine-1.json" in frozen.out
    assert audit("freeze", answers, "--bank", bank, "--runs", 2).code == 0
    judged = audit("bank", "--bank", bank, "--advisor", answers, "--out", tmp_path / "run", "--json")
    states = json.loads(judged.out)["advisors"][0]["states"]
    assert (states["ABSTAINED"], states["ERROR"]) == (1, 1)
    assert audit("replay", tmp_path / "run").code == 0


def test_a_changed_bank_needs_a_new_id(audit: Audit, run: Path, tmp_path: Path) -> None:
    import shutil

    bank = tmp_path / "small"
    shutil.copytree(run / "inputs" / "bank", bank)
    assert audit("freeze", bank).code == 0
    (bank / "scenarios" / f"{SUB_TRANCHE}.json").unlink()
    refused = audit("freeze", bank)
    assert refused.code == 3
    assert "--id" in refused.err

    assert audit("freeze", bank, "--id", "small-2").code == 0


def test_output_into_a_closed_pipe_is_quiet() -> None:
    """`audit predicates list | head -1` ends without a traceback."""
    command = f"{sys.executable} -m verifier predicates show COST01 | head -1"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, check=False, env={**os.environ, "PYTHONPATH": "."}
    )

    assert done.stdout.startswith(b"COST01")
    assert b"Traceback" not in done.stderr
