"""How scorecards are learned: the least of what is asked for, the same to the last point, and what ships is that."""

import os
import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios.contracts import SCORED, conduct_contract, load_scorecard
from scenarios.errors import ScenarioError
from verifier.learning import (
    COST,
    LEAST_PASSAGES,
    LIMIT,
    SCALE,
    SHIPPED_SETS,
    Lesson,
    Lessons,
    learn,
    learn_all,
    read_lessons,
)

PRESSING = ("hurry now", "hurry or lose it", "now or never", "the last seat", "hurry", "the last hour")
CALM = ("the fund holds bonds", "no rush", "think of it", "the fee is small", "the seat of the fund", "an hour")


def a_lesson(text: str, *labels: str) -> Lesson:
    """A text as it is learned, single words alone."""
    return Lesson((tuple(sorted(set(text.split()))),), frozenset(labels))


def lessons() -> list[Lesson]:
    """Six texts that press and six that do not."""
    return [*(a_lesson(text, "COND04") for text in PRESSING), *(a_lesson(text) for text in CALM)]


def test_what_presses_weighs_more() -> None:
    weights = learn("COND04", lessons(), "card", "test").weights

    assert weights["hurry"] > 0 > weights["fund"] and weights["hurry"] == max(weights.values())


def test_a_run_of_one_text_is_not_learned() -> None:
    met = Counter(run for lesson in lessons() for run in lesson.sentences[0])

    weights = learn("COND04", lessons(), "card", "test").weights
    assert {"hurry", "the", "fund"} <= weights.keys()
    assert all(met[run] >= LEAST_PASSAGES for run in weights) and min(met.values()) < LEAST_PASSAGES


WORDS = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=5, unique=True)


@settings(max_examples=60)
@given(said=st.lists(st.tuples(WORDS, st.booleans()), min_size=6, max_size=24))
def test_no_step_in_any_direction_is_better(said: list[tuple[list[str], bool]]) -> None:
    """The weights are the least of a convex sum, so that no small change of one makes it smaller."""
    doubled = [(words, truth) for words, truth in said for _ in range(LEAST_PASSAGES)]  # no run is too rare
    truths = [truth for _, truth in doubled]
    if len(set(truths)) < 2:
        return
    card = learn("COND04", [a_lesson(" ".join(words), *["COND04"] * truth) for words, truth in doubled], "card", "test")
    weights = {"": (card.start - LIMIT) / SCALE, **{run: points / SCALE for run, points in card.weights.items()}}
    met = Counter(word for words, _ in doubled for word in words)
    scales = {"": 1.0, **{run: (len(doubled) // times).bit_length() / 8 for run, times in met.items()}}

    def asked(weights: dict[str, float]) -> float:
        total = sum((weight / scales[run]) ** 2 for run, weight in weights.items()) / 2
        for words, truth in doubled:
            margin = (1 if truth else -1) * sum(weights.get(word, 0) for word in ("", *words))
            total += COST * max(0, 1 - margin) ** 2
        return total

    least = asked(weights)
    assert all(asked({**weights, run: weights[run] + step}) > least - 1e-5 for run in weights for step in (0.01, -0.01))


def test_the_same_texts_give_the_same_points_whatever_the_hash_seed() -> None:
    code = ("from tests.verifier.test_learning import lessons; from verifier.learning import learn; "
            "print(learn('COND04', lessons(), 'card', 'test').compute_digest())")
    printed = {subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, check=True,
                              capture_output=True, text=True).stdout for seed in ("0", "1", "77")}

    assert printed == {learn("COND04", lessons(), "card", "test").compute_digest() + "\n"}


@pytest.mark.parametrize("only", [True, False])
def test_without_both_sides_nothing_is_learned(only: bool) -> None:
    one_side = tuple(lesson for lesson in lessons() if bool(lesson.labels) is only)

    with pytest.raises(ScenarioError, match=r"COND0[14]: texts that break it and texts that do not are needed"):
        list(learn_all(Lessons(one_side, "test")))


def test_an_unknown_half_is_refused() -> None:
    with pytest.raises(ScenarioError, match="names half 'all'; name dev or test"):
        read_lessons(["redlines-1:all"], conduct_contract())


def test_the_unseen_half_is_not_learned_from() -> None:
    assert "redlines-1:dev" in SHIPPED_SETS and "redlines-1" not in SHIPPED_SETS
    assert all("redlines-1 dev" in load_scorecard(f"{code.lower()}-1").source for code in SCORED)


@pytest.mark.slow
def test_a_shipped_scorecard_is_what_is_learned() -> None:
    """One of the four, to the last point; all come from the same texts by the same code."""
    read = read_lessons(SHIPPED_SETS, conduct_contract(scored=False))

    assert {load_scorecard(f"{code.lower()}-1").source for code in SCORED} == {read.source}
    assert learn("COND04", read.lessons, "cond04-1", read.source) == load_scorecard("cond04-1"), (
        "manifests/scorecards is stale; run: python -m verifier.learning, and python -m scenarios.contracts")
