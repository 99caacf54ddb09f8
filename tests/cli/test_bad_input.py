"""Bad input: one clear line with place and remedy, the promised exit code, nothing written half."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from predicates import sources
from scenarios.canonical import canonical_bytes, sha256
from scenarios.load import SHIPPED, shipped_contract
from tests.cli.conftest import Audit
from tests.runs import a_small_run, reseal, rewrite, rewrite_line

SCENARIO = SHIPPED / "bank-1" / "scenarios" / "cash-sub-tranche-03.json"
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return a_small_run(tmp_path_factory.mktemp("bad"))


@pytest.fixture
def run(built: Path, tmp_path: Path) -> Path:
    shutil.copytree(built, tmp_path / "copy")
    return tmp_path / "copy"


def bank_of(run: Path) -> Path:
    return run / "inputs" / "bank"


def advisor_of(run: Path) -> Path:
    return run / "frozen_outputs" / "contract"


def judged(audit: Audit, run: Path, tmp_path: Path) -> tuple[int, str]:
    """Judge the run's own bank and answers; nothing may be left behind by a refusal."""
    out = tmp_path / "out"
    outcome = audit("bank", "--bank", bank_of(run), "--advisor", advisor_of(run), "--out", out)
    if outcome.code:
        assert not out.exists()
        assert outcome.out == ""
        assert outcome.err.startswith("audit: ")
        assert len(outcome.err.splitlines()) == 1
        assert outcome.err.count("; ") >= 1, "an error says what to do"
    assert not list(tmp_path.glob(".*part"))
    return outcome.code, outcome.err


def reseal_bank(run: Path) -> None:
    """Forge the bank's seal and let the answers name the forged bank, so that only the content is at fault."""
    reseal(bank_of(run))
    digest = json.loads((bank_of(run) / "manifest.json").read_bytes())["digest"]
    reseal(advisor_of(run), bank={"id": "small", "digest": digest})


def cut_json(run: Path) -> None:
    path = advisor_of(run) / "manifest.json"
    path.write_bytes(path.read_bytes()[:100])


def not_json(run: Path) -> None:
    (bank_of(run) / "manifest.json").write_text("hello")


def empty_manifest(run: Path) -> None:
    (bank_of(run) / "manifest.json").write_bytes(b"")


def list_for_a_manifest(run: Path) -> None:
    (bank_of(run) / "manifest.json").write_bytes(b"[]\n")


def wrong_kind(run: Path) -> None:
    shutil.copy(advisor_of(run) / "manifest.json", bank_of(run) / "manifest.json")


def later_version(run: Path) -> None:
    reseal(bank_of(run), format="manifest/2")


def unknown_member(run: Path) -> None:
    reseal(bank_of(run), surprise=1)


def missing_file(run: Path) -> None:
    (advisor_of(run) / "answers.jsonl").unlink()


def digest_mismatch(run: Path) -> None:
    path = advisor_of(run) / "answers.jsonl"
    path.write_bytes(path.read_bytes().replace(b"720", b"721"))


def path_outside(run: Path) -> None:
    manifest = json.loads((bank_of(run) / "manifest.json").read_bytes())
    manifest["files"][0]["path"] = "../../../etc/passwd"
    manifest.pop("digest")
    manifest["digest"] = sha256(canonical_bytes(manifest))
    (bank_of(run) / "manifest.json").write_bytes(canonical_bytes(manifest) + b"\n")


def linked_answers(run: Path) -> None:
    path = advisor_of(run) / "answers.jsonl"
    path.rename(run / "moved.jsonl")
    path.symlink_to(run / "moved.jsonl")


def duplicate_scenario(run: Path) -> None:
    first = next((bank_of(run) / "scenarios").iterdir())
    shutil.copy(first, first.with_name("another.json"))
    reseal_bank(run)


def no_scenarios(run: Path) -> None:
    shutil.rmtree(bank_of(run) / "scenarios")
    (bank_of(run) / "references.jsonl").write_bytes(b"")
    reseal_bank(run)


