"""Merkle trees over records, hashed as in RFC 6962."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.merkle import inclusion_proof, root_from_proof, root_of

RECORDS = st.lists(st.binary(max_size=4), min_size=1, max_size=20)


def rfc_root(records: list[bytes]) -> bytes:
    """The recursive definition of the RFC: split at the largest power of two below the number of records."""
    if len(records) < 2:
        return hashlib.sha256(b"\x00" + records[0] if records else b"").digest()
    split = 1
    while split * 2 < len(records):
        split *= 2
    return hashlib.sha256(b"\x01" + rfc_root(records[:split]) + rfc_root(records[split:])).digest()


@given(st.lists(st.binary(max_size=4), max_size=40))
def test_the_root_is_the_one_of_the_rfc(records: list[bytes]) -> None:
    assert root_of(records) == rfc_root(records).hex()


@given(RECORDS, st.data())
def test_a_proof_leads_to_the_root(records: list[bytes], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(records) - 1))

    assert root_from_proof(records[index], index, len(records), inclusion_proof(records, index)) == root_of(records)


@given(RECORDS, st.data())
def test_no_other_record_has_that_proof(records: list[bytes], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(records) - 1))
    path = inclusion_proof(records, index)

    assert root_from_proof(records[index] + b"x", index, len(records), path) != root_of(records)
    assert root_from_proof(records[index], index, len(records), [*path, "0" * 64]) is None


@pytest.mark.parametrize("index", [-1, 3])
def test_there_is_no_proof_of_what_is_not_there(index: int) -> None:
    with pytest.raises(IndexError):
        inclusion_proof([b"a", b"b", b"c"], index)
    assert root_from_proof(b"a", index, 3, []) is None


def test_a_proof_that_is_too_short() -> None:
    assert root_from_proof(b"a", 0, 3, inclusion_proof([b"a", b"b", b"c"], 0)[:1]) is None
