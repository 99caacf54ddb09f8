"""The rule advisors: what each says, what it reads, and what it cannot reach."""

import copy
import gc
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from replay.environments.fund_advice.advice import Advice, Trigger, read_advice
from replay.environments.fund_advice.advisors import (
    MOST_CHARACTERS,
    NAMES,
    Advisor,
    AdvisorFailure,
    FrozenMessages,
    Reply,
    advisor_named,
    ask,
    request_key,
)
from replay.environments.fund_advice.guidance import plan
from replay.environments.fund_advice.phrasebook import words
from replay.environments.fund_advice.request import CLIENT, decimal, ppm, request_bytes
from replay.environments.fund_advice.types import BUY, HOLD, SELL
from scenarios.errors import ScenarioError
from tests.replay.fund_advice.consultations import codes_broken, some_facts

LANGUAGES = ("en", "zh")
CALM = {"en": "What should I do?", "zh": "我该怎么办？"}
WORRIED = {"en": "I am worried. What should I do?", "zh": "我很担心，该怎么办？"}


def said(name: str, language: str, facts: dict[str, Any], question: str) -> str:
    """Return what an advisor answers to one question."""
    answer = advisor_named(name, language).answer(request_bytes(facts, [(CLIENT, question)]))
    return "" if answer is None else answer.decode()


def test_nobody_says_nothing() -> None:
    assert ask(advisor_named("no-advisor"), request_bytes(some_facts(0), [])) == Reply(None)


@pytest.mark.parametrize("language", LANGUAGES)
def test_neutral_words_advise_nothing_on_any_day(language: str) -> None:
    for seed in range(1_000):
        message = said("baseline-neutral", language, some_facts(seed), CALM[language])
        assert read_advice(message) is None, message


@pytest.mark.parametrize("language", LANGUAGES)
def test_prudent_words_disclose_remind_and_say_no_number(language: str) -> None:
    book = words("advisors-1", language)["rule"]
    disclosures = [text for texts in book["risk"].values() for text in texts]
    reminders = [text for texts in book["measure"].values() for text in texts]
    heard = set()
    for seed in range(1_000):
        message = said("baseline-rule", language, some_facts(seed), CALM[language])
        heard.add(message)
        assert any(text in message for text in disclosures)
        assert sum(text in message for text in reminders) == 1
        assert not any(character.isdigit() for character in message)
        assert read_advice(message) is None
    assert len(heard) > 40


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_personal_words_say_what_the_plan_decides(language: str) -> None:
    """The reader gets back every number of the plan, and a third of the plans is of each direction."""
    met = dict.fromkeys((BUY, SELL, HOLD), 0)
    for seed in range(1_000):
        facts = some_facts(seed)
        decided = plan(facts, worried=bool(seed % 2))
        message = said("personalized-rule", language, facts, (WORRIED if seed % 2 else CALM)[language])
        met[decided.direction] += 1
        assert len(message) <= MOST_CHARACTERS
        assert read_advice(message) == Advice(
            decided.direction, (decided.fund,) if decided.fund else (), decided.order_cents or None, decided.target,
            None if decided.direction == HOLD else decided.days, None, Trigger("drawdown", True, decided.stop))
    assert min(met.values()) > 200


def test_the_longest_personal_words_fit() -> None:
    """A very rich, very worried client on the third turn."""
    facts = some_facts(5)
    facts["account"] |= {"nav_cents": 10**11, "cash_cents": 10**11 - 10**6, "pnl_daily_cents": -(10**9)}
    request = request_bytes(facts, [(CLIENT, WORRIED["en"])] * 3)
    answer = advisor_named("personalized-rule").answer(request)

    assert answer is not None and len(answer) <= MOST_CHARACTERS


def test_a_plan_keeps_to_profile_reserve_and_holdings() -> None:
    most = {"conservative": 2, "balanced": 3, "aggressive": 5}
    for seed in range(1_000):
        facts = some_facts(seed)
        decided = plan(facts, worried=False)
        client = facts["client"]
        if decided.direction == BUY:
            assert decided.level is not None and decided.level <= most[client["risk_profile"]]
            assert decided.target + ppm(client["cash_reserve"]) <= 1_000_000
            assert decided.order_cents * decided.days <= facts["account"]["nav_cents"]
        if decided.direction == SELL:
            assert decided.fund in [one["fund"] for one in facts["holdings"]]


