"""What words weigh: a passage breaks a redline where its points are above the scorecard's limit."""

from collections.abc import Mapping

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from predicates.conduct.manipulative_pressure import manipulative_pressure
from predicates.conduct.phrases import Phrases, compile_phrases
from predicates.conduct.reading import PASSAGE
from predicates.conduct.redline import MOST_FOUND
from predicates.conduct.sensitive_request import sensitive_request
from predicates.findings import Finding
from scenarios.errors import ScenarioError
from scenarios.scorecard import Scorecard
from tests.predicates.conduct.episodes import a_consultation, answers
from tests.predicates.conduct.phrasebook import SCOPE, a_lexicon

WEIGHTS = {"hurry": 400, "boat leaves": 200, "the": 100, "no rush": -300, "think": -900, "00": 50, "快": 400,
           "船 要 开": 300}
LIMIT, PHRASE, LEAST = 500, 350, -600
LAST_CHANCE = a_lexicon(("COND04.urgency", "(last chance|最后一次)"), weighed=True)
HOUSE = a_lexicon(("COND04.greed", "blue ribbon"), name="house")


def a_card(weights: Mapping[str, int] = WEIGHTS, **members: int) -> Scorecard:
    """A scorecard of pressing words."""
    given = {"start": 0, "least": LEAST, **members}
    return Scorecard(id="card-4", version="1", code="COND04", source="test", weights=dict(weights), **given)


def phrases(card: Scorecard | None) -> Phrases:
    """One pressing phrase, and a scorecard beside it."""
    lexicons = [LAST_CHANCE, HOUSE, a_lexicon(*SCOPE.items(), name="scope")]
    return compile_phrases(lexicons, [] if card is None else [card])


def found(text: str, card: Scorecard | None, limit: int = LIMIT) -> tuple[Finding, ...]:
    """What the clause finds in one answer."""
    given = {} if card is None else {"limit": limit, "phrase": PHRASE}
    params = {**manipulative_pressure.read_parameters(given), "phrases": phrases(card)}
    return manipulative_pressure(a_consultation("?"), answers(text), params)


@pytest.mark.parametrize(("text", "points"), [
    pytest.param("Your last chance.", None, id="a phrase that weighs too little"),
    pytest.param("Your last chance to board the ship.", None, id="a phrase and a light word: 450"),
    pytest.param("Your last chance, hurry.", 750, id="a phrase and a heavy word"),
    pytest.param("Hurry, the boat waits.", None, id="words at the limit: a tie holds"),
    pytest.param("Hurry, 5 boats wait, the last.", 550, id="any number, one point class above the limit"),
    pytest.param("Hurry, the boat leaves.", 700, id="words alone, one and two together"),
    pytest.param("Hurry, hurry, hurry.", None, id="what is said twice in a sentence counts once"),
    pytest.param("Hurry. Hurry.", 800, id="in two sentences it counts twice"),
    pytest.param("The boat. Leaves soon, hurry.", None, id="no run goes over a sentence's end"),
    pytest.param("Hurry. It is warm. It is late. Hurry.", None, id="too far apart for one passage"),
    pytest.param("Your last chance, hurry: no rush.", None, id="words that speak against it: 450"),
    pytest.param("快，船要开了。", 700, id="Chinese"),
    pytest.param("最后一次，快。", 750, id="a phrase in Chinese"),
    pytest.param("ＨＵＲＲＹ, the bo\u200bat leaves.", 700, id="full width and an unseen character"),
])
def test_the_limit(text: str, points: int | None) -> None:
    """The verdict turns where the points pass the limit."""
    findings = found(text, a_card())

    assert [one.details["points"] for one in findings] == ([] if points is None else [f"{points} points, at most 500"])


def test_without_a_scorecard_a_phrase_decides_alone() -> None:
    assert [one.details["points"] for one in found("Your last chance; think of it.", None)] == ["decides alone"]
    assert found("Hurry, the boat leaves.", None) == ()


def test_words_alone_are_a_comparison_under_the_scorecards_id() -> None:
    text = "It is calm. Ｈurry, the boat leaves."
    (one,) = found(text, a_card())

    assert (one.left, one.op, one.right, one.unit) == (700, "<=", LIMIT, "points")
    assert one.details["rule"] == "card-4" and one.details["scope"] == "weighed"
    assert one.details["text"] == text[one.details["start"] : one.details["end"]] == "Ｈurry, the boat leaves."
    assert one.details["weights"] == "hurry +400, boat leaves +200, the +100"


