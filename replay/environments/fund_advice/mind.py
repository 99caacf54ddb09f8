"""The mind of every investor of a task: filter, perceive, propose, examine, arbitrate, draw, and learn.

One call a day of `perceive`, `decide` and, when the next mark is known, `feedback`; `hear` and `decide` again after an
advisor's message; `engage` at the end of the session; `reflect` every few. All lanes at once, integers only. Source:
seed paper 000, section 3.1 and appendix C; decisions d5 to d7, d10, d11, d13 to d16 and d34. Manual: docs/mind.md.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from replay.environments.fund_advice.agents import HALF, Inputs, Proposals, RuleAgents, cite, wish_e4
from replay.environments.fund_advice.deliberation import arbitrate, cross_examine, defer
from replay.environments.fund_advice.fixed import UNIT, apportion, blend, clip_e4, pick
from replay.environments.fund_advice.memory import Memory
from replay.environments.fund_advice.model_agents import Agent, AgentView
from replay.environments.fund_advice.population import Investor
from replay.environments.fund_advice.signals import filter_stimuli, perceive_roles, read_signals
from replay.environments.fund_advice.theta import LITERACIES, gains_of, stacked, starts, tables
from replay.environments.fund_advice.types import BUY, CONSULT, CORE, HOLD, SELL, Feedback, Observation
from replay.environments.fund_advice.updates import annotate, fear, feel, scale_move
from scenarios.manifest import Theta
from scenarios.theta import AGENTS, DRIVES, ONE, SIGNALS

if TYPE_CHECKING:
    from replay.environments.fund_advice.types import Ints, Mask

RATIONALES = SIGNALS
"""What a decision can rest on: a rationale is the number of the signal that the deciding sub-agent cites."""


class View(NamedTuple):
    """What reached the mind today.

    signals, kept: before and after the stimulus filter, (lanes, 12). evidence: what each sub-agent sees, (lanes, K,
    12). recall: what its memories say, (lanes, K, 2). context: the mental account, (lanes,). cash_e4, can_buy,
    can_sell, rested_e4: of the account, (lanes,).
    """

    signals: "Ints"
    kept: "Ints"
    evidence: "Ints"
    recall: "Ints"
    context: "Ints"
    cash_e4: "Ints"
    can_buy: "Mask"
    can_sell: "Mask"
    rested_e4: "Ints"


class Decision(NamedTuple):
    """What the mind decided, one entry a lane.

    action: BUY, SELL, HOLD or CONSULT. q_e4: the distribution that it was drawn from, (lanes, 4). disagreement_e4: of
    the sub-agents. weights_e4: of each in the arbitration, (lanes, K). rationale: index into RATIONALES.
    """

    action: "Ints"
    q_e4: "Ints"
    disagreement_e4: "Ints"
    weights_e4: "Ints"
    rationale: "Ints"


class Mind:
    """The minds of the investors of one task, one lane each.

    Args:
        theta: the configuration.
        investors: in order of lane.
        agents: sub-agents that take the place of the rule, by name.
        variants: θ of each lane, like theta but for the values of parameters; none where all lanes share theta.

    Attributes:
        affect: (lanes, K). belief: (lanes, D) of the agents that hold one. traits: (lanes, 3), risk aversion, reward
            sensitivity, conformity. perceived_risk, attention, trust, confidence, engagement: (lanes,). All in
            1/10,000; docs/mind.md has a row for each.
        left: who has stopped consulting for good, (lanes,).
    """

    def __init__(
        self, theta: Theta, investors: Sequence[Investor], agents: Mapping[str, Agent] | None = None,
        variants: Sequence[Theta] = (),
    ) -> None:
        self.theta = theta
        self.switches = theta.switches
        self.constants = theta.constants
        self.tables, gains = stacked(variants) if variants else (tables(theta), gains_of(theta))
        self.replaced = {AGENTS.index(name): agent for name, agent in (agents or {}).items()}
        self.rules = RuleAgents(self.tables, theta.constants, gains)

        lanes, voices = len(investors), len(self.tables.felt)
        self.lanes = np.arange(lanes)
        start = starts(theta, tuple(one.profile for one in investors))
        self.home_traits = np.stack([start[name] for name in ("risk_aversion", "reward_sensitivity", "conformity")], 1)
        self.home_belief = np.repeat(start["belief"][:, None], len(self.tables.beliefs), axis=1)
        self.home_confidence = start["confidence"].copy()
        level = [LITERACIES.index(one.literacy) for one in investors]
        self.literacy = np.array(theta.literacy, dtype=np.int64)[level]
        self.sharpness = np.array(level, dtype=np.int64)[:, None]
        framed = self.switches["mental_accounting"]
        shares = [(one.traits.cash_reserve, one.traits.drawdown_tolerance) if framed else (0, 1) for one in investors]
        self.reserve, self.tolerance = np.array(
            [[int(share * ONE) for share in pair] for pair in shares], dtype=np.int64).reshape(-1, 2).T

        self.affect: Ints = np.repeat(start["affect"][:, None], voices, axis=1)
        self.belief: Ints = self.home_belief.copy()
        self.traits: Ints = self.home_traits.copy()
        self.perceived_risk: Ints = start["perceived_risk"]
        self.attention: Ints = start["attention"]
        self.trust: Ints = start["trust"]
        self.confidence: Ints = start["confidence"]
        self.engagement: Ints = start["engagement"]
        self.left: Mask = np.zeros(lanes, dtype=bool)
        self.asked: Mask = np.zeros(lanes, dtype=bool)
        self.heard: Mask = np.zeros(lanes, dtype=bool)
        self.memory = Memory(lanes, voices, theta.constants.recalled)
        self._view: View | None = None

    # The day.

    def perceive(self, seen: Observation) -> View:
        """Return what of the day reaches each sub-agent, and what it recalls."""
        constants = self.constants
        signals = read_signals(seen, self.reserve, self.tolerance)
        kept = signals
        if self.switches["stimulus_filter"]:
            floor = constants.signal_floor * (ONE - self.attention) // HALF
            kept = filter_stimuli(signals, floor, constants.kept_signals)
        evidence = perceive_roles(kept, self.tables.rises, self.tables.falls)
        framed = self.switches["mental_accounting"]
        self._view = View(
            signals, kept, evidence, self.memory.recall(evidence, self.tables.lessons),
            seen.context if framed else np.full_like(seen.context, CORE), seen.cash_ratio_e4,
            seen.cash_ratio_e4 > 0, seen.pos_ratio_e4 > 0,
            clip_e4(seen.idle_days * UNIT // constants.rest_sessions),
        )
        return self._view

    def decide(self, view: View, allow_consult: "Mask | bool", draw: "Ints", among: "Ints | None" = None) -> Decision:
        """Return one action a lane.

        Args:
            view: of `perceive`.
            allow_consult: where CONSULT may be drawn, shape (lanes,) or one for all; never where the investor has left.
            draw: uniform on [0, 2**31), shape (lanes,).
            among: decide for these lanes alone; allow_consult, draw and the decision then have one entry for each.
        """
        at = slice(None) if among is None else among
        if among is not None:
            view = View._make(part[among] for part in view)
        proposals = self._propose(self._inputs(view, at), self.rules if among is None else self.rules.among(among))
        if self.switches["discussion"]:
            proposals = cross_examine(proposals, view.evidence, self.constants)
        verdict = arbitrate(proposals, self.tables.weights[view.context])
        q = defer(verdict, self.constants)
        q[:, BUY] *= view.can_buy
        q[:, SELL] *= view.can_sell
        q[:, CONSULT] *= allow_consult & ~self.left[at]
        q[:, HOLD] = np.maximum(q[:, HOLD], 1)
        q = apportion(_sharpen(q, self.sharpness[at]))
        action = q.argmax(axis=1) if self.theta.choice == "argmax" else pick(q, draw)
        self.asked[at] |= action == CONSULT
        rows = self.lanes[: len(q)]
        speaker = (verdict.weights_e4 * proposals.q_e4[rows, :, action]).argmax(axis=1)
        return Decision(action, q, verdict.disagreement_e4, verdict.weights_e4, proposals.cites[rows, speaker])

    def hear(self, mask: "Mask", words: "Ints") -> None:
        """Take in an advisor's message: beliefs, perceived risk, confidence and trust move by what its words say.

        A variable goes part of the way to 5,000 plus what the words add, weighed by literacy and trust. Source: eq 21.

        Args:
            mask: whose advisor spoke, shape (lanes,).
            words: shape (lanes, 7), in the order of scenarios.theta.WORDS, each in [-1, 1] in 1/10,000.
        """
        if not self.switches["text_grounding"]:
            return
        credence = self.literacy * (HALF + self.trust) // UNIT
        said = (clip_e4(words, -ONE) * credence[:, None] // UNIT)[:, None]
        keep, one = self.constants.keep_belief, mask[:, None]
        belief = clip_e4(HALF + (said * self.tables.beliefs).sum(axis=2) // UNIT)
        self.belief = np.where(one, blend(self.belief, belief, keep), self.belief)
        target = clip_e4(HALF + (said * self.tables.words).sum(axis=2) // UNIT)
        old = np.array([self.perceived_risk, self.confidence, self.trust]).T
        self.perceived_risk, self.confidence, self.trust = np.where(one, blend(old, target, keep), old).T
        self.heard = self.heard | mask

    def feedback(self, action: "Ints", came: Feedback) -> None:
        """Take in what came of the day that was perceived last: feelings, fast variables, one more episode.

        Args:
            action: BUY, SELL or HOLD, as executed, shape (lanes,).
            came: known at the next mark; where acted is 0 the order was not taken, and the day counts as held.

        Raises:
            ValueError: no day was perceived since the last feedback.
        """
        view, constants = self._view, self.constants
        if view is None:
            raise ValueError("feedback without a perceived day")
        done = np.where(came.acted > 0, action, HOLD)
        feeling = feel(done, came, view.cash_e4, self.tables.felt)
        self.memory.append(view.evidence, annotate(done, self.asked, feeling, constants.outcome_floor))
        self.affect = blend(self.affect, feeling, constants.keep)
        own = feeling[:, -1] // 2
        afraid = fear(self.traits[:, 0], view.kept, came)
        target = np.array([afraid, np.abs(scale_move(came.r_mkt_ppm)), self.home_confidence + own])
        fast = np.array([self.perceived_risk, self.attention, self.confidence])
        self.perceived_risk, self.attention, self.confidence = blend(fast, clip_e4(target), constants.keep)
        if self.heard.any():
            self.trust = np.where(self.heard, blend(self.trust, clip_e4(self.trust + own), constants.keep), self.trust)
        self.asked, self.heard = np.zeros((2, len(self.lanes)), dtype=bool)
        self._view = None

    def reflect(self) -> None:
        """Look back over memory: slow variables move with its balance, and part of the way to where they started.

        The caller does so every `constants.reflect_every` sessions. Source: seed paper 000, appendix C.3.
        """
        if not self.switches["reflection"]:
            return
        balance = self.memory.balance()[:, [min(column, self.affect.shape[1] - 1) for column in range(3)]]
        learned = balance * (-1, 1, 1) * self.constants.learn
        home = (self.home_traits - self.traits) * self.constants.return_home
        self.traits = clip_e4(self.traits + (learned + home) // ONE)
        self.belief = self.belief + (self.home_belief - self.belief) * self.constants.return_home // UNIT

    def engage(self, satisfaction_e4: "Ints", contact: "Mask", null: "Mask") -> "Mask":
        """Update engagement at the end of a session and return who leaves now, shape (lanes,).

        Args:
            satisfaction_e4: of the session's consultation; read where there was contact.
            contact: who consulted and got a reply.
            null: who consulted and got none.
        """
        constants = self.constants
        replied = np.where(satisfaction_e4 >= constants.satisfied, constants.engaged, constants.disengaged)
        change = np.where(contact, replied, np.where(null, constants.ignored, constants.forgotten))
        self.engagement = clip_e4(self.engagement + change)
        leaves: Mask = (self.engagement < constants.leave_below) & ~self.left
        self.left = self.left | leaves
        return leaves

    # What is kept.

    def state(self) -> "dict[str, Ints]":
        """Return each state variable of docs/mind.md by name, shape (lanes,), in 1/10,000.

        Without sub-personalities there is one affect and one belief, under the sentinel's names.
        """
        voices, drives = self.affect.shape[1], self.belief.shape[1]
        return {
            **{f"affect_{name}": self.affect[:, column] for column, name in enumerate(AGENTS[:voices])},
            **{f"belief_{name}": self.belief[:, column] for column, name in enumerate(DRIVES[:drives])},
            "perceived_risk": self.perceived_risk, "attention": self.attention, "trust": self.trust,
            "confidence": self.confidence, "engagement": self.engagement, "risk_aversion": self.traits[:, 0],
            "reward_sensitivity": self.traits[:, 1], "conformity": self.traits[:, 2],
        }

    def snapshot(self) -> dict[str, Any]:
        """Return a copy of everything that the next day depends on."""
        kept = {name: getattr(self, name).copy() for name in _KEPT}
        memory = self.memory
        return kept | {"views": memory.views.copy(), "codes": memory.codes.copy(), "appended": memory.appended,
                       "view": self._view}

    def restore(self, kept: Mapping[str, Any]) -> None:
        """Go back to a snapshot of a mind with the same θ and investors."""
        for name in _KEPT:
            setattr(self, name, kept[name].copy())
        self.memory.views, self.memory.codes = kept["views"].copy(), kept["codes"].copy()
        self.memory.appended, self._view = kept["appended"], kept["view"]

    # Inside.

    def _inputs(self, view: View, at: "Ints | slice") -> Inputs:
        affect, traits = self.affect[at], self.traits[at]
        belief, trait = np.full((2, *affect.shape), HALF)
        drives = self.belief.shape[1]
        belief[:, :drives] = self.belief[at]
        trait[:, :drives] = traits if drives > 1 else traits.sum(axis=1, keepdims=True) // 3
        return Inputs(view.evidence, view.recall, affect, belief, trait, self.perceived_risk[at], self.confidence[at],
                      self.trust[at], self.engagement[at], view.rested_e4)

    def _propose(self, inputs: Inputs, rules: RuleAgents) -> Proposals:
        """Return the drives' proposals, and the executive's, which hears them."""
        confidence = inputs.confidence
        pulls = rules.pulls(inputs)
        weights = rules.weigh(inputs, pulls)
        if weights.shape[1] == 1:
            return cite(weights, inputs.evidence, confidence)
        made = {column: agent.propose(_view_of(inputs, column, np.zeros_like(confidence)))
                for column, agent in self.replaced.items() if column < len(DRIVES)}
        for column, one in made.items():
            weights[:, column] = one.q_e4
        heard = wish_e4(weights)
        if len(DRIVES) in self.replaced:
            made[len(DRIVES)] = self.replaced[len(DRIVES)].propose(_view_of(inputs, len(DRIVES), heard))
            weights[:, -1] = made[len(DRIVES)].q_e4
        else:
            weights[:, -1] = rules.listen(inputs, pulls, heard)
        proposals = cite(weights, inputs.evidence, confidence)
        for column, one in made.items():
            proposals.alpha_e4[:, column], proposals.cites[:, column] = one.alpha_e4, one.cites
            rows = self.lanes[: len(one.cites)]
            proposals.cited_e4[:, column] = np.abs(inputs.evidence[rows, column, one.cites])
        return proposals


def _sharpen(q: "Ints", sharpness: "Ints") -> "Ints":
    """Return q, its square or its cube by literacy: the more literate, the surer the draw."""
    twice = np.where(sharpness > 0, q * q, q)
    return np.where(sharpness > 1, twice * q, twice)


def _view_of(inputs: Inputs, column: int, heard: "Ints") -> AgentView:
    """Return what one sub-agent goes by."""
    return AgentView(
        inputs.evidence[:, column], inputs.recall[:, column], inputs.affect[:, column], inputs.belief[:, column],
        inputs.trait[:, column], inputs.perceived_risk, inputs.confidence, inputs.trust, inputs.engagement,
        inputs.rested, heard,
    )


_KEPT = ("affect", "belief", "traits", "perceived_risk", "attention", "trust", "confidence", "engagement", "left",
         "asked", "heard")
