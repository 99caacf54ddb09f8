"""Sealed folders: a manifest, the files that it lists, and nothing else.

Whatever differs is a `SealError` that carries the replay stage it belongs to. `differences` collects
them for `audit verify` and `audit replay`; every other reader stops at the first.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from scenarios.canonical import canonical_bytes, sha256
from scenarios.errors import MissingError, ReplayError, SealError
from scenarios.files import MAX_FILE_BYTES, build, list_folder, read_document, read_file
from scenarios.manifest import (
    KINDS,
    MANIFEST_NAME,
    Contract,
    RunManifest,
    Sealed,
    SealedFile,
)

STAGES = ("manifest", "inputs", "answers", "parse", "clauses", "environment steps", "scores", "summary")
"""The replay stages, in order."""

ATTESTATION = re.compile(r"attestations/[0-9]{3}\.json").fullmatch
"""What people say of a run after it was sealed (`scenarios.attestations`), chained to it by digest."""

_STAGE_OF_PATH = {
    "scenarios/": "inputs", "contexts/": "inputs", "dev/": "inputs", "test/": "inputs",
    "references.jsonl": "inputs", "inputs/": "inputs", "sessions.jsonl": "inputs", "funds.jsonl": "inputs",
    "answers.jsonl": "answers", "advisor.json": "answers", "frozen_outputs/": "answers",
    "verdicts.jsonl": "clauses", "log.jsonl": "environment steps", "scores.json": "scores",
    "judgements.jsonl": "scores",
}


def stage_of(path: str) -> str:
    """Return the replay stage that a file of a sealed folder belongs to."""
    for prefix, stage in _STAGE_OF_PATH.items():
        if path == prefix or (prefix.endswith("/") and path.startswith(prefix)):
            return stage
    return "manifest"


def load_manifest(path: Path) -> Sealed:
    """Return the manifest in a file, its form and its own digest checked.

    Raises:
        ReplayError: it is unreadable, of an unknown kind or version, or does not fit its form.
        SealError: its bytes are not canonical, or its digest is not that of its content.
    """
    record = read_document(path)
    where = str(path)
    kind = record.get("kind")
    if "format" not in record or "kind" not in record:
        raise ReplayError(where, "is no manifest", "name a manifest.json, its folder, or a contract")
    if record["format"] != "manifest/1":
        raise ReplayError(f"{where}#/format", f"found {record.get('format')!r}, this release reads \"manifest/1\"",
                          "use the release that wrote it")
    if not isinstance(kind, str) or kind not in KINDS:
        raise ReplayError(f"{where}#/kind", f"found {kind!r}, known kinds: {', '.join(sorted(KINDS))}",
                          "name a manifest of a known kind")
    manifest = build(KINDS[kind], record, where)
    if manifest.record() != record:
        raise SealError(where, "is not in its full form (a member is null, or left out)", "seal it with `audit freeze`")
    computed = sha256(canonical_bytes({name: value for name, value in record.items() if name != "digest"}))
    if manifest.digest != computed:
        raise SealError(f"{where}#/digest", f"says {manifest.digest}, its content has {computed}",
                        "restore the file, or seal it anew with `audit freeze`")
    return manifest


class SealedFolder:
    """A folder whose manifest was read; its files are read through it, checked as they are read.

    Raises:
        ReplayError, SealError: as `load_manifest`; or the manifest is of another kind than expected.
    """

    def __init__(self, path: Path, expected: type[Sealed] | None = None) -> None:
        self.folder = path.parent if path.name == MANIFEST_NAME and not path.is_dir() else path
        self.path = self.folder / MANIFEST_NAME
        for place in (self.folder, self.path):
            if place.is_symlink():
                raise SealError(str(place), "is a link", "put the thing itself there; links are not followed")
        if not self.path.exists():
            raise ReplayError(
                str(path), f"holds no {MANIFEST_NAME}", "name a sealed folder, or seal it with `audit freeze`"
            )
        self.manifest = load_manifest(self.path)
        if expected is not None and not isinstance(self.manifest, expected):
            kind = expected.model_fields["kind"].default
            raise ReplayError(str(self.path), f"is of kind {self.manifest.record()['kind']}, expected {kind}",
                              f"name a manifest of kind {kind}")
        self.files = {file.path: file for file in _files(self.manifest)}

    def read(self, name: str) -> bytes:
        """Return the bytes of a listed file after comparing size and digest.

        Raises:
            ReplayError: it is not listed. MissingError: it cannot be read. SealError: it differs from the seal.
        """
        sealed = self.files.get(name)
        if sealed is None:
            raise ReplayError(str(self.path), f"lists no {name}", "restore the folder")
        where = self._inside(name)
        try:
            data = read_file(where, MAX_FILE_BYTES)
        except ReplayError as error:
            raise MissingError(error.where, error.what, error.remedy, stage_of(name)) from error
        found = sha256(data)
        if found != sealed.sha256 or len(data) != sealed.bytes:
            what = f"has {len(data)} bytes with sha256 {found}, the manifest says {sealed.bytes} with {sealed.sha256}"
            remedy = "restore the released file, or publish it under a new id"
            raise SealError(str(where), what, remedy, stage_of(name), stored=sealed.sha256, found=found)
        return data

    def differences(self) -> list[SealError]:
        """Return every difference between folder and seal: links, unlisted files, empty folders, digests."""
        return list(self._walk(None))

    def contents(self) -> dict[str, bytes]:
        """Return every listed file by path, each compared with its digest.

        Raises:
            SealError: the first difference, in order of replay stage.
        """
        contents: dict[str, bytes] = {}
        for difference in sorted(self._walk(contents), key=lambda one: STAGES.index(one.stage)):
            raise difference
        return contents

    def _walk(self, contents: dict[str, bytes] | None) -> Iterator[SealError]:
        links = set()
        for name, is_link in sorted(list_folder(self.folder)):
            place = str(self.folder / name)
            if is_link:
                links.add(name)
                yield SealError(place, "is a link", "put the file itself there")
            elif name not in self.files and name != MANIFEST_NAME and not self._may_be_added(name):
                yield SealError(place, "is not listed in the manifest", "remove it, or seal anew")
        for name in self.files:
            if name not in links:
                try:
                    data = self.read(name)
                except SealError as difference:
                    yield difference
                else:
                    if contents is not None:
                        contents[name] = data

    def _may_be_added(self, name: str) -> bool:
        """Return whether a file may join this folder after it was sealed: an attestation of a run."""
        return isinstance(self.manifest, RunManifest) and ATTESTATION(name) is not None

    def _inside(self, name: str) -> Path:
        current = self.folder
        for part in name.split("/"):
            current = current / part
            if current.is_symlink():
                raise SealError(str(current), "is a link", "put the file itself there", stage_of(name))
        return current


def _files(manifest: Sealed) -> tuple[SealedFile, ...]:
    files: tuple[SealedFile, ...] = getattr(manifest, "files", ())
    return files


def seal_files(files: Mapping[str, bytes]) -> tuple[SealedFile, ...]:
    """Return the manifest entries of these files, in order of path."""
    return tuple(
        SealedFile(path=name, bytes=len(data), sha256=sha256(data)) for name, data in sorted(files.items())
    )


def seal_records(files: Mapping[str, bytes]) -> list[dict[str, Any]]:
    """Return the manifest entries of these files as they are written."""
    return [file.record() for file in seal_files(files)]


def join_lines(lines: Iterable[bytes]) -> bytes:
    """Return record lines as a file: one newline after each."""
    return b"".join([line + b"\n" for line in lines])


def load_document(path: Path) -> Sealed:
    """Return a document that is whole in one sealed file: a contract, or a theta.

    Raises:
        ReplayError, SealError: as `load_manifest`; or the file lists others, which belong in its folder.
    """
    manifest = load_manifest(path)
    if _files(manifest):
        raise ReplayError(str(path), f"is of kind {manifest.record()['kind']} and lists files", "name its folder")
    return manifest


def load_contract(path: Path) -> Contract:
    """Return a contract from its file.

    Raises:
        ReplayError, SealError: as `load_manifest`; or the file is of another kind.
    """
    manifest = load_manifest(path)
    if not isinstance(manifest, Contract):
        raise ReplayError(str(path), f"is of kind {manifest.record()['kind']}, expected contract", "name a contract")
    return manifest
