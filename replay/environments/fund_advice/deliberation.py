"""From four proposals to one distribution: cross-examination, arbitration, and what disagreement defers.

Source: seed paper 000, eqs 4 and 18 and appendix C.2; decisions d7 and d13.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from replay.environments.fund_advice.agents import Proposals
from replay.environments.fund_advice.fixed import UNIT, apportion
from replay.environments.fund_advice.types import CONSULT, HOLD
from scenarios.theta import ONE, Constants

if TYPE_CHECKING:
    from replay.environments.fund_advice.types import Ints


class Verdict(NamedTuple):
    """What the executive makes of the proposals.

    q_e4: (lanes, 4). weights_e4: of each sub-agent, (lanes, K), floored. disagreement_e4: (lanes,), floored.
    """

    q_e4: "Ints"
    weights_e4: "Ints"
    disagreement_e4: "Ints"


def cross_examine(proposals: Proposals, evidence: "Ints", constants: Constants) -> Proposals:
    """Return the proposals after each sub-agent has heard the one that it disagrees with most, once.

    It concedes where the other cites a signal that is in its own view too, and larger than what it cites itself: it
    takes over a share of the other's preferences and loses a share of its confidence. Distance is half the L1
    distance of preferences, the first agent on ties; all hear the proposals as they were first made.
    """
    q, lanes = proposals.q_e4, np.arange(len(evidence))[:, None]
    along = np.ascontiguousarray(q.transpose(2, 1, 0))  # lanes last: (4, K, lanes), which numpy walks fastest
    other = np.abs(along[:, :, None] - along[:, None]).sum(axis=0).argmax(axis=1).T
    larger = proposals.cited_e4[lanes, other] > proposals.cited_e4
    lane, agent = (larger & (evidence[lanes, np.arange(q.shape[1]), proposals.cites[lanes, other]] != 0)).nonzero()
    if not len(lane):
        return proposals
    mixed = (ONE - constants.concede) * q[lane, agent] + constants.concede * q[lane, other[lane, agent]]
    q, alpha = q.copy(), proposals.alpha_e4.copy()
    q[lane, agent] = apportion(mixed)
    alpha[lane, agent] = alpha[lane, agent] * (ONE - constants.doubt_conceded) // ONE
    return Proposals(q, alpha, proposals.cites, proposals.cited_e4)


def arbitrate(proposals: Proposals, weights: "Ints") -> Verdict:
    """Return the weighted mean of the proposals, and how far they are from it.

    Args:
        proposals: after discussion.
        weights: of the sub-agents by mental account, shape (lanes, K), each row adds to 1,000.

    U = half the sum over k of w_k * |q_k - q|, w normalised weight times confidence, floored. Source: eq 4; d7.
    """
    voice = weights * (proposals.alpha_e4 + 1)  # without the 1 nobody would speak where all confidence is lost
    q = apportion((voice[..., None] * proposals.q_e4).sum(axis=1))
    apart = np.abs(proposals.q_e4 - q[:, None]).sum(axis=2)
    heard = voice.sum(axis=1)
    return Verdict(q, voice * UNIT // heard[:, None], (voice * apart).sum(axis=1) // (2 * heard))


def defer(verdict: Verdict, constants: Constants) -> "Ints":
    """Return the preferences as weights, shape (lanes, 4), the excess of disagreement added to CONSULT and HOLD."""
    excess = np.maximum(verdict.disagreement_e4 - constants.defer_above, 0)
    ask = excess * constants.defer_ask // UNIT
    q = verdict.q_e4.copy()
    q[:, CONSULT] += ask
    q[:, HOLD] += excess - ask
    return q
