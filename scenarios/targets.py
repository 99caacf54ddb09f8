"""What a real cohort did, as aggregates: the figures that a simulation is compared with and calibrated to.

One row for each risk profile and market regime, so that no investor can be told from it. The aggregates are the
user's own; ours are synthetic and say so. Source: seed paper 000, appendices B.3 and J; manual: docs/realism.md.
"""

from fractions import Fraction
from typing import Annotated

from pydantic import Field, model_validator

from scenarios.fields import Decimal
from scenarios.types import Name, Record

BINS = 10
"""Bins of the RiskIndex, half a risk level wide, from 0 to 5; the last one is closed."""

Elasticity = Annotated[Decimal, Field(ge=-1, le=1)]


class SliceTarget(Record):
    """One profile in one regime.

    users: how many there are. risk_index: user-months by bin of the RiskIndex, at the last session of each month.
    buy_elasticity, sell_elasticity: the share of user-days with a purchase on days of up shocks less that on all
    others, and with a sale on days of down shocks; absent where they are not known.
    """

    profile: Name
    regime: Name
    users: Annotated[int, Field(ge=1)]
    risk_index: Annotated[tuple[Annotated[int, Field(ge=0)], ...], Field(min_length=BINS, max_length=BINS)]
    buy_elasticity: Elasticity | None = None
    sell_elasticity: Elasticity | None = None


class TargetRows(Record):
    """The rows of a cohort, and how far a figure may be off.

    source: whose they are; "synthetic" where nobody's. taus: the relative error from which RiskIndex, buy and sell
    elasticity score 0. weights: of the three in a slice's score, in the same order.
    """

    source: Name
    taus: tuple[Decimal, Decimal, Decimal] = (Fraction(1), Fraction(1), Fraction(1))
    weights: tuple[Decimal, Decimal, Decimal] = (Fraction(4, 10), Fraction(3, 10), Fraction(3, 10))
    slices: Annotated[tuple[SliceTarget, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _is_usable(self) -> "TargetRows":
        if min(self.taus) <= 0:
            raise ValueError("taus: each is above 0")
        if min(self.weights) < 0 or sum(self.weights) != 1:
            raise ValueError("weights: each is at least 0, and they add up to 1")
        keys = [(one.profile, one.regime) for one in self.slices]
        if len(set(keys)) < len(keys):
            raise ValueError("slices: list each profile and regime once")
        return self
