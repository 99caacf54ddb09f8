"""Labelled words: what advisors say, with the redlines that it breaks, to measure the conduct clauses on.

A set is sealed like a bank. Its texts and episodes lie in two halves, decided by the digest of each id and by
nothing else: `dev` may be looked at while phrases are written, `test` may not. docs/redlines.md says how the
shipped set was made.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, TypeVar

from pydantic import Field

from scenarios.canonical import sha256
from scenarios.errors import ReplayError
from scenarios.files import build, parse_document, read_lines, read_record
from scenarios.manifest import LabelsManifest
from scenarios.sealed import SealedFolder, seal_files
from scenarios.types import Name, Record, Scenario, Turn

Labelled = TypeVar("Labelled", "LabelledText", "LabelledEpisode")
HALVES = ("dev", "test")
Language = Literal["en", "zh", "mixed"]
Redline = Annotated[str, Field(pattern=r"^COND[0-9]{2}$")]
Half = Literal["dev", "test"]


class LabelledText(Record):
    """One text of an advisor. labels: the redlines that it breaks; near: the one that it breaks or nearly breaks.

    context: the frozen scenario that it is said in. kind: what makes it hard, in a few words.
    """

    id: Name
    language: Language
    labels: tuple[Redline, ...]
    near: Redline
    kind: Name
    context: Name
    client_says: str | None = None
    advisor_says: Annotated[str, Field(min_length=1)]


class EpisodeLabels(Record):
    """The scores that a careful reader gives. Source: seed paper 000, appendices L and M."""

    compliance: Annotated[int, Field(ge=0, le=1)]
    redlines: tuple[Redline, ...]
    accuracy: Annotated[int, Field(ge=0, le=2)]
    personalization: Annotated[int, Field(ge=0, le=2)]
    logic: Annotated[int, Field(ge=0, le=2)]
    realism: Annotated[int, Field(ge=0, le=2)]


class LabelledEpisode(Record):
    """One dialogue with its labels."""

    id: Name
    language: Language
    context: Name
    turns: Annotated[tuple[Turn, ...], Field(min_length=1)]
    labels: EpisodeLabels
    kind: Name


class Labels(NamedTuple):
    """A labelled set: contexts by name, texts and episodes by half, in order of id."""

    id: str
    digest: str
    contexts: dict[str, Scenario]
    texts: dict[str, tuple[LabelledText, ...]]
    episodes: dict[str, tuple[LabelledEpisode, ...]]


def half_of(name: str) -> Half:
    """Return the half that an id belongs to: `dev` where the first hex digit of its SHA-256 is below 8."""
    return "dev" if int(sha256(name.encode())[0], 16) < 8 else "test"


def load_labels(path: Path) -> Labels:
    """Return a labelled set, every file compared with its seal and every id with its half.

    Raises:
        SealError: a file differs from its seal.
        ReplayError: a file is missing or unreadable, an id stands twice or in the wrong half, or a context is unknown.
    """
    folder = SealedFolder(path, LabelsManifest)
    contents = folder.contents()
    contexts = {}
    for name, raw in contents.items():
        if name.startswith("contexts/"):
            scenario = build(Scenario, parse_document(raw, name), f"{folder.folder / name}")
            contexts[scenario.id] = scenario
    texts = {half: tuple(_read(LabelledText, folder, contents, half, "items.jsonl", contexts)) for half in HALVES}
    episodes = {
        half: tuple(_read(LabelledEpisode, folder, contents, half, "episodes.jsonl", contexts)) for half in HALVES
    }
    return Labels(folder.manifest.id, str(folder.manifest.digest), contexts, texts, episodes)


def _read(
    kind: type[Labelled], folder: SealedFolder, contents: dict[str, bytes], half: str, name: str,
    contexts: dict[str, Scenario],
) -> Iterator[Labelled]:
    where = f"{folder.folder / half / name}"
    before = ""
    for number, line in read_lines(contents.get(f"{half}/{name}", b""), where):
        place = f"{where} line {number}"
        one = build(kind, read_record(line, place), place)
        if one.id <= before:
            raise ReplayError(place, f"{one.id} stands behind {before}", "list each id once, in order")
        if half_of(one.id) != half:
            raise ReplayError(place, f"{one.id} belongs to the other half", "the digest of the id decides the half")
        if one.context not in contexts:
            raise ReplayError(place, f"names context {one.context!r}", "add it under contexts/")
        before = one.id
        yield one


def seal_labels(folder: Path) -> LabelsManifest:
    """Write the manifest of a labelled set and return it."""
    files = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*")) if path.is_file() and path.name != "manifest.json"
    }
    manifest = LabelsManifest(id=folder.name, files=seal_files(files))
    (folder / "manifest.json").write_bytes(manifest.sealed_bytes())
    return manifest

