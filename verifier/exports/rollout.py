"""A sealed rollout as its reviewer sees it: every consultation judged anew, beside the matched day without the advisor.

Nothing stored is believed: every file is compared with its seal, each scenario is made again of the day's facts, and
each verdict made anew must be the stored line byte for byte. What investors did comes from the sealed day lines, which
`audit replay` makes anew from the draws. Consultations come one at a time, so that a long rollout fits into memory.
Source: seed paper 000, appendix P.1, table 18.
"""

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from replay.environments.fund_advice.population import Investor
from scenarios.errors import ReplayError, SealError
from scenarios.exact import decimal_text
from scenarios.manifest import Contract
from scenarios.sealed import load_contract
from verifier.consultations import Consultation, consultations
from verifier.contract import Judge
from verifier.episodes import EpisodeJudge
from verifier.explain import money
from verifier.exports.review import Case, Fields, Rule, case_of, kept_or_broken, rules_of, scene_of
from verifier.impact.config import load_config
from verifier.impact.reading import Rollout, open_rollout
from verifier.impact.report import Report, report
from verifier.rollouts import replayed_inputs
from verifier.verdict import Verdict

BASELINE = "no-advisor"
"""The advisor that every other is matched with."""

ACTIONS = ("BUY", "SELL", "HOLD")

SCORES = Path("fund-advice-scores-1")
"""The shipped weights and units of the impact scores."""


class Day(NamedTuple):
    """What one investor did in a session, and what was left after it; fund: "" without an order."""

    action: str
    fund: str
    cents: int
    fee_cents: int
    flow_cents: int
    nav_e8: int
    cash_cents: int
    pos_ratio_e4: int


class Entry(NamedTuple):
    """One consultation with its verdict.

    number: its place over all tasks, from 1. regime: the trace's, that of the session. judgement: the stored record of
    the deterministic judge, None where nothing was said. own, base: the day of the investor under the advisor and
    without one; base is None in the baseline's own arm, or where the rollout has none.
    """

    number: int
    consultation: Consultation
    verdict: Verdict
    investor: Investor
    day: str
    regime: str
    judgement: dict[str, Any] | None
    own: Day
    base: Day | None

    @property
    def advisor(self) -> str:
        """The advisor that was consulted."""
        return self.consultation.advisor

    @property
    def silent(self) -> bool:
        """Whether the advisor said nothing at all."""
        return not any(stored.answer.text for stored in self.consultation.answers)

    @property
    def advice(self) -> Fields:
        """What was read from the last reply as advice, empty where nothing was."""
        return tuple(_advice(self.consultation.record.get("advice", {})))

    @property
    def withheld(self) -> tuple[int, ...]:
        """The turns whose reply the gate kept from the investor."""
        return tuple(number for number, turn in enumerate(self.consultation.record["turns"], 1) if "withheld" in turn)


class Task(NamedTuple):
    """The day lines of one task, column by column: key of the line, then a place for each session and lane."""

    first: int
    lanes: int
    columns: Mapping[str, "array[int]"]

    def place(self, session: int, lane: int) -> int:
        """Return where a day lies in every column."""
        return (session - self.first) * self.lanes + lane


KEYS = ("a", "c", "e", "f", "m", "n", "p", "w")


