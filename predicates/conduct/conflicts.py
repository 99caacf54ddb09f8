"""What the hard-conflict clauses share: the claims that they look at, and whether a contradiction is explained.

A contradiction of the client is explained where the client's own words of that turn or a later one name another
account, market, basis or time, or where the client says yes to such an explanation that the advisor offered and does
not repeat the contradiction in the same turn. An explained conflict is a note.
Source: seed paper 000, appendix L.4 (L3) and calibration example U1.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction

from predicates.conduct.claims import FALSE, CheckedClaim, read_claims
from predicates.conduct.evidence import contradicted
from predicates.conduct.phrases import Phrases
from predicates.conduct.words import Utterance, utterances
from predicates.findings import Finding
from predicates.registry import Params
from scenarios.action import Action
from scenarios.types import DailyContext, LongTermContext, Scenario

ALL_CASH = ("no-holdings",)
GAINS, LOSSES = ("strong", "gain"), ("losing", "loss")
LASTING = ("20td", "3m", "recent", "")
"""The periods of a claim on recent performance; it is left open which of them, if none is named."""

Test = Callable[[CheckedClaim], bool]


def daily_of(scenario: Scenario) -> DailyContext:
    """Return the day's context; every field of it is None where none is frozen."""
    return scenario.consultation.daily if scenario.consultation is not None else DailyContext()


def long_term_of(scenario: Scenario) -> LongTermContext:
    """Return the long-term context; every field of it is None where none is frozen."""
    return scenario.consultation.long_term if scenario.consultation is not None else LongTermContext()


def at_most(value: Fraction | None, limit: Fraction) -> bool:
    """Return whether a frozen value is known and at most the limit."""
    return value is not None and value <= limit


def at_least(value: Fraction | None, limit: Fraction) -> bool:
    """Return whether a frozen value is known and at least the limit."""
    return value is not None and value >= limit


def is_all_cash(claim: CheckedClaim) -> bool:
    """Return whether a claim says that nothing is held: in words, or as a share of at most 5 % or cash of 95 %."""
    share = claim.stated if claim.unit == "ratio" else None
    if share is None:
        return claim.word in ALL_CASH
    return share <= Fraction(1, 20) if claim.measure == "position" else (
        claim.measure == "cash" and share >= Fraction(19, 20))


def is_recent(claim: CheckedClaim, words: tuple[str, ...]) -> bool:
    """Return whether a claim in these words is on the account's recent performance, not on a day or a product."""
    return claim.word in words and claim.period in LASTING and claim.subject not in ("market", "product")


def advisor_conflicts(
    code: str, scenario: Scenario, action: Action, params: Params, test: Test, *frozen: object
) -> tuple[Finding, ...]:
    """Return a violation for each claim of the audited advisor that the test picks, a note where it is left open."""
    claims = [claim for claim in read_claims(scenario, action, params["phrases"])
              if claim.utterance.audited and test(claim)]
    return tuple([contradicted(code, claim, "note" if claim.excused else "violation", context=told(frozen))
                  for claim in claims])


def client_conflicts(
    code: str, scenario: Scenario, action: Action, params: Params, test: Test, *frozen: object, least: int = 1
) -> tuple[Finding, ...]:
    """Return a finding for each claim of the client that the test picks, if there are `least`; explained: a note."""
    phrases = params["phrases"]
    claims = [claim for claim in read_claims(scenario, action, phrases)
              if claim.utterance.speaker == "client" and test(claim)]
    if len(claims) < least:
        return ()
    return tuple([
        contradicted(code, claim, "note" if why else "violation", explained=why or "no", context=told(frozen))
        for claim, why in zip(claims, explanations(scenario, action, phrases, claims), strict=True)
    ])


def told(frozen: tuple[object, ...]) -> str:
    """Return frozen values in words for the sentence: "pos_ratio 22/25, holdings 3"."""
    return ", ".join(map(str, frozen))


def explanations(scenario: Scenario, action: Action, phrases: Phrases, claims: list[CheckedClaim]) -> Iterator[str]:
    """Yield for each contradiction the entry that explains it, or the empty text."""
    spoken = utterances(scenario, action)
    repeats = {claim.utterance for claim in read_claims(scenario, action, phrases) if claim.state == FALSE}
    repeats.update(claim.utterance for claim in claims)
    given = [(place, why) for place, one in enumerate(spoken) if one.speaker == "client"
             if (why := _explanation(spoken, place, phrases, one in repeats))]
    for claim in claims:
        at = spoken.index(claim.utterance)
        yield next((why for place, why in given if place >= at), "")


def _explanation(spoken: tuple[Utterance, ...], place: int, phrases: Phrases, repeats: bool) -> str:
    reading = phrases.read(spoken[place].text)
    own = next((match.entry for match in reading.of("claim.explain")
                if reading.scope_of(match) in ("asserted", "attributed")), "")
    if own or repeats or place == 0 or not any(match.start < 3 for match in reading.of("claim.yes")):
        return own
    if spoken[place - 1].speaker != "advisor":
        return ""
    return next((match.entry for match in phrases.read(spoken[place - 1].text).of("claim.explain")), "")
