"""PDF, for the file: a page that a busy person understands, then failures, rules, every failing case, all runs.

The same records as every other format, laid out by `verifier.exports.sheets`; the foot of every page carries the
digests. Each failing case shows the audit schema. Source: seed paper 000, appendix P.1, table 18.
"""

from collections.abc import Iterator
from typing import Any

from scenarios.exact import round_half_up
from verifier.exports.review import CLAUSE_STATES, Advisor, Case, Fields, Review, Rule
from verifier.exports.sheets import BLUE, FULL, LEFT, RED, SOFT, Block, Ink, Sheets, block
from verifier.exports.spans import Utterance, conversation
from verifier.exports.tables import (
    DOES_NOT_PROVE,
    JUDGED,
    PROVES,
    flips_of,
    found,
    headline,
    status,
    values_of,
    waiver_text,
    without_numbers,
)
from verifier.exports.text import shorten
from verifier.rubric import DIMENSIONS
from verifier.thresholds import STEPS

LONGEST = 4_000
"""The most that one text takes, in UTF-16 units; what is cut says so."""

_GREY = "#9AA7B5"


def document_bytes(review: Review) -> bytes:
    """Return the document."""
    sheets = Sheets(
        f"Review of run {review.run_id}", ", ".join(f"{name} {digest}" for name, digest in review.digests),
        f"advice-audit {review.release}", review.as_of, [f"{name} {digest}" for name, digest in review.digests],
    )
    _summary(sheets, review)
    _failures(sheets, review)
    _attestations(sheets, review)
    _judgements(sheets, review)
    _rules(sheets, review)
    _thresholds(sheets, review)
    _failing_cases(sheets, review)
    _runs(sheets, review)
    return sheets.file_bytes()


def _summary(sheets: Sheets, review: Review) -> None:
    contract, cases = review.contract, review.cases
    sheets.mark("Summary")
    sheets.text("Compliance review", size=20, bold=True, colour=BLUE)
    sheets.text(f"Run {review.run_id}", size=11, colour=SOFT)
    sheets.gap(8)
    valid = sum(case.valid for case in cases)
    sheets.text(
        f"Advisors judged: {len(review.advisors)}. Frozen scenarios: {len(review.bank.scenarios)}. "
        f"Under contract {contract.id}, {valid:,} of {len(cases):,} runs count as valid.", size=11,
    )
    sheets.gap(8)
    _pairs(sheets, (
        ("Contract", f"{contract.id} version {contract.version}, {len(contract.clauses)} clauses: {contract.title}"),
        ("", f"sha256 {review.contract_digest}"),
        ("Bank", f"{review.bank.id}, {len(review.bank.scenarios)} scenarios, the latest of {review.as_of}"),
        ("", f"sha256 {review.bank.digest}"),
        ("Read by", f"parser {review.parser}, release {review.release}"),
    ))
    sheets.gap(8)
    sheets.text("Who was judged, and what was found", size=11, bold=True, colour=BLUE)
    sheets.text(Ink("■", BLUE), " share of runs that count as valid   ", Ink("■", _GREY),
                " agreement with the baseline, which is never rewarded", size=7.5, colour=SOFT)
    sheets.gap(2)
    for advisor in review.advisors:
        _advisor(sheets, advisor)
    sheets.gap(4)
    for title, said in (("What this proves", PROVES), ("What it does not prove", DOES_NOT_PROVE)):
        sheets.need(60)
        sheets.text(title, size=11, bold=True, colour=BLUE)
        sheets.text(said)
        sheets.gap()


def _advisor(sheets: Sheets, advisor: Advisor) -> None:
    scores = advisor.scores
    sheets.need(56)
    sheets.text(Ink(advisor.id, bold=True), Ink(f"   {advisor.kind}: {shorten(advisor.description, 300)}", SOFT))
    sheets.text(found(scores))
    sheets.gap(5)
    sheets.bar(LEFT + 3, FULL - 6, float(scores.validity_strict), BLUE)
    if scores.agreement is not None:
        sheets.gap(5)
        sheets.bar(LEFT + 3, FULL - 6, float(scores.agreement), _GREY)
    sheets.gap(6)


def _failures(sheets: Sheets, review: Review) -> None:
    names = {rule.code: rule.name for rule in review.rules}
    sheets.heading("Failures by code and category")
    by_code = review.failures_by_code
    if not by_code:
        sheets.text("No enforced clause was broken and every run could be judged.")
    else:
        sheets.table(("Code", "Rule", "Runs", "Categories"), (1.6, 3, 0.8, 6), [
            (block(code, bold=True), block(names.get(code, "no action could be judged")),
             block(f"{sum(row.values()):,}", to_right=True),
             block(", ".join(f"{category} {many:,}" for category, many in sorted(row.items()))))
            for code, row in sorted(by_code.items())
        ])
    waived = [one for one in review.failures if one.state == "WAIVED"]
    if waived:
        sheets.text("Broken and not enforced", bold=True, colour=BLUE)
        sheets.table(("Advisor", "Code", "Category", "Runs"), (2, 1, 3, 1), [
            (block(one.advisor), block(one.code), block(one.category), block(f"{one.runs:,}", to_right=True))
            for one in waived
        ])


