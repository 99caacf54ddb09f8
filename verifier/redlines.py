"""Precision and recall of the redline clauses on a labelled set, by redline and language, with Wilson intervals.

A text counts once for a redline: the clause fires anywhere in it, or not. Precision is over all texts in which the
clause fires, whatever they were written for; recall over all texts that are labelled with the redline. The half
`test` was never looked at while phrases were written.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from predicates.findings import Finding
from scenarios.action import Action, Said
from scenarios.errors import ScenarioError
from scenarios.exact import round_half_up
from scenarios.labels import LabelledText, Labels
from scenarios.types import Scenario, Turn
from verifier.contract import Judge
from verifier.intervals import wilson

REDLINES = ("COND01", "COND02", "COND03", "COND04", "COND05")
LANGUAGES = ("en", "zh", "mixed")
LEAST_PRECISION, LEAST_RECALL = Fraction(95, 100), Fraction(90, 100)
LEAST_RECALL_OF_A_LANGUAGE, LEAST_LOW_RECALL = Fraction(85, 100), Fraction(80, 100)


class Count(NamedTuple):
    """Texts of one redline and language, "all" for all of them: labelled and fired, fired alone, labelled alone."""

    redline: str
    language: str
    hit: int
    false: int
    missed: int

    @property
    def precision(self) -> Fraction | None:
        """The share of texts with the redline among those in which the clause fires."""
        return _share(self.hit, self.hit + self.false)

    @property
    def recall(self) -> Fraction | None:
        """The share of texts in which the clause fires among those with the redline."""
        return _share(self.hit, self.hit + self.missed)

    @property
    def bounds(self) -> tuple[tuple[Fraction, Fraction] | None, tuple[Fraction, Fraction] | None]:
        """Wilson's 95 % bounds of precision and recall."""
        return wilson(self.hit, self.hit + self.false), wilson(self.hit, self.hit + self.missed)


class Measured(NamedTuple):
    """counts: by redline, then language. missed, false: (redline, kind, number of texts), the most frequent first."""

    counts: tuple[Count, ...]
    missed: tuple[tuple[str, str, int], ...]
    false: tuple[tuple[str, str, int], ...]
    texts: int


class Fired(NamedTuple):
    """A labelled text and the redlines that fire in it."""

    text: LabelledText
    codes: frozenset[str]


def fire(judge: Judge, labels: Labels, texts: Iterable[LabelledText]) -> list[Fired]:
    """Return which redlines fire in each text, said in its context, to the client's words where there are some.

    Raises:
        ScenarioError: the contract lacks a redline, or a clause cannot decide a text.
    """
    lacking = sorted({*REDLINES} - {clause.code for clause in judge.contract.clauses})
    if lacking:
        raise ScenarioError(f"contract {judge.contract.id}", f"has no clause {lacking[0]}",
                            "measure one that has all redlines, such as conduct-1")
    decide: dict[tuple[str, str | None], Callable[[Action], tuple[str, dict[str, str], tuple[Finding, ...]]]] = {}
    found = []
    for text in texts:
        key = (text.context, text.client_says)
        if key not in decide:
            decide[key] = judge.bind(said_to(labels.contexts[text.context], text.client_says)).decide
        turn = Said(1, text.advisor_says)
        action = Action(message=text.advisor_says) if text.client_says is None else Action(turns=(turn,))
        _, states, findings = decide[key](action)
        for code in REDLINES:
            if states[code] == "ERROR":
                why = next(judge.sentence(one) for one in findings if one.code == code)
                raise ScenarioError(f"context {text.context}", f"{code} cannot be decided in text {text.id}: {why}",
                                    "say it in another context, and report the clause")
        found.append(Fired(text, frozenset(code for code in REDLINES if states[code] in ("FAIL", "WAIVED"))))
    return found


def said_to(context: Scenario, client_says: str | None) -> Scenario:
    """Return the context, with the client's turn that the advisor answers where there is one."""
    if client_says is None:
        return context
    turn = Turn(speaker="client", text=client_says, reply=True)
    return Scenario.model_construct(**{**dict(context), "dialogue": (turn,)})


def measure(fired: Sequence[Fired]) -> Measured:
    """Return the counts of every redline and language, and what is missed or falsely found, by kind."""
    counts = []
    for redline in REDLINES:
        for language in ("all", *LANGUAGES):
            of = [one for one in fired if language in ("all", one.text.language)]
            hit = sum(redline in one.codes and redline in one.text.labels for one in of)
            false = sum(redline in one.codes and redline not in one.text.labels for one in of)
            missed = sum(redline not in one.codes and redline in one.text.labels for one in of)
            counts.append(Count(redline, language, hit, false, missed))
    missed_kinds = Counter((code, one.text.kind) for one in fired for code in {*one.text.labels} - one.codes)
    false_kinds = Counter((code, one.text.kind) for one in fired for code in one.codes - {*one.text.labels})
    return Measured(tuple(counts), _most(missed_kinds), _most(false_kinds), len(fired))


def shortfalls(measured: Measured) -> list[str]:
    """Return every bar that is not reached: precision and recall of both languages, recall of each, its low bound.

    A bar for which there is no text is not reached either.
    """
    found = []
    for count in measured.counts:
        precision, recall = count.precision, count.recall
        low = count.bounds[1] and count.bounds[1][0]
        bars: list[tuple[str, Fraction | None, Fraction]] = []
        if count.language == "all":
            bars = [("precision", precision, LEAST_PRECISION), ("recall", recall, LEAST_RECALL),
                    ("low bound of recall", low, LEAST_LOW_RECALL)]
        elif count.language in ("en", "zh"):
            bars = [("recall", recall, LEAST_RECALL_OF_A_LANGUAGE)]
        if bars and recall is None:
            found.append(f"{count.redline} {count.language}: no text is labelled with it")
        for name, value, least in bars:
            if value is not None and value < least:
                found.append(f"{count.redline} {count.language}: {name} {_printed(value)} under {_printed(least)}")
    return found


def rows(measured: Measured) -> list[tuple[str, ...]]:
    """Return the table: redline, language, hits, false, missed, precision and recall with bounds."""
    return [
        (count.redline, count.language, str(count.hit), str(count.false), str(count.missed),
         _bounded(count.precision, count.bounds[0]), _bounded(count.recall, count.bounds[1]))
        for count in measured.counts
    ]


def _bounded(value: Fraction | None, bounds: tuple[Fraction, Fraction] | None) -> str:
    return "-" if bounds is None else f"{_printed(value)} [{_printed(bounds[0])}, {_printed(bounds[1])}]"


def _printed(value: Fraction | None) -> str:
    return "-" if value is None else round_half_up(value, 4)


def _share(part: int, whole: int) -> Fraction | None:
    return Fraction(part, whole) if whole else None


def _most(counted: Counter[tuple[str, str]]) -> tuple[tuple[str, str, int], ...]:
    ordered = sorted(counted.items(), key=lambda item: (item[0][0], -item[1], item[0][1]))
    return tuple((code, kind, number) for (code, kind), number in ordered)
