"""Exact 95 % bounds for a share of runs."""

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenarios.exact import round_half_up
from verifier.intervals import clopper_pearson


def printed(successes: int, trials: int) -> tuple[str, str]:
    """Return both bounds with 4 decimals."""
    bounds = clopper_pearson(successes, trials)
    assert bounds is not None
    return round_half_up(bounds[0], 4), round_half_up(bounds[1], 4)


def at_least(successes: int, trials: int, chance: Fraction) -> Fraction:
    """Return P(X >= successes), straight from the definition."""
    return sum(
        (comb(trials, i) * chance**i * (1 - chance) ** (trials - i) for i in range(successes, trials + 1)), Fraction(0)
    )


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        pytest.param(0, 1, "0.0000", "0.9750", id="one miss: the high bound is a grid point and stays"),
        pytest.param(1, 1, "0.0250", "1.0000", id="one hit: the low bound is a grid point and stays"),
        pytest.param(0, 10, "0.0000", "0.3085", id="none of ten: 1 - 0.025^(1/10) = 0.30849..."),
        pytest.param(1, 10, "0.0025", "0.4451", id="one of ten: tables print 0.0025 and 0.4450"),
        pytest.param(5, 10, "0.1870", "0.8130", id="half of ten: tables print 0.1871 and 0.8129"),
        pytest.param(10, 10, "0.6915", "1.0000", id="all of ten"),
        pytest.param(350, 600, "0.5427", "0.6232", id="the agreement splitter's validity"),
        pytest.param(600, 600, "0.9938", "1.0000", id="all of 600: 0.025^(1/600) = 0.99387..."),
    ],
)
def test_known_values(successes: int, trials: int, low: str, high: str) -> None:
    """The bounds of the tables, rounded outward."""
    assert printed(successes, trials) == (low, high)


def test_no_trials_no_bounds() -> None:
    """Without a run there is nothing to bound."""
    assert clopper_pearson(0, 0) is None


@pytest.mark.parametrize(("successes", "trials"), [(-1, 5), (6, 5), (1, 0), (0, -1)])
def test_impossible_counts_are_refused(successes: int, trials: int) -> None:
    """More successes than trials is a bug of the caller."""
    with pytest.raises(ValueError, match="expected 0 <= successes <= trials"):
        clopper_pearson(successes, trials)


COUNTS = st.integers(1, 60).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials)))


@given(counts=COUNTS)
def test_each_bound_is_the_tightest_that_holds(counts: tuple[int, int]) -> None:
    """At the bound the tail is at most 1/40, one grid step further inside it is more."""
    successes, trials = counts
    bounds = clopper_pearson(successes, trials)
    assert bounds is not None
    step, rare = Fraction(1, 10_000), Fraction(1, 40)
    for count, low in ((successes, bounds[0]), (trials - successes, 1 - bounds[1])):
        assert low == 0 if count == 0 else at_least(count, trials, low) <= rare < at_least(count, trials, low + step)


@given(counts=COUNTS)
def test_the_bounds_hold_the_share_and_mirror(counts: tuple[int, int]) -> None:
    """The observed share lies inside; failures have the mirrored bounds; one more success raises both."""
    successes, trials = counts
    low, high = clopper_pearson(successes, trials) or (Fraction(2), Fraction(-1))
    assert 0 <= low <= Fraction(successes, trials) <= high <= 1
    assert clopper_pearson(trials - successes, trials) == (1 - high, 1 - low)
    if successes < trials:
        above = clopper_pearson(successes + 1, trials)
        assert above is not None
        assert above[0] >= low
        assert above[1] >= high