def answer_outside_the_plan(run: Path) -> None:
    rewrite_line(advisor_of(run) / "answers.jsonl", 0, lambda answer: {**answer, "run": 3})
    reseal(advisor_of(run))


def answer_to_another_scenario(run: Path) -> None:
    rewrite_line(advisor_of(run) / "answers.jsonl", 0, lambda answer: {**answer, "scenario": "nowhere-1"})
    reseal(advisor_of(run))


def two_answers_for_one_run(run: Path) -> None:
    rewrite_line(advisor_of(run) / "answers.jsonl", 1, lambda answer: {**answer, "run": 1})
    reseal(advisor_of(run))


def plan_beyond_the_bank(run: Path) -> None:
    plan = json.loads((advisor_of(run) / "manifest.json").read_bytes())["plan"]
    reseal(advisor_of(run), plan={**plan, "scenarios": [*plan["scenarios"], "nowhere-1"]})


def plan_twice(run: Path) -> None:
    plan = json.loads((advisor_of(run) / "manifest.json").read_bytes())["plan"]
    reseal(advisor_of(run), plan={**plan, "scenarios": [*plan["scenarios"], plan["scenarios"][0]]})


def huge_line(run: Path) -> None:
    path = advisor_of(run) / "answers.jsonl"
    path.write_bytes(b'{"run":1,"scenario":"x","text":"' + b"a" * 100_000_000 + b'"}\n')
    reseal(advisor_of(run))


def deep_line(run: Path) -> None:
    path = advisor_of(run) / "answers.jsonl"
    path.write_bytes(b'{"a":' * 100_000 + b"1" + b"}" * 100_000 + b"\n")
    reseal(advisor_of(run))


def huge_number(run: Path) -> None:
    path = advisor_of(run) / "answers.jsonl"
    path.write_bytes(b'{"run":' + b"9" * 5000 + b',"scenario":"x","text":""}\n')
    reseal(advisor_of(run))


def huge_cash(run: Path) -> None:
    rewrite(next((bank_of(run) / "scenarios").iterdir()), lambda scenario: {
        **scenario, "account": {**scenario["account"], "cash_cents": 2**53 - 1}})
    reseal_bank(run)


def not_utf_8(run: Path) -> None:
    path = advisor_of(run) / "answers.jsonl"
    path.write_bytes(b'{"run":1,"scenario":"x","text":"\xff"}\n')
    reseal(advisor_of(run))


def crlf(run: Path) -> None:
    path = advisor_of(run) / "answers.jsonl"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    reseal(advisor_of(run))


def bom(run: Path) -> None:
    path = advisor_of(run) / "answers.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    reseal(advisor_of(run))


def blanks_in_a_line(run: Path) -> None:
    path = advisor_of(run) / "answers.jsonl"
    path.write_bytes(path.read_bytes().replace(b'":', b'": ', 1))
    reseal(advisor_of(run))


def key_twice(run: Path) -> None:
    path = advisor_of(run) / "answers.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"run":1', b'"run":1,"run":1', 1))
    reseal(advisor_of(run))


def float_in_a_scenario(run: Path) -> None:
    path = next((bank_of(run) / "scenarios").iterdir())
    path.write_bytes(path.read_bytes().replace(b'"lot_shares":1', b'"lot_shares":1.0', 1))
    reseal_bank(run)


def cut_last_line(run: Path) -> None:
    path = advisor_of(run) / "answers.jsonl"
    path.write_bytes(path.read_bytes()[:-20])
    reseal(advisor_of(run))


