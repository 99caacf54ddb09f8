"""Canonical bytes and SHA-256 of every record of the shipped bank: ours against the rfc8785 package."""

import hashlib

import rfc8785

from benchmarks.timing import Result, compare
from scenarios.canonical import canonical_bytes, digest
from scenarios.load import SHIPPED, load_bank


def run() -> list[Result]:
    """Measure the digest of each scenario."""
    bank = load_bank(SHIPPED / "bank-1")
    records = [scenario.record() for scenario in bank.scenarios.values()]
    stored = [bank.files[f"scenarios/{name}.json"].removesuffix(b"\n") for name in bank.scenarios]
    assert [canonical_bytes(record) for record in records] == [rfc8785.dumps(record) for record in records] == stored

    def package() -> None:
        for record in records:
            hashlib.sha256(rfc8785.dumps(record)).hexdigest()

    def ours() -> None:
        for record in records:
            digest(record)

    ratio, _, mine = compare((package, len(records)), (ours, len(records)))
    size = sum(map(len, stored)) / len(stored)
    note = f"{size / mine / 1e6:.0f} MB/s; {len(records)} scenarios of {size:.0f} bytes, all bytes equal"
    return [Result("canonical", "canonical bytes and digest / rfc8785", ratio, 4.0, at_least=True, note=note)]
