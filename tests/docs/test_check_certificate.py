"""The program for strangers: it comes to the same verdicts by its own way, and notices every changed byte."""

import ast
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from predicates.cases import random_cases
from predicates.conduct.redline import heard, redline
from predicates.findings import Finding
from predicates.registry import Params, predicate
from replay.merkle import inclusion_proof, root_of
from replay.rules import seal_answers
from replay.stressors import STRESSORS
from scenarios.action import Action, Said
from scenarios.attestations import Case, Decision, Waiver
from scenarios.canonical import canonical_bytes, digest, sha256
from scenarios.contracts import base_contract, conduct_contract
from scenarios.costs import floor_of
from scenarios.fees import (
    MarginalTiers,
    NoFee,
    OddLotSurcharge,
    PerShareFee,
    ProportionalFee,
    SlabTiers,
    StepFee,
    Tier,
)
from scenarios.files import write_folder
from scenarios.lexicon import Entry, Lexicon
from scenarios.load import SHIPPED, load_answers, load_bank, shipped_contract
from scenarios.manifest import Contract
from scenarios.sealed import load_contract
from scenarios.types import Answer, Clause, Scenario
from tests.builders import a_scenario, buys
from tests.docs.checker import SCRIPT, checker
from tests.exports.runs import NAMES, a_bank, a_run, an_episode, seal
from tests.predicates.conduct.episodes import a_consultation
from tests.runs import a_small_run
from verifier.attesting import attest
from verifier.bank import sealed_run
from verifier.contract import Judge
from verifier.exports.certificate import certificate_bytes, certify
from verifier.opening import open_run

SPLIT = Case("agreement-split", "cash-sub-tranche-03", 1)


# Its own way to the same verdicts.


def a_judge(**changes: dict[str, Any]) -> Judge:
    """base-1 with other parameters: by code, the members of its clause that change."""
    clauses = tuple(clause.model_copy(update=changes.get(clause.code, {})) for clause in base_contract().clauses)
    return Judge(Contract(id="varied", version="1", clauses=clauses))


def measured_by(denominator: str) -> dict[str, Any]:
    return {code: {"parameters": {"denominator": denominator}} for code in ("LIM03", "LIM04", "LIM05")}


HOUSE: dict[str, dict[str, Any]] = {
    "COST02": {"fee_tolerance": "0.01"}, "COST03": {"spread_tolerance_cents": 0}, "LIM01": {"recommendation_cap": 0},
    "LIM03": {"position_multiple": "1.3", "denominator": "holdings_before"},
    "LIM04": {"theme_cap": "0.2", "denominator": "holdings_before"}, "LIM06": {"liquidity_fraction": "0.1"},
}
JUDGES = (
    a_judge(),
    a_judge(LIM02={"parameters": {"fees": "included"}}, UNIV03={"parameters": {"sides": "buy"}},
            LIM01={"effective_from": "2026-01-03"}, UNIV01={"severity": "note"},
            **measured_by("holdings_after_with_cash")),
    a_judge(**measured_by("holdings_before") | {code: {"parameters": given} for code, given in HOUSE.items()}),
)


def as_certificate(judge: Judge, scenario: Scenario, action: Action) -> dict[str, Any]:
    """The members that the clauses are decided from, as they would be read from a file."""
    state, states, findings = judge.bind(scenario).decide(action)
    record: dict[str, Any] = json.loads(canonical_bytes({
        "verdict": {"state": state, "clauses": states, "findings": [finding.record() for finding in findings]},
        "scenario": scenario.record(), "contract": judge.contract.record(), "action": action.record(),
        "manifest": {"sources": judge.source_digests()},
    }))
    return record


