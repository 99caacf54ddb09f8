"""Sub-agents in the place of the rule: a language model that is asked once, recorded, and replayed from then on.

A record is keyed by the digest of the bytes of the view that it answers, so a replay asks nobody and a view that was
never answered is an error. Source: seed paper 000, section 3.1 (instruction-following sub-agents), appendix C.1.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, NamedTuple, Protocol

import numpy as np
from pydantic import Field, model_validator

from scenarios.errors import ReplayError
from scenarios.files import build, read_lines, read_record
from scenarios.json_exact import read_json
from scenarios.theta import ONE, SIGNALS, Share, Signal
from scenarios.types import Record, Sha256

if TYPE_CHECKING:
    from replay.collect import Ask
    from replay.environments.fund_advice.types import Ints


class AgentView(NamedTuple):
    """All that one sub-agent goes by, in 1/10,000: evidence (lanes, 12), recall (lanes, 2), the others (lanes,).

    heard: the mean net wish of the drives to buy, which only the executive hears; 0 for a drive.
    """

    evidence: "Ints"
    recall: "Ints"
    affect: "Ints"
    belief: "Ints"
    trait: "Ints"
    perceived_risk: "Ints"
    confidence: "Ints"
    trust: "Ints"
    engagement: "Ints"
    rested: "Ints"
    heard: "Ints"


MEMBERS = (*SIGNALS, "recall_buy", "recall_ask", *AgentView._fields[2:])
"""The names of the integers of a view, in the order of its bytes."""


class Proposal(NamedTuple):
    """One sub-agent's proposals: q_e4 (lanes, 4), each row adds to 10,000; alpha_e4 and cites (lanes,)."""

    q_e4: "Ints"
    alpha_e4: "Ints"
    cites: "Ints"


class Agent(Protocol):
    """A sub-agent: one proposal a lane, a function of the view alone."""

    def propose(self, view: AgentView) -> Proposal:
        """Return the proposals.

        Raises:
            ReplayError: there is none for a view.
        """
        ...


class Proposed(Record):
    """A recorded proposal: of which sub-agent, to which view, and the reply as it was sent, if one was."""

    agent: str
    view: Sha256
    q_e4: tuple[Share, Share, Share, Share]
    alpha_e4: Share
    cites: Signal
    text: Annotated[str, Field(max_length=20_000)] = ""

    @model_validator(mode="after")
    def _adds_up(self) -> "Proposed":
        if sum(self.q_e4) != ONE:
            raise ValueError(f"q_e4: adds to {sum(self.q_e4)} instead of {ONE}")
        return self


class FrozenAgent:
    """Replays recorded proposals.

    Args:
        name: of the sub-agent.
        records: by digest of the view.
    """

    def __init__(self, name: str, records: Mapping[str, Proposed]) -> None:
        self.name = name
        self.records = records

    def propose(self, view: AgentView) -> Proposal:
        """Return the recorded proposals; a ReplayError names the view that has none."""
        found = []
        for digest in view_digests(self.name, view):
            if digest not in self.records:
                raise ReplayError(f"sub-agent {self.name}", f"has no recorded proposal for view {digest}",
                                  "record the run with the endpoint first, or replay it with the θ that it had")
            found.append(self.records[digest])
        return _stack(found)


