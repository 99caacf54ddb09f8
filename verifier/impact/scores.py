"""The impact scores of an advisor: paired uplift, clipped and weighed. Source: seed paper 000, section 3.3, appendix N.

Both arms of a pair share trace, investors, seed and every draw; only the advisor differs. Beside each value that a
decision defines anew stands the paper's literal formula, by its equation: returns that count money paid in as profit
(62, 66), retention that does not depend on the horizon (78), durations of closed pairs alone (84), a hold that can
never match (72). Floats describe here and decide nothing: sums are correctly rounded, so that neither the order of the
investors nor the machine changes a digit. docs/impact.md holds every equation.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from scenarios.manifest import ScoresConfig
from verifier.impact.means import Mean, Weights, mean, means
from verifier.impact.views import Advised, Arm, Consulted, Course, cut

BUY, SELL, HOLD = range(3)
EPSILON = 1e-6
"""The paper's epsilon in equations 82 and 84, in yuan."""
LEVELS = ("direction", "fund", "size", "literal")
"""How closely an execution is held against the advice; the first is scored."""

Own = Mapping[str, float | None]
"""One investor's measures by name, None where it has none."""


class Investor(NamedTuple):
    """An investor's profile and what it comes to by itself."""

    profile: str
    own: Own


class Measures(NamedTuple):
    """What one arm comes to, by name of the measure. compliance: 1 where every consultation was compliant or silent.

    graded: the factor of the continuous penalty (decision d36). silent: consultations in which nothing was said;
    redlines: those that are not compliant; admissible: those of which no clause failed, suitability and orders
    included.
    """

    means: Mapping[str, Mean]
    compliance: int
    graded: float
    episodes: int
    silent: int
    redlines: int
    admissible: int

    def value(self, name: str) -> float | None:
        """Return a measure's population mean."""
        found = self.means.get(name)
        return None if found is None else found.population


class Impact(NamedTuple):
    """The scores of a pair of arms, each in [0, 100], None where not available. Source: table 14.

    total: 0 behind a redline. ungated: the same without the gate. graded: ungated times the continuous penalty.
    """

    investment: float | None
    returns: float | None
    risk: float | None
    business: float | None
    influence: float | None
    retention: float | None
    aum: float | None
    content: float | None
    total: float | None
    ungated: float | None
    graded: float | None


# One investor.


def daily_returns(course: Course, *, literal: bool = False) -> list[float]:
    """Return the returns of a course, flow-adjusted (decision d31), or as equation 62 prints them.

    r_d = (nav_d - flow_d) / nav_{d-1} - 1, each correctly rounded; a session that begins without money has none.
    """
    returns, before = [], course.nav0_e8
    for nav, flow in zip(course.nav_e8, course.flow_cents, strict=True):
        if before > 0:
            returns.append((nav - before - (0 if literal else flow * 10**6)) / before)
        before = nav
    return returns


def max_drawdown(returns: Iterable[float]) -> float:
    """Return the largest loss from a running peak of the chained index, which starts at 1. Source: eqs 66 and 67."""
    index = peak = 1.0
    worst = 0.0
    for change in returns:
        index *= 1 + change
        peak = max(peak, index)
        worst = max(worst, 1 - index / peak)
    return worst


def retained(course: Course, horizon: int) -> float | None:
    """Return 1 where the investor did not leave before session d_start + T, None where the course is shorter (d34)."""
    if horizon > len(course.nav_e8):
        return None
    return float(course.exit is None or course.exit >= course.first + horizon)


def alive(course: Course, horizon: int) -> float:
    """Return equation 78 as printed: days enough, and no exit in the whole trace, whatever T."""
    return float(len(course.nav_e8) - 1 >= horizon and course.exit is None)


def net_deposits(course: Course, window: int) -> float | None:
    """Return net deposits over NAV at the window's start, the mean over consecutive windows. Source: eqs 81 and 82."""
    return mean([
        (sum(course.flow_cents[start:stop]) / 100) / (_nav_before(course, start) / 10**8 + EPSILON)
        for start, stop in _windows(course, window)
    ])


