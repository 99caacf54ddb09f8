"""Small lexicons for tests."""

from typing import Literal

from predicates.conduct.phrases import Phrases, compile_phrases
from scenarios.lexicon import Entry, Lexicon

SCOPE = {
    "scope.negation": "(not|no|never|nobody|avoid|不|没有|不得)", "scope.denial": "(does not exist|is a lie|是骗人的)",
    "scope.attribution": "(they|scammers|the rule|监管) ... (say|says|forbids|规定)", "scope.credit": "he said",
    "scope.hypothesis": "(imagine|suppose)", "scope.condition": "(if|when|如果)", "scope.question": "是否",
    "scope.boundary": "(but|但)", "scope.joint": "(or|nor|and|也)", "scope.plain": "(not only|no doubt|不但)",
}


def a_lexicon(
    *entries: tuple[str, str], language: str = "en", name: str = "test", weighed: Literal[True] | None = None
) -> Lexicon:
    """Return a lexicon of (role, phrase), numbered e1, e2, ..."""
    spoken: Literal["en", "zh"] = "zh" if language == "zh" else "en"
    return Lexicon(id=name, version="1", weighed=weighed, entries=tuple(
        Entry(id=f"{name}-{number}", role=role, language=spoken, phrase=phrase, source="test")
        for number, (role, phrase) in enumerate(entries, 1)
    ))


def phrases(*entries: tuple[str, str], language: str = "en") -> Phrases:
    """Return the entries compiled with the scope words above."""
    return compile_phrases([a_lexicon(*entries, language=language), a_lexicon(*SCOPE.items(), name="scope")])


def found(text: str, *entries: tuple[str, str], language: str = "en") -> list[str]:
    """The words that the entries match in a text."""
    return [text[match.start : match.end] for match in phrases(*entries, language=language).read(text).matches]
