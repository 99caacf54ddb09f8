"""Manifests: sealed lists of files with their digests, and the documents that seal themselves.

The digest of a manifest is the SHA-256 of its canonical bytes without the member `digest`; the file is
exactly the canonical bytes plus one newline. Anything else, blanks included, is a difference.
"""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from scenarios.canonical import canonical_bytes, sha256
from scenarios.lexicon import Lexicon
from scenarios.types import Clause, Date, Name, Record, Sha256

MANIFEST_NAME = "manifest.json"


Id = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$")]
"""The id of a sealed document; it can be the name of a folder, and no path."""


class SealedFile(Record):
    """One file of a sealed folder: path relative to the manifest with forward slashes, size and digest."""

    path: Annotated[str, Field(max_length=400, pattern=r"^[A-Za-z0-9][A-Za-z0-9._+-]*(/[A-Za-z0-9][A-Za-z0-9._+-]*)*$")]
    bytes: Annotated[int, Field(ge=0)]
    sha256: Sha256


def _by_path(files: tuple[SealedFile, ...]) -> tuple[SealedFile, ...]:
    paths = [file.path for file in files]
    if paths != sorted(set(paths)):
        raise ValueError("files stand in order of path, each once")
    return files


Files = Annotated[tuple[SealedFile, ...], Field(min_length=1), AfterValidator(_by_path)]


class Sealed(Record):
    """A record that carries its own digest."""

    format: Literal["manifest/1"] = "manifest/1"
    id: Id
    digest: Sha256 | None = None

    def compute_digest(self) -> str:
        """Return the SHA-256 of the canonical bytes without the member `digest`."""
        record = self.record()
        record.pop("digest", None)
        return sha256(canonical_bytes(record))

    def sealed_bytes(self) -> bytes:
        """Return the file's bytes: canonical, with the digest, and one newline."""
        record = self.record()
        record["digest"] = self.compute_digest()
        return canonical_bytes(record) + b"\n"


class Contract(Sealed):
    """The clauses that an action must satisfy, with parameters, authority and owner."""

    kind: Literal["contract"] = "contract"
    version: Name
    title: str = ""
    clauses: Annotated[tuple[Clause, ...], Field(min_length=1)]
    lexicons: tuple[Lexicon, ...] | None = None

    @model_validator(mode="after")
    def _lexicons_once(self) -> "Contract":
        entries = [entry.id for lexicon in self.lexicons or () for entry in lexicon.entries]
        if len(set(entries)) < len(entries):
            twice = next(name for name in entries if entries.count(name) > 1)
            raise ValueError(f"lexicons: entry {twice!r} stands twice; a finding names its entry by id")
        return self

    @model_validator(mode="after")
    def _codes_once(self) -> "Contract":
        codes = [clause.code for clause in self.clauses]
        twice = sorted({code for code in codes if codes.count(code) > 1})
        if twice:
            raise ValueError(f"clauses: {twice[0]} stands twice; list each clause once")
        return self


class Plan(Record):
    """What was to be asked: every scenario, `runs` times each, runs counted from 1."""

    scenarios: Annotated[tuple[Name, ...], Field(min_length=1)]
    runs: Annotated[int, Field(ge=1, le=10_000)]

    @model_validator(mode="after")
    def _scenarios_once(self) -> "Plan":
        if len(set(self.scenarios)) < len(self.scenarios):
            raise ValueError("scenarios: one stands twice; plan more runs instead")
        return self


class Reference(Record):
    """A sealed document named by id and digest."""

    id: Id
    digest: Sha256


class BankManifest(Sealed):
    """A bank: frozen scenarios, one file each, and what the baseline funds in them."""

    kind: Literal["bank"] = "bank"
    files: Files


class AnswersManifest(Sealed):
    """The frozen answers of one advisor to a bank, with the plan that they are scored over."""

    kind: Literal["answers"] = "answers"
    bank: Reference
    plan: Plan
    files: Files


class LabelsManifest(Sealed):
    """Labelled texts and episodes in two halves, with the contexts that they are said in."""

    kind: Literal["labels"] = "labels"
    files: Files


class RunManifest(Sealed):
    """A judged run: the inputs, the chain's root, the scores, and what decided them.

    sources: digest of the source that each clause rests on, by code. engine: digest of the source of parser,
    contract, scorers and log that wrote the run; release: the version that it came from. root: Merkle root
    of the lane heads of log.jsonl. verdicts: Merkle root of the lines of verdicts.jsonl, by which one verdict is
    shown to belong to the run. summary: the row of each advisor.
    """

    kind: Literal["run"] = "run"
    bank: Reference
    contract: Reference
    advisors: tuple[Reference, ...]
    parser: Name
    sources: dict[str, Sha256]
    engine: Sha256
    release: Name
    root: Sha256
    verdicts: Sha256
    summary: tuple[dict[str, Any], ...]
    files: Files


class Regime(Record):
    """A market-cycle interval: from its first day until the day on which the next one begins."""

    name: Name
    start: Date


class FunnelRow(Record):
    """What one rule decided: how many funds it took out and left, and how many rows or cells it touched."""

    rule: Name
    says: str
    out: Annotated[int, Field(ge=0)] = 0
    left: Annotated[int, Field(ge=0)]
    touched: Annotated[int, Field(ge=0)] | None = None


class SourceFile(Record):
    """A file that a trace was made of, by its name, which is no path."""

    name: Name
    bytes: Annotated[int, Field(ge=0)]
    sha256: Sha256


class TraceManifest(Sealed):
    """A market trace: a base day, its sessions, the fixed universe of funds, and how both were selected.

    made_by: what wrote it, with its version. options: what it was asked for. sources: what it was made of.
    sessions: trading days after the base day. counts: what the files hold, recomputed whenever they are read.
    """

    kind: Literal["trace"] = "trace"
    made_by: Name
    options: dict[str, str | int]
    sources: tuple[SourceFile, ...] = ()
    benchmark: Name
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")] = "CNY"
    base_day: Date
    last_day: Date
    sessions: Annotated[int, Field(ge=1)]
    funds: Annotated[int, Field(ge=1)]
    regimes: tuple[Regime, ...]
    funnel: tuple[FunnelRow, ...]
    counts: dict[str, int]
    files: Files

    @model_validator(mode="after")
    def _regimes_in_order(self) -> "TraceManifest":
        starts, names = [one.start for one in self.regimes], [one.name for one in self.regimes]
        if starts != sorted(set(starts)) or len(set(names)) < len(names):
            raise ValueError("regimes: list each name once, in order of its first day")
        return self


KINDS: dict[str, type[Sealed]] = {
    "contract": Contract, "bank": BankManifest, "answers": AnswersManifest, "labels": LabelsManifest,
    "run": RunManifest, "trace": TraceManifest,
}
