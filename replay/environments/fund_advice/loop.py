"""The daily loop of one advisor, with the investors of a population, in one run or in several, as lanes.

Order inside session d (decision d10): fill what waited and mark at NAV_d; feedback on yesterday; money in and out;
perceive, propose, examine, arbitrate, draw; while CONSULT is drawn and turns are left, ask the advisor, hear, decide
again; one action, stamped d; satisfaction and engagement; reflection every R sessions. The trajectory depends on the
trace, the investors, theta, the seed and the advisor's words, and on nothing that is judged: a judge may look at each
message only where the run is gated, and then a message that it refuses is withheld: it was never said, so the investor
goes on as after silence, and no later request of the consultation holds it. Source: seed paper 000, sections 2 and 3.2.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Any, NamedTuple

from replay.environments.fund_advice.account import Accounts
from replay.environments.fund_advice.advice import Advice, read_advice
from replay.environments.fund_advice.advisors import Advisor, Reply, ask
from replay.environments.fund_advice.choice import Chooser, Wish
from replay.environments.fund_advice.draws import BITS, PURPOSE, draws
from replay.environments.fund_advice.facts import FactBook
from replay.environments.fund_advice.hearing import satisfaction, social_cue, text_signals
from replay.environments.fund_advice.mind import RATIONALES, Decision, Mind
from replay.environments.fund_advice.population import Investor
from replay.environments.fund_advice.records import CHECKPOINT_EVERY, DAY_LINE, EXIT, NO_EVENT, REFUSED, Lane
from replay.environments.fund_advice.request import request_bytes
from replay.environments.fund_advice.types import BUY, CONSULT, HOLD, LIMIT, Feedback, Observation
from replay.environments.fund_advice.words import utterance
from scenarios.manifest import Theta
from scenarios.rollouts import RolloutConfig
from scenarios.traces import Trace

if TYPE_CHECKING:
    from replay.environments.fund_advice.types import Ints

QUESTIONS = {"low": 1, "medium": 2, "high": 3}
"""How often an investor asks in one consultation, by literacy (decision d16)."""

PLAN_SESSIONS = 10
"""The longest that an advised pace is followed."""

WITHDRAWAL_CHANCE = 2**BITS // 50
"""A draw below this is a cash need: 2 % of the first sessions of a month (decision d35)."""

Gate = Callable[["Episode"], bool]
"""Whether the last message of an unfinished episode may reach the investor."""


Watch = Callable[[Accounts, Decision, "Ints"], None]
"""Sees what every session came to: the accounts after it, what was decided, and the executed actions, (lanes,)."""

Keep = Callable[[int, list[bytes], list["Episode"]], None]
"""Takes the log lines and the consultations of every session, run by run; the first argument is the run."""


class Turn(NamedTuple):
    """One exchange: what the client said, what the advisor was sent, and what it answered.

    reply: None where the advisor stayed silent or failed; failure says why. withheld: the gate kept it back.
    """

    client: str
    request: bytes
    reply: str | None
    failure: str | None = None
    withheld: bool = False

    @property
    def heard(self) -> str | None:
        """What reached the client."""
        return None if self.withheld else self.reply


class Episode(NamedTuple):
    """One consultation. facts and units: as `facts.FactBook` makes them; advice: what the last reply asks for.

    place: the investor's in the population.
    action: what was executed on the session. closing: what the client said to it, where it was a trade.
    disagreement_e4: of the sub-agents, before the first and after the last turn.
    """

    run: int
    place: int
    session: int
    investor: str
    language: str
    facts: dict[str, Any]
    units: dict[str, str]
    turns: list[Turn]
    advice: Advice | None = None
    satisfaction_e4: int = 0
    action: int = HOLD
    closing: str | None = None
    disagreement_e4: tuple[int, int] = (0, 0)


class Seat(NamedTuple):
    """Who sits in one lane: an investor in a run, counted from 1, the place in the population, the advisor to ask."""

    investor: Investor
    run: int
    place: int
    language: str
    advisor: Advisor

    @property
    def name(self) -> str:
        """The name of the lane."""
        return f"{self.advisor.id}/{self.run}/{self.investor.id}"


def seats(
    people: Sequence[Investor], advisors: Mapping[str, Advisor], run: int, languages: Sequence[str]
) -> list[Seat]:
    """Return a seat for each investor of a population in one run.

    Args:
        people: the whole population, in order.
        advisors: who answers requests, by the language of the investor.
        run: counted from 1.
        languages: of the investors, in turn.
    """
    spoken = [languages[place % len(languages)] for place in range(len(people))]
    return [Seat(one, run, place, language, advisors[language])
            for place, (one, language) in enumerate(zip(people, spoken, strict=True))]


class _Plan(NamedTuple):
    """Advice that an investor took and has not finished: until the session `last`."""

    advice: Advice
    funds: tuple[int, ...]
    last: int


class Task:
    """The investors of one advisor side by side, in one run or in several: what one does touches no other.

    Args:
        trace: the market.
        lanes: who sits where; those of one run stand together.
        theta: the minds' configuration.
        config: the rollout's.
        gate: judges each message before it is heard; None where the run is not gated.
        keep: takes what is logged; None where only the trajectory is wanted, as in calibration.
        watch: called at the end of every session.
        variants: θ of each lane, like theta but for the values of parameters; none where all share theta.

    Attributes:
        lanes: the chain of each lane. sessions: how many are run.
    """

    def __init__(
        self, trace: Trace, lanes: Sequence[Seat], theta: Theta, config: RolloutConfig, gate: Gate | None = None, *,
        keep: Keep | None = None, watch: Watch | None = None, variants: Sequence[Theta] = (),
    ) -> None:
        import numpy as np

        self.np = np
        self.trace, self.theta, self.config = trace, theta, config
        self.seats = tuple(lanes)
        self.investors = tuple(seat.investor for seat in lanes)
        self.gate, self.keep, self.watch = gate, keep, watch
        self.first, self.last = config.bounds(trace)
        self.sessions = self.last - self.first + 1
        same_close = config.execution == "same_close"
        self.accounts = Accounts(self.investors, trace, same_close=same_close, base=self.first - 1)
        self.chooser, self.book = Chooser(self.accounts), FactBook(self.accounts)
        self.mind = Mind(theta, self.investors, variants=variants)
        named = [(seat.run, seat.investor.id) for seat in lanes]
        drawn = {key: row for row, key in enumerate(dict.fromkeys(named))}
        tables = [draws(config.seed, run, name, len(trace.sessions) - 1) for run, name in drawn]
        self.table: Ints = np.stack(tables, axis=1)  # (sessions + 1, rows, purposes), a row for each run of an investor
        self.rows: Ints = np.array([drawn[key] for key in named])
        self.today: Ints = self.table[0, self.rows]  # (lanes, purposes)
        self.lanes = [Lane(seat.name) for seat in lanes]
        self.places = [seat.place for seat in lanes]
        self.questions: Ints = np.minimum([QUESTIONS[one.literacy] for one in self.investors], config.max_turns)
        self.plans: dict[int, _Plan] = {}

    def go(self) -> None:
        """Run every session."""
        before: tuple[Ints, Ints] | None = None  # executed actions, and where orders were taken
        for session in range(self.first, self.last + 1):
            before = self._session(session, before)

    def _session(self, session: int, before: "tuple[Ints, Ints] | None") -> "tuple[Ints, Ints]":
        np, accounts, mind = self.np, self.accounts, self.mind
        refused = {fill.lane for fill in accounts.open_session(session) if fill.refused}
        seen = accounts.observe()
        if before is not None:
            mind.feedback(before[0], Feedback(accounts.day_pnl_ppm, seen.r_mkt_ppm, before[1]))
        self._flows(session, seen)
        view = mind.perceive(seen)
        table = self.today = self.table[session, self.rows]
        first = mind.decide(view, True, table[:, PURPOSE["action0"]])
        asking = first.action == CONSULT
        decision = first
        talks: dict[int, Episode] = {}
        if asking.any():
            decision, talks = self._consult(session, seen, view, first)
        action, taken, placed = self._act(session, decision, talks, table)
        accounts.close_session()
        contact = np.zeros(len(self.lanes), dtype=bool)
        null, pleased = contact.copy(), np.zeros(len(self.lanes), dtype=np.int64)
        closed: dict[int, list[Episode]] = {}  # by run
        for lane, talk in talks.items():
            done = self._close(lane, talk, int(decision.rationale[lane]), int(first.disagreement_e4[lane]),
                               int(decision.disagreement_e4[lane]), int(action[lane]))
            silent = not _heard(done)
            contact[lane], null[lane], pleased[lane] = not silent, silent, done.satisfaction_e4
            closed.setdefault(done.run, []).append(done)
        left = mind.engage(pleased, contact, null)
        if (session - self.first + 1) % self.theta.constants.reflect_every == 0:
            mind.reflect()
        if self.keep is not None:
            for run, lines in self._lines(session, seen, decision, action, placed, talks, left, refused).items():
                self.keep(run, lines, closed.get(run, []))
        if self.watch is not None:
            self.watch(accounts, decision, action)
        return action, taken

    # Consultation.

    def _consult(
        self, session: int, seen: Observation, view: Any, first: Decision
    ) -> tuple[Decision, dict[int, Episode]]:
        """Return what is decided after every investor that asked was answered, and the talks by lane."""
        np, mind = self.np, self.mind
        decision = Decision(*(part.copy() for part in first))
        talks: dict[int, Episode] = {}
        asking = np.flatnonzero(first.action == CONSULT)
        for turn in range(1, self.config.max_turns + 1):
            words = np.zeros((len(self.lanes), 7), dtype=np.int64)
            heard = np.zeros(len(self.lanes), dtype=bool)
            for lane in asking.tolist():
                talk = talks.get(lane) or self._open_talk(lane, session, seen)
                talks[lane] = talk
                said = self._exchange(lane, talk, int(decision.rationale[lane]), turn)
                if said is not None:
                    heard[lane] = True
                    words[lane] = text_signals(said, talk.facts)
                    self.accounts.cue_e4[lane] = social_cue(said)
            mind.hear(heard, words)
            more = self.questions[asking] > turn
            again = mind.decide(view, more, self.today[asking, PURPOSE[f"action{turn}"]], asking)
            for old, new in zip(decision, again, strict=True):
                old[asking] = new
            asking = asking[again.action == CONSULT]
            if not len(asking):
                break
        return decision, talks

    def _open_talk(self, lane: int, session: int, seen: Observation) -> Episode:
        facts = self.book.of(lane, seen, self.chooser.shortlist(lane))
        seat = self.seats[lane]
        return Episode(seat.run, seat.place, session, seat.investor.id, seat.language, facts, self.book.units(lane), [])

    def _exchange(self, lane: int, talk: Episode, rationale: int, turn: int) -> str | None:
        """Ask once more; return the words that the investor hears, None where there are none."""
        draw = int(self.today[lane, PURPOSE["utterance"]])
        text = utterance(talk.language, CONSULT, RATIONALES[rationale], talk.facts, turn - 1, draw)
        dialogue = [(who, words) for one in talk.turns
                    for who, words in (("client", one.client), ("advisor", one.heard)) if words is not None]
        request = request_bytes(talk.facts, [*dialogue, ("client", text)])
        reply, failure = self._read(ask(self.seats[lane].advisor, request))
        talk.turns.append(Turn(text, request, reply, failure))
        if reply is not None and self.gate is not None and not self.gate(talk):
            talk.turns[-1] = talk.turns[-1]._replace(withheld=True)
            return None
        return reply

    def _read(self, reply: Reply) -> tuple[str | None, str | None]:
        """Return (the words, why there are none) of a reply; both None where the advisor stayed silent."""
        if reply.failure or reply.answer is None:
            return None, reply.failure or None
        try:
            text = reply.answer.decode("utf-8")
        except UnicodeDecodeError:
            return None, "garbled: bytes that are not UTF-8"
        most = self.config.message_characters
        return (text, None) if len(text) <= most else (None, f"oversize: more than {most} characters")

    def _close(
        self, lane: int, talk: Episode, rationale: int, before_e4: int, after_e4: int, action: int
    ) -> Episode:
        """Return a consultation with what came of it."""
        heard = _heard(talk)
        pleased = satisfaction(before_e4, after_e4, talk.turns[0].client, heard[-1] if heard else None)
        closing = None
        if action != HOLD and self.keep is not None:
            draw = int(self.today[lane, PURPOSE["utterance"]])
            closing = utterance(talk.language, action, RATIONALES[rationale], talk.facts, len(talk.turns), draw)
        return talk._replace(advice=read_advice(heard[-1]) if heard else None, satisfaction_e4=pleased, action=action,
                             closing=closing, disagreement_e4=(before_e4, after_e4))

    # Acting.

    def _act(
        self, session: int, decision: Decision, talks: dict[int, Episode], table: "Ints"
    ) -> "tuple[Ints, Ints, dict[int, Wish]]":
        """Place the orders; return executed actions, where orders were taken, and the first order of each lane."""
        np, accounts = self.np, self.accounts
        for lane, talk in talks.items():
            heard = _heard(talk)
            advice = read_advice(heard[-1]) if heard else None
            if advice is not None and advice.trigger is None:
                known = self.trace.fund_index
                funds = tuple(known[fund] for fund in advice.funds if fund in known)
                self.plans[lane] = _Plan(advice, funds, session + min(advice.pace_days or 1, PLAN_SESSIONS) - 1)
        executed = np.full(len(self.lanes), HOLD, dtype=np.int64)
        taken = np.zeros(len(self.lanes), dtype=np.int64)
        placed: dict[int, Wish] = {}
        for lane in (decision.action < HOLD).nonzero()[0].tolist():
            wanted = decision.action.item(lane)
            for wish in self._wishes(lane, session, wanted, table.item(lane, PURPOSE["fund"])):
                done = (accounts.buy(lane, wish.fund, wish.cents) if wish.side == BUY
                        else accounts.sell(lane, wish.fund, wish.share_e4))
                if done:
                    executed[lane], taken[lane] = wanted, 1
                    placed.setdefault(lane, wish)
        return executed, taken, placed

    def _wishes(self, lane: int, session: int, wanted: int, draw: int) -> tuple[Wish, ...]:
        """Return the orders of an action: as advised where advice of that direction stands, else by oneself."""
        plan = self.plans.get(lane)
        if plan is not None and session > plan.last:
            del self.plans[lane]
            plan = None
        if plan is None or plan.advice.direction != wanted:
            return self.chooser.alone(lane, wanted, draw)
        advice, chooser = plan.advice, self.chooser
        if advice.target_ppm is not None:
            wishes = chooser.toward(lane, advice.target_ppm // 100, plan.last - session + 1, plan.funds, draw)
            return tuple(wish for wish in wishes if wish.side == wanted)
        if advice.amount_cents is not None:
            if wanted == BUY:
                return chooser.buy_of(lane, advice.amount_cents, plan.funds, draw)
            held = self.accounts.held_funds(lane)
            named = tuple(fund for fund in plan.funds if fund in held)
            return chooser.sell_of(lane, advice.amount_cents, named or tuple(held))
        return chooser.alone(lane, wanted, draw)

    def _flows(self, session: int, seen: Observation) -> None:
        """Pay in and out on the first session of a month (decision d35)."""
        if not self.accounts.market.begins_month[session] or not self.config.flows:
            return
        mind = self.mind
        gloom = mind.affect.sum(axis=1) // mind.affect.shape[1]
        for lane, one in enumerate(self.investors):
            nav = int(self.accounts.nav_e10[lane]) // 10**8
            need = int(self.today[lane, PURPOSE["flow"]]) < WITHDRAWAL_CHANCE
            cents = one.nav0_cents // 100 if mind.trust[lane] >= 5_000 and seen.context[lane] != LIMIT else 0
            cents -= nav // 10 if need else 0
            cents -= nav // 20 if gloom[lane] < -5_000 else 0
            if cents:
                self.accounts.flow(lane, cents)

    # Writing.

    def _lines(
        self, session: int, seen: Observation, decision: Decision, action: "Ints", placed: dict[int, Wish],
        talks: dict[int, Episode], left: Any, refused: set[int],
    ) -> dict[int, list[bytes]]:
        """Return the log lines of a session by run, in order of place."""
        accounts, lanes = self.accounts, range(len(self.lanes))
        funds, cents, turns, events = [-1] * len(lanes), [0] * len(lanes), [0] * len(lanes), [NO_EVENT] * len(lanes)
        for lane, wish in placed.items():
            funds[lane], cents[lane] = wish.fund, wish.cents
        for lane, talk in talks.items():
            turns[lane] = len(talk.turns)
        for lane in refused:
            events[lane] = REFUSED
        for lane in left.nonzero()[0].tolist():
            events[lane] = EXIT
        columns = (
            action.tolist(), accounts.cash_cents.tolist(), repeat(session), accounts.fee_cents.tolist(), funds,
            self.places, turns, cents, (accounts.nav_e10 // 100).tolist(), seen.pos_ratio_e4.tolist(),
            *decision.q_e4.T.tolist(), seen.context.tolist(), decision.disagreement_e4.tolist(),
            accounts.flow_cents.tolist(), events,
        )
        due = session % CHECKPOINT_EVERY == 0
        found: dict[int, list[bytes]] = {seat.run: [] for seat in self.seats}
        for seat, chain, members in zip(self.seats, self.lanes, zip(*columns, strict=False), strict=True):
            line = DAY_LINE % members
            chain.add(line)
            lines = found[seat.run]
            lines.append(line)
            if due:
                lines.append(chain.checkpoint(session, seat.place))
        return found


def _heard(talk: Episode) -> list[str]:
    """Return what reached the investor."""
    return [turn.heard for turn in talk.turns if turn.heard is not None]
