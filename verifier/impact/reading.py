"""A sealed rollout opened for scoring: every file compared with its seal as it is read, one task at a time."""

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from typing import Any

import orjson

from replay.environments.fund_advice.population import Investor, Population, investors
from replay.environments.fund_advice.records import EXIT
from scenarios.errors import ReplayError
from scenarios.files import build
from scenarios.json_exact import read_json
from scenarios.load import SHIPPED
from scenarios.manifest import MANIFEST_NAME, Reference, RolloutManifest, TraceManifest
from scenarios.rollouts import RolloutConfig
from scenarios.sealed import SealedFolder, load_manifest
from scenarios.traces import Trace, load_trace
from verifier.impact.means import Weights
from verifier.impact.views import Advised, Arm, Consulted, Course
from verifier.verdict import COUNTS_AS_VALID, UNREADABLE

UNKNOWN_FUND = -2
"""The column of a fund that the trace does not know; no trade is in it."""

SEVERITY = {"COND04": 0.5}
"""Severity of a redline where it is not 1: manipulative marketing, R-D (decision d36)."""

_COLUMNS = (("nav_e8", "n"), ("flow_cents", "w"), ("action", "a"), ("fund", "f"), ("cents", "m"), ("pos_ratio_e4", "p"))
"""The columns of a course, each with its key in a day line."""


class Rollout:
    """A finished rollout, its manifest read; see `open_rollout`."""

    def __init__(self, folder: SealedFolder, manifest: RolloutManifest, trace: Trace) -> None:
        self.folder, self.manifest, self.trace = folder, manifest, trace
        self.path = folder.folder
        self.config = build(RolloutConfig, manifest.config, f"{folder.path}#/config")
        self.first, self.last = self.config.bounds(trace)

    @property
    def id(self) -> str:
        """The id of its manifest."""
        return self.manifest.id

    @property
    def digest(self) -> str:
        """The digest of its manifest."""
        return str(self.manifest.digest)

    @property
    def advisors(self) -> tuple[str, ...]:
        """The ids of its advisors."""
        return self.manifest.advisors

    @cached_property
    def population(self) -> Population:
        """The population that its investors belong to."""
        name = "inputs/population.json"
        where = str(self.path / name)
        return build(Population, read_json(self.folder.read(name), where), where)

    @cached_property
    def weights(self) -> Weights:
        """What each profile counts in population means."""
        return {str(profile): traits.count for profile, traits in self.population.profiles.items()}

    @cached_property
    def slices(self) -> dict[str, range]:
        """The sessions of the rollout in full, and of each regime within them."""
        whole = range(self.first, self.last + 1)
        inside = {name: range(max(one.start, whole.start), min(one.stop, whole.stop))
                  for name, one in self.trace.slices.items()}
        return {name: one for name, one in inside.items() if len(one)}

    def lanes(self, run: int) -> tuple[Investor, ...]:
        """Return the investors of a run, in order of lane."""
        return investors(self.population, self.config.seed, run, self.config.investors)

    def arm(self, advisor: str, run: int, window: int) -> Arm:
        """Return what happened under one advisor in one run.

        Args:
            advisor: its id.
            run: counted from 1.
            window: sessions within which the trigger of conditional advice must occur.

        Raises:
            SealError, ReplayError: a file differs from its seal, or a line does not fit its form.
        """
        task = f"tasks/{advisor}/{run}"
        courses = self._courses(f"{task}/days.jsonl", self.lanes(run))
        by_investor = {course.investor: course for course in courses}
        episodes, verdicts = (list(self._lines(f"{task}/{name}.jsonl")) for name in ("episodes", "verdicts"))
        if len(episodes) != len(verdicts):
            raise ReplayError(str(self.path / task), f"has {len(episodes)} episodes and {len(verdicts)} verdicts",
                              "find out what happened with `audit replay`")
        where = str(self.path / f"{task}/episodes.jsonl")
        consulted = []
        for number, (episode, verdict) in enumerate(zip(episodes, verdicts, strict=True), 1):
            with _Fitting(where, number):
                if verdict["scenario"] != episode["scenario"]:
                    raise ValueError("the verdict is of another consultation")
                consulted.append(self._consulted(episode, verdict, by_investor[episode["investor"]], window))
        consulted.sort(key=attrgetter("session"))  # a large population is logged in parts
        return Arm(advisor, run, courses, tuple(consulted))

    def _courses(self, name: str, lanes: Sequence[Investor]) -> tuple[Course, ...]:
        columns = [[array("q") for _ in _COLUMNS] for _ in lanes]
        exits: list[int | None] = [None] * len(lanes)
        keys = [key for _, key in _COLUMNS]
        due = [self.first] * len(lanes)
        for number, day in enumerate(self._lines(name), 1):
            if "h" in day:
                continue
            with _Fitting(str(self.path / name), number):
                lane = day["i"]
                if day["d"] != due[lane]:
                    raise ValueError(f"session {due[lane]} of investor {lane} is missing")
                due[lane] += 1
                for column, key in zip(columns[lane], keys, strict=True):
                    column.append(day[key])
                if day["x"] == EXIT:
                    exits[lane] = day["d"]
        if set(due) != {self.last + 1}:
            raise ReplayError(str(self.path / name), "ends before the last session", "restore the folder")
        return tuple(
            Course(one.id, one.profile, self.first, one.nav0_cents * 10**6,
                   **dict(zip((name for name, _ in _COLUMNS), kept, strict=True)), exit=left)
            for one, kept, left in zip(lanes, columns, exits, strict=True)
        )

    def _consulted(
        self, episode: Mapping[str, Any], verdict: Mapping[str, Any], course: Course, window: int
    ) -> Consulted:
        judgement = verdict.get("judgement")
        admissible = verdict["state"] in COUNTS_AS_VALID
        broken = [code for code, state in verdict["clauses"].items() if code.startswith("COND") and state == "FAIL"]
        severity = max((SEVERITY.get(code, 1.0) for code in broken), default=0.0)
        compliance, accuracy, personalization = None, None, None
        if judgement is not None:
            compliance, accuracy, personalization = (
                judgement[name] for name in ("compliance", "accuracy", "personalization")
            )
        elif verdict["state"] in UNREADABLE:  # something was said, and nobody can tell that it was compliant
            compliance, severity = 0, 1.0
        if self.config.gate_suitability and compliance and not admissible:
            compliance, severity = 0, 1.0
        session = int(episode["session"])
        advice = episode.get("advice")
        return Consulted(
            course.investor, session, compliance, accuracy, personalization, admissible, severity,
            None if advice is None else self._advised(advice, session, course, window),
            episode["satisfaction_e4"] / 10_000,
        )

    def _advised(self, advice: Mapping[str, Any], session: int, course: Course, window: int) -> Advised:
        """Return advice as it is scored: funds as columns, and the session in which its trigger occurs."""
        known = self.trace.fund_index
        funds = tuple(known.get(name, UNKNOWN_FUND) for name in advice.get("funds", ()))
        target = advice.get("target_ppm")
        trigger = advice.get("trigger")
        due: int | None = session
        if trigger is not None:
            measure, rises, level = trigger
            measured = self._measured(measure, session, course, funds)
            within = range(session, min(session + window, course.sessions.stop))
            sign = 1_000_000 if rises else -1_000_000
            due = next((day for day in within if sign * measured(day) >= level), None)
        return Advised(
            advice["direction"], funds, advice.get("amount_cents"), None if target is None else target // 100, due
        )

    def _measured(
        self, measure: str, session: int, course: Course, funds: Sequence[int]
    ) -> Callable[[int], Fraction]:
        """Return what a trigger looks at, by session: the account's drawdown, or a return from here."""
        if measure == "drawdown":
            return lambda day: drawdown(course, day)
        if measure == "index":
            levels = [one.index_e4 for one in self.trace.sessions]
        elif measure == "fund" and funds and funds[0] != UNKNOWN_FUND:
            levels = list(self.trace.funds[funds[0]].nav_e8)
        else:
            return lambda day: Fraction(0)  # of no fund that is known: it never occurs
        return lambda day: Fraction(levels[day] - levels[session], levels[session])

    def _lines(self, name: str) -> Iterator[dict[str, Any]]:
        where = str(self.path / name)
        for number, line in enumerate(self.folder.read(name).splitlines(), 1):
            with _Fitting(where, number):
                record: dict[str, Any] = orjson.loads(line)
            yield record


