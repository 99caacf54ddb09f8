"""The review as one HTML file that stands alone: no font, script or picture from outside, readable from disk.

What a reader without script or on paper gets is plain HTML: the summary, the failures, the contract, and the first
cases in full. The rest of the cases lies in the file once, as inert JSON (`verifier.exports.document`).
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from scenarios.manifest import Contract
from verifier.exports.chart import Point, bar, mark, picture, swatch
from verifier.exports.document import case_file, document, reader
from verifier.exports.dossier import case_node, scene_node
from verifier.exports.elements import (
    CLAUSE_STATE,
    MEANING,
    brief,
    code_link,
    column,
    counted,
    first_line,
    joined,
    listed,
    number,
    outward,
    pairs,
    percent,
    section,
    state_of,
    table,
    verb,
)
from verifier.exports.review import CLAUSE_STATES, Advisor, Case, Finding, Review, Rule
from verifier.exports.tables import JUDGED, flips_of, values_of, without_numbers
from verifier.exports.tree import Node, Pool, el, made, pieces, words
from verifier.intervals import clopper_pearson
from verifier.rubric import DIMENSIONS
from verifier.thresholds import STEPS, Sheet
from verifier.verdict import STATES, UNREADABLE

STATIC_CASES = 200
"""Cases that stand in the page as plain HTML."""

IN_A_ROW = 12
"""Findings of one run that its row in the table of runs has room for."""

_NOT_PROVEN = (
    "That the advice will earn anything: every action was judged before any return was computed.",
    "That the frozen scenarios are true, complete, or like your own clients.",
    "That the clauses are the ones your regulator would write; each names its authority below.",
    "That an advisor will answer alike tomorrow. The intervals speak of runs like these, drawn independently.",
    "That agreement with the baseline is merit. It is shown beside validity and never rewarded.",
)


def page_bytes(review: Review) -> bytes:
    """Return the page in UTF-8; the same review gives the same bytes everywhere."""
    return document(f"Compliance review of run {review.run_id}", review.digests[0], *_body(review))


def _body(review: Review) -> tuple[list[Node], dict[str, Any]]:
    """Return the landmarks of the page, and the data of the cases and scenarios that do not stand in it."""
    place = {advisor.id: index for index, advisor in enumerate(review.advisors)}
    cases = sorted(review.cases, key=lambda case: (case.valid, case.run, case.scenario, place[case.advisor]))
    standing: dict[str, list[Case]] = {}
    for case in cases[:STATIC_CASES]:
        standing.setdefault(case.scenario, []).append(case)
    scenes = {case.scenario: case.scene for case in sorted(cases, key=lambda case: case.scenario)}
    numbers = {name: index for index, name in enumerate(scenes)}
    rules, waivers, pool = {rule.code: rule for rule in review.rules}, review.waiver_of, Pool()
    data = {
        "scenes": [-1 if name in standing else pool.add(scene_node(scene, numbers[name]))
                   for name, scene in scenes.items()],
        "cases": {case.number: pool.add(case_node(case, rules, waivers)) for case in cases[STATIC_CASES:]},
        "parts": pool.parts,
    }
    main = el("main", _summary(review), _failures(review), _runs(cases, numbers),
              _judgements(review) if review.judgements else None,
              contract_section(review.contract, review.rules, "runs"),
              None if review.thresholds is None else _thresholds(review.thresholds),
              case_file([(scene_node(scenes[name], numbers[name]), [case_node(case, rules, waivers) for case in under])
                         for name, under in sorted(standing.items())], len(cases)))
    return [el("a", "Skip to the summary", href="#summary", class_="skip"), _header(review), main, _footer(review),
            reader()], data


# The head of the page and the summary


def _header(review: Review) -> Node:
    sections = (("summary", "Summary"), ("failures", "Failures"), ("runs", "Runs"),
                *([("judgements", "Judgements")] if review.judgements else []), ("contract", "Contract"),
                *([] if review.thresholds is None else [("thresholds", "Thresholds")]))
    return el(
        "header",
        el("p", "Compliance review", class_="kind"),
        el("h1", "Run ", words(review.run_id)),
        pairs(review.digests, "digests"),
        el("nav", el("ul", (el("li", el("a", title, href=f"#{name}")) for name, title in sections)),
           aria_label="Sections"),
        class_="top",
    )


def _summary(review: Review) -> Node:
    caption = ("An advisor at the lower right buys what the baseline would buy and still breaks the contract. "
               "The line through a mark is the exact 95 % interval of its validity.")
    points = _points(review)
    unproven = (el("h3", "What this does not prove"), el("ul", (el("li", sentence) for sentence in _NOT_PROVEN)))
    attested = (el("h3", "Decision and waivers"), _attestations(review))
    if points:
        columns = (el("figure", picture(points), el("figcaption", caption)), el("div", unproven, attested))
    else:
        columns = (el("div", unproven), el("div", attested))
    return section(
        "summary", "Summary", _lead(review), _figures(review), _advisors(review),
        None if points else el("p", "No scenario of this run names a baseline, so agreement with one is not told."),
        el("div", columns, class_="columns"),
    )


def _lead(review: Review) -> Node:
    total, contract = len(review.cases), review.contract
    valid = sum(case.valid for case in review.cases)
    unread = sum(case.state in UNREADABLE for case in review.cases)
    broken = total - valid - unread
    return el(
        "p",
        f"{counted(len(review.advisors), 'advisor')} answered ",
        f"{counted(len(review.bank.scenarios), 'frozen scenario')} of ", words(review.bank.id),
        f" in {counted(total, 'planned run')}, each judged by contract ", words(contract.id),
        " version ", words(contract.version), f", {counted(len(contract.clauses), 'clause')}",
        (": ", el("em", words(contract.title))) if contract.title else None, ". ",
        el("strong", f"{counted(valid, 'run')} ({percent(Fraction(valid, total))}) {verb(valid, 'count')} as valid."),
        f" {counted(broken, 'run')} {verb(broken, 'break')} an enforced clause, and from {counted(unread, 'run')} "
        "no action could be judged." if total > valid else None,
        (el("strong", " Decision: ", words(str(one["decision"])), "."), " By ", brief(str(one["by"]), 100), ", ",
         words(str(one["at"])), ".") if (one := next(reversed(review.decisions), None)) else " No decision is signed.",
        class_="lead",
    )


def _figures(review: Review) -> Node:
    states = [(state, sum(case.state == state for case in review.cases)) for state in reversed(STATES)]
    return el("dl", (
        el("div", el("dt", swatch(state), state.capitalize()),
           el("dd", el("b", f"{many:,}"), el("span", MEANING[state])))
        for state, many in states if many or state in ("ADMISSIBLE", "INADMISSIBLE")
    ), class_="figures")


def _advisors(review: Review) -> Node:
    heads = ("Advisor", "Runs", "Count as valid", "95 % interval", "Agreement", "States of the runs",
             "Failed most often")
    rows = [_advisor_row(index, advisor) for index, advisor in enumerate(review.advisors)]
    return table("Who was judged, and what was found", heads, rows, "advisors")


def _advisor_row(index: int, advisor: Advisor) -> Node:
    scores, model = advisor.scores, advisor.record.get("model")
    low, high = _bounds(scores.valid, scores.runs)
    worst = sorted(scores.violations.items(), key=lambda item: (-item[1], item[0]))[:3]
    about = (advisor.name if advisor.name != advisor.id else "", advisor.kind, model if isinstance(model, str) else "",
             advisor.description)
    return el(
        "tr",
        el("th", mark(index), words(advisor.id), el("small", joined([brief(one, 300) for one in about if one], " · ")),
           scope="row"),
        number(f"{scores.runs:,}"), number(percent(scores.validity_strict)),
        number(f"{outward(low, up=False)} to {outward(high, up=True)}"),
        number("–" if scores.agreement is None else percent(scores.agreement)),
        el("td", bar([(state, scores.states[state]) for state in reversed(STATES)])),
        el("td", listed([el("span", code_link(code), f" {many:,}") for code, many in worst]) if worst else "none"),
    )


def _points(review: Review) -> list[Point]:
    """Return where each advisor stands in the picture; one that is compared with no baseline stands in none."""
    return [
        Point(advisor.id, advisor.scores.agreement, advisor.scores.validity_strict,
              *_bounds(advisor.scores.valid, advisor.scores.runs))
        for advisor in review.advisors if advisor.scores.agreement is not None
    ]


def _bounds(successes: int, trials: int) -> tuple[Fraction, Fraction]:
    return clopper_pearson(successes, trials) or (Fraction(0), Fraction(1))


def _attestations(review: Review) -> Iterator[Node]:
    if review.decisions:
        yield _records("Decisions", review.decisions, ("decision", "by", "at", "note"))
    else:
        yield el("p", "No decision has been signed for this run.")
    if review.waivers:
        members = ("clause", "case", "by", "reason", "at", "expires")
        yield _records("Waivers: a waived clause did not pass", review.waivers, members)
    else:
        yield el("p", "Nothing has been waived.")


def _records(caption: str, records: Sequence[Mapping[str, Any]], first: Sequence[str]) -> Node:
    """Return records one below the other: the members named first, then what else each has, in name order."""
    said = (tuple((name.replace("_", " ").capitalize(), str(record[name]))
                  for name in (*first, *sorted(set(record) - set(first))) if name in record) for record in records)
    return el("div", el("h4", caption), (pairs(fields) for fields in said), class_="records")


# Failures, runs, contract


def _failures(review: Review) -> Node:
    if not review.failures:
        return section("failures", "Failures", el("p", "No clause was broken, and every run could be read."))
    rules = {rule.code: rule for rule in review.rules}
    by_code: dict[tuple[bool, str, str], dict[str, int]] = {}
    by_category: dict[str, dict[str, int]] = {}
    for failure in review.failures:
        row = by_code.setdefault((failure.code not in rules, failure.code, failure.state), {})
        row[failure.advisor] = row.get(failure.advisor, 0) + failure.runs
        cells = by_category.setdefault(failure.category, {})
        cells[failure.code] = cells.get(failure.code, 0) + failure.runs
    codes = list(dict.fromkeys(code for _, code, _ in sorted(by_code)))
    most = max(many for cells in by_category.values() for many in cells.values())
    named = [code_link(code) if code in rules else code.capitalize() for code in codes]
    return section(
        "failures", "Failures",
        el("p", "A run that breaks several clauses stands in the row of each. “Not enforced” are clauses that the "
           "contract only notes on the scenario’s date."),
        table("Runs by clause and advisor",
              ("Code", "What is wrong", "State", "Runs", *(words(advisor.id) for advisor in review.advisors)),
              [_code_row(code, state, row, rules, review.advisors)
               for (_, code, state), row in sorted(by_code.items())],
              "by-code"),
        table("Runs by category and clause", ("Category", *named),
              [el("tr", el("th", words(category), scope="row"), (_shade(cells.get(code, 0), most) for code in codes))
               for category, cells in sorted(by_category.items())],
              "by-category"),
    )


def _code_row(
    code: str, state: str, row: Mapping[str, int], rules: Mapping[str, Rule], advisors: Sequence[Advisor]
) -> Node:
    known = code in rules
    return el(
        "tr",
        el("th", code_link(code) if known else code.capitalize(), scope="row"),
        el("td", first_line(rules[code]) if known else MEANING[code]), el("td", CLAUSE_STATE.get(state, "Unreadable")),
        number(f"{sum(row.values()):,}"), (number(f"{row.get(advisor.id, 0):,}") for advisor in advisors),
    )


def _shade(many: int, most: int) -> Node:
    return number(f"{many:,}", f"n h{-(-4 * many // most)}")


def _runs(cases: Sequence[Case], scenes: Mapping[str, int]) -> Node:
    heads = (column("Case", "number"), column("Advisor", choice="Advisor"), "Scenario",
             column("Category", choice="Category"), column("Run", "number"), column("State", "state", "State"),
             column("Agreement", "number"), column("Clauses broken", "codes", "Clause"), "What was found")
    order = ("Runs that do not count as valid come first, then by run, scenario and advisor. A case’s number is its "
             "line in verdicts.jsonl.")
    return section(
        "runs", "Runs",
        el("p", order, el("span", " On paper, only runs that do not count as valid are listed.", class_="paper")),
        el("div", id="filters", class_="filters", hidden=""),
        el("p", id="shown", role="status", class_="status"),
        table("Table of runs", heads, [_run_row(case, scenes[case.scenario]) for case in cases], "table",
              data_noun="runs"),
        el("p", el("button", "Show more", id="more", type="button"), id="paging", hidden=""),
    )


def _run_row(case: Case, scene: int) -> Node:
    return el(
        "tr",
        el("th", el("a", str(case.number), href=f"#case-{case.number}"), scope="row"),
        el("td", words(case.advisor)), el("td", words(case.scenario)), el("td", words(case.category)),
        number(str(case.run)), el("td", state_of(case.state)),
        number("–" if case.agreement is None else str(case.agreement)),
        el("td", " ".join((*case.codes("ERROR"), *case.codes("FAIL")))), el("td", _found(case)),
        class_="ok" if case.valid else "bad", data_scene=str(scene),
    )


def _found(case: Case) -> Iterator[Node]:
    """Yield what a run's row says: each violation or error with the relation that should hold, or why none could be."""
    if case.fault is not None:
        yield el("p", "At ", brief(case.fault[0], 200), ": ", brief(case.fault[1]))
    found = [finding for finding in case.findings if finding.kind != "note"]
    for finding in found[:IN_A_ROW]:
        yield el("p", el("b", finding.code), " ", brief(finding.sentence), _relation(finding))
    if len(found) > IN_A_ROW:
        yield el("p", f"and {counted(len(found) - IN_A_ROW, 'finding')} more in this run")


