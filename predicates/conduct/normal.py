"""Text as it is matched: what looks alike is alike, and every place still points into the original.

Each character is folded by itself: compatibility forms and full width to the plain form, capitals to small letters,
accents and other marks off, Cyrillic and Greek look-alikes to Latin, typographic quotes to `"` and `'`; controls,
zero-width and bidirectional marks and lone surrogates vanish, and a run of blanks is one blank. So the work is
linear in the text, and a text of plain ASCII costs one call.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

MOST_CHARACTERS_OF_ONE = 4
"""A character whose compatibility form is longer (a few ligatures of whole phrases) stays as it is."""

_LOOK_ALIKE = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u051b\u0432\u043a\u043c\u043d\u0442"
    "\u03b1\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u0261\u0131\u2044",
    "aeopcyxijshdqbkmhtaeikvoptuxgi/",
)
_MARKS = str.maketrans(
    "\u2018\u2019\u201a\u201b\u2032\u02bc`\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u300c\u300d\u300e\u300f"
    "\u2010\u2011\u2212\u2012\u2013\u2014\u2015\u2028\u2029\x0b\x0c\r\u3001\u00b7",
    "'''''''" + '"' * 11 + "----\u2014\u2014\u2014\n\n\n\n\n\u3001\u00b7",
)
_ROUGH_ASCII = re.compile(r"[\x00-\x08\x0b-\x1f\x7f`]|[ \t][ \t]")
_SILENT = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Mn", "Me"})


class Normal(NamedTuple):
    """The folded text. origin: for each of its characters the offset of the one it comes from; None: the same."""

    text: str
    origin: Sequence[int] | None = None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return where a stretch of the folded text, start < end, lies in the original, in code points."""
        return (start, end) if self.origin is None else (self.origin[start], self.origin[end - 1] + 1)


def normalise(text: str) -> Normal:
    """Return the folded text with the way back."""
    if text.isascii() and not _ROUGH_ASCII.search(text):
        return Normal(text.lower())
    folded = text.translate(_FOLDS)
    if _UNEVEN.isdisjoint(text) and "  " not in folded:
        return Normal(folded)
    pieces, origin = [], []
    blank = False
    for place, char in enumerate(text):
        piece = _FOLDS[ord(char)]
        if piece != " " or not blank:
            pieces.append(piece)
            origin += [place] * len(piece)
        blank = piece == " " or (blank and not piece)
    return Normal("".join(pieces), origin)


_UNEVEN: set[str] = set()  # the characters met so far that fold to none or to several


class _Folds(dict[int, str]):
    """The folded form of each character met so far."""

    def __missing__(self, point: int) -> str:
        char = chr(point)
        folded = self[point] = _fold(char)
        if len(folded) != 1:
            _UNEVEN.add(char)
        return folded


_FOLDS = _Folds()


def _fold(char: str) -> str:
    if char in "\t\n":
        return " " if char == "\t" else char
    plain = char.translate(_MARKS)
    if plain != char:
        return plain
    spread = unicodedata.normalize("NFKD", char.casefold()).casefold()
    folded = "".join(one for one in spread if unicodedata.category(one) not in _SILENT)
    return (folded if len(folded) <= MOST_CHARACTERS_OF_ONE else char).translate(_LOOK_ALIKE).translate(_MARKS)
