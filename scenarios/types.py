"""What is written and loaded: scenarios, answers and contracts, as frozen models.

Every model refuses unknown members. Files hold integers and strings only; a rate or a quantity is a
decimal string in its one spelling (`scenarios.exact`). What the advisor's text becomes, the action, is
in `scenarios.action`: it lies on the verdict's hot path and is a plain record.
"""

from collections.abc import Callable
from datetime import date
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from scenarios.fees import FeeSchedule, NoFee
from scenarios.fields import Cents as Cents
from scenarios.fields import Decimal as Decimal
from scenarios.fields import PositiveCents as PositiveCents
from scenarios.fields import Rate as Rate
from scenarios.looks import by_look
from scenarios.piecewise import Floor


def _day_of_the_calendar(text: str) -> str:
    date.fromisoformat(text)
    return text


Held = TypeVar("Held", str, str | None)
Name = Annotated[str, Field(min_length=1, max_length=120)]
Date = Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"), AfterValidator(_day_of_the_calendar)]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Record(BaseModel):
    """A frozen model that refuses unknown members and never converts a value."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, arbitrary_types_allowed=True)

    def record(self) -> dict[str, Any]:
        """Return the members as they are written: strings, integers, lists; members left out stay out."""
        return self.model_dump(mode="json", exclude_none=True)

    @classmethod
    def of_valid(cls, **members: Any) -> Self:
        """Return a record of members that the caller's own code made valid: nothing is checked, nothing filled in.

        Args:
            members: every member of the record, those with a default too.
        """
        one = cls.__new__(cls)
        for name, value in (("__dict__", members), ("__pydantic_fields_set__", set(members)),
                            ("__pydantic_extra__", None), ("__pydantic_private__", None)):
            object.__setattr__(one, name, value)
        return one


class SubScores(Record):
    """The baseline's sub-scores of one instrument, each in [0, 100]. Source: seed paper 003, section 3."""

    moat: Annotated[Decimal, Field(ge=0, le=100)]
    compounding: Annotated[Decimal, Field(ge=0, le=100)]
    valuation: Annotated[Decimal, Field(ge=0, le=100)]


class ProductSheet(Record):
    """What the issuer states of a product. A member that is left out is not stated, and no claim on it is known.

    Fees are shares of the amount; lock-up and notice are calendar days; max_drawdown is the largest loss from a
    running peak that the sheet states, as a share of it.
    """

    names: tuple[Name, ...] = ()
    start_date: Date | None = None
    subscription_fee: Rate | None = None
    redemption_fee: Rate | None = None
    management_fee: Rate | None = None
    lockup_days: Annotated[int, Field(ge=0)] | None = None
    notice_days: Annotated[int, Field(ge=0)] | None = None
    max_drawdown: Rate | None = None
    guarantee: Literal["none", "principal", "principal and return"] | None = None
    stated_return: Decimal | None = None


class Instrument(Record):
    """One instrument as it was frozen. What a limit needs and is missing makes that clause an ERROR."""

    id: Name
    aliases: tuple[Name, ...] = ()
    issuer: Name | None = None
    theme: Name | None = None
    sector: Name | None = None
    price_cents: PositiveCents | None = None
    lot_shares: Annotated[int, Field(gt=0)] = 1
    spread: Rate | None = None
    volume_cents: Cents | None = None
    board: Name | None = None
    risk_level: Annotated[int, Field(ge=1, le=5)] | None = None
    scores: SubScores | None = None
    product: ProductSheet | None = None


class Position(Record):
    """A holding: quantity and available quantity in shares or units, market value in cents."""

    instrument: Name
    quantity: Rate
    available: Rate
    value_cents: Cents

    @model_validator(mode="after")
    def _available_within_quantity(self) -> "Position":
        if self.available > self.quantity:
            raise ValueError("available exceeds quantity")
        return self


