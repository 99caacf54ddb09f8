"""Sealed folders: a manifest, the files that it lists, and nothing else.

Whatever differs is a `SealError` that carries the replay stage it belongs to. `differences` collects
them for `audit verify` and `audit replay`; every other reader stops at the first.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from scenarios.canonical import canonical_bytes, sha256
from scenarios.errors import ReplayError, SealError
from scenarios.files import MAX_FILE_BYTES, build, list_folder, read_document, read_file
from scenarios.manifest import (
    KINDS,
    MANIFEST_NAME,
    AnswersManifest,
    BankManifest,
    Contract,
    RunManifest,
    Sealed,
    SealedFile,
)

STAGES = ("manifest", "inputs", "answers", "parse", "clauses", "environment steps", "scores", "summary")
"""The replay stages, in order."""

_STAGE_OF_PATH = {
    "scenarios/": "inputs", "references.jsonl": "inputs", "inputs/": "inputs",
    "answers.jsonl": "answers", "advisor.json": "answers", "frozen_outputs/": "answers",
    "verdicts.jsonl": "clauses", "log.jsonl": "environment steps", "scores.json": "scores",
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
    if record.get("format") != "manifest/1":
        raise ReplayError(f"{where}#/format", f"found {record.get('format')!r}, this release reads \"manifest/1\"",
                          "use the release that wrote it")
    if not isinstance(kind, str) or kind not in KINDS:
        raise ReplayError(f"{where}#/kind", f"found {kind!r}, known kinds: {', '.join(sorted(KINDS))}",
                          "name a manifest of a known kind")
    manifest = build(KINDS[kind], record, where)
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
        if self.folder.is_symlink():
            raise SealError(str(self.folder), "is a link", "name the folder itself; links are not followed")
        if not self.path.exists() and not self.path.is_symlink():
            raise ReplayError(str(path), f"holds no {MANIFEST_NAME}", "name a sealed folder, or seal it with `audit freeze`")
        self.manifest = load_manifest(self.path)
        if expected is not None and not isinstance(self.manifest, expected):
            kind = expected.model_fields["kind"].default
            raise ReplayError(str(self.path), f"is of kind {self.manifest.record()['kind']}, expected {kind}",
                              f"name a manifest of kind {kind}")
        self.files = {file.path: file for file in _files(self.manifest)}

    def read(self, name: str) -> bytes:
        """Return the bytes of a listed file after comparing size and digest.

        Raises:
            ReplayError: it is not listed or missing. SealError: its bytes differ from the seal.
        """
        sealed = self.files.get(name)
        if sealed is None:
            raise ReplayError(str(self.path), f"lists no {name}", "restore the folder")
        data = read_file(self._inside(name), MAX_FILE_BYTES)
        found = hashlib.sha256(data).hexdigest()
        if found != sealed.sha256:
            raise SealError(str(self.folder / name), f"sha256 is {found}, the manifest says {sealed.sha256}",
                            "restore the released file, or publish it under a new id", stage_of(name))
        return data

    def differences(self) -> Iterator[SealError]:
        """Yield every difference between folder and seal, in order of path: links, unlisted files, digests.

        Raises:
            ReplayError: a listed file is missing or unreadable.
        """
        present = set()
        twice = [file.path for file in _files(self.manifest)]
        for name in sorted({name for name in twice if twice.count(name) > 1}):
            yield SealError(str(self.path), f"lists {name} twice", "list each file once")
        for name, entry in sorted(list_folder(self.folder)):
            present.add(name)
            if entry.is_symlink():
                yield SealError(str(self.folder / name), "is a link", "put the file itself there", "manifest")
            elif name != MANIFEST_NAME and name not in self.files:
                yield SealError(str(self.folder / name), "is not listed in the manifest", "remove it, or seal anew",
                                "manifest")
        for name in sorted(self.files):
            if name in present and (self.folder / name).is_symlink():
                continue
            try:
                self.read(name)
            except SealError as difference:
                yield difference

    def check(self) -> None:
        """Raise the first difference, in order of stage."""
        for difference in sorted(self.differences(), key=lambda one: STAGES.index(one.stage)):
            raise difference

    def _inside(self, name: str) -> Path:
        current = self.folder
        for part in name.split("/"):
            current = current / part
            if current.is_symlink():
                raise SealError(str(current), "is a link", "put the file itself there", stage_of(name))
        return current


def _files(manifest: Sealed) -> tuple[SealedFile, ...]:
    if isinstance(manifest, BankManifest | AnswersManifest | RunManifest):
        return manifest.files
    return ()


def seal_files(files: Mapping[str, bytes]) -> tuple[SealedFile, ...]:
    """Return the manifest entries of these files, in order of path."""
    return tuple(
        SealedFile(path=name, bytes=len(data), sha256=sha256(data)) for name, data in sorted(files.items())
    )


def join_lines(lines: Iterable[bytes]) -> bytes:
    """Return record lines as a file: one newline after each."""
    return b"".join([line + b"\n" for line in lines])


def load_contract(path: Path) -> Contract:
    """Return a contract from its file.

    Raises:
        ReplayError, SealError: as `load_manifest`; or the file is of another kind.
    """
    manifest = load_manifest(path)
    if not isinstance(manifest, Contract):
        raise ReplayError(str(path), f"is of kind {manifest.record()['kind']}, expected contract", "name a contract")
    return manifest
