"""A rollout as one HTML file that stands alone, in the manner of the review of a run.

The summary, both arms as pictures, every consultation in a table that filters and sorts, the contract, and the cases:
all consultations that do not count as valid and the first others, each in the fields of the audit schema.
Source: seed paper 000, appendix P.1, table 18.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from heapq import nsmallest
from typing import Any, NamedTuple

from scenarios.exact import decimal_text, round_half_up
from verifier.explain import money
from verifier.exports.chart import bar, swatch
from verifier.exports.document import case_file, document, reader
from verifier.exports.dossier import article, dialogue, scene_node, verdict_of
from verifier.exports.elements import (
    MEANING,
    brief,
    code_link,
    column,
    counted,
    listed,
    number,
    pairs,
    percent,
    section,
    state_of,
    table,
)
from verifier.exports.lines import Axis, Course, axis_of, legend, panel
from verifier.exports.page import contract_section
from verifier.exports.review import Case, Rule
from verifier.exports.rollout import (
    BASELINE,
    Entry,
    Means,
    RolloutReview,
    daily_means,
    executed,
    nav_cents,
    percent_e4,
    takeaway,
)
from verifier.exports.tree import Node, Part, Pool, el, words
from verifier.impact.tables import overall
from verifier.verdict import STATES, UNREADABLE

STATIC_CASES = 100
"""Cases that stand in the page as plain HTML."""

OTHERS = 100
"""Consultations that count as valid and have a case all the same."""

IN_A_ROW = 4
"""Findings of one consultation that its row has room for."""

_NOT_PROVEN = (
    "That real investors would do the same: they are simulated by rules, which docs/mind.md states one by one.",
    "That the advice earns anything in another market: one trace, one population, the runs named above.",
    "That a difference between the arms is merit: how far the runs differ among themselves stands beside the scores.",
    "That the clauses are the ones your regulator would write; each names its authority below.",
)


class Row(NamedTuple):
    """What the page keeps of every consultation: what its row and the counts are made of."""

    number: int
    advisor: str
    investor: str
    regime: str
    day: str
    run: int
    state: str
    silent: bool
    failed: tuple[str, ...]
    undecided: tuple[str, ...]
    found: tuple[tuple[str, str], ...]
    more: int
    action: str

    @property
    def valid(self) -> bool:
        """Whether it counts as valid."""
        return self.state in ("ADMISSIBLE", "ABSTAINED")


class Page:
    """The file rollout.html, made of consultations that come one at a time."""

    def __init__(self, review: RolloutReview) -> None:
        self.review = review
        self.rows: list[Row] = []
        self.counts: Counter[tuple[str, str]] = Counter()
        self.failing: list[Entry] = []
        self.others: list[Entry] = []

    def add(self, entry: Entry) -> None:
        """Take the next consultation: its row, and where it gets a case, the whole of it."""
        verdict, said = entry.verdict, entry.consultation
        self.counts.update(verdict.clauses.items())
        found = tuple(self.review.found(entry))
        if verdict.fault is not None:
            found = (*found, ("At " + verdict.fault.where, verdict.fault.what))
        undecided = tuple(code for code, state in verdict.clauses.items() if state == "ERROR")
        self.rows.append(Row(
            entry.number, entry.advisor, entry.investor.id, entry.regime, entry.day, said.run, verdict.state,
            entry.silent, verdict.failed, undecided, found[:IN_A_ROW], max(len(found) - IN_A_ROW, 0),
            executed(entry.own),
        ))
        (self.others if verdict.valid else self.failing).append(entry)
        if len(self.others) >= 20 * OTHERS:
            self.others = _first(self.others)

    def files(self) -> dict[str, bytes]:
        """Return the page in UTF-8; the same rollout gives the same bytes everywhere."""
        review = self.review
        title = f"Review of rollout {review.rollout.id}"
        return {"rollout.html": document(title, review.digests[0], *self._body(review))}

    def _body(self, review: RolloutReview) -> tuple[list[Node], dict[str, Any]]:
        """Return the landmarks of the page, and the data of the cases that do not stand in it."""
        rows = sorted(self.rows, key=lambda row: (row.valid, row.silent, row.day, row.run, row.number))
        rules = review.rules(self.counts)
        by_code = {rule.code: rule for rule in rules}
        entries = {entry.number: entry for entry in (*self.failing, *_first(self.others))}
        shown = [row.number for row in rows if row.number in entries]
        places = {one: place for place, one in enumerate(shown)}
        standing: list[tuple[Node, list[Node]]] = []
        pool, scenes, cases = Pool(), [], {}
        for one in shown:
            case = review.case(entries[one])
            scene, node = scene_node(case.scene, places[one]), _case(entries[one], case, by_code)
            if len(standing) < STATIC_CASES:
                standing.append((scene, [node]))
                scenes.append(-1)
            else:
                scenes.append(pool.add(scene))
                cases[one] = pool.add(node)
        main = el(
            "main", _summary(review, rows), _arms(review), _consultations(rows, places),
            contract_section(review.judge.contract, rules, "consultations"),
            case_file(standing, len(shown), "table of consultations",
                      f"cases, which are all consultations that do not count as valid and the first {OTHERS} others,"),
        )
        return [el("a", "Skip to the summary", href="#summary", class_="skip"), _header(review), main, _footer(review),
                reader()], {"scenes": scenes, "cases": cases, "parts": pool.parts}


def _first(entries: list[Entry]) -> list[Entry]:
    return nsmallest(OTHERS, entries, key=lambda one: (one.silent, one.day, one.consultation.run, one.number))


# The head of the page and the summary


def _header(review: RolloutReview) -> Node:
    sections = (("summary", "Summary"), ("arms", "Both arms"), ("runs", "Consultations"), ("contract", "Contract"))
    return el(
        "header",
        el("p", "Review of a rollout", class_="kind"),
        el("h1", "Rollout ", words(review.rollout.id)),
        pairs(review.digests, "digests"),
        el("nav", el("ul", (el("li", el("a", title, href=f"#{name}")) for name, title in sections)),
           aria_label="Sections"),
        class_="top",
    )


def _summary(review: RolloutReview, rows: Sequence[Row]) -> Node:
    return section(
        "summary", "Summary", _lead(review, rows), _figures(rows), _advisors(review, rows), _scores(review),
        el("div",
           el("div", el("h3", "What was run"), _setting(review)),
           el("div", el("h3", "What this does not prove"), el("ul", (el("li", one) for one in _NOT_PROVEN))),
           class_="columns"),
    )


def _lead(review: RolloutReview, rows: Sequence[Row]) -> Node:
    rollout, contract = review.rollout, review.judge.contract
    heard = [row for row in rows if not row.silent]
    valid = sum(row.valid for row in heard)
    unread = sum(row.state in UNREADABLE for row in heard)
    first, last = (rollout.trace.sessions[one].date for one in (rollout.first, rollout.last))
    share = f" ({percent(Fraction(valid, len(heard)))})" if heard else ""
    return el(
        "p",
        f"{counted(len(review.advised), 'advisor')} and the matched arm without one met "
        f"{counted(len(rollout.lanes(1)), 'investor')} in {counted(rollout.config.runs, 'run')} over "
        f"{counted(rollout.last - rollout.first + 1, 'session')}, {first} to {last}. Of "
        f"{counted(len(rows), 'consultation')}, {len(heard):,} had an answer, judged by contract ",
        words(contract.id), " version ", words(contract.version), ". ",
        el("strong", f"{valid:,} of the answers{share} count as valid."),
        f" {len(heard) - valid - unread:,} break an enforced clause, and {unread:,} could not be judged."
        if len(heard) > valid else None, class_="lead",
    )


def _figures(rows: Sequence[Row]) -> Node:
    states = [(state, sum(row.state == state for row in rows)) for state in reversed(STATES)]
    return el("dl", (
        el("div", el("dt", swatch(state), state.capitalize()),
           el("dd", el("b", f"{many:,}"), el("span", MEANING[state])))
        for state, many in states if many or state in ("ADMISSIBLE", "INADMISSIBLE")
    ), class_="figures")


def _advisors(review: RolloutReview, rows: Sequence[Row]) -> Node:
    heads = ("Advisor", "Investor-days", "Consultations", "Per 100 days", "Answered", "Count as valid", "C",
             "States of the consultations", "Failed most often")
    gates = {} if review.scores is None else {one.advisor: one.gate for one in review.scores.advisors}
    body = []
    for advisor in review.rollout.advisors:
        own = [row for row in rows if row.advisor == advisor]
        days = sum(task.days for task in review.rollout.manifest.tasks if task.advisor == advisor)
        heard = [row for row in own if not row.silent]
        worst = Counter(code for row in own for code in row.failed)
        ranked = sorted(worst.items(), key=lambda item: (-item[1], item[0]))[:3]
        states = Counter(row.state for row in own)
        body.append(el(
            "tr", el("th", words(advisor), scope="row"),
            number(f"{days:,}"), number(f"{len(own):,}"), number(round_half_up(Fraction(100 * len(own), days), 1)),
            number(f"{len(heard):,}"),
            number(percent(Fraction(sum(row.valid for row in heard), len(heard))) if heard else "–"),
            number("–" if advisor not in gates else str(gates[advisor])),
            el("td", bar([(state, states[state]) for state in reversed(STATES)]) if own else "none"),
            el("td", listed([el("span", code_link(code), f" {many:,}") for code, many in ranked] or [words("none")])),
        ))
    return table("Who advised, and what was found", heads, body, "advisors")


def _scores(review: RolloutReview) -> Part:
    if review.scores is None:
        return el("p", f"The rollout has not both {BASELINE} and another advisor, so no impact is scored.")
    made = overall(review.scores)
    rows = [el("tr", el("th", words(advisor), scope="row"), map(number, cells)) for advisor, *cells in made.rows]
    config = review.scores.config
    return (
        table("Impact against the arm without an advisor, whole horizon", made.head, rows, "scores"),
        el("p", el("small", made.note, " C is 0 where any run has a redline; “Count as valid” above is of the answers. "
                   f"Weights and units: {config.id}, sha256 {config.compute_digest()}. "
                   "A dash: the horizon is too short for that score, or a run has none; docs/impact.md has the "
                   "equations.")),
    )


def _setting(review: RolloutReview) -> Node:
    rollout = review.rollout
    config = ((name.replace("_", " ").capitalize(), _stated(value)) for name, value in rollout.config.record().items()
              if name != "investors")
    return pairs((("Trace", rollout.trace.id), *config,
                  ("Investors", ", ".join(one.id for one in rollout.lanes(1)) if rollout.config.investors else
                   f"all {len(rollout.lanes(1))} of the population")))


def _stated(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


# Both arms


def _arms(review: RolloutReview) -> Node:
    rollout = review.rollout
    if BASELINE not in rollout.advisors or not review.advised:
        return section("arms", "Both arms", el("p", f"The rollout has not both {BASELINE} and another advisor."))
    days = [one.date for one in rollout.trace.sessions[rollout.first : rollout.last + 1]]
    base = daily_means(review, BASELINE)
    arms = {advisor: daily_means(review, advisor) for advisor in review.advised}
    everybody = [one for means in (base, *arms.values()) for one in means]
    moved = [own - other for means in arms.values() for one, two in zip(means, base, strict=True)
             for own, other in zip(one.nav_cents, two.nav_cents, strict=True)]
    axes = (
        axis_of([value for one in everybody for value in one.nav_cents], _thousands),
        axis_of([Fraction(0), *moved], _yuan),
        axis_of([Fraction(0), *(value for one in everybody for value in one.pos_ratio_e4)], _share),
    )
    return section(
        "arms", "Both arms",
        el("p", "Means over the investors of a risk profile, " +
           ", ".join(f"{one.investors} {one.profile}" for one in base) +
           ", and over all runs; each advisor against the matched arm without one. Pictures of one measure have the "
           "same axis. Money paid in and out is in the NAV of both arms."),
        (el("figure", el("h3", words(advisor)),
            el("p", legend((("own", advisor), ("base", f"{BASELINE}, matched"))), class_="legends"),
            el("div", (_panels(own, other, axes, days, advisor) for own, other in zip(means, base, strict=True)),
               class_="panels"), class_="arms")
         for advisor, means in arms.items()),
    )


def _panels(
    own: Means, base: Means, axes: tuple[Axis, Axis, Axis], days: Sequence[str], advisor: str
) -> Iterator[Node]:
    worth, moved, ratio = axes
    difference = [left - right for left, right in zip(own.nav_cents, base.nav_cents, strict=True)]
    yield panel(f"NAV in 1,000 yuan: {own.profile}",
                (Course(advisor, "own", own.nav_cents), Course(BASELINE, "base", base.nav_cents)), worth, days)
    yield panel(f"NAV difference in yuan: {own.profile}", (Course("difference", "own", difference),), moved, days)
    yield panel(f"Position ratio: {own.profile}",
                (Course(advisor, "own", own.pos_ratio_e4), Course(BASELINE, "base", base.pos_ratio_e4)), ratio, days)


def _thousands(cents: Fraction) -> str:
    return decimal_text(Fraction(round_half_up(cents / 100_000, 2)))


def _yuan(cents: Fraction) -> str:
    return f"{int(Fraction(round_half_up(cents / 100, 0))):,}"


def _share(e4: Fraction) -> str:
    return f"{decimal_text(Fraction(round_half_up(e4 / 100, 1)))} %"


# Consultations


def _consultations(rows: Sequence[Row], cases: dict[int, int]) -> Node:
    heads = (column("Case", "number"), column("Advisor", choice="Advisor"), column("Investor", choice="Investor"),
             column("Day", choice=""), column("Run", "number"), column("State", "state", "State"),
             column("Executed"), column("Clauses broken", "codes", "Clause"), "What was found")
    order = ("Consultations that do not count as valid come first, then by day. A number is the line in "
             "consultations.jsonl, and leads to the case where there is one.")
    return section(
        "runs", "Consultations",
        el("p", order, el("span", " On paper, only those that do not count as valid are listed.", class_="paper")),
        el("div", id="filters", class_="filters", hidden=""),
        el("p", id="shown", role="status", class_="status"),
        table("Table of consultations", heads, [_row(row, cases.get(row.number)) for row in rows], "table",
              data_noun="consultations", class_="by-day"),
        el("p", el("button", "Show more", id="more", type="button"), id="paging", hidden=""),
    )


def _row(row: Row, scene: int | None) -> Node:
    named = str(row.number) if scene is None else el("a", str(row.number), href=f"#case-{row.number}")
    return el(
        "tr", el("th", named, scope="row"),
        el("td", words(row.advisor)), el("td", words(row.investor)),
        el("td", row.day, el("small", f" {row.regime}") if row.regime else None), number(str(row.run)),
        el("td", state_of(row.state)), el("td", row.action), el("td", " ".join((*row.undecided, *row.failed))),
        el("td", (el("p", el("b", code), " ", brief(sentence)) for code, sentence in row.found),
           el("p", f"and {counted(row.more, 'finding')} more") if row.more else None,
           el("p", "nobody answered") if row.silent else None),
        class_="ok" if row.valid else "bad", **({} if scene is None else {"data_scene": str(scene)}),
    )


# One case


def _case(entry: Entry, case: Case, rules: dict[str, Rule]) -> Node:
    """Return a consultation in the fields of the audit schema; its setup and context stand in its scenario."""
    parts: list[tuple[str, Part]] = [
        ("Dialogue", dialogue(case)), ("Verdict of every clause", verdict_of(case, rules, {})),
        ("Judgement", _judgement(entry)), ("Executed outcome", _outcome(entry)),
        ("Paired baseline", _baseline(entry)),
    ]
    title = (words(case.advisor), ", ", words(entry.investor.id), f", {entry.day}, run {case.run}")
    return article(case, title, parts, takeaway(entry, case))


def _judgement(entry: Entry) -> Part:
    said = entry.judgement
    if said is None:
        return el("p", "None: nothing was said, or its words could not be judged.")
    rows = (("Advisor: compliance", f"{said['compliance']} of 1"), ("Advisor: accuracy", f"{said['accuracy']} of 2"),
            ("Advisor: personalization", f"{said['personalization']} of 2"), ("Client: logic", f"{said['logic']} of 2"),
            ("Client: realism", f"{said['realism']} of 2"), ("Limited by", "; ".join(said["limits"])))
    return (pairs(tuple(pair for pair in rows if pair[1])),
            el("p", el("small", "Logic and realism are of the simulated client’s words, and enter no score.")))


def _outcome(entry: Entry) -> Iterator[Node]:
    own, record = entry.own, entry.consultation.record
    yield el("p", "The investor’s action of that day: ", el("b", executed(own)), ".",
             f" Fees of the day: {money(own.fee_cents)}." if own.fee_cents else None,
             f" Paid in less paid out: {money(own.flow_cents)}." if own.flow_cents else None)
    satisfaction = percent_e4(record["satisfaction_e4"])
    if entry.advice:
        yield el("p", "The last reply was read as this advice:")
        yield pairs((*entry.advice, ("Satisfaction", satisfaction)))
    elif not entry.silent:
        yield el("p", f"No advice was read from the last reply. Satisfaction: {satisfaction}.")
    if entry.withheld:
        yield el("p", "Withheld from the investor by the gate: the reply of turn ", ", ".join(map(str, entry.withheld)),
                 ".")


def _baseline(entry: Entry) -> Part:
    base, own = entry.base, entry.own
    if base is None:
        return el("p", "None: this is the arm without an advisor." if entry.advisor == BASELINE else
                  f"The rollout has no arm {BASELINE}.")
    nav = (nav_cents(own.nav_e8), nav_cents(base.nav_e8))
    rows = (
        ("Action", executed(own), executed(base), "the same" if executed(own) == executed(base) else "differs"),
        ("NAV", *map(_cents, nav), _signed(nav[0] - nav[1], _cents)),
        ("Cash", money(own.cash_cents), money(base.cash_cents),
         _signed(Fraction(own.cash_cents - base.cash_cents), _cents)),
        ("Position ratio", percent_e4(own.pos_ratio_e4), percent_e4(base.pos_ratio_e4),
         _signed(Fraction(own.pos_ratio_e4 - base.pos_ratio_e4), lambda e4: percent_e4(int(e4)))),
    )
    heads = ("", words(entry.advisor), BASELINE, "Difference")
    body = (el("tr", el("th", name, scope="row"), map(number, cells)) for name, *cells in rows)
    head = el("thead", el("tr", (el("th", one, scope="col") for one in heads)))
    return (el("p", "The same investor, run and session in both arms, after the session:"),
            el("div", el("table", head, el("tbody", body), class_="paired"), class_="scroll"))


def _cents(cents: Fraction) -> str:
    return money(int(Fraction(round_half_up(cents, 0))))


def _signed(value: Fraction, text: Any) -> str:
    return ("+" if value > 0 else "") + str(text(value))


def _footer(review: RolloutReview) -> Node:
    manifest = review.rollout.manifest
    seals = (
        *review.digests, ("Trace sha256", manifest.trace.digest), ("Theta sha256", manifest.theta.digest),
        ("Population sha256", manifest.population), ("Contract sha256", manifest.contract.digest),
        ("Root of the day lines", manifest.root), ("Root of the verdicts", manifest.verdicts),
        ("Engine sha256", manifest.engine), ("Made by release", manifest.release),
    )
    return el(
        "footer",
        el("p", "Every verdict was made anew from the sealed facts and answers; whoever has the folder can recompute "
           "every day of every investor with ", el("code", "audit replay"), ". The same rollout gives this file byte "
           "for byte."),
        pairs(seals, "digests"),
    )
