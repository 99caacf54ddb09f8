"""Rankings of advisors, and how far two of them agree. Source: seed paper 000, tables 15 and 16; decision d36.

Values are exact: a printed number as its decimal, a float as the fraction that it is.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from verifier.kappa import Correlation, kendall, pearson

Values = Mapping[str, Fraction]
"""A score of each advisor."""

SCHEMES: dict[str, tuple[Fraction, Fraction, Fraction]] = {
    "Main balanced": (Fraction(7, 10), Fraction(2, 10), Fraction(1, 10)),
    "Investor-centric": (Fraction(9, 10), Fraction(0), Fraction(1, 10)),
    "Platform-centric": (Fraction(5, 10), Fraction(4, 10), Fraction(1, 10)),
    "Equal-weight": (Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)),
    "Content-emph.": (Fraction(5, 10), Fraction(1, 10), Fraction(4, 10)),
}
"""Weights of S_I, S_B and S_Content in each scheme of table 15."""

COMPONENTS: dict[str, tuple[Fraction, Fraction, Fraction]] = {
    "S_I only": (Fraction(1), Fraction(0), Fraction(0)),
    "S_B only": (Fraction(0), Fraction(1), Fraction(0)),
    "S_Content only": (Fraction(0), Fraction(0), Fraction(1)),
    "S_I + S_Content": (Fraction(1), Fraction(0), Fraction(1)),
    "Full S_Total": SCHEMES["Main balanced"],
}
"""Weights of the views of table 16; its combined view is read as the plain sum."""


def ranking(values: Values) -> tuple[str, ...]:
    """Return the advisors, best first; a tie in order of id."""
    return tuple(sorted(values, key=lambda name: (-values[name], name)))


def weighed(parts: Mapping[str, Sequence[Fraction]], weights: Sequence[Fraction]) -> dict[str, Fraction]:
    """Return the weighted sum of each advisor's parts."""
    return {
        name: sum((weight * part for weight, part in zip(weights, own, strict=True)), Fraction(0))
        for name, own in parts.items()
    }


def tau(left: Values, right: Values) -> Correlation | None:
    """Return Kendall's tau-b of two scores of the same advisors; None where one of them does not vary."""
    return kendall(list(left.values()), [right[name] for name in left])


def spearman(left: Values, right: Values) -> Correlation | None:
    """Return Spearman's rank correlation, ties at their mean rank; None where one of them does not vary."""
    return pearson(_ranks(list(left.values())), _ranks([right[name] for name in left]))


def _ranks(values: Sequence[Fraction]) -> list[Fraction]:
    """Return the rank of each value, counted from 1 at the lowest."""
    below = [sum(other < value for other in values) for value in values]
    return [low + Fraction(values.count(value) + 1, 2) for low, value in zip(below, values, strict=True)]
