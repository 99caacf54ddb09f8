"""Whether a client asks for a plan, and whether an answer draws a boundary that could be acted on."""

from predicates.conduct.numbers import read_numbers
from predicates.conduct.phrases import Phrases
from predicates.conduct.reading import Match
from scenarios.json_exact import replace_surrogates

UNITS = frozenset({"ratio", "money", "days"})


def asks_for_plan(text: str, phrases: Phrases) -> str:
    """Return the words that ask what to do, or the empty text."""
    match = next(iter(phrases.read(text).of("claim.ask-plan")), None)
    return "" if match is None else replace_surrogates(text[match.start : match.end])


def has_boundary(text: str, phrases: Phrases) -> bool:
    """Return whether an answer names a range, a pace, a trigger or a constraint, or asks the client something back."""
    reading = phrases.read(text)
    if "?" in reading.normal.text or any(
            one.unit in UNITS for _, sentence in reading.lines for one in read_numbers(sentence.text)):
        return True
    return any(reading.scope_of(match) != "negated" for match in reading.of("control"))


def encouragements(text: str, phrases: Phrases) -> list[Match]:
    """Return the phrases of encouragement in the speaker's own words."""
    reading = phrases.read(text)
    return [match for match in reading.of("claim.vague") if reading.scope_of(match) not in ("quoted", "attributed")]
