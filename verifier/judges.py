"""A model judge as a column beside the deterministic one: what it said, read strictly, and how far judges agree.

A judge's folder is a folder of answers that `audit collect --judge` wrote about a sealed run. Its text is one JSON
object with the five scores as whole numbers in range; anything else is malformed, counted and never guessed. A model
judge touches no verdict, no gate and no score of a run.
Source: seed paper 000, appendices L.7, M.8 and O.3, table 17.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import Field

from predicates.registry import Predicate
from replay.judging import HIGHEST
from scenarios.errors import AuditError, ReplayError
from scenarios.files import build, read_file, read_lines, read_record
from scenarios.json_exact import read_json
from scenarios.load import load_answers
from scenarios.manifest import RunManifest
from scenarios.types import Name, Record
from verifier.bank import bind_all, judge_answers
from verifier.conduct import POINTS, WEIGHTS, judge_run, rubric_of
from verifier.kappa import Correlation, kendall, pearson, quadratic_kappa
from verifier.opening import open_run
from verifier.rubric import DIMENSIONS

Key = tuple[str, str, int]
"""Advisor, scenario and run of an episode."""
Scores = Mapping[str, int]


class Label(Record):
    """One line of a file of labels: an episode, and the scores that somebody gave it; scores may be left out."""

    advisor: Name
    scenario: Name
    run: int = Field(ge=1)
    compliance: int | None = Field(default=None, ge=0, le=1)
    accuracy: int | None = Field(default=None, ge=0, le=2)
    personalization: int | None = Field(default=None, ge=0, le=2)
    logic: int | None = Field(default=None, ge=0, le=2)
    realism: int | None = Field(default=None, ge=0, le=2)


class JudgeColumn(NamedTuple):
    """What one judge said of the episodes. model, variant: empty for the deterministic judge and for labels.

    unreadable: answers that are not the object asked for. missing: episodes without an answer.
    """

    name: str
    model: str
    variant: str
    scores: dict[Key, Scores]
    unreadable: int = 0
    missing: int = 0


def read_scores(text: str) -> dict[str, int] | None:
    """Return the five scores of a judge's text; None where it is anything else than the object asked for."""
    try:
        value = read_json(text.encode(), "judge")
    except (AuditError, UnicodeEncodeError):
        return None
    if not isinstance(value, dict) or set(value) != set(HIGHEST):
        return None
    if any(type(value[name]) is not int or not 0 <= value[name] <= most for name, most in HIGHEST.items()):
        return None
    return {name: value[name] for name in DIMENSIONS}


def judged_column(
    path: Path, extra: Mapping[str, Predicate] | None = None
) -> tuple[JudgeColumn, RunManifest, dict[Key, int]]:
    """Return the deterministic judge's column of a sealed run, its manifest, and the characters that were said.

    Nothing stored is believed: the answers are judged again by the run's contract.

    Raises:
        SealError, ReplayError, ScenarioError: as `open_run`; or the run holds no episode that was judged.
    """
    run = open_run(path, extra)
    rubric = rubric_of(run.judge, run.bank)
    bounds = bind_all(run.judge, run.bank)
    scores: dict[Key, Scores] = {}
    characters: dict[Key, int] = {}
    for answers in run.advisors:
        for verdict, _ in judge_answers(bounds, answers, run.manifest.parser):
            judged = None if rubric is None else judge_run(answers.id, verdict, run.bank, rubric)
            if judged is not None and verdict.action is not None:
                key = (answers.id, verdict.scenario, verdict.run)
                scores[key] = judged.judgement.scores
                characters[key] = sum(len(said.message) for said in verdict.action.turns)
    if not scores:
        raise ReplayError(str(path), "holds no judged episode", "name a run of episodes under a conduct contract")
    return JudgeColumn("rules", "", "", scores), run.manifest, characters


