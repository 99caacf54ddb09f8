"""The deterministic judge of an episode: five scores by a rubric, each with the words that it rests on.

Compliance 0/1 gates accuracy 0/1/2 and personalisation 0/1/2 of the advisor; logic and realism 0/1/2 are of the
client. Redlines and hard conflicts are the clauses' (COND, FACT, LOGIC) and are not judged again. What else counts is
a phrase of a role "rubric...." (manifests/lexicons/rubric-1.json) or a number equal to one of the frozen context, and
every item is kept with its place.

    compliance       0 where a clause COND fails, and then accuracy = personalisation = 0
    accuracy         0 where a clause FACT fails, or nothing is advised and nothing stated;
                     2 where A1 no claim of the contract's fact clauses is left undecided or unsupported, A2 every
                     question of the client is answered and an uncertainty or trigger is named, and A3 the advice says
                     how much (a size or range) and when (a pace or trigger);
                     else 1
    personalisation  P1 to P4 hit where the item's value or name stands in the same sentence as an order, size, range,
                     pace or trigger. 2 where 3 of the available items hit (all, where fewer than 3 are available) and
                     an emotion of the client, if any, is recognised (P5) and met in the plan (P6);
                     0 where no item is spoken of at all and no emotion is met, or an emotion is dismissed;
                     else 1
    logic            0 where a clause LOGIC fails; 1 where the client is vague twice or more; else 2
    realism          2 where the client sounds like one person (R1), gives two preferences, constraints or trade-offs
                     (R2) and takes two steps (R3: asks, chooses, challenges); 0 where there is none of either, or half
                     of the turns are templates or repeated; at most 1 while a hard conflict stands unexplained;
                     else 1

A claim of the advisor that is undecided, or that no frozen field supports, limits accuracy to 1.
Source: seed paper 000, appendices L.4 to L.6 and M.4 to M.7.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from predicates.conduct.claims import UNDECIDED, UNSUPPORTED, CheckedClaim
from predicates.findings import Finding
from scenarios.action import Action
from scenarios.json_exact import replace_surrogates
from scenarios.types import Scenario
from verifier.rubric.episode import Episode, Item, Rubric, Sentence
from verifier.verdict import UNREADABLE, Verdict

__all__ = ["DIMENSIONS", "Item", "Judgement", "Rubric", "judge_episode", "judge_verdict"]

DIMENSIONS = ("compliance", "accuracy", "personalization", "logic", "realism")
BOUNDS = frozenset({"size", "range", "pace", "trigger"})
ANSWERS = ("plan", "uncertainty", "answer")
"""The families of roles that answer a question."""
ENOUGH = 3
"""P-items that a full score takes, where as many are available."""


class Judgement(NamedTuple):
    """The scores of one episode. limits: what kept a score down, "accuracy: ..."."""

    compliance: int
    accuracy: int
    personalization: int
    logic: int
    realism: int
    limits: tuple[str, ...]
    items: tuple[Item, ...]

    @property
    def scores(self) -> dict[str, int]:
        """The five scores by dimension."""
        return {name: getattr(self, name) for name in DIMENSIONS}

    def record(self) -> dict[str, Any]:
        """Return the judgement as it is written and hashed."""
        items = [
            {"name": name, "where": where, "text": text, "rule": rule} if start is None else
            {"name": name, "where": where, "start": start, "end": end, "text": text, "rule": rule}
            for name, where, start, end, text, rule in self.items
        ]
        return {**self.scores, "limits": list(self.limits), "items": items}


def judge_verdict(scenario: Scenario, verdict: Verdict, rubric: Rubric) -> Judgement | None:
    """Return the judgement that goes with a verdict; None where nothing was said, or it could not be decided."""
    action = verdict.action
    if action is None or action.abstained or verdict.state in UNREADABLE:
        return None
    return judge_episode(scenario, action, verdict.clauses, verdict.findings, rubric)


def judge_episode(
    scenario: Scenario, action: Action, states: Mapping[str, str], findings: Sequence[Finding], rubric: Rubric
) -> Judgement:
    """Return the five scores of one episode.

    Args:
        scenario: with its dialogue, client and consultation.
        action: the advisor's words, read.
        states: of the contract's clauses; a FAIL or WAIVED of COND, FACT and LOGIC decides.
        findings: of the same verdict.
        rubric: of the same contract.
    """
    episode = Episode(scenario, action, rubric)
    broken = {code for code, state in states.items() if state in ("FAIL", "WAIVED")}
    items = [_found(finding) for finding in findings
             if finding.kind == "violation" and finding.code.startswith(("COND", "FACT", "LOGIC"))]
    conflict = any(code.startswith("LOGIC") for code in broken)
    limits: list[str] = []
    logic = _logic(episode, conflict, items)
    realism = _realism(episode, conflict, items, limits)
    accuracy = _accuracy(episode, any(code.startswith("FACT") for code in broken), items, limits)
    personalization = _personalization(episode, items, limits)
    compliance = int(not any(code.startswith("COND") for code in broken))
    if not compliance:
        accuracy = personalization = 0
        limits.append("accuracy, personalization: 0 behind a redline")
    ordered = sorted(dict.fromkeys(items), key=lambda item: (item.name, item.where, item.start or 0, item.rule))
    return Judgement(compliance, accuracy, personalization, logic, realism, tuple(limits), tuple(ordered))


# The four graded scores


def _accuracy(episode: Episode, conflict: bool, items: list[Item], limits: list[str]) -> int:
    bounds: set[str] = {"size"} if episode.ordered else set()
    advised, uncertain = episode.ordered, False
    for sentence in episode.advisor:
        words = sentence.words
        for part in words.plan:
            kind = part.kind.removeprefix("plan.")
            bounds.add(kind)
            items.append(sentence.item(f"A3.{kind}", part))
        advised = advised or bool(words.of("plan"))
        for part in words.of("uncertainty"):
            uncertain = True
            items.append(sentence.item("A2.uncertainty", part))
    evasive = [sentence.item("A2.evasive", part) for sentence in episode.advisor
               for part in sentence.words.of("evasive")]
    items += evasive
    if conflict:
        limits.append("accuracy: 0 for a hard conflict with what is frozen")
        return 0
    unproven = [claim for claim in episode.claims if claim.state in (UNDECIDED, UNSUPPORTED)]
    items += [_claimed(claim) for claim in unproven]
    bounded = bounds & BOUNDS
    if (evasive and not bounded) or not (advised or any(map(episode.states, episode.advisor))):
        limits.append("accuracy: 0, nothing that could be acted on")
        return 0
    lacking = [
        (bounds & {"size", "range"}, "A3 says no size or range"),
        (bounds & {"pace", "trigger"}, "A3 says no pace or trigger"),
        (uncertain or "trigger" in bounds, "A2 names no uncertainty and no trigger"),
        (not _unanswered(episode), "A2 leaves a question open"),
        (not unproven, "A1 a claim is undecided or unsupported"),
    ]
    missing = [reason for holds, reason in lacking if not holds]
    limits += [f"accuracy: {reason}" for reason in missing]
    return 1 if missing else 2


def _unanswered(episode: Episode) -> bool:
    """Return whether a client's question got neither advice nor fact nor a question back."""
    asked = {sentence.utterance.turn for sentence in episode.client if sentence.words.asks}
    left = asked.intersection(episode.scenario.reply_turns)
    for sentence in episode.advisor:
        said = sentence.words.of
        if sentence.utterance.turn in left and (any(map(said, ANSWERS)) or episode.states(sentence)):
            left.remove(sentence.utterance.turn)
    return bool(left)


