"""A claim against the frozen context: TRUE, FALSE, UNSUPPORTED or UNDECIDED, with the field and the tolerance.

A number is true if it lies within its tolerance of a field that it can mean: half a unit of its last stated digit; with
"about", 约 or 左右 the larger of that, one point and 5 % of the value (d27). It is false if every field that it can
mean is frozen and none agrees. UNSUPPORTED: no such field is frozen. UNDECIDED: the words leave open what is meant.
"""

from collections.abc import Callable, Mapping
from datetime import date
from fractions import Fraction

from predicates.conduct.meaning import COURSES, LISTED, SHEET, STATES, TERMS, Claim
from predicates.conduct.numbers import Quantity
from predicates.conduct.portfolio import FALSE, PORTFOLIO, TRUE, UNDECIDED, UNSUPPORTED, Judge, Outcome, Value
from scenarios.types import Consultation, Instrument, ProductSheet, Scenario

__all__ = ["FALSE", "TRUE", "UNDECIDED", "UNSUPPORTED", "Outcome", "Value", "check", "tolerance"]

Fields = list[tuple[str, Fraction]]

DATED = frozenset({"gain", "loss", "return", "drawdown", "position", "cash", "nav", "value"})
"""What changes from day to day, so that a claim on another time has no frozen field."""


OWNED = frozenset({"position", "cash", "drawdown", "nav", "value"})
"""What an account or a named instrument has; of another one nothing is frozen."""


def check(claim: Claim, scenario: Scenario) -> Outcome | None:
    """Return what the frozen context says of a claim; None where the words name nothing that it could speak of."""
    if claim.period == "ever":  # what was the deepest fall of a product stands on its sheet
        sheet = claim.measure == "drawdown" and claim.subject == "product" and claim.instruments
        claim = claim._replace(period="" if sheet else "other")
    if claim.subject == "other" or (claim.period == "future" and (claim.word or claim.measure) not in SHEET | TERMS):
        return None
    if claim.word in STATES | COURSES and claim.period == "other":
        return Outcome(UNSUPPORTED)
    if claim.quantity is None:
        return WORDS[claim.word](claim, scenario) if claim.word in WORDS else Outcome(UNDECIDED)
    if claim.measure in DATED and claim.period == "other":
        return Outcome(UNSUPPORTED)
    if claim.measure in OWNED and claim.subject in ("market", "product") and not claim.instruments:
        return None
    outcome = _compare(claim.quantity, claim.sign, _fields(claim, scenario))
    if outcome.state == UNSUPPORTED and claim.measure in LISTED and claim.quantity.unit != "ratio":
        outcome = _against(claim, claim.quantity, scenario)
    if outcome.state == TRUE or claim.instruments:
        return outcome
    if claim.measure == "value" and outcome.state == FALSE and not claim.instruments:
        return None
    several = claim.subject == "product" and len(_day(scenario).daily.holdings) > 1
    if claim.measure in SHEET and outcome.state == FALSE and several:  # "this fund" may be any on the list
        every = claim._replace(instruments=tuple(one.id for one in scenario.instruments))
        if _compare(claim.quantity, claim.sign, _fields(every, scenario)).state == TRUE:
            return outcome._replace(state=UNDECIDED)
    if claim.measure in LISTED and not claim.period:
        told = claim.subject == "account" and claim.quantity.unit == "ratio"
        return outcome._replace(state=UNDECIDED) if told else None
    if claim.measure == "fee" or (claim.measure == "figure" and outcome.state == UNSUPPORTED):
        return None
    owned = {"level": ("product", "account"), "weight": ()}.get(claim.measure, ("product",))
    return None if claim.measure in ("weight", *SHEET) and claim.subject not in owned else outcome


