"""The tables of a review, the same for every format: names, widths and rows.

A cell is a text, an integer, a decimal, a date, or None where there is nothing to say. Texts are raw here;
`cell_text` makes of one what a spreadsheet may show. The layout is the one that reviewers of rule engines know:
summary, data sets, issues summed up, issues one by one, rules.
"""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from scenarios.exact import round_half_up
from verifier.exports.review import CLAUSE_STATES, Case, Failure, Finding, Review, Rule
from verifier.exports.text import defuse, shorten, shown
from verifier.intervals import clopper_pearson
from verifier.rubric import DIMENSIONS
from verifier.scores import Scores
from verifier.thresholds import STEPS, Knob, Sheet
from verifier.verdict import STATES

Cell = str | int | Decimal | date | None

CELL_UNITS = 32_767
"""The most that a cell of a workbook holds, in UTF-16 units."""


class Column(NamedTuple):
    """A column: its head, its width in characters, and whether its texts are broken into lines."""

    head: str
    width: int
    wrapped: bool = True


class Table(NamedTuple):
    """A table. name: of its CSV file; title: of its sheet."""

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]


def cell_text(text: str) -> str:
    """Return a text as a cell shows it: unseen characters escaped, no formula, no longer than a cell may be."""
    return shorten(defuse(shown(text)), CELL_UNITS)


def tables(review: Review) -> tuple[Table, ...]:
    """Return every table of a review, in the order of the sheets."""
    return (
        summary(review), dataset_details(review), issue_summary(review), issue_details(review), rules_report(review),
        failures(review), runs(review), *([attestations(review)] if review.attestations_digest else []),
        *([judgements(review)] if review.judgements else []),
        *([] if review.thresholds is None else [thresholds(review.thresholds)]),
    )


PROVES = (
    "Each answer, read by the parser named here, asks for the orders shown; the clauses of the contract, with their "
    "parameters and source, hold or do not hold for them in the frozen scenario; whoever has the run folder gets the "
    "same bytes with `audit replay`."
)
DOES_NOT_PROVE = (
    "It does not prove that the advice will earn anything, that a scenario is true, that the clauses are the ones a "
    "regulator would write, or that the advisor will answer alike tomorrow. Agreement with the baseline is reported "
    "and never rewarded."
)


def summary(review: Review) -> Table:
    """Return who was judged, by which contract, what was found and what that does not prove, as item and value."""
    contract = review.contract
    rows: list[tuple[Cell, ...]] = [
        ("Run", review.run_id),
        *review.digests,
        ("Bank", f"{review.bank.id}, {len(review.bank.scenarios)} scenarios, sha256 {review.bank.digest}"),
        ("Latest scenario day", date.fromisoformat(review.as_of)),
        ("Contract", f"{contract.id} version {contract.version}, {len(contract.clauses)} clauses, "
                     f"sha256 {review.contract_digest}"),
        ("Contract title", contract.title or None),
        ("Parser", review.parser),
        ("Release", review.release),
        ("Advisors", len(review.advisors)),
        ("Runs judged", len(review.cases)),
        ("Runs that count as valid", sum(case.valid for case in review.cases)),
        *((f"Found: {one.id}", found(one.scores)) for one in review.advisors),
        ("What this proves", PROVES),
        ("What this does not prove", DOES_NOT_PROVE),
    ]
    return Table("summary", "Summary", (Column("Item", 28), Column("Value", 110)), tuple(rows))


def found(scores: Scores) -> str:
    """Return in one sentence what was found of one advisor."""
    low, high = clopper_pearson(scores.valid, scores.runs) or (Fraction(0), Fraction(1))
    unread = [f"{state} {scores.states[state]}" for state in STATES[:3] if scores.states[state]]
    broken = [f"{code} {many}" for code, many in sorted(scores.violations.items(), key=lambda one: (-one[1], one[0]))]
    said = f"{scores.valid} of {scores.runs} runs count as valid ({_percent(scores.validity_strict)}, " \
           f"95 % bounds {_percent(low)} to {_percent(high)})"
    return "; ".join((said, *(["broken clauses by runs: " + ", ".join(broken)] if broken else []),
                      *(["not judged: " + ", ".join(unread)] if unread else []))) + "."


