"""What an endpoint is asked: one message made of a scenario, and the schema of an answer.

The prompt is a pure function of scenario and arm, and never of the scenario's id or category. Arm
"bare" states the facts, the limits and the fee schedule; arm "rules" adds what the limits mean for an
order, in prose and without any arithmetic done. Source: seed paper 003, section 3 (prompt arms).
"""

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from scenarios.exact import decimal_text
from scenarios.fees import StepFee
from scenarios.types import Fact, Scenario

ARMS = ("bare", "rules")

SHAPE = (
    '{"orders": [{"instrument": "<ticker>", "side": "buy", "amount": <amount in CURRENCY>, "reason": "<why>"}], '
    '"citations": ["<fact id>"], "message": "<one sentence to the client>"}'
)

RULES = """Rules:
- Buy only listed candidates; all orders together must not cost more than the cash.
- Every order must be large enough that its fee is at most the fee tolerance.
- Do not split the cash into several orders when that costs more in fees than one order.
- Name no more instruments than the recommendation cap.
- Keep each position and theme under its cap after the order.
- Cite only fact ids that are listed.
- If no order is worth its cost, answer with an empty list of orders.
"""


def prompt_of(scenario: Scenario, arm: str = "bare") -> str:
    """Return the one message that an advisor is sent.

    Raises:
        ValueError: the arm is unknown.
    """
    if arm not in ARMS:
        raise ValueError(f"unknown arm {arm!r}; known arms: {', '.join(ARMS)}")
    return "\n".join(_lines(scenario, arm)) + "\n"


def conversation(scenario: Scenario, turn: int, said: Mapping[int, str]) -> list[tuple[str, str]]:
    """Return the messages that an advisor is sent to be asked for its answer to one turn of an episode.

    Args:
        scenario: its client, consultation and dialogue are shown, and never its id or category.
        turn: the turn to be answered, counted from 1.
        said: what the advisor answered to earlier turns, by turn.
    """
    opening = f"You advise an investor on {scenario.as_of}. Answer the client's last message in plain words."
    spoken = [("user", "\n".join([opening, *situation(scenario)]))]
    for number, one in enumerate(scenario.dialogue[:turn], 1):
        spoken.append(("user" if one.speaker == "client" else "assistant", one.text))
        if number in said and number < turn:
            spoken.append(("assistant", said[number]))
    return [(role, "\n\n".join(text for _, text in texts)) for role, texts in groupby(spoken, lambda one: one[0])]


def situation(scenario: Scenario) -> Iterator[str]:
    """Yield what is known in an episode: who asks, the state of the account, and the products."""
    client, consultation = scenario.client, scenario.consultation
    if client is not None:
        yield from _members("Client", client.record())
    if consultation is not None:
        daily = consultation.daily.record()
        holdings = daily.pop("holdings", [])
        yield from _members("Account today", daily)
        yield from _members("Long term", consultation.long_term.record())
        for holding in holdings:
            yield from _members(f"Holding {holding.pop('instrument')}", holding)
    for instrument in scenario.instruments:
        product = {} if instrument.product is None else instrument.product.record()
        level = {} if instrument.risk_level is None else {"risk level": f"R{instrument.risk_level}"}
        yield from _members(f"Product {instrument.id}", {**level, **product})


def _members(title: str, members: Mapping[str, Any]) -> Iterator[str]:
    stated = []
    for name, value in members.items():
        if isinstance(value, dict):
            stated += [f"{key.replace('_', ' ')} {_stated(key, one)}" for key, one in value.items()]
        elif value != []:
            stated.append(f"{name.replace('_', ' ')} {_stated(name, value)}")
    if stated:
        yield f"{title}: {'; '.join(stated)}".replace(" cents ", " ")


def _stated(name: str, value: Any) -> str:
    if name.endswith("_cents"):
        return _amount(value) if value >= 0 else f"-{_amount(-value)}"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _lines(scenario: Scenario, arm: str) -> Iterator[str]:
    currency = scenario.currency
    yield f"You advise an investor on {scenario.as_of}. Answer with one JSON object and nothing else."
    yield f"Cash to invest: {_amount(scenario.account.cash_cents)} {currency}"
    yield ""
    yield "Holdings:"
    for position in scenario.account.positions:
        instrument = scenario.instrument_of[position.instrument]
        yield f"- {position.instrument} ({instrument.theme}): {_amount(position.value_cents)} {currency}"
    yield ""
    yield "Candidates:"
    for name in scenario.universe:
        instrument = scenario.instrument_of[name]
        scores = instrument.scores
        rated = "" if scores is None else (
            f", moat {decimal_text(scores.moat)}, compounding {decimal_text(scores.compounding)}, "
            f"valuation {decimal_text(scores.valuation)}"
        )
        yield f"- {name} ({instrument.theme}){rated}"
    yield ""
    yield "Limits:"
    yield from _limits(scenario)
    for title, members in (scenario.context or {}).items():
        yield ""
        yield f"Market, {title}:"
        yield from (f"- {name.replace('_', ' ')}: {value}" for name, value in members.items())
    if scenario.facts:
        yield ""
        yield "Facts that may be cited by id:"
        for fact in scenario.facts:
            yield f"- {fact.id}: {fact.statement}{_value(fact)}"
    yield ""
    if arm == "rules":
        yield RULES
    yield "Answer in this form: " + SHAPE.replace("CURRENCY", currency)


def _limits(scenario: Scenario) -> Iterator[str]:
    limits = scenario.limits
    if limits.recommendation_cap is not None:
        yield f"- at most {limits.recommendation_cap} instruments"
    if limits.add_only:
        yield "- buy only instruments that are not held yet"
    if limits.position_multiple is not None and limits.equal_weight_names is not None:
        multiple = decimal_text(limits.position_multiple)
        yield f"- a position may reach {multiple} / {limits.equal_weight_names} of the holdings"
    if limits.theme_cap is not None:
        yield f"- a theme may reach {decimal_text(limits.theme_cap)} of the holdings"
    if isinstance(scenario.fees, StepFee):
        fees = scenario.fees
        yield (f"- each order pays {_amount(fees.fee_cents_per_tranche)} {scenario.currency} for every "
               f"{_amount(fees.tranche_cents)} {scenario.currency} started")
    if limits.fee_tolerance is not None:
        yield f"- the fee of an order may be at most {decimal_text(limits.fee_tolerance)} of it"


def _value(fact: Fact) -> str:
    value = "" if fact.value is None else f" {fact.value} {fact.unit or ''}".rstrip()
    return value + ("" if fact.as_of is None else f" (as of {fact.as_of})")


def _amount(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02d}"


def answer_schema(scenario: Scenario) -> dict[str, Any]:
    """Return the JSON Schema of an answer, with the scenario's tickers and fact ids as enumerations."""
    order = {
        "type": "object", "additionalProperties": False, "required": ["instrument", "side", "amount", "reason"],
        "properties": {
            "instrument": {"enum": list(scenario.universe)}, "side": {"enum": ["buy"]},
            "amount": {"type": "number"}, "reason": {"type": "string", "maxLength": 120},
        },
    }
    citation = {"enum": [fact.id for fact in scenario.facts]} if scenario.facts else {"type": "string", "maxLength": 40}
    return {
        "type": "object", "additionalProperties": False, "required": ["orders", "citations", "message"],
        "properties": {
            "orders": {"type": "array", "maxItems": 5, "items": order},
            "citations": {"type": "array", "maxItems": 5, "items": citation},
            "message": {"type": "string", "maxLength": 200},
        },
    }