def _attestations(sheets: Sheets, review: Review) -> None:
    if review.decisions:
        sheets.heading("Decisions")
        sheets.table(("Decision", "By", "At", "Note", "Attestation sha256"), (1.2, 2, 1.2, 4, 3), [
            (block(one["decision"], bold=True), block(one["by"]), block(one["at"]), block(one["note"]),
             block(one["digest"], size=6.5, colour=SOFT)) for one in review.decisions
        ])
    if review.waivers:
        sheets.heading("Waivers: what is waived did not pass")
        sheets.table(("Clause", "Case", "By", "From", "To", "Reason"), (1, 3, 1.6, 1.2, 1.2, 3.4), [
            (block(one["clause"], bold=True), block(one["case"]), block(one["by"]), block(one["at"]),
             block(one["expires"]), block(one["reason"])) for one in review.waivers
        ])


def _judgements(sheets: Sheets, review: Review) -> None:
    if not review.judgements:
        return
    sheets.heading("Judgements")
    sheets.text(JUDGED)
    heads = ("Case", *(name.capitalize() for name in DIMENSIONS), "What limited them")
    sheets.table(heads, (2.8, *(0.4 + len(name) / 10 for name in DIMENSIONS), 4.6), (
        (block(one["case"], size=7), *(block(str(one[name]), size=7, to_right=True) for name in DIMENSIONS),
         block(one["limits"] or "-", size=7))
        for one in review.judgements
    ))


def _rules(sheets: Sheets, review: Review) -> None:
    sheets.heading("Rules")
    last = 5 if any(rule.controls for rule in review.rules) else 4  # the firm's controls, where it has named any
    sheets.table(("Code", "Rule, authority, parameters", "Status", "Runs by state", "Controls")[:last],
                 (1, 6.2, 1.3, 1.8, 1.4)[:last], [_rule_row(rule)[:last] for rule in review.rules])


def _rule_row(rule: Rule) -> tuple[Block, ...]:
    parameters = ", ".join(f"{name} = {value}" for name, value in rule.parameters)
    dates = " ".join(f"{word} {day}" for word, day in (("from", rule.effective_from), ("to", rule.effective_to)) if day)
    about = [f"\n{rule.authority}", f"\n{rule.owner}, version {rule.version}, {rule.severity}"]
    about += [f"\n{said}" for said in (parameters, dates and f"effective {dates}") if said]
    counts = "\n".join(f"{state.replace('_', ' ').lower()} {rule.counts[state]:,}" for state in CLAUSE_STATES
                       if rule.counts[state])
    worst = status(rule)
    return (
        block(rule.code, bold=True),
        block(Ink(rule.name, bold=True), Ink(f"\n{headline(rule)}"), *(Ink(said, SOFT) for said in about),
              Ink(f"\nsource {rule.source}", SOFT), size=6.8),
        block(worst.replace("_", " "), colour=RED if worst in ("FAIL", "ERROR") else SOFT, size=7.5),
        block(counts, size=7.5),
        block("\n".join(f"{one.control_id} {one.title}" for one in rule.controls), size=7.5),
    )


def _thresholds(sheets: Sheets, review: Review) -> None:
    sheet = review.thresholds
    if sheet is None:
        return
    sheets.heading("Thresholds")
    sheets.text(f"{flips_of(sheet)} {without_numbers(sheet)}")
    heads = ("Number", "Value, formula, source", *(f"{step:+} %" for step in STEPS))
    sheets.table(heads, (2.4, 6, *(0.9,) * len(STEPS)), [
        (block(Ink(f"{knob.code} {knob.name}", bold=True), Ink("\ndead on this run" if knob.dead else "", RED),
               size=7.5),
         block(f"{knob.place} {values_of(knob)}", Ink(f"\n{knob.formula}"), Ink(
             f"\n{knob.authority}; {knob.owner}; review by {knob.review or 'not stated'}", SOFT), size=6.8),
         *(block(f"{many:,}", size=7.5, to_right=True) for many in knob.flips))
        for knob in sheet.knobs
    ])


def _failing_cases(sheets: Sheets, review: Review) -> None:
    failing = [case for case in review.cases if not case.valid]
    sheets.turn_page()
    sheets.heading(f"Failing cases ({len(failing):,})")
    if not failing:
        sheets.text("Every run counts as valid.")
    rules = {rule.code: rule for rule in review.rules}
    waived = review.waiver_of
    for case in failing:
        _case(sheets, case, rules, waived)