def test_every_clause_of_random_cases() -> None:
    """Exactly at each limit and a cent beside it; every fee schedule; inputs that are missing; every parameter."""
    seen: Counter[tuple[str, str]] = Counter()
    for number, (scenario, action) in enumerate(random_cases("certificates", 450)):
        certificate = as_certificate(JUDGES[number % len(JUDGES)], scenario, action)
        decided = list(checker.decide(certificate))
        seen.update((one.code, one.state) for one in decided if one.how == checker.RECOMPUTED)

        assert [one for one in decided if not one.holds] == []
        assert checker.state_of(certificate["verdict"], certificate["action"]) == certificate["verdict"]["state"]

    codes = {clause.code for clause in base_contract().clauses}
    assert {code for code, state in seen if state == "FAIL"} == codes
    assert {code for code, state in seen if state == "PASS"} == codes
    assert {state for _, state in seen} == {"PASS", "FAIL", "WAIVED", "NOT_APPLICABLE", "ERROR"}
    assert sum(seen.values()) > 450 * len(codes) - 10


def test_a_changed_state_or_number_of_any_clause_is_noticed() -> None:
    """For each clause: call its failure a pass, and move the left side of its finding by one."""
    noticed: set[str] = set()
    for scenario, action in random_cases("forged", 200):
        certificate = as_certificate(JUDGES[0], scenario, action)
        verdict = certificate["verdict"]
        for finding in verdict["findings"]:
            code, left = finding["code"], finding["left"]
            if finding["kind"] != "violation" or code in noticed:
                continue
            finding["left"] = left + 1 if isinstance(left, int) else f"1{left}"
            assert disagreeing(certificate) == [code]
            finding["left"] = left
            forged = {**verdict, "clauses": {**verdict["clauses"], code: "PASS"},
                      "findings": [one for one in verdict["findings"] if one["code"] != code]}
            assert disagreeing({**certificate, "verdict": forged}) == [code]
            noticed.add(code)
        if noticed == checker.CLAUSES.keys():
            return
    pytest.fail(f"never broken: {checker.CLAUSES.keys() - noticed}")


def disagreeing(certificate: dict[str, Any]) -> list[str]:
    return [one.code for one in checker.decide(certificate) if not one.holds]


@pytest.mark.parametrize(("change", "holds"), [
    pytest.param({}, True, id="as it is"),
    pytest.param({"left": 900}, False, id="points that break nothing"),
    pytest.param({"left": "many"}, False, id="points that are no number"),
    pytest.param({"right": 999}, False, id="another limit"),
    pytest.param({"rule": "cond02-1"}, False, id="the scorecard of another redline"),
    pytest.param({"weights": "come out +999"}, False, id="another weight"),
    pytest.param({"weights": ""}, False, id="no weight"),
    pytest.param({"text": "another text"}, False, id="another span"),
])
def test_what_words_weigh(change: dict[str, Any], holds: bool) -> None:
    """Span, limit, scorecard and the named weights are compared with the contract; the sum is bound by digest only."""
    said = "You'd have to try very hard to come out of this one with less than you put in."
    action = Action(turns=[Said(1, said)])
    certificate = as_certificate(Judge(conduct_contract()), a_consultation("Is it safe?"), action)
    (finding,) = (one for one in certificate["verdict"]["findings"] if one["code"] == "COND01")
    assert finding["unit"] == "points" and finding["details"]["scope"] == "weighed"
    finding.update({name: value for name, value in change.items() if name in finding})
    finding["details"].update({name: value for name, value in change.items() if name not in finding})

    assert disagreeing(certificate) == ([] if holds else ["COND01"])
    assert next(one.how for one in checker.decide(certificate) if one.code == "COND01") == checker.BOUND


def test_the_smallest_order_worth_its_fee() -> None:
    """Its fixed point against the project's pieces, for every schedule of the random scenarios."""
    kinds: Counter[str] = Counter()
    for scenario, _ in list(random_cases("floors", 1200))[::4]:
        tolerance, price = scenario.limits.fee_tolerance, scenario.instruments[0].price_cents
        if tolerance is None or (scenario.fees.uses_shares and price is None):
            continue
        expected = floor_of(scenario, tolerance, scenario.instruments[0].id if scenario.fees.uses_shares else None)
        assert expected is not None
        try:
            assert checker.floor(scenario.record()["fees"], tolerance, price) == expected.floor
        except checker.UndecidedError:
            assert expected.floor is None
        kinds[scenario.fees.kind] += 1

    assert kinds.keys() == {"step", "proportional", "marginal_tiers", "slab_tiers", "per_share", "odd_lot", "zero"}


