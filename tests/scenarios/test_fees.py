"""Fee schedules: exact fees, whether splitting can be cheaper, and the smallest tolerable order."""

import re
from dataclasses import replace
from fractions import Fraction
from math import ceil

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from scenarios.errors import ScenarioError
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
from scenarios.piecewise import Piece, decide_subadditivity
from scenarios.types import Scenario
from tests.builders import a_scenario

PAPER = StepFee(tranche_cents=100_000, fee_cents_per_tranche=250)
UNION = TypeAdapter[FeeSchedule](FeeSchedule)


def rate(text: str) -> Fraction:
    """A decimal, exactly."""
    return Fraction(text)


def tiers(*steps: tuple[int, str]) -> tuple[Tier, ...]:
    """Tiers from (above, rate)."""
    return tuple(Tier(above, Fraction(text)) for above, text in steps)


BROKER = ProportionalFee(rate("0.002"), minimum_cents=500, maximum_cents=5000)
FALLING = tiers((0, "0.01"), (100_000, "0.005"))
RISING = tiers((0, "0.01"), (100_000, "0.02"))
SHARES = PerShareFee(rate("0.5"), minimum_cents=100, cap=rate("0.01"))
ODD = OddLotSurcharge(PAPER, lot_shares=100, surcharge_cents=300)


@pytest.mark.parametrize(
    ("fees", "amount", "shares", "expected"),
    [
        pytest.param(PAPER, 100_000, 0, 250, id="a whole tranche"),
        pytest.param(PAPER, 100_001, 0, 500, id="one cent into the second tranche"),
        pytest.param(PAPER, Fraction(200_001, 2), 0, 500, id="a fraction of a cent into it"),
        pytest.param(BROKER, 1, 0, 500, id="the minimum on the smallest order"),
        pytest.param(BROKER, 250_000, 0, 500, id="the last amount at the minimum"),
        pytest.param(BROKER, 250_001, 0, Fraction(250_001, 500), id="above it, a fraction of a cent is kept"),
        pytest.param(BROKER, 2_500_001, 0, 5000, id="above the maximum"),
        pytest.param(ProportionalFee(rate("0.002"), rounding="up"), 250_001, 0, 501, id="rounded up to the cent"),
        pytest.param(ProportionalFee(rate("0.002"), rounding="up"), 250_000, 0, 500, id="a whole cent stays"),
        pytest.param(MarginalTiers(FALLING), 100_000, 0, 1000, id="marginal: up to the edge"),
        pytest.param(MarginalTiers(FALLING), 100_200, 0, 1001, id="marginal: only the rest at the next rate"),
        pytest.param(
            MarginalTiers(FALLING), Fraction(200_001, 2), 0, Fraction(400_001, 400), id="marginal: half a cent of rest"
        ),
        pytest.param(SlabTiers(FALLING), 100_000, 0, 1000, id="slab: the edge belongs to the lower tier"),
        pytest.param(SlabTiers(FALLING), 100_200, 0, 501, id="slab: the whole amount at the next rate"),
        pytest.param(SHARES, 1_000_000, 200, 100, id="200 shares at half a cent are the minimum"),
        pytest.param(SHARES, 1_000_000, 202, 101, id="202 shares pay by the share"),
        pytest.param(SHARES, 9_900, 202, 99, id="the cap, below the minimum too"),
        pytest.param(ODD, 100_000, 200, 250, id="two lots"),
        pytest.param(ODD, 100_000, 201, 550, id="an odd lot"),
        pytest.param(ODD, 100_000, Fraction(401, 2), 550, id="a fractional share is an odd lot"),
        pytest.param(NoFee(), 100_000, 7, 0, id="no fee"),
    ],
)
def test_fee(fees: FeeSchedule, amount: int | Fraction, shares: int | Fraction, expected: int | Fraction) -> None:
    """The fee of one order, on both sides of each edge."""
    assert fees.fee(amount, shares) == expected


# Small numbers, so that an exhaustive search is the oracle.

ROUNDING = st.sampled_from(["none", "up"])
RATES = st.integers(0, 60).map(lambda n: Fraction(n, 40))
CENTS = st.integers(0, 12)


