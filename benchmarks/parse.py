"""From the stored line of an answer to the typed action: ours against json(Decimal) and pydantic models.

Ours also refuses what the pair lets pass: duplicate keys, NaN, amounts finer than a cent, exponents and
digits beyond a bound, bytes that are not canonical.
"""

import hashlib
import json
import random
from decimal import Decimal
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from benchmarks.timing import Result, compare
from benchmarks.workload import as_scenarios, make_plain
from scenarios.canonical import canonical_bytes
from scenarios.files import read_answer
from scenarios.parsing import parse_answer

LINES = 600


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Leg(_Model):
    """One order of the pair's action."""

    instrument: str = Field(min_length=1)
    side: Literal["buy", "sell"] = "buy"
    amount: Decimal = Field(gt=0)
    reason: str | None = None


class Asked(_Model):
    """The pair's typed action."""

    orders: list[Leg]
    citations: list[str] = []
    message: str | None = None


class Tokens(_Model):
    """Token counts."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class Line(_Model):
    """The pair's stored line."""

    scenario: str
    run: int
    text: str
    provider: str
    model: str
    arm: str
    prompt_sha256: str
    usage: Tokens
    finish_reason: str
    truncated: bool
    latency_ms: int
    timestamp: str


def make_lines(names: list[str], seed: int = 5) -> list[bytes]:
    """Return stored lines of about 1.5 kB, each with an answer of 3 to 12 orders of whole cents."""
    rng = random.Random(seed)
    reasons = ["diversifier at a new exposure", "adds to a theme below its cap", "cheapest fee per dollar deployed"]
    lines = []
    for index in range(LINES):
        text = json.dumps({
            "orders": [{"instrument": rng.choice(names), "amount": None, "reason": rng.choice(reasons)}
                       for _ in range(rng.randint(3, 12))],
            "citations": [f"F{rng.randrange(64):03d}" for _ in range(rng.randint(0, 5))],
            "message": "Deploy the cash in whole tranches and keep every theme below its cap.",
        }, indent=1)
        while "null" in text:
            text = text.replace("null", f"{rng.choice([900, 1000, 2000])}.{rng.randrange(100):02d}", 1)
        prompt, completion = rng.randrange(400, 900), rng.randrange(100, 500)
        lines.append(canonical_bytes({
            "scenario": "s0000", "run": index + 1, "text": text, "provider": "provider-a", "model": "model-x-2026-05",
            "arm": rng.choice(["bare", "rules", "scaffold"]),
            "prompt_sha256": hashlib.sha256(str(index).encode()).hexdigest(),
            "usage": {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion},
            "finish_reason": "stop", "truncated": False, "latency_ms": rng.randrange(500, 9000),
            "timestamp": "2026-05-02T10:11:12.345678Z",
        }))
    return lines


def run() -> list[Result]:
    """Measure both ways from the line to the action."""
    scenario = as_scenarios(make_plain(1))[0]
    lines = make_lines([instrument.id for instrument in scenario.instruments])
    decode = json.JSONDecoder(parse_float=Decimal).decode

    def pair() -> list[Asked]:
        return [Asked.model_validate(decode(Line.model_validate_json(line).text)) for line in lines]

    def ours() -> list[Any]:
        return [parse_answer(scenario, read_answer(line, "line").text).action for line in lines]

    for theirs, action in zip(pair(), ours(), strict=True):
        assert [(leg.instrument, int(leg.amount * 100)) for leg in theirs.orders] == [
            (order.instrument, order.amount) for order in action.orders
        ]
        assert theirs.citations == [citation.id for citation in action.citations]
    ratio, base, mine = compare((pair, LINES), (ours, LINES))
    size = sum(map(len, lines)) / LINES
    note = f"{mine * 1e6:.1f} us, pair {base * 1e6:.1f} us; lines of {size:.0f} bytes, all actions equal"
    return [Result("parse", "stored line to typed action / json(Decimal) + pydantic", ratio, 1.0, at_least=True,
                   note=note)]