class Account(Record):
    """Cash in cents and positions, at most one for each instrument."""

    cash_cents: Cents
    positions: tuple[Position, ...] = ()


class Limits(Record):
    """What the scenario declares. A limit that is left out makes its clause NOT_APPLICABLE.

    fee_tolerance is tau, the largest share of an order that its fee may take. position_multiple times
    1 / equal_weight_names is the position cap. restricted lists blocked instruments.
    """

    recommendation_cap: Annotated[int, Field(ge=0)] | None = None
    equal_weight_names: Annotated[int, Field(ge=1)] | None = None
    position_multiple: Rate | None = None
    theme_cap: Rate | None = None
    sector_caps: dict[str, Rate] | None = None
    liquidity_fraction: Rate | None = None
    spread_tolerance_cents: Cents | None = None
    fee_tolerance: Annotated[Decimal, Field(gt=0)] | None = None
    restricted: tuple[Name, ...] | None = None
    add_only: bool = False
    trims_forbidden: bool = False
    whole_shares: bool = False
    odd_lot_remainder: bool = False
    sales_fund_buys: bool = False
    amounts_required: bool = True
    deployment_required: bool = False


class Fact(Record):
    """A citable, dated fact. value is a decimal string where the fact is a number."""

    id: Name
    statement: str
    value: str | None = None
    unit: Name | None = None
    as_of: Date | None = None


class Policy(Record):
    """The baseline that is the yardstick: how it ranks and into how many orders it may split.

    ranking "fit": names on concentration watch last, then score, then id; "score": score, then id.
    """

    id: Name
    version: Name
    ranking: Literal["fit", "score"] = "fit"
    widest_split: Annotated[int, Field(ge=1, le=3)] = 3


class Constraints(Record):
    """What the client stated: horizon in calendar days, cash reserve and drawdown tolerance as shares of NAV."""

    horizon_days: Annotated[int, Field(ge=0)] | None = None
    cash_reserve: Rate | None = None
    cash_need_cents: Cents | None = None
    drawdown_tolerance: Rate | None = None


class Client(Record):
    """Who is advised. Source: seed paper 000, appendices F and G."""

    risk_profile: Literal["conservative", "balanced", "aggressive"] | None = None
    literacy: Name | None = None
    asset_tier: Name | None = None
    constraints: Constraints | None = None


class Turn(Record):
    """One turn of a dialogue. reply: the advisor under audit is asked to answer it; only a client's turn is."""

    speaker: Literal["client", "advisor"]
    text: str
    reply: bool = False

    @model_validator(mode="after")
    def _only_the_client_is_answered(self) -> "Turn":
        if self.reply and self.speaker == "advisor":
            raise ValueError("an advisor's turn asks for no reply; set reply on the client's turn")
        return self


class Holding(Record):
    """What the day's statement says of one holding: cents, and returns as ratios (0.01 is one percent)."""

    instrument: Name
    value_cents: Cents
    pnl_1d: Decimal | None = None
    pnl_total: Decimal | None = None


class DailyContext(Record):
    """The end-of-day state that both sides of a consultation can see.

    Ratios, not percents: pos_ratio is invested over NAV, pnl_daily the day's profit over NAV, drawdown the loss
    from the running peak of NAV, index_return the benchmark's return of the day. Source: seed paper 000,
    appendix L.1; units as in each member's name.
    """

    env: Literal["up", "range", "down"] | None = None
    product_class: Literal["conservative", "balanced", "aggressive", "none"] | None = None
    nav_cents: Cents | None = None
    cash_cents: Cents | None = None
    pos_ratio: Rate | None = None
    pnl_daily: Decimal | None = None
    pnl_daily_cents: Annotated[int, Field(gt=-(10**15), lt=10**15)] | None = None
    drawdown: Rate | None = None
    index_return: Decimal | None = None
    holdings: tuple[Holding, ...] = ()