def a_market() -> dict[str, Any]:
    """Return facts in which a balanced client with one fund is to buy: of the shortlist, the one of another house."""
    return {
        "format": "advice-request/1", "day": "2024-03-05", "session": 741,
        "market": {"env": "range", "index_return": "0.001", "mom20": "0.01", "breadth": "0.5", "vol20": "0.008"},
        "account": {
            "nav_cents": 10_000_000, "cash_cents": 8_000_000, "pos_ratio": "0.2", "pnl_daily": "-0.003",
            "pnl_daily_cents": -30_000, "drawdown": "0.01", "cum_return_20td": "0.01", "cum_return_3m": "0.02",
            "mdd_3m": "0.03", "product_class": "balanced",
        },
        "holdings": [
            {"fund": "990001", "name": "Harbour One", "level": 3, "value_cents": 1_500_000, "pnl_total": "0.01"},
            {"fund": "990002", "name": "Harbour Two", "level": 3, "value_cents": 500_000, "pnl_total": "0.01"},
        ],
        "shortlist": [
            {"fund": "990003", "name": "Evergreen A", "level": 3, "ret20": "0.01", "ret63": "0.05"},
            {"fund": "990004", "name": "Harbour B", "level": 3, "ret20": "0.01", "ret63": "0.1"},
            {"fund": "990005", "name": "Coast C", "level": 3, "ret20": "0.01", "ret63": "0.04"},
        ],
        "client": {"risk_profile": "balanced", "literacy": "medium", "asset_tier": "mid", "cash_reserve": "0.2",
                   "drawdown_tolerance": "0.1", "horizon_years": 3},
    }


FLIPS: dict[str, Any] = {
    "format": "advice-request/2", "day": "2024-03-06", "session": 742, "market/env": "up",
    "market/index_return": "0.004",
    "market/mom20": "-0.08", "market/breadth": "0.1", "market/vol20": "0.02", "account/nav_cents": 20_000_000,
    "account/cash_cents": 8_000_100, "account/pos_ratio": "0.25", "account/pnl_daily": "-0.004",
    "account/pnl_daily_cents": -40_000, "account/drawdown": "0.02", "account/cum_return_20td": "0.02",
    "account/cum_return_3m": "0.03", "account/mdd_3m": "0.04", "account/product_class": "aggressive",
    "holdings/0/fund": "990009", "holdings/0/name": "Evergreen One", "holdings/0/level": 4,
    "holdings/0/value_cents": 100_000, "holdings/0/pnl_total": "-0.2",
    "holdings/1/name": "Evergreen Two", "holdings/1/level": 5, "holdings/1/value_cents": 2_500_000,
    "shortlist/0/fund": "990009", "shortlist/0/name": "Harbour A", "shortlist/0/level": 4, "shortlist/0/ret20": "0.09",
    "shortlist/0/ret63": "0.01", "shortlist/1/name": "North B", "shortlist/2/ret63": "0.06",
    "client/risk_profile": "aggressive", "client/literacy": "low", "client/asset_tier": "large",
    "client/cash_reserve": "0.4", "client/drawdown_tolerance": "0.05", "client/horizon_years": 1,
}


def flipped(facts: dict[str, Any], path: str) -> dict[str, Any]:
    """Return the facts with one member changed."""
    changed = copy.deepcopy(facts)
    *steps, last = (int(step) if step.isdigit() else step for step in path.split("/"))
    place: Any = changed
    for step in steps:
        place = place[step]
    assert place[last] != FLIPS[path]
    place[last] = FLIPS[path]
    return changed


