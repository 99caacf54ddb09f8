"""Sealed rollouts written by hand: what happened is planted, so that what is read can be compared."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from replay.environments.fund_advice.population import investors, shijian_27
from replay.environments.fund_advice.records import EXIT, NO_EVENT, Day
from scenarios.canonical import canonical_bytes
from scenarios.load import SHIPPED
from scenarios.manifest import MANIFEST_NAME, Reference, RolloutManifest, RolloutTask
from scenarios.rollouts import RolloutConfig
from scenarios.sealed import join_lines, seal_files
from scenarios.traces import load_trace

TRACE = load_trace(SHIPPED / "traces" / "small-1")
PEOPLE = ("conservative-low-small", "balanced-low-mid", "balanced-high-mid")
ZERO = "0" * 64

Growth = Mapping[int, Fraction]
"""NAV after a session over the one before, by session; 1 where it is not named."""


def a_talk(session: int, investor: str = PEOPLE[1], **members: Any) -> dict[str, Any]:
    """Return a consultation: judgement scores, state, clauses, advice, satisfaction_e4; run, where it is of one."""
    return {"session": session, "investor": investor, **members}


def write_rollout(
    folder: Path, arms: Mapping[str, Sequence[dict[str, Any]]], *, growth: Mapping[str, Growth] | None = None,
    exits: Mapping[str, int] | None = None, **options: Any,
) -> Path:
    """Write a sealed rollout of three investors on the shipped trace and return its folder.

    Args:
        folder: where.
        arms: consultations of each advisor, alike in every run unless they name one.
        growth: of NAV by advisor, alike for all investors.
        exits: the session in which all investors of an advisor leave.
        options: of the configuration.
    """
    config = RolloutConfig(investors=PEOPLE, **options)
    first, last = config.bounds(TRACE)
    files = {"inputs/population.json": canonical_bytes(shijian_27().record()) + b"\n"}
    tasks = []
    for advisor, talks in arms.items():
        for run in range(1, config.runs + 1):
            nav = [one.nav0_cents * 10**6 for one in investors(shijian_27(), config.seed, run, PEOPLE)]
            lines = []
            for session in range(first, last + 1):
                factor = (growth or {}).get(advisor, {}).get(session, Fraction(1))
                nav = [int(one * factor) for one in nav]
                event = EXIT if (exits or {}).get(advisor) == session else NO_EVENT
                lines += [
                    Day(2, 0, session, 0, -1, lane, 0, 0, worth, 0, (0, 0, 0, 0), 0, 0, 0, event).line()
                    for lane, worth in enumerate(nav)
                ]
                lines += [canonical_bytes({"d": session, "h": ZERO, "i": 0})] if session % 20 == 0 else []
            pairs = [_episode(advisor, run, talk) for talk in talks if talk.get("run", run) == run]
            task = f"tasks/{advisor}/{run}"
            files |= {
                f"{task}/days.jsonl": join_lines(lines),
                f"{task}/episodes.jsonl": join_lines(canonical_bytes(episode) for episode, _ in pairs),
                f"{task}/verdicts.jsonl": join_lines(canonical_bytes(verdict) for _, verdict in pairs),
            }
            days = len(PEOPLE) * (last + 1 - first)
            tasks.append(RolloutTask(advisor=advisor, run=run, days=days, episodes=len(pairs)))
    manifest = RolloutManifest(
        id="toy", config=config.record(), trace=TRACE.reference, theta=Reference(id="theta", digest=ZERO),
        population=ZERO, contract=Reference(id="conduct", digest=ZERO), advisors=tuple(arms), tasks=tuple(tasks),
        phrasebooks={"client-1": ZERO}, sources={"COND01": ZERO}, engine=ZERO, release="0", root=ZERO, verdicts=ZERO,
        files=seal_files(files),
    )
    for name, data in {**files, MANIFEST_NAME: manifest.sealed_bytes()}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def _episode(advisor: str, run: int, talk: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    name = f"{advisor}.{run}.{talk['investor']}.{talk['session']}"
    episode = {"scenario": name, "investor": talk["investor"], "session": talk["session"],
               "satisfaction_e4": talk.get("satisfaction_e4", 0)}
    if "advice" in talk:
        episode["advice"] = talk["advice"]
    verdict = {"scenario": name, "run": run, "state": talk.get("state", "ADMISSIBLE"),
               "clauses": talk.get("clauses", {"COND01": "PASS"})}
    if "scores" in talk:
        scores = zip(("compliance", "accuracy", "personalization"), talk["scores"], strict=True)
        verdict["judgement"] = dict(scores)
    return episode, verdict
