"""What a day, a message and a reflection change in the state of mind, and the table of that state.

Source: seed paper 000, eqs 20 and 21 and appendices C.3 and C.4; decisions d11, d13 and d16.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from replay.environments.fund_advice.fixed import UNIT, clip_e4
from replay.environments.fund_advice.types import BUY, HOLD, SELL, Feedback
from scenarios.theta import DEEDS, ONE, SIGNALS

if TYPE_CHECKING:
    from replay.environments.fund_advice.types import Ints, Mask

MOVE_PPM = 20_000
"""The return of a day, of account or index, that is felt as 1: 2 %."""


_TURBULENCE, _BUDGET = SIGNALS.index("turbulence"), SIGNALS.index("budget")


class Variable(NamedTuple):
    """One row of docs/mind.md: a state variable in 1/10,000, from low to 10,000.

    updated: by what. used: for what. ablated_by: the component without which it never leaves its start, or without
    which it changes nothing; empty where none is.
    """

    name: str
    low: int
    updated: str
    used: str
    ablated_by: str = ""


VARIABLES = (
    Variable("affect_sentinel", -ONE, "day: eq 20 of what it felt", "pull to buy of the sentinel",
             "sub_personalities (one affect is left)"),
    Variable("affect_hedonist", -ONE, "day: eq 20 of what it felt", "pull to buy of the hedonist",
             "sub_personalities (one affect is left)"),
    Variable("affect_socialite", -ONE, "day: eq 20 of what it felt", "pull to buy of the socialite",
             "sub_personalities (one affect is left)"),
    Variable("affect_executive", -ONE, "day: eq 20 of what it felt",
             "pull to buy of the executive; withdrawals (mean of all)", "sub_personalities (one affect is left)"),
    Variable("belief_sentinel", 0, "message: eq 21; reflection: part of the way to its start",
             "pull to buy of the sentinel", "text_grounding"),
    Variable("belief_hedonist", 0, "message: eq 21; reflection: part of the way to its start",
             "pull to buy of the hedonist", "text_grounding"),
    Variable("belief_socialite", 0, "message: eq 21; reflection: part of the way to its start",
             "pull to buy of the socialite", "text_grounding"),
    Variable("perceived_risk", 0, "day: toward aversion, turbulence, drawdown and loss; message: eq 21",
             "pull to sell and pull to ask, all sub-agents"),
    Variable("attention", 0, "day: toward the size of the index's move", "floor of the stimulus filter",
             "stimulus_filter"),
    Variable("trust", 0, "message: eq 21; after a consultation: what the executive felt next",
             "pull to ask; weight of words; deposits", "text_grounding"),
    Variable("confidence", 0, "day: toward its start and what the executive felt; message: eq 21",
             "pull to ask, against it; confidence of the executive's proposal"),
    Variable("engagement", 0, "contact: satisfying or not; reply missing; session without contact",
             "odds of asking; below its bound the investor leaves"),
    Variable("risk_aversion", 0, "reflection: against the sentinel's balance of memory",
             "strength of what the sentinel sees; perceived risk", "reflection"),
    Variable("reward_sensitivity", 0, "reflection: with the hedonist's balance of memory",
             "strength of what the hedonist sees", "reflection"),
    Variable("conformity", 0, "reflection: with the socialite's balance of memory",
             "strength of what the socialite sees", "reflection"),
)


def scale_move(move_ppm: "Ints") -> "Ints":
    """Return a day's return in [-1, 1] in 1/10,000, floored; 2 % is 1."""
    return clip_e4(move_ppm * UNIT // MOVE_PPM, -ONE)


def feel(done: "Ints", came: Feedback, cash_e4: "Ints", felt: "Ints") -> "Ints":
    """Return what each sub-agent feels about a day, shape (lanes, K), in [-1, 1] in 1/10,000: g_k of eq 20.

    Args:
        done: BUY, SELL or HOLD, shape (lanes,).
        came: of the session after.
        cash_e4: cash over NAV when the day was decided.
        felt: what each feeling adds, shape (K, feelings): gain, loss, luck, missed.
    """
    won, market = scale_move(came.day_pnl_ppm), scale_move(came.r_mkt_ppm)
    side = (done == BUY) * 1 - (done == SELL)
    feelings = (np.maximum(won, 0), np.maximum(-won, 0), side * market, np.maximum(market, 0) * cash_e4 // UNIT)
    return clip_e4((np.array(feelings).T[:, None] * felt).sum(axis=2) // UNIT, -ONE)


def fear(aversion: "Ints", kept: "Ints", came: Feedback) -> "Ints":
    """Return what perceived risk moves toward, shape (lanes,), in 1/10,000, each part floored.

    Half the aversion, a fifth of the turbulence above its least, 3/10 of the risk budget used and of the day's loss.

    Args:
        aversion: risk aversion, shape (lanes,).
        kept: what passed the stimulus filter, shape (lanes, 12).
        came: of the session after.
    """
    lost = np.maximum(-scale_move(came.day_pnl_ppm), 0)
    return aversion // 2 + (kept[:, _TURBULENCE] + ONE) // 5 + (kept[:, _BUDGET] + lost) * 3 // 10


def annotate(done: "Ints", asked: "Mask", feeling: "Ints", floor_e4: int) -> "Ints":
    """Return each sub-agent's annotation of an episode, shape (lanes, K): 3 * deed + outcome, as `memory` has them."""
    deed = np.where(asked & (done == HOLD), DEEDS.index("asked"), done)
    outcome = 1 + (feeling >= floor_e4) - 1 * (feeling <= -floor_e4)
    return 3 * deed[:, None] + outcome
