"""What people say of a finished run: waivers and decisions, chained to the digest of its manifest.

A run never changes. Whoever accepts, rejects or escalates it, or waives one clause in one case until a date,
adds a file `attestations/NNN.json` beside it; each names the digest of the one before it, the first that of the
run. So none can be changed, dropped from the middle or moved to another run; the digest of the last one stands
on every export, by which a dropped end is noticed. Waived is not passed: the verdict stays what it is.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field, model_validator

from scenarios.canonical import canonical_bytes, sha256
from scenarios.errors import ReplayError, SealError
from scenarios.files import build, parse_document, read_file, write_file
from scenarios.sealed import ATTESTATION, SealedFolder
from scenarios.types import Date, Name, Record, Sha256

FOLDER = "attestations"
MAX_ATTESTATIONS = 999
Text = Annotated[str, Field(min_length=1, max_length=4000)]


class Case(NamedTuple):
    """One judged run of a bank, as a person names it: ADVISOR/SCENARIO/RUN."""

    advisor: str
    scenario: str
    run: int

    def __str__(self) -> str:
        return f"{self.advisor}/{self.scenario}/{self.run}"


class Waiver(Record):
    """One clause is not held against one case, to the end of the day `expires`."""

    kind: Literal["waiver"] = "waiver"
    advisor: Name
    scenario: Name
    run: Annotated[int, Field(ge=1)]
    clause: Name
    reason: Text
    expires: Date

    @property
    def case(self) -> Case:
        """The case that is waived."""
        return Case(self.advisor, self.scenario, self.run)


class Decision(Record):
    """What was decided about the run as a whole."""

    kind: Literal["decision"] = "decision"
    decision: Literal["accept", "reject", "escalate"]
    note: Text


class Signature(Record):
    """An Ed25519 signature (RFC 8032) of the attestation's canonical bytes without it; key and value in hex."""

    algorithm: Literal["Ed25519"] = "Ed25519"
    public_key: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    value: Annotated[str, Field(pattern=r"^[0-9a-f]{128}$")]


class Attestation(Record):
    """One statement about a run, in its place in the chain.

    run: digest of the run's manifest. previous: digest of the attestation before it, of the first one the run's.
    """

    format: Literal["attestation/1"] = "attestation/1"
    number: Annotated[int, Field(ge=1, le=MAX_ATTESTATIONS)]
    run: Sha256
    previous: Sha256
    by: Text
    at: Date
    statement: Annotated[Waiver | Decision, Field(discriminator="kind")]
    signature: Signature | None = None

    @model_validator(mode="after")
    def _ends_after_it_begins(self) -> "Attestation":
        if isinstance(self.statement, Waiver) and self.statement.expires < self.at:
            raise ValueError("statement/expires lies before at, so it would never be in force")
        return self

    def signed_bytes(self) -> bytes:
        """Return what a signature is made of: the canonical bytes without it."""
        return canonical_bytes({name: value for name, value in self.record().items() if name != "signature"})

    def digest(self) -> str:
        """Return the SHA-256 of the canonical bytes, the signature included: what the next one names."""
        return sha256(canonical_bytes(self.record()))


def load_attestations(folder: SealedFolder) -> tuple[Attestation, ...]:
    """Return the attestations of a run in order, form and chain checked; signatures are checked by `audit verify`.

    Raises:
        ReplayError: one is unreadable or does not fit the form.
        SealError: a number is left out, one names another run or another predecessor, or is older than it.
    """
    place = folder.folder / FOLDER
    names = sorted(path.name for path in place.iterdir()) if place.is_dir() else []
    run = str(folder.manifest.digest)
    found: list[Attestation] = []
    for name in names:
        where = f"{place / name}"
        if not ATTESTATION(f"{FOLDER}/{name}"):
            raise SealError(where, "is no attestation", "remove it; attestations are named 001.json, 002.json, ...")
        raw = read_file(place / name)
        one = build(Attestation, parse_document(raw, where), where)
        if canonical_bytes(one.record()) + b"\n" != raw:
            raise SealError(where, "is not in its canonical form", "restore the file")
        if one.number != len(found) + 1 or name != f"{one.number:03}.json":
            raise SealError(where, f"is number {one.number}, expected {len(found) + 1}", "restore what is missing")
        expected = found[-1].digest() if found else run
        for member, said, right in (("run", one.run, run), ("previous", one.previous, expected)):
            if said != right:
                raise SealError(f"{where}#/{member}", f"says {said}, expected {right}",
                                "restore the file; an attestation belongs to one run and one place",
                                stored=said, found=right)
        if found and one.at < found[-1].at:
            raise SealError(f"{where}#/at", f"{one.at} lies before the one before it ({found[-1].at})", "restore it")
        found.append(one)
    return tuple(found)


def next_attestation(
    folder: SealedFolder, statement: Waiver | Decision, by: str, at: str
) -> Attestation:
    """Return the next attestation of a run, not signed and not written.

    Raises:
        ReplayError, SealError: as `load_attestations`; or a member does not fit, or `at` lies before the last one.
    """
    before = load_attestations(folder)
    if before and at < before[-1].at:
        raise ReplayError("--at", f"{at} lies before the last attestation ({before[-1].at})", "give the day it is made")
    members: dict[str, Any] = {
        "number": len(before) + 1, "run": str(folder.manifest.digest), "by": by, "at": at,
        "previous": before[-1].digest() if before else str(folder.manifest.digest), "statement": statement.record(),
    }
    return build(Attestation, members, f"{folder.folder / FOLDER}")


def write_attestation(folder: SealedFolder, attestation: Attestation) -> Path:
    """Write an attestation into its run's folder and return its path.

    Raises:
        ReplayError: it is there already, or cannot be written.
    """
    path = folder.folder / FOLDER / f"{attestation.number:03}.json"
    if path.exists():
        raise ReplayError(str(path), "exists", "somebody attested at the same time; look at it, then repeat")
    write_file(path, canonical_bytes(attestation.record()) + b"\n")
    return path


def chain_head(attestations: Sequence[Attestation]) -> str | None:
    """Return the digest of the last attestation, None where there is none."""
    return attestations[-1].digest() if attestations else None


def waivers_by(attestations: Sequence[Attestation], as_of: str) -> dict[tuple[Case, str], Attestation]:
    """Return by case and clause the last waiver that was made by a date; it may have expired (`in_force`)."""
    found: dict[tuple[Case, str], Attestation] = {}
    for one in attestations:
        if isinstance(one.statement, Waiver) and one.at <= as_of:
            found[one.statement.case, one.statement.clause] = one
    return found


def in_force(attestation: Attestation, as_of: str) -> bool:
    """Return whether a waiver holds on a date: from the day it was made to the day it expires, both included."""
    statement = attestation.statement
    return isinstance(statement, Waiver) and attestation.at <= as_of <= statement.expires