class LongTermContext(Record):
    """Flow-adjusted returns over 20 and 63 sessions and the maximum drawdown over 63, as ratios."""

    cum_return_20td: Decimal | None = None
    cum_return_3m: Decimal | None = None
    mdd_3m: Rate | None = None


class Consultation(Record):
    """What is known on the day of an episode. facts_closed: what is not frozen here must not be asserted.

    Source: seed paper 000, appendices L and M.
    """

    daily: DailyContext = DailyContext()
    long_term: LongTermContext = LongTermContext()
    facts_closed: bool = False


class Scenario(Record):
    """A frozen question. What the baseline would fund is recomputed from it, never stored in it."""

    format: Literal["scenario/1"] = "scenario/1"
    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]{0,99}$")]
    category: Name
    as_of: Date
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")]
    account: Account
    instruments: tuple[Instrument, ...]
    universe: tuple[Name, ...]
    limits: Limits = Limits()
    fees: FeeSchedule = NoFee()
    facts: tuple[Fact, ...] = ()
    policy: Policy | None = None
    ticker_match: Literal["exact", "trim", "ignore-case"] = "exact"
    client: Client | None = None
    context: dict[str, dict[str, str | int]] | None = None
    dialogue: tuple[Turn, ...] = ()
    consultation: Consultation | None = None

    @model_validator(mode="after")
    def _names_are_consistent(self) -> "Scenario":
        ids = [instrument.id for instrument in self.instruments]
        aliases = [alias for instrument in self.instruments for alias in instrument.aliases]
        held = [position.instrument for position in self.account.positions]
        facts = [fact.id for fact in self.facts]
        for label, names in (
            ("instruments", ids + aliases), ("account/positions", held), ("facts", facts), ("universe", self.universe)
        ):
            twice = sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else []
            if twice:
                raise ValueError(f"{label}: {twice[0]!r} stands twice; every id and alias names one thing")
        known = set(ids)
        stated = [] if self.consultation is None else [one.instrument for one in self.consultation.daily.holdings]
        for label, names in (("account/positions", held), ("universe", self.universe),
                             ("limits/restricted", self.limits.restricted or ()),
                             ("consultation/daily/holdings", stated)):
            unknown = [name for name in names if name not in known]
            if unknown:
                raise ValueError(f"{label}: {unknown[0]!r} is not among the instruments; add it there")
        return self

    # Derived once and read by the clauses; none of it is written.

    @cached_property
    def instrument_of(self) -> dict[str, Instrument]:
        """Every instrument by id."""
        return {instrument.id: instrument for instrument in self.instruments}

    @cached_property
    def alias_of(self) -> dict[str, str]:
        """The id that each declared alias stands for."""
        return {alias: instrument.id for instrument in self.instruments for alias in instrument.aliases}

    @cached_property
    def allowed(self) -> frozenset[str]:
        """The allowed set."""
        return frozenset(self.universe)

    @cached_property
    def position_of(self) -> dict[str, Position]:
        """Every position by instrument."""
        return {position.instrument: position for position in self.account.positions}

    @cached_property
    def held(self) -> dict[str, int]:
        """Market value in cents of every position, by instrument."""
        return {position.instrument: position.value_cents for position in self.account.positions}

    @cached_property
    def owned(self) -> frozenset[str]:
        """The instruments held with more than 0 shares."""
        return frozenset(position.instrument for position in self.account.positions if position.quantity > 0)

    @cached_property
    def held_total(self) -> int:
        """Market value of all positions in cents, without cash."""
        return sum(self.held.values())

    @cached_property
    def theme_of(self) -> dict[str, str | None]:
        """The frozen ticker-to-theme map."""
        return {instrument.id: instrument.theme for instrument in self.instruments}

    @cached_property
    def sector_of(self) -> dict[str, str | None]:
        """The frozen ticker-to-sector map."""
        return {instrument.id: instrument.sector for instrument in self.instruments}

    @cached_property
    def theme_value(self) -> dict[str | None, int]:
        """Market value in cents held in each theme."""
        return _sum_by(self.held, self.theme_of)

    @cached_property
    def sector_value(self) -> dict[str | None, int]:
        """Market value in cents held in each sector."""
        return _sum_by(self.held, self.sector_of)

    @cached_property
    def largest_positions(self) -> tuple[tuple[str, int], ...]:
        """Every position with its market value in cents, the largest first."""
        return _largest_first(self.held)

    @cached_property
    def largest_themes(self) -> tuple[tuple[str | None, int], ...]:
        """Every held theme with its market value in cents, the largest first."""
        return _largest_first(self.theme_value)

    @cached_property
    def common_floor(self) -> Floor | None:
        """The smallest order worth its fee, None where none is declared or it depends on the instrument's price."""
        tolerance = self.limits.fee_tolerance
        return None if tolerance is None or self.fees.uses_shares else self.fees.floor(tolerance)

    @cached_property
    def reply_turns(self) -> tuple[int, ...]:
        """The turns, counted from 1, that the advisor is asked to answer; an episode has at least one."""
        return tuple(number for number, turn in enumerate(self.dialogue, 1) if turn.reply)

    @cached_property
    def look_alikes(self) -> dict[str, list[tuple[int, str]]]:
        """The instruments by the look of their names (`scenarios.looks`), each with its rank, the universe first."""
        return by_look((*self.universe, *self.instrument_of))

    @cached_property
    def fact_of(self) -> dict[str, Fact]:
        """Every fact by id."""
        return {fact.id: fact for fact in self.facts}

    @cached_property
    def fee(self) -> Callable[..., int | Fraction]:
        """What one order costs in exact cents, as a function of its amount in cents and, by keyword, its shares."""
        return self.fees.fee


