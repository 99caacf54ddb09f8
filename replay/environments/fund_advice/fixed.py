"""Arithmetic of the mind: 64-bit integers in 1/10,000, each rounding named, nothing that depends on the machine.

Exponentials, powers and matrix products change their last bits with the processor, so none is used where something
is decided; what takes the place of an exponential is `odds_factor`.
"""

from typing import TYPE_CHECKING

import numpy as np

from replay.environments.fund_advice.draws import BITS
from scenarios.theta import ONE

if TYPE_CHECKING:
    from replay.environments.fund_advice.types import Ints

UNIT: "Ints" = np.array(ONE, dtype=np.int64)
"""10,000 as an array without axes, with which numpy computes twice as fast as with a Python number."""

_SQUARE: "Ints" = np.array(ONE * ONE, dtype=np.int64)


def div_half_even(numerator: "Ints", denominator: int) -> "Ints":
    """Return the quotient rounded to the nearest integer, a half to the even one; denominator > 0."""
    shifted = 2 * numerator + denominator
    nearest = shifted // (2 * denominator)  # a half goes up
    halfway = nearest * (2 * denominator) == shifted
    rounded: Ints = nearest - (halfway & nearest)  # True & n is 1 where n is odd
    return rounded


def clip_e4(values: "Ints", low: int = 0) -> "Ints":
    """Return values kept within [low, 10,000]."""
    return np.minimum(np.maximum(values, low), UNIT)


def blend(old: "Ints", target: "Ints", keep_e4: int) -> "Ints":
    """Return keep * old + (1 - keep) * target, rounded half to even. Source: seed paper 000, eqs 20 and 21."""
    return div_half_even(keep_e4 * old + (ONE - keep_e4) * target, ONE)


def odds_factor(pull_e4: "Ints") -> "Ints":
    """Return by what a pull multiplies odds, in 1/10,000: 1 + x above zero and 1 / (1 - x) below, floored.

    Like an exponential it is positive and rising, and opposite pulls undo each other; unlike one it is exact.
    """
    size = UNIT + np.abs(pull_e4)
    return np.where(pull_e4 >= 0, size, _SQUARE // size)


def apportion(weights: "Ints", total: int = ONE) -> "Ints":
    """Return integers that add to a total exactly, in proportion to the weights along the last axis.

    Each gets the floor of its quota; what is left goes to the largest remainders, the first on ties.

    Args:
        weights: every entry >= 0 and every sum from 1 to 9e14.
        total: of each row, at most 10,000.
    """
    count = weights.shape[-1]
    rows = weights.reshape(-1, count)
    whole = rows.sum(axis=1, keepdims=True)
    floors, rest = divmod(rows * total, whole)
    key = rest * count - np.arange(count)  # no two are equal
    ordered = key.copy()
    ordered.sort(axis=1)
    last = ordered[np.arange(len(rows)), count - 1 - total + floors.sum(axis=1)]  # the largest that gets none
    parts: Ints = floors + (key > last[:, None])
    return parts.reshape(weights.shape)


def pick(shares: "Ints", draw: "Ints") -> "Ints":
    """Return the entry of each row on which its draw falls, first to last by cumulative share.

    Args:
        shares: shape (rows, n), each row adds to 10,000.
        draw: shape (rows,), uniform on [0, 2**31).
    """
    edges = shares.cumsum(axis=1) << BITS
    column: Ints = (draw[:, None] * UNIT >= edges).sum(axis=1)
    return column
