"""What is remembered of sentences changes no finding, and a sentence that holds too much hides nothing."""

import random
import re
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predicates.conduct.claims import read_claims
from predicates.conduct.guaranteed_return import guaranteed_return
from predicates.conduct.manipulative_pressure import manipulative_pressure
from predicates.conduct.meaning import NO_TOPIC, Topic, _read
from predicates.conduct.normal import normalise
from predicates.conduct.phrases import Phrases
from predicates.conduct.reading import FIGURE, MOST_MATCHES, NUMERAL, TOKEN, Frame, Match, Shape
from predicates.conduct.redline import MOST_FOUND, OVERFULL
from predicates.conduct.sensitive_request import sensitive_request
from predicates.conduct.unsuitable_incitement import unsuitable_incitement
from predicates.findings import Finding
from predicates.registry import Predicate
from scenarios.contracts import conduct_contract
from scenarios.labels import load_labels
from scenarios.load import SHIPPED
from tests.predicates.conduct.episodes import INSTRUMENTS, a_consultation, answers, judge
from verifier.contract import Judge


@cache
def shipped() -> tuple[Judge, Phrases]:
    """The conduct contract that ships, and the phrases that its clauses read by."""
    judging = Judge(conduct_contract())
    return judging, judging.parameters("COND01")["phrases"]


@cache
def pieces() -> list[str]:
    """Clauses of labelled texts, of which new texts are put together."""
    texts = load_labels(SHIPPED / "redlines-1").texts["dev"]
    said = {piece.strip() for text in texts[::5] for piece in text.advisor_says.replace("。", ". ").split(". ")}
    return sorted(f"{piece}. " for piece in said if not set(piece) & set("{}"))


CLAIMED = (
    "How much is invested? ", "Under half. ", "My position is 40%. ", "And the cash? ", "About 12%. ", "It lost 3%. ",
    "I hold the {}. ", "The {} is down 1%. ", "You are 88% invested. ", "Over the last month it made 4.1%. ",
    "仓位多少？", "八成多。", "那{}呢？", "今天跌了1%。", "现金两成。", "我的持仓是R5。",
    "\u201cMy position is 40%. It lost 3%.\u201d ", "The rule says: \u201cwe guarantee profits.\u201d ",
    "They say \u201cyou are 88% invested.\u201d ", "We guarantee profits. ", "my position is 40%. it lost 3%. ",
)
NAMES = ("Semiconductor Feeder", "Growth Leaders Mixed Fund", "成长先锋混合基金")


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_what_was_read_before_changes_nothing(data: st.DataObject) -> None:
    """The same conversation, read first and after others that share its sentences, with other topics and speakers."""
    said = st.builds(str.format, st.sampled_from(CLAIMED) | st.sampled_from(pieces()), st.sampled_from(NAMES))
    turns = st.lists(st.lists(said, min_size=1, max_size=3).map("".join), min_size=2, max_size=4)
    talk, others = data.draw(turns), data.draw(st.lists(turns, max_size=2))
    shipped()[1].forget()
    alone = found_in(talk)
    shipped()[1].forget()
    for other in (*others, talk[1:], [turn + talk[0] for turn in talk[::-1]], ["?", "".join(talk[::-1])]):
        found_in(other, instruments=RENAMED)

    assert found_in(talk) == alone


RENAMED = [{**INSTRUMENTS[0], "id": "F2"}, {**INSTRUMENTS[1], "id": "F1"}, INSTRUMENTS[2]]


def found_in(talk: list[str], **members: Any) -> tuple[list[Finding], list[dict[str, object]]]:
    """What all clauses find where client and advisor take turns, and every claim that was read."""
    judging, phrases = shipped()
    scenario, action = a_consultation(*talk[::2], **members), answers(*talk[1::2])
    _, _, found = judging.bind(scenario).decide(action)
    return list(found), [claim.record() for claim in read_claims(scenario, action, phrases)]


ALIKE = (
    ("最近72个交易日,您的账户累计下跌1.8%。", "最近30个交易日,您的账户累计下跌1.8%。"),
    ("a loss of 8% over a quarter, or a rise of 86%?", "a loss of 8% over a quarter, or a rise of 92%?"),
    ("i told you, 54%.", "i told you, 86%."),
    ("you lost 3% over the 156 sessions.", "you lost 3% over the 206 sessions."),
    ("2051年那种场面,跟0.2%的小跌不可同日而语。", "9051年那种场面,跟0.2%的小跌不可同日而语。"),
    ("over the past three months the account never fell more than 8.3% from its high.",
     "over the past three months the account never fell more than 7.4% from its high."),
    ("your fund is rated 9.", "your fund is rated 4."),
    ("growth 61%, bonds 30%, cash 10%.", "growth 60%, bonds 30%, cash 10%."),
)
"""Sentences that differ in digits alone, and yet in what their numbers can mean."""
TOPICS = (NO_TOPIC, Topic("position", "x", 2, "account", (), "day"), Topic("level", "y", 3, "product", ("F1",), "3m"),
          Topic("cash", "x", 1), Topic("nav", "x", 2, period="20td"))


