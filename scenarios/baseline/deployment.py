"""How much cash can be deployed at most: the deployment bound in closed form, integers only.

An order is nothing or at least the floor f and at most its name's headroom; a theme has a room of its
own; the orders together stay within the cash. Because all floors are equal, m orders in a theme with
room C reach every total in [m f, min(the m largest headrooms, C)] as long as m f <= C, and that upper
end is concave in m. So M orders in all reach [M f, U(M)], where U(M) adds the M largest marginal gains
over the themes, and the optimum is min(cash, U(M)) for the largest M that cash, rooms and cap admit.
This is the optimum of the deployment program of seed paper 003, section 4; `verifier.oracle` keeps the
program itself as an independent check.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from scenarios.errors import ScenarioError
from scenarios.types import Instrument, Scenario


def deployment_bound(
    cash: int, floor: int, headrooms: Sequence[int], themes: Sequence[str | None],
    theme_rooms: Mapping[str | None, int], count_cap: int | None = None,
) -> int:
    """Return the most cents that orders can deploy.

    Args:
        cash: budget in cents, >= 0.
        floor: the smallest order in cents, > 0, the same for every name.
        headrooms: the largest order in cents of each name; below the floor, the name is not bought.
        themes: the theme of each name, in the order of `headrooms`.
        theme_rooms: the most cents that a theme can take; a theme that is left out is not limited.
        count_cap: the most names that may be bought; None, as in the paper's program, for any number.
    """
    by_theme: dict[str | None, list[int]] = {}
    for headroom, theme in zip(headrooms, themes, strict=True):
        if headroom >= floor:
            by_theme.setdefault(theme, []).append(headroom)
    gains: list[int] = []
    for theme, rooms in by_theme.items():
        left = theme_rooms.get(theme)
        if left is None:
            gains += rooms
            continue
        rooms.sort(reverse=True)
        for headroom in rooms[: max(left, 0) // floor]:
            gain = min(headroom, left)
            gains.append(gain)
            left -= gain
    orders = min(cash // floor, len(gains)) if count_cap is None else min(cash // floor, len(gains), count_cap)
    gains.sort(reverse=True)
    return min(cash, sum(gains[:orders]))


class Candidate(NamedTuple):
    """A name that may be bought: its smallest order and what is held of it, both in cents."""

    id: str
    theme: str | None
    floor: int
    held: int


def candidates(scenario: Scenario) -> tuple[Candidate, ...]:
    """Return the names that may be bought, in the order of the universe.

    Left out are held names where the scenario is add-only; restricted names and whatever may be a share class
    of their issuers; names without a theme where a theme cap is declared; and names for which no order is
    large enough for the fee tolerance.
    """
    return tuple(_candidates(scenario))


def scenario_bound(scenario: Scenario, count_cap: int | None = None) -> int:
    """Return the most cents that buys can deploy in a scenario, caps measured after the action.

    A name or theme that is bought weighs at most its cap in the holdings after the action, without cash;
    one that is not bought binds nothing. Rooms therefore grow with the cents D that are deployed, and
    the optimum is the greatest D with D <= U(D): D <- U(D) from the cash down, exact in whole cents.
    The recommendation cap binds only where it is handed in; the paper's program has none. Sales, sector
    caps, liquidity and spread are not part of that program.

    Args:
        scenario: the scenario; limits that it does not declare do not bind.
        count_cap: as in `deployment_bound`.

    Raises:
        ScenarioError: the fee schedule gives the names different floors; only the program can tell then.
    """
    names = candidates(scenario)
    if not names:
        return 0
    floor = names[0].floor
    if any(name.floor != floor for name in names):
        raise ScenarioError(
            f"{scenario.id}#/fees", "the smallest order differs from name to name",
            "the closed form needs one floor; ask the program in verifier.oracle",
        )
    name_cap, theme_cap = position_cap(scenario), scenario.limits.theme_cap
    held = [name.held for name in names]
    themes = [name.theme for name in names]
    deployed = scenario.account.cash_cents
    while True:
        total = scenario.held_total + deployed
        headrooms = [share_of(total, name_cap) - value for value in held]
        rooms = (
            {} if theme_cap is None
            else {theme: share_of(total, theme_cap) - scenario.theme_value.get(theme, 0) for theme in set(themes)}
        )
        reachable = deployment_bound(deployed, floor, headrooms, themes, rooms, count_cap)
        if reachable == deployed:
            return deployed
        deployed = reachable


def position_cap(scenario: Scenario) -> Fraction | None:
    """Return the largest weight of a position that is bought, or None where none is declared."""
    multiple, names = scenario.limits.position_multiple, scenario.limits.equal_weight_names
    return None if multiple is None or names is None else multiple / names


def share_of(total: int, cap: Fraction | None) -> int:
    """Return the whole cents in a share of `total`; all of it where there is no cap."""
    return total if cap is None else total * cap.numerator // cap.denominator


def smallest_order(scenario: Scenario, instrument: Instrument) -> int | None:
    """Return the economic floor of an instrument in whole cents, None where no order is large enough."""
    tolerance = scenario.limits.fee_tolerance
    if tolerance is None:
        return 1
    floor = scenario.fees.floor(tolerance, instrument.price_cents).floor
    return None if floor is None else max(1, -(-floor // 1))


def _candidates(scenario: Scenario) -> Iterator[Candidate]:
    limits = scenario.limits
    restricted = frozenset(limits.restricted or ())
    blocked = {scenario.instrument_of[name].issuer for name in restricted} | ({None} if restricted else set())
    for name in scenario.universe:
        instrument = scenario.instrument_of[name]
        if limits.add_only and name in scenario.owned:
            continue
        if name in restricted or instrument.issuer in blocked:
            continue
        if limits.theme_cap is not None and instrument.theme is None:
            continue
        floor = smallest_order(scenario, instrument)
        if floor is not None:
            yield Candidate(name, instrument.theme, floor, scenario.held.get(name, 0))
