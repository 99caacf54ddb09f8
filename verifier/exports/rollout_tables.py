"""A rollout as tables and as lines: consultations and daily means in CSV, one consultation a line in JSON Lines.

The rules of `verifier.exports.csv` hold here too. JSON Lines are canonical JSON, texts as they were said, and every
line names the rollout by the digest of its manifest.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

from scenarios.canonical import encode_exact
from scenarios.exact import round_half_up
from scenarios.sealed import join_lines
from verifier.exports.csv import table_bytes
from verifier.exports.rollout import Day, Entry, RolloutReview, daily_means, executed, takeaway
from verifier.exports.tables import Cell, Column, Table

SCORES = ("compliance", "accuracy", "personalization", "logic", "realism")


CONSULTATIONS = (
    "number", "advisor", "run", "investor", "profile", "literacy", "tier", "day", "session", "regime", "language",
    "state", "failed", *SCORES, "action", "base_action", "satisfaction_e4", "nav", "base_nav", "cash", "base_cash",
    "pos_ratio_e4", "base_pos_ratio_e4", "answer_sha256", "scenario_sha256",
)
DAILY = ("advisor", "profile", "investors", "runs", "day", "mean_nav", "mean_pos_ratio", "buys", "sells", "holds",
         "consultations")


class Tables:
    """The files consultations.csv and daily.csv."""

    def __init__(self, review: RolloutReview) -> None:
        self.review = review
        self.rows: list[tuple[Cell, ...]] = []
        self.consulted: Counter[tuple[str, str, str]] = Counter()

    def add(self, entry: Entry) -> None:
        """Take the next consultation."""
        self.rows.append(_row(entry))
        self.consulted[entry.advisor, entry.investor.profile, entry.day] += 1

    def files(self) -> dict[str, bytes]:
        """Return both files."""
        daily = tuple(_daily(self.review, self.consulted))
        return {f"{name}.csv": table_bytes(Table(name, name, tuple(Column(head, 16) for head in heads), rows),
                                           self.review.digests)
                for name, heads, rows in (("consultations", CONSULTATIONS, tuple(self.rows)), ("daily", DAILY, daily))}


def _row(entry: Entry) -> tuple[Cell, ...]:
    one, own, base, investor = entry.consultation, entry.own, entry.base, entry.investor
    judged = entry.judgement or {}
    return (
        entry.number, entry.advisor, one.run, investor.id, investor.profile, investor.literacy, investor.tier,
        date.fromisoformat(entry.day), one.session, entry.regime, one.record["language"], entry.verdict.state,
        " ".join(entry.verdict.failed), *(judged.get(name) for name in SCORES), executed(own), base and executed(base),
        one.record["satisfaction_e4"], _nav(own), base and _nav(base), _money(own), base and _money(base),
        own.pos_ratio_e4, base and base.pos_ratio_e4, entry.verdict.digests.get("answer"),
        entry.verdict.digests["scenario"],
    )


def _nav(day: Day) -> Decimal:
    return Decimal(day.nav_e8).scaleb(-8)


def _money(day: Day) -> Decimal:
    return Decimal(day.cash_cents).scaleb(-2)


def _daily(review: RolloutReview, consulted: Counter[tuple[str, str, str]]) -> Iterator[tuple[Cell, ...]]:
    """Yield one row a profile and session: yuan with two decimals and the share with six, rounded half up."""
    rollout = review.rollout
    for advisor in rollout.advisors:
        for means in daily_means(review, advisor):
            for place, actions in enumerate(means.actions):
                day = rollout.trace.sessions[rollout.first + place].date
                yield (
                    advisor, means.profile, means.investors, rollout.config.runs, date.fromisoformat(day),
                    Decimal(round_half_up(means.nav_cents[place] / 100, 2)),
                    Decimal(round_half_up(Fraction(means.pos_ratio_e4[place], 10_000), 6)), *actions,
                    consulted[advisor, means.profile, day],
                )


class Lines:
    """The file consultations.jsonl."""

    def __init__(self, review: RolloutReview) -> None:
        self.review = review
        self.lines: list[bytes] = []

    def add(self, entry: Entry) -> None:
        """Take the next consultation."""
        self.lines.append(encode_exact(_record(self.review, entry)))

    def files(self) -> dict[str, bytes]:
        """Return the file."""
        return {"consultations.jsonl": join_lines(self.lines)}


def _record(review: RolloutReview, entry: Entry) -> dict[str, Any]:
    one, case = entry.consultation, review.case(entry)
    record = {
        "kind": "consultation", "rollout": review.rollout.digest, "number": entry.number, "advisor": entry.advisor,
        "run": one.run, "investor": entry.investor.id, "profile": entry.investor.profile, "day": entry.day,
        "session": one.session, "regime": entry.regime, "language": one.record["language"],
        "scenario": one.scenario.record(),
        "answers": [{"turn": said.answer.turn, "text": said.answer.text} for said in one.answers],
        "withheld": list(entry.withheld), "advice": one.record.get("advice"), "state": entry.verdict.state,
        "clauses": entry.verdict.clauses,
        "findings": [{**found.record, "sentence": found.sentence} for found in case.findings],
        "fault": None if entry.verdict.fault is None else entry.verdict.fault._asdict(),
        "judgement": entry.judgement, "satisfaction_e4": one.record["satisfaction_e4"],
        "executed": entry.own._asdict(), "baseline": None if entry.base is None else entry.base._asdict(),
        "digests": entry.verdict.digests, "takeaway": takeaway(entry, case),
    }
    return {name: value for name, value in record.items() if value is not None}
