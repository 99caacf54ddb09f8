"""What the parts of the environment hand to each other: arrays of 64-bit integers, one entry for each investor."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Mask = NDArray[np.bool_]

BUY, SELL, HOLD, CONSULT = range(4)
"""The action space, in the fixed order in which an action is drawn. Source: seed paper 000, eq 10."""

ACTIONS = ("BUY", "SELL", "HOLD", "CONSULT")

LIMIT, SAFE, LOSS, GAIN, CORE = range(5)
"""The mental accounts, the first that holds decides."""

CONTEXTS = ("LIMIT", "SAFE", "LOSS", "GAIN", "CORE")


class Observation(NamedTuple):
    """What an investor sees after the close of a session; every member has shape (investors,).

    Names end in their unit: _ppm millionths, _e4 ten-thousandths, _days sessions.

    r_mkt: the benchmark's return of the session; mom20: over 20 sessions; vol20: its mean absolute return over 20.
    breadth: share of the universe that rose. pos_ratio, cash_ratio: invested and cash over NAV. unreal: unrealised
    profit over cost. day_pnl: the account's flow-adjusted return of the session; ret20, ret63, mdd63: over 20 and
    63 sessions. drawdown: from the running peak. idle: sessions since the last trade. cue: how strongly the
    dialogue of the last consultation told what others do. context: the mental account.
    """

    r_mkt_ppm: "Ints"
    mom20_ppm: "Ints"
    vol20_ppm: "Ints"
    breadth_e4: "Ints"
    pos_ratio_e4: "Ints"
    cash_ratio_e4: "Ints"
    unreal_ppm: "Ints"
    day_pnl_ppm: "Ints"
    drawdown_e4: "Ints"
    ret20_ppm: "Ints"
    ret63_ppm: "Ints"
    mdd63_e4: "Ints"
    idle_days: "Ints"
    cue_e4: "Ints"
    context: "Ints"


class Feedback(NamedTuple):
    """What came of an action, known at the next mark; every member has shape (investors,)."""

    day_pnl_ppm: "Ints"
    r_mkt_ppm: "Ints"
    acted: "Ints"
