"""The forms of the records that a run writes, and of a review's lines: actions, findings, verdicts, log records.

The hot path builds these records as plain dictionaries; the models here publish their form
(`docs/schema/`) and read them back. `python -m scenarios.records` writes the schemas.
"""

import json
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from scenarios.attestations import Attestation
from scenarios.labels import LabelledText
from scenarios.lexicon import Lexicon
from scenarios.manifest import (
    AnswersManifest,
    BankManifest,
    Contract,
    LabelsManifest,
    RolloutManifest,
    RunManifest,
    ScoresConfig,
    Targets,
    Theta,
    TraceManifest,
)
from scenarios.traces import Fund, Session
from scenarios.types import Answer, Name, Record, Scenario, Sha256

Exact = int | Annotated[str, Field(pattern=r"^-?[0-9]+/[0-9]+$")] | str | None
"""An exact number: an integer, or "numerator/denominator"; or a text or None where no number is compared."""

RunState = Literal["ERROR", "TRUNCATED", "MALFORMED", "INADMISSIBLE", "ABSTAINED", "ADMISSIBLE"]
ClauseState = Literal["PASS", "FAIL", "WAIVED", "NOT_APPLICABLE", "ERROR"]


class OrderRecord(Record):
    """One order of an action: sized in cents or in shares, or not sized."""

    instrument: str
    side: Literal["buy", "sell"]
    amount_cents: int | str | None = None
    shares: str | None = None
    confidence: str | None = None
    reason: str | None = None


class CitationRecord(Record):
    """A cited fact id, with what the answer states of it."""

    id: str
    value: str | None = None
    unit: str | None = None
    as_of: str | None = None


class SaidRecord(Record):
    """The advisor's words in one turn of an episode."""

    turn: Annotated[int, Field(ge=1)]
    message: str


class ActionRecord(Record):
    """The typed action whose digest goes into the verdict."""

    orders: tuple[OrderRecord, ...]
    citations: tuple[CitationRecord, ...] | None = None
    message: str | None = None
    prose: tuple[str, ...] | None = None
    turns: tuple[SaidRecord, ...] | None = None


class FindingRecord(Record):
    """What a clause found: left `op` right is the relation that must hold at `where`."""

    code: str
    kind: Literal["violation", "note", "error"]
    where: str
    left: Exact
    op: str
    right: Exact
    unit: str
    reads: tuple[str, ...]
    details: dict[str, Exact]


class NoteRecord(Record):
    """A liberty that the parser took."""

    where: str
    what: str


class FaultRecord(Record):
    """Why no action could be read."""

    where: str
    what: str
    remedy: str


class VerdictDigests(Record):
    """SHA-256 of what was judged."""

    scenario: Sha256
    contract: Sha256
    answer: Sha256 | None = None
    action: Sha256 | None = None


class VerdictRecord(Record):
    """One line of verdicts.jsonl."""

    advisor: Name
    scenario: Name
    run: Annotated[int, Field(ge=1)]
    state: RunState
    clauses: dict[str, ClauseState]
    digests: VerdictDigests
    findings: tuple[FindingRecord, ...] | None = None
    notes: tuple[NoteRecord, ...] | None = None
    fault: FaultRecord | None = None


class JudgedItem(Record):
    """What a score rests on: the criterion, the place with its span in code points, the words, the rule."""

    name: str
    where: str
    start: Annotated[int, Field(ge=0)] | None = None
    end: Annotated[int, Field(ge=0)] | None = None
    text: str
    rule: str


class JudgementRecord(Record):
    """One line of judgements.jsonl: the five scores of an episode, what limited them and what they rest on."""

    advisor: Name
    scenario: Name
    run: Annotated[int, Field(ge=1)]
    compliance: Annotated[int, Field(ge=0, le=1)]
    accuracy: Annotated[int, Field(ge=0, le=2)]
    personalization: Annotated[int, Field(ge=0, le=2)]
    logic: Annotated[int, Field(ge=0, le=2)]
    realism: Annotated[int, Field(ge=0, le=2)]
    limits: tuple[str, ...]
    items: tuple[JudgedItem, ...]


class LogRecord(Record):
    """One line of log.jsonl: a verdict's place in its lane."""

    lane: Name
    seq: Annotated[int, Field(ge=0)]
    previous: Sha256
    subject: Name
    verdict: Sha256


class InclusionProof(Record):
    """How a verdict's line, `index` of `size` from 0, leads to the root of all lines: its siblings, the lowest first.

    Source: RFC 6962, section 2.1.1, Merkle audit paths.
    """

    index: Annotated[int, Field(ge=0)]
    size: Annotated[int, Field(ge=1)]
    path: tuple[Sha256, ...]


