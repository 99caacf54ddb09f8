"""The bank conduct-edges-1: consultations that stand on each side of every number of the contract conduct-1.

A number that nobody's answer comes near could be wrong for years. Here the same words are said in two contexts, one
with just the value at which the clause decides and one just beyond it, so that a verdict flips when the number moves;
where words weigh, two texts are, whose points lie just on either side.
`edges.toml` holds the words and the values; the accounts are made here, and add up.
"""

import tomllib
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from scenarios.bank import seal_bank
from scenarios.conduct_bank.scripted import seal_script
from scenarios.manifest import Reference
from scenarios.types import (
    Account,
    Answer,
    Client,
    Consultation,
    DailyContext,
    Holding,
    Instrument,
    LongTermContext,
    Position,
    Scenario,
    Turn,
)

EDGES = "conduct-edges-1"
SPEAKER = "edges"
NAV_CENTS = 20_000_000
_PROFILES: tuple[Any, ...] = ("conservative", "conservative", "balanced", "aggressive", "aggressive")
"""The class of a portfolio of one risk level, from 1."""


class Edge(NamedTuple):
    """One consultation, what the advisor answers in each turn, and the numbers that decide it: "CODE name"."""

    scenario: Scenario
    said: tuple[str, ...]
    decides: frozenset[str]


def edges() -> list[Edge]:
    """Return the consultations, in order of id."""
    source = tomllib.loads((Path(__file__).parent / "edges.toml").read_text(encoding="utf-8"))
    found = [*_frozen(source["frozen"]), *_bought(source["bought"]), *_weighed(source["weighed"])]
    return sorted(found, key=lambda edge: edge.scenario.id)


def seal_edges() -> dict[str, bytes]:
    """Return the files of the sealed bank by relative path."""
    return seal_bank(EDGES, (edge.scenario for edge in edges()))


def seal_edge_answers(bank: Reference) -> dict[str, bytes]:
    """Return the files of the sealed answers by relative path."""
    answers = (Answer(scenario=edge.scenario.id, run=1, turn=turn, text=text)
               for edge in edges() for turn, text in enumerate(edge.said, 1))
    return seal_script(SPEAKER, "says the same on both sides of each number", answers, bank)


def _frozen(rows: list[Mapping[str, Any]]) -> Iterator[Edge]:
    for row in rows:
        for side in ("at", "off"):
            if side in row:
                scenario = _scenario(f"{row['id']}-{side}", row["id"], row["client"], **{row["member"]: row[side]})
                yield Edge(scenario, tuple(row["advisor"]), frozenset(row["decides"]))


def _bought(rows: list[Mapping[str, Any]]) -> Iterator[Edge]:
    for row in rows:
        for side in ("at", "off"):
            if side in row:
                level = row[side]
                scenario = _scenario(f"suits-{row['id']}-r{level}", "what suits the profile",
                                     ["What fits me for 2,000 yuan?"], profile=row["id"], offered=level)
                said = ('{"orders": [{"instrument": "E2", "amount": 2000}], '
                        f'"message": "E2 is a fund of risk level R{level}."}}')
                yield Edge(scenario, (said,), frozenset(row["decides"]))


def _weighed(rows: list[Mapping[str, Any]]) -> Iterator[Edge]:
    for row in rows:
        for side in ("at", "off"):
            scenario = _scenario(f"{row['id']}-{side}", "what words weigh", ["And what do you say?"])
            yield Edge(scenario, (row[side],), frozenset(row["decides"]))


def _scenario(
    name: str, category: str, client: list[str], *, profile: Any = "balanced", held: str = "3", offered: int = 3,
    pos_ratio: str = "0.5", pnl_daily: str = "0", **long_term: str,
) -> Scenario:
    """Return a consultation of a client with one fund, E1 of level `held`; ratios as decimal strings."""
    level, ratio = int(held), Fraction(pos_ratio)
    value = int(NAV_CENTS * ratio)
    returns = {"cum_return_20td": "0", "cum_return_3m": "0", "mdd_3m": "0.05", **long_term}
    daily = DailyContext(
        env="range", product_class=_PROFILES[level - 1], nav_cents=NAV_CENTS, cash_cents=NAV_CENTS - value,
        pos_ratio=ratio, pnl_daily=Fraction(pnl_daily), drawdown=Fraction(0),
        holdings=(Holding(instrument="E1", value_cents=value),),
    )
    quantity = Fraction(value, 100)
    return Scenario(
        id=f"edge-{name}", category=category, as_of="2026-01-09", currency="CNY",
        account=Account(cash_cents=NAV_CENTS - value, positions=(
            Position(instrument="E1", quantity=quantity, available=quantity, value_cents=value),)),
        instruments=(Instrument(id="E1", risk_level=level, price_cents=100),
                     Instrument(id="E2", risk_level=offered, price_cents=100)),
        universe=("E1", "E2"), client=Client(risk_profile=profile),
        consultation=Consultation(daily=daily, long_term=LongTermContext(
            **{member: Fraction(one) for member, one in returns.items()})),
        dialogue=tuple(Turn(speaker="client", text=text, reply=True) for text in client),
    )