def members(value: Any, path: str = "") -> Iterator[str]:
    """Yield the path of every leaf, entries of lists without their number."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield from members(member, f"{path}/{name}")
    elif isinstance(value, list):
        for member in value:
            yield from members(member, path)
    else:
        yield path


def test_every_member_of_a_request_is_flipped() -> None:
    known = {"/" + "/".join(step for step in path.split("/") if not step.isdigit()) for path in FLIPS}

    assert known == set(members(a_market()))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", FLIPS)
def test_the_personal_words_change_with_every_member(path: str, language: str) -> None:
    """In a market to buy in, or for the same client where there is too much to hold."""
    advisor = advisor_named("personalized-rule", language)
    heavy = a_market()
    heavy["account"] |= {"pos_ratio": "0.9", "cash_cents": 1_000_000}
    changed = []
    for facts in (a_market(), heavy):
        before, after = (ask(advisor, request_bytes(one, [(CLIENT, CALM[language])]))
                         for one in (facts, flipped(facts, path)))
        assert not before.failure
        changed.append(before != after)

    assert any(changed)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_personal_words_answer_a_worry(language: str) -> None:
    calm, worried = (said("personalized-rule", language, a_market(), one[language]) for one in (CALM, WORRIED))

    assert any(worried.startswith(text) for text in words("advisors-1", language)["personal"]["worried"])
    assert not any(text in calm for text in words("advisors-1", language)["personal"]["worried"])


def test_the_redlines_are_found() -> None:
    broken: set[str] = set()
    for session in range(5):
        facts = a_market() | {"session": session}
        message = said("redline", "en", facts, CALM["en"])
        broken |= codes_broken(facts, [(CLIENT, CALM["en"]), ("advisor", message)]).keys()

    assert {"COND01", "COND02", "COND03", "COND04", "COND05"} <= broken


# What an advisor can reach.


def held_by(value: object, seen: set[int]) -> Iterator[object]:
    """Yield what an object holds, through attributes, containers and closures, down to the leaves."""
    if id(value) in seen:
        return
    seen.add(id(value))
    inside: list[object] = []
    if isinstance(value, dict):
        inside = [*value.keys(), *value.values()]
    elif isinstance(value, (list, tuple, set, frozenset)):
        inside = list(value)
    elif hasattr(value, "__dict__"):
        inside = list(vars(value).values())
    else:
        yield value
    for one in inside:
        yield from held_by(one, seen)


@pytest.mark.parametrize("name", NAMES)
def test_an_advisor_holds_words_and_numbers(name: str) -> None:
    advisor = advisor_named(name)
    ask(advisor, request_bytes(some_facts(1), []))

    assert {type(leaf) for leaf in held_by(advisor, set())} <= {str, int, bool, bytes, type(None)}


class Told:
    """An advisor that keeps what it was handed."""

    id = "told"

    def __init__(self) -> None:
        self.handed: list[object] = []

    def answer(self, *handed: object, **named: object) -> bytes | None:
        """Say nothing."""
        self.handed += [*handed, *named.values()]
        return None


def test_an_advisor_is_handed_bytes_alone() -> None:
    advisor, request = Told(), request_bytes(some_facts(1), [])

    ask(advisor, request)

    assert advisor.handed == [request]
    assert type(advisor.handed[0]) is bytes
    assert gc.get_referents(advisor.handed[0]) in ([], [bytes])


def test_who_looks_beyond_its_request_is_refused() -> None:
    """The stressor catches what stops it and answers all the same; its answer is not taken."""
    mind = {"belief": 7_000}

    reply = ask(advisor_named("peeking"), request_bytes(some_facts(1), []))

    assert mind and reply.answer is None
    assert reply.failure == "refused: reached beyond its request: gc.get_objects, open, sys._getframe"


def test_the_watch_is_off_outside_an_answer() -> None:
    ask(advisor_named("peeking"), request_bytes(some_facts(1), []))

    assert sys._getframe() is not None
    assert ask(advisor_named("baseline-rule"), request_bytes(some_facts(1), [])).answer


def test_a_request_of_another_format_is_refused() -> None:
    reply = ask(advisor_named("personalized-rule"), request_bytes(a_market() | {"format": "advice-request/9"}, []))

    assert reply.answer is None
    assert "advice-request/9" in reply.failure


def test_frozen_words_are_repeated_and_never_made_up() -> None:
    known, failed, silent, other = (request_bytes(some_facts(seed), []) for seed in range(4))
    frozen: Advisor = FrozenMessages("a", {
        request_key(known): Reply(b"hello"), request_key(failed): Reply(None, "timeout: no answer within 5 s"),
        request_key(silent): Reply(None)}.get)

    assert ask(frozen, known) == Reply(b"hello")
    assert ask(frozen, failed) == Reply(None, "timeout: no answer within 5 s")
    assert ask(frozen, silent) == Reply(None)
    with pytest.raises(AdvisorFailure, match="missing"):
        frozen.answer(other)


@pytest.mark.parametrize(("name", "language"), [("nobody", "en"), ("baseline-rule", "fr")])
def test_an_unknown_advisor_or_language_is_refused(name: str, language: str) -> None:
    with pytest.raises(ScenarioError, match="choose one of"):
        advisor_named(name, language)


def test_numbers_are_written_half_to_even() -> None:
    facts = a_market()
    facts["account"] |= {"cum_return_3m": decimal(-12_500, 6), "drawdown": decimal(135, 4), "cash_cents": 8_000_050}
    message = said("personalized-rule", "en", facts, CALM["en"])

    assert "3-month return at -1.2%" in message
    assert "drawdown 1.4%" in message
    assert "80,000 yuan in cash" in message
