"""Judge frozen answers to a bank: verdicts, chained log, scores, and the sealed folder of the run.

A run is a pure function of bank, answers, contract, clause sources and parser; `recompute` is that
function, used alike to make a run and to replay one.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from predicates.sources import digest_of_source
from replay.log import Log
from replay.merkle import root_of
from scenarios.action import Action
from scenarios.baseline.deployment import scenario_bound
from scenarios.baseline.planner import funded, plan
from scenarios.canonical import canonical_bytes, encode_exact, sha256
from scenarios.load import Answers, Bank
from scenarios.manifest import MANIFEST_NAME, Reference, RunManifest
from scenarios.parsing import DEFAULT_PARSER
from scenarios.sealed import join_lines, seal_files
from verifier.conduct import JudgedEpisode, conduct_of, judge_run, rubric_of
from verifier.contract import BoundContract, Judge
from verifier.scores import RunView, Scores, Yardstick, score
from verifier.verdict import Verdict

RELEASE = version("advice-audit")


class JudgedRun(NamedTuple):
    """One verdict with its record line."""

    verdict: Verdict
    line: bytes


class Judged(NamedTuple):
    """Everything that follows from the inputs: verdicts by advisor, the log, the scores, judged episodes if any."""

    runs: dict[str, list[JudgedRun]]
    log: Log
    scores: tuple[Scores, ...]
    episodes: tuple[JudgedEpisode, ...] = ()


def bind_all(judge: Judge, bank: Bank) -> dict[str, BoundContract]:
    """Return the contract bound to every scenario of a bank."""
    return {name: judge.bind(scenario) for name, scenario in bank.scenarios.items()}


def judge_answers(
    bounds: Mapping[str, BoundContract], answers: Answers, parser: str = DEFAULT_PARSER
) -> Iterator[JudgedRun]:
    """Yield the verdict on every planned run, scenario by scenario; a run without an answer is ERROR."""
    for name in answers.plan.scenarios:
        bound = bounds[name]
        for run in range(1, answers.plan.runs + 1):
            verdict = bound.judge_run(run, answers.by_run.get((name, run), ()), parser)
            yield JudgedRun(verdict, encode_exact({**verdict.record(), "advisor": answers.id}))


def yardsticks(bank: Bank) -> dict[str, Yardstick]:
    """Return what each scenario is measured against: the baseline's funded set and the deployment bound.

    A scenario that names no baseline, as an episode may, is compared with none and asks for no sizes.
    """
    return {
        name: Yardstick(
            funded=frozenset(order.instrument for order in funded(scenario)) if scenario.policy else None,
            bound_cents=scenario_bound(scenario),
            amounts_required=scenario.policy is not None and scenario.limits.amounts_required,
        )
        for name, scenario in bank.scenarios.items()
    }


def resizer(bounds: Mapping[str, BoundContract]) -> Callable[[str, frozenset[str]], bool]:
    """Return whether the same names, re-sized by the baseline's planner, would be admissible."""

    def resized_is_valid(name: str, names: frozenset[str]) -> bool:
        bound = bounds[name]
        if not names <= bound.scenario.allowed:
            return False
        orders = plan(bound.scenario, sorted(names))
        state, _, _ = bound.decide(Action(orders))
        return state == "ADMISSIBLE"

    return resized_is_valid


def recompute(judge: Judge, bank: Bank, advisors: Sequence[Answers], parser: str = DEFAULT_PARSER) -> Judged:
    """Return verdicts, log and scores of these advisors on this bank, and the judgements of its episodes."""
    bounds = bind_all(judge, bank)
    measures = yardsticks(bank)
    resized = resizer(bounds)
    rubric = rubric_of(judge, bank)
    log = Log()
    runs: dict[str, list[JudgedRun]] = {}
    scores = []
    episodes: list[JudgedEpisode] = []
    for answers in advisors:
        judged = runs[answers.id] = []
        own: list[JudgedEpisode] = []
        for one in judge_answers(bounds, answers, parser):
            judged.append(one)
            verdict = one.verdict
            log.append(f"{answers.id}/{verdict.run}", {"subject": verdict.scenario, "verdict": sha256(one.line)})
            episode = None if rubric is None else judge_run(answers.id, verdict, bank, rubric)
            own += [] if episode is None else [episode]
        scored = score(answers.id, [RunView.of(one.verdict) for one in judged], measures, resized)
        if rubric is not None:
            asked = [one.verdict for one in judged if bank.scenarios[one.verdict.scenario].reply_turns]
            scored = scored._replace(conduct=conduct_of(asked, [episode.judgement for episode in own]))
        scores.append(scored)
        episodes += own
    return Judged(runs, log, tuple(scores), tuple(episodes))


