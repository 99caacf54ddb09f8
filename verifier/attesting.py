"""Adding statements to a run, and how its failing cases stand on a date."""

from pathlib import Path
from typing import Any, NamedTuple

from scenarios.attestations import (
    Attestation,
    Case,
    Decision,
    Waiver,
    in_force,
    load_attestations,
    next_attestation,
    waivers_by,
    write_attestation,
)
from scenarios.errors import ScenarioError, SealError
from scenarios.files import build, read_lines, read_record
from scenarios.manifest import RunManifest
from scenarios.records import VerdictRecord
from scenarios.sealed import SealedFolder


class Standing(NamedTuple):
    """How the violations of a run stand on a date, as (case, clause): each is in exactly one of the three."""

    failing: tuple[tuple[Case, str], ...]
    waived: tuple[tuple[Case, str], ...]
    expired: tuple[tuple[Case, str], ...]


def named_case(text: str) -> Case:
    """Return the case that ADVISOR/SCENARIO/RUN names.

    Raises:
        ScenarioError: the text has another form.
    """
    parts = text.split("/")
    if len(parts) != 3 or not all(parts) or not (parts[2].isascii() and parts[2].isdigit()) or int(parts[2]) < 1:
        raise ScenarioError("--case", f"found {text!r}", "write ADVISOR/SCENARIO/RUN, such as contract/cash-edge-01/1")
    return Case(parts[0], parts[1], int(parts[2]))


def attest(
    run: Path, statement: Waiver | Decision, by: str, at: str, key: Path | None = None
) -> tuple[Path, Attestation]:
    """Add a statement to a run and return (where it was written, what was written).

    Args:
        run: the run's folder or manifest; every file of it is compared with its seal first.
        statement: a waiver names a case in which its clause fails.
        by: who says so.
        at: the day on which it is said, as YYYY-MM-DD.
        key: a private Ed25519 key in PEM; None leaves the attestation unsigned.

    Raises:
        ReplayError, SealError: the run cannot be read or differs from its seal, or a member does not fit.
        ScenarioError: there is nothing to waive, or the key cannot be used.
    """
    folder = SealedFolder(run, RunManifest)
    contents = folder.contents()
    if isinstance(statement, Waiver):
        failing = _failing(contents["verdicts.jsonl"], str(folder.folder / "verdicts.jsonl"))
        if (statement.case, statement.clause) not in failing:
            known = [clause for case, clause in failing if case == statement.case]
            what = f"{statement.clause} does not fail in {statement.case}"
            said = f"failing there: {', '.join(known)}" if known else "nothing fails there, or there is no such case"
            raise ScenarioError(str(folder.folder), what, said)
    attestation = next_attestation(folder, statement, by, at)
    if key is not None:
        from verifier.signing import sign

        attestation = sign(attestation, key)
    return write_attestation(folder, attestation), attestation


def standing(run: Path, as_of: str) -> Standing:
    """Return how the violations of a run stand on a date (YYYY-MM-DD).

    Raises:
        ReplayError, SealError: the run or an attestation cannot be read or differs from its seal.
    """
    folder = SealedFolder(run, RunManifest)
    waivers = waivers_by(load_attestations(folder), as_of)
    found: dict[str, list[tuple[Case, str]]] = {"failing": [], "waived": [], "expired": []}
    for one in _failing(folder.read("verdicts.jsonl"), str(folder.folder / "verdicts.jsonl")):
        waiver = waivers.get(one)
        state = "failing" if waiver is None else "waived" if in_force(waiver, as_of) else "expired"
        found[state].append(one)
    return Standing(*(tuple(found[state]) for state in Standing._fields))


def check_attestations(folder: SealedFolder, key: Path | None = None) -> tuple[list[dict[str, Any]], list[SealError]]:
    """Return (the attestations of a run for reading, what is wrong with their chain or signatures).

    Args:
        folder: any sealed folder; only a run has attestations.
        key: an Ed25519 key in PEM that must have signed each of them; None accepts any key, and none.

    Raises:
        ScenarioError: there is a signature, or a key, and the extra `sign` is not installed.
    """
    if not isinstance(folder.manifest, RunManifest):
        return [], []
    try:
        attestations = load_attestations(folder)
    except SealError as error:
        return [], [error]
    faults = []
    expected = None
    if key is not None:
        from verifier.signing import public_key

        expected = public_key(key)
    for one in attestations:
        where = str(folder.folder / "attestations" / f"{one.number:03}.json#/signature")
        signer = None if one.signature is None else one.signature.public_key
        if expected is not None and signer != expected:
            what = f"is of key {signer}" if signer else "is missing"
            faults.append(SealError(where, what, f"expected one of {expected}"))
        if one.signature is not None:
            from verifier.signing import signature_holds

            if not signature_holds(one):
                faults.append(SealError(where, "was not made of this attestation by that key", "restore the file"))
    return [
        {"number": one.number, "statement": one.statement.kind, "by": one.by, "at": one.at, "digest": one.digest(),
         "public_key": None if one.signature is None else one.signature.public_key}
        for one in attestations
    ], faults


def _failing(raw: bytes, where: str) -> list[tuple[Case, str]]:
    """Return every (case, clause) whose stored state is FAIL, in log order."""
    failing = []
    for number, line in read_lines(raw, where):
        verdict = build(VerdictRecord, read_record(line, f"{where} line {number}"), f"{where} line {number}")
        case = Case(verdict.advisor, verdict.scenario, verdict.run)
        failing += [(case, code) for code, state in verdict.clauses.items() if state == "FAIL"]
    return failing
