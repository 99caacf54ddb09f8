"""The record log: canonical JSON lines, chained by digest within a lane, sealed by a Merkle root.

A lane is one advisor and run over one subject. Each record names the digest of the record before it in
its lane, so a record cannot be changed, dropped or moved without changing the lane's head; the root
over all heads goes into the manifest of the run.
"""

from collections.abc import Mapping
from typing import Any

from replay.merkle import root_of
from scenarios.canonical import encode_exact, sha256

FIRST = "0" * 64
"""What the first record of a lane names as the one before it."""


class Log:
    """Appends records to lanes and keeps each lane's head.

    Attributes:
        lines: the record lines, in the order they were appended.
        heads: digest of the last record of each lane.
    """

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.heads: dict[str, str] = {}
        self._lengths: dict[str, int] = {}

    def append(self, lane: str, members: Mapping[str, Any]) -> str:
        """Append one record of strings and integers to a lane and return its digest."""
        length = self._lengths.get(lane, 0)
        line = encode_exact({**members, "lane": lane, "seq": length, "previous": self.heads.get(lane, FIRST)})
        self.lines.append(line)
        self._lengths[lane] = length + 1
        self.heads[lane] = head = sha256(line)
        return head

    def root(self) -> str:
        """Return the Merkle root over the lane heads, in order of lane name."""
        return merkle_root(self.heads)


def merkle_root(heads: Mapping[str, str]) -> str:
    """Return the Merkle root over (lane, head), in order of lane name."""
    return root_of(lane.encode() + b"\x00" + bytes.fromhex(head) for lane, head in sorted(heads.items()))
