"""What a name looks like: case, punctuation, width and look-alike characters taken away.

Alike are names that differ only by case, by the punctuation . - / _ and blanks, by width or compatibility
form, or by look-alike characters: Cyrillic and Greek for Latin, 0 and O, 1, I and l.
"""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

# Cyrillic and Greek capitals that look like Latin ones (a subset of Unicode's confusables), then digits.
_LOOK_ALIKE = str.maketrans(
    "\u0410\u0412\u0415\u0405\u0406\u0408\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0391\u0392\u0395"
    "\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7" "01",
    "ABESIJKMHOPCTYXABE" "ZHIKMNOPTYX" "OI",
)
_PUNCTUATION = str.maketrans("", "", ".-/_ \t")


def by_look(names: Iterable[str]) -> dict[str, list[tuple[int, str]]]:
    """Return, for each look, the names that have it, with their places."""
    found: dict[str, list[tuple[int, str]]] = {}
    for ranked in enumerate(names):
        for skeleton in skeletons(ranked[1]):
            found.setdefault(skeleton, []).append(ranked)
    return found


@lru_cache(maxsize=4096)
def skeletons(name: str) -> frozenset[str]:
    """Return what is left of a name without its look; a small l is read as itself and as a capital I."""
    plain = unicodedata.normalize("NFKC", name).translate(_PUNCTUATION)
    spellings = (plain, plain.replace("l", "I"))
    return frozenset(spelling.upper().translate(_LOOK_ALIKE) for spelling in spellings) - {""}
