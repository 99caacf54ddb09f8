"""Which instrument a name in an answer means, and which one it only resembles.

A name matches an id or a declared alias exactly; after trimming where the scenario says "trim"; after
trimming and lowering A to Z where it says "ignore-case". Only ASCII blanks are trimmed and only ASCII
letters lose their case, for Unicode's case folding takes a Kelvin sign for a K. A name that folds to two
instruments matches neither. Everything else stays as it was answered and is out of universe; a near miss
is named for the reader and never taken for the instrument.
"""

from scenarios.looks import skeletons
from scenarios.types import Scenario

BLANKS = " \t\r\n"
_LONGEST = 40


def folded_ids(scenario: Scenario) -> dict[str, str | None]:
    """Return the id that each folded id or alias means, None where two instruments share it."""
    meaning: dict[str, str | None] = {}
    for instrument in scenario.instruments:
        for name in (instrument.id, *instrument.aliases):
            folded = fold(name)
            meaning[folded] = instrument.id if meaning.get(folded, instrument.id) == instrument.id else None
    return meaning


def fold(name: str) -> str:
    """Return a name without ASCII blanks around it and, where it is all ASCII, in lower case."""
    trimmed = name.strip(BLANKS)
    return trimmed.lower() if trimmed.isascii() else trimmed


def match_ticker(scenario: Scenario, name: str, folded: dict[str, str | None]) -> str | None:
    """Return the id that a name means by the scenario's rule, or None.

    Args:
        scenario: declares the ids, the aliases and `ticker_match`.
        name: as answered.
        folded: `folded_ids(scenario)`; read only where the scenario ignores case.
    """
    for spelling in (name,) if scenario.ticker_match == "exact" else (name, name.strip(BLANKS)):
        if spelling in scenario.instrument_of:
            return spelling
        if spelling in scenario.alias_of:
            return scenario.alias_of[spelling]
    return folded.get(fold(name)) if scenario.ticker_match == "ignore-case" else None


def near_miss(scenario: Scenario, name: str) -> str | None:
    """Return the id that a name resembles without being it, or None.

    Alike are names that differ only by case, by the punctuation . - / _ and blanks, by width or
    compatibility form, or by look-alike characters: Cyrillic and Greek for Latin, 0 and O, 1, I and l.
    The universe is searched first, then the other instruments, each in declared order.
    """
    if len(name) > _LONGEST:
        return None
    known = scenario.look_alikes
    alike = [ranked for skeleton in skeletons(name) for ranked in known.get(skeleton, ()) if ranked[1] != name]
    return min(alike)[1] if alike else None