def _relation(finding: Finding) -> Node | None:
    left, op, right, unit = (finding.record[name] for name in ("left", "op", "right", "unit"))
    if not op or left is None or right is None:
        return None
    return el("small", " must hold: ", brief(f"{left} {op} {right} {unit}".rstrip(), 200))


def _judgements(review: Review) -> Node:
    numbers = {case.key: case.number for case in review.cases}
    rows = [
        el("tr", el("th", el("a", words(one["case"]), href=f"#case-{numbers[one['case']]}"), scope="row"),
           (number(str(one[name])) for name in DIMENSIONS), el("td", brief(one["limits"]) if one["limits"] else "–"))
        for one in review.judgements
    ]
    return section(
        "judgements", "Judgements",
        el("p", JUDGED),
        table("Scores of the episodes", ("Case", *(name.capitalize() for name in DIMENSIONS), "What limited them"),
              rows, "judged"),
    )


def contract_section(contract: Contract, rules: Sequence[Rule], noun: str) -> Node:
    """Return the contract clause by clause; noun: what the counts are of."""
    with_controls = any(rule.controls for rule in rules)
    heads = ("Code", "Clause", "Authority and owner", *("Firm’s controls",) * with_controls,
             *(CLAUSE_STATE[state] for state in CLAUSE_STATES))
    return section(
        "contract", "Contract",
        el("p", "Contract ", words(contract.id), " version ", words(contract.version),
           f". Every clause is evaluated on every answer that could be read; the counts are {noun}."),
        table("Clauses", heads, [_rule_row(rule, with_controls) for rule in rules], "rules"),
    )


