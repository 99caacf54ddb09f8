"""Random scenarios and actions that stand where clauses turn: exactly at a limit and one cent beside it.

The cases are a pure function of the seed: `random.Random` seeded with text, whose stream does not depend
on the machine or on hash randomisation. Every limit is declared in some scenarios and absent in others;
now and then an input that a limit needs is missing, because a clause must then refuse and not pass.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import islice
from math import floor
from random import Random
from typing import Any, TypeVar

from scenarios.action import Action, Amount, Citation, Order
from scenarios.exact import decimal_text
from scenarios.fees import (
    FeeSchedule,
    MarginalTiers,
    NoFee,
    OddLotSurcharge,
    PerShareFee,
    ProportionalFee,
    SlabTiers,
    StepFee,
    Tier,
)
from scenarios.types import Account, Fact, Instrument, Limits, Position, Scenario

Case = tuple[Scenario, Action]
T = TypeVar("T")

ACTIONS_PER_SCENARIO = 4
NAMES = ("AAA", "BBB", "CCC", "DDD", "EEE", "FFF")
FACTS = ("cpi", "rate", "mood")


def random_cases(seed: int | str, n: int) -> Iterator[Case]:
    """Yield n cases, a few actions for each scenario.

    Args:
        seed: the same seed gives the same cases, and a longer run begins with the shorter one's cases.
        n: number of cases, >= 0.
    """
    return islice(_cases(Random(f"advice-audit cases {seed}")), n)  # noqa: S311  # replayable by intent


def _cases(rng: Random) -> Iterator[Case]:
    number = 0
    while True:
        scenario = _scenario(rng, number)
        number += 1
        for _ in range(ACTIONS_PER_SCENARIO):
            yield scenario, _action(rng, scenario)


# Scenarios.


def _sometimes(rng: Random, value: T, share: float = 0.65) -> T | None:
    return value if rng.random() < share else None


def _decimal(rng: Random, *texts: str) -> Fraction:
    return Fraction(rng.choice(texts))


def _scenario(rng: Random, number: int) -> Scenario:
    names = NAMES[: rng.randint(2, len(NAMES))]
    instruments = tuple(_instrument(rng, name) for name in names)
    held = [instrument for instrument in instruments if rng.random() < 0.5]
    return Scenario(
        id=f"case-{number}", category="random", as_of="2026-01-02", currency="USD",
        account=Account(
            cash_cents=rng.choice([0, 1, 24_999, 25_000, 90_000, 100_000, 100_001, rng.randrange(1_000_000)]),
            positions=tuple(_position(rng, instrument) for instrument in held),
        ),
        instruments=instruments,
        universe=tuple(name for name in names if rng.random() < 0.85),
        limits=_limits(rng, names), fees=_fees(rng), facts=_facts(rng),
    )


def _instrument(rng: Random, name: str) -> Instrument:
    return Instrument(
        id=name,
        aliases=(f"{name}-US",) if rng.random() < 0.2 else (),
        issuer=_sometimes(rng, rng.choice(["Acme", "Bolt", "Crux", "Dyne"]), 0.95),
        theme=_sometimes(rng, rng.choice(["platforms", "industrial", "healthcare"]), 0.95),
        sector=_sometimes(rng, rng.choice(["technology", "energy", "utilities"]), 0.95),
        price_cents=_sometimes(rng, rng.choice([1, 3, 100, 333, 10_000, 45_678]), 0.92),
        lot_shares=rng.choice([1, 10, 100]),
        spread=_sometimes(rng, _decimal(rng, "0", "0.0005", "0.001", "0.013"), 0.92),
        volume_cents=_sometimes(rng, rng.choice([0, 100_000, 2_500_001, 10**9]), 0.92),
    )


def _position(rng: Random, instrument: Instrument) -> Position:
    quantity = Fraction(rng.choice([0, 1, 7, 50, 250, 2_505]), rng.choice([1, 1, 1, 10]))
    worth = quantity * (instrument.price_cents or 100)
    return Position(
        instrument=instrument.id, quantity=quantity,
        available=quantity * rng.choice([Fraction(1), Fraction(1), Fraction(1, 2), Fraction(0)]),
        value_cents=int(worth) if worth.denominator == 1 else rng.randrange(100_000),
    )


def _limits(rng: Random, names: tuple[str, ...]) -> Limits:
    sectors = {name: _decimal(rng, "0", "0.3", "0.5", "1") for name in ("technology", "energy") if rng.random() < 0.7}
    multiple = _sometimes(rng, _decimal(rng, "0", "0.9", "1", "1.3", "2"))
    basket = rng.choice([1, 2, 3, 9, 14])
    return Limits(
        recommendation_cap=_sometimes(rng, rng.randint(0, 4)),
        equal_weight_names=basket if multiple is not None else _sometimes(rng, basket),
        position_multiple=multiple,
        theme_cap=_sometimes(rng, _decimal(rng, "0", "0.2", "0.5", "1")),
        sector_caps=_sometimes(rng, sectors),
        liquidity_fraction=_sometimes(rng, _decimal(rng, "0", "0.01", "0.1", "1")),
        spread_tolerance_cents=_sometimes(rng, rng.choice([0, 1, 50, 250])),
        fee_tolerance=_sometimes(rng, _decimal(rng, "0.003", "0.01", "0.5")),
        restricted=_sometimes(rng, tuple(name for name in names if rng.random() < 0.25)),
        **{
            name: rng.random() < 0.5
            for name in ("add_only", "trims_forbidden", "whole_shares", "odd_lot_remainder", "sales_fund_buys",
                         "amounts_required", "deployment_required")
        },
    )


def _fees(rng: Random) -> FeeSchedule:
    if rng.random() < 0.6:
        return StepFee(rng.choice([7, 30_000, 100_000]), rng.choice([0, 199, 250]))
    tiers = (Tier(0, _decimal(rng, "0.001", "0.01")), Tier(rng.choice([50, 25_000]), _decimal(rng, "0", "0.02")))
    rounding: Any = rng.choice(["none", "up"])
    rate, minimum, maximum = _decimal(rng, "0", "0.001"), rng.choice([0, 500]), rng.choice([None, 2_000])
    base: Any = rng.choice([
        NoFee(),
        ProportionalFee(rate, minimum, maximum, rounding=rounding),
        MarginalTiers(tiers, rounding=rounding),
        SlabTiers(tiers, rounding=rounding),
        PerShareFee(_decimal(rng, "0.5", "2"), rng.choice([0, 100]), rng.choice([None, Fraction("0.01")]),
                    rounding=rounding),
    ])
    fees: FeeSchedule = OddLotSurcharge(base, rng.choice([1, 100]), rng.choice([0, 75])) if rng.random() < 0.2 else base
    return fees


def _facts(rng: Random) -> tuple[Fact, ...]:
    return tuple(
        Fact(
            id=name, statement=f"The {name} of the month.", unit=_sometimes(rng, "%"),
            value=_sometimes(rng, rng.choice(["3.1", "0", "mixed"]), 0.9), as_of=_sometimes(rng, "2026-01-01"),
        )
        for name in FACTS if rng.random() < 0.7
    )


# Actions.


def _action(rng: Random, scenario: Scenario) -> Action:
    orders: list[Order] = []
    spent: Amount = 0
    for _ in range(rng.choice([0, 1, 1, 1, 2, 2, 3, 5])):
        order = _order(rng, scenario, orders, scenario.account.cash_cents - spent)
        spent += order.amount or 0 if order.side == "buy" else 0
        orders.append(order)
    citations = [_citation(rng, scenario) for _ in range(rng.choice([0, 0, 1, 3]))]
    return Action(orders, citations, _sometimes(rng, "Because it fits.", 0.2))


def _order(rng: Random, scenario: Scenario, before: list[Order], cash_left: Amount) -> Order:
    name = before[-1].instrument if before and rng.random() < 0.3 else _name(rng, scenario)
    side = "sell" if rng.random() < (0.5 if name in scenario.held else 0.1) else "buy"
    how = rng.random()
    if how < 0.1:
        return Order(name, side)
    if how < (0.6 if side == "sell" else 0.25):
        shares = _shares(rng, scenario, name)
        instrument = scenario.instrument_of.get(name)
        price = instrument.price_cents if instrument else None
        return Order(name, side, None if price is None else _whole(Fraction(shares) * price), shares)
    edges = [*_edges(scenario, name), Fraction(cash_left), Fraction(rng.randrange(1, 200_000))]
    whole = [edge for edge in edges if edge.denominator == 1]  # only these can be met to the cent
    edge = rng.choice(whole if rng.random() < 0.5 else edges)
    return Order(name, side, max(1, floor(edge) + rng.choice([-1, 0, 0, 1])))


def _name(rng: Random, scenario: Scenario) -> str:
    usual: list[str] = [*(scenario.universe or scenario.instrument_of), *scenario.held]
    return rng.choice(usual if rng.random() < 0.9 else ["ZZZ", "aaa", "\u0410AA", *scenario.instrument_of])


def _whole(value: Fraction) -> Amount:
    return value.numerator if value.denominator == 1 else value


def _shares(rng: Random, scenario: Scenario, name: str) -> Amount:
    instrument, position = scenario.instrument_of.get(name), scenario.position_of.get(name)
    lot = instrument.lot_shares if instrument else 1
    edges = [Fraction(lot), Fraction(3 * lot)]
    if position is not None:
        edges += [position.available, position.available % lot, position.available % lot + lot]
    size = rng.choice(edges) + _decimal(rng, "0", "0", "0", "1", "-1", "0.000001")
    return _whole(size if size > 0 else Fraction(lot))


def _edges(scenario: Scenario, name: str) -> list[Fraction]:
    """Amounts in cents at which a clause turns for this name; those that are not positive are left out."""
    limits, held = scenario.limits, scenario.held.get(name, 0)
    instrument = scenario.instrument_of.get(name)
    edges = [Fraction(scenario.account.cash_cents), Fraction(held)]
    if isinstance(scenario.fees, StepFee):
        edges += [Fraction(scenario.fees.tranche_cents * tranches) for tranches in (1, 2)]
    price = instrument.price_cents if instrument else None
    if limits.fee_tolerance and (price or not scenario.fees.uses_shares):
        edges.append(Fraction(scenario.fees.floor(limits.fee_tolerance, price).floor or 0))
    if limits.equal_weight_names and limits.position_multiple is not None:
        edges += _headrooms(scenario, limits.position_multiple / limits.equal_weight_names, held)
    if instrument is not None:
        if limits.theme_cap is not None:
            edges += _headrooms(scenario, limits.theme_cap, scenario.theme_value.get(instrument.theme, 0))
        if instrument.sector in (limits.sector_caps or {}):
            cap = (limits.sector_caps or {})[str(instrument.sector)]
            edges += _headrooms(scenario, cap, scenario.sector_value.get(instrument.sector, 0))
        if limits.liquidity_fraction and instrument.volume_cents:
            edges.append(limits.liquidity_fraction * instrument.volume_cents)
        if limits.spread_tolerance_cents and instrument.spread:
            edges.append(limits.spread_tolerance_cents / instrument.spread)
        if instrument.price_cents:
            edges.append(Fraction(instrument.price_cents * instrument.lot_shares))
    return [edge for edge in edges if edge > 0]


def _headrooms(scenario: Scenario, cap: Fraction, held: int) -> list[Fraction]:
    """The purchase that just fills a weight cap, for each denominator: before, with cash, after."""
    total = scenario.held_total
    after = [(cap * total - held) / (1 - cap)] if cap < 1 else []
    return [cap * total - held, cap * (total + scenario.account.cash_cents) - held, *after]


def _citation(rng: Random, scenario: Scenario) -> Citation:
    fact = scenario.fact_of.get(rng.choice([*FACTS, *FACTS, "moon"]))
    if fact is None or rng.random() < 0.3:
        return Citation(fact.id if fact else "moon", _sometimes(rng, "3.1", 0.5))
    spellings: list[Callable[[str], str]] = [str, lambda text: text + "0", lambda text: text + ".00", str.upper]
    value = _sometimes(rng, rng.choice(spellings)(fact.value or decimal_text(Fraction("3.1"))))
    return Citation(fact.id, value, _sometimes(rng, rng.choice(["%", "percent"])),
                    _sometimes(rng, rng.choice(["2026-01-01", "2026-01-02"])))
