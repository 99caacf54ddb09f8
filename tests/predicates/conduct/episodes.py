"""Small consultations for tests, and the shipped phrases to read them by."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from predicates.conduct.claims import CheckedClaim, read_claims
from predicates.conduct.phrases import Phrases, compile_phrases
from predicates.findings import Finding
from predicates.registry import Predicate
from scenarios.action import Action, Said
from scenarios.files import build
from scenarios.json_exact import read_json
from scenarios.lexicon import Lexicon
from scenarios.types import Scenario

LEXICONS = Path(__file__).parents[3] / "manifests" / "lexicons"
SHIPPED = ("conduct-en-1", "conduct-zh-1", "promises-1", "pressure-1", "claims-1")

DAILY = {
    "env": "down", "product_class": "aggressive", "nav_cents": 10_000_000, "cash_cents": 1_200_000, "pos_ratio": "0.88",
    "pnl_daily": "-0.022", "pnl_daily_cents": -220_000, "drawdown": "0.09", "index_return": "-0.019",
}
HOLDINGS = [
    {"instrument": "F1", "value_cents": 5_000_000, "pnl_1d": "-0.03", "pnl_total": "0.08"},
    {"instrument": "F2", "value_cents": 3_800_000, "pnl_1d": "-0.01", "pnl_total": "-0.02"},
]
LONG_TERM = {"cum_return_20td": "-0.041", "cum_return_3m": "-0.012", "mdd_3m": "0.118"}
INSTRUMENTS = [
    {"id": "F1", "risk_level": 5, "theme": "semiconductor", "product": {
        "names": ["Semiconductor ETF Feeder Fund", "Semiconductor Feeder", "半导体ETF联接基金", "半导体联接"],
        "start_date": "2021-07-26", "subscription_fee": "0.012", "redemption_fee": "0.005", "management_fee": "0.005",
        "lockup_days": 0, "notice_days": 2, "max_drawdown": "0.524", "guarantee": "none"}},
    {"id": "F2", "risk_level": 4, "theme": "growth", "product": {"names": ["Growth Leaders Mixed Fund",
        "成长先锋混合基金"]}},
    {"id": "D1", "risk_level": 1, "theme": "structured deposit", "product": {
        "names": ["Riverside 90-Day Structured Deposit", "Riverside Structured Deposit", "临江银行90天结构性存款",
        "临江结构性存款"], "start_date": "2025-06-03",
        "lockup_days": 90, "guarantee": "principal", "stated_return": "0.021"}},
]


@cache
def shipped_phrases() -> Phrases:
    """Return the shipped lexicons, compiled."""
    found = [read_json((LEXICONS / f"{name}.json").read_bytes(), name) for name in SHIPPED]
    return compile_phrases([build(Lexicon, one, "lexicon") for one in found])


def a_consultation(*client: str, daily: dict[str, Any] | None = None, long_term: dict[str, Any] | None = None,
                   **members: Any) -> Scenario:
    """Return a scenario on a falling day: 88 % invested in R4 and R5, 20 days -4.1 %, drawdown 11.8 %."""
    consultation = {
        "daily": {**DAILY, "holdings": HOLDINGS, **(daily or {})}, "long_term": {**LONG_TERM, **(long_term or {})},
        "facts_closed": members.pop("facts_closed", False),
    }
    return build(Scenario, {
        "id": "episode", "category": "test", "as_of": "2026-01-12", "currency": "CNY",
        "account": {"cash_cents": 1_200_000}, "instruments": INSTRUMENTS, "universe": ["F1", "F2", "D1"],
        "consultation": consultation,
        "dialogue": [{"speaker": "client", "text": text, "reply": True} for text in client], **members,
    }, "episode")


def answers(*texts: str) -> Action:
    """Return the advisor's answers to the first turns."""
    return Action(turns=[Said(number, text) for number, text in enumerate(texts, 1)])


def says(*texts: str) -> Action:
    """Return one message of the advisor outside a dialogue."""
    return Action(message=" ".join(texts))


def judge(clause: Predicate, scenario: Scenario, action: Action, **parameters: str | int) -> tuple[Finding, ...]:
    """Return what a clause finds, with the shipped phrases."""
    return clause(scenario, action, {**clause.read_parameters(parameters), "phrases": shipped_phrases()})


def kinds(findings: Sequence[Finding]) -> list[tuple[str, str]]:
    """Kind and words of each finding."""
    return [(finding.kind, finding.details["text"]) for finding in findings]


def claimed(text: str, *client: str, **members: Any) -> list[CheckedClaim]:
    """Return the advisor's claims in one answer to the client's words."""
    scenario = a_consultation(*(client or ("?",)), **members)
    last = len(scenario.dialogue)
    action = Action(turns=[Said(last, text)])
    return [claim for claim in read_claims(scenario, action, shipped_phrases()) if claim.utterance.audited]