def duration(course: Course, window: int, *, literal: bool = False) -> float | None:
    """Return how many sessions money stays, first in first out, by amount; the mean over consecutive windows.

    The NAV at a window's start counts as paid in then, and what is there at its end as paid out then (decision d35).
    A withdrawal beyond all that was paid in is profit and pairs with nothing. literal: only deposits that were
    withdrawn within the window, as equation 84 prints it, so 0 for an investor who never withdraws.
    """
    found = []
    for start, stop in _windows(course, window):
        lots = [] if literal else [[_nav_before(course, start) // 10**6, 0]]
        weighed = amount = 0
        for day, flow in enumerate(course.flow_cents[start:stop], 1):
            if flow > 0:
                lots.append([flow, day])
            left = max(-flow, 0)
            while left and lots:
                taken = min(left, lots[0][0])
                weighed, amount, left = weighed + taken * (day - lots[0][1]), amount + taken, left - taken
                lots[0][0] -= taken
                if not lots[0][0]:
                    lots.pop(0)
        if not literal:
            weighed += sum(cents * (stop - start - day) for cents, day in lots)
            amount += sum(cents for cents, _ in lots)
        found.append((weighed / 100) / (amount / 100 + EPSILON))
    return mean(found)


def matches(one: Consulted, course: Course, config: ScoresConfig, level: str = "direction") -> bool:
    """Return whether the investor did what was advised within the window, the session of the advice included (d33).

    A hold is done where no trade occurs. Advice on a trigger counts from the session in which it occurs.

    Args:
        one: the consultation.
        course: the whole course of its investor; a window does not end where a slice does.
        config: with the window in sessions, and the slack of sizes.
        level: "direction" is what is scored; "fund" also asks for a fund that was named, "size" for that and the named
            amount, or target share of NAV, within the slack; "literal" is equation 72, by which a hold, that is no
            trade event, never matches.
    """
    advised = one.advised
    if advised is None or advised.due is None:
        return False
    offset = one.session - course.first
    last = min(offset + config.match_window, len(course.action))
    days = range(advised.due - course.first, last)
    if advised.direction == HOLD:
        return level != "literal" and len(days) > 0 and all(course.action[day] == HOLD for day in days)
    return any(
        course.action[day] == advised.direction and _fits(advised, course, range(day, last), config, level)
        for day in days
    )


def _fits(advised: Advised, course: Course, days: range, config: ScoresConfig, level: str) -> bool:
    """Return whether the trade of the first of these days, of the advised direction, also fits at this level."""
    if level in ("direction", "literal"):
        return True
    if advised.funds and course.fund[days[0]] not in advised.funds:
        return False
    if level == "fund":
        return True
    if advised.cents is not None:
        return _is_near(advised.cents, course.cents[days[0]], config.size_slack)
    target = advised.target_e4
    return target is None or any(_is_near(target, course.pos_ratio_e4[day], config.size_slack) for day in days)


def investor(whole: Course, sessions: range, episodes: Sequence[Consulted], config: ScoresConfig) -> Investor:
    """Return what one investor comes to within some sessions.

    Args:
        whole: its course.
        sessions: of the slice.
        episodes: its consultations within the slice.
        config: windows and horizons.
    """
    course = cut(whole, sessions)
    returns, literal = daily_returns(course), daily_returns(course, literal=True)
    compliant = [one for one in episodes if one.compliance == 1]
    return Investor(course.profile, {
        "return": mean(returns), "return_literal": mean(literal),
        "mdd": max_drawdown(returns), "mdd_literal": max_drawdown(literal),
        **{f"match_{level}": mean([float(matches(one, whole, config, level)) for one in episodes])
           for level in LEVELS},
        "satisfaction": mean([one.satisfaction for one in episodes]),
        **{f"retained_{horizon}": retained(course, horizon) for horizon in config.retention_horizons},
        "retained_literal": alive(course, config.retention_scored),
        "deposits": net_deposits(course, config.aum_window),
        "duration": duration(course, config.aum_window),
        "duration_literal": duration(course, config.aum_window, literal=True),
        "accuracy": mean([50.0 * one.accuracy for one in compliant if one.accuracy is not None]),
        "personalization": mean([50.0 * one.personalization for one in compliant if one.personalization is not None]),
    })


# One arm.


def investors(arm: Arm, sessions: range, config: ScoresConfig) -> list[Investor]:
    """Return what each investor comes to within some sessions, in order; a consultation belongs to its own session."""
    by_investor: dict[str, list[Consulted]] = {}
    for one in arm.consulted:
        if one.session in sessions:
            by_investor.setdefault(one.investor, []).append(one)
    return [investor(course, sessions, by_investor.get(course.investor, ()), config) for course in arm.courses]


def measure(arm: Arm, sessions: range, config: ScoresConfig, weights: Weights) -> Measures:
    """Return what an arm comes to within some sessions."""
    return pool(investors(arm, sessions, config), [one for one in arm.consulted if one.session in sessions], weights)


def pool(people: Sequence[Investor], consulted: Sequence[Consulted], weights: Weights) -> Measures:
    """Return the means over investors, and what the consultations come to."""
    said = [one for one in consulted if one.compliance is not None]
    return Measures(
        {name: means([(one.profile, one.own[name]) for one in people], weights) for name in people[0].own},
        compliance=int(all(one.compliance for one in said)),
        graded=max(0.0, 1 - sum(one.severity for one in said) / len(said)) if said else 1.0,
        episodes=len(consulted), silent=len(consulted) - len(said),
        redlines=sum(one.compliance == 0 for one in said), admissible=sum(one.admissible for one in said),
    )


# A pair.


def scored_measures(config: ScoresConfig) -> tuple[str, ...]:
    """Return the names of the measures that the scores are made of."""
    return ("return", "mdd", "match_direction", "satisfaction", f"retained_{config.retention_scored}", "deposits",
            "duration", "accuracy", "personalization")


def impact(adv: Measures, base: Measures, config: ScoresConfig, compliance: int) -> Impact:
    """Return the scores of an arm against its baseline. Source: equations 51 to 86.

    compliance: the gate C of the advisor over every run and the whole horizon, whatever the slice (d20, d30).
    """
    def uplift(name: str) -> float | None:
        return _less(adv.value(name), base.value(name))

    center, slope = config.center, config.slope
    returns = _score(center, (slope / config.return_unit, uplift("return")))
    risk = _score(center, (slope / config.risk_unit, _less(base.value("mdd"), adv.value("mdd"))))
    influenced = _less(_influence(adv, config), _influence(base, config))
    influence = _score(Fraction(0), (config.influence_slope / config.influence_unit, influenced))
    retention = _score(center, (slope / config.retention_unit, uplift(f"retained_{config.retention_scored}")))
    aum = _score(center, (config.aum_slope / config.deposit_unit, uplift("deposits")),
                 (config.aum_slope / config.duration_unit, uplift("duration")))
    investment = _weigh((config.weight_return, returns), (config.weight_risk, risk))
    business = _weigh((config.weight_influence, influence), (config.weight_retention, retention),
                      (config.weight_aum, aum))
    content = _weigh((config.weight_accuracy, adv.value("accuracy")),
                     (config.weight_personalization, adv.value("personalization")))
    if content is None and adv.episodes:
        content = 0.0  # all that was said broke a redline, or nothing was said: there is no content to credit
    ungated = _weigh((config.weight_investment, investment), (config.weight_business, business),
                     (config.weight_content, content))
    total = ungated if compliance else 0.0
    graded = None if ungated is None else ungated * adv.graded
    return Impact(investment, returns, risk, business, influence, retention, aum, content, total, ungated, graded)


def _influence(measures: Measures, config: ScoresConfig) -> float | None:
    """Return the influence scalar of equation 75; without any consultation it is 0 (decision d33)."""
    if not measures.episodes:
        return 0.0
    return _weigh((config.weight_match, measures.value("match_direction")),
                  (config.weight_satisfaction, measures.value("satisfaction")))


def _score(center: Fraction, *steps: tuple[Fraction, float | None]) -> float | None:
    """Return clip(center + sum of slope times uplift, 0, 100), None where an uplift is not available."""
    points = float(center)
    for slope, uplift in steps:
        if uplift is None:
            return None
        points += float(slope) * uplift
    return min(100.0, max(0.0, points))


def _weigh(*parts: tuple[Fraction, float | None]) -> float | None:
    """Return the weighted sum, None where a part with weight is not available."""
    if any(value is None and weight for weight, value in parts):
        return None
    return sum(float(weight) * value for weight, value in parts if value is not None)


def _less(left: float | None, right: float | None) -> float | None:
    return None if left is None or right is None else left - right


def _is_near(wanted: int, done: int, slack: Fraction) -> bool:
    """Return whether a size is within the slack of the one that was named."""
    return abs(done - wanted) <= slack * wanted


def _nav_before(course: Course, entry: int) -> int:
    return course.nav0_e8 if entry == 0 else course.nav_e8[entry - 1]


def _windows(course: Course, window: int) -> list[tuple[int, int]]:
    """Return consecutive whole windows as entries (start, stop); a shorter course is one window of its own length."""
    days = len(course.nav_e8)
    window = min(window, days)
    return [(start, start + window) for start in range(0, days - window + 1, window)] if days else []