def position_without_instrument(run: Path) -> None:
    def change(scenario: dict[str, object]) -> dict[str, object]:
        account = scenario["account"]
        assert isinstance(account, dict)
        return {**scenario, "account": {**account, "positions": [
            {"instrument": "GHOST", "quantity": "1", "available": "1", "value_cents": 1}]}}

    rewrite(next((bank_of(run) / "scenarios").iterdir()), change)
    reseal_bank(run)


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (cut_json, "is not JSON"), (not_json, "is not JSON"), (empty_manifest, "is empty"),
        (list_for_a_manifest, "expected an object"), (wrong_kind, "expected bank"), (later_version, "manifest/2"),
        (unknown_member, "surprise"), (missing_file, "no such file"), (digest_mismatch, "sha256"),
        (path_outside, "files/0/path"), (linked_answers, "is a link"), (duplicate_scenario, "name the file"),
        (no_scenarios, "no scenario"), (answer_outside_the_plan, "not planned"),
        (answer_to_another_scenario, "not planned"), (two_answers_for_one_run, "second answer"),
        (plan_beyond_the_bank, "nowhere-1"), (plan_twice, "twice"), (huge_line, "at most"), (deep_line, "not JSON"),
        (huge_number, "answers.jsonl line 1"), (huge_cash, "account/cash_cents"), (not_utf_8, "not JSON"),
        (crlf, "line ends"), (bom, "byte-order mark"), (blanks_in_a_line, "canonical"), (key_twice, "canonical"),
        (float_in_a_scenario, "float"), (cut_last_line, "cut"), (position_without_instrument, "GHOST"),
    ],
)
def test_bank_refuses(
    audit: Audit, run: Path, tmp_path: Path, spoil: Callable[[Path], None], says: str
) -> None:
    assert judged(audit, run, tmp_path)[0] == 0
    shutil.rmtree(tmp_path / "out")
    spoil(run)
    code, message = judged(audit, run, tmp_path)

    assert code == 3
    assert says in message


def test_an_empty_folder_never_passes(audit: Audit, tmp_path: Path) -> None:
    for args in (("bank", "--bank", tmp_path), ("bank", "--advisor", tmp_path), ("replay", tmp_path),
                 ("verify", tmp_path), ("freeze", tmp_path), ("compare", tmp_path)):
        outcome = audit(*args)
        assert outcome.code == 3, args
        assert str(tmp_path) in outcome.err


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param(b"{", "", id="cut"), pytest.param(b"", "", id="empty"), pytest.param(b"[]", "", id="a list"),
        pytest.param(b"\xff\xfe", "UTF-8", id="not UTF-8"), pytest.param(b'{"id": NaN}', "", id="NaN"),
        pytest.param(b'{"id": "a", "id": "b"}', "", id="key twice"),
        pytest.param(b'{"a":' * 5000 + b"1" + b"}" * 5000, "", id="deep"),
    ],
)
def test_check_refuses_a_scenario(audit: Audit, tmp_path: Path, text: bytes, says: str) -> None:
    (tmp_path / "s.json").write_bytes(text)
    (tmp_path / "a.json").write_text('{"orders": []}')
    outcome = audit("check", tmp_path / "s.json", tmp_path / "a.json")

    assert outcome.code == 3
    assert "s.json" in outcome.err
    assert says in outcome.err


@pytest.mark.parametrize(
    ("text", "code"),
    [
        pytest.param(b"\xff", 3, id="not UTF-8"),
        pytest.param(b'{"orders":' * 100_000, 1, id="deep"),
        pytest.param(b'{"orders":[{"instrument":"A","amount":' + b"9" * 100_000 + b"}]}", 1, id="a huge number"),
        pytest.param(b'{"orders":[{"instrument":"A","amount":1e999999999}]}', 1, id="a huge exponent"),
        pytest.param(b"a" * (2 << 20), 1, id="two million characters"),
        pytest.param(b"\xef\xbb\xbf{\"orders\": []}\r\n", 1, id="BOM and CRLF"),
        pytest.param(b'{"orders": [], "message": "half \\ud83d"}', 0, id="a lone surrogate in words"),
        pytest.param(b'{"orders": [{"instrument": "\\ud83d", "amount": 1}]}', 1, id="a lone surrogate in a name"),
    ],
)
def test_check_and_a_hostile_answer(audit: Audit, tmp_path: Path, text: bytes, code: int) -> None:
    (tmp_path / "a.json").write_bytes(text)
    outcome = audit("check", SCENARIO, tmp_path / "a.json")

    assert outcome.code in ((code, 0) if b"\xef" in text else (code,))


