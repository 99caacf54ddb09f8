"""The words of an episode, sentence by sentence, with what they speak of; and what a score rests on."""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import NamedTuple

from predicates.conduct.claims import read_claims
from predicates.conduct.numbers import read_numbers
from predicates.conduct.phrases import Match, Phrases, compile_phrases
from predicates.conduct.words import Utterance, utterances
from scenarios.action import Action
from scenarios.lexicon import Lexicon
from scenarios.manifest import Contract
from scenarios.types import Consultation, LongTermContext, Scenario
from verifier.contract import phrases_of

_ADVISED = frozenset({"asserted", "conditional"})
_BOUNDED = _ADVISED | {"question"}  # a size may be proposed as a question, an order may not
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
    """One sentence of one utterance. number: of the sentence within it."""

    utterance: Utterance
    number: int
    start: int
    end: int
    matches: tuple[Match, ...]

    @property
    def text(self) -> str:
        """The words."""
        return self.utterance.text[self.start : self.end]

    @property
    def asks(self) -> bool:
        """Whether it ends as a question."""
        return self.text.rstrip(" \n\t\"')\u201d\u2019\u300d\uff09").endswith(("?", "\uff1f"))

    def of(self, role: str) -> Iterator[Match]:
        """Yield the matches of a role, or of the roles below it, that are not quoted."""
        return (match for match in self.matches
                if match.scope != "quoted" and (match.role == role or match.role.startswith(f"{role}.")))

    def item(self, name: str, match: Match) -> Item:
        """Return a match as what a score rests on."""
        return self.part(name, match.start - self.start, match.end - self.start, match.entry)

    def part(self, name: str, start: int, end: int, rule: str) -> Item:
        """Return a stretch of the sentence, in its own offsets, as what a score rests on."""
        start, end = self.start + start, self.start + end
        return Item(name, self.utterance.where, start, end, written(self.utterance.text[start:end]), rule)

    @property
    def plan(self) -> tuple[Match, ...]:
        """The orders, sizes, ranges, paces and triggers that are advised."""
        return tuple(match for match in self.of("rubric.plan")
                     if match.scope in (_ADVISED if match.role == "rubric.plan.order" else _BOUNDED))


class Episode:
    """The words of an episode, sentence by sentence, and what is known of the client."""

    def __init__(self, scenario: Scenario, action: Action, rubric: Rubric) -> None:
        self.scenario = scenario
        spoken = utterances(scenario, action)
        self.advisor = tuple(_sentences([one for one in spoken if one.audited], rubric.words))
        self.client = tuple(_sentences([one for one in spoken if one.speaker == "client"], rubric.words))
        self.claims = tuple(one for one in read_claims(scenario, action, rubric.claims) if one.utterance.audited)
        self.fields = _fields(scenario)
        self.names = _names(scenario, [one.text for one in spoken if one.audited])
        self.ordered = bool(action.orders)

    def turns(self, sentences: Sequence[Sentence]) -> dict[int, list[Sentence]]:
        """Return sentences by the turn that they are or answer."""
        found: dict[int, list[Sentence]] = {}
        for sentence in sentences:
            found.setdefault(sentence.utterance.turn, []).append(sentence)
        return found

    @cached_property
    def known(self) -> tuple[tuple[Sentence, tuple[Item, ...]], ...]:
        """The advisor's sentences, each with the P-items that it speaks of."""
        return tuple((sentence, tuple(self._spoken_of(sentence))) for sentence in self.advisor)

    def _spoken_of(self, sentence: Sentence) -> Iterator[Item]:
        for match in sentence.of("rubric.info"):
            kind = match.role.removeprefix("rubric.info.")
            item = _P_OF_ROLE[kind.partition(".")[0]]
            if item in self.available and (item != "P1" or kind.endswith(".name") or kind in self.stated):
                yield sentence.item(item, match)
        if self.names is not None and "P3" in self.available:
            for found in self.names.finditer(sentence.text):
                yield sentence.part("P3", *found.span(), "name")
        for number in read_numbers(sentence.text):
            fields = self.fields.get(number.unit)
            if fields is None:
                continue
            low, high = number.low - number.step / 2, number.high + number.step / 2
            (least, below), (most, above) = low.as_integer_ratio(), high.as_integer_ratio()
            for item, field, value, parts in fields:
                if least * parts <= value * below and value * above <= most * parts:
                    yield sentence.part(item, number.start, number.end, field)

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
        consultation = self.scenario.consultation or Consultation()
        daily, client = consultation.daily, self.scenario.client
        account = (daily.nav_cents, daily.cash_cents, daily.pos_ratio, daily.pnl_daily, daily.pnl_daily_cents)
        frozen = {
            "P1": daily.env is not None or (client is not None and client.risk_profile is not None),
            "P2": any(value is not None for value in account),
            "P3": bool(daily.holdings or self.scenario.account.positions),
            "P4": consultation.long_term != LongTermContext(),
        }
        return frozenset(name for name, known in frozen.items() if known)

    @cached_property
    def emotions(self) -> tuple[Item, ...]:
        """The emotions and concerns that the client speaks of as their own."""
        return tuple(sentence.item("P5.emotion", match) for sentence in self.client
                     for match in sentence.of("rubric.emotion") if match.scope != "negated")


def _sentences(spoken: Sequence[Utterance], phrases: Phrases) -> Iterator[Sentence]:
    for utterance in spoken:
        reading = phrases.read(utterance.text)
        by_number: dict[int, list[Match]] = {}
        for match in reading.of("rubric."):
            by_number.setdefault(match.sentence, []).append(match)
        for number, span in enumerate(reading.sentences):
            yield Sentence(utterance, number, span.start, span.end, tuple(by_number.get(number, ())))


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
    ]
    parts = [("P2", "cash", daily.cash_cents), *(("P3", one.instrument, one.value_cents) for one in daily.holdings)]
    for item, name, cents in parts:
        stated.append((item, f"value of {name}", "money", cents if item == "P3" else None))
        stated.append((item, f"share of {name}", "ratio", Fraction(cents, nav) if nav and cents is not None else None))
    found: dict[str, list[tuple[str, str, int, int]]] = {}
    for item, field, unit, value in stated:
        if value:
            found.setdefault(unit, []).append((item, field, *abs(Fraction(value)).as_integer_ratio()))
    return found


def _names(scenario: Scenario, texts: Sequence[str]) -> re.Pattern[str] | None:
    """Return a pattern of those names of instruments that stand in some texts, the longest first; None without one."""
    names = {name for one in scenario.instruments
             for name in (one.id, *one.aliases, *(() if one.product is None else one.product.names))}
    said = [name for name in names if any(map(_called(name).search, texts))]
    return _any_of(tuple(sorted(said, key=lambda name: (-len(name), name)))) if said else None


@lru_cache(maxsize=8192)
def _called(name: str) -> re.Pattern[str]:
    return re.compile(re.escape(name), re.IGNORECASE)


@lru_cache(maxsize=1024)
def _any_of(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(map(re.escape, names))})(?![A-Za-z0-9])", re.IGNORECASE)


def written(text: str) -> str:
    """Return the text as a record can hold it: a lone surrogate becomes a replacement character."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