class AskedAgent:
    """Asks an endpoint once for every new view and keeps what it said; records can be frozen as they stand.

    Args:
        name: of the sub-agent.
        ask: the endpoint, as `replay.collect.openai_endpoint` returns it.
        keep: called with each new record, to write it down.
        records: what was asked before.
    """

    def __init__(self, name: str, ask: "Ask", keep: Callable[[Proposed], None],
                 records: Iterable[Proposed] = ()) -> None:
        self.name = name
        self.ask = ask
        self.keep = keep
        self.records = {one.view: one for one in records}

    def propose(self, view: AgentView) -> Proposal:
        """Return the proposals, asking for those that are not recorded; a ReplayError quotes an unusable reply."""
        found = []
        for digest, row in zip(view_digests(self.name, view), view_rows(view), strict=True):
            if digest not in self.records:
                text = self.ask([("user", prompt_of(self.name, row.tolist()))], _SCHEMA, None).text
                self.records[digest] = self._read(text, digest)
                self.keep(self.records[digest])
            found.append(self.records[digest])
        return _stack(found)

    def _read(self, text: str, digest: str) -> Proposed:
        where = f"reply of sub-agent {self.name} to view {digest}"
        value = read_json(text.encode(), where)
        if not isinstance(value, dict):
            raise ReplayError(where, f"holds {type(value).__name__}, expected an object",
                              "ask a model that keeps the form")
        return build(Proposed, {**value, "agent": self.name, "view": digest, "text": text}, where)


def load_proposals(raw: bytes, where: str) -> dict[str, dict[str, Proposed]]:
    """Return recorded proposals by sub-agent and view from canonical lines.

    Raises:
        ReplayError, SealError: a line is cut, does not fit the form, or answers a view again.
    """
    found: dict[str, dict[str, Proposed]] = {}
    for number, line in read_lines(raw, where):
        place = f"{where} line {number}"
        one = build(Proposed, read_record(line, place), place)
        if one.view in found.setdefault(one.agent, {}):
            raise ReplayError(place, f"answers view {one.view} again", "keep one record for each view")
        found[one.agent][one.view] = one
    return found


def view_rows(view: AgentView) -> "Ints":
    """Return a view as one row of integers a lane, in the order of MEMBERS."""
    return np.concatenate([view.evidence, view.recall, np.stack(view[2:], axis=1)], axis=1)


def view_digests(name: str, view: AgentView) -> list[str]:
    """Return the digest of each lane's view: SHA-256 of the sub-agent's name and its integers, little-endian."""
    rows = np.ascontiguousarray(view_rows(view), dtype="<i8")
    return [hashlib.sha256(f"{name}\n".encode() + row.tobytes()).hexdigest() for row in rows]


def prompt_of(name: str, row: list[int]) -> str:
    """Return what a model is asked: its motive, what it sees in 1/10,000, and the form of the reply."""
    seen = "\n".join(f"{label}: {value}" for label, value in zip(MEMBERS, row, strict=True) if value)
    return (
        f"You are one voice in a retail fund investor's mind: {MOTIVES[name]}\n"
        f"Today, in ten-thousandths (10000 is the largest, below zero is the opposite):\n{seen}\n"
        "Reply with one JSON object and nothing else: q_e4, four whole numbers that add to 10000, your preference for "
        "buying, selling, holding and asking the advisor; alpha_e4, your confidence from 0 to 10000; cites, the one "
        f"of these signals that decided: {', '.join(SIGNALS)}."
    )


MOTIVES = {
    "sentinel": "it guards the capital and looks at losses, drawdown and turbulence.",
    "hedonist": "it wants gains and looks at rising markets and missed chances.",
    "socialite": "it wants to belong and looks at what the crowd and people around do.",
    "executive": "it weighs the other voices against the plan, the cash reserve and the risk budget.",
}
"""What moves each sub-agent, in words for a model."""

_SCHEMA = {
    "type": "object", "additionalProperties": False, "required": ["q_e4", "alpha_e4", "cites"],
    "properties": {
        "q_e4": {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": ONE}, "minItems": 4,
                 "maxItems": 4},
        "alpha_e4": {"type": "integer", "minimum": 0, "maximum": ONE},
        "cites": {"type": "string", "enum": list(SIGNALS)},
    },
}


def _stack(found: list[Proposed]) -> Proposal:
    return Proposal(
        np.array([one.q_e4 for one in found], dtype=np.int64),
        np.array([one.alpha_e4 for one in found], dtype=np.int64),
        np.array([SIGNALS.index(one.cites) for one in found], dtype=np.int64),
    )
