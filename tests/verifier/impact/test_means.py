"""Population means: profiles weighed by their share in the cohort, and what leaves the mean."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.verifier.impact.arms import WEIGHTS
from verifier.impact.means import mean, means, population_mean

PROFILES = st.sampled_from(sorted(WEIGHTS))
VALUES = st.lists(st.tuples(PROFILES, st.none() | st.floats(-1e6, 1e6)), max_size=30)


def test_by_hand() -> None:
    """Variants of a profile are averaged first; then 363, 3816 and 3020 of 7199 weigh the profiles."""
    values = [("conservative", 1.0), ("conservative", 3.0), ("balanced", 10.0), ("aggressive", 20.0)]

    assert population_mean(values, WEIGHTS) == pytest.approx((363 * 2 + 3816 * 10 + 3020 * 20) / 7199)
    assert mean([value for _, value in values]) == 8.5


def test_who_has_no_value_leaves_the_mean_and_is_not_counted() -> None:
    found = means([("balanced", None), ("balanced", 4.0), ("aggressive", None)], WEIGHTS)

    assert found == (4.0, 4.0, 1)


def test_nothing_has_no_mean() -> None:
    assert means([("balanced", None)], WEIGHTS) == (None, None, 0)


@given(profiles=st.lists(PROFILES, min_size=1, max_size=30), value=st.integers(-(10**9), 10**9))
def test_the_mean_of_a_constant_is_the_constant(profiles: list[str], value: int) -> None:
    assert population_mean([(profile, float(value)) for profile in profiles], WEIGHTS) == pytest.approx(
        value, rel=1e-15)


@given(values=VALUES, seed=st.integers(0, 99))
def test_the_order_of_investors_changes_no_digit(values: list[tuple[str, float | None]], seed: int) -> None:
    shuffled = random.Random(seed).sample(values, len(values))

    assert population_mean(shuffled, WEIGHTS) == population_mean(values, WEIGHTS)