def scores_bytes(scores: Sequence[Scores]) -> bytes:
    """Return scores.json."""
    return canonical_bytes({"format": "scores/1", "advisors": [one.record() for one in scores]}) + b"\n"


def verdict_bytes(judged: Judged) -> bytes:
    """Return verdicts.jsonl."""
    return join_lines(one.line for runs in judged.runs.values() for one in runs)


def judgement_bytes(judged: Judged) -> bytes:
    """Return judgements.jsonl."""
    return join_lines(one.line for one in judged.episodes)


def run_files(judge: Judge, bank: Bank, advisors: Sequence[Answers], judged: Judged) -> dict[str, bytes]:
    """Return every file of the run's folder, its inputs among them, so that the folder stands alone."""
    files = {f"inputs/bank/{name}": data for name, data in bank.files.items()}
    files["inputs/contract.json"] = judge.contract.sealed_bytes()
    for answers in advisors:
        files |= {f"frozen_outputs/{answers.id}/{name}": data for name, data in answers.files.items()}
    files["verdicts.jsonl"] = verdict_bytes(judged)
    files["log.jsonl"] = join_lines(judged.log.lines)
    files["scores.json"] = scores_bytes(judged.scores)
    if judged.episodes:
        files["judgements.jsonl"] = judgement_bytes(judged)
    return files


def run_manifest(
    judge: Judge, bank: Bank, advisors: Sequence[Answers], judged: Judged, parser: str, files: Mapping[str, bytes]
) -> RunManifest:
    """Return the sealed manifest of a run."""
    inputs = {
        "bank": bank.digest, "contract": judge.digest, "advisors": [answers.digest for answers in advisors],
        "parser": parser, "sources": judge.source_digests(), "engine": engine_digest(), "release": RELEASE,
    }
    return RunManifest(
        id=f"{bank.id}-{sha256(canonical_bytes(inputs))[:12]}",
        bank=bank.reference,
        contract=Reference(id=judge.contract.id, digest=judge.digest),
        advisors=tuple(Reference(id=answers.id, digest=answers.digest) for answers in advisors),
        parser=parser,
        sources=judge.source_digests(),
        engine=engine_digest(),
        release=RELEASE,
        root=judged.log.root(),
        verdicts=root_of(one.line for runs in judged.runs.values() for one in runs),
        summary=tuple(summary_of(one) for one in judged.scores),
        files=seal_files(files),
    )


def engine_digest() -> str:
    """Return the digest of the source of everything that makes a run of its inputs."""
    return digest_of_source(Path(__file__), ("predicates", "replay", "scenarios", "verifier"))


def summary_of(scores: Scores) -> dict[str, Any]:
    """Return the table's row of one advisor as it is sealed in the manifest: printed values only."""
    record = scores.record()
    return {name: record[name] for name in ("id", "runs", "states", "validity", "violations")}


def sealed_run(
    judge: Judge, bank: Bank, advisors: Sequence[Answers], parser: str
) -> tuple[RunManifest, Judged, dict[str, bytes]]:
    """Return (manifest, verdicts and scores, every file of the folder with the manifest)."""
    judged = recompute(judge, bank, advisors, parser)
    files = run_files(judge, bank, advisors, judged)
    manifest = run_manifest(judge, bank, advisors, judged, parser, files)
    return manifest, judged, {**files, MANIFEST_NAME: manifest.sealed_bytes()}
