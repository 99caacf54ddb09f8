"""The log of a rollout: one line for each investor and session, chained within the investor's lane.

Lines are canonical JSON (RFC 8785) with short keys, made from fixed templates; a test holds them against the general
encoder. With h_0 the digest of the lane, h_n = SHA-256(h_{n-1} then the line). Every 20 sessions a checkpoint
line states the head, so that a difference is found near its place; the heads of all lanes are the leaves of the
Merkle tree that the manifest seals. Keys of a day line, all integers:

    a  executed action: 0 BUY, 1 SELL, 2 HOLD         n  NAV after the session in 1e-8 yuan
    c  cash in cents                                  p  invested over NAV in 1/10,000
    d  session                                        q  preferences BUY, SELL, HOLD, CONSULT in 1/10,000
    e  fees of the session in cents                   s  mental account, an index of CONTEXTS
    f  fund of the first order, -1 without one        u  disagreement in 1/10,000
    i  the investor's place in the population         w  paid in less paid out, in cents
    k  advisor turns of the consultation, 0 without   x  event: 0 none, 1 exit, 2 an order was refused
    m  cents of the first order

Source: seed paper 000, section 2; decisions d1 and d38.
"""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

NO_EVENT, EXIT, REFUSED = range(3)
CHECKPOINT_EVERY = 20
"""Sessions between two checkpoint lines of a lane."""


DAY_LINE = (b'{"a":%d,"c":%d,"d":%d,"e":%d,"f":%d,"i":%d,"k":%d,"m":%d,"n":%d,"p":%d,"q":[%d,%d,%d,%d],'
            b'"s":%d,"u":%d,"w":%d,"x":%d}')
"""The template of a day line: the members of `Day` in order, its preferences one by one."""


class Day(NamedTuple):
    """One investor's session, in the order of the line's keys."""

    action: int
    cash_cents: int
    session: int
    fee_cents: int
    fund: int
    investor: int
    turns: int
    order_cents: int
    nav_e8: int
    pos_ratio_e4: int
    preferences_e4: Sequence[int]
    context: int
    disagreement_e4: int
    flow_cents: int
    event: int

    def line(self) -> bytes:
        """Return the record line, canonical, without its newline."""
        *before, preferences, context, disagreement, flow, event = self
        return DAY_LINE % (*before, *preferences, context, disagreement, flow, event)


class Lane:
    """The chain of one investor's lines under one advisor in one run.

    Attributes:
        name: "advisor/run/investor". head: hex digest of the chain so far.
    """

    __slots__ = ("_head", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self._head = hashlib.sha256(name.encode()).digest()

    @property
    def head(self) -> str:
        """The hex digest of the chain so far."""
        return self._head.hex()

    def add(self, line: bytes) -> None:
        """Chain one line."""
        self._head = hashlib.sha256(self._head + line).digest()

    def checkpoint(self, session: int, investor: int) -> bytes:
        """Return the line that states the head, chained itself too."""
        line = f'{{"d":{session},"h":"{self.head}","i":{investor}}}'.encode()
        self.add(line)
        return line