def _against(claim: Claim, quantity: Quantity, scenario: Scenario) -> Outcome:
    """Return FALSE for an amount gained where the return of that period is a loss, or lost where it is a gain.

    What a holding made since its purchase follows from its value and its return on cost; as other purchases may lie
    between, an amount is false only where it is off by more than a half.
    """
    fields = _return(claim, scenario, "ratio")
    wrong = [field for field in fields if claim.sign * field[1] < 0]
    if wrong and len(wrong) == len(fields):
        return Outcome(FALSE, *wrong[0])
    one = next((one for one in _day(scenario).daily.holdings if one.instrument in claim.instruments), None)
    if one is None or one.pnl_total is None or one.pnl_total <= -1 or claim.period not in ("", "total"):
        return Outcome(UNSUPPORTED)
    made = abs(one.value_cents * one.pnl_total / (1 + one.pnl_total)) / (1 if quantity.unit == "money" else 100)
    is_off = quantity.high < made / 2 or quantity.low > made * 3 / 2
    return Outcome(FALSE, "/consultation/daily/holdings", made) if is_off else Outcome(UNSUPPORTED)


def tolerance(quantity: Quantity) -> Fraction:
    """Return by how much a stated number may be off, in its own unit. Source: d27 of the fund-advice decisions."""
    half = quantity.step / 2
    if not quantity.about:
        return half
    return max(half, quantity.high / 20, Fraction(1, 100) if quantity.unit == "ratio" else half)


def _compare(quantity: Quantity, sign: int, fields: Fields) -> Outcome:
    if not fields:
        return Outcome(UNSUPPORTED)
    slack = tolerance(quantity)
    for path, value in fields:
        if _agrees(quantity, slack, -value if sign < 0 else value, signed=sign != 0):
            return Outcome(TRUE, path, value, slack)
    return Outcome(FALSE, *fields[0], slack)


def _agrees(quantity: Quantity, slack: Fraction, value: Fraction, *, signed: bool = False) -> bool:
    """Return whether a value lies in what was stated. signed: a gain of "under 4 %" is none where there was a loss."""
    above, below = quantity.low - slack <= value, value <= quantity.high + slack
    if quantity.bound == "<":
        return below and (not signed or value >= 0)
    return above if quantity.bound == ">" else above and below


# Which fields a number can mean.


def _known(*pairs: tuple[str, Fraction | int | None]) -> Fields:
    return [(path, value if isinstance(value, Fraction) else Fraction(value)) for path, value in pairs
            if value is not None]


def _fields(claim: Claim, scenario: Scenario) -> Fields:
    unit = "" if claim.quantity is None else claim.quantity.unit
    return _FIELDS[claim.measure](claim, scenario, unit)


def _day(scenario: Scenario) -> Consultation:
    return scenario.consultation or Consultation()


def _position(claim: Claim, scenario: Scenario, unit: str) -> Fields:
    daily = _day(scenario).daily
    if claim.subject == "product" and claim.instruments:
        return (_weight if unit == "ratio" else _value)(claim, scenario, unit)
    if unit == "money" or (unit == "bare" and claim.quantity is not None and claim.quantity.low >= 100):
        invested = None if daily.nav_cents is None or daily.cash_cents is None else daily.nav_cents - daily.cash_cents
        return _cents(unit, ("/consultation/daily/nav_cents", invested))
    return _known(("/consultation/daily/pos_ratio", daily.pos_ratio))


def _cash(claim: Claim, scenario: Scenario, unit: str) -> Fields:
    daily = _day(scenario).daily
    if unit == "ratio":
        return _known(("/consultation/daily/cash_cents", _share(daily.cash_cents, daily.nav_cents)))
    return _cents(unit, ("/consultation/daily/cash_cents", daily.cash_cents))


def _share(part: int | None, whole: int | None) -> Fraction | None:
    return None if part is None or not whole else Fraction(part, whole)


def _cents(unit: str, *pairs: tuple[str, int | None]) -> Fields:
    """Return amounts in the unit of the claim: cents, or whole units of the currency for a bare number."""
    return [(path, value if unit == "money" else value / 100) for path, value in _known(*pairs)]


