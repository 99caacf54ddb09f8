"""The plan of the Personalized-Rule advisor: fixed suitability and risk-control rules over one request.

    target  of the share of NAV invested: 30, 60 or 80 % by profile, less 5 to 20 points for a falling market, a
            narrow or turbulent one, a lost quarter and a used drawdown budget, for a short horizon and a worried
            client; 5 points more for a rising one or a long horizon; never above 85 % or into the stated cash reserve
    fund    a sale: the holding above the profile's risk level first, then the largest; a purchase: of the shortlist
            what suits, of a fund house not held yet, not run up more than 8 % in 20 sessions, with the best quarter
    pace    3 sessions, more for a client who knows less, is worried, sits on a loss or faces a turbulent market
    stop    at 80 % of the drawdown tolerance; then 10 points lower

Integers throughout: shares in ppm, money in cents. Source: seed paper 000, appendix I.5, Personalized-Rule; the
numbers are ours.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from replay.environments.fund_advice.request import ppm
from replay.environments.fund_advice.types import BUY, HOLD, SELL

POINT = 10_000
"""One percentage point in ppm."""

BASE = {"conservative": 30 * POINT, "balanced": 60 * POINT, "aggressive": 80 * POINT}
MAX_LEVEL = {"conservative": 2, "balanced": 3, "aggressive": 5}
MAX_FUNDS = {"small": 3, "mid": 5, "large": 8}
STEP_CENTS = {"small": 10_000, "mid": 50_000, "large": 100_000}
CAREFUL_DAYS = {"low": 2, "medium": 1, "high": 0}
RISK_OF_CLASS = {"none": 0, "conservative": 2, "balanced": 3, "aggressive": 5}

MOST_INVESTED = 85 * POINT

NEAR = 5 * POINT
"""A gap below this leaves the position as it is."""

CHASED = 8 * POINT
TURBULENT = 12_000


class Plan(NamedTuple):
    """What is advised. fund, level: None for a hold without holdings. order_cents: a day, over `days` sessions.

    target, stop, lower in ppm: the share of NAV to be invested; the drawdown at which it becomes `lower`.
    """

    direction: int
    fund: str | None
    level: int | None
    order_cents: int
    days: int
    target: int
    stop: int
    lower: int


def plan(request: Mapping[str, Any], *, worried: bool) -> Plan:
    """Return the plan for one request; worried: whether the client's last words say so."""
    account, client = request["account"], request["client"]
    target = _target(request, worried)
    stop, lower = _stop(account, client), max(0, target - 10 * POINT)
    gap = target - ppm(account["pos_ratio"])
    side = HOLD if abs(gap) < NEAR else BUY if gap > 0 else SELL
    fund = _largest(request["holdings"]) if side == HOLD else _to_buy(request) if side == BUY else _to_sell(request)
    days = _days(request, side, fund, worried)
    step = STEP_CENTS[client["asset_tier"]]
    cents = abs(gap) * account["nav_cents"] // 1_000_000 // days
    cents -= cents % step
    if side != HOLD and (fund is None or cents == 0):
        side, fund, cents = HOLD, _largest(request["holdings"]), 0
    if side == HOLD:
        target, cents = _near(ppm(account["pos_ratio"]) + NEAR // 2), 0
        lower = max(0, target - 10 * POINT)
    return Plan(side, None if fund is None else fund["fund"], None if fund is None else fund["level"], cents, days,
                target, stop, lower)


def _target(request: Mapping[str, Any], worried: bool) -> int:
    market, account, client = request["market"], request["account"], request["client"]
    momentum, budget = ppm(market["mom20"]), ppm(client["drawdown_tolerance"])
    used = ppm(account["drawdown"])
    target = BASE[client["risk_profile"]]
    target += {"up": 5, "range": 0, "down": -5}[market["env"]] * POINT
    target += (5 if momentum >= 5 * POINT else -10 if momentum <= -5 * POINT else 0) * POINT
    target -= (5 if ppm(market["breadth"]) < 30 * POINT else 0) * POINT
    target -= (5 if ppm(market["vol20"]) >= TURBULENT else 0) * POINT
    target -= (5 if ppm(account["cum_return_3m"]) <= -5 * POINT else 0) * POINT
    target -= (20 if used * 10 >= budget * 8 else 10 if used * 2 >= budget else 0) * POINT
    target += (5 if client["horizon_years"] >= 5 else -10 if client["horizon_years"] <= 1 else 0) * POINT
    target -= (5 if worried else 0) * POINT
    return max(0, _near(min(target, MOST_INVESTED, 100 * POINT - ppm(client["cash_reserve"]))))


def _near(share: int) -> int:
    """Return the multiple of 5 points at or below a share."""
    return share - share % (5 * POINT)


def _stop(account: Mapping[str, Any], client: Mapping[str, Any]) -> int:
    """Return the drawdown that changes the plan: 80 % of the tolerance, else all of it, else 2 points from here."""
    now, budget = ppm(account["drawdown"]), ppm(client["drawdown_tolerance"])
    early = budget * 8 // 10
    found = early if now < early else budget if now < budget else now + 2 * POINT
    return found - found % (POINT // 10)


def _days(request: Mapping[str, Any], side: int, fund: Mapping[str, Any] | None, worried: bool) -> int:
    client = request["client"]
    lossy = side == SELL and fund is not None and ppm(fund["pnl_total"]) <= -10 * POINT
    run_up = side == BUY and fund is not None and ppm(fund.get("ret20", "0")) > 3 * POINT
    turbulent = ppm(request["market"]["vol20"]) >= TURBULENT
    weak = ppm(request["account"]["cum_return_20td"]) <= -3 * POINT
    return 3 + CAREFUL_DAYS[client["literacy"]] + worried + lossy + run_up + turbulent + weak


def _house(fund: Mapping[str, Any]) -> str:
    """Return what a fund's name begins with: two Chinese characters or the first word."""
    name: str = fund["name"]
    return name.split(" ", 1)[0] if name.isascii() else name[:2]


def _largest(holdings: list[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    return min(holdings, key=lambda one: (-one["value_cents"], one["fund"]), default=None)


def _to_sell(request: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the holding to sell of: above the profile's level, riskiest first where the whole is; else the largest."""
    most = MAX_LEVEL[request["client"]["risk_profile"]]
    risky = RISK_OF_CLASS[request["account"]["product_class"]] > most
    return min(request["holdings"], default=None, key=lambda one: (
        -max(one["level"] - most, 0), -one["level"] if risky else 0, -one["value_cents"], one["fund"]))


def _to_buy(request: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the fund of the shortlist to buy, or the largest suitable holding where none suits."""
    most = MAX_LEVEL[request["client"]["risk_profile"]]
    held = {one["fund"] for one in request["holdings"]}
    houses = {_house(one) for one in request["holdings"]}
    full = len(held) >= MAX_FUNDS[request["client"]["asset_tier"]]
    suitable = [one for one in request["shortlist"]
                if one["level"] <= most and not (full and one["fund"] not in held)]
    return min(suitable, default=None, key=lambda one: (
        ppm(one["ret20"]) > CHASED, bool(houses) and _house(one) in houses, -ppm(one["ret63"]), one["fund"]))