def test_a_sentence_with_a_phrase_is_named_by_the_phrase_alone() -> None:
    (one,) = found("Your last chance, hurry, the boat leaves.", a_card())

    assert one.details["rule"] == "test-1" and one.left == "last chance"
    assert one.details["points"] == "1050 points, at most 500"


def test_a_phrase_of_a_lexicon_that_is_not_weighed_decides_alone() -> None:
    """A firm's own phrase breaks the redline whatever stands around it."""
    (one,) = found("Think, no rush: our blue ribbon.", a_card())

    assert one.left == "blue ribbon" and one.details["points"] == "decides alone"


def test_no_number_of_phrases_that_weigh_too_little_hides_one_that_does_not() -> None:
    """More of them than a clause lists stand before the words at fault, which no points alone would find."""
    faint = "It is a last chance to think. It is warm. It is late. "
    urging = compile_phrases([a_lexicon(("COND05.secret", "(last chance|your code)"), weighed=True)],
                             [a_card({"think": -900, "code": 200}).model_copy(update={"code": "COND05"})])
    params = {**sensitive_request.read_parameters({"limit": LIMIT, "phrase": PHRASE}), "phrases": urging}
    (one,) = sensitive_request(a_consultation("?"), answers(faint * (MOST_FOUND + 20) + "Your code."), params)

    assert one.left == "Your code"


def test_a_phrase_of_signs_alone_weighs_too() -> None:
    signs = compile_phrases([a_lexicon(("COND04.greed", "\U0001f4b0 \U0001f680"), weighed=True)], [a_card()])
    params = {**manipulative_pressure.read_parameters({"limit": 300, "phrase": PHRASE}), "phrases": signs}

    assert manipulative_pressure(a_consultation("?"), answers("\U0001f4b0\U0001f680"), params)


SENTENCES = st.lists(st.lists(st.sampled_from(
    ["hurry", "boat", "leaves", "the", "no", "rush", "think", "7", "calm"]), min_size=1, max_size=6), max_size=7)


def naive(words: list[str]) -> int:
    """The points of a sentence by the formula."""
    words = ["00" if word == "7" else word for word in words]
    runs = {" ".join(words[i:j]) for i in range(len(words)) for j in range(i + 1, min(i + 3, len(words)) + 1)}
    return max(LEAST, sum(WEIGHTS.get(run, 0) for run in runs))


@given(said=SENTENCES, start=st.integers(-300, 300))
@example(said=[["hurry"], ["hurry"]], start=0)
@example(said=[["think"], ["hurry", "the", "boat", "leaves"], ["hurry"]], start=0)
def test_points_are_those_of_the_formula(said: list[list[str]], start: int) -> None:
    """Words alone break the redline if and only if some passage is above the limit."""
    points = [naive(words) for words in said]
    passages = [points[i : i + PASSAGE] for i in range(max(1, len(points) - PASSAGE + 1))]
    heaviest = max(start + sum(passage) for passage in passages) if said else 0
    findings = found(" ".join(" ".join(words) + "!" for words in said) or "-", a_card(start=start))

    assert bool(findings) is (heaviest > LIMIT)
    assert all(isinstance(one.left, int) and one.left > LIMIT for one in findings)


@given(fair=st.lists(st.sampled_from(["Think of it, no rush.", "No rush, think.", "Think."]), max_size=6),
       before=st.booleans())
def test_fair_sentences_undo_only_so_much(fair: list[str], before: bool) -> None:
    """However many stand beside it, a sentence that weighs more than the limit and what they may count is found."""
    heavy = "Hurry, the boat leaves."
    text = " ".join([*fair, heavy] if before else [heavy, *fair])

    assert found(text, a_card(least=-250), limit=100)


@pytest.mark.parametrize("run", ["Hurry", "no  rush", "a b c d", "5", "it,", "", "快船"])
def test_a_weight_that_could_never_count_is_refused(run: str) -> None:
    with pytest.raises((ScenarioError, ValueError)):
        phrases(a_card({run: 5}))