def _rule_row(rule: Rule, with_controls: bool) -> Node:
    dates = (("In force from", rule.effective_from), ("In force to", rule.effective_to))
    terms = (*rule.parameters, ("Severity", rule.severity), *((name, day) for name, day in dates if day),
             ("Version", str(rule.version)), ("Source sha256", rule.source))
    controls = listed([words(f"{one.control_id} {one.title}".strip()) for one in rule.controls])
    return el(
        "tr",
        el("th", el("span", rule.code, id=f"clause-{rule.code}"), scope="row"),
        el("td", el("code", words(rule.name)), el("details", el("summary", first_line(rule)),
           made("div", pieces(rule.text, lines=True), class_="text"), pairs(terms))),
        el("td", words(rule.authority), el("small", words(rule.owner))),
        el("td", controls) if with_controls else None,
        (number(f"{rule.counts[state]:,}", f"n {state}" if rule.counts[state] else "n none")
         for state in CLAUSE_STATES),
    )


# The foot of the page


def _thresholds(sheet: Sheet) -> Node:
    heads = ("Number", "Value", "Formula, source, review", *(f"{step:+} %" for step in STEPS))
    rows = [
        el("tr", el("th", code_link(knob.code), " ", knob.name.replace("_", " "), scope="row"),
           el("td", words(values_of(knob)), el("small", knob.place, "; dead on this run" if knob.dead else None)),
           el("td", brief(knob.formula), el("small", words(knob.authority), "; ", words(knob.owner), "; review by ",
                                            knob.review or "a day that is not stated")),
           (number(f"{many:,}") for many in knob.flips))
        for knob in sheet.knobs
    ]
    return section("thresholds", "Thresholds", el("p", flips_of(sheet), " ", words(without_numbers(sheet))),
                   table("Verdicts that flip when a number moves", heads, rows, "knobs"))


def _footer(review: Review) -> Node:
    answers = ((f"Answers of {advisor.id}, sha256", advisor.digest) for advisor in review.advisors)
    seals = (*review.digests, ("Contract sha256", review.contract_digest), ("Bank sha256", review.bank.digest),
             *answers, ("Judged by release", review.release), ("Parser", review.parser),
             ("Latest scenario", review.as_of))
    return el(
        "footer",
        el("p", "Made from the sealed records of the run; whoever has its folder can recompute them with ",
           el("code", "audit replay"), ". The same run gives this file byte for byte."),
        pairs(seals, "digests"),
    )