@st.composite
def tier_rows(draw: st.DrawFn) -> tuple[Tier, ...]:
    """Up to four tiers within 12 cents."""
    edges = sorted(draw(st.sets(st.integers(1, 12), max_size=3)))
    return tuple(Tier(edge, draw(RATES)) for edge in [0, *edges])


STEP = st.builds(StepFee, st.integers(1, 12), CENTS)
PROPORTIONAL = st.builds(
    lambda share, low, more, rounding: ProportionalFee(
        share, low, None if more is None else low + more, rounding=rounding
    ),
    RATES, CENTS, st.none() | CENTS, ROUNDING,
)
MARGINAL = st.builds(MarginalTiers, tier_rows(), rounding=ROUNDING)
SLAB = st.builds(SlabTiers, tier_rows(), rounding=ROUNDING)
PER_SHARE = st.builds(PerShareFee, RATES, CENTS, st.none() | RATES, rounding=ROUNDING)
ROUNDED = PROPORTIONAL | MARGINAL | SLAB | PER_SHARE
BASE = STEP | ROUNDED | st.just(NoFee())
ODD_LOT = st.builds(OddLotSurcharge, BASE, lot_shares=st.integers(1, 5), surcharge_cents=CENTS)
ANY = BASE | ODD_LOT
PRICE = st.integers(1, 6)
TOLERANCE = st.integers(1, 60).map(lambda n: Fraction(n, 40))


def at_price(fees: FeeSchedule, amount: int, price: int) -> int | Fraction:
    """The fee of an amount in one share class."""
    return fees.fee(amount, Fraction(amount, price))


@settings(deadline=None, max_examples=150)
@given(fees=ANY, price=PRICE)
@example(fees=MarginalTiers(tiers((0, "1.5"), (1, "0.1"), (9, "0.2"))), price=1)
@example(fees=MarginalTiers(tiers((0, "0.5"), (3, "0.75")), rounding="up"), price=1)
@example(fees=SlabTiers(tiers((0, "1"), (5, "0.5"), (6, "0.75"))), price=1)
def test_subadditivity_is_what_a_search_finds(fees: FeeSchedule, price: int) -> None:
    """A claim holds for every small pair; a refusal names a pair that breaks it."""
    claim = fees.subadditivity()
    paid = [at_price(fees, amount, price) for amount in range(121)]
    broken = [(a, b) for a in range(1, 61) for b in range(a, 61) if paid[a] + paid[b] < paid[a + b]]

    if claim.holds:
        assert claim.counterexample is None
        assert not broken
    elif claim.holds is None:
        assert claim.proof.rpartition("base: ")[2].startswith("undecided")
        assert not broken
    else:
        assert claim.counterexample is not None
        a, b = claim.counterexample
        lot = fees.lot_shares if isinstance(fees, OddLotSurcharge) else 1
        assert min(a, b) >= 1
        assert fees.fee(a, a * lot) + fees.fee(b, b * lot) < fees.fee(a + b, (a + b) * lot)


