"""The words of advisors and clients as data: templates and word lists in manifests/phrasebooks/, read once."""

from functools import cache
from typing import Any, Literal

from scenarios.errors import ScenarioError
from scenarios.files import read_file
from scenarios.json_exact import read_json
from scenarios.load import SHIPPED

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")


@cache
def phrasebook(name: str) -> dict[str, Any]:
    """Return a shipped phrasebook, by language below its format and id.

    Raises:
        ReplayError: there is no such phrasebook.
    """
    path = SHIPPED / "phrasebooks" / f"{name}.json"
    book: dict[str, Any] = read_json(read_file(path), str(path))
    return book


def words(name: str, language: str) -> dict[str, Any]:
    """Return one language of a shipped phrasebook.

    Raises:
        ScenarioError: the language is not one of `LANGUAGES`.
    """
    if language not in LANGUAGES:
        raise ScenarioError("language", f"found {language!r}", f"choose one of {', '.join(LANGUAGES)}")
    found: dict[str, Any] = phrasebook(name)[language]
    return found
