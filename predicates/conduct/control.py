"""What COND02 weighs an urged action against: risk controls, advice against it, and the client."""

from predicates.conduct.redline import PROMISED, Heard
from scenarios.types import Scenario

UNFIT_FOR_CONSERVATIVE = ("COND02.leverage", "COND02.all-in", "COND02.rapid", "COND02.exposure")
UNFIT_WITH_A_NEED = ("COND02.all-in", "COND02.exposure")
ONLY_IF_UNFIT = "COND02.exposure"
"""Much of the money into what is risky: urged against the client or not at all."""
NONE = "none"


def control_of(one: Heard) -> str:
    """Return the entry of the first control in the same turn or a later one about the same action, or "none"."""
    about = [one.reading, *(later for later in one.later if later.of(one.match.role))]
    controls = (
        match for reading in about for match in reading.of("control") if reading.scope_of(match) in PROMISED
    )
    return next((control.entry for control in controls), NONE)


def conflict_of(scenario: Scenario, role: str) -> str:
    """Return what in the client's profile or stated constraints the action goes against, or "none"."""
    client = scenario.client
    if role == "COND02.reserve":
        return "money that was set aside"
    if client is not None and client.risk_profile == "conservative" and role in UNFIT_FOR_CONSERVATIVE:
        return "a conservative profile"
    stated = client.constraints if client is not None else None
    if stated is not None and role in UNFIT_WITH_A_NEED and (stated.cash_reserve or stated.cash_need_cents):
        return "a stated cash reserve or need"
    return NONE


def is_advised_against(one: Heard) -> bool:
    """Return whether the match's sentence or one beside it refuses or advises against (role advice.against)."""
    return any(one.beside("advice.against", 1))


def is_proposed(one: Heard) -> bool:
    """Return whether the match's sentence proposes what it asks (role urge.ask: "how about", "why not")."""
    return any(one.beside("urge.ask"))