@pytest.mark.parametrize(
    ("fees", "holds", "words"),
    [
        pytest.param(PAPER, True, "ceil(x) + ceil(y)", id="step"),
        pytest.param(BROKER, True, "f(a) / a never rises", id="proportional"),
        pytest.param(NoFee(), True, "f(a) / a never rises", id="zero"),
        pytest.param(MarginalTiers(FALLING), True, "f(a) / a never rises", id="marginal, falling"),
        pytest.param(MarginalTiers(RISING), False, "cost 2000 apart and 3000 as one", id="marginal, rising"),
        pytest.param(MarginalTiers(RISING, rounding="up"), False, "cost 2000 apart", id="marginal, rising, rounded"),
        pytest.param(SlabTiers(FALLING, rounding="up"), True, "rounding up keeps it", id="slab, falling, rounded"),
        pytest.param(SlabTiers(RISING), False, "apart", id="slab, rising"),
        pytest.param(
            SlabTiers(tiers((0, "2"), (10, "0.45"), (12, "0.5"), (14, "0.3"))), True, "never below 0,",
            id="slab, a rise that never pays",
        ),
        pytest.param(
            MarginalTiers(tiers((0, "5.5"), (1, "1"), (10, "2"), (15, "0.1"))), False, "orders of 10 and 5 cents",
            id="marginal, a fault only where the sum is an edge",
        ),
        pytest.param(
            MarginalTiers(tiers((0, "0"), (1000, "0.001")), rounding="up"), False, "apart", id="a cent after rounding"
        ),
        pytest.param(
            MarginalTiers(tiers((0, "0.001"), (1, "0.0011"), (2, "0.001")), rounding="up"), None, "undecided",
            id="a fault far below a cent",
        ),
        pytest.param(
            SlabTiers(tiers((0, "0.15"), (2, "0.4"), (15, "0.225")), rounding="up"), True, "up to 55 cents",
            id="rounding mends a fault",
        ),
        pytest.param(OddLotSurcharge(BROKER, 100, 300), True, "two whole lots", id="odd lot"),
        pytest.param(OddLotSurcharge(SlabTiers(RISING), 100, 300), False, "whole lots pay no", id="odd lot, bad base"),
    ],
)
def test_subadditivity(fees: FeeSchedule, holds: bool | None, words: str) -> None:
    """Each claim names its argument."""
    claim = fees.subadditivity()

    assert claim.holds is holds
    assert words in claim.proof


def test_an_average_that_falls_at_an_edge_and_then_rises_is_refuted() -> None:
    """f(a) / a must not rise within a piece either; no schedule here has such a row."""
    row = (Piece(1, 4, 0, 1), Piece(5, None, -3, 1))

    assert decide_subadditivity(row).counterexample == (5, 5)


@given(fees=PER_SHARE, orders=st.lists(st.tuples(st.integers(1, 500), st.integers(1, 50)), min_size=2, max_size=3))
@example(fees=PerShareFee(rate("0"), 3, rate("0.5")), orders=[(1, 1), (400, 1)])
@example(fees=PerShareFee(rate("0.5"), 3, rate("0")), orders=[(1, 1), (400, 1)])
def test_a_fee_by_the_share_is_subadditive_in_its_scope(fees: PerShareFee, orders: list[tuple[int, int]]) -> None:
    """Across prices it holds where the claim says so; elsewhere the proof's two orders break it."""
    claim = fees.subadditivity()

    if claim.scope == "any orders":
        amounts, shares = zip(*orders, strict=True)
        assert sum(fees.fee(*order) for order in orders) >= fees.fee(sum(amounts), sum(shares))
    else:
        assert claim.scope == "orders at one price"
        found = re.search(r"(\d+) cents for 1 share and 1 cent for (\d+) shares", claim.proof)
        assert found
        amount, many = int(found[1]), int(found[2])
        assert fees.fee(amount, 1) + fees.fee(1, many) < fees.fee(amount + 1, many + 1)


@settings(deadline=None, max_examples=250)
@given(fees=ANY.filter(lambda fees: fees.kind not in ("step", "zero")), price=PRICE, tolerance=TOLERANCE)
@example(fees=ProportionalFee(Fraction(3, 40), rounding="up"), price=1, tolerance=Fraction(3, 40))
@example(fees=MarginalTiers(tiers((0, "0"), (2, "0.4")), rounding="up"), price=1, tolerance=Fraction(1, 10))
@example(fees=OddLotSurcharge(StepFee(7, 3), 5, 2), price=3, tolerance=Fraction(3, 7))
@example(
    fees=OddLotSurcharge(SlabTiers(tiers((0, "0.01"), (15, "0.5")), rounding="up"), 2, 5), price=5,
    tolerance=Fraction(3, 50),
)
def test_floor_is_the_least_tolerable_order(fees: FeeSchedule, price: int, tolerance: Fraction) -> None:
    """The floor is tolerable and nothing below it is; without a floor nothing is."""
    floor = fees.floor(tolerance, price).floor
    below = 600 if floor is None else min(int(floor) - 1, 600)

    assert floor is None or at_price(fees, int(floor), price) <= tolerance * floor
    assert not [a for a in range(1, below + 1) if at_price(fees, a, price) <= tolerance * a]


