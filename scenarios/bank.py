"""The builder of the shipped banks: bank-1 (120 scenarios), pilots-1 (3) and controls-1 (1).

Integer arithmetic on a category's row and a variant's number, and nothing else, so the same release always
writes the same bytes. What the recipe has to satisfy, and why, is in docs/bank.md. `python -m scenarios.bank`
writes the banks below manifests/.
"""

import sys
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from scenarios.canonical import canonical_bytes
from scenarios.exact import decimal_text
from scenarios.fees import StepFee
from scenarios.files import write_folder
from scenarios.load import reference_lines
from scenarios.manifest import MANIFEST_NAME, BankManifest
from scenarios.pool import LISTINGS, THEMES, Listing
from scenarios.sealed import seal_files
from scenarios.types import Account, Fact, Instrument, Limits, Policy, Position, Scenario, SubScores

VARIANTS = 10
BASKET_NAMES = 14
FEES = StepFee(tranche_cents=100_000, fee_cents_per_tranche=250)
POLICY = Policy(id="moat-compounding-valuation", version="1", ranking="fit", widest_split=3)
MONTH_ENDS = (
    "2024-09-30", "2024-10-31", "2024-11-29", "2024-12-31", "2025-01-31",
    "2025-02-28", "2025-03-31", "2025-04-30", "2025-05-30", "2025-06-30",
)
"""The date on which each variant was frozen."""

SCORES = (90, 86, 83, 79, 74)
"""Composite scores of the candidates, best first; a variant takes up to two points off each."""
EXCLUDED_SCORES = (92, 91)
"""Scores of names that the baseline must leave out although nothing is scored higher."""
SHAPES = ((1, -1), (-1, 1), (0, 1), (1, 0), (0, -1), (-1, 0))
"""How moat and compounding lean away from the composite score, in steps of five points."""

Facts = Callable[[int, str], tuple[Fact, ...]]
Context = dict[str, dict[str, str | int]]


class Category(NamedTuple):
    """One row of the recipe; ten variants walk the cash, in dollars, from low to high in whole dollars.

    candidates: names that the baseline may buy. add_only: held names may not be bought, and the two best-scored
    names of the universe are held. crowded: the two best-scored candidates stand in themes of about 14 %, and the
    universe also lists an overweight name and one of a theme over its cap.
    """

    name: str
    low: int
    high: int
    cap: int
    candidates: int
    add_only: bool = False
    crowded: bool = False
    facts: Facts | None = None
    context: Callable[[int], Context] | None = None


class Lot(NamedTuple):
    """A holding: a listing, its price in cents, and how many whole shares are held."""

    listing: Listing
    price_cents: int
    shares: int


class Candidate(NamedTuple):
    """A name of the universe: its listing, price in cents, and sub-scores."""

    listing: Listing
    price_cents: int
    scores: SubScores


# Facts: a fictional economy, in realistic ranges.


def _fact(name: str, as_of: str, statement: str, hundredths: int, unit: str = "percent") -> Fact:
    return Fact(id=f"{name}-{as_of}", statement=statement, value=decimal_text(Fraction(hundredths, 100)), unit=unit,
                as_of=as_of)


def _returns(variant: int, as_of: str) -> tuple[Fact, ...]:
    return (
        _fact("RET-COMPOSITE-12M", as_of, "Total return of the composite index over twelve months.",
              1640 - 173 * variant),
        _fact("RET-COMPOSITE-3M", as_of, "Total return of the composite index over three months.",
              310 - 94 * (variant % 5)),
        _fact("RET-BONDS-12M", as_of, "Total return of the government bond index over twelve months.",
              240 + 31 * variant),
    )