def _largest_first(values: dict[Held, int]) -> tuple[tuple[Held, int], ...]:
    return tuple(sorted(values.items(), key=lambda item: -item[1]))


def _sum_by(values: dict[str, int], group_of: dict[str, str | None]) -> dict[str | None, int]:
    totals: dict[str | None, int] = {}
    for name, value in values.items():
        group = group_of[name]
        totals[group] = totals.get(group, 0) + value
    return totals


class Usage(Record):
    """Token counts as the provider returned them."""

    prompt_tokens: Annotated[int, Field(ge=0)]
    completion_tokens: Annotated[int, Field(ge=0)]
    total_tokens: Annotated[int, Field(ge=0)]


class Answer(Record):
    """What the advisor sent, untouched. run counts from 1 within a scenario.

    turn: in an episode, the turn of the scenario's dialogue, counted from 1, that this text answers.
    """

    scenario: Name
    run: Annotated[int, Field(ge=1)]
    text: str
    turn: Annotated[int, Field(ge=1)] | None = None
    provider: str | None = None
    model: str | None = None
    arm: str | None = None
    prompt: str | None = None
    prompt_sha256: Sha256 | None = None
    usage: Usage | None = None
    finish_reason: str | None = None
    truncated: bool = False
    latency_ms: Annotated[int, Field(ge=0)] | None = None
    timestamp: str | None = None
    seed: int | None = None


class Clause(Record):
    """One clause of a contract: which predicate, with which parameters, on whose authority."""

    code: Annotated[str, Field(pattern=r"^[A-Z]{2,8}[0-9]{2}$")]
    version: Annotated[int, Field(ge=1)] = 1
    parameters: dict[str, str | int | bool] = Field(default_factory=dict)
    severity: Literal["violation", "note"] = "violation"
    authority: str
    owner: str
    effective_from: Date | None = None
    effective_to: Date | None = None
    review_by: Date | None = None

    @model_validator(mode="after")
    def _from_before_to(self) -> "Clause":
        if self.effective_from and self.effective_to and self.effective_from > self.effective_to:
            raise ValueError("effective_from lies after effective_to, so the clause would never be enforced")
        return self
