"""JSON Lines, for systems: the run, then its scenarios, then one line a case, each line canonical JSON.

Texts stand as they were sent. `kind` says which of docs/schema/review-run.json, review-scenario.json and
review-case.json a line follows, and every line names the run by the digest of its manifest.
"""

from collections.abc import Iterator
from typing import Any

from scenarios.canonical import canonical_bytes
from scenarios.exact import exact_json
from scenarios.sealed import join_lines
from verifier.exports.review import Advisor, Case, Review, Rule, Scene
from verifier.thresholds import STEPS, Sheet


def lines_bytes(review: Review) -> bytes:
    """Return the file."""
    return join_lines(canonical_bytes(record) for record in records(review))


def records(review: Review) -> Iterator[dict[str, Any]]:
    """Yield every line as a record."""
    yield _run_record(review)
    scenes = {case.scenario: case.scene for case in review.cases}
    for name, scene in sorted(scenes.items()):
        yield {"run_digest": review.digest, **_scenario_record(review, name, scene)}
    for case in review.cases:
        yield {"run_digest": review.digest, **_case_record(case)}


def _run_record(review: Review) -> dict[str, Any]:
    contract = review.contract
    return _said({
        "kind": "run", "format": "review/1", "run": review.run_id, "digest": review.digest,
        "attestations": review.attestations_digest, "release": review.release, "parser": review.parser,
        "as_of": review.as_of,
        "bank": {"id": review.bank.id, "digest": review.bank.digest, "scenarios": len(review.bank.scenarios)},
        "contract": {"id": contract.id, "version": contract.version, "title": contract.title,
                     "digest": review.contract_digest},
        "advisors": [_advisor_record(one) for one in review.advisors],
        "rules": [_rule_record(rule) for rule in review.rules],
        "failures": [failure._asdict() for failure in review.failures],
        "waivers": list(review.waivers), "decisions": list(review.decisions),
        "judgements": list(review.judgements),
        "thresholds": None if review.thresholds is None else _sheet_record(review.thresholds),
    })


def _advisor_record(advisor: Advisor) -> dict[str, Any]:
    return {"id": advisor.id, "digest": advisor.digest, "about": advisor.record, "asked": advisor.asked,
            "answers": advisor.answers, "scores": advisor.scores.record()}


def _sheet_record(sheet: Sheet) -> dict[str, Any]:
    return {"verdicts": sheet.verdicts, "steps_percent": list(STEPS), "without_numbers": list(sheet.without),
            "numbers": [_said({**knob._asdict(), "dead": knob.dead}) for knob in sheet.knobs]}


def _rule_record(rule: Rule) -> dict[str, Any]:
    return _said({**rule._asdict(), "parameters": dict(rule.parameters),
                  "controls": [control._asdict() for control in rule.controls]})


def _scenario_record(review: Review, name: str, scene: Scene) -> dict[str, Any]:
    return _said({"kind": "scenario", "scenario": review.bank.scenarios[name].record(),
                  "baseline": scene.baseline, "absent": scene.absent})


def _case_record(case: Case) -> dict[str, Any]:
    return _said({
        "kind": "case", "number": case.number, "advisor": case.advisor, "scenario": case.scenario, "run": case.run,
        "category": case.category, "state": case.state, "valid": case.valid, "clauses": case.clauses,
        "findings": [{**one.record, "sentence": one.sentence, "arithmetic": one.arithmetic} for one in case.findings],
        "notes": [{"where": where, "what": what} for where, what in case.notes],
        "fault": None if case.fault is None else dict(zip(("where", "what", "remedy"), case.fault, strict=True)),
        "action": case.action, "answers": [_said(one._asdict()) for one in case.answers], "digests": case.digests,
        "agreement": exact_json(case.agreement), "takeaway": case.takeaway,
    })


def _said(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record without the members that are not stated."""
    return {name: value for name, value in record.items() if value is not None}
