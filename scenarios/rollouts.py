"""The configuration of a rollout: what all its tasks share, and all that a replay needs beside the inputs."""

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, model_validator

from scenarios.errors import ScenarioError
from scenarios.types import Date, Name, Record

if TYPE_CHECKING:
    from scenarios.traces import Trace

ENVIRONMENT = "fund-advice"


class RolloutConfig(Record):
    """How a rollout runs.

    seed: of every draw. runs: replications, counted from 1. start, end: first and last day, within the trace; the whole
    of it by default. execution: fill at the NAV of the session after the decision, or of its own. max_turns and
    message_characters bound a consultation, alike for every advisor. languages: of the investors, in turn. flows:
    whether money is paid in and out. gate: a message that breaks a redline, or that cannot be judged, is withheld;
    gate_suitability adds product suitability to that gate. investors: only these members of the population; all by
    default.
    """

    environment: Literal["fund-advice"] = "fund-advice"
    seed: Annotated[int, Field(ge=0, lt=2**53)] = 1
    runs: Annotated[int, Field(ge=1, le=1000)] = 1
    start: Date | None = None
    end: Date | None = None
    execution: Literal["next_nav", "same_close"] = "next_nav"
    max_turns: Annotated[int, Field(ge=1, le=6)] = 3
    message_characters: Annotated[int, Field(ge=1, le=10_000)] = 600
    languages: Annotated[tuple[Literal["en", "zh"], ...], Field(min_length=1)] = ("en", "zh")
    flows: bool = True
    gate: bool = False
    gate_suitability: bool = False
    investors: tuple[Name, ...] | None = None

    @model_validator(mode="after")
    def _start_before_end(self) -> "RolloutConfig":
        if self.start and self.end and self.start > self.end:
            raise ValueError("start lies after end")
        return self

    def bounds(self, trace: "Trace") -> tuple[int, int]:
        """Return the first and the last session of the rollout in a trace.

        Raises:
            ScenarioError: no session of the trace lies within start and end.
        """
        inside = [
            number for number, session in enumerate(trace.sessions)
            if number and (self.start is None or session.date >= self.start)
            and (self.end is None or session.date <= self.end)
        ]
        if not inside:
            asked = " ".join(f"{word} {day}" for word, day in (("from", self.start), ("to", self.end)) if day)
            raise ScenarioError(f"trace {trace.id}", f"has no session {asked}",
                                f"choose days within {trace.sessions[1].date} to {trace.sessions[-1].date}")
        return inside[0], inside[-1]
