"""95 % bounds for a share, decided in integers.

Wilson: the shares p with |x/n - p| <= z * sqrt(p (1 - p) / n), an approximation that is narrower than the exact
bounds; z is the 97.5 % point of the normal distribution. Source: Wilson, JASA 22 (1927), 209-212.

Clopper-Pearson: with x successes in n trials, low is the chance p at which P(X >= x) = 1/40 for X
binomial(n, p), and high the one at which P(X <= x) = 1/40; low is 0 for x = 0, high is 1 for x = n.
Both are rounded outward to 4 decimals, so the printed interval contains the exact one.
Source: Clopper and Pearson, Biometrika 26 (1934), 404-413.
"""

from fractions import Fraction
from functools import lru_cache
from math import comb

GRID = 10_000
"""Steps of a bound: 4 decimals."""

ONE_IN = 40
"""Each side may miss once in 40: 95 % between the bounds."""


def clopper_pearson(successes: int, trials: int) -> tuple[Fraction, Fraction] | None:
    """Return the exact 95 % bounds of a share, low floored and high ceiled to 4 decimals; None without trials.

    Raises:
        ValueError: successes is below 0 or above trials.
    """
    _check_counts(successes, trials)
    if trials == 0:
        return None
    low, high = _low_steps(successes, trials), GRID - _low_steps(trials - successes, trials)
    return Fraction(low, GRID), Fraction(high, GRID)


Z_SQUARED = Fraction(3_841_458_820_694_124, 10**15)
"""The square of the normal distribution's 97.5 % point, to 15 decimals."""


def wilson(successes: int, trials: int) -> tuple[Fraction, Fraction] | None:
    """Return Wilson's 95 % bounds of a share, low floored and high ceiled to 4 decimals; None without trials.

    Raises:
        ValueError: successes is below 0 or above trials.
    """
    _check_counts(successes, trials)
    if trials == 0:
        return None

    def within(k: int) -> bool:
        """Return whether the share k / GRID lies within the bounds, both sides squared."""
        p = Fraction(k, GRID)
        return (Fraction(successes, trials) - p) ** 2 * trials <= Z_SQUARED * p * (1 - p)

    share = successes * GRID // trials
    low = next((k for k in range(share, -1, -1) if not within(k)), 0)
    high = next((k for k in range(share + 1, GRID + 1) if not within(k)), GRID)
    return Fraction(low, GRID), Fraction(high, GRID)


def _check_counts(successes: int, trials: int) -> None:
    if not 0 <= successes <= trials:
        raise ValueError(f"found {successes} successes in {trials} trials, expected 0 <= successes <= trials")


@lru_cache(maxsize=1024)
def _low_steps(successes: int, trials: int) -> int:
    """Return the greatest k with P(X >= successes) <= 1/40 at the chance k / GRID.

    The tail grows with the chance: it is 0 at chance 0 and, as the median of X is then at least
    `successes`, no less than 1/2 at chance successes / trials. The answer lies between, by bisection.
    """
    ways, budget = comb(trials, successes), GRID**trials // ONE_IN
    holds, fails = 0, -(-successes * GRID // trials)
    while fails - holds > 1:
        middle = (holds + fails) // 2
        first = ways * middle**successes * (GRID - middle) ** (trials - successes)
        if _tail_fits(first, middle, successes, trials, budget):
            holds = middle
        else:
            fails = middle
    return holds


def _tail_fits(term: int, k: int, successes: int, trials: int, budget: int) -> bool:
    """Return whether the sum over i >= successes of C(n,i) k^i (GRID-k)^(n-i) is at most budget.

    term: the first summand. The summands fall, each ratio rise / fall < 1 being smaller than the one
    before, because k / GRID < successes / trials. So what is left after a summand t is at most
    t * rise / (fall - rise), and the sum can stop as soon as that bound or the budget decides.
    """
    i = successes
    while True:
        budget -= term
        if budget < 0:
            return False
        rise, fall = k * (trials - i), (GRID - k) * (i + 1)
        grown = term * rise
        if grown <= budget * (fall - rise):
            return True
        term = grown // fall
        i += 1