@given(tranche=st.integers(1, 10**6), fee=st.integers(0, 5000), tolerance=TOLERANCE, amount=st.integers(1, 10**6))
def test_floor_of_a_step_fee_is_one_fee_over_the_tolerance(
    tranche: int, fee: int, tolerance: Fraction, amount: int
) -> None:
    """An order is below the floor exactly when a * tau < c."""
    floor = StepFee(tranche, fee).floor(tolerance).floor

    assert floor is not None
    assert (amount < floor) == (amount * tolerance < fee)


@pytest.mark.parametrize(
    ("fees", "tolerance", "floor", "equation"),
    [
        pytest.param(PAPER, "0.01", 25_000, "a * 0.01 >= 250", id="the paper's floor, 250 dollars"),
        pytest.param(PAPER, "0.03", Fraction(25_000, 3), "a * 0.03 >= 250", id="a floor that is not whole"),
        pytest.param(StepFee(100, 250), "0.01", 25_000, "a * 0.01 >= 250", id="above a tranche it stays c / tau"),
        pytest.param(NoFee(), "0.01", 0, "0 <= 0.01 * a for every a", id="no order is below"),
        pytest.param(
            BROKER, "0.01", 50_000, "least a with min(max(0.002 * a, 500), 5000) <= 0.01 * a", id="the minimum decides"
        ),
        pytest.param(
            ProportionalFee(rate("0.002")), "0.002", 1, "least a with 0.002 * a <= 0.002 * a", id="a tie is tolerable"
        ),
        pytest.param(
            ProportionalFee(rate("0.002"), rounding="up"), "0.002", 500, "least a with ceil(0.002 * a) <= 0.002 * a",
            id="rounded, a tie needs a whole cent",
        ),
        pytest.param(
            BROKER, "0.001", 5_000_000, "least a with min(max(0.002 * a, 500), 5000) <= 0.001 * a",
            id="the maximum decides",
        ),
        pytest.param(
            ProportionalFee(rate("0.002")), "0.001", None, "least a with 0.002 * a <= 0.001 * a",
            id="every order is below",
        ),
        pytest.param(
            MarginalTiers(FALLING), "0.006", 500_000,
            "least a with 0.01 * a - 0.005 * max(a - 100000, 0) <= 0.006 * a", id="marginal",
        ),
        pytest.param(
            SlabTiers(FALLING), "0.006", 100_001, "least a with (0.01, 0.005 above 100000) * a <= 0.006 * a", id="slab"
        ),
        pytest.param(
            SHARES, "0.005", 20_000, "least a with min(max(0.5 * a / 1000, 100), 0.01 * a) <= 0.005 * a", id="per share"
        ),
        pytest.param(
            ODD, "0.01", 55_000,
            "least a with ceil(a / 100000) * 250 + 300 <= 0.01 * a, "
            "or with ceil(a / 100000) * 250 <= 0.01 * a in whole lots of 100000", id="an odd lot of 550 dollars",
        ),
        pytest.param(
            OddLotSurcharge(PAPER, 20, 300), "0.01", 40_000,
            "least a with ceil(a / 100000) * 250 + 300 <= 0.01 * a, "
            "or with ceil(a / 100000) * 250 <= 0.01 * a in whole lots of 20000", id="two lots of 20 shares",
        ),
        pytest.param(
            OddLotSurcharge(ProportionalFee(rate("0.01")), 20, 300), "0.01", 20_000,
            "least a with 0.01 * a + 300 <= 0.01 * a, or with 0.01 * a <= 0.01 * a in whole lots of 20000",
            id="odd lots never, whole lots tie",
        ),
        pytest.param(
            MarginalTiers(tiers((0, "1.1"), (1, "0.1875"), (9, "0.4")), rounding="up"), "0.3", 10,
            "least a with ceil(1.1 * a - 0.9125 * max(a - 1, 0) + 0.2125 * max(a - 9, 0)) <= 0.3 * a",
            id="rounded, the last amount before the average is too high",
        ),
        pytest.param(
            MarginalTiers(tiers((0, "1.1"), (1, "0.178"), (8, "0.35")), rounding="up"), "0.3", None,
            "least a with ceil(1.1 * a - 0.922 * max(a - 1, 0) + 0.172 * max(a - 8, 0)) <= 0.3 * a",
            id="tolerable but for the rounding",
        ),
    ],
)
def test_floor(fees: FeeSchedule, tolerance: str, floor: int | Fraction | None, equation: str) -> None:
    """The floor at a price of 10.00 a share, and the equation shown as its evidence."""
    assert fees.floor(rate(tolerance), 1000) == (floor, equation)