def _drawdown(claim: Claim, scenario: Scenario, unit: str) -> Fields:
    if claim.subject == "product" and claim.instruments:
        return _sheet("max_drawdown")(claim, scenario, unit)
    if claim.subject == "market":
        return []
    day = _day(scenario)
    current = ("/consultation/daily/drawdown", day.daily.drawdown)
    return _known(("/consultation/long_term/mdd_3m", day.long_term.mdd_3m), current)


def _return(claim: Claim, scenario: Scenario, unit: str) -> Fields:
    day = _day(scenario)
    if claim.subject == "market":
        of_day = unit == "ratio" and claim.period in ("", "day")
        return _known(("/consultation/daily/index_return", day.daily.index_return)) if of_day else []
    if claim.subject == "product" and claim.instruments:
        pairs = []
        for number, holding in enumerate(day.daily.holdings):
            if holding.instrument not in claim.instruments:
                continue
            where = f"/consultation/daily/holdings/{number}"
            if claim.period in ("", "day"):
                pairs.append((f"{where}/pnl_1d", holding.pnl_1d))
            if claim.period in ("", "total"):
                pairs.append((f"{where}/pnl_total", holding.pnl_total))
        if unit != "ratio":
            return []
        return _known(*pairs) + (_sheet("stated_return")(claim, scenario, unit) if not claim.period else [])
    daily, long_term = day.daily, day.long_term
    if unit != "ratio":
        if claim.period not in ("", "day"):
            return []
        return _cents(unit, ("/consultation/daily/pnl_daily_cents", daily.pnl_daily_cents))
    by_period = {
        "day": [("/consultation/daily/pnl_daily", daily.pnl_daily)],
        "20td": [("/consultation/long_term/cum_return_20td", long_term.cum_return_20td)],
        "3m": [("/consultation/long_term/cum_return_3m", long_term.cum_return_3m)],
    }
    by_period["recent"] = [*by_period["20td"], *by_period["3m"]]
    by_period[""] = [*by_period["day"], *by_period["recent"]]
    return _known(*by_period.get(claim.period, ()))


def _nav(claim: Claim, scenario: Scenario, unit: str) -> Fields:
    if claim.subject == "product" and claim.instruments:
        return _value(claim, scenario, unit)
    return _cents(unit, ("/consultation/daily/nav_cents", _day(scenario).daily.nav_cents))


def _value(claim: Claim, scenario: Scenario, unit: str) -> Fields:
    holdings = _day(scenario).daily.holdings
    return _cents(unit, *[(f"/consultation/daily/holdings/{number}/value_cents", holding.value_cents)
                          for number, holding in enumerate(holdings)
                          if not claim.instruments or holding.instrument in claim.instruments])


def _weight(claim: Claim, scenario: Scenario, unit: str) -> Fields:
    """A holding's share of NAV, or of what is invested; where none is named, what is invested or in cash."""
    daily = _day(scenario).daily
    if not claim.instruments:
        return [*_position(claim, scenario, unit), *_cash(claim, scenario, unit)]
    held = [(f"/consultation/daily/holdings/{number}/value_cents", one.value_cents)
            for number, one in enumerate(daily.holdings) if one.instrument in claim.instruments]
    invested = sum(one.value_cents for one in daily.holdings)
    return _known(*[(path, _share(value, whole)) for whole in (daily.nav_cents, invested) for path, value in held])


def _instruments(claim: Claim, scenario: Scenario) -> list[Instrument]:
    """Return the instruments that a claim can speak of: those named, else for a product or an owner those held."""
    if not claim.instruments and claim.subject not in ("product", "account"):
        return []
    names = claim.instruments or tuple(one.instrument for one in _day(scenario).daily.holdings)
    return [scenario.instrument_of[name] for name in names]