def dataset_details(review: Review) -> Table:
    """Return one row for each advisor: whose answers they are, how many, and how they scored."""
    columns = (
        Column("Advisor", 22), Column("Name", 24), Column("Kind", 12), Column("Description", 44),
        Column("Bank", 12), Column("Scenarios", 11), Column("Planned runs", 11), Column("Stored answers", 11),
        *(Column(state.capitalize(), 13) for state in reversed(STATES)),
        Column("Validity", 10), Column("Low 95 %", 10), Column("High 95 %", 10), Column("Agreement", 11),
        Column("Agreement, not valid", 12), Column("Stability", 10), Column("Sizing stability", 10),
        Column("Every run valid", 10), Column("Answers sha256", 66),
    )
    return Table("dataset_details", "Dataset details", columns, tuple(_dataset_rows(review)))


def _dataset_rows(review: Review) -> Iterator[tuple[Cell, ...]]:
    for one in review.advisors:
        scores = one.scores
        low, high = clopper_pearson(scores.valid, scores.runs) or (None, None)
        yield (
            one.id, one.name, one.kind, one.description, review.bank.id, one.asked, scores.runs, one.answers,
            *(scores.states[state] for state in reversed(STATES)),
            *map(_share, (scores.validity_strict, low, high, scores.agreement, scores.agreement_false_positive,
                          scores.stability, scores.sizing_stability, scores.pass_k)),
            one.digest,
        )


def issue_summary(review: Review) -> Table:
    """Return one row for each advisor, clause and category in which runs failed."""
    rules = {rule.code: rule for rule in review.rules}
    columns = (
        Column("Advisor", 22), Column("Code", 12), Column("Rule", 34), Column("State", 14), Column("Category", 26),
        Column("Runs", 9), Column("Places", 9), Column("What it means", 70), Column("Control ids", 20),
    )
    return Table("issue_summary", "Issue summary", columns,
                 tuple(_issue_row(failure, rules.get(failure.code)) for failure in review.failures))


UNREAD = {
    "MALFORMED": "no action could be read without guessing",
    "TRUNCATED": "the answer was cut off",
    "ERROR": "the verdict could not be completed",
}


def _issue_row(failure: Failure, rule: Rule | None) -> tuple[Cell, ...]:
    advisor, code, state, category, runs, places = failure
    if rule is None:
        return advisor, code, None, state, category, runs, None, UNREAD[code], None
    controls = ", ".join(rule.control_ids) or None
    return advisor, code, rule.name, state, category, runs, places, headline(rule), controls


def headline(rule: Rule) -> str:
    """Return the first sentence of a clause's manual page, without its code."""
    return rule.text.split("\n\n")[0].replace("\n", " ").removeprefix(f"{rule.code}: ")


def issue_details(review: Review) -> Table:
    """Return one row for each violation, each clause in ERROR and each run that could not be judged."""
    columns = (
        Column("Verdict line", 9), Column("Advisor", 22), Column("Category", 24), Column("Scenario", 26),
        Column("Day", 12), Column("Run", 6), Column("Code", 12), Column("State", 14), Column("Place", 18),
        Column("Message", 60), Column("Text", 40), Column("Left", 14), Column("Must be", 9), Column("Right", 14),
        Column("Unit", 10), Column("Inputs read", 34), Column("Details", 40), Column("Waiver", 34),
        Column("Control ids", 20),
    )
    controls = {rule.code: ", ".join(rule.control_ids) or None for rule in review.rules}
    waived = review.waiver_of
    rows = tuple(row for case in review.cases for row in _detail_rows(case, controls, waived))
    return Table("issue_details", "Issue details", columns, rows)


