"""How far two judges agree: quadratic weighted kappa and correlations, exact until they are printed.

kappa = 1 - sum w_ij O_ij / sum w_ij E_ij with w_ij = (i - j)^2, O the table of both judges' scores and E what their
margins alone would give, with as many pairs. For w quadratic this is

    kappa = 1 - n * sum (a_k - b_k)^2 / sum over all pairs (k, l) of (a_k - b_l)^2

in which no table is formed. A correlation is kept as its sign and its square, both rational; the root is taken only
when it is printed. Source: seed paper 000, appendices L.7, M.8 and O.3; Cohen 1968 for the weights.
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import isqrt
from typing import NamedTuple

Scores = Sequence[Fraction]


class Correlation(NamedTuple):
    """A number in [-1, 1] as the sign and the square of it."""

    sign: int
    square: Fraction

    def printed(self, places: int = 2) -> str:
        """Return the number rounded half away from zero, with exactly `places` decimals."""
        top, bottom = self.square.numerator * 4 * 10 ** (2 * places), self.square.denominator
        digits = str((isqrt(top // bottom) + 1) // 2).rjust(places + 1, "0")
        sign = "-" if self.sign < 0 and digits.strip("0") else ""
        return f"{sign}{digits[:-places]}.{digits[-places:]}"


def quadratic_kappa(left: Sequence[int], right: Sequence[int]) -> Fraction | None:
    """Return the quadratic weighted kappa of two judges' scores of the same episodes, in order.

    None without episodes, or where both give every episode one and the same score, so that chance explains all.

    Raises:
        ValueError: the two are not of one length.
    """
    observed = sum((a - b) ** 2 for a, b in zip(left, right, strict=True))
    n = len(left)
    expected = n * (sum(a * a for a in left) + sum(b * b for b in right)) - 2 * sum(left) * sum(right)
    return 1 - Fraction(n * observed, expected) if expected else None


def pearson(left: Scores, right: Scores) -> Correlation | None:
    """Return the product-moment correlation of two series of one length; None where one of them does not vary.

    Raises:
        ValueError: the two are not of one length.
    """
    n = len(left)
    both = n * sum(a * b for a, b in zip(left, right, strict=True)) - sum(left) * sum(right)
    spread = [n * sum(a * a for a in series) - sum(series) ** 2 for series in (left, right)]
    if not all(spread):
        return None
    return Correlation((both > 0) - (both < 0), Fraction(both * both) / (spread[0] * spread[1]))


def kendall(left: Scores, right: Scores) -> Correlation | None:
    """Return Kendall's tau-b of two series of one length; None where one of them does not vary.

    tau-b = (C - D) / sqrt((P - T)(P - U)): concordant less discordant pairs, over all pairs P less the ties of each.
    The work is quadratic; it is for the ranking of advisors, not of episodes. Source: d36 of the fund-advice decisions.

    Raises:
        ValueError: the two are not of one length.
    """
    series = list(zip(left, right, strict=True))
    signs = Counter(((a > b) - (a < b)) * ((x > y) - (x < y)) for (a, x), (b, y) in combinations(series, 2))
    pairs = len(series) * (len(series) - 1) // 2
    untied = [pairs - sum(count * (count - 1) // 2 for count in Counter(one).values()) for one in (left, right)]
    if not all(untied):
        return None
    net = signs[1] - signs[-1]
    return Correlation((net > 0) - (net < 0), Fraction(net * net, untied[0] * untied[1]))
