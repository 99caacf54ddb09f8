"""Episodic memory: what each sub-agent saw, what was done and how it came out, and what that says today.

An episode is the sub-agent's view in hundredths and an annotation, one of twelve codes: bought, sold, held, or asked
and held, each regretted, indifferent or welcome. The nearest by L1 distance of views come to mind, the newer first
on ties. Source: seed paper 000, eq 19; d13.
"""

from typing import TYPE_CHECKING

import numpy as np

from scenarios.theta import ONE, SIGNALS

if TYPE_CHECKING:
    from replay.environments.fund_advice.types import Ints

EPISODES = 60
"""Episodes that a sub-agent keeps; the oldest is forgotten first."""

_FINE = 100  # a view is kept in 1/100, so that twelve distances fit 16 bits


class Memory:
    """The episodes of every lane and sub-agent.

    Args:
        lanes: investors.
        agents: sub-agents of each.
        recalled: episodes that come to mind.

    Attributes:
        views: shape (signals, lanes, agents, EPISODES), int16, so that a sum over signals runs along memory.
        codes: shape (lanes, agents, EPISODES), int8, 3 * deed + outcome.
        appended: episodes so far, the same for every lane.
    """

    def __init__(self, lanes: int, agents: int, recalled: int) -> None:
        self.views = np.zeros((len(SIGNALS), lanes, agents, EPISODES), dtype=np.int16)
        self.codes = np.zeros((lanes, agents, EPISODES), dtype=np.int8)
        self.appended = 0
        self.recalled = recalled
        self._lanes, self._agents = np.arange(lanes)[:, None], np.arange(agents)

    def append(self, evidence: "Ints", codes: "Ints") -> None:
        """Remember an episode: the views, shape (lanes, agents, signals), and the annotations, (lanes, agents)."""
        slot = self.appended % EPISODES
        self.views[..., slot] = (evidence // _FINE).transpose(2, 0, 1)
        self.codes[..., slot] = codes
        self.appended += 1

    def recall(self, evidence: "Ints", lessons: "Ints") -> "Ints":
        """Return the mean lesson of the nearest episodes, shape (lanes, agents, 2), floored; 0 where fewer are kept.

        Args:
            evidence: today's views, shape (lanes, agents, signals).
            lessons: of each annotation, shape (12, 2).
        """
        kept = min(self.appended, EPISODES)
        near = min(self.recalled, kept)
        if not near:
            return np.zeros((*evidence.shape[:2], 2), dtype=np.int64)
        today = (evidence // _FINE).transpose(2, 0, 1).astype(np.int16)
        away = self.views[..., :kept] - today[..., None]
        distance = np.abs(away, out=away).sum(axis=0, dtype=np.int16)
        age = (self.appended - 1 - np.arange(EPISODES, dtype=np.int32)) % EPISODES  # of each slot, and back
        key = distance * np.int32(64) + age[:kept]
        key.partition(near - 1, axis=-1)
        slot = age[key[..., :near] & 63].transpose(2, 0, 1)
        codes = self.codes[self._lanes, self._agents, slot]
        return lessons[codes].sum(axis=0) // self.recalled  # type: ignore[no-any-return]

    def balance(self) -> "Ints":
        """Return the share of welcome less regretted episodes, shape (lanes, agents), in [-1, 1] in 1/10,000."""
        kept = min(self.appended, EPISODES)
        outcome = self.codes[..., :kept] % 3 - np.int8(1)
        balance: Ints = outcome.sum(axis=-1, dtype=np.int64) * ONE // max(kept, 1)
        return balance
