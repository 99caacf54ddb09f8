"""How matched words stand: asserted, or negated, quoted, attributed, hypothetical, conditional, a question.

The words that decide are entries of the lexicons themselves (cues), by role:

    scope.negation      before the match, in its clause, at most 40 characters back, or in a gap of the match; two
                        that are not joined ("not ... nor") cancel each other
    scope.denial        after the match, at most 40 characters on ("... does not exist")
    scope.attribution   before it in the sentence, at most 120 characters back, with no contrast between
    scope.credit        after it, at most 40 characters on ("..., the rule says")
    scope.hypothesis, scope.condition, scope.question    before it, like an attribution
    scope.boundary      a contrast ("but"), which a cue does not reach across
    scope.joint         joins two negations into one
    scope.plain         takes the cues that it overlaps away ("not only", "no doubt")
    except.ROLE         overlaps a match whose role begins with ROLE: there is no match at all

A quotation is quoted only where the sentence has an attribution, a credit, a negation or a denial beside it:
quotation marks alone do not make a promise somebody else's.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

NEAR = 40
"""Characters between a match and a negation before or a denial after it, at most."""
FAR = 120
"""Characters between a match and an attribution, hypothesis, condition or question word before it, at most."""
REACH = FAR + NEAR
"""Cues that begin farther from a match than that, in characters, decide nothing."""

_CLAUSE_MARKS = frozenset(",;:\u2014")
_ADJECTIVES = {"scope.hypothesis": "hypothetical", "scope.condition": "conditional", "scope.question": "question"}


class Cue(NamedTuple):
    """A scope word in coded text: first word, end, role, entry."""

    first: int
    last: int
    role: str
    entry: str


class Place(NamedTuple):
    """A match in coded text, from its first word to its end.

    spans: where each coded word stands in the text, for distances in characters. words: what the phrase spells out.
    asks: the sentence ends with "?".
    """

    coded: str
    spans: Sequence[tuple[int, int]]
    first: int
    last: int
    words: frozenset[str]
    asks: bool

    def skips(self, cue: Cue) -> bool:
        """Return whether the cue stands in a gap of the match: inside it, and no part of the phrase."""
        inside = self.first < cue.first and cue.last < self.last
        return inside and not self.words.issuperset(self.coded[cue.first : cue.last])


def live_cues(cues: Iterable[Cue]) -> list[Cue]:
    """Return the cues of a sentence in order, without those that a plain phrase overlaps."""
    ordered = sorted(cues)
    kept: list[Cue] = []
    reached = 0  # the end of the plain phrases so far
    for cue in ordered:
        if cue.role == "scope.plain":
            while kept and kept[-1].last > cue.first and not kept[-1].role.startswith("except."):
                kept.pop()
            reached = max(reached, cue.last)
        elif cue.first >= reached or cue.role.startswith("except."):
            kept.append(cue)
    return kept


def decide(place: Place, role: str, cues: Iterable[Cue], in_quotation: bool) -> tuple[str, str]:
    """Return the scope of a match and the entry that decided it; ("", entry) where an exception takes it away.

    Args:
        place: the match.
        role: its role, for the exceptions.
        cues: the live cues around it, in order; those farther than `FAR` characters decide nothing.
        in_quotation: whether it stands between quotation marks.
    """
    start, end = place.spans[place.first][0], place.spans[place.last - 1][1]
    before: list[Cue] = []
    after: list[Cue] = []
    inside: list[Cue] = []
    contrast = len(place.coded)  # where the first contrast after the match ends
    for cue in cues:
        if cue.last <= place.first:
            if cue.role == "scope.boundary":
                before = [one for one in before if one.last > cue.first]
            elif start - place.spans[cue.last - 1][1] <= FAR:
                before.append(cue)
        elif cue.first >= place.last:
            if cue.role == "scope.boundary":
                contrast = min(contrast, cue.last)
            elif cue.first < contrast and place.spans[cue.first][0] - end <= NEAR:
                after.append(cue)
        elif cue.role.startswith("except.") and role.startswith(cue.role[7:]):
            return "", cue.entry
        elif place.skips(cue):
            inside.append(cue)
    told = [cue for cue in before if cue.role == "scope.attribution"]
    told += [cue for cue in after if cue.role == "scope.credit"]
    denied = [cue for cue in after if cue.role == "scope.denial"]
    if in_quotation:
        beside = told + denied + [cue for cue in before if cue.role == "scope.negation"]
        if beside:
            return "quoted", beside[0].entry
    if told:
        return "attributed", told[0].entry
    negations = [cue for cue in before if cue.role in ("scope.negation", "scope.joint")
                 and start - place.spans[cue.last - 1][1] <= NEAR]
    if negations:
        clause = max(place.coded.rfind(mark, max(0, place.first - FAR), place.first) for mark in _CLAUSE_MARKS)
        negations = [cue for cue in negations if cue.first > clause]
    denials = [*negations, *(cue for cue in inside if cue.role in ("scope.negation", "scope.joint"))]
    if _count(denials) % 2:
        return "negated", denials[-1].entry
    if role.startswith("claim."):  # a fact is denied in its own clause: "you are Conservative, so this does not suit"
        denied = [cue for cue in denied if _CLAUSE_MARKS.isdisjoint(place.coded[place.last : cue.first])]
    if denied:
        return "negated", denied[0].entry
    for kind, scope in _ADJECTIVES.items():
        found = [cue for cue in before if cue.role == kind]
        if found:
            return scope, found[-1].entry
    return alone(place.asks)


def alone(asks: bool) -> tuple[str, str]:
    """Return the scope of a match that no cue decides. asks: its sentence ends with "?"."""
    return ("question", "?") if asks else ("asserted", "")


def _count(negations: Iterable[Cue]) -> int:
    """Count negations; those that overlap or that a joint connects are one."""
    count, reached, joined = 0, 0, False
    for cue in negations:
        if cue.role == "scope.joint":
            joined = True
        else:
            count += cue.first >= reached and not (joined and count)
            reached, joined = max(reached, cue.last), False
    return count
