"""Manifests: sealed lists of files with their digests, and the documents that seal themselves.

The digest of a manifest is the SHA-256 of its canonical bytes without the member `digest`; the file is
exactly the canonical bytes plus one newline. Anything else, blanks included, is a difference.
"""

from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from scenarios.canonical import canonical_bytes, sha256
from scenarios.fields import Decimal, Rate
from scenarios.lexicon import Lexicon
from scenarios.scorecard import Scorecard
from scenarios.targets import TargetRows
from scenarios.theta import Settings
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
    scorecards: tuple[Scorecard, ...] | None = None

    @model_validator(mode="after")
    def _lexicons_once(self) -> "Contract":
        entries = [entry.id for lexicon in self.lexicons or () for entry in lexicon.entries]
        if len(set(entries)) < len(entries):
            twice = next(name for name in entries if entries.count(name) > 1)
            raise ValueError(f"lexicons: entry {twice!r} stands twice; a finding names its entry by id")
        return self

    @model_validator(mode="after")
    def _scorecards_once(self) -> "Contract":
        codes = [card.code for card in self.scorecards or ()]
        twice = sorted({code for code in codes if codes.count(code) > 1})
        if twice:
            raise ValueError(f"scorecards: {twice[0]} has two; words weigh on one scorecard of a clause")
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


class Theta(Settings, Sealed):
    """θ, the configuration of the simulated investors' minds; its digest is in every run."""

    kind: Literal["theta"] = "theta"


class Targets(TargetRows, Sealed):
    """What a real cohort did, as aggregates that a simulation is compared with and calibrated to."""

    kind: Literal["targets"] = "targets"


class RolloutTask(Record):
    """One advisor in one run: how many investor-days and consultations it made."""

    advisor: Id
    run: Annotated[int, Field(ge=1)]
    days: Annotated[int, Field(ge=1)]
    episodes: Annotated[int, Field(ge=0)]


class RolloutManifest(Sealed):
    """A finished rollout: its inputs by digest, what decided it, and the root of every investor's chain.

    config: as `scenarios.rollouts.RolloutConfig` writes it. trace: lies outside, named by digest. population, theta and
    contract lie in inputs/. root: Merkle root of the lane heads, by lane. verdicts: Merkle root of the verdict lines,
    by task. phrasebooks: digest of each file of words that clients and rule advisors speak from. sources, engine,
    release: as in a run.
    """

    kind: Literal["rollout"] = "rollout"
    config: dict[str, Any]
    trace: Reference
    theta: Reference
    population: Sha256
    contract: Reference
    advisors: Annotated[tuple[Id, ...], Field(min_length=1)]
    tasks: Annotated[tuple[RolloutTask, ...], Field(min_length=1)]
    phrasebooks: dict[Name, Sha256]
    sources: dict[str, Sha256]
    engine: Sha256
    release: Name
    root: Sha256
    verdicts: Sha256
    files: Files


Unit = Annotated[Decimal, Field(gt=0)]


class ScoresConfig(Sealed):
    """Weights and units of the impact scores; each unit is the uplift that moves its score by one slope.

    Source: seed paper 000, appendix N; the weights are the paper's, the units decision d32. return_unit is a mean daily
    return, risk_unit a maximum drawdown, retention_unit and deposit_unit shares, duration_unit and windows sessions.
    """

    kind: Literal["scores-config"] = "scores-config"
    weight_investment: Rate = Fraction(7, 10)
    weight_business: Rate = Fraction(2, 10)
    weight_content: Rate = Fraction(1, 10)
    weight_return: Rate = Fraction(6, 10)
    weight_risk: Rate = Fraction(4, 10)
    weight_influence: Rate = Fraction(30, 100)
    weight_retention: Rate = Fraction(35, 100)
    weight_aum: Rate = Fraction(35, 100)
    weight_accuracy: Rate = Fraction(3, 10)
    weight_personalization: Rate = Fraction(7, 10)
    weight_match: Rate = Fraction(5, 10)
    weight_satisfaction: Rate = Fraction(5, 10)
    center: Rate = Fraction(50)
    slope: Rate = Fraction(50)
    aum_slope: Rate = Fraction(25)
    influence_slope: Rate = Fraction(100)
    return_unit: Unit = Fraction(1, 10_000)
    risk_unit: Unit = Fraction(5, 100)
    retention_unit: Unit = Fraction(20, 100)
    deposit_unit: Unit = Fraction(10, 100)
    duration_unit: Unit = Fraction(60)
    influence_unit: Unit = Fraction(1)
    match_window: Annotated[int, Field(ge=1)] = 5
    size_slack: Rate = Fraction(25, 100)
    aum_window: Annotated[int, Field(ge=1)] = 243
    retention_horizons: Annotated[tuple[int, ...], Field(min_length=1)] = (30, 90, 365)
    retention_scored: Annotated[int, Field(ge=1)] = 90

    @model_validator(mode="after")
    def _weights_add_up(self) -> "ScoresConfig":
        for name, weights in {
            "S_Total": (self.weight_investment, self.weight_business, self.weight_content),
            "S_I": (self.weight_return, self.weight_risk),
            "S_B": (self.weight_influence, self.weight_retention, self.weight_aum),
            "S_Content": (self.weight_accuracy, self.weight_personalization),
            "influence": (self.weight_match, self.weight_satisfaction),
        }.items():
            if sum(weights) != 1:
                raise ValueError(f"the weights of {name} add up to {sum(weights)}, not to 1")
        if self.retention_scored not in self.retention_horizons:
            raise ValueError("retention_scored is none of retention_horizons")
        return self


KINDS: dict[str, type[Sealed]] = {
    "contract": Contract, "bank": BankManifest, "answers": AnswersManifest, "labels": LabelsManifest,
    "run": RunManifest, "trace": TraceManifest, "theta": Theta,
    "targets": Targets,
    "scores-config": ScoresConfig, "rollout": RolloutManifest,
}
