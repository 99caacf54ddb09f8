"""Random facts that hang together as an account's do, and the scenario that a consultation on them is judged in."""

import random
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from fractions import Fraction
from functools import cache
from importlib import import_module
from typing import Any

from predicates.conduct.phrases import Phrases, compile_phrases
from predicates.registry import Predicate
from replay.environments.fund_advice.advisors import advisor_named
from replay.environments.fund_advice.request import ADVISOR, CLIENT, FORMAT, decimal, request_bytes
from replay.environments.fund_advice.types import BUY, CONSULT, HOLD, SELL
from replay.environments.fund_advice.words import utterance
from scenarios.action import Action, Said
from scenarios.contracts import conduct_contract
from scenarios.files import build
from scenarios.theta import SIGNALS
from scenarios.types import Scenario
from verifier.contract import Judge
from verifier.rubric import Rubric, judge_episode

HOUSES = ("Harbour", "Evergreen", "Synthetic", "易方达", "合成", "招商")
PROFILES = {"conservative": ("0.4", "0.05", 1), "balanced": ("0.2", "0.1", 3), "aggressive": ("0.05", "0.2", 5)}


def some_facts(seed: int) -> dict[str, Any]:
    """Return random facts: every market, profile, tier and literacy; accounts from empty to full."""
    rng = random.Random(seed)
    env = rng.choice(("up", "range", "down"))
    index = rng.randint(*{"up": (5_000, 60_000), "range": (-4_999, 4_999), "down": (-60_000, -5_000)}[env])
    profile = rng.choice(tuple(PROFILES))
    reserve, tolerance, years = PROFILES[profile]
    nav = rng.randint(1_000_000, 100_000_000)
    funds = rng.sample(range(990_001, 990_099), 20)
    count = rng.choice((0, 1, 1, 2, 3, 5, 8))
    values = [rng.randint(1, nav // (count + 1)) for _ in range(count)]
    levels = [rng.randint(2, 5) for _ in range(20)]
    invested = sum(values)
    mean = Fraction(sum(level * value for level, value in zip(levels, values, strict=False)), invested or 1)
    day_e6 = rng.randint(-40_000, 40_000)
    drawdown = rng.choice((0, rng.randint(0, 30_000), rng.randint(0, 250_000)))
    names = [f"{rng.choice(HOUSES)} Fund {fund}" for fund in funds]
    return {
        "format": FORMAT, "session": (session := rng.randint(1, 1_183)),
        "day": str(date(2021, 2, 18) + timedelta(days=session)),
        "market": {
            "env": env, "index_return": decimal(index, 6), "mom20": decimal(rng.randint(-150_000, 150_000), 6),
            "breadth": decimal(rng.randint(0, 10_000), 4), "vol20": decimal(rng.randint(3_000, 25_000), 6),
        },
        "account": {
            "nav_cents": nav, "cash_cents": nav - invested, "pos_ratio": decimal(invested * 10_000 // nav, 4),
            "pnl_daily": decimal(day_e6, 6), "pnl_daily_cents": nav * day_e6 // 1_000_000,
            "drawdown": decimal(drawdown // 100, 4), "cum_return_20td": decimal(rng.randint(-200_000, 200_000), 6),
            "cum_return_3m": decimal(rng.randint(-300_000, 300_000), 6),
            "mdd_3m": decimal(max(drawdown, rng.randint(0, 250_000)) // 100, 4),
            "product_class": "none" if not invested else
            "conservative" if mean < Fraction(5, 2) else "balanced" if mean < Fraction(7, 2) else "aggressive",
        },
        "holdings": [
            {"fund": str(fund), "name": name, "level": level, "value_cents": value,
             "pnl_total": decimal(rng.randint(-300_000, 300_000), 6)}
            for fund, name, level, value in zip(funds, names, levels, values, strict=False)
        ],
        "shortlist": [
            {"fund": str(fund), "name": name, "level": level, "ret20": decimal(rng.randint(-100_000, 200_000), 6),
             "ret63": decimal(rng.randint(-200_000, 300_000), 6)}
            for fund, name, level in list(zip(funds, names, levels, strict=True))[: rng.choice((0, count + 3, 20))]
        ],
        "client": {
            "risk_profile": profile, "literacy": rng.choice(("low", "medium", "high")),
            "asset_tier": rng.choice(("small", "mid", "large")), "cash_reserve": reserve,
            "drawdown_tolerance": tolerance, "horizon_years": years,
        },
    }


def a_consultation(facts: Mapping[str, Any], dialogue: Sequence[tuple[str, str]]) -> tuple[Scenario, Action]:
    """Return the scenario of an episode and the action of the advisor who said what it says in it."""
    account, market, client = facts["account"], facts["market"], facts["client"]
    shown = {one["fund"]: one for one in (*facts["holdings"], *facts["shortlist"])}
    turns: list[dict[str, Any]] = []
    said: list[Said] = []
    for number, (who, text) in enumerate(dialogue):
        if who == ADVISOR:
            said.append(Said(len(turns), text))
        else:
            answered = number + 1 < len(dialogue) and dialogue[number + 1][0] == ADVISOR
            turns.append({"speaker": "client", "text": text, "reply": answered})
    scenario = build(Scenario, {
        "id": "test-consultation", "category": "test", "as_of": facts["day"], "currency": "CNY",
        "account": {"cash_cents": account["cash_cents"], "positions": [
            {"instrument": one["fund"], "quantity": "1", "available": "1", "value_cents": one["value_cents"]}
            for one in facts["holdings"]]},
        "instruments": [{"id": one["fund"], "risk_level": one["level"], "product": {"names": [one["name"]]}}
                        for one in shown.values()],
        "universe": list(shown), "client": {
            "risk_profile": client["risk_profile"], "literacy": client["literacy"],
            "asset_tier": client["asset_tier"], "constraints": {
                "cash_reserve": client["cash_reserve"], "drawdown_tolerance": client["drawdown_tolerance"],
                "horizon_days": 365 * client["horizon_years"]}},
        "dialogue": turns,
        "consultation": {
            "daily": {
                "env": market["env"], "index_return": market["index_return"], "holdings": [
                    {"instrument": one["fund"], "value_cents": one["value_cents"], "pnl_total": one["pnl_total"]}
                    for one in facts["holdings"]],
                **{name: account[name] for name in (
                    "product_class", "nav_cents", "cash_cents", "pos_ratio", "pnl_daily", "pnl_daily_cents",
                    "drawdown")}},
            "long_term": {name: account[name] for name in ("cum_return_20td", "cum_return_3m", "mdd_3m")},
        },
    }, "test")
    return scenario, Action(turns=said)


def talk(language: str, seed: int, turns: int) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """Return random facts and an episode on them: a simulated client, and the personalised rule that answers."""
    facts, rng = some_facts(seed), random.Random(seed)
    advisor, rationale, draw = advisor_named("personalized-rule", language), SIGNALS[seed % 12], rng.randrange(2**31)
    dialogue: list[tuple[str, str]] = []
    for asked in range(turns):
        dialogue.append((CLIENT, utterance(language, CONSULT, rationale, facts, asked, draw)))
        dialogue.append((ADVISOR, (advisor.answer(request_bytes(facts, dialogue)) or b"").decode()))
    dialogue.append((CLIENT, utterance(language, rng.choice((BUY, SELL, HOLD)), rationale, facts, turns, draw)))
    return facts, dialogue


def scores(facts: Mapping[str, Any], dialogue: Sequence[tuple[str, str]]) -> dict[str, int]:
    """Return the judge's five scores of an episode that breaks no clause."""
    scenario, action = a_consultation(facts, dialogue)
    return judge_episode(scenario, action, {}, (), Rubric(phrases(), phrases())).scores


def codes_broken(facts: Mapping[str, Any], dialogue: Sequence[tuple[str, str]]) -> dict[str, object]:
    """Return the codes of the conduct clauses that the words of an episode break, each with what was said."""
    scenario, action = a_consultation(facts, dialogue)
    found = [finding for clause in clauses() for finding in clause(
        scenario, action, contract().parameters(clause.code)) if finding.kind == "violation"]
    return {finding.code: finding.details.get("text") for finding in found}


@cache
def clauses() -> tuple[Predicate, ...]:
    """Return the clauses on words: redlines, hard conflicts of the advisor, and those of the client."""
    names = ("guaranteed_return", "unsuitable_incitement", "fabricated_fact", "manipulative_pressure",
             "sensitive_request", "account_state_conflict", "performance_conflict", "regime_conflict",
             "vague_encouragement", "position_cash_conflict", "daily_pnl_conflict", "timeline_conflict",
             "market_regime_conflict", "risk_product_conflict", "long_term_performance_conflict")
    return tuple(getattr(import_module(f"predicates.conduct.{name}"), name) for name in names)


@cache
def contract() -> Judge:
    """Return the shipped contract, with its phrases and scorecards."""
    return Judge(conduct_contract())


@cache
def phrases() -> Phrases:
    """Return the shipped lexicons, those of the rubric too, compiled."""
    return compile_phrases(conduct_contract().lexicons or ())