def load_judge_column(path: Path, manifest: RunManifest, episodes: Sequence[Key]) -> JudgeColumn:
    """Return what a frozen model judge said of a run's episodes.

    Raises:
        SealError, ReplayError: the folder cannot be read, or is about another bank or other answers.
    """
    answers = load_answers(path)
    about: dict[str, Any] = json.loads(answers.files["advisor.json"])
    remedy = "name a folder that `audit collect --judge` wrote about these answers"
    if answers.bank != manifest.bank:
        raise ReplayError(str(path), f"judges bank {answers.bank.id} {answers.bank.digest[:12]}, not the run's", remedy)
    judged = {one["id"]: one["digest"] for one in about.get("configuration", {}).get("advisors", ())}
    for said in manifest.advisors:
        if judged.get(said.id, said.digest) != said.digest:
            raise ReplayError(str(path), f"judges other answers of {said.id} than the run's", remedy)
    scores: dict[Key, Scores] = {}
    unreadable = missing = 0
    for key in episodes:
        stored = answers.by_run.get((f"{key[0]}/{key[1]}", key[2]))
        if stored is None:
            missing += 1
            continue
        read = read_scores(stored[0].answer.text)
        if read is None:
            unreadable += 1
        else:
            scores[key] = read
    variant = about.get("configuration", {}).get("variant", "")
    return JudgeColumn(answers.id, str(about.get("model", "")), str(variant), scores, unreadable, missing)


def load_labels(path: Path) -> JudgeColumn:
    """Return a file of labels as a column.

    Raises:
        ReplayError, SealError: a line is unreadable, or the second one for an episode.
    """
    scores: dict[Key, Scores] = {}
    for number, line in read_lines(read_file(path), str(path)):
        where = f"{path} line {number}"
        label = build(Label, read_record(line, where), where)
        key = (label.advisor, label.scenario, label.run)
        if key in scores:
            raise ReplayError(where, f"labels {'/'.join(map(str, key))} again", "keep one label for each episode")
        scores[key] = {name: value for name in DIMENSIONS if (value := getattr(label, name)) is not None}
    return JudgeColumn("labels", "", "", scores)


class Agreement(NamedTuple):
    """Two judges side by side.

    kappa, counts: by dimension. content: r on S_Content over the common episodes. ranks: tau-b of the advisors' means.
    """

    left: str
    right: str
    kind: str
    kappa: dict[str, Fraction | None]
    counts: dict[str, int]
    content: Correlation | None
    ranks: Correlation | None


def agree(left: JudgeColumn, right: JudgeColumn) -> Agreement:
    """Return how far two judges agree over the episodes that both scored."""
    common = sorted(left.scores.keys() & right.scores.keys())
    kappa: dict[str, Fraction | None] = {}
    counts: dict[str, int] = {}
    for name in DIMENSIONS:
        pairs = [(left.scores[key][name], right.scores[key][name]) for key in common
                 if name in left.scores[key] and name in right.scores[key]]
        counts[name] = len(pairs)
        kappa[name] = quadratic_kappa([a for a, _ in pairs], [b for _, b in pairs])
    valued = [(key, a, b) for key in common
              if (a := content(left.scores[key])) is not None and (b := content(right.scores[key])) is not None]
    by_advisor: dict[str, list[tuple[Fraction, Fraction]]] = {}
    for (advisor, _, _), a, b in valued:
        by_advisor.setdefault(advisor, []).append((a, b))
    means = [(sum(a for a, _ in own) / Fraction(len(own)), sum(b for _, b in own) / Fraction(len(own)))
             for own in by_advisor.values()]
    return Agreement(
        left.name, right.name, _kind(left, right), kappa, counts,
        pearson([a for _, a, _ in valued], [b for _, _, b in valued]),
        kendall([a for a, _ in means], [b for _, b in means]),
    )


def agreements(columns: Sequence[JudgeColumn]) -> Iterator[Agreement]:
    """Yield the agreement of every two columns, in order."""
    return (agree(left, right) for left, right in combinations(columns, 2))


def length_correlation(column: JudgeColumn, characters: Mapping[Key, int]) -> tuple[Correlation | None, int]:
    """Return r of S_Content with the length of the advisor's words in characters, and over how many episodes."""
    valued = [(value, characters[key]) for key, scores in sorted(column.scores.items())
              if key in characters and (value := content(scores)) is not None]
    return pearson([value for value, _ in valued], [Fraction(length) for _, length in valued]), len(valued)


def content(scores: Scores) -> Fraction | None:
    """Return S_Content of one episode, 0 behind a redline; None where a score that it needs is left out."""
    if not {"compliance", "accuracy", "personalization"} <= scores.keys():
        return None
    return POINTS * scores["compliance"] * (
        WEIGHTS[0] * scores["accuracy"] + WEIGHTS[1] * scores["personalization"])


def _kind(left: JudgeColumn, right: JudgeColumn) -> str:
    if left.model and left.model == right.model:
        return "prompt variants" if left.variant != right.variant else "same judge"
    if left.model and right.model:
        return "two models"
    return "labels" if "labels" in (left.name, right.name) else "rules and model"
