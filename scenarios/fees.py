"""Fee schedules: one tagged union, one exact function each.

The fee of one order is a function of its amount in cents and its shares. Both add up over orders, so one
order of the same total pays fee(sum of amounts, sum of shares). A fee is exact, an integer or a Fraction
of a cent, unless the schedule declares that each order is rounded up to the whole cent. No order, no fee.

Each schedule says whether it is subadditive (splitting an order never saves fees) and what its floor is
(the smallest order whose fee is a tolerable share of it). Manual: docs/fees.md.
"""

from abc import ABC, abstractmethod
from dataclasses import KW_ONLY
from fractions import Fraction
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, ConfigDict, Field
from pydantic.dataclasses import dataclass

from scenarios.errors import ScenarioError
from scenarios.fields import Cents, PositiveCents, Rate
from scenarios.piecewise import (
    Exact,
    Floor,
    Piece,
    Subadditivity,
    decide_subadditivity,
    exact_text,
    least_amount,
    pieces_above,
    round_up,
)

_CONFIG = ConfigDict(extra="forbid", strict=True)
Rounding = Literal["none", "up"]


class _Schedule(ABC):
    """What a schedule answers from its pieces, unless it has a shorter answer of its own."""

    uses_shares: ClassVar[bool] = False
    rounding: Rounding = "none"

    @property
    def unit(self) -> int:
        """The fee is rounded up to a multiple of this many cents; 0 where it stays exact."""
        return 1 if self.rounding == "up" else 0

    @abstractmethod
    def pieces(self, price_cents: int | None = None) -> tuple[Piece, ...]:
        """Return the unrounded fee on whole cents as straight pieces; the price is in cents a share."""

    @abstractmethod
    def _exact_formula(self, price_cents: int | None) -> str:
        """Return the unrounded fee of an order of a cents as text, with the numbers of this schedule."""

    def formula(self, price_cents: int | None = None) -> str:
        """Return the fee of an order of a cents as text, with the numbers of this schedule."""
        formula = self._exact_formula(price_cents)
        return f"ceil({formula})" if self.rounding == "up" else formula

    def subadditivity(self) -> Subadditivity:
        """Return whether splitting an order never saves fees, proved or refuted for these parameters."""
        return decide_subadditivity(self.pieces(), self.unit)

    def floor(self, tolerance: Fraction, price_cents: int | None = None) -> Floor:
        """Return the least order in whole cents whose fee is at most tolerance times the order.

        Args:
            tolerance: largest share of an order that its fee may take, > 0.
            price_cents: price of a share in cents; needed where the fee depends on shares.

        Raises:
            ScenarioError: tolerance is not positive, the price is needed and missing, or the rates have so
                many digits that the floor is not found within the stated steps.
        """
        _check_tolerance(tolerance)
        least = least_amount(self.pieces(price_cents), tolerance, unit=self.unit)
        return Floor(least, f"least a with {self.formula(price_cents)} <= {exact_text(tolerance)} * a")


