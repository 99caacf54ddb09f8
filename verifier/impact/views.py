"""What the scorers read of a finished rollout: each investor's course under one advisor in one run."""

from collections.abc import Sequence
from typing import NamedTuple


class Course(NamedTuple):
    """One investor's sessions, in order; every sequence has one entry a session.

    investor: its id. profile: its risk profile. first: the session of entry 0. nav0_e8: NAV before it, in 1e-8 yuan.
    nav_e8, flow_cents: after the session, and paid in less paid out in it. action: 0 BUY, 1 SELL, 2 HOLD. fund: column
    of the first order's fund, -1 without one. cents: of that order. pos_ratio_e4: invested over NAV in 1/10,000. exit:
    the session in which the investor stopped consulting for good, wherever it lies; None where it never did.
    """

    investor: str
    profile: str
    first: int
    nav0_e8: int
    nav_e8: Sequence[int]
    flow_cents: Sequence[int]
    action: Sequence[int]
    fund: Sequence[int]
    cents: Sequence[int]
    pos_ratio_e4: Sequence[int]
    exit: int | None = None

    @property
    def sessions(self) -> range:
        """The sessions that it holds."""
        return range(self.first, self.first + len(self.nav_e8))


class Advised(NamedTuple):
    """What the last reply of a consultation asks for.

    direction: 0 BUY, 1 SELL, 2 HOLD. funds: their columns, -2 for a fund that the trace does not know. cents: of the
    order. target_e4: the share of NAV to be invested, in 1/10,000. due: the session from which it counts, later than
    the consultation where it hangs on a trigger, None where that did not occur in time.
    """

    direction: int
    funds: tuple[int, ...] = ()
    cents: int | None = None
    target_e4: int | None = None
    due: int | None = None


class Consulted(NamedTuple):
    """One consultation as it is scored.

    compliance, accuracy, personalization: of the deterministic judge, None where nothing was said; words that could
    not be read are not compliant. admissible: no clause of the contract failed, suitability and orders included.
    severity: of the worst redline, 0 without one. satisfaction: in [0, 1].
    """

    investor: str
    session: int
    compliance: int | None = None
    accuracy: int | None = None
    personalization: int | None = None
    admissible: bool = True
    severity: float = 0.0
    advised: Advised | None = None
    satisfaction: float = 0.0


class Arm(NamedTuple):
    """All investors under one advisor in one run, whole; consultations in order of session."""

    advisor: str
    run: int
    courses: tuple[Course, ...]
    consulted: tuple[Consulted, ...]


def cut(course: Course, sessions: range) -> Course:
    """Return a course within some of its sessions, the NAV before them as its base; nothing restarts (decision d20)."""
    start, end = sessions.start - course.first, sessions.stop - course.first
    before = course.nav0_e8 if start == 0 else course.nav_e8[start - 1]
    return course._replace(
        first=sessions.start, nav0_e8=before, nav_e8=course.nav_e8[start:end], flow_cents=course.flow_cents[start:end],
        action=course.action[start:end], fund=course.fund[start:end], cents=course.cents[start:end],
        pos_ratio_e4=course.pos_ratio_e4[start:end],
    )
