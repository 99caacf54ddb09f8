"""θ as the mind uses it: the shipped configuration, changes to it, and its tables as arrays of integers.

Source: seed paper 000, section 3.1 and appendices B.2 and C; decisions d5 to d7, d12 to d16 of docs/fund-advice.md.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from scenarios.errors import ReplayError, ScenarioError
from scenarios.files import build
from scenarios.load import SHIPPED
from scenarios.manifest import Theta
from scenarios.sealed import load_manifest
from scenarios.theta import (
    AGENTS,
    CONTEXTS,
    DEEDS,
    DRIVES,
    FEELINGS,
    MOVED,
    ONE,
    SIGNALS,
    STARTS,
    SWITCHES,
    WORDS,
    Constants,
    Lesson,
    Lessons,
    Parameter,
    Role,
    Roles,
    Signal,
    Switch,
    Tunable,
)

if TYPE_CHECKING:
    from replay.environments.fund_advice.types import Ints

DEFAULT = SHIPPED.joinpath("configs", "theta-2.json")

PROFILES = ("conservative", "balanced", "aggressive")
LITERACIES = ("low", "medium", "high")


def load_theta(path: Path | None = None) -> Theta:
    """Return θ from its sealed file, the shipped one by default.

    Raises:
        ReplayError, SealError: the file is unreadable, does not fit the form or its seal, or is of another kind.
    """
    where = DEFAULT if path is None else path
    manifest = load_manifest(where)
    if not isinstance(manifest, Theta):
        raise ReplayError(str(where), f"is of kind {manifest.record()['kind']}, expected theta", "name a theta.json")
    return manifest


def adjust(theta: Theta, values: Mapping[str, int] | None = None, off: tuple[Switch, ...] = (),
           id: str | None = None) -> Theta:
    """Return θ with other parameter values, with components taken out, sealed anew.

    Args:
        theta: what is changed.
        values: by parameter, each within its range.
        off: the components to take out.
        id: of the result; default: that of theta.

    Raises:
        ScenarioError: a parameter or component is unknown. ReplayError: a value is outside its range.
    """
    for name in (*(values or {}), *off):
        if name not in theta.parameters and name not in SWITCHES:
            known = ", ".join((*theta.parameters, *SWITCHES))
            raise ScenarioError(f"theta {theta.id}", f"has no {name!r}", f"known: {known}")
    record = theta.record()
    for name, value in (values or {}).items():
        record["parameters"][name]["value"] = value
    for switch in off:
        record["switches"][switch] = False
    record |= {"id": id or theta.id, "digest": None}
    changed = build(Theta, record, f"theta {record['id']}")
    return changed.model_copy(update={"digest": changed.compute_digest()})


class Tables(NamedTuple):
    """θ as arrays in 1/10,000; K agents, four or, without sub-personalities, one that is their mean.

    rises, falls, drive, doubt: (K, signals). leaning: (K,). odds: (K, actions). felt: (K, feelings). weights:
    (contexts, K), in 1/1,000. beliefs: (D, words) of the D agents that hold one; words: (3, words) of perceived risk,
    confidence and trust. lessons: (12, 2), pull to buy and to ask of each annotation of an episode.
    """

    rises: "Ints"
    falls: "Ints"
    drive: "Ints"
    doubt: "Ints"
    leaning: "Ints"
    odds: "Ints"
    felt: "Ints"
    weights: "Ints"
    beliefs: "Ints"
    words: "Ints"
    lessons: "Ints"


def tables(theta: Theta) -> Tables:
    """Return the arrays of θ, with parameters and switches worked in."""
    import numpy as np

    value = {name: one.value for name, one in theta.parameters.items()}
    roles: list[Role] = [getattr(theta.roles, agent) for agent in AGENTS]
    taught = [getattr(theta.lessons, deed) for deed in DEEDS]
    scale: Ints = np.array([value[_GAIN_OF[name]] if name in _GAIN_OF else ONE for name in SIGNALS], dtype=np.int64)
    odds: Ints = np.array([role.odds for role in roles], dtype=np.int64)
    words = _table([theta.words[name] for name in MOVED], WORDS)
    made = Tables(
        rises=_table([role.rises for role in roles], SIGNALS), falls=_table([role.falls for role in roles], SIGNALS),
        drive=_table([role.drive for role in roles], SIGNALS) * scale // ONE,
        doubt=_table([role.doubt for role in roles], SIGNALS),
        leaning=np.array([role.leaning for role in roles], dtype=np.int64),
        odds=odds * (value["buy_odds"], value["sell_odds"], ONE, value["ask_odds"]) // ONE,
        felt=_table([role.felt for role in roles], FEELINGS),
        weights=np.array([theta.weights[name] for name in CONTEXTS], dtype=np.int64),
        beliefs=words[: len(DRIVES)], words=words[len(DRIVES) :],
        lessons=np.array([(one.drive, one.doubt) for lessons in taught for one in lessons], dtype=np.int64),
    )
    made.falls[AGENTS.index("sentinel")] = made.falls[AGENTS.index("sentinel")] * value["loss_gain"] // ONE
    if not theta.switches["selective_perception"]:
        made = made._replace(rises=np.full_like(made.rises, ONE), falls=np.full_like(made.falls, ONE))
    return made if theta.switches["sub_personalities"] else _one_agent(made)


def gains_of(theta: Theta) -> "dict[Parameter, int | Ints]":
    """Return the parameters of θ by name."""
    return {name: one.value for name, one in theta.parameters.items()}


def stacked(variants: Sequence[Theta]) -> "tuple[Tables, dict[Parameter, int | Ints]]":
    """Return the arrays and parameters of a θ for each lane, which differ in the values of parameters alone.

    What parameters scale has an axis of lanes before its own: falls, drive and odds, and each parameter, (lanes, 1).
    """
    import numpy as np

    known = {id(one): one for one in variants}  # a few, each for many lanes
    made = {key: tables(one) for key, one in known.items()}
    rows = {name: np.array([getattr(made[id(one)], name) for one in variants]) for name in ("falls", "drive", "odds")}
    gains: dict[Parameter, int | Ints] = {
        name: np.array([[one.parameters[name].value] for one in variants], dtype=np.int64)
        for name in variants[0].parameters}
    return made[id(variants[0])]._replace(**rows), gains


def _one_agent(made: Tables) -> Tables:
    """Return the tables of a single agent, the mean of the four, floored."""
    shared = {name: getattr(made, name) for name in
              ("rises", "falls", "drive", "doubt", "leaning", "odds", "felt", "beliefs")}
    means = {name: rows.sum(axis=0, keepdims=True) // len(rows) for name, rows in shared.items()}
    return made._replace(**means, weights=made.weights.sum(axis=1, keepdims=True))


def _table(rows: Sequence[Mapping[Any, int]], names: Sequence[str]) -> "Ints":
    import numpy as np

    return np.array([[row.get(name, 0) for name in names] for row in rows], dtype=np.int64)


_GAIN_OF: dict[Signal, Parameter] = {
    "move": "move_gain", "momentum": "trend_gain", "quarter": "trend_gain", "missed": "trend_gain",
    "room": "room_gain", "crowd": "crowd_gain", "word": "crowd_gain",
}
"""The parameter that scales the pull of a signal."""


def starts(theta: Theta, profiles: tuple[str, ...]) -> "dict[str, Ints]":
    """Return each state variable's start, one entry for each investor of these profiles."""
    import numpy as np

    column = [PROFILES.index(profile) for profile in profiles]
    return {name: np.array(theta.starts[name], dtype=np.int64)[column] for name in STARTS}


