"""Text as it is matched: what looks alike is alike, and every place still points into the original.

Markup goes first. An entity is the character that it names; a tag of HTML is nothing, a line break where a browser
breaks the line, or a blank line beside what is no text (a script); a comment is nothing. Nothing that may hold words
goes so: a tag with an attribute that could hold a sentence, a comment of several words that stands between words, and
a name that HTML does not know are read like any other text.

Then each character is folded by itself: compatibility forms and full width to the plain form, capitals to small
letters, accents and other marks off, Cyrillic and Greek look-alikes to Latin, typographic quotes to `"` and `'`;
controls, zero-width and bidirectional marks and lone surrogates vanish, and a run of blanks is one blank. Last, a
token that mixes letters with digits or signs ("r1sk") is the known word that it spells, if there is one; so a
product's code stays.

All of it is linear in the text, and a text of plain ASCII costs one call.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence, Set
from html import unescape
from html.entities import html5
from itertools import islice, product
from typing import NamedTuple

MOST_CHARACTERS_OF_ONE = 4
"""A character whose compatibility form is longer (a few ligatures of whole phrases) stays as it is."""
MOST_SPELLINGS = 16
"""Readings of one token that are tried; a 1 is an i or an l."""

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
_ROUGH_ASCII = re.compile(  # one class first, which is what makes the search fast
    r"[\x00-\x09\x0b-\x1f\x7f`&<013457@$](?:(?<![013457@$])|(?=[a-zA-Z])|(?<=[a-zA-Z].))"
)
_SILENT = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Mn", "Me"})

_INLINE = (
    "a|abbr|acronym|audio|b|bdi|bdo|big|button|canvas|cite|code|data|del|dfn|em|font|i|img|input|ins|kbd|label|mark"
    "|meter|nobr|output|picture|progress|q|rp|rt|ruby|s|samp|small|source|span|strike|strong|sub|sup|time|tt|u|var"
    "|video|wbr"
)
_BREAKING = (
    "address|article|aside|blockquote|body|br|caption|center|dd|details|div|dl|dt|fieldset|figcaption|figure|footer"
    "|form|h[1-6]|header|hr|html|legend|li|main|nav|ol|option|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul"
)
_APART = "head|iframe|noscript|object|script|select|style|svg|template|textarea|title"
_VALUE = r"(?:[!#-&(-;=?-~]|(?<=[:;,])\ ){0,120}+"  # no blank but behind a mark, as in style="color: red"
_MARKUP = re.compile(
    rf"""&(?:\#(?:[0-9]{{1,10}}+|x[0-9a-f]{{1,8}}+);?|(?P<name>[a-z][a-z0-9]{{1,31}}+;))
    |<(?=[/a-z])/?+(?:{_INLINE}|(?P<breaking>{_BREAKING})|(?P<apart>{_APART}))(?=[\s/>])
     (?:\s{{1,3}}+[a-z-]{{1,20}}+=(?:"{_VALUE}"|'{_VALUE}'|[!\#-&(-;=?-~]{{1,120}}+)){{0,8}}+\s{{0,3}}+/?+>
    |<!--\s?[a-z0-9]{{0,40}}+\s?-->
    |(?<=\w)<!--[\n -;=?-~]{{0,200}}+(?<=--)>(?=\w)""",
    re.IGNORECASE | re.VERBOSE,
)

_READS = {"0": "o", "1": "il", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", "$": "s"}
_MIXED = re.compile(r"[013457@$](?:(?=[a-z])|(?<=[a-z].))")
_SPELLING = re.compile(
    r"(?<![a-z0-9@$])(?=[a-z]{0,23}[013457@$])[a-z013457@$]{2,24}+(?:'[a-z]{1,2}+)?+(?![a-z0-9@$])"
)


class Normal(NamedTuple):
    """The folded text. origin: for each of its characters the offset of the one it comes from; None: the same.

    wide: by its offset, where markup of several characters that stands for one ends.
    """

    text: str
    origin: Sequence[int] | None = None
    wide: Mapping[int, int] = {}

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return where a stretch of the folded text, start < end, lies in the original, in code points."""
        if self.origin is None:
            return start, end
        last = self.origin[end - 1]
        return self.origin[start], self.wide.get(last, last + 1)


def normalise(text: str, words: Set[str] = frozenset()) -> Normal:
    """Return the text as it is matched, with the way back.

    Args:
        text: as it was sent.
        words: what a token that mixes letters with digits or signs may spell.
    """
    if text.isascii() and "  " not in text and not _ROUGH_ASCII.search(text):
        return Normal(text.lower())
    bare = without_markup(text)
    folded, origin = fold(bare.text)
    if words and is_mixed(folded):
        folded = _SPELLING.sub(lambda match: _spelt(match[0], words), folded)
    if bare.origin is not None:
        origin = bare.origin if origin is None else [bare.origin[place] for place in origin]
    return Normal(folded, origin, bare.wide)


def is_mixed(text: str) -> bool:
    """Return whether a normalised text holds a token that may spell a word with digits or signs."""
    return _MIXED.search(text) is not None


def fold(text: str) -> tuple[str, Sequence[int] | None]:
    """Return the text with each character folded by itself, markup as it stands, and the `Normal.origin` of it."""
    folded = text.translate(_FOLDS)
    if _UNEVEN.isdisjoint(text) and "  " not in folded:
        return folded, None
    pieces, origin = [], []
    blank = False
    for place, char in enumerate(text):
        piece = _FOLDS[ord(char)]
        if piece != " " or not blank:
            pieces.append(piece)
            origin += [place] * len(piece)
        blank = piece == " " or (blank and not piece)
    return "".join(pieces), origin


def without_markup(text: str) -> Normal:
    """Return the text as it was sent but for entities, tags and comments of HTML, with the way back."""
    if "&" not in text and "<" not in text:
        return Normal(text)
    pieces: list[str] = []
    origin: list[int] = []
    wide: dict[int, int] = {}
    at = 0
    for match in _MARKUP.finditer(text):
        start, end = match.span()
        piece = _shown(match)
        if piece != match[0]:
            pieces += text[at:start], piece
            origin += range(at, start)
            origin += [start] * len(piece)
            wide[start] = at = end
    return Normal("".join([*pieces, text[at:]]), [*origin, *range(at, len(text))], wide) if at else Normal(text)


def _shown(markup: re.Match[str]) -> str:
    """Return what markup stands for: nothing, line breaks, a character; itself if HTML knows no such entity."""
    if markup["name"]:
        return html5.get(markup["name"], markup[0])
    if markup[0][0] == "&":
        return unescape(markup[0])
    return "\n" if markup["breaking"] else "\n\n" if markup["apart"] else ""


def _spelt(mixed: str, words: Set[str]) -> str:
    """Return the first known word that a token spells, "no" or one of two letters at least; else the token."""
    if mixed != "n0" and sum(map(str.isalpha, mixed)) < 2:
        return mixed
    spellings = map("".join, product(*(_READS.get(char, char) for char in mixed)))
    return next((word for word in islice(spellings, MOST_SPELLINGS) if word in words), mixed)


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
