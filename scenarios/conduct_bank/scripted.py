"""The sealed answers of a scripted advisor: one run of every scenario that it speaks in."""

from collections.abc import Iterable

from scenarios.freeze import answer_files
from scenarios.manifest import MANIFEST_NAME, AnswersManifest, Plan, Reference
from scenarios.sealed import seal_files
from scenarios.types import Answer


def seal_script(name: str, description: str, answers: Iterable[Answer], bank: Reference) -> dict[str, bytes]:
    """Return the files of the sealed answers by relative path."""
    said = list(answers)
    record: dict[str, object] = {
        "format": "advisor/1", "id": name, "name": name.capitalize(), "kind": "scripted",
        "description": description, "configuration": {},
    }
    files = answer_files(record, said)
    plan = Plan(scenarios=tuple(sorted({answer.scenario for answer in said})), runs=1)
    manifest = AnswersManifest(id=name, bank=bank, plan=plan, files=seal_files(files))
    return {**files, MANIFEST_NAME: manifest.sealed_bytes()}
