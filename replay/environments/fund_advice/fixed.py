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


def div_half_even(numerator: "Ints", denominator: int) -> "Ints":
    """Return the quotient rounded to the nearest integer, a half to the even one; denominator > 0."""
    quotient = numerator // denominator
    twice = 2 * (numerator - quotient * denominator)
    up: Ints = (twice > denominator) | ((twice == denominator) & (quotient % 2 == 1))
    return quotient + up


def clip_e4(values: "Ints", low: int = 0) -> "Ints":
    """Return values kept within [low, 10,000]."""
    return np.minimum(np.maximum(values, low), ONE)


def blend(old: "Ints", target: "Ints", keep_e4: int) -> "Ints":
    """Return keep * old + (1 - keep) * target, rounded half to even. Source: seed paper 000, eqs 20 and 21."""
    return div_half_even(keep_e4 * old + (ONE - keep_e4) * target, ONE)


def odds_factor(pull_e4: "Ints") -> "Ints":
    """Return by what a pull multiplies odds, in 1/10,000: 1 + x above zero and 1 / (1 - x) below, floored.

    Like an exponential it is positive and rising, and opposite pulls undo each other; unlike one it is exact.
    """
    return np.where(pull_e4 >= 0, ONE + pull_e4, ONE * ONE // (ONE - np.minimum(pull_e4, 0)))


def apportion(weights: "Ints", total: int = ONE) -> "Ints":
    """Return integers that add to a total exactly, in proportion to the weights along the last axis.

    Each gets the floor of its quota; what is left goes to the largest remainders, the first on ties.

    Args:
        weights: every entry >= 0 and every sum from 1 to 9e14.
        total: of each row, at most 10,000.
    """
    whole = weights.sum(axis=-1, keepdims=True)
    quotas = weights * total
    floors = quotas // whole
    count = weights.shape[-1]
    key = (quotas - floors * whole) * count - np.arange(count)  # no two are equal
    rank: Ints = sum(key[..., one, None] > key for one in range(count))  # a sum along so short an axis is slow
    parts: Ints = floors + (rank < total - floors.sum(axis=-1, keepdims=True))
    return parts


def pick(shares: "Ints", draw: "Ints") -> "Ints":
    """Return the entry of each row on which its draw falls, first to last by cumulative share.

    Args:
        shares: shape (rows, n), each row adds to 10,000.
        draw: shape (rows,), uniform on [0, 2**31).
    """
    edges = np.cumsum(shares, axis=1) << BITS
    column: Ints = (draw[:, None] * ONE >= edges).sum(axis=1)
    return column
