"""What a simulated investor's mind is made of: θ, in integers, with the range and step of whatever may be fitted.

A gain or share is in 1/10,000. The names below are the vocabulary of θ, of the records of a rollout and of
docs/mind.md. Source: seed paper 000, section 3.1 and appendices B.2 and C.
"""

from typing import Annotated, Literal, get_args

from pydantic import Field, model_validator

from scenarios.types import Record

Signal = Literal["move", "momentum", "turbulence", "crowd", "room", "profit", "day", "budget", "quarter", "scar",
                 "missed", "word"]
"""The twelve stimuli; each is also the rationale of a decision that cites it."""

Feeling = Literal["gain", "loss", "luck", "missed"]
"""What came of a day: what the account won, what it lost, whether the market proved the trade right, and what cash
did not win."""

Word = Literal["uncertainty", "risk_framing", "direction", "size", "pacing", "tone", "consistency"]
"""What is read from an advisor's message."""

Moved = Literal["sentinel", "hedonist", "socialite", "perceived_risk", "confidence", "trust"]
"""What words move: the beliefs of the three drives, and three state variables."""

Parameter = Literal["buy_odds", "sell_odds", "ask_odds", "move_gain", "trend_gain", "loss_gain", "room_gain",
                    "crowd_gain", "affect_gain", "belief_gain", "recall_gain", "risk_gain"]
"""The twelve numbers that calibration may move."""

Switch = Literal["stimulus_filter", "selective_perception", "sub_personalities", "discussion", "mental_accounting",
                 "reflection", "text_grounding"]
"""The components that can be taken out. Source: seed paper 000, appendix K.1."""

Context = Literal["LIMIT", "SAFE", "LOSS", "GAIN", "CORE"]
"""The mental accounts."""

Start = Literal["affect", "belief", "perceived_risk", "attention", "trust", "confidence", "engagement",
                "risk_aversion", "reward_sensitivity", "conformity"]
"""The state variables."""

SIGNALS: tuple[Signal, ...] = get_args(Signal)
FEELINGS: tuple[Feeling, ...] = get_args(Feeling)
WORDS: tuple[Word, ...] = get_args(Word)
MOVED: tuple[Moved, ...] = get_args(Moved)
PARAMETERS: tuple[Parameter, ...] = get_args(Parameter)
SWITCHES: tuple[Switch, ...] = get_args(Switch)
STARTS: tuple[Start, ...] = get_args(Start)
CONTEXTS: tuple[Context, ...] = get_args(Context)
ONE = 10_000
"""1 in 1/10,000."""

AGENTS = ("sentinel", "hedonist", "socialite", "executive")
DRIVES = AGENTS[:3]
DEEDS = ("bought", "sold", "held", "asked")
OUTCOMES = ("regretted", "indifferent", "welcome")

Share = Annotated[int, Field(ge=0, le=ONE)]
Signed = Annotated[int, Field(ge=-ONE, le=ONE)]
Gain = Annotated[int, Field(ge=-100_000, le=100_000)]
Count = Annotated[int, Field(ge=1, le=1_000)]


class Tunable(Record):
    """A number that calibration may move: its value, the range that it stays in, and the step of the search."""

    value: int
    low: int
    high: int
    step: Annotated[int, Field(ge=1)]

    @model_validator(mode="after")
    def _within_its_range(self) -> "Tunable":
        if not 0 <= self.low <= self.value <= self.high <= 100_000:
            raise ValueError(f"{self.value} is outside {self.low} to {self.high}, or these outside 0 to 100000")
        return self


class Role(Record):
    """One sub-agent: what it sees, how that moves it, how it acts when nothing does, and how it feels afterwards.

    rises, falls: the share that it sees of a signal above and below zero; a signal that is left out it does not see.
    drive: the pull to buy (below zero: to sell) of each signal seen whole. doubt: the pull to ask of each signal's
    size. leaning: the pull to buy of its trait at the full, and of its opposite at nothing. odds: of BUY, SELL, HOLD,
    CONSULT when nothing pulls. felt: what each feeling adds to its affect.
    """

    rises: dict[Signal, Share]
    falls: dict[Signal, Share]
    drive: dict[Signal, Gain]
    doubt: dict[Signal, Gain]
    leaning: Gain = 0
    odds: tuple[Share, Share, Share, Share]
    felt: dict[Feeling, Gain]


