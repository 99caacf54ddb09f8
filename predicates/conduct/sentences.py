"""Sentences of English, Chinese and mixed text, none longer than 2,000 characters.

A sentence ends at `! ? 。`, at a full stop before a blank, a quote or the end, and at a line break that a blank line,
a list mark or a number follows. A full stop inside a number, an address or a common abbreviation ends nothing; nor
does a lone line break. Text without an end is cut, at the last blank in sight if there is one.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

MOST_CHARACTERS = 2_000

_ABBREVIATIONS = (
    r"e\.g", r"i\.e", "vs", "approx", "incl", "excl", "mr", "mrs", "ms", "dr", r"u\.s", r"u\.k", "inc", "ltd", r"p\.a",
)

END = (
    r"!|\?|\u3002|\.(?<!\.\.)" + "".join(rf"(?<!\b{short}\.)" for short in _ABBREVIATIONS)
    + r"(?:(?<!\bno\.)|(?!\s?[0-9]))(?=[\s\"')\]*\u3000-\U0003ffff]|$)"
    + r"|\n(?= ?(?:\n|[-*\u2022\u00b7#>]|[0-9]{1,3}[.)\u3001]))"
)
"""What ends a sentence of normalised text; each alternative begins with a plain character, so it is found fast."""

_CUTS = re.compile(rf"(?:{END})(?:{END})*[\"')\]\u201d\u300d]*")


class Span(NamedTuple):
    """Start and end of a stretch of text, in characters."""

    start: int
    end: int


def blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield stretches of whole sentences, each at most 2,000 characters long; a longer sentence is cut."""
    start, length = 0, len(text)
    while length - start > MOST_CHARACTERS:
        limit = start + MOST_CHARACTERS
        end = max((match.end() for match in _CUTS.finditer(text, start, limit)), default=0)
        if end <= start or end >= limit:
            end = text.rfind(" ", start, limit) + 1
        yield start, (start := end if end > start else limit)
    if start < length:
        yield start, length


def sentences(text: str) -> list[Span]:
    """Return the sentences of a normalised text in order; each character lies in exactly one."""
    found: list[Span] = []
    for start, end in blocks(text):
        for match in _CUTS.finditer(text, start, end):
            found.append(Span(start, match.end()))
            start = match.end()
        if start < end:
            found.append(Span(start, end))
    return found
