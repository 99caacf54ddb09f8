"""The words of an episode, sentence by sentence, with what they speak of; and what a score rests on."""

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import NamedTuple

from predicates.conduct.claims import read_claims
from predicates.conduct.phrases import Phrases, compile_phrases
from predicates.conduct.words import Utterance, utterances
from scenarios.action import Action
from scenarios.json_exact import replace_surrogates
from scenarios.lexicon import Lexicon
from scenarios.manifest import Contract
from scenarios.types import Consultation, Scenario
from verifier.contract import phrases_of
from verifier.rubric.words import Part, Spoken, Words, read_amounts, read_sentences

_NOTHING = Consultation()
_P_OF_ROLE = {"profile": "P1", "env": "P1", "account": "P2", "holdings": "P3", "longterm": "P4"}


class Item(NamedTuple):
    """What a score rests on.

    name: the criterion, such as "A3.pace", "P2", "R2.cash", or the code of a clause. where: JSON Pointer of the text,
    into the action or the scenario's dialogue. start, end: of the words in it, in code points; None where a finding
    has no span. rule: entry of the lexicon, field of the context, or code.
    """

    name: str
    where: str
    start: int | None
    end: int | None
    text: str
    rule: str


class Rubric(NamedTuple):
    """What a contract judges episodes by. claims: the phrases of its clauses. words: those of its rubric."""

    claims: Phrases
    words: Phrases

    @classmethod
    def of(cls, contract: Contract) -> "Rubric | None":
        """Return the rubric that a contract carries; None where it carries none.

        Raises:
            ScenarioError: a phrase cannot be compiled.
        """
        carried = contract.lexicons or ()
        own = [lexicon for lexicon in carried if lexicon.is_rubric]
        scope = tuple(entry for lexicon in carried if lexicon not in own for entry in lexicon.entries
                      if entry.role.startswith(("scope.", "set.")))
        if not own or not scope:
            return None
        return cls(phrases_of(contract), compile_phrases([*own, Lexicon(id="scope", version="1", entries=scope)]))


class Sentence(NamedTuple):
    """One sentence of one utterance. text: as it was written; spoken: as it was read."""

    utterance: Utterance
    text: str
    spoken: Spoken

    @property
    def words(self) -> Words:
        """What it says."""
        return self.spoken.said

    def item(self, name: str, part: Part) -> Item:
        """Return what a phrase says as what a score rests on."""
        own = self.spoken.own
        return self.stretch(name, own(part.start), own(part.end), part.rule)

    def stretch(self, name: str, start: int, end: int, rule: str) -> Item:
        """Return a stretch of the sentence, in its own offsets, as what a score rests on."""
        text, before = replace_surrogates(self.text[start:end]), self.spoken.start
        return Item(name, self.utterance.where, before + start, before + end, text, rule)


class Episode:
    """The words of an episode, sentence by sentence, and what is known of the client."""

    def __init__(self, scenario: Scenario, action: Action, rubric: Rubric) -> None:
        self.scenario = scenario
        spoken = utterances(scenario, action)
        self.advisor = tuple(_sentences([one for one in spoken if one.audited], rubric))
        self.client = tuple(_sentences([one for one in spoken if one.speaker == "client"], rubric))
        self.claims = tuple([one for one in read_claims(scenario, action, rubric.claims) if one.utterance.audited])
        self.ordered = bool(action.orders)
        self._known: dict[tuple[str, int], tuple[Item, ...]] = {}

    def known(self, sentence: Sentence) -> tuple[Item, ...]:
        """Return the P-items that a sentence of the advisor speaks of."""
        place = sentence.utterance.where, sentence.spoken.start
        found = self._known.get(place)
        if found is None:
            found = self._known[place] = tuple(self._items(sentence))
        return found

    def _items(self, sentence: Sentence) -> Iterator[Item]:
        for part in sentence.words.of("info"):
            kind = part.kind.removeprefix("info.")
            item = _P_OF_ROLE[kind.partition(".")[0]]
            if item in self.available and (item != "P1" or kind.endswith(".name") or kind in self.stated):
                yield sentence.item(item, part)
        if "P3" in self.available and self.names:
            for start, end in _named(self.names, sentence.text):
                yield sentence.stretch("P3", start, end, "name")
        for amount in read_amounts(sentence.spoken.text) if self.fields else ():
            (least, below), (most, above) = amount.low, amount.high
            for item, field, value, parts in self.fields.get(amount.unit, ()):
                if least * parts <= value * below and value * above <= most * parts:
                    yield sentence.stretch(item, amount.start, amount.end, field)

    def states(self, sentence: Sentence) -> bool:
        """Return whether a sentence of the advisor asks, or speaks of what is known of the client."""
        return sentence.words.asks or bool(self.known(sentence))

    @property
    def is_personal(self) -> bool:
        """Whether the advisor speaks of anything that is known of the client."""
        return any(map(self.known, self.advisor))

    @cached_property
    def names(self) -> tuple[re.Pattern[str], ...]:
        """What finds the names of instruments that stand in the advisor's words."""
        return _names(self.scenario, "\n".join([sentence.text for sentence in self.advisor]))

    @cached_property
    def fields(self) -> dict[str, list[tuple[str, str, int, int]]]:
        """The numbers of the frozen context."""
        return _fields(self.scenario)

    @cached_property
    def stated(self) -> frozenset[str]:
        """The client's profile and the market regime, as the roles of the rubric name them."""
        client, consultation = self.scenario.client, self.scenario.consultation
        profile = None if client is None else client.risk_profile
        env = None if consultation is None else consultation.daily.env
        return frozenset({f"profile.{profile}", f"env.{env}"})

    @cached_property
    def available(self) -> frozenset[str]:
        """The P-items of which the scenario freezes something."""
        consultation = self.scenario.consultation or _NOTHING
        daily, client = consultation.daily, self.scenario.client
        account = (daily.nav_cents, daily.cash_cents, daily.pos_ratio, daily.pnl_daily, daily.pnl_daily_cents)
        frozen = {
            "P1": daily.env is not None or (client is not None and client.risk_profile is not None),
            "P2": any(value is not None for value in account),
            "P3": bool(daily.holdings or self.scenario.account.positions),
            "P4": consultation.long_term != _NOTHING.long_term,
        }
        return frozenset(name for name, known in frozen.items() if known)

    @cached_property
    def emotions(self) -> tuple[Item, ...]:
        """The emotions and concerns that the client speaks of as their own."""
        return tuple([sentence.item("P5.emotion", part) for sentence in self.client
                      for part in sentence.words.of("emotion") if part.scope != "negated"])


