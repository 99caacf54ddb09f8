"""Merkle trees over records: one root for all of them, and a short proof that one of them is among them.

Hashing as in RFC 6962, section 2.1: a leaf is SHA-256 of 0x00 and the record, an inner node of 0x01 and both
children, and a node without a sibling moves up unchanged, which is the RFC's split at the largest power of two.
"""

from collections.abc import Iterable, Sequence

from scenarios.canonical import sha256


def leaf_hash(record: bytes) -> str:
    """Return the hash of a leaf; its first byte differs from an inner node's, so neither can pass for the other."""
    return sha256(b"\x00" + record)


def node_hash(left: str, right: str) -> str:
    """Return the hash of an inner node from those of its children."""
    return sha256(b"\x01" + bytes.fromhex(left) + bytes.fromhex(right))


def root_of(records: Iterable[bytes]) -> str:
    """Return the root over records in their order; of none at all it is the hash of nothing."""
    level = [leaf_hash(record) for record in records]
    while len(level) > 1:
        level = _above(level)
    return level[0] if level else sha256(b"")


def inclusion_proof(records: Sequence[bytes], index: int) -> list[str]:
    """Return the siblings on the way from one record to the root, the lowest first.

    Source: RFC 6962, section 2.1.1, Merkle audit paths.

    Raises:
        IndexError: there is no record of that index.
    """
    if not 0 <= index < len(records):
        raise IndexError(index)
    level, path = [leaf_hash(record) for record in records], []
    while len(level) > 1:
        sibling = index ^ 1
        if sibling < len(level):
            path.append(level[sibling])
        level, index = _above(level), index // 2
    return path


def root_from_proof(record: bytes, index: int, size: int, path: Sequence[str]) -> str | None:
    """Return the root that a proof leads to, None where its length does not fit index and size.

    Args:
        record: the record's bytes.
        index: its place among the records, from 0.
        size: the number of records.
        path: as `inclusion_proof` returns it.
    """
    if not 0 <= index < size:
        return None
    node, rest, last = leaf_hash(record), list(path), size - 1
    while last:
        if index % 2 or index < last:
            if not rest:
                return None
            sibling = rest.pop(0)
            node = node_hash(sibling, node) if index % 2 else node_hash(node, sibling)
        index, last = index // 2, last // 2
    return None if rest else node


def _above(level: Sequence[str]) -> list[str]:
    pairs = (level[at : at + 2] for at in range(0, len(level), 2))
    return [node_hash(*pair) if len(pair) == 2 else pair[0] for pair in pairs]