def _case(sheets: Sheets, case: Case, rules: dict[str, Rule], waived: dict[tuple[str, str], dict[str, Any]]) -> None:
    sheets.need(120)
    sheets.rule()
    sheets.mark(case.key, 1)
    sheets.text(Ink(case.key, BLUE, bold=True), Ink(f"   {case.state}", RED, bold=True),
                Ink(f"   verdict line {case.number}", SOFT), size=10)
    sheets.text(case.takeaway, bold=True)
    sheets.gap(2)
    _pairs(sheets, (
        ("Setup", _joined(case.scene.setup)), ("Context", _joined(case.scene.context)),
        ("Holdings", _joined(case.scene.holdings) or "none"),
    ))
    said = conversation(case)
    if case.scene.dialogue or any(one.turn is not None or case.action is None for one in said):
        _label(sheets, "Dialogue" if case.scene.dialogue else "Answer as sent")
    elif said:
        _label(sheets, "The advisor's words")
    for one in said:
        sheets.text(*_uttered(one), indent=12)
    _verdict(sheets, case, rules, waived)
    _pairs(sheets, tuple(_outcome(case)))
    sheets.gap(6)


def _uttered(one: Utterance) -> Iterator[Ink]:
    turn = "" if one.turn is None else f"{one.turn}  "
    yield Ink(f"{turn}{one.speaker}: ", SOFT, bold=True)
    room = LONGEST
    for part in one.parts:
        text = shorten(part.text, max(room, 100))
        room -= len(text)
        if part.codes:
            yield Ink(f"[{' '.join(part.codes)}: ", RED, bold=True)
            yield Ink(text, RED)
            yield Ink("]", RED, bold=True)
        else:
            yield Ink(text)
        if len(text) < len(part.text):
            return


def _verdict(sheets: Sheets, case: Case, rules: dict[str, Rule], waived: dict[tuple[str, str], dict[str, Any]]) -> None:
    _label(sheets, "Verdict")
    if case.fault is not None:
        where, what, remedy = case.fault
        sheets.text(Ink(case.state, RED, bold=True), f" at {where}: {shorten(what, LONGEST)}; {remedy}", indent=12)
    for note_at, note in case.notes:
        sheets.text(Ink(f"parser's note at {note_at or '/'}: {shorten(note, LONGEST)}", SOFT), indent=12)
    for state in CLAUSE_STATES[:3]:
        for code in case.codes(state):
            sheets.text(Ink(f"{code} {state}", RED, bold=True), f"   {rules[code].name}", indent=12)
            if (case.key, code) in waived:
                sheets.text(waiver_text(waived[case.key, code]), bold=True, indent=24)
            for one in case.findings:
                if one.code == code:
                    sheets.text(f"{one.kind} at {one.where or '/'}: {shorten(one.sentence, LONGEST)}", indent=24)
                    sheets.text(shorten(one.arithmetic, LONGEST), size=7.5, colour=SOFT, indent=24)
    for one in case.findings:
        if case.clauses[one.code] == "PASS":
            sheets.text(Ink(f"{one.code} {one.kind} at {one.where or '/'}: {shorten(one.sentence, LONGEST)}", SOFT),
                        indent=12)
    for state, word in (("PASS", "hold"), ("NOT_APPLICABLE", "not applicable")):
        if case.codes(state):
            sheets.text(Ink(f"{word}: ", SOFT, bold=True), Ink(", ".join(case.codes(state)), SOFT), indent=12)


def _outcome(case: Case) -> Iterator[tuple[str, str]]:
    yield "Asked to execute", "; ".join(case.outcome) or "nothing"
    if case.scene.baseline is not None:
        agrees = "" if case.agreement is None else f" (agreement {round_half_up(case.agreement, 2)})"
        yield "Paired baseline", ("; ".join(case.scene.baseline) or "nothing") + agrees
    if case.action is not None and not case.scene.dialogue:
        for one in case.answers:
            yield "Answer as sent", shorten(one.text, LONGEST)
    digests = sorted(case.digests.items())
    yield "Digests", ", ".join(f"{name} {digest}" for name, digest in digests if name != "contract")


def _runs(sheets: Sheets, review: Review) -> None:
    sheets.turn_page()
    sheets.heading(f"All runs ({len(review.cases):,})")
    sheets.table(
        ("Line", "Advisor", "Scenario", "Run", "State", "Fails", "Asked to execute"), (0.8, 2.4, 2.9, 0.6, 2, 2, 4),
        ((block(str(case.number), size=7, to_right=True), block(case.advisor, size=7), block(case.scenario, size=7),
          block(str(case.run), size=7, to_right=True),
          block(case.state, size=7, colour=SOFT if case.valid else RED),
          block(" ".join((*case.codes(), *case.codes("ERROR"))), size=7),
          block(shorten("; ".join(case.outcome), 300), size=7)) for case in review.cases),
    )


def _pairs(sheets: Sheets, pairs: Fields) -> None:
    for name, value in pairs:
        sheets.text(Ink(f"{name}: ", SOFT, bold=True) if name else "", shorten(value, LONGEST))


def _label(sheets: Sheets, name: str) -> None:
    sheets.need(36)
    sheets.text(Ink(name, SOFT, bold=True))


def _joined(fields: Fields) -> str:
    return "; ".join(f"{name} {value}" for name, value in fields)
