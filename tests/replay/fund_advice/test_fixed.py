"""Arithmetic of the mind: exact, and the same on every machine."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from replay.environments.fund_advice.fixed import apportion, blend, clip_e4, div_half_even, odds_factor, pick
from scenarios.theta import ONE

PULL = st.integers(-200_000, 200_000)
WEIGHTS = st.lists(st.integers(0, 10**12), min_size=4, max_size=4).filter(any)


def one(*values: int) -> "np.ndarray":
    return np.array(values, dtype=np.int64)


@given(numerator=st.integers(-(10**12), 10**12), denominator=st.integers(1, 10**6))
@example(numerator=5, denominator=2)
@example(numerator=-5, denominator=2)
@example(numerator=-7, denominator=2)
def test_halves_go_to_the_even_neighbour(numerator: int, denominator: int) -> None:
    assert div_half_even(one(numerator), denominator)[0] == round(Fraction(numerator, denominator))


@pytest.mark.parametrize(("value", "low", "kept"), [
    pytest.param(10_000, 0, 10_000, id="the most"), pytest.param(10_001, 0, 10_000, id="over it"),
    pytest.param(-1, 0, 0, id="below nothing"), pytest.param(-10_001, -ONE, -ONE, id="below the opposite"),
])
def test_clip(value: int, low: int, kept: int) -> None:
    assert clip_e4(one(value), low)[0] == kept


@given(old=st.integers(-ONE, ONE), target=st.integers(-ONE, ONE), keep=st.integers(0, ONE))
def test_blend_lies_between_and_keeps_all_or_nothing_at_the_ends(old: int, target: int, keep: int) -> None:
    assert min(old, target) <= blend(one(old), one(target), keep)[0] <= max(old, target)
    assert blend(one(old), one(target), ONE)[0] == old
    assert blend(one(old), one(target), 0)[0] == target


@given(first=PULL, second=PULL)
def test_odds_rise_with_the_pull_and_never_vanish(first: int, second: int) -> None:
    low, high = sorted((first, second))

    assert 0 < odds_factor(one(low))[0] <= odds_factor(one(high))[0]


@given(pull=st.integers(0, 200_000))
def test_opposite_pulls_undo_each_other(pull: int) -> None:
    up, down = (int(odds_factor(one(sign * pull))[0]) for sign in (1, -1))

    assert up * down <= ONE * ONE < up * (down + 1)


@given(weights=WEIGHTS, total=st.integers(1, ONE))
def test_parts_add_to_the_total_and_keep_their_quota(weights: list[int], total: int) -> None:
    parts = apportion(one(*weights), total).tolist()

    assert sum(parts) == total
    for part, weight in zip(parts, weights, strict=True):
        quota = Fraction(weight * total, sum(weights))
        assert quota - 1 < part < quota + 1


@pytest.mark.parametrize(("weights", "total", "parts"), [
    pytest.param((1, 1, 1, 1), 10, [3, 3, 2, 2], id="the first ones on ties"),
    pytest.param((1, 2, 3, 0), 10, [2, 3, 5, 0], id="the largest remainder"),
    pytest.param((0, 0, 7, 0), 10_000, [0, 0, 10_000, 0], id="one takes all"),
    pytest.param((2_500, 2_500, 2_500, 2_500), 10_000, [2_500] * 4, id="nothing is left over"),
])
def test_what_is_left_over(weights: tuple[int, ...], total: int, parts: list[int]) -> None:
    assert apportion(one(*weights), total).tolist() == parts


@pytest.mark.parametrize(("draw", "column"), [
    pytest.param(0, 0, id="the first draw"),
    pytest.param((2_500 * 2**31 - 1) // ONE, 0, id="the last below the first edge"),
    pytest.param(-(-2_500 * 2**31 // ONE), 2, id="the edge, over an empty column"),
    pytest.param(2**31 - 1, 3, id="the last draw"),
])
def test_draw_falls_on_its_share(draw: int, column: int) -> None:
    assert pick(one(2_500, 0, 5_000, 2_500)[None], one(draw))[0] == column
