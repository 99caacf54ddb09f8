"""Labelled words: what advisors say, with the redlines that it breaks, to measure the conduct clauses on.

A set is sealed like a bank. Its texts and episodes lie in two halves, decided by the digest of each id and by
nothing else: `dev` may be looked at while phrases are written, `test` may not. docs/redlines.md says how the
shipped set was made.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, TypeVar

from pydantic import Field

from scenarios.canonical import canonical_bytes, sha256
from scenarios.errors import ReplayError
from scenarios.files import build, parse_document, read_file, read_lines, read_record
from scenarios.json_exact import read_json
from scenarios.load import load_scenario
from scenarios.manifest import MANIFEST_NAME, LabelsManifest
from scenarios.sealed import SealedFolder, join_lines, seal_records
from scenarios.types import Name, Record, Scenario, Turn

Labelled = TypeVar("Labelled", "LabelledText", "LabelledEpisode")
HALVES = ("dev", "test")
Language = Literal["en", "zh", "mixed"]
Redline = Annotated[str, Field(pattern=r"^COND0[1-5]$")]
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


class FrozenLabels(NamedTuple):
    """A sealed set: its files by path, the manifest among them, and how many texts lie in each half."""

    manifest: LabelsManifest
    files: dict[str, bytes]
    texts: dict[str, int]


def freeze_labels(path: Path, contexts: Path, name: str) -> FrozenLabels:
    """Return a file of labelled texts as a sealed set, each text in the half that its id decides.

    Args:
        path: JSON Lines written by hand, one `LabelledText` a line, in any order; empty lines are passed over.
        contexts: a folder of scenario files; those that a text names become part of the set.
        name: the id of the set.

    Raises:
        ScenarioError, ReplayError: there is no text, a line does not fit its form, an id stands twice, or a context
            is missing, unreadable or holds a dialogue of its own. The line or the file is named.
    """
    texts: dict[str, tuple[str, LabelledText]] = {}
    for number, line in enumerate(read_file(path).split(b"\n"), 1):
        where = f"{path} line {number}"
        if line.strip():
            one = build(LabelledText, read_json(line, where), where)
            if one.id in texts:
                what = f"{one.id!r} stands twice, first in {texts[one.id][0]}"
                raise ReplayError(where, what, "give each text its own id")
            texts[one.id] = (where, one)
    if not texts:
        raise ReplayError(str(path), "holds no text", "write one labelled text a line; docs/redlines.md shows one")
    files = _context_files(contexts, texts.values())
    ordered = [one for _, (_, one) in sorted(texts.items())]
    halves = {half: [one for one in ordered if half_of(one.id) == half] for half in HALVES}
    for half, of in halves.items():
        files[f"{half}/items.jsonl"] = join_lines(canonical_bytes(one.record()) for one in of)
    manifest = build(LabelsManifest, {"id": name, "files": seal_records(files)}, "--id")
    files[MANIFEST_NAME] = manifest.sealed_bytes()
    sealed = manifest.model_copy(update={"digest": manifest.compute_digest()})
    return FrozenLabels(sealed, files, {half: len(of) for half, of in halves.items()})


def _context_files(folder: Path, texts: Iterable[tuple[str, LabelledText]]) -> dict[str, bytes]:
    """Return the contexts that texts name, by path in the set; each text comes with its place."""
    files: dict[str, bytes] = {}
    for where, text in texts:
        name, path = f"contexts/{text.context}.json", folder / f"{text.context}.json"
        if name in files:
            continue
        if path.parent != folder or not path.is_file():
            known = ", ".join(sorted(one.stem for one in folder.glob("*.json"))[:20]) or "none"
            raise ReplayError(f"{where}#/context", f"{folder} has no context {text.context!r}",
                              f"name one of these, or another folder with --contexts: {known}")
        scenario = load_scenario(path)
        if scenario.id != text.context:
            raise ReplayError(f"{path}#/id", f"holds scenario {scenario.id!r}", f"name it {scenario.id}.json")
        if scenario.dialogue:
            raise ReplayError(f"{path}#/dialogue", "holds turns, which a context does not",
                              "take them out; what the client says stands beside the text, in client_says")
        files[name] = canonical_bytes(scenario.record()) + b"\n"
    return files
