"""A finding is data: the place, both sides as exact numbers, the unit and the inputs read.

The sentence for a person is rendered from it when somebody reads it; the hot path formats no text.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from scenarios.exact import Number, exact_json

KINDS = ("violation", "note")
"""What a clause may return; "error" is written by the verifier where a clause raised."""


class Finding(NamedTuple):
    """One thing that a clause found.

    kind: "violation", or "note" for something worth telling that breaks nothing.
    where: JSON Pointer into the action. left `op` right is the relation that must hold.
    unit: unit of both sides. reads: JSON Pointers of the inputs, "/orders..." into the action,
    anything else into the scenario. details: further exact numbers and names for the sentence.
    """

    code: str
    kind: str
    where: str
    left: Number | str | None
    op: str
    right: Number | str | None
    unit: str
    reads: tuple[str, ...]
    details: dict[str, Any]

    def record(self) -> dict[str, Any]:
        """Return the finding as it is written: integers and strings only."""
        code, kind, where, left, op, right, unit, reads, details = self
        return {
            "code": code, "kind": kind, "where": where, "left": exact_json(left), "op": op, "right": exact_json(right),
            "unit": unit, "reads": reads,
            "details": {
                name: value if type(value) is str or type(value) is int else exact_json(value)
                for name, value in details.items()
            },
        }


finding_of: Callable[[tuple[Any, ...]], Finding] = partial(tuple.__new__, Finding)
"""Make a finding of a tuple of its members: the same as Finding(*members), without the call that names them."""


def violation(
    code: str, *, where: str, left: Number | str | None, op: str, right: Number | str | None, unit: str,
    reads: tuple[str, ...], **details: Number | str | None,
) -> Finding:
    """Return the finding that the relation `left op right` should hold at `where` and does not."""
    return finding_of((code, "violation", where, left, op, right, unit, reads, details))


def note(
    code: str, *, where: str, left: Number | str | None, op: str, right: Number | str | None, unit: str,
    reads: tuple[str, ...], **details: Number | str | None,
) -> Finding:
    """Return a finding that breaks nothing, such as a limit already passed before this action."""
    return finding_of((code, "note", where, left, op, right, unit, reads, details))
