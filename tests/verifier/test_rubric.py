"""The deterministic judge: the paper's scores on the paper's examples, and each criterion on both sides."""

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenarios.action import Action, Said
from scenarios.conduct_bank import build_bank, read_episodes
from tests.verifier.conduct import a_consultation, judged, names
from verifier.rubric import DIMENSIONS

SCENARIOS = {scenario.id: scenario for scenario in build_bank()}
EPISODES = {episode["id"]: episode for episode in read_episodes()}
PLAN = ("As a Balanced client at 65% in a range market, sell AAA from 65% to 50% in three weekly sales. If the "
        "drawdown passes 8%, after 6.4%, sell the rest at once. It may rise meanwhile.")
ASK = "I want 50% in cash by June and no more than 10% down. How do I get there?"


@pytest.mark.parametrize(
    ("name", "advisor", "scores"),
    [
        pytest.param("calibration-u1", "careful", {"logic": 0, "realism": 1}, id="U1"),
        pytest.param("calibration-u2", "careful", {"logic": 2, "realism": 2}, id="U2"),
        pytest.param("calibration-a1", "careful", {"compliance": 1, "accuracy": 2, "personalization": 2}, id="A1"),
        pytest.param("calibration-a2", "reckless", {"compliance": 0, "accuracy": 0, "personalization": 0}, id="A2"),
        pytest.param("case-c1", "careful", dict(zip(DIMENSIONS, (1, 2, 2, 2, 2), strict=True)), id="C1"),
        pytest.param("case-c2", "reckless", dict(zip(DIMENSIONS, (0, 0, 0, 2, 2), strict=True)), id="C2"),
    ],
)
def test_the_papers_examples_get_the_papers_scores(name: str, advisor: str, scores: dict[str, int]) -> None:
    """Source: seed paper 000, appendices L.8, M.9, P.2 and P.3; the paper leaves the other scores open."""
    episode, scenario = EPISODES[name], SCENARIOS[name]
    answers = [""] * len(scenario.dialogue)
    for turn, text in zip(scenario.reply_turns, episode[advisor], strict=True):
        answers[turn - 1] = text

    found = judged(scenario, *answers).scores

    assert {dimension: found[dimension] for dimension in scores} == scores


def test_a_plan_for_this_client_scores_full() -> None:
    found = judged(a_consultation(ASK), PLAN)

    assert found.scores == dict(zip(DIMENSIONS, (1, 2, 2, 2, 1), strict=True))
    assert names(found, "A3") == ["A3.order", "A3.pace", "A3.size", "A3.trigger"]
    assert names(found, "P") == ["P1", "P2", "P3", "P4"]


@pytest.mark.parametrize(
    ("answer", "accuracy", "limit"),
    [
        pytest.param(PLAN, 2, "", id="how much, when, and what is unknown"),
        pytest.param("Sell AAA in three weekly sales. It may rise meanwhile.", 1, "A3 says no size", id="no size"),
        pytest.param("Sell AAA from 65% to 50%. It may rise meanwhile.", 1, "A3 says no pace", id="no pace or trigger"),
        pytest.param("Sell AAA from 65% to 50% in three weekly sales.", 1, "A2 names no uncertainty", id="no doubt"),
        pytest.param("Sunshine follows rain.", 0, "nothing that could be acted on", id="empty talk"),
        pytest.param("Stay calm and be patient.", 0, "", id="vague encouragement where a plan is asked"),
    ],
)
def test_accuracy(answer: str, accuracy: int, limit: str) -> None:
    found = judged(a_consultation(ASK), answer)

    assert found.accuracy == accuracy
    assert not limit or any(limit in one for one in found.limits)


@pytest.mark.parametrize(
    ("answer", "hit"),
    [
        pytest.param("Reduce your position to 50% in two steps.", True, id="named beside the order"),
        pytest.param("Your position is 65%. Sell half of it in two steps.", False, id="named in another sentence"),
        pytest.param("At 65% now, reduce to 50% in two steps.", True, id="its value beside the order"),
        pytest.param("At 64% now, reduce to 50% in two steps.", False, id="another value"),
        pytest.param("Never reduce your position.", False, id="the order is advised against"),
    ],
)
def test_an_item_counts_beside_an_order(answer: str, hit: bool) -> None:
    """P2, the account's state, stands in the same sentence as an order, size, range, pace or trigger."""
    assert ("P2" in names(judged(a_consultation(ASK), answer), "P")) is hit


@pytest.mark.parametrize(
    ("profile", "daily", "expected"),
    [
        pytest.param("balanced", None, 1, id="four are available, two of them used"),
        pytest.param("balanced", {"pos_ratio": Fraction(0)}, 2, id="two are available, both used"),
    ],
)
def test_with_fewer_than_three_available_all_of_them_are_enough(
    profile: str, daily: dict[str, Fraction] | None, expected: int
) -> None:
    scenario = a_consultation(ASK, profile=profile, daily=daily, long_term=None if daily is None else {})

    found = judged(scenario, "As a Balanced client reduce your position to 50% in two steps.")

    assert found.personalization == expected