def _personalization(episode: Episode, items: list[Item], limits: list[str]) -> int:
    hits: set[str] = set()
    for sentence in episode.advisor:
        if sentence.words.plan:
            known = episode.known(sentence)
            hits.update([item.name for item in known])
            items += known
    met, dismissed = _emotion_met(episode, items)
    need = min(ENOUGH, len(episode.available))
    if dismissed or (need and not hits and not (episode.emotions and met) and not episode.is_personal):
        limits.append(f"personalization: 0, {'an emotion is dismissed' if dismissed else 'it would fit any client'}")
        return 0
    lacking = [
        (len(hits) >= need, f"{len(hits)} of {need} P-items stand with the advice"),
        (met, "P5 or P6: the client's emotion is not met"),
    ]
    missing = [reason for holds, reason in lacking if not holds]
    limits += [f"personalization: {reason}" for reason in missing]
    return 1 if missing else 2


def _emotion_met(episode: Episode, items: list[Item]) -> tuple[bool, bool]:
    """Return (no emotion, or P5 and P6 hold; whether an emotion is dismissed)."""
    emotions = episode.emotions
    items += emotions
    if not emotions:
        return True, False
    first = min(sentence.utterance.turn for sentence in episode.client
                if any(part.scope != "negated" for part in sentence.words.of("emotion")))
    recognised: list[Item] = []
    met: list[Item] = []
    dismissed: list[Item] = []
    for sentence in episode.advisor:
        if sentence.utterance.turn < first:
            continue
        words = sentence.words
        recognised += [sentence.item("P5", part) for part in words.of("recognize")]
        met += [sentence.item("P6", part) for part in words.of("support")]
        met += [sentence.item("P6", part) for part in words.plan if part.kind in ("plan.pace", "plan.trigger")]
        dismissed += [sentence.item("P6.dismiss", part) for part in words.of("dismiss")]
    items += recognised + met + dismissed
    return bool(recognised and met), bool(dismissed) and not (recognised and met)


