"""Scorecards: what words weigh for one redline, where no phrase says it or a phrase says too much.

A contract carries its scorecards whole, as it does its lexicons, so one digest covers every weight. How they are
learned is `verifier.learning`; what they come to in a text is `predicates.conduct.weighing`.
"""

from typing import Annotated, Literal

from pydantic import Field

from scenarios.canonical import digest
from scenarios.types import Name, Record

Points = Annotated[int, Field(ge=-1_000_000, le=1_000_000)]
Run = Annotated[str, Field(min_length=1, max_length=120)]


class Scorecard(Record):
    """The points of a redline.

    id: what a finding names. code: the clause of the redline. source: what they were learned from. start: what every
    passage begins with. least: the fewest that a sentence counts, so that no number of fair words undoes others.
    weights: points by run of one to three words, blanks between them; a Chinese character is a word, and 00 any number.
    """

    format: Literal["scorecard/1"] = "scorecard/1"
    id: Name
    version: Name
    code: Name
    source: Annotated[str, Field(min_length=1)]
    start: Points
    least: Annotated[int, Field(ge=-1_000_000, le=0)]
    weights: Annotated[dict[Run, Points], Field(min_length=1)]

    def compute_digest(self) -> str:
        """Return the SHA-256 of the canonical bytes."""
        return digest(self.record())