@given(data=st.data(), amount=st.integers(1, 10**9), shares=st.integers(1, 10**6))
@settings(max_examples=150)
def test_the_fee_of_an_order(data: st.DataObject, amount: int, shares: int) -> None:
    """Far past every maximum and tier edge, too."""
    fees = data.draw(st.sampled_from(SCHEDULES))
    size = Fraction(amount, data.draw(st.sampled_from([1, 3])))

    assert checker.fee(a_scenario(fees=fees).record()["fees"], size, Fraction(shares)) == fees.fee(size, shares)


SCHEDULES = (
    ProportionalFee(Fraction("0.001"), 500, 2_000, rounding="up"), ProportionalFee(Fraction("0.0007"), 0, 150_000),
    MarginalTiers((Tier(0, Fraction("0.01")), Tier(10**6, Fraction("0.001")), Tier(10**8, Fraction("0.02")))),
    SlabTiers((Tier(0, Fraction("0.01")), Tier(10**6, Fraction("0.001"))), rounding="up"),
    PerShareFee(Fraction("0.5"), 100, Fraction("0.01"), rounding="up"), PerShareFee(Fraction(2), 700),
    OddLotSurcharge(StepFee(100_000, 250), 100, 300), OddLotSurcharge(NoFee(), 7, 75),
)


def test_a_clause_of_another_version_is_not_taken_for_the_one_that_is_known() -> None:
    certificate = as_certificate(JUDGES[0], a_scenario(), buys([100, 100]))
    certificate["contract"]["clauses"][0]["version"] = 2

    assert [one.code for one in checker.decide(certificate) if one.how == checker.BOUND] == ["COST01"]


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=12,
)


@given(value=st.dictionaries(st.text(), JSON_VALUES, max_size=4))
@example(value={"\ue000": "the larger unit of UTF-16", "\U00010000": "the larger character"})
@settings(max_examples=60)
def test_its_canonical_form_is_ours(value: dict[str, Any]) -> None:
    assert checker.canonical(value) == canonical_bytes(value)


@pytest.mark.parametrize("size", range(1, 18))
def test_a_proof_leads_to_the_root_from_its_own_place_only(size: int) -> None:
    lines = [b"line %d" % number for number in range(size)]
    root = root_of(lines)
    for index in range(size):
        path = inclusion_proof(lines, index)
        assert checker.root_from(lines[index], index, size, path) == root
        assert checker.root_from(b"other", index, size, path) != root
        assert checker.root_from(lines[index], index, size, [*path, "00" * 32]) is None
        assert not path or checker.root_from(lines[index], index, size, path[:-1]) is None


# Shipped verdicts, from the run to the report.


@pytest.fixture(scope="module")
def stressed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every fifth scenario of bank-1, answered once by each of the five stressors."""
    folder = tmp_path_factory.mktemp("stressed")
    bank = a_bank(folder / "bank", list(load_bank(SHIPPED / "bank-1").scenarios.values())[::5])
    for advisor in STRESSORS:
        write_folder(folder / advisor.id, seal_answers(advisor, bank, 1))
    advisors = [load_answers(folder / advisor.id, bank) for advisor in STRESSORS]
    write_folder(folder / "run", sealed_run(Judge(load_contract(shipped_contract())), bank, advisors, "tolerant-1")[2])
    return folder / "run"


def test_shipped_verdicts_of_the_five_stressors(stressed: Path) -> None:
    opened = open_run(stressed)
    cases = [Case(answers.id, name, 1) for answers in opened.advisors for name in answers.plan.scenarios]
    states: Counter[str] = Counter()
    for case in cases:
        code, lines = checker.check(certify(opened, case), opened.manifest.digest)
        assert code == 0, "\n".join(lines)
        states[lines[0].split()[2]] += 1

    assert len(cases) == 120
    assert {"ADMISSIBLE", "INADMISSIBLE", "ABSTAINED"} <= states.keys()


# Every changed byte.


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small run with a waiver and a decision."""
    folder = a_small_run(tmp_path_factory.mktemp("run"))
    waiver = Waiver(advisor=SPLIT.advisor, scenario=SPLIT.scenario, run=1, clause="COST01", reason="known",
                    expires="2026-06-30")
    attest(folder, waiver, "Ana", "2026-01-05")
    attest(folder, Decision(decision="accept", note="read"), "Bo", "2026-01-06")
    return folder