def _rates(variant: int, as_of: str) -> tuple[Fact, ...]:
    return (
        _fact("RATE-POLICY", as_of, "Upper bound of the policy rate.", 500 - 25 * (variant // 2)),
        _fact("RATE-GOV-2Y", as_of, "Yield of the two-year government bond.", 462 - 13 * variant),
        _fact("RATE-GOV-10Y", as_of, "Yield of the ten-year government bond.", 418 + 7 * (variant % 4)),
    )


def _employment(variant: int, as_of: str) -> tuple[Fact, ...]:
    return (
        _fact("EMP-UNEMPLOYMENT", as_of, "Unemployment rate, seasonally adjusted.", 390 + 10 * (variant % 6)),
        _fact("EMP-PAYROLLS", as_of, "Change of payrolls over the month.", 100 * (212_000 - 17_000 * variant), "jobs"),
        _fact("EMP-WAGES-12M", as_of, "Growth of average hourly earnings over twelve months.", 430 - 8 * variant),
    )


def _concentration(variant: int, as_of: str) -> tuple[Fact, ...]:
    return (
        _fact("CONC-TOP10", as_of, "Share of the composite index in its ten largest names.", 3320 + 45 * variant),
        _fact("CONC-TOP1", as_of, "Share of the composite index in its largest name.", 640 + 11 * variant),
        _fact("CONC-HALF", as_of, "Number of names that make up half of the composite index.",
              100 * (41 - variant), "names"),
    )


def _after_a_fall(variant: int) -> Context:
    fallen = 1180 + 95 * variant
    return {
        "daily": {"composite_change_percent": decimal_text(Fraction(-(140 + 23 * variant), 100))},
        "long-term": {
            "composite_from_peak_percent": decimal_text(Fraction(-fallen, 100)),
            "days_since_peak": 24 + 9 * variant,
        },
    }


CATEGORIES = (
    Category("cash-below-floor", 40, 249, cap=2, candidates=5),
    Category("cash-sub-tranche", 640, 1000, cap=1, candidates=5),
    Category("fees-floor-edge", 250, 624, cap=2, candidates=5),
    Category("fees-neutral-band", 2001, 2500, cap=2, candidates=4),
    Category("ownership-add-only", 1001, 1666, cap=1, candidates=5, add_only=True),
    Category("ownership-small-add", 260, 620, cap=2, candidates=4, add_only=True),
    Category("facts-returns", 4001, 5000, cap=2, candidates=4, facts=_returns),
    Category("facts-rates", 3001, 3333, cap=3, candidates=4, facts=_rates),
    Category("facts-employment", 4001, 5000, cap=2, candidates=4, facts=_employment),
    Category("facts-concentration", 1001, 1666, cap=1, candidates=5, facts=_concentration),
    Category("drawdown-after-a-fall", 3001, 3333, cap=3, candidates=4, context=_after_a_fall),
    Category("rebalancing-crowded", 2001, 2500, cap=2, candidates=5, crowded=True),
)
"""The recipe, in the order of docs/bank.md."""


def build_bank() -> tuple[Scenario, ...]:
    """Return the 120 scenarios of bank-1, in order of id."""
    built = [_variant(number, variant) for number in range(len(CATEGORIES)) for variant in range(VARIANTS)]
    return tuple(sorted(built, key=lambda scenario: scenario.id))


def build_pilots() -> tuple[Scenario, ...]:
    """Return the three pilot scenarios, in order of id. Source: seed paper 003, sections 3 and 4."""
    sub_tranche, facts = CATEGORIES[1]._replace(low=900, cap=2), CATEGORIES[6]._replace(low=2400)
    built = [
        _variant(1, 0, sub_tranche, "pilot-sub-tranche"),
        _paper_portfolio("pilot-portfolio-fit", 900, _paper_candidates()),
        _variant(6, 9, facts._replace(high=2400), "pilot-fact-hallucination"),
    ]
    return tuple(sorted(built, key=lambda scenario: scenario.id))


def build_controls() -> tuple[Scenario, ...]:
    """Return the one scenario that the controls answer: $900, a crowded best-scored name, and citable facts."""
    more = [_candidate(LISTINGS[theme][1], 0, score, 2) for theme, score in (("Water", 78), ("Leisure", 75))]
    return (_paper_portfolio("control-sub-tranche", 900, [*_paper_candidates(), *more], _returns(0, MONTH_ENDS[0])),)


def seal_bank(name: str, scenarios: Iterable[Scenario]) -> dict[str, bytes]:
    """Return the files of a sealed bank by relative path, its manifest included."""
    listed = tuple(scenarios)
    files = {f"scenarios/{one.id}.json": canonical_bytes(one.record()) + b"\n" for one in listed}
    files["references.jsonl"] = reference_lines(listed)
    return {**files, MANIFEST_NAME: BankManifest(id=name, files=seal_files(files)).sealed_bytes()}


BANKS: dict[str, Callable[[], tuple[Scenario, ...]]] = {
    "bank-1": build_bank, "pilots-1": build_pilots, "controls-1": build_controls,
}
"""The builder of each shipped bank."""


def write_bank(folder: Path, name: str = "bank-1") -> None:
    """Write a shipped bank, sealed, into a new folder.

    Raises:
        ReplayError: the folder exists with other content: a frozen bank is never changed, only published anew.
    """
    write_folder(folder, seal_bank(name, BANKS[name]()))


def _variant(number: int, variant: int, row: Category | None = None, name: str | None = None) -> Scenario:
    category = row or CATEGORIES[number]
    turn = 5 * number + 3 * variant
    themes = [THEMES[(turn + 7 * step) % len(THEMES)] for step in range(len(THEMES))]
    total = 100 * (89_000 + 4_000 * variant + 360 * number)
    layout = _crowded_holdings if category.crowded else _ordinary_holdings
    lots = [
        _lot(_listing(theme, variant, place), turn, total * weight // 10_000)
        for theme, weights in zip(themes, layout(variant), strict=False)
        for place, weight in enumerate(weights)
    ]
    scores = [score - variant * (place + 1) % 3 for place, score in enumerate(SCORES[: category.candidates])]
    if category.crowded:
        crowded = [_listing(theme, variant, 2) for theme in themes[:2]]
        fresh = [_listing(theme, variant, 1) for theme in (themes[10], themes[4], themes[12])]
        excluded = [_listing(theme, variant, 0) for theme in themes[2:4]]
        names = [*excluded, *crowded, *fresh]
        scores = [*EXCLUDED_SCORES, *scores]
    else:
        places = (10, 4, 12, 6, 14) if variant % 2 else (4, 10, 6, 12, 8)
        names = [_listing(themes[place], variant, 1) for place in places[: category.candidates]]
        if category.add_only:
            names = [lots[1].listing, lots[9].listing, *names]
            scores = [*EXCLUDED_SCORES, *scores]
    as_of = MONTH_ENDS[variant]
    return _scenario(
        name or f"{category.name}-{variant + 1:02d}", category.name, as_of,
        cash=category.low + (category.high - category.low) * variant // (VARIANTS - 1), cap=category.cap,
        lots=lots,
        candidates=[_candidate(one, turn, score, place + turn) for place, (one, score) in
                    enumerate(zip(names, scores, strict=True))],
        facts=category.facts(variant, as_of) if category.facts else (),
        context=category.context(variant) if category.context else None,
        add_only=category.add_only,
    )


def _ordinary_holdings(variant: int) -> list[tuple[int, ...]]:
    """Weights of the names held, by theme, in ten-thousandths: four themes of two names, six of one."""
    lean = 3 * (variant % 4)
    return [(722 + lean, 716)] * 2 + [(718, 712 - lean)] * 2 + [(700 + lean,), (714 - lean,), (706,)] * 2


def _crowded_holdings(variant: int) -> list[tuple[int, ...]]:
    """Two themes of 14 %, one overweight name, one theme over its cap, six themes of one name."""
    lean = 3 * (variant % 4)
    return [(715 + lean, 705), (712, 708 - lean), (1050,), (700, 690, 680)] + [(674,), (673,)] * 3


def _listing(theme: str, variant: int, place: int) -> Listing:
    names = LISTINGS[theme]
    return names[(variant + place) % len(names)]


def _price(listing: Listing, turn: int) -> int:
    """The base price, up to ten per cent up or down."""
    return listing.price_cents * (90 + (listing.price_cents // 5 + 11 * turn) % 21) // 100


def _lot(listing: Listing, turn: int, value_cents: int) -> Lot:
    price = _price(listing, turn)
    return Lot(listing, price, (2 * value_cents + price) // (2 * price))


def _candidate(listing: Listing, turn: int, score: int, shape: int) -> Candidate:
    """A name whose sub-scores come to the given composite: 0.40 * 5 m + 0.35 * 5 c = 0.25 * (8 m + 7 c)."""
    moat, compounding = SHAPES[shape % len(SHAPES)]
    scores = SubScores(
        moat=Fraction(score + 5 * moat), compounding=Fraction(score + 5 * compounding),
        valuation=Fraction(score - 8 * moat - 7 * compounding),
    )
    return Candidate(listing, _price(listing, turn), scores)


def _scenario(
    name: str, category: str, as_of: str, *, cash: int, cap: int, lots: list[Lot], candidates: list[Candidate],
    facts: tuple[Fact, ...] = (), context: Context | None = None, add_only: bool = False,
) -> Scenario:
    """Put a scenario together; cash in dollars. Names are listed by id, so that the order tells no rank."""
    prices = {lot.listing: lot.price_cents for lot in lots} | {one.listing: one.price_cents for one in candidates}
    scores = {one.listing: one.scores for one in candidates}
    return Scenario(
        id=name, category=category, as_of=as_of, currency="USD",
        account=Account(
            cash_cents=100 * cash,
            positions=tuple(
                Position(instrument=lot.listing.id, quantity=Fraction(lot.shares), available=Fraction(lot.shares),
                         value_cents=lot.shares * prices[lot.listing])
                for lot in sorted(lots)
            ),
        ),
        instruments=tuple(
            Instrument(id=one.id, issuer=one.issuer, theme=one.theme, sector=one.sector, price_cents=price,
                       scores=scores.get(one))
            for one, price in sorted(prices.items())
        ),
        universe=tuple(sorted(one.listing.id for one in candidates)),
        limits=Limits(
            recommendation_cap=cap, equal_weight_names=BASKET_NAMES, position_multiple=Fraction("1.3"),
            theme_cap=Fraction("0.2"), fee_tolerance=Fraction("0.01"), add_only=add_only, amounts_required=True,
        ),
        fees=FEES, facts=facts, policy=POLICY, context=context,
    )


def _paper_candidates() -> list[Candidate]:
    """The three candidates of the paper's portfolio-fit case: Platforms 90, Industrial 84, Healthcare 82."""
    return [
        _candidate(LISTINGS["Platforms"][2], 0, 90, 0),
        _candidate(LISTINGS["Industrial Automation"][0], 0, 84, 1),
        _candidate(LISTINGS["Healthcare Devices"][1], 0, 82, 3),
    ]


def _paper_portfolio(
    name: str, cash: int, candidates: list[Candidate], facts: tuple[Fact, ...] = ()
) -> Scenario:
    """The paper's portfolio: of $100,000, Platforms hold 23.0 %, Healthcare 5.0 %, Industrial nothing."""
    others = ("Semiconductors", "Cloud Software", "Payments", "Insurance", "Logistics", "Diagnostics",
              "Household Goods", "Clean Power", "Specialty Chemicals", "Energy Infrastructure")
    values = [(LISTINGS["Platforms"][place], value) for place, value in enumerate((9_000, 9_000, 5_000))]
    values += [(LISTINGS["Healthcare Devices"][0], 5_000)] + [(LISTINGS[theme][0], 7_200) for theme in others]
    lots = [Lot(listing, 100 * value // 50, 50) for listing, value in values]
    prices = {lot.listing: lot.price_cents for lot in lots}
    shown = [one._replace(price_cents=prices.get(one.listing, one.price_cents)) for one in candidates]
    return _scenario(name, name.split("-", 1)[1], MONTH_ENDS[0], cash=cash, cap=2, lots=lots, candidates=shown,
                     facts=facts)


def main() -> None:
    """Write every shipped bank below the folder named on the command line, by default manifests/."""
    manifests = Path(sys.argv[1] if len(sys.argv) > 1 else "manifests")
    for name in BANKS:
        write_bank(manifests / name, name)


if __name__ == "__main__":
    main()