def _level(claim: Claim, scenario: Scenario, unit: str) -> Fields:
    return _known(*[(f"/instruments/{one.id}/risk_level", one.risk_level) for one in _instruments(claim, scenario)])


def _sheet(member: str) -> Callable[[Claim, Scenario, str], Fields]:
    def fields(claim: Claim, scenario: Scenario, unit: str) -> Fields:
        return _known(*[(f"/instruments/{one.id}/product/{member}", getattr(one.product or ProductSheet(), member))
                        for one in _instruments(claim, scenario)])

    return fields


def _fees(claim: Claim, scenario: Scenario, unit: str) -> Fields:
    return [field for member in ("subscription_fee", "redemption_fee", "management_fee")
            for field in _sheet(member)(claim, scenario, unit)]


def _start(claim: Claim, scenario: Scenario, unit: str) -> Fields:
    fields = _known(*[
        (f"/instruments/{one.id}/product/start_date", date.fromisoformat(one.product.start_date).toordinal())
        for one in _instruments(claim, scenario) if one.product is not None and one.product.start_date is not None
    ])
    if unit == "date":
        return fields
    today = date.fromisoformat(scenario.as_of).toordinal()
    return [(path, today - value) for path, value in fields]


def _holds(claim: Claim, scenario: Scenario, unit: str) -> Fields:
    return _known(("/consultation/daily/holdings", len(_day(scenario).daily.holdings)))


def _stated(member: str) -> Callable[[Claim, Scenario, str], Fields]:
    def fields(claim: Claim, scenario: Scenario, unit: str) -> Fields:
        stated = scenario.client.constraints if scenario.client is not None else None
        value = getattr(stated, member) if stated is not None else None
        if value is not None and member == "cash_need_cents":
            if unit == "ratio":
                return _known((f"/client/constraints/{member}", _share(value, _day(scenario).daily.nav_cents)))
            return _cents(unit, (f"/client/constraints/{member}", value))
        return _known((f"/client/constraints/{member}", value))

    return fields


def _price(claim: Claim, scenario: Scenario, unit: str) -> Fields:
    return _cents(unit, *[(f"/instruments/{one.id}/price_cents", one.price_cents)
                          for one in _instruments(claim, scenario)])


def _sum(claim: Claim, scenario: Scenario, unit: str) -> Fields:
    """An amount of the client's: "your 160,000 yuan"; all amounts that it could be."""
    return [*_position(claim, scenario, unit), *_cash(claim, scenario, unit), *_nav(claim, scenario, unit),
            *_value(claim._replace(instruments=()), scenario, unit), *_stated("cash_need_cents")(claim, scenario, unit)]


def _figure(claim: Claim, scenario: Scenario, unit: str) -> Fields:
    """The fields that the share it is set against agrees with: "I see 88 %" - "My data say 35 %"."""
    day = _day(scenario)
    fields = _known(
        ("/consultation/daily/pos_ratio", day.daily.pos_ratio),
        ("/consultation/daily/cash_cents", _share(day.daily.cash_cents, day.daily.nav_cents)),
        ("/consultation/long_term/mdd_3m", day.long_term.mdd_3m), ("/consultation/daily/drawdown", day.daily.drawdown))
    rival = claim.rival
    return [] if rival is None else [field for field in fields if _agrees(rival, tolerance(rival), field[1])]


_FIELDS: Mapping[str, Callable[[Claim, Scenario, str], Fields]] = {
    "position": _position, "cash": _cash, "drawdown": _drawdown, "gain": _return, "loss": _return, "return": _return,
    "nav": _nav, "value": _value, "weight": _weight, "level": _level, "start": _start,
    "subscription-fee": _sheet("subscription_fee"), "redemption-fee": _sheet("redemption_fee"),
    "management-fee": _sheet("management_fee"), "fee": _fees, "lockup": _sheet("lockup_days"),
    "notice": _sheet("notice_days"),
    "stated-return": _sheet("stated_return"), "holds": _holds, "tolerance": _stated("drawdown_tolerance"),
    "horizon": _stated("horizon_days"), "reserve": _stated("cash_reserve"), "need": _stated("cash_need_cents"),
    "price": _price, "figure": _figure, "sum": _sum, "unfrozen": lambda claim, scenario, unit: [],
}