@pytest.fixture(scope="module")
def raw(run: Path) -> bytes:
    return certificate_bytes(run, SPLIT)


def test_the_report_of_a_whole_one(raw: bytes) -> None:
    code, lines = checker.check(raw)

    assert code == 0
    assert lines[0] == "agreement-split/cash-sub-tranche-03/1 is INADMISSIBLE under base-1 version 1"
    assert "  COST01  FAIL            recomputed            500 <= 250 is false" in lines
    assert "  LIM02   PASS            recomputed            72000 <= 72000" in lines
    assert sum("recomputed" in line for line in lines) == 19


def test_any_byte_of_a_small_certificate(tmp_path: Path) -> None:
    """Each byte in turn, by its lowest bit."""
    bank = a_bank(tmp_path / "bank", [a_scenario(instruments=NAMES[:1], fees=StepFee(7, 1))])
    seal(tmp_path / "advisor", bank, [Answer(scenario="test-1", run=1, text='{"orders": []}')])
    judge = Judge(Contract(id="one", version="1", clauses=base_contract().clauses[:1]))
    answers = [load_answers(tmp_path / "advisor", bank)]
    write_folder(tmp_path / "run", sealed_run(judge, bank, answers, "tolerant-1")[2])
    small = certificate_bytes(tmp_path / "run", Case("advisor", "test-1", 1))

    assert checker.check(small)[0] == 0
    assert len(small) < 6_000
    assert [place for place in range(len(small)) if checker.check(_flipped(small, place, 1))[0] != 1] == []


@pytest.mark.parametrize("bits", [2, 4, 0x20, 0x80])
def test_bytes_of_a_larger_certificate(stressed: Path, bits: int) -> None:
    larger = certificate_bytes(stressed, Case("fact-hallucination", "facts-returns-06", 1))
    kept = [place for place in range(bits, len(larger), 97) if checker.check(_flipped(larger, place, bits))[0] != 1]

    assert kept == []


def _flipped(raw: bytes, place: int, bits: int) -> bytes:
    return raw[:place] + bytes([raw[place] ^ bits]) + raw[place + 1 :]


@pytest.mark.parametrize("change", [
    pytest.param(lambda raw: raw[:-1], id="no newline"), pytest.param(lambda raw: raw + b"\n", id="one newline more"),
    pytest.param(lambda raw: b"\xef\xbb\xbf" + raw, id="a byte-order mark"), pytest.param(lambda raw: b"", id="empty"),
    pytest.param(lambda raw: raw.replace(b":43200", b":43200.0"), id="a float"),
    pytest.param(lambda raw: raw.replace(b'{"action"', b'{"action":{},"action"'), id="a key twice"),
    pytest.param(lambda raw: b"[" * 100_000 + b"\n", id="nested too deeply"),
    pytest.param(lambda raw: b"{}\n", id="no member"), pytest.param(lambda raw: b"[]\n", id="no object"),
    pytest.param(lambda raw: raw.replace(b"FRGT", b"\\u0046RGT"), id="another spelling"),
    pytest.param(lambda raw: raw.decode().encode("utf-16"), id="UTF-16"),
])
def test_what_is_no_certificate_as_written(raw: bytes, change: Callable[[bytes], bytes]) -> None:
    assert checker.check(change(raw))[0] == 1


