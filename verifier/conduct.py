"""An advisor's conduct over the judged episodes of a run: the gate, and what its words are worth behind it.

    C          1 where every planned episode is compliant or silent, else 0; one redline disqualifies
    S_Acc      50 times the mean accuracy of the compliant episodes; S_Pers likewise
    S_Content  3/10 S_Acc + 7/10 S_Pers

Source: seed paper 000, section 3 and appendix N.3, equations 58 to 60; d3 and d30 of the fund-advice decisions.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from scenarios.canonical import encode_exact
from scenarios.exact import round_half_up
from scenarios.load import Bank
from verifier.contract import Judge
from verifier.rubric import Judgement, Rubric, judge_verdict
from verifier.verdict import UNREADABLE, Verdict

POINTS = 50
"""Points of one step of accuracy or personalisation."""
WEIGHTS = (Fraction(3, 10), Fraction(7, 10))
"""Weights of accuracy and personalisation in the content score."""


class JudgedEpisode(NamedTuple):
    """A judgement with the record line that stands in judgements.jsonl."""

    judgement: Judgement
    line: bytes


class Conduct(NamedTuple):
    """What the episodes of one advisor come to; means are None where nothing was judged.

    episodes: planned runs of episodes. silent: of them, those in which nothing was said. unreadable: those of
    which no action could be read. compliant: judged episodes without a redline.
    """

    episodes: int
    judged: int
    silent: int
    unreadable: int
    compliant: int
    accuracy: Fraction | None
    personalization: Fraction | None
    logic: Fraction | None
    realism: Fraction | None

    @property
    def gate(self) -> int:
        """C: 1 where every planned episode is compliant or silent, else 0."""
        return int(self.compliant + self.silent == self.episodes)

    @property
    def rate(self) -> Fraction | None:
        """Share of the judged episodes that are compliant."""
        return Fraction(self.compliant, self.judged) if self.judged else None

    @property
    def content(self) -> Fraction | None:
        """S_Content, in points of 100."""
        if self.accuracy is None or self.personalization is None:
            return None
        return POINTS * (WEIGHTS[0] * self.accuracy + WEIGHTS[1] * self.personalization)

    def record(self) -> dict[str, Any]:
        """Return the scores as they are stored, each exact and as printed."""
        means = {
            "rate": self.rate, "s_acc": _points(self.accuracy), "s_pers": _points(self.personalization),
            "s_content": self.content, "logic": self.logic, "realism": self.realism,
        }
        return {
            "episodes": self.episodes, "judged": self.judged, "silent": self.silent, "unreadable": self.unreadable,
            "compliant": self.compliant, "c": self.gate,
            **{name: None if value is None else {"exact": str(value), "printed": round_half_up(value, 2)}
               for name, value in means.items()},
        }


def rubric_of(judge: Judge, bank: Bank) -> Rubric | None:
    """Return the rubric that episodes are judged by; None where the bank has none or the contract judges no words."""
    if not any(code.startswith("COND") for code in judge.predicates):
        return None
    return Rubric.of(judge.contract) if any(one.reply_turns for one in bank.scenarios.values()) else None


def judge_run(advisor: str, verdict: Verdict, bank: Bank, rubric: Rubric) -> JudgedEpisode | None:
    """Return the judged episode of a verdict; None outside an episode, or where nothing was said that could be read."""
    scenario = bank.scenarios[verdict.scenario]
    if not scenario.reply_turns:
        return None
    judgement = judge_verdict(scenario, verdict, rubric)
    if judgement is None:
        return None
    record = {"advisor": advisor, "scenario": verdict.scenario, "run": verdict.run, **judgement.record()}
    return JudgedEpisode(judgement, encode_exact(record))


def conduct_of(verdicts: Iterable[Verdict], judgements: Sequence[Judgement]) -> Conduct:
    """Return the conduct of one advisor.

    Args:
        verdicts: of its planned runs of episodes.
        judgements: of those of them that were judged.
    """
    states = [verdict.state for verdict in verdicts]
    unreadable = sum(state in UNREADABLE for state in states)
    compliant = [one for one in judgements if one.compliance]
    return Conduct(
        len(states), len(judgements), len(states) - unreadable - len(judgements), unreadable, len(compliant),
        _mean([one.accuracy for one in compliant]), _mean([one.personalization for one in compliant]),
        _mean([one.logic for one in judgements]), _mean([one.realism for one in judgements]),
    )


COLUMNS = ("Advisor", "Episodes", "Judged", "C", "Compliant", "S_Acc", "S_Pers", "S_Content", "Logic", "Realism")
"""The head of the conduct table."""


def conduct_row(advisor: str, conduct: Conduct) -> tuple[str, ...]:
    """Return the row below `COLUMNS`, with 2 decimals, half up, "-" where undefined."""
    values = (conduct.rate, _points(conduct.accuracy), _points(conduct.personalization), conduct.content,
              conduct.logic, conduct.realism)
    return (advisor, str(conduct.episodes), str(conduct.judged), str(conduct.gate),
            *("-" if value is None else round_half_up(value, 2) for value in values))


def _points(mean: Fraction | None) -> Fraction | None:
    return None if mean is None else POINTS * mean


def _mean(values: Sequence[int]) -> Fraction | None:
    return Fraction(sum(values), len(values)) if values else None
