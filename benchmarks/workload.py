"""Seeded scenarios and actions, and the nine rules as one fused integer function: the base of the ratios.

Scenarios have 200 instruments in 12 themes; actions have 3 to 20 buys, duplicates among them, and up to 6
citations; amounts are whole cents. LIM01 counts distinct names, as the contract does.
"""

import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from scenarios.action import Action, Citation, Order
from scenarios.fees import StepFee
from scenarios.files import build
from scenarios.manifest import Contract
from scenarios.types import Account, Clause, Fact, Instrument, Limits, Position, Scenario
from verifier.contract import Judge

CODES = ("UNIV01", "LIM01", "UNIV02", "LIM02", "COST02", "COST01", "LIM03", "LIM04", "GRND01")
"""The nine rules of seed paper 003, table 1; the place of a code is its bit in a mask."""

BIT = {code: 1 << index for index, code in enumerate(CODES)}
NAMES = tuple(f"TK{index:03d}" for index in range(200))
THEMES, FACTS, TRANCHE, FLOOR = 12, 64, 100_000, 25_000
THEME_OF = {name: index % THEMES for index, name in enumerate(NAMES)}


class Plain(NamedTuple):
    """A scenario as the fused function reads it."""

    universe: frozenset[str]
    held: dict[str, int]
    cash: int
    cap: int
    add_only: bool
    names: int
    theme_value: list[int]
    total: int
    facts: frozenset[str]


class Asked(NamedTuple):
    """An action: index of its scenario, (name, cents) of each buy, cited fact ids."""

    scenario: int
    legs: list[tuple[str, int]]
    facts: list[str]

    def typed(self) -> Action:
        """Return the action as our type."""
        return Action([Order(name, "buy", cents) for name, cents in self.legs], [Citation(fact) for fact in self.facts])


def make_plain(count: int = 120, seed: int = 1) -> list[Plain]:
    """Return scenarios for the fused function."""
    rng = random.Random(seed)
    made = []
    for _ in range(count):
        size = rng.choice([10, 17, 17, 25, 50])
        universe = rng.sample(NAMES, size)
        held = {name: rng.randrange(50_000, 1_500_000) for name in rng.sample(universe, size // 2)}
        theme_value = [0] * THEMES
        for name, value in held.items():
            theme_value[THEME_OF[name]] += value
        made.append(Plain(
            frozenset(universe), held, rng.randrange(25_000, 6_000_000), rng.choice([3, 5, 10, 20]),
            rng.random() < 0.5, rng.choice([5, 8, 10]), theme_value, sum(held.values()),
            frozenset(f"F{index:03d}" for index in rng.sample(range(FACTS), 24)),
        ))
    return made


def make_actions(plain: Sequence[Plain], count: int, seed: int = 2, legs: Sequence[int] = range(3, 21)) -> list[Asked]:
    """Return actions, scenario by scenario as in a bank; some break a rule, some none."""
    rng = random.Random(seed)
    made = []
    for index in range(count):
        which = index * len(plain) // count
        scenario = plain[which]
        universe, facts = sorted(scenario.universe), sorted(scenario.facts)
        pool = [name for name in universe if name not in scenario.held] if rng.random() < 0.7 else universe
        made.append(Asked(
            which,
            [
                (rng.choice(pool) if rng.random() < 0.98 else rng.choice(NAMES),
                 rng.randrange(1, 5) * TRANCHE if rng.random() < 0.6 else rng.randrange(10_000, 400_000))
                for _ in range(rng.choice(legs))
            ],
            [rng.choice(facts) if rng.random() < 0.97 else f"F{rng.randrange(FACTS):03d}"
             for _ in range(rng.randint(0, 6))],
        ))
    return made


def fused_mask(scenario: Plain, legs: Sequence[tuple[str, int]], facts: Sequence[str]) -> int:
    """Return the mask of the rules that an action breaks: one pass, exact integers, no evidence."""
    mask = 0
    universe, held, add_only = scenario.universe, scenario.held, scenario.add_only
    total = started = 0
    bought: dict[str, int] = {}
    for name, cents in legs:
        if name not in universe:
            mask |= 1
        if add_only and name in held:
            mask |= 4
        if cents < FLOOR:
            mask |= 16
        total += cents
        started += -(-cents // TRANCHE)
        bought[name] = bought.get(name, 0) + cents
    if len(bought) > scenario.cap:
        mask |= 2
    if total > scenario.cash:
        mask |= 8
    if started > -(-total // TRANCHE):
        mask |= 32
    whole = scenario.total + total
    most, scale = 13 * whole, 10 * scenario.names
    by_theme: dict[int, int] = {}
    for name, cents in bought.items():
        if (held.get(name, 0) + cents) * scale > most:
            mask |= 64
        theme = THEME_OF[name]
        by_theme[theme] = by_theme.get(theme, 0) + cents
    theme_value = scenario.theme_value
    for theme, cents in by_theme.items():
        if (theme_value[theme] + cents) * 5 > whole:
            mask |= 128
    if not scenario.facts.issuperset(facts):
        mask |= 256
    return mask


def as_scenarios(plain: Sequence[Plain]) -> list[Scenario]:
    """Return the same scenarios as our type, read from JSON as stored ones are."""
    made = [
        Scenario(
            id=f"s{index:04d}", category="benchmark", as_of="2026-01-02", currency="USD",
            account=Account(cash_cents=one.cash, positions=tuple(
                Position(instrument=name, quantity=Fraction(value, 10_000), available=Fraction(value, 10_000),
                         value_cents=value)
                for name, value in one.held.items()
            )),
            instruments=tuple(
                Instrument(id=name, theme=f"T{THEME_OF[name]:02d}", sector=f"S{THEME_OF[name] % 5}",
                           issuer=f"Issuer {name}", price_cents=10_000)
                for name in NAMES
            ),
            universe=tuple(sorted(one.universe)),
            limits=Limits(
                recommendation_cap=one.cap, equal_weight_names=one.names, position_multiple=Fraction("1.3"),
                theme_cap=Fraction("0.2"), fee_tolerance=Fraction("0.01"), add_only=one.add_only,
            ),
            fees=StepFee(tranche_cents=TRANCHE, fee_cents_per_tranche=250),
            facts=tuple(Fact(id=fact, statement="A fact.") for fact in sorted(one.facts)),
        )
        for index, one in enumerate(plain)
    ]
    return [build(Scenario, scenario.record(), scenario.id) for scenario in made]


def nine_rules() -> Judge:
    """Return a contract of the nine rules and nothing else."""
    clauses = tuple(Clause(code=code, authority="seed paper 003, table 1", owner="benchmarks") for code in CODES)
    return Judge(Contract(id="nine-rules", version="1", clauses=clauses))


def mask_of(states: Mapping[str, str]) -> int:
    """Return the mask of the clauses that FAIL."""
    return sum(BIT[code] for code, state in states.items() if state == "FAIL")
