"""Certificates: made anew from the run, one case each, and refused where the run does not bear them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from replay.merkle import root_from_proof
from scenarios.attestations import Case, Decision
from scenarios.canonical import canonical_bytes, digest
from scenarios.errors import AuditError, ScenarioError, SealError
from scenarios.load import SHIPPED
from scenarios.records import schema_text
from scenarios.types import Answer
from tests.cli.conftest import Audit
from tests.cli.conftest import audit as audit  # the fixture
from tests.docs.checker import checker
from tests.exports.runs import a_bank, a_run, an_episode, seal
from tests.runs import a_small_run, reseal, rewrite_line
from verifier.attesting import attest
from verifier.exports.certificate import certificate_bytes

SPLIT = Case("agreement-split", "cash-sub-tranche-03", 1)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A small run that the test may change."""
    return a_small_run(tmp_path)


def members(raw: bytes) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(raw)
    assert canonical_bytes(record) + b"\n" == raw
    return record


def test_it_holds_one_line_of_the_run_and_the_way_to_its_root(run: Path) -> None:
    record = members(certificate_bytes(run, SPLIT))
    line, proof, manifest = canonical_bytes(record["verdict"]), record["proof"], record["manifest"]

    assert line in (run / "verdicts.jsonl").read_bytes().split(b"\n")
    assert root_from_proof(line, proof["index"], proof["size"], proof["path"]) == manifest["verdicts"]
    assert manifest == json.loads((run / "manifest.json").read_bytes())
    assert record["contract"] == json.loads((run / "inputs" / "contract.json").read_bytes())
    assert record.pop("digest") == digest(record)


def test_every_case_of_a_run_has_its_own(run: Path) -> None:
    verdicts = [json.loads(line) for line in (run / "verdicts.jsonl").read_bytes().splitlines()]
    schema = jsonschema.Draft202012Validator(json.loads(schema_text("certificate")))
    for number, verdict in enumerate(verdicts):
        raw = certificate_bytes(run, Case(verdict["advisor"], verdict["scenario"], verdict["run"]))
        record = members(raw)

        assert (record["verdict"], record["proof"]["index"]) == (verdict, number)
        schema.validate(record)
        assert checker.check(raw)[0] == 0


def test_the_hostile_run_has_certificates_too(hostile_run: Path) -> None:
    """Texts with controls, bidirectional marks, markup, and one of a megabyte; answers that nobody can read."""
    for line in (hostile_run / "verdicts.jsonl").read_bytes().splitlines():
        verdict = json.loads(line)
        raw = certificate_bytes(hostile_run, Case(verdict["advisor"], verdict["scenario"], verdict["run"]))

        assert ("action" in members(raw)) == ("action" in verdict["digests"])
        assert checker.check(raw)[0] == 0


def test_evidence_shows_half_a_character_and_its_span_holds(tmp_path: Path) -> None:
    bank = a_bank(tmp_path / "bank", [an_episode()])
    answers = [Answer(scenario="episode-1", run=1, turn=turn, text="I gua\ud800rantee it.") for turn in (1, 3)]
    seal(tmp_path / "advisor", bank, answers)
    folder = a_run(tmp_path, bank, "advisor", contract=SHIPPED / "contracts" / "conduct-1.json")
    raw = certificate_bytes(folder, Case("advisor", "episode-1", 1))
    said = [one["details"]["text"] for one in members(raw)["verdict"]["findings"]]

    assert said == ["I gua\ufffdrantee"] * 2
    assert checker.check(raw)[0] == 0


def test_what_was_attested_of_the_run_comes_with_it(own: Path) -> None:
    attest(own, Decision(decision="accept", note="read"), "Bo", "2026-01-06")
    attest(own, Decision(decision="escalate", note="read again"), "Ana", "2026-01-07")
    raw = certificate_bytes(own, SPLIT)
    code, lines = checker.check(raw)

    assert [one["by"] for one in members(raw)["attestations"]] == ["Bo", "Ana"]
    assert code == 0
    assert sum("attestation" in line for line in lines) == 2


def test_a_missing_answer_leaves_nothing_to_show(tmp_path: Path) -> None:
    bank = a_bank(tmp_path / "bank", [an_episode("first"), an_episode("second")])
    seal(tmp_path / "advisor", bank, [Answer(scenario="first", run=1, turn=1, text="I would wait.")])
    folder = a_run(tmp_path, bank, "advisor")
    for name in ("first", "second"):
        raw = certificate_bytes(folder, Case("advisor", name, 1))

        assert (members(raw)["answers"], members(raw)["verdict"]["state"]) == ([], "ERROR")
        assert checker.check(raw)[0] == 0


@pytest.mark.parametrize("case", [
    Case("nobody", SPLIT.scenario, 1), Case(SPLIT.advisor, "nothing", 1), Case(SPLIT.advisor, SPLIT.scenario, 3),
])
def test_a_case_that_was_not_judged(run: Path, case: Case) -> None:
    with pytest.raises(ScenarioError, match=r"judged were: contract \(3 scenarios, 2 runs\), agreement-split"):
        certificate_bytes(run, case)


def test_a_stored_verdict_that_the_inputs_do_not_give(own: Path) -> None:
    def forge(line: dict[str, Any]) -> dict[str, Any]:
        return {**line, "state": "ADMISSIBLE", "clauses": {**line["clauses"], "COST01": "PASS"}}

    number = members(certificate_bytes(own, SPLIT))["proof"]["index"]
    rewrite_line(own / "verdicts.jsonl", number, forge)
    reseal(own)

    with pytest.raises(SealError, match=f"line {number + 1}: is not what the inputs"):
        certificate_bytes(own, SPLIT)


@pytest.mark.parametrize(("change", "says"), [
    pytest.param(lambda run: reseal(run, verdicts="0" * 64), "is not the root", id="another root"),
    pytest.param(lambda run: reseal(run, parser="tolerant-9"), "unknown here", id="a parser of another release"),
    pytest.param(lambda run: rewrite_line(run / "verdicts.jsonl", 0, lambda line: {}), "sha256", id="not resealed"),
])
def test_a_run_that_does_not_bear_it(own: Path, change: Callable[[Path], None], says: str) -> None:
    change(own)

    with pytest.raises(AuditError, match=says):
        certificate_bytes(own, SPLIT)


def test_the_command_writes_a_file_or_into_a_folder(audit: Audit, run: Path, tmp_path: Path) -> None:
    certify = ("export", run, "--format", "certificate", "--case", SPLIT)
    alone, folder = tmp_path / "one.json", tmp_path / "out"
    assert audit(*certify, "--out", alone).code == 0
    assert audit(*certify, "--format", "jsonl", "--out", folder).code == 0

    name = "certificate-agreement-split-cash-sub-tranche-03-1.json"
    assert {path.name for path in folder.iterdir()} == {name, "review.jsonl"}
    assert alone.read_bytes() == (folder / name).read_bytes() == certificate_bytes(run, SPLIT)


@pytest.mark.parametrize(("arguments", "code"), [
    pytest.param(("--format", "certificate"), 2, id="no case"),
    pytest.param(("--format", "jsonl", "--case", SPLIT), 2, id="a case and no certificate"),
    pytest.param(("--format", "certificate", "--case", "a/b"), 3, id="no name of a case"),
    pytest.param(("--format", "certificate", "--case", "a/b/1"), 3, id="no case of the run"),
])
def test_the_command_refuses(audit: Audit, run: Path, tmp_path: Path, arguments: tuple[Any, ...], code: int) -> None:
    assert audit("export", run, *arguments, "--out", tmp_path / "out").code == code
    assert not (tmp_path / "out").exists()