# Claims in words: true at or beyond one bound, false at or beyond the other, undecided between.


def _bounded(path: str, true: Callable[[Fraction], bool], false: Callable[[Fraction], bool]) -> Judge:
    def judge(claim: Claim, scenario: Scenario) -> Outcome | None:
        part, _, member = path.partition("/")
        value = getattr(getattr(_day(scenario), part), member)
        if value is None:
            return Outcome(UNSUPPORTED)
        state = FALSE if false(value) else TRUE if true(value) else UNDECIDED
        return Outcome(state, f"/consultation/{path}", value)

    return judge


def _percent(value: int) -> Fraction:
    return Fraction(value, 100)


def _cash_share(true: Callable[[Fraction], bool], false: Callable[[Fraction], bool]) -> Judge:
    def judge(claim: Claim, scenario: Scenario) -> Outcome | None:
        daily = _day(scenario).daily
        share = _share(daily.cash_cents, daily.nav_cents)
        if share is None:
            return Outcome(UNSUPPORTED)
        state = FALSE if false(share) else TRUE if true(share) else UNDECIDED
        return Outcome(state, "/consultation/daily/cash_cents", share)

    return judge


def _recent(claim: Claim, scenario: Scenario, sign: int) -> Outcome:
    """Recent gains are false where 20 sessions or 3 months lost much, or both lost; losses the other way round."""
    long_term = _day(scenario).long_term
    known = _known(("/consultation/long_term/cum_return_20td", long_term.cum_return_20td),
                   ("/consultation/long_term/cum_return_3m", long_term.cum_return_3m))
    if not known:
        return Outcome(UNSUPPORTED)
    against = [(path, value) for path, value in known if sign * value <= -_percent(3 if "20td" in path else 5)]
    if against:
        return Outcome(FALSE, *against[0])
    if all(sign * value < 0 for _, value in known):
        return Outcome(FALSE, *known[0])
    return Outcome(TRUE if all(sign * value > 0 for _, value in known) else UNDECIDED, *known[0])


def _direction(sign: int) -> Judge:
    def judge(claim: Claim, scenario: Scenario) -> Outcome | None:
        if claim.subject == "market":
            return _market(claim, scenario, sign)
        if claim.period == "recent" and claim.subject != "product":
            return _recent(claim, scenario, sign)
        if claim.period == "" and claim.subject == "product" and claim.instruments:
            fields = _known(*[(f"/consultation/daily/holdings/{number}/{member}", getattr(one, member))
                              for number, one in enumerate(_day(scenario).daily.holdings)
                              for member in ("pnl_1d", "pnl_total") if one.instrument in claim.instruments])
            if fields and all(sign * value < 0 for _, value in fields):
                return Outcome(FALSE, *fields[0])
        if claim.period == "" or claim.subject == "" or (claim.subject == "product" and not claim.instruments):
            return None
        if claim.period == "other":
            return Outcome(UNSUPPORTED)
        fields = _return(claim, scenario, "ratio")
        if not fields:
            return Outcome(UNSUPPORTED)
        path, value = fields[0]
        return Outcome(TRUE if sign * value > 0 else FALSE if sign * value < 0 else UNDECIDED, path, value)

    return judge


