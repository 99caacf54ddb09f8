"""A consultation of a rollout as what a judge knows: a frozen scenario, an answer for each turn, a verdict, records."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from replay.environments.fund_advice.advice import Advice
from replay.environments.fund_advice.facts import question_of
from replay.environments.fund_advice.loop import Episode
from scenarios.canonical import encode_exact, sha256
from scenarios.errors import ScenarioError
from scenarios.load import StoredAnswer
from scenarios.rollouts import RolloutConfig
from scenarios.traces import Trace
from scenarios.types import Answer, Scenario
from verifier.contract import Judge
from verifier.rubric import Rubric, judge_verdict
from verifier.verdict import UNREADABLE, Verdict

FAILED = "failed: "
"""What the finish reason of an answer begins with that never came."""


class JudgedEpisode(NamedTuple):
    """A consultation with its answers, its record and its verdict line."""

    record: dict[str, Any]
    answers: tuple[StoredAnswer, ...]
    verdict: Verdict
    line: bytes


class EpisodeJudge:
    """Turns consultations into scenarios and answers, and judges them.

    Args:
        judge: of the contract. trace: of the rollout. advisor: whose consultations they are. config: of the rollout.
    """

    def __init__(self, judge: Judge, trace: Trace, advisor: str, config: RolloutConfig) -> None:
        self.judged_by, self.trace, self.advisor = judge, trace, advisor
        self.rubric = Rubric.of(judge.contract)
        self.gate = gate_codes(judge, config)

    def scenario(self, episode: Episode) -> tuple[Scenario, str]:
        """Return the frozen question of a consultation and the digest of its record."""
        day = self.trace.sessions[episode.session].date
        name = f"{self.advisor}.{episode.run}.{episode.investor}.{day}"
        dialogue = [("client", turn.client, True) for turn in episode.turns]
        if episode.closing is not None:
            dialogue.append(("client", episode.closing, False))
        question = question_of(name, episode.facts, episode.units, dialogue, self.trace)
        return question.scenario, sha256(encode_exact(question.record, ascii_keys=True))

    def answers(self, episode: Episode, scenario: Scenario) -> tuple[StoredAnswer, ...]:
        """Return the advisor's answers, one for each turn; silence is an empty text, a failure says so."""
        found = []
        for number, turn in enumerate(episode.turns, 1):
            answer = Answer(
                scenario=scenario.id, run=episode.run, turn=number, text=turn.reply or "", model=self.advisor,
                prompt_sha256=sha256(turn.request), finish_reason=turn.failure and f"{FAILED}{turn.failure}",
            )
            found.append(StoredAnswer(answer, encode_exact(answer.record(), ascii_keys=True)))
        return tuple(found)

    def admits(self, episode: Episode) -> bool:
        """Return whether the last message of a consultation may reach the investor, after what reached it before.

        It may where it can be read, every clause ran, no redline fails, and it is suitable where that is asked.
        """
        reached = episode._replace(turns=[turn._replace(reply=turn.heard) for turn in episode.turns])
        scenario, named = self.scenario(reached)
        verdict = self.judged_by.bind(scenario, named).judge_run(episode.run, self.answers(reached, scenario))
        return verdict.state not in UNREADABLE and all(verdict.clauses[code] != "FAIL" for code in self.gate)

    def judge(self, episode: Episode) -> JudgedEpisode:
        """Return a consultation with its verdict, the judgement of its words within."""
        scenario, named = self.scenario(episode)
        answers = self.answers(episode, scenario)
        verdict, line = self.decide(scenario, answers, named)
        return JudgedEpisode(_episode_record(episode, named, answers), answers, verdict, line)

    def decide(
        self, scenario: Scenario, answers: Sequence[StoredAnswer], scenario_digest: str | None = None
    ) -> tuple[Verdict, bytes]:
        """Return the verdict on a consultation and its line, the judgement of its words within.

        Args:
            scenario: its frozen question.
            answers: one for each turn, at least one.
            scenario_digest: as `Judge.bind` takes it.
        """
        verdict = self.judged_by.bind(scenario, scenario_digest).judge_run(answers[0].answer.run, answers)
        judgement = None if self.rubric is None else judge_verdict(scenario, verdict, self.rubric)
        line = {**verdict.record(), "advisor": self.advisor}
        if judgement is not None:
            line["judgement"] = judgement.record()
        return verdict, encode_exact(line, ascii_keys=verdict.ascii_keys)


def _episode_record(episode: Episode, scenario: str, answers: Sequence[StoredAnswer]) -> dict[str, Any]:
    """Return the record of a consultation; scenario: its digest."""
    turns = []
    for turn, stored in zip(episode.turns, answers, strict=True):
        one: dict[str, Any] = {"client": turn.client, "request": stored.answer.prompt_sha256,
                               "answer": sha256(stored.line)}
        if turn.failure is not None:
            one["failure"] = turn.failure
        if turn.withheld:
            one["withheld"] = True
        turns.append(one)
    record: dict[str, Any] = {
        "scenario": answers[0].answer.scenario, "digest": scenario, "lane": episode.place,
        "investor": episode.investor, "session": episode.session, "language": episode.language,
        "facts": episode.facts, "units": episode.units, "turns": turns, "action": episode.action,
        "disagreement_e4": list(episode.disagreement_e4), "satisfaction_e4": episode.satisfaction_e4,
    }
    if episode.closing is not None:
        record["closing"] = episode.closing
    if episode.advice is not None:
        record["advice"] = _advice_record(episode.advice)
    return record


def _advice_record(advice: Advice) -> dict[str, Any]:
    members = {name: value for name, value in advice._asdict().items() if value is not None and value != ()}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in members.items()}


def gate_codes(judge: Judge, config: RolloutConfig) -> list[str]:
    """Return the clauses that a gated message must not violate.

    Raises:
        ScenarioError: the run is gated, and the contract has none of them.
    """
    redlines = [code for code in judge.predicates if code.startswith("COND")] if config.gate else []
    suitable = [code for code in judge.predicates if code == "SUIT01"] if config.gate_suitability else []
    if (config.gate and not redlines) or (config.gate_suitability and not suitable):
        raise ScenarioError(judge.contract.id, f"holds no clause {'COND..' if not redlines else 'SUIT01'} to gate by",
                            "name a contract with that clause, such as conduct-1, or start without the gate")
    return redlines + suitable