class _Fitting:
    """Turns what a line of another form raises into an error with its place."""

    def __init__(self, where: str, number: int) -> None:
        self.where, self.number = where, number

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, (KeyError, IndexError, TypeError, ValueError)):
            raise ReplayError(f"{self.where} line {self.number}", f"does not fit its form ({error!r})",
                              "find out what happened with `audit replay`") from error


def drawdown(course: Course, session: int) -> Fraction:
    """Return the account's flow-adjusted loss from its peak at a session's close, its index in whole 1e-12."""
    index = peak = 10**12
    before = course.nav0_e8
    for nav, flow in zip(course.nav_e8[: session - course.first + 1], course.flow_cents, strict=False):
        if before > 0:
            index = index * (nav - flow * 10**6) // before
        peak, before = max(peak, index), nav
    return Fraction(peak - index, peak)


def open_rollout(path: Path, trace: Path | None = None) -> Rollout:
    """Return a finished rollout.

    Args:
        path: its folder or manifest.
        trace: the trace that it ran on; by default the shipped one of its digest.

    Raises:
        ReplayError, SealError: it is no rollout, a file is missing or differs from its seal, or the trace is not at
            hand or another one.
    """
    folder = SealedFolder(path)
    manifest = folder.manifest
    if not isinstance(manifest, RolloutManifest):
        raise ReplayError(str(path), "is no rollout", "name the folder of a rollout that `audit rollout` wrote")
    return Rollout(folder, manifest, find_trace(manifest.trace, trace))


def find_trace(wanted: Reference, path: Path | None = None) -> Trace:
    """Return the trace of this digest: the one at a path, or the shipped one.

    Raises:
        ReplayError: the one at the path is another, or none of this digest ships.
        SealError: it differs from its seal.
    """
    if path is None:
        for place in sorted((SHIPPED / "traces").glob(f"*/{MANIFEST_NAME}")):
            shipped = load_manifest(place)
            if isinstance(shipped, TraceManifest) and shipped.digest == wanted.digest:
                return load_trace(place)
        raise ReplayError(f"trace {wanted.id}", f"is not among the shipped ones (sha256 {wanted.digest})",
                          "name its folder with --trace")
    trace = load_trace(path)
    if trace.digest != wanted.digest:
        raise ReplayError(str(path), f"is trace {trace.id} {trace.digest}, the rollout ran on {wanted.id} "
                          f"{wanted.digest}", "name the folder of that one")
    return trace
