"""A plain rollout for tests of the mind: accounts, fund choice and draws of the project, an advisor of canned words."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple

import numpy as np

from replay.environments.fund_advice.account import Accounts
from replay.environments.fund_advice.choice import Chooser
from replay.environments.fund_advice.draws import PURPOSE, draws
from replay.environments.fund_advice.mind import Mind
from replay.environments.fund_advice.model_agents import Agent
from replay.environments.fund_advice.population import investors, load_population
from replay.environments.fund_advice.types import BUY, CONSULT, HOLD, SELL, Feedback
from scenarios.load import SHIPPED
from scenarios.manifest import Theta
from scenarios.traces import Trace, load_trace

SEED = 7
CAUTIOUS = (3_000, 6_000, 0, 0, 5_000, 2_000, 8_000)
EAGER = (0, 0, 10_000, 5_000, 2_000, 5_000, 8_000)
"""What an advisor's message says, in the order of scenarios.theta.WORDS."""


class Rollout(NamedTuple):
    """What happened, one row a session: actions (executed), consulted, pos_e4, disagreement; the mind at the end."""

    actions: "np.ndarray"
    consulted: "np.ndarray"
    position_e4: "np.ndarray"
    disagreement_e4: "np.ndarray"
    mind: Mind


@cache
def small_trace() -> Trace:
    return load_trace(SHIPPED / "traces" / "small-1")


def roll(
    theta: Theta, words: tuple[int, ...] | None = None, *, run: int = 1, sessions: int | None = None,
    trace: Trace | None = None, agents: Mapping[str, Agent] | None = None,
    meddle: Callable[[Mind], None] = lambda mind: None,
) -> Rollout:
    """Roll the 27 investors over a trace; words are what every message says, None is no advisor.

    meddle is called whenever the mind has changed.
    """
    trace = trace or small_trace()
    people = investors(load_population(), SEED, run)
    last = sessions or len(trace.sessions) - 1
    table = np.stack([draws(SEED, run, one.id, last) for one in people])
    accounts, mind = Accounts(people, trace), Mind(theta, people, agents)
    chooser = Chooser(accounts)
    lanes = range(len(people))
    everybody = np.ones(len(people), dtype=bool)
    rows: list[tuple[np.ndarray, ...]] = []
    executed = np.full(len(people), HOLD, dtype=np.int64)
    for day in range(1, last + 1):
        accounts.open_session(day)
        accounts.close_session()
        seen = accounts.observe()
        if day > 1:
            mind.feedback(executed, Feedback(seen.day_pnl_ppm, seen.r_mkt_ppm, (executed != HOLD) * 1))
            if day % theta.constants.reflect_every == 0:
                mind.reflect()
            meddle(mind)
        view = mind.perceive(seen)
        first = made = mind.decide(view, everybody, table[:, day, PURPOSE["action0"]])
        consulted = first.action == CONSULT
        if consulted.any():
            if words is not None:
                mind.hear(consulted, np.broadcast_to(np.array(words), (len(people), len(words))))
                meddle(mind)
            again = mind.decide(view, ~everybody, table[:, day, PURPOSE["action1"]])
            made = again._replace(action=np.where(consulted, again.action, first.action))
        executed = made.action.copy()
        for lane in lanes:
            action = int(made.action[lane])
            wishes = chooser.alone(lane, action, int(table[lane, day, PURPOSE["fund"]]))
            done = [accounts.buy(lane, one.fund, one.cents) if one.side == BUY
                    else accounts.sell(lane, one.fund, one.share_e4) for one in wishes]
            if action in (BUY, SELL) and not any(done):
                executed[lane] = HOLD
        replied = consulted if words is not None else ~everybody
        mind.engage(np.full(len(people), 6_000), replied, consulted & ~replied)
        meddle(mind)
        rows.append((executed.copy(), consulted, seen.pos_ratio_e4, first.disagreement_e4))
    actions, asked, position, apart = (np.array(column) for column in zip(*rows, strict=True))
    return Rollout(actions, asked, position, apart, mind)
