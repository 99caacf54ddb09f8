"""Who invests: 27 investors by risk profile, literacy and asset tier, or a population from a file.

Source: seed paper 000, appendices F and G; the bounds and constraints that it leaves open are data in
`manifests/populations/`.
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, model_validator

from replay.environments.fund_advice.draws import BITS, PURPOSE, draws
from scenarios.errors import ScenarioError
from scenarios.fields import PositiveCents, Rate
from scenarios.files import build, read_file
from scenarios.json_exact import read_json
from scenarios.load import SHIPPED
from scenarios.types import Name, Record

Profile = Literal["conservative", "balanced", "aggressive"]
Literacy = Literal["low", "medium", "high"]
AssetTier = Literal["small", "mid", "large"]

DEFAULT = SHIPPED / "populations" / "shijian-27.json"


class ProfileTraits(Record):
    """What a risk profile stands for.

    count: real investors of the profile, whose share weighs it in population means. max_level: the highest product
    risk level that suits. Shares of NAV: cash_reserve, drawdown_tolerance, order_share (a purchase without advice).
    """

    count: Annotated[int, Field(ge=1)]
    max_level: Annotated[int, Field(ge=1, le=5)]
    cash_reserve: Annotated[Rate, Field(le=1)]
    drawdown_tolerance: Annotated[Rate, Field(gt=0, le=1)]
    horizon_years: Annotated[int, Field(ge=1)]
    order_share: Annotated[Rate, Field(gt=0, le=1)]


class TierTraits(Record):
    """What an asset tier stands for: NAV at the start in cents, low included and high not, funds held, order step."""

    nav_low_cents: PositiveCents
    nav_high_cents: PositiveCents
    max_funds: Annotated[int, Field(ge=1, le=8)]
    step_cents: PositiveCents

    @model_validator(mode="after")
    def _low_below_high(self) -> "TierTraits":
        if self.nav_low_cents >= self.nav_high_cents:
            raise ValueError("nav_low_cents is not below nav_high_cents")
        return self


class Member(Record):
    """One investor of a population; nav_cents fixes the NAV at the start, which is else drawn within the tier."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,59}$")]
    profile: Profile
    literacy: Literacy
    tier: AssetTier
    nav_cents: PositiveCents | None = None


class Population(Record):
    """A population: traits by profile and tier, and its members."""

    format: Literal["population/1"] = "population/1"
    id: Name
    profiles: dict[Profile, ProfileTraits]
    tiers: dict[AssetTier, TierTraits]
    members: Annotated[tuple[Member, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _members_are_possible(self) -> "Population":
        ids = [member.id for member in self.members]
        if len(set(ids)) < len(ids):
            raise ValueError(f"members: {next(name for name in ids if ids.count(name) > 1)!r} stands twice")
        for member in self.members:
            if member.profile not in self.profiles or member.tier not in self.tiers:
                raise ValueError(f"members: {member.id} has a profile or tier that is not described")
            tier = self.tiers[member.tier]
            if member.nav_cents is not None and not tier.nav_low_cents <= member.nav_cents < tier.nav_high_cents:
                raise ValueError(f"members: {member.id} starts outside the bounds of tier {member.tier}")
        return self

    def weights(self) -> Mapping[Profile, Fraction]:
        """Return the share of each profile in the reference cohort. Source: seed paper 000, eq 24 and table 8."""
        total = sum(traits.count for traits in self.profiles.values())
        return {name: Fraction(traits.count, total) for name, traits in self.profiles.items()}


class Investor(Record):
    """One investor at the start of a run: all cash, no holdings. Source: seed paper 000, eq 28."""

    id: Name
    profile: Profile
    literacy: Literacy
    tier: AssetTier
    nav0_cents: PositiveCents
    traits: ProfileTraits
    means: TierTraits


def shijian_27() -> Population:
    """Return the paper's population: three profiles by three literacies by three tiers, in that order."""
    profiles: dict[Profile, ProfileTraits] = {
        "conservative": _profile(363, 2, "0.4", "0.05", 1, "0.05"),
        "balanced": _profile(3816, 3, "0.2", "0.1", 3, "0.1"),
        "aggressive": _profile(3020, 5, "0.05", "0.2", 5, "0.15"),
    }
    tiers: dict[AssetTier, TierTraits] = {
        "small": _tier(10_000, 50_000, 3, 100), "mid": _tier(50_000, 200_000, 5, 500),
        "large": _tier(200_000, 1_000_000, 8, 1_000),
    }
    literacies: tuple[Literacy, ...] = ("low", "medium", "high")
    return Population(
        id="shijian-27", profiles=profiles, tiers=tiers,
        members=tuple(
            Member(id=f"{profile}-{literacy}-{tier}", profile=profile, literacy=literacy, tier=tier)
            for profile, literacy, tier in product(profiles, literacies, tiers)
        ),
    )


def _profile(count: int, level: int, reserve: str, drawdown: str, years: int, share: str) -> ProfileTraits:
    return ProfileTraits(count=count, max_level=level, cash_reserve=Fraction(reserve),
                         drawdown_tolerance=Fraction(drawdown), horizon_years=years, order_share=Fraction(share))


def _tier(low: int, high: int, funds: int, step: int) -> TierTraits:
    """Return a tier from amounts in yuan."""
    return TierTraits(nav_low_cents=low * 100, nav_high_cents=high * 100, max_funds=funds, step_cents=step * 100)


def load_population(path: Path | None = None) -> Population:
    """Return a population from its file, the shipped one by default.

    Raises:
        ScenarioError, ReplayError: the file is unreadable or does not fit the form; the message names the place.
    """
    where = DEFAULT if path is None else path
    return build(Population, read_json(read_file(where), str(where)), str(where))


def investors(population: Population, seed: int, run: int, ids: tuple[str, ...] | None = None) -> tuple[Investor, ...]:
    """Return the investors of one run; a NAV that is not fixed is uniform in whole cents within its tier.

    Args:
        population: its members are taken in order.
        seed: of the rollout.
        run: counted from 1.
        ids: only these members; None for all.

    Raises:
        ScenarioError: an id is not in the population.
    """
    known = {member.id: member for member in population.members}
    for name in ids or ():
        if name not in known:
            raise ScenarioError(f"population {population.id}", f"has no investor {name!r}", "name one of its members")
    found = []
    for member in population.members:
        if ids is not None and member.id not in ids:
            continue
        tier = population.tiers[member.tier]
        nav = member.nav_cents
        if nav is None:
            drawn = int(draws(seed, run, member.id, 0)[0, PURPOSE["nav0"]])
            nav = tier.nav_low_cents + (tier.nav_high_cents - tier.nav_low_cents) * drawn // 2**BITS
        found.append(Investor(id=member.id, profile=member.profile, literacy=member.literacy, tier=member.tier,
                              nav0_cents=nav, traits=population.profiles[member.profile], means=tier))
    return tuple(found)
