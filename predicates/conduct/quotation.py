"""Where a text quotes: between quotation marks of English and Chinese, within bounds.

A quotation holds at most 300 characters and no blank line. A straight single quote opens after a blank or a bracket
and closes before one, so an apostrophe opens nothing; an apostrophe inside does not close it. Chinese title marks
name a document and quote nothing. A mark that is written as an entity of HTML counts, one inside a tag does not. Each
pattern stops at its own marks, so the search is linear in the text.
"""

import re

from predicates.conduct.normal import without_markup

MOST_CHARACTERS = 300

_PAIRS = (("\u201c", "\u201d"), ("\u300c", "\u300d"), ("\u300e", "\u300f"), ("\u00ab", "\u00bb"),
          ("\u2018", "\u2019"), ("\u201e", "\u201c"), ('"', '"'), ("\uff02", "\uff02"))
_MARKS = frozenset("'").union(*(first for first, _ in _PAIRS))
_QUOTED = re.compile("|".join([
    *(f"{a}(?:[^{a}{b}\n]|\n(?!\n)|(?<=[a-z]){b}(?=[a-z])){{1,{MOST_CHARACTERS}}}+{b}" for a, b in _PAIRS),
    rf"(?<![^\s(\[,:]) ?'(?=\S)(?:[^'\n]|\n(?!\n)|(?<=\w)'(?=\w)){{1,{MOST_CHARACTERS}}}+'(?!\w)",
]))


def quotations(text: str) -> list[tuple[int, int]]:
    """Return start and end of what stands between quotation marks, the marks included, in order of place."""
    bare = without_markup(text)
    if _MARKS.isdisjoint(bare.text):
        return []
    return [bare.span(*match.span()) for match in _QUOTED.finditer(bare.text)]