class RolloutReview:
    """A sealed rollout, opened and compared with its seal; see `load_rollout_review`."""

    def __init__(self, rollout: Rollout, contract: Contract) -> None:
        self.rollout = rollout
        self.judge = Judge(contract)

    @property
    def digests(self) -> Fields:
        """What every page and row carries."""
        return (("Rollout manifest sha256", self.rollout.digest),)

    @property
    def advised(self) -> tuple[str, ...]:
        """The advisors but for the baseline."""
        return tuple(one for one in self.rollout.advisors if one != BASELINE)

    @cached_property
    def tasks(self) -> dict[tuple[str, int], Task]:
        """The day lines by advisor and run.

        Raises:
            ReplayError: a line does not fit its form.
        """
        return {(one.advisor, one.run): self._task(one.advisor, one.run) for one in self.rollout.manifest.tasks}

    def _task(self, advisor: str, run: int) -> Task:
        rollout = self.rollout
        lanes, name = len(rollout.lanes(run)), f"tasks/{advisor}/{run}/days.jsonl"
        sessions = rollout.last - rollout.first + 1
        columns = {key: array("q", bytes(8 * sessions * lanes)) for key in KEYS}
        for number, line in enumerate(rollout.folder.read(name).splitlines(), 1):
            try:
                day = orjson.loads(line)
                if "h" not in day:
                    place = (day["d"] - rollout.first) * lanes + day["i"]
                    for key, column in columns.items():
                        column[place] = day[key]
            except (KeyError, IndexError, TypeError, ValueError) as error:
                raise ReplayError(f"{rollout.path / name} line {number}", f"does not fit its form ({error!r})",
                                  "find out what happened with `audit replay`") from error
        return Task(rollout.first, lanes, columns)

    def entries(self) -> Iterator[Entry]:
        """Yield every consultation, judged anew, in order of the log.

        Raises:
            SealError: a scenario, an answer or a verdict is not the recorded one. ReplayError: a line is unreadable.
        """
        number = 0
        for task in self.rollout.manifest.tasks:
            advisor, run = task.advisor, task.run
            lanes = self.rollout.lanes(run)
            judging = EpisodeJudge(self.judge, self.rollout.trace, advisor, self.rollout.config)
            for one in consultations(self.rollout, advisor, run):
                number += 1
                verdict, line = judging.decide(one.scenario, one.answers)
                if line != one.line:
                    raise SealError(
                        f"{self.rollout.path}/tasks/{advisor}/{run}/verdicts.jsonl, {one.scenario.id}",
                        "is not what its scenario and answers give", "find out where with `audit replay`",
                    )
                lane = one.record["lane"]
                base = None if advisor == BASELINE else self.day(BASELINE, run, one.session, lane)
                own = self.day(advisor, run, one.session, lane)
                if own is None:
                    raise ReplayError(str(self.rollout.path), f"has no day of {one.scenario.id}", "restore the folder")
                session = self.rollout.trace.sessions[one.session]
                yield Entry(number, one, verdict, lanes[lane], session.date, session.regime or "",
                            orjson.loads(line).get("judgement"), own, base)

    def day(self, advisor: str, run: int, session: int, lane: int) -> Day | None:
        """Return what an investor did in a session, None where the rollout has no such task."""
        task = self.tasks.get((advisor, run))
        if task is None:
            return None
        a, c, e, f, m, n, p, w = (task.columns[key][task.place(session, lane)] for key in KEYS)
        return Day(ACTIONS[a], self.rollout.trace.funds[f].id if f >= 0 else "", m, e, w, n, c, p)

    def case(self, entry: Entry) -> Case:
        """Return a consultation as a case of the audit schema."""
        one = entry.consultation
        scene = scene_of(self.judge.bind(one.scenario))
        setup = (("Investor", entry.investor.id), ("Run", str(one.run)), ("Session", str(one.session)),
                 *((("Regime of the trace", entry.regime),) if entry.regime else ()))
        return case_of(self.judge, entry.number, one.advisor, scene._replace(setup=(*scene.setup, *setup)),
                       one.answers, entry.verdict, one.line)

    def found(self, entry: Entry) -> Iterator[tuple[str, str]]:
        """Yield what was found wrong: its code, and the words that it is about, or else its sentence."""
        for found in entry.verdict.findings:
            if found.kind != "note":
                words = found.details.get("text")
                yield found.code, f"“{words}”" if isinstance(words, str) else self.judge.sentence(found)

    def rules(self, counts: Mapping[tuple[str, str], int]) -> tuple[Rule, ...]:
        """Return the clauses of the contract; counts: consultations by code and state."""
        return tuple(rules_of(self.judge, counts, {}))

    @cached_property
    def scores(self) -> Report | None:
        """The impact scores against the baseline, None where the rollout has not both."""
        if BASELINE not in self.rollout.advisors or not self.advised:
            return None
        return report([self.rollout], load_config(SCORES), BASELINE, resamples=0)


