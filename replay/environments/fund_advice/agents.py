"""The four sub-agents: what each proposes, from what it sees, remembers and feels.

A proposal is a distribution over BUY, SELL, HOLD, CONSULT, a confidence, and the signal that it cites. The rule
turns evidence into two pulls, to buy (below zero: to sell) and to ask, and these multiply the role's odds. Source:
seed paper 000, section 3.1 and appendix C.1.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from replay.environments.fund_advice.fixed import UNIT, apportion, clip_e4, odds_factor
from replay.environments.fund_advice.theta import Tables
from replay.environments.fund_advice.types import BUY, SELL
from scenarios.theta import DRIVES, ONE, Constants, Parameter

if TYPE_CHECKING:
    from replay.environments.fund_advice.types import Ints

HALF = ONE // 2

SURE_E4 = 4_000
"""The confidence of a proposal that cites nothing."""


class Inputs(NamedTuple):
    """What the sub-agents go by, in 1/10,000; (lanes, K) unless said otherwise.

    evidence: (lanes, K, signals). recall: (lanes, K, 2). affect; belief, half for the executive; trait: of the motive,
    half for the executive. perceived_risk, confidence, trust, engagement, rested: (lanes,); rested is 1 where the
    last trade is long enough ago.
    """

    evidence: "Ints"
    recall: "Ints"
    affect: "Ints"
    belief: "Ints"
    trait: "Ints"
    perceived_risk: "Ints"
    confidence: "Ints"
    trust: "Ints"
    engagement: "Ints"
    rested: "Ints"


class Proposals(NamedTuple):
    """What the K sub-agents of each lane propose.

    q_e4: (lanes, K, 4), each row adds to 10,000. alpha_e4: confidence, (lanes, K). cites: the largest signal of the
    own view, the first on ties, (lanes, K). cited_e4: its size.
    """

    q_e4: "Ints"
    alpha_e4: "Ints"
    cites: "Ints"
    cited_e4: "Ints"


class Pulls(NamedTuple):
    """What the evidence does, (lanes, K): drive, to buy (below zero: to sell), and doubt, to ask."""

    drive: "Ints"
    doubt: "Ints"


class RuleAgents:
    """All sub-agents of all lanes, by rule.

    Args:
        tables: θ as arrays; drive and odds may have an axis of lanes before their own.
        constants: of θ.
        gains: the parameters of θ, by name; or one each lane, shape (lanes, 1).
    """

    def __init__(self, tables: Tables, constants: Constants, gains: "Mapping[Parameter, int | Ints]") -> None:
        self.tables = tables
        self.constants = constants
        self.gains = gains

    def among(self, lanes: "Ints") -> "RuleAgents":
        """Return the sub-agents of some lanes."""
        if self.tables.drive.ndim == 2:
            return self
        tables = self.tables._replace(drive=self.tables.drive[lanes], odds=self.tables.odds[lanes])
        return RuleAgents(tables, self.constants, {name: gain[lanes] for name, gain in self.gains.items()})  # type: ignore[index]

    def pulls(self, inputs: Inputs) -> Pulls:
        """Return what evidence, memory and mood do to each sub-agent.

        The trait of its motive makes a sub-agent see what it sees more strongly, and leans it to one side. Perceived
        risk holds back from buying and makes ask; so does trust in the advisor, and want of confidence.
        """
        gains, tables = self.gains, self.tables
        seen = (tables.drive * inputs.evidence).sum(axis=2) // UNIT * (HALF + inputs.trait) // UNIT
        unsure = (tables.doubt * np.abs(inputs.evidence)).sum(axis=2)
        fear = gains["risk_gain"] * (2 * inputs.perceived_risk - UNIT)[:, None]
        recalled = gains["recall_gain"] * inputs.recall.transpose(2, 0, 1)
        felt = gains["affect_gain"] * inputs.affect + gains["belief_gain"] * (2 * inputs.belief - UNIT)
        bent = tables.leaning * (2 * inputs.trait - UNIT)
        turn = (inputs.trust + HALF - 2 * inputs.confidence)[:, None]
        drive = seen + (felt + bent + recalled[0] - fear) // UNIT
        return Pulls(drive, turn + (unsure + recalled[1] + fear) // UNIT)

    def weigh(self, inputs: Inputs, pulls: Pulls) -> "Ints":
        """Return the preferences as weights, shape (lanes, K, 4): the role's odds times what the pulls make of them."""
        drive, rested = pulls.drive, inputs.rested
        factor = odds_factor(np.array([drive, -drive, np.zeros(drive.shape, dtype=np.int64), pulls.doubt]))
        free = np.array([rested, rested, np.full(len(rested), ONE), HALF + inputs.engagement // 2])
        factor *= free[..., None]
        return self.tables.odds[..., -drive.shape[1] :, :] * factor.transpose(1, 2, 0) // (ONE * ONE)

    def listen(self, inputs: Inputs, pulls: Pulls, heard_e4: "Ints") -> "Ints":
        """Return the executive's weights, shape (lanes, 4), after it has heard what the drives propose.

        Their net wish to buy, averaged, is one more pull of its own. Source: seed paper 000, appendix C.1.
        """
        drive = pulls.drive[:, -1:] + (heard_e4 * self.constants.listen // UNIT)[:, None]
        return self.weigh(inputs, Pulls(drive, pulls.doubt[:, -1:]))[:, 0]


def cite(weights: "Ints", evidence: "Ints", confidence: "Ints") -> Proposals:
    """Return the proposals behind weights: the evidence that each cites, and how sure that makes it.

    The surer for the size of what it cites; the executive for the investor's own confidence too.
    """
    size = np.abs(evidence)
    cited = size.max(axis=2)
    alpha = SURE_E4 + cited // 2
    alpha[:, -1] += (confidence - HALF) // 2
    return Proposals(apportion(weights), clip_e4(alpha), size.argmax(axis=2), cited)


def wish_e4(weights: "Ints") -> "Ints":
    """Return the mean net wish of the drives to buy, shape (lanes,), floored."""
    drives = weights[:, : len(DRIVES)]
    net = (drives[..., BUY] - drives[..., SELL]) * UNIT // drives.sum(axis=2)
    return net.sum(axis=1) // len(DRIVES)  # type: ignore[no-any-return]
