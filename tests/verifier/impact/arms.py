"""Toy courses and arms, small enough to check by hand; each test names only what it is about."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from scenarios.manifest import ScoresConfig
from verifier.impact.scores import Impact, impact, measure
from verifier.impact.views import Advised, Arm, Consulted, Course

BUY, SELL, HOLD = range(3)
YUAN = 10**8
"""One yuan in 1e-8 yuan."""

CONFIG = ScoresConfig(id="toy")
WEIGHTS = {"conservative": 363, "balanced": 3816, "aggressive": 3020}


def a_course(
    nav: Sequence[float] = (), *, days: int = 0, start: float = 100, flows: dict[int, int] | None = None,
    actions: dict[int, int] | None = None, **members: Any,
) -> Course:
    """Return a course by NAV in yuan, constant over some days by default; flows in yuan and actions by session."""
    path = [int(Fraction(str(one)) * YUAN) for one in nav] or [int(start * YUAN)] * days
    sessions = range(1, len(path) + 1)
    defaults: dict[str, Any] = {
        "investor": "a", "profile": "balanced", "first": 1, "nav0_e8": int(start * YUAN), "nav_e8": path,
        "flow_cents": [100 * (flows or {}).get(day, 0) for day in sessions],
        "action": [(actions or {}).get(day, HOLD) for day in sessions],
        "fund": [7 if day in (actions or {}) else -1 for day in sessions],
        "cents": [10_000 if day in (actions or {}) else 0 for day in sessions],
        "pos_ratio_e4": [0] * len(path),
    }
    return Course(**{**defaults, **members})


def advised(direction: int = BUY, session: int = 1, **members: Any) -> Consulted:
    """Return a compliant consultation that advises a direction."""
    return a_talk(session, advised=Advised(direction, due=session)._replace(**members))


def a_talk(session: int = 1, **members: Any) -> Consulted:
    """Return a compliant consultation of investor "a" that scored 2 and 2."""
    defaults: dict[str, Any] = {"investor": "a", "session": session, "compliance": 1, "accuracy": 2,
                                "personalization": 2}
    return Consulted(**{**defaults, **members})


def an_arm(*courses: Course, talks: Sequence[Consulted] = (), advisor: str = "adv") -> Arm:
    """Return an arm of these courses."""
    return Arm(advisor, 1, courses, tuple(talks))


def scored(adv: Arm, base: Arm, config: ScoresConfig = CONFIG, *, gate: int = 1) -> Impact:
    """Return the scores of a pair over its whole horizon."""
    own, other = (measure(arm, arm.courses[0].sessions, config, WEIGHTS) for arm in (adv, base))
    return impact(own, other, config, gate)