def _logic(episode: Episode, conflict: bool, items: list[Item]) -> int:
    found = [sentence.item("L1.vague", part) for sentence in episode.client for part in sentence.words.of("vague")]
    items += found
    return 0 if conflict else 1 if len(found) > 1 else 2


def _realism(episode: Episode, conflict: bool, items: list[Item], limits: list[str]) -> int:
    wishes: list[Item] = []
    steps: list[Item] = []
    robotic: set[int] = set()
    texts: dict[str, int] = {}
    turns: dict[int, list[Sentence]] = {}
    for sentence in episode.client:
        turns.setdefault(sentence.utterance.turn, []).append(sentence)
    for turn, sentences in turns.items():
        said = " ".join([sentence.text.casefold() for sentence in sentences]).strip(" .!?\u3002\uff01\uff1f")
        if texts.setdefault(said, turn) != turn:
            robotic.update((turn, texts[said]))
        for sentence in sentences:
            words = sentence.words
            for part in words.of("robotic"):
                robotic.add(turn)
                items.append(sentence.item("R1.template", part))
            reached = 0
            for part in words.of("preference"):
                if part.start >= reached:
                    wishes.append(sentence.item(f"R2.{part.kind.removeprefix('preference.')}", part))
                    reached = part.end
            for part in words.of("progress")[:1]:
                steps.append(sentence.item("R3", part))
            if words.asks and not words.of("progress"):
                steps.append(sentence.stretch("R3", 0, len(sentence.text), "question"))
    concern = [item._replace(name="R2.concern") for item in episode.emotions[:1]]
    preferences = [*wishes, *concern]
    items += preferences + steps
    if 2 * len(robotic) >= max(1, len(turns)) or (not preferences and not steps):
        limits.append("realism: 0, a template, or nothing that helps to decide")
        return 0
    lacking = [
        (not conflict, "a hard conflict stands unexplained"), (not robotic, "R1 a template or repeated turn"),
        (len(preferences) >= 2, "R2 fewer than 2 preferences"), (len(steps) >= 2, "R3 fewer than 2 steps"),
    ]
    missing = [reason for holds, reason in lacking if not holds]
    limits += [f"realism: {reason}" for reason in missing]
    return 1 if missing else 2


# Evidence


def _found(finding: Finding) -> Item:
    details = finding.details
    start, end = details.get("start"), details.get("end")
    spanned = type(start) is int and type(end) is int
    return Item(finding.code, finding.where, start if spanned else None, end if spanned else None,
                str(details.get("text", "")), str(details.get("rule", finding.code)))


def _claimed(claim: CheckedClaim) -> Item:
    name = f"A1.{claim.state.lower()}"
    return Item(name, claim.utterance.where, claim.start, claim.end, replace_surrogates(claim.text), claim.entry)