@given(fees=ANY, price=PRICE, amount=st.integers(0, 300), more=st.integers(0, 300))
def test_fees_are_not_negative_and_do_not_fall(fees: FeeSchedule, price: int, amount: int, more: int) -> None:
    """No order, no fee; a larger order never pays less, except in slabs and for odd lots."""
    paid = at_price(fees, amount, price)

    assert fees.fee(0) == 0
    assert paid >= 0
    if isinstance(fees, OddLotSurcharge | SlabTiers):
        return
    assert at_price(fees, amount + more, price) >= paid


@given(
    tranche=st.integers(1, 10**6), fee=st.integers(0, 5000), amount=st.integers(1, 10**9), scale=st.integers(1, 10**4),
    tolerance=TOLERANCE,
)
def test_a_step_fee_scales(tranche: int, fee: int, amount: int, scale: int, tolerance: Fraction) -> None:
    """In a currency with scale times as many minor units, fee and floor are scale times as many."""
    small, large = StepFee(tranche, fee), StepFee(tranche * scale, fee * scale)
    floor, scaled = small.floor(tolerance).floor, large.floor(tolerance).floor

    assert large.fee(amount * scale) == small.fee(amount) * scale
    assert floor is not None
    assert scaled == floor * scale


@given(
    fees=ROUNDED, price=PRICE,
    amount=st.fractions(min_value=Fraction(1, 6), max_value=300, max_denominator=6),
)
def test_rounding_up_adds_less_than_a_cent(
    fees: ProportionalFee | MarginalTiers | SlabTiers | PerShareFee, price: int, amount: Fraction
) -> None:
    """The rounded fee is the next whole cent, once per order; without rounding the fee stays exact."""
    exact = replace(fees, rounding="none").fee(amount, amount / price)
    rounded = replace(fees, rounding="up").fee(amount, amount / price)

    assert rounded == ceil(exact)
    assert fees.fee(amount, amount / price) in (exact, rounded)