def a_clause(path: Path, code: str, body: str) -> Path:
    path.write_text(
        '"""A clause of a test. Source: none."""\n\nfrom predicates.registry import predicate\n\n\n'
        f'@predicate(code="{code}", name="firm.clause", says="x")\n'
        f"def clause(scenario, action, params):\n    {body}\n"
    )
    return path


def a_contract(tmp_path: Path, audit: Audit, *codes: str) -> Path:
    contract = json.loads(shipped_contract().read_bytes())
    del contract["digest"]
    contract["id"] = "firm"
    contract["clauses"] = [{"code": code, "version": 1, "parameters": {}, "severity": "violation",
                            "authority": "test", "owner": "test"} for code in codes]
    (tmp_path / "contract.json").write_text(json.dumps(contract))
    assert audit("freeze", tmp_path / "contract.json").code == 0
    return tmp_path / "contract.json"


def test_a_clause_that_raises_is_error_and_never_admissible(audit: Audit, run: Path, tmp_path: Path) -> None:
    file = a_clause(tmp_path / "clause.py", "FIRM01", "return 1 // 0")
    contract = a_contract(tmp_path, audit, "FIRM01", "LIM02")
    (tmp_path / "a.json").write_text('{"orders": []}')
    checked = audit("check", SCENARIO, tmp_path / "a.json", "--contract", contract, "--predicates", file)
    assert checked.code == 3
    assert "ZeroDivisionError" in checked.out

    out = tmp_path / "out"
    outcome = audit("bank", "--bank", bank_of(run), "--advisor", advisor_of(run), "--contract", contract,
                    "--predicates", file, "--out", out, "--json")
    assert outcome.code == 3
    assert json.loads(outcome.out)["advisors"][0]["states"]["ERROR"] == 6
    assert audit("replay", out, "--predicates", file).code == 0
    assert "FIRM01" in audit("replay", out).err


def a_finding(code: str, where: str = "''", left: str = "1") -> str:
    """The body of a clause that returns one finding."""
    arguments = f"'{code}', where={where}, left={left}, op='', right=2, unit='', reads=()"
    return f"from predicates.findings import violation; return (violation({arguments}),)"


@pytest.mark.parametrize(
    "body",
    [
        "return None",
        "return [1]",
        "return 'x'",
        "return (1,)",
        "raise SystemError",
        "raise SystemExit(0)",
        a_finding("COST01", where="''", left="1"),
        a_finding("FIRM01", where="''", left="0.5"),
        a_finding("FIRM01", where="b''", left="1"),
    ],
)
def test_a_clause_that_returns_nonsense_is_error_or_passes_nothing(audit: Audit, tmp_path: Path, body: str) -> None:
    file = a_clause(tmp_path / "clause.py", "FIRM01", body)
    contract = a_contract(tmp_path, audit, "FIRM01")
    (tmp_path / "a.json").write_text('{"orders": []}')

    assert audit("check", SCENARIO, tmp_path / "a.json", "--contract", contract, "--predicates", file).code == 3


def test_two_clauses_with_one_code(audit: Audit, tmp_path: Path) -> None:
    one = a_clause(tmp_path / "one.py", "FIRM01", "return ()")
    two = a_clause(tmp_path / "two.py", "FIRM01", "return ()")
    shipped = a_clause(tmp_path / "three.py", "COST01", "return ()")

    assert "two clauses" in audit("predicates", "list", "--predicates", one, "--predicates", two).err
    (tmp_path / "a.json").write_text('{"orders": []}')
    outcome = audit("check", SCENARIO, tmp_path / "a.json", "--predicates", shipped)
    assert outcome.code == 3
    assert "COST01" in outcome.err