def shipped_theta() -> Theta:
    """Return the configuration that ships, as it is sealed in manifests/configs/theta-2.json."""
    theta = Theta(
        id="theta-2", switches=dict.fromkeys(SWITCHES, True), literacy=(5_000, 7_500, 10_000),
        parameters={
            "buy_odds": _tunable(10_000), "sell_odds": _tunable(10_000), "ask_odds": _tunable(11_000),
            "move_gain": _tunable(10_000), "trend_gain": _tunable(10_000), "loss_gain": _tunable(10_000, high=20_000),
            "room_gain": _tunable(10_000), "crowd_gain": _tunable(10_000), "affect_gain": _tunable(16_000),
            "belief_gain": _tunable(10_000), "recall_gain": _tunable(4_000), "risk_gain": _tunable(6_000),
        },
        constants=Constants(
            keep=8_500, keep_belief=7_000, reflect_every=20, kept_signals=5, signal_floor=2_500, recalled=3,
            concede=2_500, doubt_conceded=1_000, defer_above=2_500, defer_ask=6_000, rest_sessions=5, listen=5_000,
            outcome_floor=500, learn=600, return_home=1_000, engaged=200, disengaged=-200, ignored=-100, forgotten=-5,
            leave_below=1_000, satisfied=5_000,
        ),
        roles=Roles(
            sentinel=Role(
                rises={"move": 3_000, "turbulence": 10_000, "room": 5_000, "profit": 2_000, "day": 2_000,
                       "budget": 10_000, "quarter": 2_000, "scar": 8_000},
                falls={"move": 10_000, "momentum": 4_000, "turbulence": 3_000, "crowd": 3_000, "room": 10_000,
                       "profit": 10_000, "day": 10_000, "quarter": 8_000},
                drive={"move": 12_000, "momentum": 2_000, "turbulence": -4_000, "crowd": 2_000, "room": 9_000,
                       "profit": 4_000, "day": 4_000, "budget": -6_000, "quarter": 2_000, "scar": -3_000},
                doubt={"turbulence": 6_000, "budget": 8_000, "day": 4_000, "move": 5_000},
                leaning=-12_000, odds=(250, 2_800, 5_200, 1_400),
                felt={"gain": 2_000, "loss": -12_000, "luck": 3_000},
            ),
            hedonist=Role(
                rises={"move": 10_000, "momentum": 10_000, "crowd": 3_000, "room": 8_000, "profit": 8_000, "day": 6_000,
                       "quarter": 6_000, "missed": 10_000},
                falls={"move": 4_000, "momentum": 5_000, "room": 2_000, "profit": 3_000, "day": 2_000,
                       "quarter": 2_000},
                drive={"move": 14_000, "momentum": 8_000, "crowd": 2_000, "room": 6_000, "profit": -6_000, "day": 2_000,
                       "quarter": 2_000, "missed": 6_000},
                doubt={"missed": 4_000, "momentum": 2_000},
                leaning=12_000, odds=(4_800, 300, 4_200, 500),
                felt={"gain": 9_000, "loss": -3_000, "luck": 3_000, "missed": -2_000},
            ),
            socialite=Role(
                rises={"move": 5_000, "momentum": 3_000, "crowd": 10_000, "missed": 4_000, "word": 10_000},
                falls={"move": 5_000, "crowd": 10_000, "word": 10_000},
                drive={"move": 8_000, "momentum": 3_000, "crowd": 9_000, "missed": 3_000, "word": 8_000},
                doubt={"crowd": 3_000, "word": 6_000},
                leaning=5_000, odds=(1_700, 800, 5_600, 1_500),
                felt={"gain": 1_000, "loss": -1_000, "luck": 9_000, "missed": -1_000},
            ),
            executive=Role(
                rises=dict.fromkeys(SIGNALS, ONE), falls=dict.fromkeys(SIGNALS, ONE),
                drive={"move": 5_000, "momentum": 3_000, "turbulence": -2_000, "crowd": 1_000, "room": 12_000,
                       "profit": -2_000, "day": 1_000, "budget": -3_000, "scar": -1_000, "missed": 1_000,
                       "word": 2_000},
                doubt={"budget": 4_000, "turbulence": 2_000},
                odds=(400, 350, 8_000, 1_000),
                felt={"gain": 8_000, "loss": -8_000, "luck": 6_000, "missed": -1_000},
            ),
        ),
        weights={"LIMIT": (500, 100, 50, 350), "SAFE": (400, 150, 100, 350), "LOSS": (400, 150, 150, 300),
                 "GAIN": (150, 400, 150, 300), "CORE": (250, 250, 150, 350)},
        starts={
            "affect": (0, 0, 0), "belief": (4_500, 5_000, 5_500), "perceived_risk": (6_000, 5_000, 3_500),
            "attention": (5_000, 5_000, 5_000), "trust": (5_000, 5_000, 5_000), "confidence": (4_000, 5_000, 6_000),
            "engagement": (6_000, 6_000, 6_000), "risk_aversion": (7_500, 5_000, 2_000),
            "reward_sensitivity": (2_500, 5_000, 8_000), "conformity": (5_500, 5_000, 4_500),
        },
        words={
            "sentinel": {"uncertainty": -2_000, "risk_framing": -1_500, "direction": 3_000, "pacing": 2_500,
                         "tone": 2_000},
            "hedonist": {"uncertainty": -1_000, "risk_framing": -1_500, "direction": 4_500, "size": 1_000,
                         "tone": 1_000},
            "socialite": {"direction": 3_500, "tone": 2_500, "consistency": 1_000},
            "perceived_risk": {"uncertainty": 3_000, "risk_framing": 4_000, "pacing": -2_000, "tone": -2_500},
            "confidence": {"uncertainty": -2_500, "size": 1_500, "pacing": 2_000, "tone": 1_500, "consistency": 2_500},
            "trust": {"uncertainty": -500, "risk_framing": 1_000, "tone": 1_000, "consistency": 2_500},
        },
        lessons=Lessons(
            bought=(Lesson(drive=-10_000, doubt=4_000), Lesson(), Lesson(drive=10_000, doubt=-2_000)),
            sold=(Lesson(drive=10_000, doubt=4_000), Lesson(), Lesson(drive=-10_000, doubt=-2_000)),
            held=(Lesson(doubt=3_000), Lesson(), Lesson(doubt=-3_000)),
            asked=(Lesson(doubt=-6_000), Lesson(), Lesson(doubt=2_000)),
        ),
    )
    return theta.model_copy(update={"digest": theta.compute_digest()})


def _tunable(value: int, low: int = 0, high: int = 30_000, step: int = 2_000) -> Tunable:
    return Tunable(value=value, low=low, high=high, step=step)
