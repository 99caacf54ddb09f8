"""The client's own words: an action and its rationale, said in a way that the day's facts bear out.

A consultation opens with a reason, a wish and two questions; a later turn is a reaction to what the advisor said and
another wish; an executed trade is a statement, with a reason where nobody was consulted. The reason comes from the
rationale, and of its shapes only those are drawn that hold on the day: nobody speaks of a rising market when it fell,
or of losses after gains. Shapes are data in manifests/phrasebooks/client-1.json. Source: seed paper 000, appendix L,
for what a client may not say.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from replay.environments.fund_advice.phrasebook import words
from replay.environments.fund_advice.request import ppm
from replay.environments.fund_advice.types import ACTIONS, CONSULT

INVESTED_PPM = 200_000
"""The position from which a client speaks of the funds held."""

DEEP_PPM = 100_000
"""The three-month drawdown from which a client speaks of a deep fall."""


def utterance(language: str, action: int, rationale: str, facts: Mapping[str, Any], asked: int, draw: int) -> str:
    """Return what the client says.

    Args:
        language: "en" or "zh".
        action: BUY, SELL, HOLD or CONSULT.
        rationale: the signal that the decision cites, one of `scenarios.theta.SIGNALS`.
        facts: of the request on that day.
        asked: advisor turns that this consultation has had, 0 for its opening.
        draw: uniform on [0, 2**31); later turns of one day may share it.

    Raises:
        ScenarioError: the language has no words.
        KeyError: the rationale is unknown.
    """
    said = words("client-1", language)
    account, client = facts["account"], facts["client"]
    reason = _pick(_reasons(language, rationale, facts["market"]["env"], *_standing(account, client)), draw)
    between = " " if language == "en" else ""
    if action != CONSULT:
        statement = _pick(said["actions"][ACTIONS[action]], draw // 64)
        return statement if asked else f"{reason}{between}{statement}"
    wishes = said["wishes"][client["risk_profile"]]
    wish = _pick(wishes, draw // 64 + asked).format(
        reserve=ppm(client["cash_reserve"]) // 10_000, tolerance=ppm(client["drawdown_tolerance"]) // 10_000,
        years=client["horizon_years"])
    if asked:
        return f"{_pick(said['again'], draw // 4_096 + asked)}{between}{wish}"
    asks = said["asks"]["invested" if ppm(account["pos_ratio"]) >= INVESTED_PPM else "light"]
    return f"{reason}{between}{wish}{between}{_pick(asks, draw // 4_096)}"


def _pick(shapes: tuple[str, ...] | list[str], draw: int) -> str:
    return shapes[draw % len(shapes)]


def _standing(account: Mapping[str, Any], client: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return how the account stands: "won" or "lost" over every period, "deep" below its high, "spare" or "short"."""
    returns = [ppm(account[name]) for name in ("pnl_daily", "cum_return_20td", "cum_return_3m")]
    course = "won" if min(returns) > 0 else "lost" if max(returns) < 0 else ""
    deep = "deep" if ppm(account["drawdown"]) >= DEEP_PPM else ""
    cash = 1_000_000 - ppm(account["pos_ratio"]) - ppm(client["cash_reserve"])
    return course, deep, "spare" if cash > 0 else "short" if cash < 0 else ""


@lru_cache(4_096)
def _reasons(language: str, rationale: str, *standing: str) -> tuple[str, ...]:
    shapes = words("client-1", language)["reasons"][rationale]
    return tuple(shape for key, group in shapes.items() if key == "any" or key in standing for shape in group)
