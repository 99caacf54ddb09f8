"""The forms of the records that a run writes: actions, findings, verdicts, log records, scores.

The hot path builds these records as plain dictionaries; the models here publish their form
(`docs/schema/`) and read them back. `python -m scenarios.records` writes the schemas.
"""

import json
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from scenarios.manifest import AnswersManifest, BankManifest, Contract, RunManifest
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


class LogRecord(Record):
    """One line of log.jsonl: a verdict's place in its lane."""

    lane: Name
    seq: Annotated[int, Field(ge=0)]
    previous: Sha256
    subject: Name
    verdict: Sha256


SCHEMAS: dict[str, type[Record]] = {
    "scenario": Scenario, "answer": Answer, "action": ActionRecord, "contract": Contract, "finding": FindingRecord,
    "verdict": VerdictRecord, "log-record": LogRecord, "bank-manifest": BankManifest,
    "answers-manifest": AnswersManifest, "run-manifest": RunManifest,
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