def _detail_rows(
    case: Case, controls: dict[str, str | None], waived: dict[tuple[str, str], dict[str, Any]]
) -> Iterator[tuple[Cell, ...]]:
    place: tuple[Cell, ...] = (case.number, case.advisor, case.category, case.scenario, _day(case), case.run)
    if case.fault is not None:
        where, what, remedy = case.fault
        yield (*place, case.state, case.state, where, f"{what}; {remedy}", *(None,) * 9)
    for one in case.findings:
        if one.kind != "note":
            waiver = waived.get((case.key, one.code))
            yield (*place, one.code, case.clauses[one.code], one.where or "/", one.sentence, *_evidence(one),
                   None if waiver is None else waiver_text(waiver), controls[one.code])


def waiver_text(waiver: dict[str, Any]) -> str:
    """Return who waived it until when, and why."""
    return f"waived by {waiver['by']} from {waiver['at']} to {waiver['expires']}: {waiver['reason']}"


def _evidence(finding: Finding) -> tuple[Cell, ...]:
    record = finding.record
    details = {name: value for name, value in record["details"].items() if value is not None}
    text = details.pop("text", None)
    return (
        None if text is None else str(text), record["left"], record["op"], record["right"], record["unit"],
        ", ".join(record["reads"]), ", ".join(f"{name} {value}" for name, value in details.items()) or None,
    )


def rules_report(review: Review) -> Table:
    """Return one row for each clause of the contract: its text, its authority, and its runs by state."""
    columns = (
        Column("Code", 10), Column("Rule", 32), Column("Status", 14), Column("Text", 80), Column("Authority", 34),
        Column("Owner", 24), Column("Severity", 11), Column("Parameters", 30), Column("Effective from", 12),
        Column("Effective to", 12), Column("Version", 9),
        *(Column(state.replace("_", " ").capitalize(), 12) for state in CLAUSE_STATES), Column("Not judged", 10),
        Column("Control ids", 20), Column("Control titles", 34), Column("Source sha256", 66),
    )
    judged = len(review.cases)
    return Table("rules_report", "Rules report", columns, tuple(
        (
            rule.code, rule.name, status(rule), rule.text, rule.authority, rule.owner, rule.severity,
            ", ".join(f"{name} = {value}" for name, value in rule.parameters) or None,
            _date(rule.effective_from), _date(rule.effective_to), rule.version,
            *rule.counts.values(), judged - sum(rule.counts.values()),
            ", ".join(rule.control_ids) or None, "; ".join(one.title for one in rule.controls) or None, rule.source,
        )
        for rule in review.rules
    ))


def status(rule: Rule) -> str:
    """Return the worst that a clause came to in this run, or that it applied nowhere."""
    return next((state for state in ("ERROR", "FAIL", "WAIVED", "PASS") if rule.counts[state]), "NOT_APPLICABLE")


def failures(review: Review) -> Table:
    """Return the runs that failed, clauses against categories, all advisors together."""
    by_code = review.failures_by_code
    categories = sorted({category for row in by_code.values() for category in row})
    names = {rule.code: rule.name for rule in review.rules}
    columns = (Column("Code", 12), Column("Rule", 34), *(Column(name, 16) for name in categories), Column("All", 9))
    return Table("failures", "Failures", columns, tuple(
        (code, names.get(code), *(row.get(category, 0) for category in categories), sum(row.values()))
        for code, row in sorted(by_code.items())
    ))


def runs(review: Review) -> Table:
    """Return one row for each run, in log order."""
    columns = (
        Column("Verdict line", 9), Column("Advisor", 22), Column("Scenario", 26), Column("Category", 24),
        Column("Day", 12), Column("Run", 6), Column("State", 14), Column("Fails", 22), Column("Waived", 14),
        Column("In error", 12), Column("Orders", 40), Column("Baseline", 30), Column("Agreement", 11),
        Column("Takeaway", 60), Column("Answer", 60, wrapped=False), Column("Model", 18), Column("Answered at", 22),
        Column("Answer sha256", 66),
    )
    return Table("runs", "Runs", columns, tuple(_run_row(case) for case in review.cases))


