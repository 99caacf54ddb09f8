"""What was said in a case, in order, with the spans that conduct findings point at.

A span's offsets count code points of the text at the finding's place in the action record; texts stay raw here.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from verifier.exports.review import Case, Finding


class Part(NamedTuple):
    """A stretch of a text, and the codes of the findings whose spans cover it."""

    text: str
    codes: tuple[str, ...] = ()


class Utterance(NamedTuple):
    """What one side said. speaker: "client" or "advisor"; turn: of the dialogue, None outside an episode."""

    speaker: str
    turn: int | None
    parts: tuple[Part, ...]


def conversation(case: Case) -> tuple[Utterance, ...]:
    """Return the dialogue as frozen with the audited advisor's words in their places.

    Where an action was read, its words are shown, by which it was judged, with the spans marked; where none
    was, the answers as they were sent.
    """
    said = list(_said(case))
    turns: list[Utterance] = []
    for number, turn in enumerate(case.scene.dialogue, 1):
        turns.append(Utterance(turn.speaker, number, (Part(turn.text),)))
        turns += [one for one in said if one.turn == number]
    return (*turns, *(one for one in said if one.turn is None))


def _said(case: Case) -> Iterator[Utterance]:
    if case.action is None:
        for one in case.answers:
            yield Utterance("advisor", one.turn, (Part(one.text),))
        return
    for where, turn, text in _texts(case.action):
        yield Utterance("advisor", turn, marked(text, [one for one in case.findings if one.where == where]))


def _texts(action: dict[str, Any]) -> Iterator[tuple[str, int | None, str]]:
    for index, said in enumerate(action.get("turns", ())):
        yield f"/turns/{index}/message", said["turn"], said["message"]
    if "message" in action:
        yield "/message", None, action["message"]
    for index, text in enumerate(action.get("prose", ())):
        yield f"/prose/{index}", None, text
    for index, order in enumerate(action["orders"]):
        if "reason" in order:
            yield f"/orders/{index}/reason", None, order["reason"]


def marked(text: str, findings: Sequence[Finding]) -> tuple[Part, ...]:
    """Return a text cut where spans begin and end; a finding without offsets marks nothing."""
    spans = sorted(
        (start, end, one.code) for one in findings
        for start, end in [(one.record["details"].get("start"), one.record["details"].get("end"))]
        if isinstance(start, int) and isinstance(end, int) and 0 <= start < end <= len(text)
    )
    cuts = sorted({0, len(text), *(cut for start, end, _ in spans for cut in (start, end))})
    return tuple(
        Part(text[left:right], tuple(dict.fromkeys(code for start, end, code in spans if start <= left < end)))
        for left, right in pairwise(cuts)
    )
