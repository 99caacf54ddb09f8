"""The verdict on one run: its state, the state of each clause, the findings and the digests."""

from typing import Any, NamedTuple

from predicates.findings import Finding
from scenarios.action import Action
from scenarios.canonical import encode_exact, sha256
from scenarios.parsing import Fault, Note

STATES = ("ERROR", "TRUNCATED", "MALFORMED", "INADMISSIBLE", "ABSTAINED", "ADMISSIBLE")
"""The six run states, in order of precedence."""

COUNTS_AS_VALID = frozenset({"ADMISSIBLE", "ABSTAINED"})
UNREADABLE = frozenset({"ERROR", "TRUNCATED", "MALFORMED"})


class Verdict(NamedTuple):
    """One decided run.

    clauses: state of each clause of the contract: PASS, FAIL, WAIVED, NOT_APPLICABLE or ERROR; empty
    where no action could be read. notes: liberties that the parser took. fault: why no action could be
    read. digests: SHA-256 of scenario, contract and, where there is one, answer and action.
    """

    scenario: str
    run: int
    state: str
    clauses: dict[str, str]
    findings: tuple[Finding, ...]
    notes: tuple[Note, ...]
    fault: Fault | None
    digests: dict[str, str]
    action: Action | None

    @property
    def valid(self) -> bool:
        """Whether the run counts as valid: ADMISSIBLE or ABSTAINED."""
        return self.state in COUNTS_AS_VALID

    @property
    def failed(self) -> tuple[str, ...]:
        """The codes of the clauses that FAIL, in code order."""
        return tuple(code for code, state in self.clauses.items() if state == "FAIL")

    def record(self) -> dict[str, Any]:
        """Return the verdict as it is written and hashed."""
        record: dict[str, Any] = {
            "scenario": self.scenario, "run": self.run, "state": self.state, "clauses": self.clauses,
            "digests": self.digests,
        }
        if self.findings:
            record["findings"] = [finding.record() for finding in self.findings]
        if self.notes:
            record["notes"] = [note._asdict() for note in self.notes]
        if self.fault is not None:
            record["fault"] = self.fault._asdict()
        return record

    @property
    def ascii_keys(self) -> bool:
        """Whether every key of the record is ASCII: all are ours, but for those of the findings' details."""
        return all(name.isascii() for finding in self.findings for name in finding.details)

    def bytes(self) -> bytes:
        """Return the canonical bytes of the record."""
        return encode_exact(self.record(), ascii_keys=self.ascii_keys)

    def digest(self) -> str:
        """Return the SHA-256 of the canonical bytes of the record."""
        return sha256(self.bytes())