def load_rollout_review(path: Path, trace: Path | None = None) -> RolloutReview:
    """Return a sealed rollout for its review.

    Args:
        path: its folder or manifest.
        trace: the trace that it ran on; by default the shipped one of its digest.

    Raises:
        SealError: a file differs from its seal, or the contract at hand is another one.
        ReplayError: a file is missing or unreadable, or the trace is not at hand.
    """
    rollout = open_rollout(path, trace)
    for name in rollout.folder.files:
        rollout.folder.read(name)
    manifest = rollout.manifest
    contract = load_contract(replayed_inputs(rollout.path, manifest, rollout.path).contract)
    found = Judge(contract).digest
    if found != manifest.contract.digest:
        raise SealError(str(path), f"was judged by contract {manifest.contract.id} {manifest.contract.digest}, the one "
                        f"at hand is {found}", "use the release that wrote the rollout")
    return RolloutReview(rollout, contract)


def takeaway(entry: Entry, case: Case) -> str:
    """Return what a consultation shows, in one sentence made of its states and of what was done."""
    if case.fault is not None:
        said = f"No words could be judged ({case.state}): at {case.fault[0]}, {case.fault[1]}"
    elif entry.silent:
        said = "Nobody answered"
    else:
        said = f"The advisor {kept_or_broken(case)}"
    if any(code.startswith("COND") for code in case.codes()):
        said += ", a redline, which disqualifies it"
    own, other = executed(entry.own), entry.base and executed(entry.base)
    if other is None:
        return f"{said}; the investor’s action is {own}."
    return f"{said}; the investor’s action is {own}, " + ("as it is without an advisor." if own == other else
                                                           f"which is {other} without an advisor.")


def executed(day: Day) -> str:
    """Return the one action of a day in words: "HOLD", "BUY 990006 16,000.00", "SELL 990006"."""
    return " ".join((day.action, *((day.fund,) if day.fund else ()), *((money(day.cents),) if day.cents else ())))


def nav_cents(nav_e8: int) -> Fraction:
    """Return a NAV of 1e-8 yuan in cents."""
    return Fraction(nav_e8, 10**6)


def percent_e4(share_e4: int) -> str:
    """Return a share in 1/10,000 in percent, exact."""
    return f"{decimal_text(Fraction(share_e4, 100))} %"


def _advice(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in record.items():
        if name == "direction":
            yield "Direction", ACTIONS[value]
        elif name.endswith("_cents"):
            yield name.removesuffix("_cents").capitalize(), money(value)
        elif name.endswith("_ppm"):
            yield name.removesuffix("_ppm").capitalize(), f"{decimal_text(Fraction(value, 10_000))} %"
        elif name.endswith("_days"):
            yield name.removesuffix("_days").capitalize(), f"{value} sessions"
        elif name != "funds":
            measure, rises, level = value
            shown = decimal_text(Fraction(level, 10_000))
            yield name.capitalize(), f"{measure} {'at or above' if rises else 'at or below'} {shown} %"
        else:
            yield name.capitalize(), ", ".join(value)


class Means(NamedTuple):
    """Means over the investors of one profile in all runs, one a session; counts are sums.

    nav_cents, pos_ratio_e4: exact means. actions: BUY, SELL, HOLD. consulted: consultations.
    """

    profile: str
    investors: int
    nav_cents: tuple[Fraction, ...]
    pos_ratio_e4: tuple[Fraction, ...]
    actions: tuple[tuple[int, int, int], ...]


def daily_means(review: RolloutReview, advisor: str) -> tuple[Means, ...]:
    """Return the means of an advisor by profile, in the population's order of profiles."""
    rollout = review.rollout
    runs = [one.run for one in rollout.manifest.tasks if one.advisor == advisor]
    members: dict[str, list[tuple[int, int]]] = {}
    for run in runs:
        for lane, investor in enumerate(rollout.lanes(run)):
            members.setdefault(investor.profile, []).append((run, lane))
    sessions = range(rollout.first, rollout.last + 1)
    found = []
    for profile, own in members.items():
        picked = [(review.tasks[advisor, run], lane) for run, lane in own]
        nav, ratio, actions = [], [], []
        for session in sessions:
            places = [(task.columns, task.place(session, lane)) for task, lane in picked]
            nav.append(Fraction(sum(columns["n"][at] for columns, at in places), 10**6 * len(places)))
            ratio.append(Fraction(sum(columns["p"][at] for columns, at in places), len(places)))
            done = Counter(columns["a"][at] for columns, at in places)
            actions.append((done[0], done[1], done[2]))
        found.append(Means(profile, len(own) // len(runs), tuple(nav), tuple(ratio), tuple(actions)))
    return tuple(found)