def _sentences(spoken: Iterable[Utterance], rubric: Rubric) -> Iterator[Sentence]:
    for utterance in spoken:
        for one in read_sentences(utterance.text, rubric.words):
            yield Sentence(utterance, utterance.text[one.start : one.end], one)


def _fields(scenario: Scenario) -> dict[str, list[tuple[str, str, int, int]]]:
    """Return the numbers of the frozen context by unit; 0 says nothing.

    Each as (P-item, field, numerator, denominator), without its sign.
    """
    consultation = scenario.consultation
    if consultation is None:
        return {}
    daily, long_term, nav = consultation.daily, consultation.long_term, consultation.daily.nav_cents
    stated: list[tuple[str, str, str, int | Fraction | None]] = [
        ("P2", "nav_cents", "money", nav), ("P2", "cash_cents", "money", daily.cash_cents),
        ("P2", "pnl_daily_cents", "money", daily.pnl_daily_cents), ("P2", "pnl_daily", "ratio", daily.pnl_daily),
        ("P2", "pos_ratio", "ratio", daily.pos_ratio), ("P2", "drawdown", "ratio", daily.drawdown),
        ("P4", "cum_return_20td", "ratio", long_term.cum_return_20td),
        ("P4", "cum_return_3m", "ratio", long_term.cum_return_3m), ("P4", "mdd_3m", "ratio", long_term.mdd_3m),
        *[("P3", f"value of {one.instrument}", "money", one.value_cents) for one in daily.holdings],
    ]
    found: dict[str, list[tuple[str, str, int, int]]] = {"money": [], "ratio": []}
    for item, field, unit, value in stated:
        if value:
            numerator, denominator = value.as_integer_ratio()
            found[unit].append((item, field, abs(numerator), denominator))
    parts = [("P2", "cash", daily.cash_cents), *[("P3", one.instrument, one.value_cents) for one in daily.holdings]]
    found["ratio"] += [(item, f"share of {name}", abs(cents), abs(nav)) for item, name, cents in parts if cents and nav]
    return found


def _names(scenario: Scenario, text: str) -> tuple[re.Pattern[str], ...]:
    """Return what finds each of those names of instruments that stand in a text, the longest first."""
    names = {name for one in scenario.instruments
             for name in (one.id, *one.aliases, *(() if one.product is None else one.product.names))}
    said = [name for name in names if _called(name).search(text)]
    return tuple([_alone(name) for name in sorted(said, key=lambda name: (-len(name), name))])


def _named(names: Iterable[re.Pattern[str]], text: str) -> Iterator[tuple[int, int]]:
    """Yield where names stand in a text; of those that begin together the first, and none that overlaps the last."""
    found = [(match.start(), rank, match.end(1)) for rank, name in enumerate(names) for match in name.finditer(text)]
    reached = 0
    for start, _, end in sorted(found):
        if start >= reached:
            yield start, end
            reached = end


@lru_cache(maxsize=8192)
def _called(name: str) -> re.Pattern[str]:
    return re.compile(re.escape(name), re.IGNORECASE)


@lru_cache(maxsize=8192)
def _alone(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z0-9])(?=({re.escape(name)})(?![A-Za-z0-9]))", re.IGNORECASE)