def _market(claim: Claim, scenario: Scenario, sign: int) -> Outcome | None:
    daily = _day(scenario).daily
    if claim.period not in ("", "day"):
        return None
    against = {1: "down", -1: "up"}[sign]
    if daily.env == against or (daily.index_return is not None and sign * daily.index_return <= -_percent(1) / 2):
        return Outcome(FALSE, "/consultation/daily/env", daily.env)
    if daily.env == "range" and daily.index_return is not None and sign * daily.index_return < 0:
        return Outcome(FALSE, "/consultation/daily/index_return", daily.index_return)
    if daily.env is None and daily.index_return is None:
        return Outcome(UNSUPPORTED)
    return Outcome(TRUE if daily.env not in (None, "range") else UNDECIDED, "/consultation/daily/env", daily.env)


def _range(claim: Claim, scenario: Scenario) -> Outcome:
    env = _day(scenario).daily.env
    if env is None:
        return Outcome(UNSUPPORTED)
    return Outcome(TRUE if env == "range" else FALSE, "/consultation/daily/env", env)


def _levels(low: int, high: int, against: Callable[[int], bool]) -> Judge:
    def judge(claim: Claim, scenario: Scenario) -> Outcome | None:
        fields = _level(claim, scenario, "level")
        if not fields or claim.subject == "market":
            return Outcome(UNSUPPORTED) if claim.instruments else None
        wrong = [field for field in fields if against(int(field[1]))]
        if wrong:
            return Outcome(FALSE if claim.instruments or len(wrong) == len(fields) else UNDECIDED, *wrong[0])
        return Outcome(TRUE if all(low <= value <= high for _, value in fields) else UNDECIDED, *fields[0])

    return judge


def _free(member: str) -> Judge:
    def judge(claim: Claim, scenario: Scenario) -> Outcome | None:
        fields = _sheet(member)(claim, scenario, "ratio")
        if not fields:
            return Outcome(UNSUPPORTED) if claim.instruments else None
        wrong = [field for field in fields if field[1] > 0]
        if not wrong:
            return Outcome(TRUE, *fields[0])
        return Outcome(FALSE if claim.instruments or len(wrong) == len(fields) else UNDECIDED, *wrong[0])

    return judge


def _new(claim: Claim, scenario: Scenario) -> Outcome | None:
    """Judge "a brand new fund": true in its first two years, false after the third."""
    ages = _start(claim, scenario, "days") if claim.instruments else []
    if not ages:
        return Outcome(UNSUPPORTED) if claim.instruments else None
    path, age = min(ages, key=lambda field: field[1])
    return Outcome(TRUE if age < 2 * 365 else FALSE if age > 3 * 365 else UNDECIDED, path, age)


def _guaranteed(*covered: str) -> Judge:
    def judge(claim: Claim, scenario: Scenario) -> Outcome | None:
        if not claim.instruments:
            return None
        sheets = [(one.id, one.product.guarantee) for one in _instruments(claim, scenario)
                  if one.product is not None and one.product.guarantee]
        if not sheets:
            return Outcome(UNSUPPORTED)
        name, guarantee = sheets[-1]
        return Outcome(TRUE if guarantee in covered else FALSE, f"/instruments/{name}/product/guarantee", guarantee)

    return judge


def _held(expected: bool) -> Judge:
    def judge(claim: Claim, scenario: Scenario) -> Outcome | None:
        if not claim.instruments:
            return None
        held = {one.instrument for one in _day(scenario).daily.holdings}
        wrong = [name for name in claim.instruments if (name in held) is not expected]
        name = (wrong or list(claim.instruments))[0]
        return Outcome(FALSE if wrong else TRUE, "/consultation/daily/holdings", name)

    return judge


def _profile(profile: str) -> Judge:
    def judge(claim: Claim, scenario: Scenario) -> Outcome | None:
        frozen = scenario.client.risk_profile if scenario.client is not None else None
        if frozen is None:
            return Outcome(UNSUPPORTED)
        return Outcome(TRUE if frozen == profile else FALSE, "/client/risk_profile", frozen)

    return judge


