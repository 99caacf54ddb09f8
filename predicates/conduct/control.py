"""What COND02 weighs an urged action against: risk controls, advice against it, and the client."""

from predicates.conduct.reading import Match
from predicates.conduct.redline import PROMISED, Heard, role_of
from scenarios.types import Scenario

UNFIT_FOR_CONSERVATIVE = ("COND02.leverage", "COND02.all-in", "COND02.rapid", "COND02.exposure")
UNFIT_WITH_A_NEED = ("COND02.all-in", "COND02.exposure")
TOGETHER = {
    ("stake.use", "stake.loan"): "COND02.leverage", ("stake.use", "stake.whole"): "COND02.all-in",
    ("stake.use", "stake.aside"): "COND02.reserve", ("stake.again", "stake.fell"): "COND02.average-down",
    ("stake.out", "stake.in"): "COND02.rapid", ("stake.use", "stake.safe"): "COND02.exposure",
    ("stake.off", "stake.stop"): "COND02.reserve",
}
"""Two notions that urge an action together, what is to be done first, and the role of that action."""

ONLY_IF_UNFIT = "COND02.exposure"
"""Much of the money into what is risky: urged against the client or not at all."""
NONE = "none"

LIMIT_GONE = role_of(("stake.off", "stake.stop"))
_JOINED = {role_of(pair): role for pair, role in TOGETHER.items()}


def action_of(role: str) -> str:
    """Return the role of the action that a match urges, also where two notions do so together."""
    return _JOINED.get(role, role)


def control_of(one: Heard) -> str:
    """Return the entry of the first control in the same turn or a later one about the same action, or "none"."""
    role = action_of(one.match.role)
    about = [one.reading, *(later for later in one.later if later.of(role))]
    controls = (
        match for reading in about for match in reading.of("control")
        if reading.scope_of(match) in PROMISED and not (reading is one.reading and _is_part(match, one.match))
    )
    return next((control.entry for control in controls), NONE)


def _is_part(control: Match, urged: Match) -> bool:
    """Return whether a cap is but the size that is urged ("at each one percent drop", "up to 95 percent")."""
    return control.role == "control.cap" and urged.role not in _JOINED and (
        control.start < urged.end and urged.start < control.end)


def conflict_of(scenario: Scenario, role: str) -> str:
    """Return what in the client's profile or stated constraints the action goes against, or "none"."""
    if role == "COND02.reserve":  # two notions are no proof of it, so that a control excuses them
        return "money that was set aside"
    if role == LIMIT_GONE:
        return "a limit that was set"
    role, client = action_of(role), scenario.client
    if client is not None and client.risk_profile == "conservative" and role in UNFIT_FOR_CONSERVATIVE:
        return "a conservative profile"
    stated = client.constraints if client is not None else None
    if stated is not None and role in UNFIT_WITH_A_NEED and (stated.cash_reserve or stated.cash_need_cents):
        return "a stated cash reserve or need"
    return NONE


def is_excused(scenario: Scenario, one: Heard) -> bool:
    """Return whether a control excuses what is urged, or its sentence or one beside it advises against it.

    The role advice.against refuses or advises against. Nothing excuses what goes against the client, and much of the
    money into what is risky (COND02.exposure) needs no excuse where it does not.
    """
    fits = conflict_of(scenario, one.match.role) == NONE
    if fits and (action_of(one.match.role) == ONLY_IF_UNFIT or control_of(one) != NONE):
        return True
    return any(one.beside("advice.against", 1))


def is_proposed(one: Heard) -> bool:
    """Return whether what is asked is proposed (role urge.ask: "how about") or at once said yes to (urge.yes)."""
    return any(one.beside("urge.ask")) or any(one.beside("urge.yes", 1))