def _run_row(case: Case) -> tuple[Cell, ...]:
    said = "\n\n".join(one.text if one.turn is None else f"[turn {one.turn}] {one.text}" for one in case.answers)
    first = case.answers[0] if case.answers else None
    return (
        case.number, case.advisor, case.scenario, case.category, _day(case), case.run, case.state,
        *(" ".join(case.codes(state)) or None for state in ("FAIL", "WAIVED", "ERROR")),
        "; ".join(case.outcome) or None, "; ".join(case.scene.baseline or ()) or None, _share(case.agreement),
        case.takeaway, said or None, first and first.model, first and first.timestamp, case.digests.get("answer"),
    )


def attestations(review: Review) -> Table:
    """Return what people said of the run: waivers and decisions, in the order in which they were made."""
    columns = (
        Column("Number", 9), Column("Statement", 14), Column("By", 24), Column("At", 12), Column("Clause", 10),
        Column("Case", 44), Column("Reason or note", 70), Column("Expires", 12), Column("Attestation sha256", 66),
        Column("Signed with key", 66),
    )
    return Table("attestations", "Attestations", columns, tuple(
        (
            one["number"], one.get("decision", "waiver"), one["by"], _date(one["at"]), one.get("clause"),
            one.get("case"), one.get("reason", one.get("note")), _date(one.get("expires")), one["digest"],
            one.get("public_key"),
        )
        for one in sorted((*review.waivers, *review.decisions), key=lambda one: one["number"])
    ))


def judgements(review: Review) -> Table:
    """Return the judge's scores of every episode, beside the verdicts and no part of them."""
    columns = (Column("Case", 44), *(Column(name.capitalize(), 16) for name in DIMENSIONS), Column("Limited by", 80))
    return Table("judgements", "Judgements", columns, tuple(
        (one["case"], *(one[name] for name in DIMENSIONS), one["limits"] or None) for one in review.judgements
    ))


def thresholds(sheet: Sheet) -> Table:
    """Return one row for each number of the contract, with the verdicts that flip at each step, then what has none."""
    columns = (
        Column("Code", 10), Column("Number", 24), Column("Place", 12), Column("Values", 24), Column("Formula", 60),
        Column("Source", 34), Column("Owner", 24), Column("Review by", 12),
        *(Column(f"{abs(step)} % {'more' if step > 0 else 'less'}", 10) for step in STEPS), Column("Finding", 30),
    )
    return Table("thresholds", "Thresholds", columns, (
        *((knob.code, knob.name, knob.place, values_of(knob), knob.formula, knob.authority, knob.owner,
           _date(knob.review), *knob.flips, DEAD if knob.dead else None) for knob in sheet.knobs),
        *((code, *(None,) * (len(columns) - 2), "has no number") for code in sheet.without),
    ))


JUDGED = ("How well each episode was held, by the deterministic judge: compliance is 0 or 1, the others 0 to 2. "
          "The scores stand beside the verdicts and are no part of any.")

DEAD = "dead on this run: no step flips one of its verdicts"


def flips_of(sheet: Sheet) -> str:
    """Return what the counts of a threshold sheet are."""
    return ("Each number is moved alone, in all scenarios at once, while the answers stay; counted is how many of "
            f"{sheet.verdicts:,} verdicts flip.")


def without_numbers(sheet: Sheet) -> str:
    """Return which numbers are dead on this run, what that means, and which clauses have none."""
    dead = ", ".join(f"{knob.code} {knob.name}" for knob in sheet.knobs if knob.dead)
    return (f"Dead knobs on this run (no step flips one of its verdicts; on other answers one may): {dead or 'none'}. "
            f"Clauses without numbers: {', '.join(sheet.without) or 'none'}.")


def values_of(knob: Knob) -> str:
    """Return the value of a number, or from where to where its values go."""
    first, *more = knob.values
    return f"{first} to {more[-1]} ({len(knob.values)} values)" if more else first


def _day(case: Case) -> date:
    return date.fromisoformat(case.scene.as_of)


def _date(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)


def _share(value: Fraction | None) -> Decimal | None:
    return None if value is None else Decimal(round_half_up(value, 4))


def _percent(value: Fraction) -> str:
    return f"{round_half_up(value * 100, 1)} %"