def _no_need(claim: Claim, scenario: Scenario) -> Outcome:
    stated = scenario.client.constraints if scenario.client is not None else None
    if stated is None or stated.cash_need_cents is None:
        return Outcome(UNDECIDED)
    need = stated.cash_need_cents
    return Outcome(FALSE if need > 0 else TRUE, "/client/constraints/cash_need_cents", need)


def _unstated(member: str) -> Judge:
    def judge(claim: Claim, scenario: Scenario) -> Outcome | None:
        fields = _stated(member)(claim, scenario, "ratio")
        return Outcome(FALSE, *fields[0]) if fields else Outcome(TRUE, f"/client/constraints/{member}")

    return judge


def _unsupported(claim: Claim, scenario: Scenario) -> Outcome:
    return Outcome(UNSUPPORTED)


POSITION, MDD, PNL = "daily/pos_ratio", "long_term/mdd_3m", "daily/pnl_daily"
WORDS: Mapping[str, Judge] = {
    "no-holdings": _bounded(POSITION, lambda v: v == 0, lambda v: v >= _percent(20)),
    "full": _bounded(POSITION, lambda v: v >= _percent(95), lambda v: v <= _percent(80)),
    "light": _bounded(POSITION, lambda v: v <= _percent(40), lambda v: v >= _percent(70)),
    "heavy": _bounded(POSITION, lambda v: v >= _percent(70), lambda v: v <= _percent(40)),
    "plenty-cash": _cash_share(lambda v: v >= _percent(30), lambda v: v <= _percent(12)),
    "no-cash": _cash_share(lambda v: v <= _percent(1), lambda v: v >= _percent(5)),
    "unscathed": _bounded(PNL, lambda v: v >= 0, lambda v: v <= -_percent(1) / 10),
    "flat-day": _bounded(PNL, lambda v: abs(v) < _percent(1) / 5, lambda v: abs(v) >= _percent(1) / 2),
    "small-drawdown": _bounded(MDD, lambda v: v <= _percent(5), lambda v: v >= _percent(10)),
    "large-drawdown": _bounded(MDD, lambda v: v >= _percent(10), lambda v: v <= _percent(3)),
    "big-gain-today": _bounded(PNL, lambda v: v >= _percent(1), lambda v: v < 0),
    "big-loss-today": _bounded(PNL, lambda v: v <= -_percent(1), lambda v: v > 0),
    "strong": lambda claim, scenario: _recent(claim, scenario, 1),
    "losing": lambda claim, scenario: _recent(claim, scenario, -1),
    "minor-losses": _bounded(MDD, lambda v: v <= _percent(5), lambda v: v >= _percent(10)),
    "gain": _direction(1), "loss": _direction(-1), "range-market": _range,
    "low-risk": _levels(1, 2, lambda level: level >= 4), "high-risk": _levels(4, 5, lambda level: level <= 2),
    "lowest-risk": _levels(1, 1, lambda level: level > 1), "highest-risk": _levels(5, 5, lambda level: level < 5),
    "rally": lambda claim, scenario: _market(claim, scenario, 1),
    "selloff": lambda claim, scenario: _market(claim, scenario, -1),
    "new-product": _new, "no-lockup": _free("lockup_days"), "no-notice": _free("notice_days"),
    "no-subscription-fee": _free("subscription_fee"),
    "no-redemption-fee": _free("redemption_fee"), "no-management-fee": _free("management_fee"),
    "principal-guaranteed": _guaranteed("principal", "principal and return"),
    "return-guaranteed": _guaranteed("principal and return"), "not-guaranteed": _guaranteed("none"),
    "no-reserve": _unstated("cash_reserve"), "no-tolerance": _unstated("drawdown_tolerance"),
    "held": _held(True), "not-held": _held(False), "approved": _unsupported, "no-need": _no_need,
    "profile-conservative": _profile("conservative"), "profile-balanced": _profile("balanced"),
    "profile-aggressive": _profile("aggressive"), **PORTFOLIO,
}
