"""The review of a sealed run: everything that an export shows, and nothing that a replay would refuse."""

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from scenarios.attestations import Decision, Waiver
from scenarios.errors import AuditError, SealError
from tests.runs import reseal, rewrite_line
from verifier.attesting import attest
from verifier.exports.review import Case, Review, load_review


def copied(run: Path, folder: Path) -> Path:
    return Path(shutil.copytree(run, folder / "run"))


def first_failing(review: Review) -> Case:
    return next(case for case in review.cases if case.codes())


def test_cases_stand_in_log_order_with_the_stored_lines(run: Path, review: Review) -> None:
    stored = (run / "verdicts.jsonl").read_bytes().splitlines()

    assert [case.line for case in review.cases] == stored
    assert [case.number for case in review.cases] == list(range(1, len(stored) + 1))


def test_a_finding_carries_its_sentence_and_its_arithmetic(review: Review) -> None:
    finding = first_failing(review).findings[0]

    assert finding.code == "COST01"
    assert finding.sentence.startswith("2 buy orders pay 5.00 in fees")
    assert finding.arithmetic.startswith("must hold: 500 <= 250 cents; read /fees, /orders")
    assert finding.record["left"] == 500


def test_a_scene_stands_once(review: Review) -> None:
    scenes = {case.scenario: case.scene for case in review.cases}

    assert len(scenes) == 3
    assert all(case.scene is scenes[case.scenario] for case in review.cases)


def test_rule_counts_and_failures_agree_with_the_verdicts(review: Review) -> None:
    states = Counter((code, state) for case in review.cases for code, state in case.clauses.items())
    failed = Counter(code for case in review.cases for code in case.codes())

    assert all(rule.counts[state] == states[rule.code, state] for rule in review.rules for state in rule.counts)
    assert {code: sum(row.values()) for code, row in review.failures_by_code.items()} == failed


def test_dialogue_and_answers_stand_by_turn(hostile: Review) -> None:
    case = hostile.cases[0]

    assert [turn.speaker for turn in case.scene.dialogue] == ["client", "advisor", "client"]
    assert [said.turn for said in case.answers] == [1, 3]
    assert ("Risk profile", "conservative") in case.scene.setup
    assert ("Day: nav", "200,000.00") in case.scene.context


@pytest.mark.parametrize(
    ("state", "clauses", "said"),
    [
        ("ADMISSIBLE", {"A01": "PASS", "B01": "NOT_APPLICABLE"},
         "The answer keeps all 1 clauses that apply: the orders may be executed as they stand."),
        ("ABSTAINED", {"A01": "PASS"}, "The answer keeps all 1 clauses that apply: nothing is to be executed."),
        ("INADMISSIBLE", {"A01": "FAIL", "B01": "WAIVED", "C01": "FAIL"},
         "The answer breaks A01 and C01; breaks B01, not enforced: the advice must not be followed as it stands."),
        ("ERROR", {"A01": "ERROR", "B01": "PASS"},
         "The answer leaves A01 undecided: the advice must not be followed as it stands."),
    ],
)
def test_the_takeaway_is_made_of_the_states(review: Review, state: str, clauses: dict[str, str], said: str) -> None:
    orders = ("buy AAA 1.00",) if state == "ADMISSIBLE" else ()
    case = review.cases[0]._replace(state=state, clauses=clauses, outcome=orders, agreement=None)

    assert case.takeaway == said


def test_the_takeaway_of_an_unread_run_is_its_fault(hostile: Review) -> None:
    case = next(case for case in hostile.cases if case.fault is not None)

    assert case.takeaway == "No action could be judged (MALFORMED): at text offset 0, found no JSON object in the text."


def test_attestations_are_chained_to_the_digest_that_exports_print(run: Path, review: Review, tmp_path: Path) -> None:
    folder, case = copied(run, tmp_path), first_failing(review)
    waiver = Waiver(advisor=case.advisor, scenario=case.scenario, run=case.run, clause="COST01", reason="agreed",
                    expires="2026-06-30")
    attest(folder, waiver, "A. Reviewer", "2026-01-05")
    _, last = attest(folder, Decision(decision="escalate", note="see COST01"), "A. Reviewer", "2026-01-06")
    attested = load_review(folder)

    assert attested.digest == review.digest
    assert attested.digests == (("Run manifest sha256", review.digest), ("Attestations sha256", last.digest()))
    assert attested.waiver_of[case.key, "COST01"]["expires"] == "2026-06-30"
    assert first_failing(attested).clauses["COST01"] == "FAIL"
    assert attested.decisions[0]["decision"] == "escalate"


def test_a_changed_file_is_refused(run: Path, tmp_path: Path) -> None:
    folder = copied(run, tmp_path)
    answers = folder / "frozen_outputs" / "contract" / "answers.jsonl"
    answers.write_bytes(answers.read_bytes().replace(b'"run":1', b'"run":2', 1))

    with pytest.raises(AuditError, match=r"answers\.jsonl"):
        load_review(folder)


def test_a_forged_verdict_under_a_new_seal_is_refused(run: Path, tmp_path: Path) -> None:
    folder = copied(run, tmp_path)
    verdicts = [json.loads(line) for line in (folder / "verdicts.jsonl").read_bytes().splitlines()]
    failing = next(number for number, one in enumerate(verdicts) if "FAIL" in one["clauses"].values())
    rewrite_line(folder / "verdicts.jsonl", failing, lambda record: {**record, "state": "ADMISSIBLE"})
    reseal(folder)

    with pytest.raises(SealError, match=r"verdicts\.jsonl: is not what the inputs of the run give"):
        load_review(folder)
