"""What the words of a sentence weigh on each scorecard of a contract.

A run is one to three words that follow each other in a sentence, punctuation aside; each run counts once a sentence.
The work is linear in the text.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from predicates.conduct.reading import FIGURE, NUMERAL, WORD
from scenarios.errors import ScenarioError
from scenarios.scorecard import Scorecard

_CHINESE = r"[\u3400-\u9fff]"
_WORDS = re.compile(rf"{WORD}|{NUMERAL}|{_CHINESE}")
_ONE = f"(?:{WORD}|{FIGURE}|{_CHINESE})"
_RUNS = re.compile(rf"{_ONE}(?: {_ONE}){{0,2}}(?:\|{_ONE}(?: {_ONE}){{0,2}})*+")


def runs(text: str) -> set[str]:
    """Return the runs of a sentence of normalised text with `FIGURE` for every numeral."""
    words = _WORDS.findall(text)
    pairs = list(map(" ".join, pairwise(words)))
    return {*words, *pairs, *map(" ".join, zip(pairs, words[2:], strict=False))}


class Scorecards:
    """The scorecards of a contract, compiled.

    Raises:
        ScenarioError: a weight's words are written as they never occur in a text, so that it would count for nothing.
    """

    def __init__(self, cards: Sequence[Scorecard]) -> None:
        self._places = {card.code: place for place, card in enumerate(cards)}
        self._cards = tuple(cards)
        self._least = tuple(card.least for card in cards)
        for card in cards:
            if not _RUNS.fullmatch("|".join(card.weights)):
                run = next((run for run in card.weights if not _RUNS.fullmatch(run)), "")
                raise ScenarioError(f"scorecard {card.id}", f"{run!r} is no run of one to three words",
                                    "write small letters, a blank between words, and 00 for a number")
        known = set[str]().union(*[card.weights for card in cards])
        self._points = {run: tuple([card.weights.get(run, 0) for card in cards]) for run in known}

    def place(self, code: str) -> int | None:
        """Return which of the scorecards a redline has, if it has one."""
        return self._places.get(code)

    def card(self, place: int) -> Scorecard:
        """Return a scorecard by its place."""
        return self._cards[place]

    def weigh(self, text: str) -> tuple[int, ...]:
        """Return the points of a sentence on each scorecard; () where it has no word or there is no scorecard."""
        found = runs(text) if self._cards else ()
        if not found:
            return ()
        rows = [self._points[run] for run in self._points.keys() & found]
        points = map(sum, zip(*rows, strict=True)) if rows else (0 for _ in self._cards)
        return tuple(max(least, one) for least, one in zip(self._least, points, strict=True))