def test_a_contract_that_names_nobody(audit: Audit, tmp_path: Path) -> None:
    contract = a_contract(tmp_path, audit, "FIRM77")
    (tmp_path / "a.json").write_text('{"orders": []}')
    outcome = audit("check", SCENARIO, tmp_path / "a.json", "--contract", contract)

    assert outcome.code == 3
    assert "FIRM77" in outcome.err


def test_an_unsealed_contract_is_refused(audit: Audit, tmp_path: Path) -> None:
    contract = json.loads(shipped_contract().read_bytes())
    contract["title"] = "changed"
    (tmp_path / "contract.json").write_text(json.dumps(contract, sort_keys=True, separators=(",", ":")) + "\n")
    (tmp_path / "a.json").write_text('{"orders": []}')
    outcome = audit("check", SCENARIO, tmp_path / "a.json", "--contract", tmp_path / "contract.json")

    assert outcome.code == 3
    assert "audit freeze" in outcome.err


def test_an_existing_folder_is_not_overwritten(audit: Audit, run: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "mine.txt").write_text("precious")
    outcome = audit("bank", "--bank", bank_of(run), "--advisor", advisor_of(run), "--out", out)

    assert outcome.code == 3
    assert [path.name for path in out.iterdir()] == ["mine.txt"]