@dataclass(frozen=True, config=_CONFIG)
class StepFee(_Schedule):
    """A fee per tranche started: f(a) = ceil(a / T) * c. Source: seed paper 003, section 4.

    Its floor is c / tau, which need not be whole; an order of a cents is below it when a * tau < c.
    """

    tranche_cents: PositiveCents
    fee_cents_per_tranche: Cents
    _: KW_ONLY
    kind: Literal["step"] = "step"

    def fee(self, amount: Exact, shares: Exact = 0) -> Exact:
        """Return the fee in cents of one order of `amount` cents."""
        return -(-amount // self.tranche_cents) * self.fee_cents_per_tranche

    @property
    def unit(self) -> int:
        """The fee is a * c / T rounded up to a multiple of c."""
        return self.fee_cents_per_tranche

    def pieces(self, price_cents: int | None = None) -> tuple[Piece, ...]:
        """Return the fee before the tranche is filled up: c / T cents for each cent."""
        return pieces_above((0, 0, Fraction(self.fee_cents_per_tranche, self.tranche_cents)))

    def subadditivity(self) -> Subadditivity:
        """Return that splitting never saves fees."""
        return Subadditivity(True, "two orders start at least the tranches of one: ceil(x + y) <= ceil(x) + ceil(y)")

    def _exact_formula(self, price_cents: int | None) -> str:
        return f"ceil(a / {self.tranche_cents}) * {self.fee_cents_per_tranche}"

    def floor(self, tolerance: Fraction, price_cents: int | None = None) -> Floor:
        """Return c / tau in cents, exactly.

        Raises:
            ScenarioError: tolerance is not positive.
        """
        _check_tolerance(tolerance)
        floor = Fraction(self.fee_cents_per_tranche) / tolerance
        return Floor(
            floor.numerator if floor.denominator == 1 else floor,
            f"a * {exact_text(tolerance)} >= {self.fee_cents_per_tranche}",
        )


@dataclass(frozen=True, config=_CONFIG)
class ProportionalFee(_Schedule):
    """A share of the amount within bounds: f(a) = min(max(rate * a, minimum), maximum)."""

    rate: Rate
    minimum_cents: Cents = 0
    maximum_cents: Cents | None = None
    _: KW_ONLY
    rounding: Rounding = "none"
    kind: Literal["proportional"] = "proportional"

    def __post_init__(self) -> None:
        """Refuse a minimum above the maximum."""
        if self.maximum_cents is not None and self.minimum_cents > self.maximum_cents:
            raise ValueError(f"minimum_cents {self.minimum_cents} exceeds maximum_cents {self.maximum_cents}")

    def fee(self, amount: Exact, shares: Exact = 0) -> Exact:
        """Return the fee in cents of one order of `amount` cents."""
        if not amount:
            return 0
        return round_up(_within(self.rate * amount, self.minimum_cents, self.maximum_cents), self.unit)

    def pieces(self, price_cents: int | None = None) -> tuple[Piece, ...]:
        """Return the minimum, then the share, then the maximum."""
        starts = _share_or_minimum(self.rate, self.minimum_cents)
        if self.maximum_cents is not None and self.rate:
            starts.append((self.maximum_cents // self.rate, self.maximum_cents, 0))
        return pieces_above(*starts)

    def _exact_formula(self, price_cents: int | None) -> str:
        due = _maximum_text(f"{exact_text(self.rate)} * a", self.minimum_cents)
        return due if self.maximum_cents is None else f"min({due}, {self.maximum_cents})"


@dataclass(frozen=True, config=_CONFIG)
class Tier:
    """A rate for amounts above an edge in cents, up to and including the next tier's edge."""

    above_cents: Cents
    rate: Rate


def _in_order(tiers: tuple[Tier, ...]) -> tuple[Tier, ...]:
    edges = [tier.above_cents for tier in tiers]
    if edges[0] != 0 or edges != sorted(set(edges)):
        raise ValueError(f"the edges above_cents are {edges}, expected 0 first and each above the one before")
    return tiers


Tiers = Annotated[tuple[Tier, ...], Field(min_length=1, max_length=32), AfterValidator(_in_order)]


@dataclass(frozen=True, config=_CONFIG)
class MarginalTiers(_Schedule):
    """Each part of the amount at its tier's rate: f(a) = sum of rate * (part of a inside the tier)."""

    tiers: Tiers
    _: KW_ONLY
    rounding: Rounding = "none"
    kind: Literal["marginal_tiers"] = "marginal_tiers"

    def fee(self, amount: Exact, shares: Exact = 0) -> Exact:
        """Return the fee in cents of one order of `amount` cents."""
        due: Exact = 0
        for tier in reversed(self.tiers):
            if amount > tier.above_cents:
                due += tier.rate * (amount - tier.above_cents)
                amount = tier.above_cents
        return round_up(due, self.unit)

    def pieces(self, price_cents: int | None = None) -> tuple[Piece, ...]:
        """Return one piece a tier; each starts where the one before ends."""
        starts: list[tuple[int, Exact, Exact]] = []
        constant = rate = Fraction(0)
        for edge, change in self._changes():
            constant -= change * edge
            rate += change
            starts.append((edge, constant, rate))
        return pieces_above(*starts)

    def _exact_formula(self, price_cents: int | None) -> str:
        parts = (
            f"{exact_text(change)} * {f'max(a - {edge}, 0)' if edge else 'a'}" for edge, change in self._changes()
        )
        return " + ".join(parts).replace("+ -", "- ")

    def _changes(self) -> list[tuple[int, Fraction]]:
        """Return each edge in cents and by how much the rate changes there."""
        rates_before = [Fraction(0), *(tier.rate for tier in self.tiers[:-1])]
        return [
            (tier.above_cents, tier.rate - before) for tier, before in zip(self.tiers, rates_before, strict=True)
        ]


@dataclass(frozen=True, config=_CONFIG)
class SlabTiers(_Schedule):
    """One rate for the whole amount, that of the tier it falls into: f(a) = rate(a) * a."""

    tiers: Tiers
    _: KW_ONLY
    rounding: Rounding = "none"
    kind: Literal["slab_tiers"] = "slab_tiers"

    def fee(self, amount: Exact, shares: Exact = 0) -> Exact:
        """Return the fee in cents of one order of `amount` cents."""
        rate = next((tier.rate for tier in reversed(self.tiers) if amount > tier.above_cents), 0)
        return round_up(rate * amount, self.unit)

    def pieces(self, price_cents: int | None = None) -> tuple[Piece, ...]:
        """Return one piece a tier; the fee may jump between them."""
        return pieces_above(*((tier.above_cents, 0, tier.rate) for tier in self.tiers))

    def _exact_formula(self, price_cents: int | None) -> str:
        rates = ", ".join(
            f"{exact_text(tier.rate)} above {tier.above_cents}" if tier.above_cents else exact_text(tier.rate)
            for tier in self.tiers
        )
        return f"({rates}) * a"


@dataclass(frozen=True, config=_CONFIG)
class PerShareFee(_Schedule):
    """A fee per share within bounds: f(a, n) = min(max(rate * n, minimum), cap * a), n shares for a cents."""

    uses_shares: ClassVar[bool] = True
    cents_per_share: Rate
    minimum_cents: Cents = 0
    cap: Rate | None = None
    _: KW_ONLY
    rounding: Rounding = "none"
    kind: Literal["per_share"] = "per_share"

    def fee(self, amount: Exact, shares: Exact = 0) -> Exact:
        """Return the fee in cents of one order of `amount` cents and `shares` shares.

        Raises:
            ScenarioError: the order has an amount and no shares.
        """
        if not amount:
            return 0
        _check_shares(amount, shares)
        maximum = None if self.cap is None else self.cap * amount
        return round_up(_within(self.cents_per_share * shares, self.minimum_cents, maximum), self.unit)

    def pieces(self, price_cents: int | None = None) -> tuple[Piece, ...]:
        """Return the fee of a cents of one share class, a / price shares: cap, minimum, then rate."""
        slope = self.cents_per_share / _check_price(price_cents)
        starts = _share_or_minimum(slope, self.minimum_cents)
        if self.cap is None:
            return pieces_above(*starts)
        if self.cap <= slope:
            return pieces_above((0, 0, self.cap))
        starts[0] = (self.minimum_cents // self.cap, self.minimum_cents, 0)
        return pieces_above((0, 0, self.cap), *starts)

    def _exact_formula(self, price_cents: int | None) -> str:
        due = _maximum_text(
            f"{exact_text(self.cents_per_share)} * a / {_check_price(price_cents)}", self.minimum_cents
        )
        return due if self.cap is None else f"min({due}, {exact_text(self.cap)} * a)"

    def subadditivity(self) -> Subadditivity:
        """Return that splitting never saves fees, and for which orders that is proved.

        At one price p, f(a) / a = min(max(rate / p, minimum / a), cap) never rises. Without a cap, f / n
        never rises in the shares n, at any prices; without a rate, only the amount counts. With both, two
        orders at different prices can pay less apart, and the proof names two that do.
        """
        kept = "; rounding up keeps it" if self.unit else ""
        if self.cap is None:
            return Subadditivity(True, "f(n) / n never rises in the shares n, whatever the prices" + kept)
        if not self.cents_per_share or not self.cap:
            return Subadditivity(True, "f(a) / a never rises" + kept)
        (amount, shares), (other, many) = self._cheaper_apart()
        apart, as_one = self.fee(amount, shares) + self.fee(other, many), self.fee(amount + other, shares + many)
        return Subadditivity(
            True,
            f"f(a) / a never rises at one price{kept}; not so across prices: {amount} cents for 1 share and "
            f"1 cent for {many} shares cost {exact_text(apart)} apart and {exact_text(as_one)} as one",
            scope="orders at one price",
        )

    def _cheaper_apart(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return two orders (cents, shares) whose total is capped far above what they pay apart.

        The dear share pays at most max(rate, minimum), the cheap ones at most cap * 1, rounding adds less
        than a cent to each; together they reach the cap on the dear amount, which is above all of that.
        """
        cap = self.cap or Fraction(0)
        amount = (max(self.cents_per_share, Fraction(self.minimum_cents)) + 2) // cap + 1
        return (amount, 1), (1, -(-cap * (amount + 1) // self.cents_per_share))


@dataclass(frozen=True, config=_CONFIG)
class NoFee(_Schedule):
    """Orders cost nothing."""

    _: KW_ONLY
    kind: Literal["zero"] = "zero"

    def fee(self, amount: Exact, shares: Exact = 0) -> Exact:
        """Return 0 cents."""
        return 0

    def pieces(self, price_cents: int | None = None) -> tuple[Piece, ...]:
        """Return the one piece that is 0."""
        return pieces_above((0, 0, 0))

    def _exact_formula(self, price_cents: int | None) -> str:
        return "0"

    def floor(self, tolerance: Fraction, price_cents: int | None = None) -> Floor:
        """Return 0: no order is below it.

        Raises:
            ScenarioError: tolerance is not positive.
        """
        _check_tolerance(tolerance)
        return Floor(0, f"0 <= {exact_text(tolerance)} * a for every a")


@dataclass(frozen=True, config=_CONFIG)
class OddLotSurcharge:
    """A surcharge where shares are not whole lots: f(a, n) = base(a, n) + (surcharge if lot does not divide n)."""

    uses_shares: ClassVar[bool] = True
    base: Annotated[
        StepFee | ProportionalFee | MarginalTiers | SlabTiers | PerShareFee | NoFee, Field(discriminator="kind")
    ]
    lot_shares: Annotated[int, Field(gt=0)]
    surcharge_cents: Cents
    _: KW_ONLY
    kind: Literal["odd_lot"] = "odd_lot"

    def fee(self, amount: Exact, shares: Exact = 0) -> Exact:
        """Return the fee in cents of one order of `amount` cents and `shares` shares.

        Raises:
            ScenarioError: the order has an amount and no shares.
        """
        _check_shares(amount, shares)
        return self.base.fee(amount, shares) + (self.surcharge_cents if shares % self.lot_shares else 0)

    def subadditivity(self) -> Subadditivity:
        """Return the claim of the base, which the surcharge does not change.

        If a + b is no whole lot, a and b are not both whole lots, so the surcharge alone is subadditive,
        and so is its sum with a subadditive base. Whole lots pay no surcharge, so what refutes the base for some
        amounts refutes the sum for whole lots of these amounts.
        """
        base = self.base.subadditivity()
        added = "two whole lots make a whole lot" if base.holds else "whole lots pay no surcharge"
        return base._replace(proof=f"{added}; base: {base.proof}")

    def floor(self, tolerance: Fraction, price_cents: int | None = None) -> Floor:
        """Return the least order that is tolerable with the surcharge, or as a number of whole lots without it.

        Raises:
            ScenarioError: as for any schedule; the price is always needed.
        """
        _check_tolerance(tolerance)
        lot_cents = _check_price(price_cents) * self.lot_shares
        pieces, unit = self.base.pieces(price_cents), self.base.unit
        odd = least_amount(pieces, tolerance, unit=unit, surcharge=self.surcharge_cents)
        whole = least_amount(pieces, tolerance, unit=unit, stride=lot_cents)
        due, share = self.base.formula(price_cents), exact_text(tolerance)
        return Floor(
            min((least for least in (odd, whole) if least is not None), default=None),
            f"least a with {due} + {self.surcharge_cents} <= {share} * a, "
            f"or with {due} <= {share} * a in whole lots of {lot_cents}",
        )


FeeSchedule = Annotated[
    StepFee | ProportionalFee | MarginalTiers | SlabTiers | PerShareFee | OddLotSurcharge | NoFee,
    Field(discriminator="kind"),
]


def _within(due: Exact, minimum: Exact, maximum: Exact | None) -> Exact:
    """Return min(max(due, minimum), maximum); where they contradict, the maximum counts."""
    due = due if due > minimum else minimum
    return due if maximum is None or due < maximum else maximum


def _share_or_minimum(slope: Fraction, minimum: int) -> list[tuple[int, Exact, Exact]]:
    """Return the starts of max(slope * a, minimum)."""
    flat: tuple[int, Exact, Exact] = (0, minimum, 0)
    return [flat, (minimum // slope, 0, slope)] if slope else [flat]


def _maximum_text(share: str, minimum: int) -> str:
    return f"max({share}, {minimum})" if minimum else share


def _check_tolerance(tolerance: Fraction) -> None:
    if tolerance <= 0:
        raise ScenarioError("/limits/fee_tolerance", f"found {tolerance}", "expected a share above 0, such as 0.01")


def _check_price(price_cents: int | None) -> int:
    if price_cents is None or price_cents <= 0:
        raise ScenarioError(
            "/fees", f"the fee depends on shares and the price is {price_cents}", "give the instrument a price_cents"
        )
    return price_cents


def _check_shares(amount: Exact, shares: Exact) -> None:
    if amount and not shares:
        raise ScenarioError(
            "/fees", f"the fee depends on shares and an order of {amount} cents has none",
            "give the instrument a price_cents",
        )