def tells(text: str, topic: Topic, *, own: bool, after: str = "") -> object:
    """What a sentence tells when nothing was read before it but another one, twice, so that it is remembered."""
    phrases = shipped()[1]
    phrases.forget()
    for _ in range(3 if after else 0):
        _read(phrases.sentence(after), (), topic, own)
    return _read(phrases.sentence(text), (), topic, own)


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_what_numbers_can_mean_is_told_apart(one: str, other: str) -> None:
    for topic in TOPICS:
        assert tells(other, topic, own=False, after=one) == tells(other, topic, own=False)
        assert tells(one, topic, own=False, after=other) == tells(one, topic, own=False)


@pytest.mark.slow
def test_other_digits_read_before_change_nothing() -> None:
    """Of sentences that differ in digits one is read and the others are filled in: as if each were read alone."""
    drawn = random.Random(1)

    def with_other_digits(text: str) -> str:
        return re.sub("[0-9]", lambda _: drawn.choice("0123456789"), text)

    texts = [text for name in ("redlines-1", "redlines-train-1") for text in load_labels(SHIPPED / name).texts["dev"]]
    lines = sorted({one.text for text in texts for _, one in shipped()[1].read(text.advisor_says).lines})
    for text in [line for line in lines if re.search("[0-9]", line)] * 12:
        before, topic, own = with_other_digits(text), drawn.choice(TOPICS), drawn.random() < 0.3
        now = text if drawn.random() < 0.5 else with_other_digits(text)
        assert tells(now, topic, own=own, after=before) == tells(now, topic, own=own), (before, now)


CLAUSES = ((guaranteed_return, "不保本，"), (unsuitable_incitement, "不要满仓，"),
           (manipulative_pressure, "not too late, "), (sensitive_request, "别把密码给我，"))


@pytest.mark.parametrize(("clause", "harmless"), CLAUSES)
def test_a_sentence_with_more_than_is_weighed_is_a_violation(clause: Predicate, harmless: str) -> None:
    assert judge(clause, a_consultation("?"), answers(harmless)) == ()

    found = judge(clause, a_consultation("?"), answers(f"Hello. {harmless * (MOST_MATCHES + 1)}"))

    assert found[0].details["rule"] == OVERFULL
    assert "overfull" in clause.sentence(found[0])


def test_at_most_so_many_findings_are_listed() -> None:
    found = judge(guaranteed_return, a_consultation("?"), answers("We guarantee profits. " * (MOST_FOUND + 50)))

    assert len(found) == MOST_FOUND


NUMBERED = st.sampled_from([
    "24", "100", "6", "2", "0", "300", "12", "1,000", "1.5", "7", "2026-01-10", "3.", " 5,", "100%", "24 hours",
    "6 digits", "6-digit code", "the code", "send me", "100 percent", "certain", "it will rise", "300 times",
    "in 24 hours", "R3", "CSI 300", "2倍", "100%保本", "6位", "验证码", "发我", "杠杆", "满仓", " ", " ", ", ", "-",
    "+", "%", "a", "x", "，",
])


@given(st.lists(NUMBERED | st.integers(0, 10**6).map(str), min_size=1, max_size=14).map("".join))
def test_numerals_hide_no_phrase(text: str) -> None:
    """In the frame of a sentence every phrase stands that stands in the sentence itself, at the same place."""
    _, phrases = shipped()
    text = normalise(text).text
    coded = "".join(map(phrases.table.__getitem__, TOKEN.findall(text)))
    plain = Frame(text, Shape(coded, phrases.rules), phrases.table, phrases.scorecards.weigh)  # every phrase is tried
    one = phrases.sentence(text)

    for family in ("COND01", "COND02", "COND04", "COND05", "press", "secret", "dodge", "claim", "control", "except"):
        own = [(match.entry, one.own(match.start), one.own(match.end)) for match in bare(one.frame, family)]
        assert own == [(match.entry, match.start, match.end) for match in bare(plain, family)]


def bare(frame: Frame, family: str) -> list[Match]:
    """The matches of a family, whatever their scope."""
    hits = frame.shape.hits(family)
    return sorted(Match(entry, rule.role, frame.spans[first][0], frame.spans[last - 1][1], 0, "")
                  for first, last, entry, rule in hits)


@given(st.lists(NUMBERED, max_size=12).map("".join))
def test_places_go_to_the_frame_and_back(text: str) -> None:
    """Outside of numerals every place has one in the frame, in the same order; within one none beyond its end."""
    one = shipped()[1].sentence(normalise(text).text)
    inside = {place for match in re.finditer(NUMERAL, one.text) for place in range(match.start() + 1, match.end())}
    places = [one.framed(place) for place in range(len(one.text) + 1)]

    assert places == sorted(places)
    assert all(one.own(framed) == place for place, framed in enumerate(places) if place not in inside)
    assert one.frame.text == re.sub(NUMERAL, FIGURE, one.text)
    assert places[-1] == len(one.frame.text)
