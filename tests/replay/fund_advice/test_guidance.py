"""The personalised rule's plan: its thresholds, both sides of each."""

from typing import Any

import pytest

from replay.environments.fund_advice.guidance import Plan, plan
from replay.environments.fund_advice.types import BUY, HOLD, SELL
from tests.replay.fund_advice.test_advisors import a_market

POINT = 10_000


def planned(worried: bool = False, **changes: Any) -> Plan:
    """Return the plan for a market with members changed: account__drawdown="0.05". A fund of level 2 is on offer."""
    facts = a_market()
    facts["shortlist"].append({"fund": "990009", "name": "Harbour D", "level": 2, "ret20": "0", "ret63": "0"})
    for path, value in changes.items():
        part, _, name = path.partition("__")
        facts[part] = facts[part] | {name: value} if name else value
    return plan(facts, worried=worried)


@pytest.mark.parametrize(
    ("changes", "points"),
    [
        pytest.param({}, 60, id="balanced, nothing special"),
        pytest.param({"worried": True}, 55, id="worried"),
        pytest.param({"client__risk_profile": "conservative", "account__pos_ratio": "0"}, 30, id="conservative"),
        pytest.param({"client__risk_profile": "aggressive"}, 80, id="aggressive"),
        pytest.param({"client__risk_profile": "aggressive", "market__env": "up", "client__horizon_years": 5}, 80,
                     id="never into the reserve of 20 %"),
        pytest.param({"client__risk_profile": "aggressive", "market__env": "up", "client__horizon_years": 5,
                      "client__cash_reserve": "0.05"}, 85, id="never above 85 %"),
        pytest.param({"client__cash_reserve": "0.55"}, 45, id="a large reserve"),
        pytest.param({"market__env": "up"}, 65, id="up"), pytest.param({"market__env": "down"}, 55, id="down"),
        pytest.param({"market__mom20": "-0.05"}, 50, id="a falling month"),
        pytest.param({"market__mom20": "-0.049999"}, 60, id="almost a falling month"),
        pytest.param({"market__mom20": "0.05"}, 65, id="a rising month"),
        pytest.param({"market__breadth": "0.2999"}, 55, id="narrow"),
        pytest.param({"market__breadth": "0.3"}, 60, id="not yet narrow"),
        pytest.param({"market__vol20": "0.012"}, 55, id="turbulent"),
        pytest.param({"market__vol20": "0.011999"}, 60, id="not yet turbulent"),
        pytest.param({"account__cum_return_3m": "-0.05"}, 55, id="a lost quarter"),
        pytest.param({"account__cum_return_3m": "-0.0499"}, 60, id="almost a lost quarter"),
        pytest.param({"account__drawdown": "0.0499"}, 60, id="under half of the budget"),
        pytest.param({"account__drawdown": "0.05"}, 50, id="half of the budget"),
        pytest.param({"account__drawdown": "0.0799"}, 50, id="under four fifths"),
        pytest.param({"account__drawdown": "0.08"}, 40, id="four fifths"),
        pytest.param({"client__horizon_years": 5}, 65, id="a long horizon"),
        pytest.param({"client__horizon_years": 1}, 50, id="a short horizon"),
    ],
)
def test_the_target(changes: dict[str, Any], points: int) -> None:
    assert planned(**changes).target == points * POINT


@pytest.mark.parametrize(
    ("position", "direction", "points"),
    [("0.5501", HOLD, 55), ("0.5749", HOLD, 55), ("0.575", HOLD, 60), ("0.6499", HOLD, 65), ("0.55", BUY, 60),
     ("0.65", SELL, 60)],
)
def test_a_gap_of_five_points_is_traded(position: str, direction: int, points: int) -> None:
    found = planned(account__pos_ratio=position)

    assert (found.direction, found.target) == (direction, points * POINT)


@pytest.mark.parametrize(
    ("changes", "days"),
    [
        ({}, 4), ({"client__literacy": "low"}, 5), ({"client__literacy": "high"}, 3), ({"worried": True}, 5),
        ({"market__vol20": "0.02"}, 5), ({"account__cum_return_20td": "-0.03"}, 5),
        ({"account__cum_return_20td": "-0.0299"}, 4),
    ],
)
def test_the_pace(changes: dict[str, Any], days: int) -> None:
    assert planned(**changes).days == days


def shortlisted(**changes: str) -> list[dict[str, Any]]:
    """Return the shortlist with members of its first fund changed."""
    first, *others = a_market()["shortlist"]
    return [first | changes, *others]


@pytest.mark.parametrize(
    ("changes", "fund"),
    [
        ({}, "990003"), ({"ret20": "0.08"}, "990003"), ({"ret20": "0.080001"}, "990005"), ({"level": 4}, "990005"),
        ({"name": "Harbour A"}, "990005"), ({"ret63": "0.039"}, "990005"), ({"ret63": "0.04"}, "990003"),
    ],
)
def test_the_fund_to_buy(changes: dict[str, Any], fund: str) -> None:
    assert planned(shortlist=shortlisted(**changes)).fund == fund


def test_a_full_account_buys_more_of_what_it_holds() -> None:
    """A small client may hold three funds, and no held fund is on offer: nothing to buy."""
    held = [{"fund": f"99010{number}", "name": "Harbour", "level": 3, "value_cents": 500_000, "pnl_total": "0"}
            for number in range(3)]

    assert planned(holdings=held, client__asset_tier="small").direction == HOLD
    assert planned(holdings=held[:2], client__asset_tier="small").direction == BUY


@pytest.mark.parametrize(
    ("levels", "mix", "fund"),
    [((3, 3), "balanced", "990001"), ((3, 4), "balanced", "990002"), ((2, 3), "aggressive", "990002"),
     ((2, 3), "balanced", "990001")],
)
def test_the_fund_to_sell(levels: tuple[int, int], mix: str, fund: str) -> None:
    holdings = [one | {"level": level} for one, level in zip(a_market()["holdings"], levels, strict=True)]

    assert planned(holdings=holdings, account__pos_ratio="0.9", account__product_class=mix).fund == fund


@pytest.mark.parametrize(
    ("drawdown", "stop"),
    [("0.0799", 80_000), ("0.08", 100_000), ("0.0999", 100_000), ("0.1", 120_000), ("0.25", 270_000)],
)
def test_the_stop_lies_ahead(drawdown: str, stop: int) -> None:
    found = planned(account__drawdown=drawdown)

    assert found.stop == stop
    assert found.lower == max(0, found.target - 10 * POINT)


@pytest.mark.parametrize(("tier", "cents"), [("small", 1_000_000), ("mid", 1_000_000), ("large", 1_000_000)])
def test_an_order_is_cut_to_the_step(tier: str, cents: int) -> None:
    step = {"small": 10_000, "mid": 50_000, "large": 100_000}[tier]

    assert planned(client__asset_tier=tier).order_cents == cents
    assert planned(client__asset_tier=tier, account__nav_cents=10_000_000 + 10 * step - 1).order_cents == cents
    assert planned(client__asset_tier=tier, account__nav_cents=10_000_000 + 10 * step).order_cents == cents + step
