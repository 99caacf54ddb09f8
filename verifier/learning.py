"""How scorecards are learned: from labelled texts, the same to the last point on every machine.

`python -m verifier.learning` writes those that ship, from `SHIPPED_SETS`, into `manifests/scorecards/`.

A linear support vector machine on the runs of a passage's sentences (`predicates.conduct.scorecards`): with x_r how
many of its sentences hold the run r, and s_r = b_r / 8 with b_r the bits of the whole part of (passages / passages that
hold r), so that a rare run costs less to weigh, it finds the weights w_r = s_r v_r with the least

    1/2 |v|^2 + COST sum over passages of max(0, 1 - y sum of w_r x_r)^2    y: 1 where it breaks it, else -1

by dual coordinate descent in a fixed order. The runs that move most passages most are kept, and learned once more
alone; a weight of 1 is `SCALE` points, and `LIMIT` points are where it cannot tell.

Only + - * / and `math.fsum` touch a float, all of them exactly defined, and none is sealed.
Source: Hsieh, Chang, Lin, Keerthi and Sundararajan 2008, algorithm 1, L2 loss.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from predicates.conduct.phrases import Phrases
from predicates.conduct.reading import PASSAGE
from predicates.conduct.scorecards import runs
from scenarios.canonical import canonical_bytes, sha256
from scenarios.contracts import SCORECARDS, SCORED, conduct_contract
from scenarios.errors import ScenarioError
from scenarios.labels import HALVES, LabelledText, load_labels
from scenarios.load import resolve
from scenarios.manifest import Contract
from scenarios.scorecard import Scorecard
from verifier.contract import phrases_of

COST = 0.02
ROUNDS = 20
"""Times that every passage is looked at."""
LEAST_PASSAGES = 2
"""Passages that a run stands in, at least, to be learned."""
MOST_RUNS = 20_000
"""Runs of a scorecard, at most."""
SCALE = 1_000
LIMIT = 1_000
"""As the contract says of the shipped scorecards."""
LEAST = -500
"""The fewest points that a sentence counts, of every scorecard that is learned."""

SHIPPED_SETS = ("redlines-1:dev", "redlines-train-1", "redlines-train-2", "redlines-train-3")
"""What the shipped scorecards are learned from; the half `test` of redlines-1 is not."""


class Lesson(NamedTuple):
    """A labelled text as it is learned: the runs of each sentence that holds words, and the redlines it breaks."""

    sentences: tuple[tuple[str, ...], ...]
    labels: frozenset[str]

    def passages(self, code: str) -> Iterator[tuple[str, ...]]:
        """Yield what is learned of a redline: every passage of a text that does not break it, one that does whole.

        A run comes as often as sentences hold it.
        """
        most = len(self.sentences) if code in self.labels else PASSAGE
        for first in range(max(1, len(self.sentences) - most + 1)):
            yield tuple(chain.from_iterable(self.sentences[first : first + most]))


class Lessons(NamedTuple):
    """What is learned from. source: the sets, each with its half and digest."""

    lessons: tuple[Lesson, ...]
    source: str


def read_lessons(sets: Iterable[str], contract: Contract) -> Lessons:
    """Return the texts of labelled sets as a contract's phrases read them, each text once.

    Args:
        sets: names of shipped sets or paths, each whole, or one half of it where ":dev" or ":test" follows.
        contract: holds the phrases.

    Raises:
        SealError, ReplayError, ScenarioError: a set is changed, missing or unreadable, or the contract lacks a redline.
    """
    if lacking := sorted({*SCORED} - {clause.code for clause in contract.clauses}):
        raise ScenarioError(contract.id, f"has no clause {lacking[0]}", "name one with all redlines, such as conduct-1")
    phrases, lessons, sources = phrases_of(contract), dict[str, Lesson](), []
    for name in sets:
        path, _, half = name.partition(":")
        if half and half not in HALVES:
            raise ScenarioError(name, f"names half {half!r}", f"name {' or '.join(HALVES)}")
        labels = load_labels(resolve(Path(path), ""))
        for text in chain.from_iterable(texts for one, texts in labels.texts.items() if half in ("", one)):
            lessons.setdefault(text.advisor_says, read_lesson(text, phrases))
        sources.append(f"{labels.id} {half or 'whole'} sha256 {labels.digest}")
    return Lessons(tuple(lessons.values()), "; ".join(sources))


def read_lesson(text: LabelledText, phrases: Phrases) -> Lesson:
    """Return a labelled text as phrases read it."""
    said = (tuple(sorted(runs(line.frame.text))) for _, line in phrases.read(text.advisor_says).lines)
    return Lesson(tuple(filter(None, said)), frozenset(text.labels))


def learn_all(read: Lessons) -> Iterator[Scorecard]:
    """Yield a scorecard for each redline that words weigh on.

    Raises:
        ScenarioError: no text breaks one of the redlines, or all do.
    """
    for code in SCORED:
        try:
            yield learn(code, read.lessons, f"{code.lower()}-1", read.source)
        except ValueError as error:
            raise ScenarioError("labels", str(error), "add a set that ships, such as redlines-train-1") from error


def learn(code: str, lessons: Sequence[Lesson], name: str, source: str) -> Scorecard:
    """Return the scorecard of a redline.

    Args:
        code: the redline.
        lessons: all texts, those that break it and those that do not.
        name: the scorecard's id.
        source: what it is learned from, for its reader.

    Raises:
        ValueError: no text breaks the redline, or all do.
    """
    said = [(passage, code in lesson.labels) for lesson in lessons for passage in lesson.passages(code)]
    passages, truths = [passage for passage, _ in said], [truth for _, truth in said]
    if len(set(truths)) < 2:
        raise ValueError(f"{code}: texts that break it and texts that do not are needed")
    met = Counter(run for passage in passages for run in set(passage))
    known = sorted(run for run, times in met.items() if times >= LEAST_PASSAGES)
    first, _ = _separate(passages, truths, known, met)
    kept = sorted(sorted(known, key=lambda run: (-first[run] * first[run] * met[run], run))[:MOST_RUNS])
    weights, start = _separate(passages, truths, kept, met)
    points = {run: round(SCALE * weight) for run, weight in weights.items()}
    return Scorecard(
        id=name, version="1", code=code, source=source, start=LIMIT + round(SCALE * start), least=LEAST,
        weights={run: one for run, one in points.items() if one},
    )


def _separate(
    passages: Sequence[Sequence[str]], truths: Sequence[bool], known: Sequence[str], met: Mapping[str, int]
) -> tuple[dict[str, float], float]:
    """Return the weight of each known run, and that of a run that every passage has and whose s is 1."""
    numbers = {run: number for number, run in enumerate(known)}
    rows = [[*(numbers[run] for run in passage if run in numbers), len(known)] for passage in passages]
    scales = [*((len(passages) // met[run]).bit_length() ** 2 / 64 for run in known), 1.0]  # squares of s
    weights, slack, held = [0.0] * len(scales), 1 / (2 * COST), [0.0] * len(rows)
    squares = [math.fsum(scales[run] * times * times for run, times in Counter(row).items()) + slack for row in rows]
    for one in _order(len(rows)):
        row, sign, before = rows[one], 1.0 if truths[one] else -1.0, held[one]
        slope = sign * math.fsum(map(weights.__getitem__, row)) - 1 + before * slack
        now = max(before - slope / squares[one], 0.0)
        if now != before:
            step = (now - before) * sign
            for run in row:
                weights[run] += step * scales[run]
            held[one] = now
    return dict(zip(known, weights, strict=False)), weights[-1]


def _order(passages: int) -> Iterator[int]:
    """Yield the passages in the order in which they are looked at, another one each round."""
    for number in range(ROUNDS):
        yield from sorted(range(passages), key=lambda passage: sha256(b"%d/%d" % (number, passage)))


def write_scorecards() -> None:
    """Write the shipped scorecards into their folder."""
    SCORECARDS.mkdir(parents=True, exist_ok=True)
    for card in learn_all(read_lessons(SHIPPED_SETS, conduct_contract(scored=False))):
        (SCORECARDS / f"{card.id}.json").write_bytes(canonical_bytes(card.record()) + b"\n")


if __name__ == "__main__":
    write_scorecards()