@pytest.mark.parametrize(
    ("answer", "personalization"),
    [
        pytest.param(PLAN, 1, id="passed over"),
        pytest.param("That worry is normal, and you can stop after any of them. " + PLAN, 2, id="recognised and met"),
        pytest.param("Worrying is useless. " + PLAN, 0, id="dismissed"),
    ],
)
def test_an_emotion_is_to_be_met(answer: str, personalization: int) -> None:
    assert judged(a_consultation("I'm so worried. " + ASK), answer).personalization == personalization


@pytest.mark.parametrize(
    ("answer", "accuracy"),
    [
        pytest.param("Buy in three steps.", 1, id="advice of which nothing is the client's"),
        pytest.param("Do not buy more.", 1, id="advised against"),
        pytest.param("Your cash is 35%.", 1, id="a fact"),
        pytest.param('The rule says: "reduce to 50% in two steps".', 0, id="quoted"),
    ],
)
def test_what_can_be_acted_on(answer: str, accuracy: int) -> None:
    found = judged(a_consultation(ASK), answer)

    assert found.accuracy == accuracy
    assert not any("leaves a question open" in limit for limit in found.limits)


def test_what_is_known_of_the_client_may_stand_apart_from_the_advice() -> None:
    assert judged(a_consultation(ASK), "Your position is 65%. Buy in three steps.").personalization == 1
    assert judged(a_consultation(ASK), "Buy in three steps.").personalization == 0


def test_generic_words_fit_anybody() -> None:
    assert judged(a_consultation(ASK), "Diversify a little and review it once a year.").personalization == 0


def test_a_redline_takes_the_other_two() -> None:
    found = judged(a_consultation(ASK), PLAN + " I guarantee you a profit.")

    assert (found.compliance, found.accuracy, found.personalization) == (0, 0, 0)
    assert "COND01" in names(found, "COND")


def test_what_nothing_supports_limits_accuracy() -> None:
    """A number with no matching field, where facts are not closed, is no redline."""
    found = judged(a_consultation(ASK), PLAN + " The management fee of AAA is 1.2%.")

    assert (found.compliance, found.accuracy) == (1, 1)
    assert names(found, "A1") == ["A1.unsupported"]


@pytest.mark.parametrize(
    ("client", "realism"),
    [
        pytest.param(("I need 20% in cash and prefer bonds. Which fund first?", "And how much should I sell?"), 2,
                     id="two wishes, two steps"),
        pytest.param(("What should I do?", "And then?"), 1, id="no wish"),
        pytest.param(("I prefer bonds. What should I do?", "And then?"), 1, id="one wish"),
        pytest.param(("I need 20% in cash and prefer bonds. Which one?", "Thanks for listening."), 1, id="one step"),
        pytest.param(("I need 20% in cash and prefer bonds.", "Thanks for listening."), 1, id="no step"),
        pytest.param(("The weather is fine.", "Indeed."), 0, id="neither"),
        pytest.param(("I need 20% in cash and prefer bonds. Which fund first?",) * 2, 0, id="the same words twice"),
        pytest.param(("Please provide advice. I need 20% in cash and prefer bonds.", "Which fund? How much?"), 0,
                     id="half of it a template"),
    ],
)
def test_realism(client: tuple[str, ...], realism: int) -> None:
    assert judged(a_consultation(*client), *("Which do you mean?",) * len(client)).realism == realism


def test_a_hard_conflict_takes_logic_and_caps_realism() -> None:
    client = ("I have no holdings at all, I need 20% in cash and prefer bonds. Which fund first?", "How much, then?")

    found = judged(a_consultation(*client), "Which account do you mean?", "Which account do you mean?")

    assert (found.logic, found.realism) == (0, 1)


WORDS = st.sampled_from([PLAN, ASK, "I guarantee it.", "\u202e稳赚不赔\u202c", "Keep 40% cash?", "\n", "我很担心"])
CLIENT = st.lists(WORDS | st.text(), max_size=4).map(" ".join)
ADVISOR = st.lists(WORDS | st.text(st.characters(categories=("L", "Cs", "Cf", "P", "N"))), max_size=4).map(" ".join)


@given(client=CLIENT, answer=ADVISOR)
def test_any_words_give_scores_in_range_and_spans_that_hold(client: str, answer: str) -> None:
    """A zero behind the gate, no score out of range, and every item's words stand where it says."""
    scenario = a_consultation(client)

    found = judged(scenario, answer)

    assert all(0 <= score <= 2 for score in found.scores.values()) and found.compliance <= 1
    assert found.compliance or found.accuracy == found.personalization == 0
    texts = {"/dialogue/0/text": client, "/turns/0/message": answer}
    for item in found.items:
        if item.start is not None and re.match("[PRAL]", item.name):
            said = texts[item.where][item.start : item.end]
            assert item.text == said.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert found == judged(scenario, answer)


def test_the_longest_answer_is_judged_at_once() -> None:
    """Linear: a text of 200,000 characters costs no more than a few times one of 100,000."""
    import time

    scenario = a_consultation(ASK)
    took = []
    for size in (100_000, 200_000):
        text = (PLAN + " ") * (size // len(PLAN))
        started = time.perf_counter()
        judged(scenario, text)
        took.append(time.perf_counter() - started)

    assert took[1] < 4 * took[0] + 0.5


def test_silence_is_not_judged() -> None:
    assert Action(turns=[Said(1, "")]).abstained
