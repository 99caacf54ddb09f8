"""Valid defaults for tests; each test names only what it is about."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from predicates.registry import NO_PARAMS as NO_PARAMS
from scenarios.action import Action, Amount, Citation, Order
from scenarios.fees import FeeSchedule, StepFee
from scenarios.types import Account, Fact, Instrument, Limits, Policy, Position, Scenario

PAPER_FEES = StepFee(tranche_cents=100_000, fee_cents_per_tranche=250)
"""The paper's schedule: 2.50 for each 1,000 started."""


def an_instrument(name: str, **members: Any) -> Instrument:
    """Return an instrument with a price, a theme and an issuer of its own."""
    defaults: dict[str, Any] = {"theme": f"theme-{name}", "sector": f"sector-{name}", "issuer": f"issuer-{name}",
                                "price_cents": 10_000}
    return Instrument(id=name, **{**defaults, **members})


def a_scenario(
    *, cash: int = 1_000_000, held: Mapping[str, int] | None = None, names: Iterable[str] = ("AAA", "BBB", "CCC"),
    instruments: Iterable[Instrument] | None = None, universe: Iterable[str] | None = None,
    fees: FeeSchedule | None = None, facts: Iterable[Fact] = (), positions: Iterable[Position] | None = None,
    **members: Any,
) -> Scenario:
    """Return a scenario: 10,000.00 in cash, three names, the paper's fees; limits as keyword arguments.

    Any keyword that is a limit goes into `limits`; the rest are members of the scenario.
    """
    held = held or {}
    limits = {name: members.pop(name) for name in list(members) if name in Limits.model_fields}
    listed = tuple(instruments) if instruments is not None else tuple(
        an_instrument(name) for name in dict.fromkeys([*names, *held])
    )
    known = {instrument.id: instrument for instrument in listed}
    if positions is None:
        positions = tuple(
            Position(instrument=name, quantity=Fraction(value, known[name].price_cents or 1),
                     available=Fraction(value, known[name].price_cents or 1), value_cents=value)
            for name, value in held.items()
        )
    defaults: dict[str, Any] = {
        "id": "test-1", "category": "test", "as_of": "2026-01-02", "currency": "USD",
        "policy": Policy(id="fit", version="1"),
    }
    return Scenario(
        **{**defaults, **members},
        account=Account(cash_cents=cash, positions=tuple(positions)),
        instruments=listed,
        universe=tuple(universe) if universe is not None else tuple(known),
        limits=Limits(**limits),
        fees=fees if fees is not None else PAPER_FEES,
        facts=tuple(facts),
    )


def buys(amounts: Iterable[Amount] | Mapping[str, Amount]) -> Action:
    """Return an action that buys these amounts in cents, of AAA, BBB, ... or of the names given."""
    if isinstance(amounts, Mapping):
        pairs = list(amounts.items())
    else:
        pairs = [(chr(65 + index % 26) * 3, amount) for index, amount in enumerate(amounts)]
    return Action([Order(name, "buy", amount) for name, amount in pairs])


def sells(amounts: Mapping[str, Amount]) -> Action:
    """Return an action that sells these amounts in cents."""
    return Action([Order(name, "sell", amount) for name, amount in amounts.items()])


def cites(*citations: str | Citation) -> Action:
    """Return an action without orders that cites these facts."""
    return Action(citations=[item if isinstance(item, Citation) else Citation(item) for item in citations])
