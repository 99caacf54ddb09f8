"""A scenario and a case as the page shows them: the audit schema, from the setup to the takeaway.

A case has the dialogue with its marked spans, the verdict of every clause with its arithmetic, what may be
executed, the baseline beside it, and the takeaway; its setup and context stand once, in its scenario.
Source: seed paper 000, appendix P.1, table 18.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from scenarios.types import Turn
from verifier.exports.elements import CLAUSE_STATE, MEANING, brief, code_link, counted, joined, listed, pairs, state_of
from verifier.exports.review import CLAUSE_STATES, Case, Finding, Rule, Said, Scene
from verifier.exports.spans import Part as Stretch
from verifier.exports.spans import marked
from verifier.exports.tree import Node, Part, el, made, pieces, words

LONGEST_TEXT = 40_000
"""Characters of one text that are shown from its start; beyond them only what surrounds a marked span."""

AROUND = 300
"""Characters shown before and after a span that lies beyond."""

PRINTED_WHOLE = 6_000
"""Characters of one text that are surely printed."""

OF_A_CLAUSE = 100
"""Findings of one clause that a case shows one by one."""

Waivers = Mapping[tuple[str, str], Mapping[str, Any]]
"""The last waiver by case and clause."""

_GROUPS = {"": "Structured context", "Day": "Context of the day", "Longer term": "Longer-term context",
           "Limit": "Limits"}


def scene_node(scene: Scene, number: int) -> Node:
    """Return a scenario: setup, structured context, holdings."""
    groups: dict[str, list[tuple[str, str]]] = {_GROUPS[""]: []}
    for name, value in scene.context:
        group, _, member = name.rpartition(": ")
        groups.setdefault(_GROUPS.get(group, group), []).append((member.replace("_", " "), value))
    setup = tuple((name.replace("_", " "), value) for name, value in scene.setup)
    blocks = {"Setup": setup, **groups, "Holdings": scene.holdings}
    return el(
        "section",
        el("h3", "Scenario ", words(scene.id)),
        el("div", (el("div", el("h4", words(name)), pairs(tuple(fields), name.lower()))
                   for name, fields in blocks.items() if fields), class_="facts"),
        class_="scene", id=f"scene-{number}",
    )


def case_node(case: Case, rules: Mapping[str, Rule], waivers: Waivers) -> Node:
    """Return a case but for its setup and context."""
    parts = [("Dialogue", dialogue(case)), ("Verdict of every clause", verdict_of(case, rules, waivers)),
             ("Executed outcome", _outcome(case))]
    if case.scene.baseline is not None:
        parts.append(("Paired baseline", _baseline(case, case.scene.baseline)))
    return article(case, (words(case.advisor), ", ", words(case.scenario), f", run {case.run}"), parts, case.takeaway)


def article(case: Case, title: Part, parts: Iterable[tuple[str, Part]], takeaway: str) -> Node:
    """Return a case as an article: its title and state, each part under its heading, the takeaway, the digests."""
    return el(
        "article",
        el("header",
           el("p", f"Case {case.number}", class_="kind"),
           el("h3", title),
           el("p", state_of(case.state), " ", MEANING[case.state])),
        ((el("h4", heading), part) for heading, part in parts),
        el("h4", "Takeaway"), el("p", brief(takeaway), class_="takeaway"),
        el("p", joined([el("span", f"{name} ", el("code", value)) for name, value in case.digests.items()], " "),
           class_="seals"),
        class_="case", id=f"case-{case.number}",
    )


# What was said


def dialogue(case: Case) -> Iterator[Node]:
    """Yield who said what: the frozen turns, each with the answer to it, then what else the advisor's words are.

    An answer is shown as it was sent; a text that was read out of it is shown apart, because findings point into it.
    """
    action = case.action or {}
    turns = [(f"/turns/{index}/message", said["turn"], said["message"])
             for index, said in enumerate(action.get("turns", ()))]
    for number, turn in enumerate(case.scene.dialogue, 1):
        yield _turn(turn)
        read = [(where, message) for where, answered, message in turns if answered == number]
        for said in case.answers:
            if said.turn == number and [message for _, message in read] != [said.text]:
                yield _sent(said)
        yield from (_said("Advisor under audit", where, message, case) for where, message in read)
    for said in case.answers:
        if said.turn is None:
            yield _sent(said)
    if not case.answers:
        yield el("p", "No answer is stored for this planned run.")
    for index, order in enumerate(action.get("orders", ())):
        if order.get("reason"):
            yield _said(f"Reason of order {index}", f"/orders/{index}/reason", order["reason"], case)
    if action.get("message"):
        yield _said("Message to the client", "/message", action["message"], case)
    for index, prose in enumerate(action.get("prose", ())):
        yield _said("Words around the answer", f"/prose/{index}", prose, case)


@lru_cache(maxsize=4096)
def _turn(turn: Turn) -> Node:
    name = "Client" if turn.speaker == "client" else "Advisor, as frozen in the scenario"
    return _speech(name, "", (Stretch(turn.text),), turn.speaker)


def _sent(said: Said) -> Node:
    aside = [part for part in (said.model, said.timestamp, said.finish_reason and f"ended by {said.finish_reason}",
                               "cut off" if said.truncated else None) if part]
    return _speech("Answer as sent", " · ".join(aside), (Stretch(said.text),), "sent")


def _said(speaker: str, where: str, text: str, case: Case) -> Node:
    here = [finding for finding in case.findings if finding.where == where]
    return _speech(speaker, where, marked(text, here), "audited")


def _speech(speaker: str, aside: str, parts: Sequence[Stretch], kind: str) -> Node:
    long = sum(len(part.text) for part in parts) > PRINTED_WHOLE
    return el("div", el("p", el("b", speaker), el("small", brief(aside, 300)) if aside else None),
              made("div", _passage(parts), class_="text long" if long else "text"), class_=f"speech {kind}")


def _passage(parts: Sequence[Stretch]) -> Iterator[Node | str]:
    """Yield a text with its spans marked, each named by its code where it ends; where it is cut, it says so."""
    done = 0
    for index, part in enumerate(parts):
        last = index + 1 == len(parts)
        shown = _cut(part.text, max(LONGEST_TEXT - done, AROUND * bool(index)), AROUND * (not last))
        if part.codes:
            ended = [code for code in part.codes if last or code not in parts[index + 1].codes]
            yield made("mark", [*shown, *(el("a", code, href=f"#clause-{code}") for code in ended)])
        else:
            yield from shown
        done += len(part.text)


def _cut(text: str, head: int, tail: int) -> Iterator[Node | str]:
    """Yield the first and the last characters of a text, and between them how many are left out."""
    gap = len(text) - head - tail
    if gap <= 0:
        yield from pieces(text, lines=True)
        return
    yield from pieces(text[:head], lines=True)
    yield el("em", f"[{gap:,} characters are not shown here; frozen_outputs/ in the run’s folder has them]")
    yield from pieces(text[len(text) - tail :], lines=True)


# What was found


def verdict_of(case: Case, rules: Mapping[str, Rule], waivers: Waivers) -> Part:
    """Return the state of every clause: those with findings one by one, the others by state."""
    if not case.clauses:
        where, what, remedy = case.fault or ("the answer", "no action could be read", "ask again")
        return el("p", "No clause was evaluated. At ", brief(where, 200), ": ", brief(what), "; ", brief(remedy), ".")
    found: dict[str, list[Finding]] = {}
    for finding in case.findings:
        found.setdefault(finding.code, []).append(finding)
    rows = [
        el("tr", el("th", code_link(code), scope="row"), el("td", CLAUSE_STATE[state], class_=state),
           el("td", _waived(waivers.get((case.key, code))), _evidence(found[code])))
        for code, state in case.clauses.items() if code in found
    ]
    for state in CLAUSE_STATES:
        rest = tuple((code, rules[code].name, case.scene.absent.get(code, ""))
                     for code, one in case.clauses.items() if one == state and code not in found)
        if rest:
            rows.append(_others(state, rest))
    heads = el("tr", (el("th", head, scope="col") for head in ("Clause", "State", "Evidence")))
    notes = [el("p", "The parser took a liberty at ", brief(where or "/", 200), ": ", brief(what, 300))
             for where, what in case.notes]
    return el("div", el("table", el("thead", heads), el("tbody", rows)), class_="scroll verdict"), notes


@lru_cache(maxsize=4096)
def _others(state: str, clauses: tuple[tuple[str, str, str], ...]) -> Node:
    """Return the row of the clauses in one state that have no finding: code, name, and what they lack."""
    said = [el("span", code_link(code), " ", name.rpartition(".")[2].replace("_", " "),
               f" (no {absent.rpartition('/')[2].replace('_', ' ')})" if absent else None)
            for code, name, absent in clauses]
    return el("tr", el("th", counted(len(clauses), "clause"), scope="row"), el("td", CLAUSE_STATE[state], class_=state),
              el("td", listed(said)))


def _waived(waiver: Mapping[str, Any] | None) -> Node | None:
    if waiver is None:
        return None
    by, reason, at, expires = (brief(str(waiver.get(name, "")), 300) for name in ("by", "reason", "at", "expires"))
    return el("p", el("b", "Waived, which is not passed,"), " by ", by, " on ", at, " until ", expires, ": ", reason)


def _evidence(findings: Sequence[Finding]) -> Iterator[Node]:
    for finding in findings[:OF_A_CLAUSE]:
        kind = "" if finding.kind == "violation" else f"{finding.kind.capitalize()}: "
        yield el("div", el("p", kind, brief(finding.sentence)),
                 el("p", el("small", "at ", words(finding.where or "/"), "; " if finding.arithmetic else None,
                            brief(finding.arithmetic))), class_="evidence")
    if len(findings) > OF_A_CLAUSE:
        more = counted(len(findings) - OF_A_CLAUSE, "finding")
        yield el("p", f"and {more} more of this clause; verdicts.jsonl has them")


def _outcome(case: Case) -> Part:
    if case.action is None:
        return el("p", "Nothing: no action could be read.")
    if not case.outcome:
        return el("p", "No order was asked for.")
    lead = "The orders may be executed as they stand:" if case.valid else "Asked for, and not to be executed:"
    return el("p", lead), el("ul", (el("li", brief(one, 300)) for one in case.outcome))


def _baseline(case: Case, baseline: Sequence[str]) -> Part:
    if baseline:
        share = f"Share of its names that this run buys: {case.agreement}."
        return (el("p", "On the same scenario the baseline places:"),
                el("ul", (el("li", words(one)) for one in baseline)),
                el("p", share) if case.agreement is not None else None)
    said = ("No action could be read from this run." if case.action is None else
            "This run places none either." if case.agreement == 1 else "This run places orders.")
    return el("p", "On the same scenario the baseline places no order. ", said)
