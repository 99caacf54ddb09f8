"""Means that do not depend on order or machine: correctly rounded sums, profiles weighed by whole counts."""

from collections.abc import Iterable, Mapping, Sequence
from math import fsum
from typing import NamedTuple

Weights = Mapping[str, int]
"""How many real investors of the reference cohort have each profile."""

Value = tuple[str, float | None]
"""An investor's profile and its value, None where it has none."""


class Mean(NamedTuple):
    """A value of a population: weighed by profile, plain beside it, and how many investors have one."""

    population: float | None
    plain: float | None
    investors: int


def mean(values: Sequence[float]) -> float | None:
    """Return the plain mean of a correctly rounded sum, None of nothing."""
    return fsum(values) / len(values) if values else None


def population_mean(values: Iterable[Value], weights: Weights) -> float | None:
    """Return the mean over the variants of each profile, weighed by the profiles' shares (decision d3).

    Investors without a value leave the mean; the shares of the profiles that are left are scaled to 1.
    Source: seed paper 000, appendices F.2 and I.2.
    """
    by_profile: dict[str, list[float]] = {}
    for profile, value in values:
        if value is not None:
            by_profile.setdefault(profile, []).append(value)
    if not by_profile:
        return None
    present = sum(weights[profile] for profile in by_profile)
    return fsum(weights[profile] / present * (fsum(of) / len(of)) for profile, of in by_profile.items())


def means(values: Sequence[Value], weights: Weights) -> Mean:
    """Return both means of the investors' values."""
    own = [value for _, value in values if value is not None]
    return Mean(population_mean(values, weights), mean(own), len(own))