class Certificate(Record):
    """One verdict with all that is needed to check it, and the manifest of the run that it belongs to.

    digest: SHA-256 of the canonical bytes without it. answers: as stored, in order of turn; none where one was
    missing. action: left out where none could be read. attestations: of the run, all of them.
    """

    format: Literal["certificate/1"] = "certificate/1"
    digest: Sha256
    manifest: RunManifest
    verdict: VerdictRecord
    proof: InclusionProof
    scenario: Scenario
    contract: Contract
    answers: tuple[Answer, ...]
    action: ActionRecord | None = None
    attestations: tuple[Attestation, ...]


class ReviewFinding(FindingRecord):
    """A finding in an export: its record, the sentence for a person and the arithmetic in words."""

    sentence: str
    arithmetic: str


class ReviewAnswer(Record):
    """What the advisor sent, untouched; turn as in Answer."""

    turn: Annotated[int, Field(ge=1)] | None = None
    text: str
    truncated: bool
    finish_reason: str | None = None
    model: str | None = None
    timestamp: str | None = None


class ReviewControl(Record):
    """A control of the firm that a clause answers."""

    control_id: str
    title: str


class ReviewRule(Record):
    """A clause of the contract: its manual page, its terms, the digest of its source, its runs by state."""

    code: str
    name: str
    text: str
    version: int
    severity: Literal["violation", "note"]
    authority: str
    owner: str
    parameters: dict[str, str]
    effective_from: str | None = None
    effective_to: str | None = None
    source: Sha256
    counts: dict[ClauseState, int]
    controls: tuple[ReviewControl, ...]


class ReviewAdvisor(Record):
    """Who was judged, with the scores of the run; about: advisor.json; asked: the scenarios in the plan."""

    id: Name
    digest: Sha256
    about: dict[str, Any]
    asked: int
    answers: int
    scores: dict[str, Any]


class ReviewFailure(Record):
    """Runs of one advisor in one category that failed a clause, or that could not be judged."""

    advisor: Name
    code: str
    state: Literal["FAIL", "ERROR", "WAIVED", "MALFORMED", "TRUNCATED"]
    category: Name
    runs: int
    findings: int


class ReviewRun(Record):
    """The first line of an export in JSON Lines: the run, by whose digest every line below names it."""

    kind: Literal["run"]
    format: Literal["review/1"]
    run: Name
    digest: Sha256
    attestations: Sha256 | None = None
    release: Name
    parser: Name
    as_of: str
    bank: dict[str, Any]
    contract: dict[str, Any]
    advisors: tuple[ReviewAdvisor, ...]
    rules: tuple[ReviewRule, ...]
    failures: tuple[ReviewFailure, ...]
    waivers: tuple[dict[str, Any], ...]
    decisions: tuple[dict[str, Any], ...]
    judgements: tuple[dict[str, Any], ...]
    thresholds: dict[str, Any] | None = None


class ReviewScenario(Record):
    """A line for each scenario: as frozen, what its baseline funds, and by clause the limit it does not declare."""

    kind: Literal["scenario"]
    run_digest: Sha256
    scenario: Scenario
    baseline: tuple[str, ...] | None = None
    absent: dict[str, str]


class ReviewCase(Record):
    """A line for each run of an advisor, in log order; number is its line in verdicts.jsonl."""

    kind: Literal["case"]
    run_digest: Sha256
    number: Annotated[int, Field(ge=1)]
    advisor: Name
    scenario: Name
    run: Annotated[int, Field(ge=1)]
    category: Name
    state: RunState
    valid: bool
    clauses: dict[str, ClauseState]
    findings: tuple[ReviewFinding, ...]
    notes: tuple[NoteRecord, ...]
    fault: FaultRecord | None = None
    action: ActionRecord | None = None
    answers: tuple[ReviewAnswer, ...]
    digests: VerdictDigests
    agreement: Exact = None
    takeaway: str


SCHEMAS: dict[str, type[Record]] = {
    "scenario": Scenario, "answer": Answer, "action": ActionRecord, "contract": Contract, "lexicon": Lexicon,
    "finding": FindingRecord, "verdict": VerdictRecord, "judgement": JudgementRecord, "log-record": LogRecord,
    "bank-manifest": BankManifest, "answers-manifest": AnswersManifest, "run-manifest": RunManifest,
    "attestation": Attestation, "labels-manifest": LabelsManifest, "labelled-text": LabelledText,
    "trace-manifest": TraceManifest, "rollout-manifest": RolloutManifest, "scores-config": ScoresConfig,
    "theta": Theta, "targets": Targets,
    "certificate": Certificate, "review-run": ReviewRun, "review-scenario": ReviewScenario, "review-case": ReviewCase,
    "trace-session": Session, "trace-fund": Fund,
}
"""The published schemas by name."""


def schema_text(name: str) -> str:
    """Return the text of docs/schema/NAME.json."""
    schema: dict[str, Any] = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **SCHEMAS[name].model_json_schema(mode="serialization"),
    }
    return json.dumps(schema, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def write_schemas(folder: Path) -> None:
    """Write every published schema into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in SCHEMAS:
        (folder / f"{name}.json").write_bytes(schema_text(name).encode())


if __name__ == "__main__":
    write_schemas(Path(__file__).parent.parent / "docs" / "schema")
