"""The stimulus filter and selective perception: what of the day reaches the mind, and what each sub-agent sees of it.

Twelve signals are scaled by fixed units to [-1, 1] in 1/10,000, floored; the largest few above a floor pass, the
first on ties. A sub-agent then sees a share of each, by role and by sign. Source: seed paper 000, eq 17; d13.
"""

from typing import TYPE_CHECKING

import numpy as np

from replay.environments.fund_advice.fixed import UNIT, clip_e4
from replay.environments.fund_advice.types import Observation
from scenarios.theta import ONE, SIGNALS

if TYPE_CHECKING:
    from replay.environments.fund_advice.types import Ints

CALM_PPM = 8_000
"""The mean daily move of the index that is neither calm nor turbulent: 0.8 %."""

UNITS = {
    "move": 20_000, "momentum": 80_000, "turbulence": 8_000, "crowd": 5_000, "room": 5_000, "profit": 100_000,
    "day": 20_000, "budget": ONE, "quarter": 150_000, "scar": ONE, "missed": 80_000, "word": ONE,
}
"""What counts as 1, in the unit of the observation: ppm for returns, 1/10,000 for shares."""


def read_signals(seen: Observation, reserve_e4: "Ints", tolerance_e4: "Ints") -> "Ints":
    """Return the twelve signals, shape (lanes, 12), in the order of SIGNALS, each in [-1, 1] in 1/10,000.

    move: the index today. momentum: over 20 sessions. turbulence: its mean move over 20, above or below calm.
    crowd: the share of funds that rose, above or below half. room: cash above or below the stated reserve. profit:
    unrealised, over cost. day: the account today. budget: the drawdown over the tolerance. quarter: the account over
    63 sessions. scar: its largest drawdown in them, over the tolerance. missed: the index over 20 sessions less the
    account. word: what others do, by the last consultation.

    Args:
        seen: the day.
        reserve_e4: the stated cash reserve over NAV, shape (lanes,).
        tolerance_e4: the stated drawdown tolerance, shape (lanes,), every entry > 0.
    """
    raw = (
        seen.r_mkt_ppm, seen.mom20_ppm, seen.vol20_ppm - CALM_PPM, seen.breadth_e4 - ONE // 2,
        seen.cash_ratio_e4 - reserve_e4, seen.unreal_ppm, seen.day_pnl_ppm, seen.drawdown_e4 * UNIT // tolerance_e4,
        seen.ret63_ppm, seen.mdd63_e4 * UNIT // tolerance_e4, seen.mom20_ppm - seen.ret20_ppm, seen.cue_e4,
    )
    return clip_e4(np.array(raw).T * UNIT // _UNITS, -ONE)


def filter_stimuli(signals: "Ints", floor_e4: "Ints", most: int) -> "Ints":
    """Return the signals with all but the largest set to 0.

    Args:
        signals: shape (lanes, 12).
        floor_e4: the size from which a signal can pass, shape (lanes,).
        most: how many pass.
    """
    size = np.abs(signals)
    key = size * 16 + _EARLIER
    least = np.partition(key, len(SIGNALS) - most, axis=1)[:, len(SIGNALS) - most, None]
    return np.where((key >= least) & (size >= floor_e4[:, None]), signals, 0)


def perceive_roles(kept: "Ints", rises: "Ints", falls: "Ints") -> "Ints":
    """Return what each sub-agent sees, shape (lanes, K, 12), floored. Source: seed paper 000, eq 17."""
    one = kept[:, None, :]
    return np.where(one > 0, rises, falls) * one // UNIT


_UNITS = np.array([UNITS[name] for name in SIGNALS], dtype=np.int64)
_EARLIER = np.arange(len(SIGNALS))[::-1]