# Forgers who take the digests again.


def _set(pointer: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(record: dict[str, Any]) -> None:
        *path, last = [int(part) if part.isdigit() else part for part in pointer.split("/")]
        place: Any = record
        for part in path:
            place = place[part]
        place[last] = value

    return change


FORGED = [
    ("verdict", {}), ("verdict/state", "ADMISSIBLE"), ("verdict/clauses/COST01", "PASS"),
    ("verdict/findings/0/left", 250), ("verdict/advisor", "contract"), ("verdict/run", 2),
    ("verdict/digests/action", "0" * 64), ("scenario/account/cash_cents", 72_001), ("scenario/instruments", 1),
    ("scenario/id", "cash-sub-tranche-04"), ("contract/title", ""), ("contract/clauses", [1]),
    ("contract/clauses/0/severity", "note"), ("action", None), ("action/orders/0/amount_cents", 43_199),
    ("answers", []), ("answers/0/text", ""), ("proof", 1), ("proof/index", 9), ("proof/size", 13), ("proof/path", []),
    ("proof/path/0", "0" * 64), ("proof/path/1", "xx"), ("manifest/release", "9"), ("manifest/verdicts", "0" * 64),
    ("manifest/digest", "0" * 64), ("manifest/summary", []), ("attestations/0/by", "Eva"),
    ("attestations/0/number", 2), ("attestations/1/run", "0" * 64),
]


@pytest.mark.parametrize(("pointer", "value"), FORGED, ids=[pointer for pointer, _ in FORGED])
def test_a_part_that_is_changed_under_a_new_digest(raw: bytes, pointer: str, value: Any) -> None:
    record = json.loads(raw)
    _set(pointer, value)(record)

    assert checker.check(_sealed(record))[0] == 1


def _sealed(record: dict[str, Any]) -> bytes:
    members = {name: value for name, value in record.items() if name != "digest"}
    return canonical_bytes({**members, "digest": digest(members)}) + b"\n"


def sealed_anew(record: dict[str, Any], keep: str = "") -> bytes:
    """The certificate of a forger who also owns the run: every digest above a change is taken again.

    keep: "digests" or "files", what the forger forgets: the verdict's digests, or the manifest's files.
    """
    verdict, manifest, answers = record["verdict"], record["manifest"], record["answers"]
    if keep != "digests":
        digests = {name: digest(record[name]) for name in ("scenario", "action") if name in record}
        digests["answer"] = sha256(b"\n".join(map(canonical_bytes, answers)))
        verdict["digests"] = {**digests, "contract": _without_digest(record["contract"])}
    if keep != "files":
        inputs = {f"inputs/bank/scenarios/{verdict['scenario']}.json": record["scenario"],
                  "inputs/contract.json": record["contract"]}
        for file in manifest["files"]:
            if file["path"] in inputs:
                file["sha256"] = sha256(canonical_bytes(inputs[file["path"]]) + b"\n")
    lines = [canonical_bytes(verdict)] * record["proof"]["size"]
    record["proof"]["path"], manifest["verdicts"] = inclusion_proof(lines, record["proof"]["index"]), root_of(lines)
    previous = manifest["digest"] = _without_digest(manifest)
    for one in record["attestations"]:
        one["run"], one["previous"] = manifest["digest"], previous
        previous = digest(one)
    return _sealed(record)


def _without_digest(record: dict[str, Any]) -> str:
    return digest({name: value for name, value in record.items() if name != "digest"})


def failing(raw: bytes) -> list[str]:
    code, lines = checker.check(raw)
    found = [line.removeprefix("  ") for line in lines if "FAILS" in line or "DISAGREES" in line]
    assert code == int(found != [])
    return found


@pytest.mark.parametrize(("pointer", "value", "keep", "says"), [
    ("scenario/category", "another", "files", "FAILS  scenario"), ("contract/title", "", "files", "FAILS  contract"),
    ("verdict/digests/scenario", "0" * 64, "digests", "FAILS  scenario"),
    ("verdict/digests/contract", "0" * 64, "digests", "FAILS  contract"),
    ("verdict/digests/answer", "0" * 64, "digests", "FAILS  answers"),
    ("verdict/digests/action", "0" * 64, "digests", "FAILS  action"),
    ("verdict/advisor", "contract", "", "FAILS  verdict"), ("manifest/summary/0/runs", 7, "", "FAILS  verdict"),
    ("answers/0/run", 2, "", "FAILS  answers"), ("attestations/0/number", 3, "", "FAILS  attestation 1"),
    ("verdict/clauses/WORD01", "PASS", "", "FAILS  the verdict has"),
    ("verdict/clauses/COST01", "WAIVED", "", "COST01 "), ("verdict/clauses/UNIV01", "NOT_APPLICABLE", "", "UNIV01 "),
    ("verdict/clauses/COV01", "PASS", "", "COV01 "), ("verdict/findings/0/details/side", "sell", "", "COST01 "),
    ("verdict/findings/0/kind", "note", "", "COST01 "), ("scenario/account/cash_cents", 71_999, "", "LIM02 "),
    ("verdict/state", "ADMISSIBLE", "", "all "), ("scenario/fees/fee_cents_per_tranche", 100, "", "COST01 "),
])
def test_what_a_forger_of_the_whole_run_cannot_hide(raw: bytes, pointer: str, value: Any, keep: str, says: str) -> None:
    """One part each: what is left to notice it is the one link, or the arithmetic."""
    record = json.loads(raw)
    assert failing(sealed_anew(record)) == []
    _set(pointer, value)(record)
    (line,) = failing(sealed_anew(record, keep))

    assert line.startswith(says)


@pytest.mark.parametrize(("pointer", "value"), [("state", "ADMISSIBLE"), ("clauses", {"COST01": "PASS"})])
def test_a_pass_where_nothing_could_be_read(tmp_path: Path, pointer: str, value: Any) -> None:
    bank = a_bank(tmp_path / "bank", [a_scenario(instruments=NAMES)])
    seal(tmp_path / "advisor", bank, [Answer(scenario="test-1", run=1, text="Buy AAA.")])
    record = json.loads(certificate_bytes(a_run(tmp_path, bank, "advisor"), Case("advisor", "test-1", 1)))
    assert record["verdict"]["state"] == "MALFORMED"
    assert failing(sealed_anew(record)) == []
    _set(f"verdict/{pointer}", value)(record)

    assert len(failing(sealed_anew(record))) == 1


def test_another_run_than_the_one_that_is_known(raw: bytes) -> None:
    known = json.loads(raw)["manifest"]["digest"]

    assert checker.check(raw, known)[0] == 0
    assert checker.check(raw, "0" * 64)[0] == 1


# Words.


@predicate(code="WORD01", name="conduct.words", says="{text}", lexicon=True)
def words(scenario: Scenario, action: Action, params: Params) -> tuple[Finding, ...]:
    """What the conduct clauses report, under a code of its own."""
    return tuple(redline("WORD01", one) for one in heard(scenario, action, params["phrases"], "WORD01"))


@predicate(code="WORD02", name="conduct.none", says="{text}")
def none(scenario: Scenario, action: Action, params: Params) -> tuple[Finding, ...]:
    return ()


@pytest.fixture(scope="module")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """An episode in which the advisor promises, in a contract that carries its lexicon."""
    folder = tmp_path_factory.mktemp("spoken")
    bank = a_bank(folder / "bank", [an_episode()])
    texts = {1: "我\u200b建议减仓。这只基金一定回本，放心。", 3: "🚀 It will surely recover."}
    seal(folder / "advisor", bank,
         [Answer(scenario="episode-1", run=1, turn=turn, text=text) for turn, text in texts.items()])
    entries = [("zh-1", "zh", "一定回本"), ("en-1", "en", "will surely recover")]
    lexicon = Lexicon(id="words-1", version="1", entries=tuple(
        Entry(id=name, role="WORD01.certain", language=language, phrase=phrase, source="this test")
        for name, language, phrase in entries))
    clauses = tuple(Clause(code=code, authority="test", owner="test") for code in ("WORD01", "WORD02"))
    extra = {"WORD01": words, "WORD02": none}
    judge = Judge(Contract(id="words-1", version="1", clauses=clauses, lexicons=(lexicon,)), extra)
    answers = [load_answers(folder / "advisor", bank)]
    write_folder(folder / "run", sealed_run(judge, bank, answers, "tolerant-1")[2])
    return certificate_bytes(folder / "run", Case("advisor", "episode-1", 1), extra)


def test_the_span_of_a_finding_is_looked_up(spoken: bytes) -> None:
    code, lines = checker.check(spoken)
    (line,) = [line for line in lines if line.startswith("  WORD01")]
    lexicon = sha256(canonical_bytes(json.loads(spoken)["contract"]["lexicons"][0]))

    assert code == 0
    assert line.startswith(f"  WORD01  FAIL            recomputed            '一定回本' at /turns/0/message [11:15] "
                           f"by zh-1 of words-1 sha256 {lexicon}; 'will surely recover' at /turns/1/message [5:24]")
    assert line.endswith("; what it means, by digest only")
    (other,) = [line for line in lines if line.startswith("  WORD02")]
    assert "PASS            bound by digest only  source " in other


@pytest.mark.parametrize(("pointer", "value"), [
    ("verdict/findings/0/details/start", 10), ("verdict/findings/0/details/end", 16),
    ("verdict/findings/0/details/text", "一定"), ("verdict/findings/0/details/rule", "zh-9"),
    ("verdict/findings/0/right", "WORD01.doubt"), ("verdict/findings/0/where", "/turns/1/message"),
    ("verdict/clauses/WORD01", "PASS"), ("contract/lexicons/0/entries/0/id", "zh-2"),
    ("action/turns/0/message", "我们建议减仓。"),
])
def test_evidence_that_does_not_stand_in_the_text(spoken: bytes, pointer: str, value: Any) -> None:
    record = json.loads(spoken)
    _set(pointer, value)(record)

    assert disagreeing(record) == ["WORD01"]
    assert checker.check(_sealed(record))[0] == 1


def test_a_clause_that_is_not_known_fails_by_its_findings_only(spoken: bytes) -> None:
    record = json.loads(spoken)
    record["verdict"]["clauses"]["WORD02"] = "FAIL"

    assert disagreeing(record) == ["WORD02"]


# As a program.


def test_it_needs_nothing_but_python() -> None:
    tree = ast.parse(SCRIPT.read_text(encoding="utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}

    assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names


def test_the_exit_codes(raw: bytes, tmp_path: Path) -> None:
    (tmp_path / "whole.json").write_bytes(raw)
    (tmp_path / "changed.json").write_bytes(raw.replace(b"43200", b"43201"))
    (tmp_path / "other.json").write_bytes(_sealed({"format": "certificate/2"}))
    commands = {"whole.json": 0, "changed.json": 1, "other.json": 3, "missing.json": 3, ".": 3, "--nonsense": 2}
    codes = {
        name: subprocess.run([sys.executable, "-I", SCRIPT, name], cwd=tmp_path, capture_output=True).returncode
        for name in commands
    }

    assert codes == commands


def test_what_could_move_the_cursor_is_escaped(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    (tmp_path / "c.json").write_bytes(_sealed({"format": "\x1b[2J\u202e"}))
    assert checker.main([str(tmp_path / "c.json")]) == 3

    assert capsysbinary.readouterr().out.isascii()


def test_a_number_that_would_take_for_ever() -> None:
    certificate = as_certificate(JUDGES[0], a_scenario(fee_tolerance=None), Action())
    certificate["scenario"]["limits"]["fee_tolerance"] = "1e-999999999"

    with pytest.raises(ValueError, match="exact"):
        list(checker.decide(certificate))


