"""Lexicons: versioned phrases with their sources, the data that the conduct clauses read words by.

A contract carries its lexicons whole, so one digest covers clauses, parameters and phrases, and a run replays
without another file. A firm adds phrases of its own as one more lexicon.
"""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from scenarios.canonical import digest
from scenarios.types import Name, Record


class Entry(Record):
    """One phrase.

    id: unique within the lexicon, and what a finding names. role: what a match means, such as "COND01" for a
    redline or "control.cap" for a risk control. phrase: in the syntax of `predicates.conduct.phrases`.
    source: where the phrase comes from.
    """

    id: Name
    role: Name
    language: Literal["en", "zh"]
    phrase: Annotated[str, Field(min_length=1, max_length=400)]
    source: Annotated[str, Field(min_length=1)]


class Lexicon(Record):
    """A versioned list of phrases.

    weighed: whether a phrase of a redline is weighed with the words around it where the contract has a scorecard for
    that redline; left out, a phrase that stands breaks the redline alone.
    """

    format: Literal["lexicon/1"] = "lexicon/1"
    id: Name
    version: Name
    weighed: Literal[True] | None = None
    entries: Annotated[tuple[Entry, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _ids_once(self) -> "Lexicon":
        ids = [entry.id for entry in self.entries]
        if len(set(ids)) < len(ids):
            twice = next(name for name in ids if ids.count(name) > 1)
            raise ValueError(f"entries: {twice!r} stands twice; a finding names its entry by id")
        return self

    @property
    def is_rubric(self) -> bool:
        """Whether its phrases serve the judge of episodes alone, so that no clause has to read by them."""
        return all(entry.role.startswith(("rubric.", "set.rubric-", "except.rubric.")) for entry in self.entries)

    def compute_digest(self) -> str:
        """Return the SHA-256 of the canonical bytes."""
        return digest(self.record())
