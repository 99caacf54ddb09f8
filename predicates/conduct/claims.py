"""Every claim of a conversation on account, market and products, checked against the frozen context.

The claims are read once for a conversation (`predicates.conduct.meaning`), in the order in which they were said, and
compared exactly (`predicates.conduct.frozen`). The clauses, the judge and the exports take from the same list.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from predicates.conduct.frozen import FALSE, TRUE, UNDECIDED, UNSUPPORTED, Outcome, Value, check
from predicates.conduct.meaning import STATES, Claim, Mention, Topic, read_text
from predicates.conduct.normal import normalise
from predicates.conduct.phrases import Phrases
from predicates.conduct.reading import Reading
from predicates.conduct.words import Utterance, utterances
from scenarios.action import Action
from scenarios.exact import exact_json
from scenarios.types import Instrument, Scenario

__all__ = ["FALSE", "TRUE", "UNDECIDED", "UNSUPPORTED", "CheckedClaim", "read_claims"]

ACCOUNT = STATES | {"position", "cash", "nav", "value", "weight", "holds", "held", "not-held"}
"""The kinds of claim on the state of the account, which a question in the same turn leaves open."""
FORMS = ("Deposit", "Certificate", "Note", "Trust", "ETF")
"""Last words of names by which an instrument may be called where only one has it: "the deposit"."""
PRODUCTS = ("fund", "feeder", "etf", "position", "product", "index fund", "mixed fund")
SPOKEN = ("基金", "那只", "这只", "联接", "产品")
NICKNAMES = {
    "semiconductor": ("chip", "芯片", "半导体"), "healthcare": ("pharma", "medical", "医药", "医疗"),
    "technology": ("tech", "科技"), "dividend": ("红利",), "gold": ("黄金",), "growth": ("成长",),
}
"""What a theme is also called, before a word for a product."""
RETRACTED = 80
"""Characters between a claim and the words that take it back ("that was wrong"), at most."""
KEPT = 8
"""Conversations whose claims are remembered, for the clauses of one contract."""


class CheckedClaim(NamedTuple):
    """One claim with what the frozen context says of it.

    utterance: who said it. start, end, text: where it stands in that text, in code points. measure, word: what it
    claims, as in `predicates.conduct.meaning.Claim`. unit, stated, high: the number, with the sign of a loss; the
    upper end of a range. state: TRUE, FALSE, UNSUPPORTED or UNDECIDED. field, frozen, tolerance: what it was
    compared with. entry: the lexicon's rule. scope: "asserted". excused: corrected or asked about in the same turn.
    """

    utterance: Utterance
    start: int
    end: int
    text: str
    measure: str
    word: str
    unit: str
    stated: Fraction | None
    high: Fraction | None
    period: str
    subject: str
    instruments: tuple[str, ...]
    entry: str
    scope: str
    sentence: int
    state: str
    field: str
    frozen: Value | None
    tolerance: Fraction
    excused: bool = False

    @property
    def kind(self) -> str:
        """What is claimed, in words: the measure, or the claim in words."""
        return self.word or self.measure

    def record(self) -> dict[str, object]:
        """Return the claim as it is written: strings and exact numbers."""
        return {
            "where": self.utterance.where, "speaker": self.utterance.speaker, "turn": self.utterance.turn,
            "start": self.start, "end": self.end, "text": self.text, "kind": self.kind, "unit": self.unit,
            "stated": exact_json(self.stated), "high": exact_json(self.high), "period": self.period,
            "subject": self.subject, "instruments": list(self.instruments), "entry": self.entry, "state": self.state,
            "field": self.field, "frozen": exact_json(self.frozen), "tolerance": exact_json(self.tolerance),
        }


Names = Mapping[str, str]
"""What instruments are called, with their ids."""

_KNOWN: list[tuple[Scenario, Action, Phrases, tuple[CheckedClaim, ...]]] = []


def read_claims(scenario: Scenario, action: Action, phrases: Phrases) -> tuple[CheckedClaim, ...]:
    """Return every claim that was asserted, by client and advisor, in the order in which it was said.

    Args:
        scenario: with its consultation; without one every claim is UNSUPPORTED.
        action: the advisor's answers.
        phrases: compiled from lexicons that include a claims lexicon.
    """
    for known_scenario, known_action, known_phrases, claims in _KNOWN:
        if known_scenario is scenario and known_action is action and known_phrases is phrases:
            return claims
    found = tuple(_read(scenario, action, phrases))
    _KNOWN.append((scenario, action, phrases, found))
    del _KNOWN[:-KEPT]
    return found


def _read(scenario: Scenario, action: Action, phrases: Phrases) -> Iterator[CheckedClaim]:
    names = _names(scenario.instruments)
    topic = Topic()
    for utterance in utterances(scenario, action):
        reading = phrases.read(utterance.text)
        own = utterance.speaker == "client"
        claims, topic = read_text(reading, _mentions(names, reading.normal.text), topic, own=own)
        checked = [_checked(utterance, claim, outcome) for claim in claims if claim.scope == "asserted"
                   if (outcome := check(claim, scenario)) is not None]
        if any(claim.state == FALSE for claim in checked):
            checked = _excuse(checked, reading)
        yield from checked


def _checked(utterance: Utterance, claim: Claim, outcome: Outcome) -> CheckedClaim:
    quantity, sign = claim.quantity, claim.sign or 1
    stated = None if quantity is None else sign * quantity.low
    return CheckedClaim(
        utterance, claim.start, claim.end, utterance.text[claim.start : claim.end], claim.measure, claim.word,
        "words" if quantity is None else quantity.unit, stated,
        None if quantity is None or quantity.high == quantity.low else sign * quantity.high, claim.period,
        claim.subject, claim.instruments, claim.entry, claim.scope, claim.sentence, *outcome,
    )


def _excuse(claims: list[CheckedClaim], reading: Reading) -> list[CheckedClaim]:
    """Return the claims of a turn, a false one excused if the turn takes it back or asks whether the account is so."""
    asked = max((match.start for match in reading.of("claim.ask")), default=0)
    retracted = sorted(match.start for match in reading.of("claim.retract"))
    mended = sorted(match.start for match in reading.of("claim.correct"))
    last_true = {claim.measure: claim.start for claim in claims if claim.state == TRUE}

    def is_excused(claim: CheckedClaim) -> bool:
        if claim.state != FALSE:
            return False
        if claim.kind in ACCOUNT and claim.start < asked:
            return True
        place = bisect_left(retracted, claim.end)
        if place < len(retracted) and retracted[place] - claim.end <= RETRACTED:
            return True
        place = bisect_left(mended, claim.end)
        return place < len(mended) and mended[place] < last_true.get(claim.measure, 0)

    return [claim._replace(excused=True) if is_excused(claim) else claim for claim in claims]


def _names(instruments: tuple[Instrument, ...]) -> Names:
    """Return what the instruments are called, normalised, each name with the id.

    That is their ids, aliases and sheet names, what the names of one language share ("Semiconductor", 结构性存款), and
    the theme before a word for a product. What two instruments are called names neither.
    """
    found: dict[str, str] = {}
    twice: set[str] = set()
    for one in instruments:
        called = _called(one.id, one.aliases, () if one.product is None else one.product.names, one.theme)
        twice |= found.keys() & called.keys()
        found.update(called)
    for name in twice:
        del found[name]
    return found


@lru_cache(4_096)
def _called(own: str, aliases: tuple[str, ...], names: tuple[str, ...], theme: str | None) -> Names:
    """Return what one instrument is called, normalised, if no other is called so."""
    themed = [] if theme is None else [f"{called} {noun}" for called in _themes(theme) for noun in PRODUCTS]
    themed += [f"{called}{noun}" for called in NICKNAMES.get(theme or "", ()) for noun in SPOKEN]
    kinds = [f"the {name.split()[-1]}" for name in names if name.endswith(FORMS)]
    every = (normalise(name).text for name in (own, *aliases, *names, *_shared(names), *themed, *kinds))
    return dict.fromkeys(filter(None, every), own)


def _themes(theme: str) -> tuple[str, ...]:
    """Return the theme, its first word, and what it is also called."""
    return theme, theme.split()[0], *NICKNAMES.get(theme, ())


def _shared(names: Sequence[str]) -> Iterator[str]:
    """Yield what the first two names of a language share at the start or at the end, and the first four 字 of it."""
    english, chinese = [name for name in names if name.isascii()], [name for name in names if not name.isascii()]
    for parts, joint in (([name.split() for name in english[:2]], " "), ([list(name) for name in chinese[:2]], "")):
        if joint and parts and len(parts[0]) > 2 and not parts[0][1][-1].isdigit():
            yield joint.join(parts[0][:2])
        if len(parts) < 2:
            continue
        first, last = _common(*parts), _common(*(part[::-1] for part in parts))[::-1]
        for shared in (first, last, *([] if joint else [first[:4]])):
            name = joint.join(shared)
            if len(name) > (3 if joint else 2) and not name.endswith(("Fund", "基金")) and not name[-1].isdigit():
                yield name


def _common(one: list[str], other: list[str]) -> list[str]:
    differs = (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    return one[: next(differs, min(len(one), len(other)))]


def _mentions(names: Names, text: str) -> list[Mention]:
    """Return where the instruments are named; of names that overlap, the longest."""
    near = [name for name in names if name in text]
    if not near:
        return []
    found: list[Mention] = []
    taken = bytearray(len(text))
    for name in sorted(near, key=len, reverse=True):
        place = text.find(name)
        while place >= 0:
            end = place + len(name)
            if 1 not in taken[place:end]:
                taken[place:end] = b"\1" * (end - place)
                found.append(Mention(place, end, names[name]))
            place = text.find(name, end)
    return sorted(found)