class Lesson(Record):
    """What an episode that comes to mind says: the pull to buy and the pull to ask."""

    drive: Signed = 0
    doubt: Signed = 0


class Lessons(Record):
    """The lessons of (regretted, indifferent, welcome) episodes by what was done; asked: asked, then held."""

    bought: tuple[Lesson, Lesson, Lesson]
    sold: tuple[Lesson, Lesson, Lesson]
    held: tuple[Lesson, Lesson, Lesson]
    asked: tuple[Lesson, Lesson, Lesson]


class Roles(Record):
    """The four sub-agents."""

    sentinel: Role
    hedonist: Role
    socialite: Role
    executive: Role


class Constants(Record):
    """What calibration leaves alone.

    keep: the share of a fast variable that a day leaves (λ), keep_belief: that a message leaves (λ_b). reflect_every:
    sessions between reflections (R). kept_signals, signal_floor: how many stimuli pass, and from which size on.
    recalled: episodes that come to mind. concede, doubt_conceded: the share of another's preferences that an agent
    takes over in discussion, and of its confidence that it loses. defer_above: the disagreement that is still
    decided. defer_ask: the share of the excess that asks; the rest holds. rest_sessions: after a trade, until the
    odds of the next are whole again. listen: the pull of the drives' proposals on the executive. outcome_floor:
    the feeling from which an episode is welcome or regretted. learn: what a reflection adds for the balance of
    memory. return_home: the share of the way to its start that a slow variable and a belief go back in it.
    engaged, disengaged, ignored, forgotten: what a satisfying, another, and a null reply, and a session without
    contact change in engagement; leave_below: where the investor leaves. satisfied: from when a reply satisfies.
    """

    keep: Share
    keep_belief: Share
    reflect_every: Count
    kept_signals: Annotated[int, Field(ge=1, le=12)]
    signal_floor: Share
    recalled: Annotated[int, Field(ge=1, le=60)]
    concede: Share
    doubt_conceded: Share
    defer_above: Share
    defer_ask: Share
    rest_sessions: Count
    listen: Gain
    outcome_floor: Share
    learn: Share
    return_home: Share
    engaged: Signed
    disengaged: Signed
    ignored: Signed
    forgotten: Signed
    leave_below: Share
    satisfied: Share


class Settings(Record):
    """All of θ.

    choice: draw an action from the arbitrated preferences, or take the largest. weights: of the four sub-agents by
    mental account, in 1/1,000. starts: by profile, conservative, balanced, aggressive. literacy: the gain on words,
    low, medium, high. words: what each word, seen whole, adds to the target of what it moves, 5,000 where none speaks.
    """

    parameters: dict[Parameter, Tunable]
    switches: dict[Switch, bool]
    choice: Literal["draw", "argmax"] = "draw"
    constants: Constants
    roles: Roles
    weights: dict[Context, tuple[Share, Share, Share, Share]]
    starts: dict[Start, tuple[Signed, Signed, Signed]]
    literacy: tuple[Share, Share, Share]
    words: dict[Moved, dict[Word, Gain]]
    lessons: Lessons

    @model_validator(mode="after")
    def _is_whole(self) -> "Settings":
        for label, given, known in (
            ("parameters", self.parameters, PARAMETERS), ("switches", self.switches, SWITCHES),
            ("weights", self.weights, CONTEXTS), ("starts", self.starts, STARTS),
            ("words", self.words, MOVED),
        ):
            for name in known:
                if name not in given:
                    raise ValueError(f"{label}: {name} is missing")
        for context, weights in self.weights.items():
            if sum(weights) != 1_000:
                raise ValueError(f"weights: those of {context} add to {sum(weights)} instead of 1000")
        for agent in AGENTS:
            if not getattr(self.roles, agent).odds[2]:
                raise ValueError(f"roles: {agent} never holds; give HOLD odds above 0")
        return self
