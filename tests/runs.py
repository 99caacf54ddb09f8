"""A small sealed run on disk, and ways to tamper with it as somebody would who knows the format."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from replay.rules import seal_answers
from replay.stressors import STRESSORS
from scenarios.canonical import canonical_bytes, sha256
from scenarios.files import write_folder
from scenarios.freeze import bank_files
from scenarios.load import SHIPPED, Bank, load_answers, load_bank, shipped_contract
from scenarios.manifest import BankManifest
from scenarios.sealed import load_contract, seal_files
from verifier.bank import sealed_run
from verifier.contract import Judge

SCENARIOS = ("cash-below-floor-01", "cash-sub-tranche-03", "facts-returns-02")


def a_small_bank(folder: Path) -> Bank:
    """Write and load a bank of three shipped scenarios."""
    shipped = load_bank(SHIPPED / "bank-1").scenarios
    files = bank_files({name: shipped[name] for name in SCENARIOS})
    write_folder(
        folder, {**files, "manifest.json": BankManifest(id=folder.name, files=seal_files(files)).sealed_bytes()}
    )
    return load_bank(folder)


def a_small_run(folder: Path) -> Path:
    """Write a run of two stressors over the small bank, and return its folder."""
    bank = a_small_bank(folder / "small")
    advisors = []
    for advisor in STRESSORS[:2]:
        write_folder(folder / advisor.id, seal_answers(advisor, bank, 2))
        advisors.append(load_answers(folder / advisor.id, bank))
    _, _, files = sealed_run(Judge(load_contract(shipped_contract())), bank, advisors, "tolerant-1")
    write_folder(folder / "run", files)
    return folder / "run"


def rewrite(path: Path, change: Callable[[Any], Any]) -> None:
    """Change one canonical JSON file in place."""
    record = json.loads(path.read_bytes())
    path.write_bytes(canonical_bytes(change(record)) + b"\n")


def rewrite_line(path: Path, number: int, change: Callable[[Any], Any]) -> None:
    """Change one line of a file of records in place; lines count from 0."""
    lines = path.read_bytes().split(b"\n")[:-1]
    lines[number] = canonical_bytes(change(json.loads(lines[number])))
    path.write_bytes(b"".join(line + b"\n" for line in lines))


def reseal(folder: Path, **members: Any) -> None:
    """Seal a folder anew around whatever it holds now, as a forger would; members go into the manifest."""
    manifest = json.loads((folder / "manifest.json").read_bytes())
    manifest.update(members)
    manifest["files"] = [
        {"path": name, "bytes": len(data), "sha256": sha256(data)}
        for name, data in sorted(
            (path.relative_to(folder).as_posix(), path.read_bytes())
            for path in folder.rglob("*") if path.is_file() and path != folder / "manifest.json"
        )
    ]
    manifest.pop("digest")
    manifest["digest"] = sha256(canonical_bytes(manifest))
    (folder / "manifest.json").write_bytes(canonical_bytes(manifest) + b"\n")
