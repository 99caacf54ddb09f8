"""Random numbers that do not depend on who else draws: one table of integers for each run and investor.

A table is keyed by (seed, run, investor) and never by the advisor, so that matched arms share every draw; an
entry is keyed by session and purpose, so order and parallelism do not matter. Philox is counter-based and its raw
output is integers. Source: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
"""

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from replay.environments.fund_advice.types import Ints

PURPOSES = ("nav0", "flow", "fund", "utterance", *(f"action{turn}" for turn in range(7)))
"""What a number is drawn for; action0 before any advice, action1 after the first advisor turn, and so on."""

PURPOSE = {name: column for column, name in enumerate(PURPOSES)}
BITS = 31
"""Every draw is uniform on [0, 2**31)."""


def draws(seed: int, run: int, investor: str, sessions: int) -> "Ints":
    """Return the draws of one investor, shape (sessions + 1, purposes), each in [0, 2**31).

    Args:
        seed: of the rollout.
        run: counted from 1.
        investor: its id.
        sessions: of the trace, without the base day.
    """
    import numpy as np

    key = hashlib.sha256(f"advice-audit draws {seed} {run} {investor}".encode()).digest()
    source = np.random.Philox(key=np.frombuffer(key[:16], dtype="<u8"))
    raw = source.random_raw((sessions + 1) * len(PURPOSES))
    return (raw >> np.uint64(64 - BITS)).astype(np.int64).reshape(sessions + 1, len(PURPOSES))
