"""Tiny markets, written by hand, on which a ledger can be checked by arithmetic."""

from collections.abc import Sequence
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

from replay.environments.fund_advice.population import Investor, shijian_27
from scenarios.manifest import TraceManifest
from scenarios.traces import TIER_OF_LEVEL, Fund, FundFees, RedemptionStep, Trace, count_trace, mark_sessions

FREE = FundFees(subscription=Fraction(0), redemption=(RedemptionStep(rate=Fraction(0)),), origin="test")


def a_fund(name: str, *navs: str, level: int = 3, fees: FundFees = FREE, **members: Any) -> Fund:
    """Return a fund with these NAVs in yuan, the base day's first."""
    return Fund(id=name, type="mixed", level=level, tier=TIER_OF_LEVEL[level], fees=fees,
                nav_e8=tuple(int(Fraction(nav) * 10**8) for nav in navs), **members)


def a_trace(*funds: Fund, levels: Sequence[int] | None = None) -> Trace:
    """Return a trace of these funds over consecutive calendar days from 2025-01-01, the index flat by default."""
    days = len(funds[0].nav_e8)
    first = date(2025, 1, 1)
    marks = [(str(first + timedelta(days=day)), 10_000 if levels is None else levels[day]) for day in range(days)]
    sessions = mark_sessions(marks, ())
    manifest = TraceManifest.model_construct(
        id="test", digest="0" * 64, regimes=(), counts=count_trace(sessions, funds), sessions=days - 1, funds=len(funds)
    )
    return Trace(manifest, sessions, tuple(sorted(funds, key=lambda fund: fund.id)))


def an_investor(nav0_cents: int = 10_000_000, profile: str = "balanced", tier: str = "mid", **members: Any) -> Investor:
    """Return a balanced investor of the middle tier with 100,000 yuan."""
    population = shijian_27()
    return Investor.model_validate({
        "id": f"{profile}-medium-{tier}", "profile": profile, "literacy": "medium", "tier": tier,
        "nav0_cents": nav0_cents, "traits": population.profiles[profile],  # type: ignore[index]
        "means": population.tiers[tier], **members,  # type: ignore[index]
    })