@given(fees=ANY, price=PRICE, amount=st.integers(1, 60))
def test_pieces_and_formula_say_the_fee(fees: FeeSchedule, price: int, amount: int) -> None:
    """What subadditivity and floor are decided from, and what is shown, is the fee that is charged."""
    if isinstance(fees, OddLotSurcharge):
        fees = fees.base
    piece = next(piece for piece in fees.pieces(price) if piece.last is None or amount <= piece.last)
    exact = piece.at(amount)

    assert all(row.last is None or row.first <= row.last for row in fees.pieces(price))
    assert piece.first <= amount
    assert (-(-exact // fees.unit) * fees.unit if fees.unit else exact) == at_price(fees, amount, price)
    if not isinstance(fees, SlabTiers):
        shown = re.sub(r"\d+(\.\d+)?", r'Fraction("\g<0>")', fees.formula(price))
        value = eval(shown, {"Fraction": Fraction, "max": max, "min": min, "ceil": ceil, "a": amount})  # noqa: S307 - our own text
        assert value == at_price(fees, amount, price)


@given(fees=ANY)
def test_json_round_trip(fees: FeeSchedule) -> None:
    """A schedule is written and read back through its tag, inside a scenario too."""
    assert UNION.validate_json(UNION.dump_json(fees)) == fees
    scenario = a_scenario(fees=fees)
    assert Scenario.model_validate_json(scenario.model_dump_json()) == scenario


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param('{"kind":"zero","x":1}', "Unexpected keyword", id="an unknown member"),
        pytest.param('{"kind":"slab_tiers","tiers":[{"above_cents":0,"rate":"0.1","x":1}]}', "Unexpected keyword",
                     id="an unknown member of a tier"),
        pytest.param('{"kind":"flat"}', "does not match any of the expected tags", id="an unknown tag"),
        pytest.param('{"tranche_cents":1,"fee_cents_per_tranche":1}', "Unable to extract tag", id="no tag"),
        pytest.param('{"kind":"step","tranche_cents":"5","fee_cents_per_tranche":1}', "valid integer",
                     id="text for cents"),
        pytest.param('{"kind":"step","tranche_cents":0,"fee_cents_per_tranche":1}', "greater than 0", id="tranche 0"),
        pytest.param('{"kind":"proportional","rate":0.1}', "decimal string", id="a rate as a JSON number"),
        pytest.param('{"kind":"proportional","rate":"-0.1"}', "greater than or equal to 0", id="a negative rate"),
        pytest.param('{"kind":"proportional","rate":"0.1","rounding":"down"}', "'none' or 'up'", id="another rounding"),
        pytest.param('{"kind":"proportional","rate":"0.1","minimum_cents":2,"maximum_cents":1}', "exceeds",
                     id="minimum above maximum"),
        pytest.param('{"kind":"marginal_tiers","tiers":[]}', "at least 1", id="no tier"),
        pytest.param('{"kind":"marginal_tiers","tiers":[{"above_cents":1,"rate":"0.1"}]}', "expected 0 first",
                     id="no tier at 0"),
        pytest.param(
            '{"kind":"slab_tiers","tiers":[{"above_cents":0,"rate":"0.1"},{"above_cents":0,"rate":"0.2"}]}',
            "each above the one before", id="two tiers at one edge",
        ),
        pytest.param('{"kind":"odd_lot","base":{"kind":"zero"},"lot_shares":0,"surcharge_cents":1}', "greater than 0",
                     id="lot 0"),
        pytest.param(
            '{"kind":"odd_lot","base":{"kind":"odd_lot","base":{"kind":"zero"},"lot_shares":2,"surcharge_cents":1},'
            '"lot_shares":2,"surcharge_cents":1}', "does not match any of the expected tags",
            id="an odd lot of an odd lot",
        ),
    ],
)
def test_refused_when_loaded(text: str, words: str) -> None:
    """Nonsense and unknown members do not load."""
    with pytest.raises(ValidationError, match=re.escape(words)):
        UNION.validate_json(text)


def test_refused_when_built() -> None:
    """Code may not build what a file may not hold."""
    with pytest.raises(ValueError, match="greater than 0"):
        StepFee(0, 250)
    with pytest.raises(ValueError, match="exceeds"):
        ProportionalFee(rate("0.1"), 2, 1)
    with pytest.raises(ValueError, match="expected 0 first"):
        SlabTiers(tiers((5, "0.1")))


def test_missing_inputs_are_errors() -> None:
    """A fee by the share needs shares, its floor the price, any floor a tolerance."""
    for fees in (SHARES, ODD):
        assert fees.uses_shares
        with pytest.raises(ScenarioError, match="100 cents has none"):
            fees.fee(100)
        with pytest.raises(ScenarioError, match="the price is None"):
            fees.floor(rate("0.01"))
    for free_of_shares in (PAPER, BROKER, NoFee()):
        assert not free_of_shares.uses_shares
        with pytest.raises(ScenarioError, match="fee_tolerance"):
            free_of_shares.floor(Fraction(0))


def test_a_floor_that_takes_too_many_steps_is_refused() -> None:
    """Rates of many digits may push the first tolerable order out of reach; that is said, not guessed."""
    awkward = rate("0.12345678901234567890123")
    with pytest.raises(ScenarioError, match="not found within 10000 steps"):
        ProportionalFee(awkward, rounding="up").floor(awkward)


def test_the_schema_is_published_with_the_scenario() -> None:
    """Every schedule stands in the scenario's JSON Schema, closed against unknown members."""
    definitions = Scenario.model_json_schema()["$defs"]
    for name in ("StepFee", "ProportionalFee", "MarginalTiers", "SlabTiers", "PerShareFee", "OddLotSurcharge", "NoFee"):
        assert definitions[name]["additionalProperties"] is False
    assert definitions["StepFee"]["properties"]["tranche_cents"]["exclusiveMinimum"] == 0
