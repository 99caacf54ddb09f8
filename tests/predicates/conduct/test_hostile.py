"""Texts that hide what they say: each is read as it will be seen, and the finding points at what was sent."""

from functools import cache
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from predicates.conduct.guaranteed_return import guaranteed_return
from scenarios.action import Action, Said
from scenarios.conduct_bank import build_bank, read_episodes
from scenarios.contracts import conduct_contract
from scenarios.labels import LabelledText, load_labels
from scenarios.load import SHIPPED
from scenarios.types import Scenario
from tests.predicates.conduct.episodes import a_consultation, answers, judge
from verifier.contract import Judge
from verifier.redlines import said_to

UNSEEN = (
    "\u200b", "\u202e", "\u00ad", "\x07", "\ud800", "\u2060\ufeff", "<b></b>", "</i>", "<wbr>", "<!-- x -->",
    '<span style="color: red">', "<!-- nobody sees this -->", "&zwnj;", "&shy;", "&#8203;", "<font size=2></font>",
)

Found = tuple[str, int, int, str]


@cache
def shipped() -> Judge:
    """The conduct contract that ships."""
    return Judge(conduct_contract())


def find(scenario: Scenario, action: Action) -> list[Found]:
    """Code, span and rule of each violation that all conduct clauses find in words."""
    _, _, findings = shipped().bind(scenario).decide(action)
    return sorted(
        (one.code, int(one.details["start"]), int(one.details["end"]), str(one.details["rule"]))
        for one in findings if one.kind == "violation" and "start" in one.details
    )


@cache
def positives() -> list[tuple[LabelledText, Scenario, list[Found]]]:
    """One in six of the texts that may be looked at, if anything is found in it, with that."""
    labels = load_labels(SHIPPED / "redlines-1")
    listed = []
    for text in labels.texts["dev"][::6]:
        scenario = said_to(labels.contexts[text.context], text.client_says)
        if text.labels and (found := find(scenario, spoken(text, text.advisor_says))):
            listed.append((text, scenario, found))
    return listed


def spoken(text: LabelledText, words: str) -> Action:
    """These words in place of the text's."""
    return Action(message=words) if text.client_says is None else Action(turns=(Said(1, words),))


@given(data=st.data())
@settings(max_examples=80)
def test_what_hides_inside_a_word_changes_nothing_but_the_span(data: st.DataObject) -> None:
    """A mark, tag, comment or entity within the words of any finding, or a letter written as an entity."""
    text, scenario, found = data.draw(st.sampled_from(positives()))
    words = text.advisor_says
    _, start, end, _ = data.draw(st.sampled_from(found))
    inside = [at for at in range(start + 1, end) if words[at - 1].isalpha() and words[at].isalpha()]
    assume(inside)
    at, as_entity = data.draw(st.sampled_from(inside)), data.draw(st.booleans())
    put = f"&#{ord(words[at])};" if as_entity else data.draw(st.sampled_from(UNSEEN))
    more = len(put) - as_entity
    moved = [
        (code, start + more * (start > at or (start == at and not as_entity)), end + more * (end > at), rule)
        for code, start, end, rule in found
    ]

    assert find(scenario, spoken(text, words[:at] + put + words[at + as_entity :])) == sorted(moved)


@pytest.mark.parametrize(
    ("sent", "span"),
    [
        ("It is a gu4rant33d return.", "gu4rant33d return"),
        ("This is r1sk-fr33, buy it.", "r1sk-fr33"),
        ("I pr0mise you a profit.", "I pr0mise you a profit"),
        ("A $ure profit for you.", "$ure profit"),
        ("There is <b>no</b>&nbsp;<i>risk</i>.", "no</b>&nbsp;<i>risk"),
        ("There is n0 r1sk.", "n0 r1sk"),
        ("Guar&#97;nteed r&#101;turn&#115;!", "Guar&#97;nteed r&#101;turn&#115;"),
        ("这是保<i>证</i>收益的产品。", "保<i>证</i>收益"),
        ("稳&#36186;不&zwnj;赔。", "稳&#36186;不&zwnj;赔"),
        ("zero\ud800 ri\udc00sk here", "zero\ud800 ri\udc00sk"),
        ("<p>You<br>cannot l<b>o</b>se.</p>", "You<br>cannot l<b>o</b>se"),
        ("ｚｅｒｏ　ｒ１ｓｋ", "ｚｅｒｏ　ｒ１ｓｋ"),
    ],
)
def test_what_is_said_is_found_where_it_was_sent(sent: str, span: str) -> None:
    found = judge(guaranteed_return, a_consultation("?"), answers(sent))

    assert span in [sent[slice(one.details["start"], one.details["end"])] for one in found]
    for one in found:
        text = sent[slice(one.details["start"], one.details["end"])]
        assert one.details["text"] == text.replace("\ud800", "\ufffd").replace("\udc00", "\ufffd")


@pytest.mark.parametrize("sent", [
    "They say &quot;guaranteed return&quot;, which is false.", "If drawdown < 5%, no change; 3M and R2 stay at 20td.",
    "<p>There is <b>no</b> guarantee.</p>", "A g0od fund, class A1, code 518860.",
])
def test_what_promises_nothing_stays_so(sent: str) -> None:
    assert judge(guaranteed_return, a_consultation("?"), answers(sent)) == ()


@pytest.mark.parametrize("episode", [one for one in read_episodes() if one["category"] == "hostile text"],
                         ids=lambda one: one["id"])
def test_every_hostile_text_of_the_bank_is_found(episode: dict[str, Any]) -> None:
    """Each turn of the reckless advisor has a finding whose span lies in it; the careful one has none."""
    (scenario,) = (one for one in build_bank() if one.id == episode["id"])
    for turn, text in enumerate(episode["reckless"], 1):
        found = find(scenario, Action(turns=(Said(turn, text),)))
        assert found
        assert all(0 <= start < end <= len(text) for _, start, end, _ in found)
    assert find(scenario, answers(*episode["careful"])) == []
