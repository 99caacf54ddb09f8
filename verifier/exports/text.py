"""Texts as they are shown: what a reader cannot see is written as an escape, and nothing is taken away.

Control characters, bidirectional marks, zero-width and other invisible characters, unusual blanks, private
and lone surrogate code points become `\\u202e` or `\\U000e0041`; line breaks stay. A text that itself holds the
letters of such an escape gets a second backslash, so that the two cannot be confused. The ranges are listed
here, and not asked of Python's Unicode tables, which differ from release to release.
"""

import re

UNSEEN = (
    "\\x00-\\x09\\x0b-\\x1f\\x7f-\\xa0\\xad\\u034f\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2"
    "\\u115f\\u1160\\u1680\\u17b4\\u17b5\\u180b-\\u180f\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u2800\\u3164"
    "\\ud800-\\uf8ff\\ufdd0-\\ufdef\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb\\ufffe\\uffff"
    "\\U000110bd\\U000110cd\\U00013430-\\U0001343f\\U0001bca0-\\U0001bca3\\U0001d173-\\U0001d17a"
    "\\U000e0000-\\U0010ffff"
)
"""What a reader cannot see, as the inside of a character class."""

_ESCAPED = re.compile(f"[{UNSEEN}]|\\\\(?=u[0-9a-f]{{4}}|U[0-9a-f]{{8}})")


def shown(text: str) -> str:
    """Return a text with everything that cannot be seen written as its escape."""
    return _ESCAPED.sub(lambda match: escape(match[0]), text)


def escape(one: str) -> str:
    """Return the escape of one character: `\\u202e`, `\\U0001f600`; a backslash is doubled."""
    if one == "\\":
        return "\\\\"
    return f"\\u{ord(one):04x}" if ord(one) < 0x10000 else f"\\U{ord(one):08x}"


def shorten(text: str, most: int, whole: str = "review.jsonl") -> str:
    """Return a text of at most `most` UTF-16 units; where it is cut, its end says so and where the whole stands."""
    if 2 * len(text) <= most or len(text.encode("utf-16-le")) <= 2 * most:
        return text
    statement = f"… [cut: {len(text):,} characters in all; {whole} has the whole text]"
    return text.encode("utf-16-le")[: 2 * (most - len(statement))].decode("utf-16-le", "ignore") + statement


def defuse(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula: an apostrophe stands before = + - @ at its beginning.

    Blanks before the sign and its full-width forms count as well; a tab or a carriage return at the beginning
    was escaped by `shown`.
    """
    return f"'{text}" if text.lstrip().startswith(_FORMULA_SIGNS) else text


_FORMULA_SIGNS = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
