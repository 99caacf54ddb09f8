"""Whether words weigh enough to break a redline: points on its scorecard.

A passage is `PASSAGE` sentences in a row that hold words, or all of a shorter text. With w(r) the weight of a run r
(`predicates.conduct.scorecards`) its points are

    start + sum over its sentences of max(least, sum of w(r) over its runs) + phrase, if a phrase stands in it

and above `limit` it breaks the redline. So a phrase alone does not where the words around it speak against it, and
words may without any phrase. Source: scorecards as in credit scoring; the design is ours.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from predicates.conduct.reading import Match, Passage, Reading
from predicates.conduct.redline import Heard, read_audited
from predicates.conduct.scorecards import runs
from predicates.registry import Parameter, Params
from scenarios.action import Action
from scenarios.scorecard import Scorecard
from scenarios.types import Scenario

POINTS: Mapping[str, Parameter] = {"limit": 1_000, "phrase": 500}
"""The parameters of a redline that words weigh on, in points (house values)."""
WEIGHED = "weighed"
"""The scope of what no phrase says."""
MOST_NAMED = 6
"""Runs that a finding names with their weights."""


def weighed(code: str, scenario: Scenario, action: Action, params: Params, found: Iterable[Heard]) -> Iterator[Heard]:
    """Yield of the matches of a redline those that weigh enough, and then the passages that do so without a match.

    A match decides alone where the contract has no scorecard of the redline, or a phrase of a lexicon in it that is not
    weighed.

    Args:
        code: the redline.
        scenario: holds the dialogue.
        action: holds the audited words.
        params: phrases: the contract's, with its scorecards. limit: the most points of a passage. phrase: what a match
            adds.
        found: the matches that stand.
    """
    phrases, limit, phrase = (params[name] for name in ("phrases", "limit", "phrase"))
    place = phrases.scorecards.place(code)
    if place is None:
        yield from found
        return
    card = phrases.scorecards.card(place)
    named: dict[str, set[int]] = {}
    for one in found:
        around = [passage.points[place] for passage in one.reading.around(one.match.sentence)]
        points: int | None = card.start + phrase + max(around, default=0)  # a phrase of signs alone is in no passage
        if not phrases.deciding.isdisjoint(one.match.entry.split(" + ")):
            points = None
        if points is None or points > limit:
            named.setdefault(one.utterance.where, set()).add(one.match.sentence)
            yield one._replace(points=points, limit=limit)
    audited = read_audited(scenario, action, phrases)
    for index, (utterance, reading) in enumerate(audited):
        if not reading.heaviest or reading.heaviest[place] + card.start <= limit:
            continue
        for passage in _heavy(reading, place, limit - card.start, named.get(utterance.where, set())):
            later = [one for _, one in audited[index + 1 :]]
            yield Heard(utterance, reading, _match(reading, passage, place, card), later,
                        card.start + passage.points[place], limit, _heaviest(reading, passage, card))


def _heavy(reading: Reading, place: int, limit: int, named: set[int]) -> Iterator[Passage]:
    """Yield the passages above a limit that share no sentence with another one or with those that are named already."""
    for passage in reading.passages:
        if passage.points[place] > limit and named.isdisjoint(passage.sentences):
            yield passage
            named.update(passage.sentences)


def _match(reading: Reading, passage: Passage, place: int, card: Scorecard) -> Match:
    """Return what counts for a passage: from its first to its last sentence with points for it, blanks aside."""
    heavy = [number for number in passage.sentences if reading.lines[number][1].frame.points[place] > 0]
    first, last = (heavy or passage.sentences)[0], (heavy or passage.sentences)[-1]
    start = reading.sentences[first].start
    text = reading.text[start : reading.sentences[last].end].rstrip()
    return Match(card.id, card.code, start + len(text) - len(text.lstrip()), start + len(text), first, WEIGHED)


def _heaviest(reading: Reading, passage: Passage, card: Scorecard) -> str:
    """Return the runs of a passage that weigh most, with their points."""
    said = chain.from_iterable(runs(reading.lines[number][1].frame.text) for number in passage.sentences)
    heaviest = sorted(card.weights.keys() & set(said), key=lambda run: (-card.weights[run], run))[:MOST_NAMED]
    return ", ".join(f"{run} {card.weights[run]:+}" for run in heaviest)