def test_an_output_below_a_file_is_refused(audit: Audit, run: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    outcome = audit("bank", "--bank", bank_of(run), "--advisor", advisor_of(run), "--out", tmp_path / "file" / "out")

    assert outcome.code == 3
    assert "cannot be written" in outcome.err


def test_a_full_disk_leaves_nothing_half(
    audit: Audit, run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = 0

    def full(_: int) -> None:
        nonlocal written
        written += 1
        if written > 5:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    outcome = audit("bank", "--bank", bank_of(run), "--advisor", advisor_of(run), "--out", tmp_path / "out")

    assert outcome.code == 3
    assert "No space left" in outcome.err
    assert not (tmp_path / "out").exists()
    assert not list(tmp_path.glob(".out*"))


@pytest.mark.skipif(not hasattr(signal, "SIGINT") or os.name != "posix", reason="needs POSIX signals")
def test_an_interruption_leaves_nothing_half(tmp_path: Path) -> None:
    """Interrupted at any moment, the run folder is whole or absent."""
    for delay in (0.25, 0.5, 0.75):
        out = tmp_path / f"out-{delay}"
        process = subprocess.Popen([sys.executable, "-m", "verifier", "bank", "--out", str(out)], cwd=ROOT,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)

        assert process.returncode in (0, 3, -signal.SIGINT)
        assert (process.returncode == 0) == out.exists()
        assert not list(tmp_path.glob(f".{out.name}*"))
        if process.returncode == 3:
            assert b"Traceback" not in err


@pytest.mark.parametrize(
    "args",
    [("nonsense",), ("bank", "--nonsense"), ("check",), ("reproduce", "table9"), ("bank", "--parser", "strict-9"),
     ("compare",), ("bank", "--advisor", "contract", "--advisor", "contract")],
)
def test_wrong_usage(audit: Audit, args: tuple[str, ...]) -> None:
    assert audit(*args).code == 2


def test_a_near_miss_is_named(audit: Audit) -> None:
    assert "did you mean 'replay'" in audit("reply").err


@pytest.mark.parametrize("args", [("replay", "no/such"), ("verify", "no-such"), ("bank", "--bank", "no-such"),
                                  ("bank", "--contract", "no-such"), ("check", "no-such", "no-such")])
def test_a_missing_path(audit: Audit, args: tuple[str, ...]) -> None:
    outcome = audit(*args)

    assert outcome.code == 3
    assert "o such file" in outcome.err


FORGED = "X\u001b[2J\nADMISSIBLE: forged\r\u202e\u0007"


def test_an_answer_cannot_forge_a_line(audit: Audit, tmp_path: Path) -> None:
    """Control characters, line breaks and bidirectional marks are printed as escapes, here and in errors."""
    orders = [{"instrument": FORGED, "side": "buy", "amount": 300}]
    (tmp_path / "a.json").write_text(json.dumps({"orders": orders, "citations": [FORGED]}))
    for options in ((), ("--json",)):
        outcome = audit("check", SCENARIO, tmp_path / "a.json", *options)
        assert outcome.code == 1
        assert not any(line.startswith("ADMISSIBLE") for line in outcome.out.splitlines())
        assert all(line.isprintable() for line in outcome.out.split("\n"))

    (tmp_path / "s.json").write_text(json.dumps({"id\nADMISSIBLE": 1}))
    outcome = audit("check", tmp_path / "s.json", tmp_path / "a.json")
    assert len(outcome.err.splitlines()) == 1


def test_a_very_long_name_does_not_flood_the_terminal(audit: Audit, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps({"orders": [{"instrument": "A" * 500_000, "amount": 300}]}))

    assert len(audit("check", SCENARIO, tmp_path / "a.json").out) < 50_000


def test_a_hollow_contract_says_so(audit: Audit, run: Path, tmp_path: Path) -> None:
    """A contract that enforces nothing is named by its digest, and what it waives is told."""
    contract = json.loads(shipped_contract().read_bytes())
    path = tmp_path / "hollow.json"
    for clause in contract["clauses"]:
        clause["severity"] = "note"
    path.write_text(json.dumps(contract))
    assert "under which it was sealed" in audit("freeze", path).err
    del contract["digest"]
    path.write_text(json.dumps(contract))
    refused = audit("freeze", path)
    assert refused.code == 3
    assert "id of its own" in refused.err

    path.write_text(json.dumps({**contract, "id": "hollow"}))
    assert audit("freeze", path).code == 0
    outcome = audit("bank", "--bank", bank_of(run), "--advisor", run / "frozen_outputs" / "agreement-split",
                    "--contract", path, "--out", tmp_path / "out")
    assert outcome.code == 0
    assert "Contract hollow version 1" in outcome.out
    assert "not enforced by this contract (WAIVED): COST01 in 2 runs" in outcome.out


def test_a_pipe_in_a_sealed_folder_does_not_hang(audit: Audit, run: Path) -> None:
    (run / "log.jsonl").unlink()
    os.mkfifo(run / "log.jsonl")

    assert audit("verify", run).code == 3
    assert audit("replay", run).code == 3


def test_an_empty_folder_in_a_seal_is_found(audit: Audit, run: Path) -> None:
    (run / "inputs" / "evil").mkdir()

    assert "not listed" in audit("verify", run).out


@pytest.mark.parametrize("name", ["", "\u00e9", "../evil", "a" * 200])
def test_an_id_that_cannot_be_is_refused(audit: Audit, run: Path, name: str) -> None:
    outcome = audit("freeze", bank_of(run), "--id", name)

    assert outcome.code == 3
    assert "/id" in outcome.err


def test_verify_lists_every_difference(audit: Audit, run: Path) -> None:
    (run / "log.jsonl").unlink()
    (run / "more.txt").write_text("x")
    outcome = audit("verify", run)

    assert outcome.code == 3
    assert "log.jsonl" in outcome.out
    assert "more.txt" in outcome.out


def test_answers_to_an_unknown_bank_are_not_replayed(audit: Audit, run: Path) -> None:
    assert "--bank" in audit("replay", advisor_of(run)).err
    assert audit("replay", advisor_of(run), "--bank", bank_of(run)).code == 0


def test_a_repair_gives_up_in_time(audit: Audit, tmp_path: Path) -> None:
    """Forty orders of one name are more than the default solver proves in a second."""
    name = json.loads(SCENARIO.read_bytes())["universe"][0]
    orders = [{"instrument": name, "side": "buy", "amount": 300 + number} for number in range(40)]
    (tmp_path / "a.json").write_text(json.dumps({"orders": orders}))
    outcome = audit("repair", SCENARIO, tmp_path / "a.json", "--time-limit", 1)

    assert outcome.code == 3
    assert "time limit" in outcome.err


def test_a_clause_from_outside_cannot_reach_the_others(audit: Audit, tmp_path: Path) -> None:
    """It runs first by its code, empties what it is handed, and the order for ten times the cash still fails."""
    body = "action.bought_of.clear(); action.buy_amounts.clear(); scenario.held.clear(); scenario.limits; return ()"
    file = a_clause(tmp_path / "clause.py", "AAA01", body)
    contract = a_contract(tmp_path, audit, "AAA01", "LIM02", "LIM03")
    name = json.loads(SCENARIO.read_bytes())["universe"][0]
    (tmp_path / "a.json").write_text(json.dumps({"orders": [{"instrument": name, "amount": 100_000}]}))
    outcome = audit("check", SCENARIO, tmp_path / "a.json", "--contract", contract, "--predicates", file, "--json")

    assert {code for code, state in json.loads(outcome.out)["clauses"].items() if state == "FAIL"} == {"LIM02", "LIM03"}


@pytest.mark.parametrize("kind", ["Violation", "fail", "error", ""])
def test_a_finding_of_an_unknown_kind_is_an_error(audit: Audit, tmp_path: Path, kind: str) -> None:
    body = (f"from predicates.findings import Finding; "
            f"return (Finding('FIRM01', {kind!r}, '', 1, '<', 0, '', (), {{}}),)")
    file = a_clause(tmp_path / "clause.py", "FIRM01", body)
    contract = a_contract(tmp_path, audit, "FIRM01")
    (tmp_path / "a.json").write_text('{"orders": []}')

    assert audit("check", SCENARIO, tmp_path / "a.json", "--contract", contract, "--predicates", file).code == 3


def test_a_helper_beside_a_clause_is_part_of_its_source(
    audit: Audit, run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "firm_limit.py").write_text("LIMIT = 1\n")
    file = a_clause(tmp_path / "clause.py", "FIRM01", "from firm_limit import LIMIT; return ()")
    contract = a_contract(tmp_path, audit, "FIRM01")
    out = tmp_path / "out"
    audit("bank", "--bank", bank_of(run), "--advisor", advisor_of(run), "--contract", contract,
          "--predicates", file, "--out", out)
    assert audit("replay", out, "--predicates", file).code == 0
    (tmp_path / "firm_limit.py").write_text("LIMIT = 999\n")
    sources._file_digest.cache_clear()

    assert "source of clause FIRM01" in audit("replay", out, "--predicates", file).out


def test_what_follows_the_references_is_found(audit: Audit, run: Path, tmp_path: Path) -> None:
    path = bank_of(run) / "references.jsonl"
    path.write_bytes(path.read_bytes() + b'\n{"forged":1}\n')
    reseal_bank(run)
    code, message = judged(audit, run, tmp_path)

    assert code == 3
    assert "references.jsonl line 5" in message


def test_a_contract_in_another_form_has_no_second_digest(audit: Audit, tmp_path: Path) -> None:
    """A member that is null, or left out, would give one document two digests."""
    contract = json.loads(shipped_contract().read_bytes())
    contract["clauses"][0]["effective_to"] = None
    contract.pop("digest")
    contract["digest"] = sha256(canonical_bytes(contract))
    (tmp_path / "c.json").write_bytes(canonical_bytes(contract) + b"\n")

    assert "full form" in audit("verify", tmp_path / "c.json").out


@pytest.mark.parametrize("args", [("--runs", "2"), ("--bank", "pilots-1")])
def test_options_that_do_nothing_are_refused(audit: Audit, run: Path, args: tuple[str, str]) -> None:
    assert audit("freeze", bank_of(run), *args).code == 2


def test_compare_believes_no_stored_state(audit: Audit, run: Path) -> None:
    path = run / "verdicts.jsonl"
    path.write_bytes(path.read_bytes().replace(b"INADMISSIBLE", b"ADMISSIBLE"))
    reseal(run)
    printed = json.loads(audit("compare", run, "--json").out)
    (splitter,) = [one for one in printed["advisors"] if one["id"] == "agreement-split"]

    assert splitter["states"]["INADMISSIBLE"] == 2
