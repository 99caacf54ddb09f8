"""The rules that decide what a fund is: risk level, share class, unit of currency, and what its orders cost.

Each is a table or one comparison of exact numbers, and `docs/traces.md` lists them with what they decided on real
data. Source: seed paper 000, appendix E; the paper takes risk tiers from its data source, these rules replace them.
"""

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from scenarios.traces import FundFees, RedemptionStep

SESSIONS_A_YEAR = 243
TRADED_ON_EXCHANGE = "场内买入"
NO_BUY = frozenset({"暂停申购", "封闭期", "暂停交易", "认购期"})
NO_SELL = frozenset({"暂停赎回", "封闭期", "暂停交易", "认购期"})
"""Statuses of a day on which a fund takes no subscription, or no redemption. No status: open, by assumption."""

FOREIGN_UNITS = ("美元", "美汇", "美钞", "港元", "港币")
"""Words in the name of a share class whose units are in another currency."""

TYPE_FLOOR = (
    (2, ("债券型-普通债券", "债券型-债券指数", "债券型-长债", "债券型-中短债", "债券型-纯债", "债券型", "指数型-固收",
         "QDII-纯债", "货币型")),
    (3, ("债券型-可转债", "债券型-混合债", "债券型-混合一级", "债券型-混合二级", "混合型-偏债", "混合型-股债平衡",
         "混合型-平衡", "混合型-股票对冲", "混合型-绝对收益", "混合型-灵活", "混合型-灵活配置", "商品型", "QDII-商品",
         "指数型-其他", "FOF")),
)
"""The least risk level of each type, by the longest beginning of its name that is listed; every other type: 4."""

BANDS = (Fraction(1, 100), Fraction(5, 100), Fraction(15, 100), Fraction(25, 100))
"""Annual volatility below which a fund is R1, R2, R3, R4; from the last one on, R5."""

RETURN_UNIT = 10**12
"""Volatility is taken of daily returns in whole units of 1e-12, rounded half to even."""

_BRACKETS = re.compile(r"[(（\[【][^)）\]】]*[)）\]】]")
_CLASS = re.compile(r"(?:(?<=[^A-Z])|(?<=ETF)|(?<=LOF)|(?<=FOF)|(?<=QDII))([A-EHIOR])(?:类|份额)?\Z")


def divide_half_even(numerator: int, denominator: int) -> int:
    """Return the nearest integer of a ratio, the even one where two are as near; denominator > 0."""
    quotient, rest = divmod(numerator, denominator)
    return quotient + (2 * rest > denominator or (2 * rest == denominator and quotient % 2 == 1))


def type_floor(kind: str) -> int:
    """Return the least risk level of a fund type: 2, 3 or 4."""
    listed = [(len(name), level) for level, names in TYPE_FLOOR for name in names if kind.startswith(name)]
    return max(listed)[1] if listed else 4


def volatility_band(nav_e8: Sequence[int]) -> int:
    """Return the risk level 1 to 5 that the annual volatility of a path falls into.

    It is the sample deviation of daily returns times the root of 243, over the whole horizon. With n returns r,
    it is below b when 243 (n sum r^2 - (sum r)^2) < b^2 n (n - 1); a tie is in the band above.

    Args:
        nav_e8: adjusted NAV, at least 3 entries, every one > 0.
    """
    moves = [divide_half_even((after - before) * RETURN_UNIT, before) for before, after in pairwise(nav_e8)]
    count, total = len(moves), sum(moves)
    spread = SESSIONS_A_YEAR * (count * sum(move * move for move in moves) - total * total)
    scale = count * (count - 1) * RETURN_UNIT**2
    return 1 + sum(spread * band.denominator**2 >= band.numerator**2 * scale for band in BANDS)


def risk_level(kind: str, nav_e8: Sequence[int]) -> int:
    """Return the risk level 1 to 5: the larger one of type floor and volatility band."""
    return max(type_floor(kind), volatility_band(nav_e8))


def share_class(name: str) -> tuple[str, str | None]:
    """Return (the name that all classes of a fund share, the letter of this one or None).

    Brackets and a final letter A to E, H, I, O or R are cut; a letter behind other Latin capitals than ETF, LOF,
    FOF and QDII belongs to the name.
    """
    bare = _BRACKETS.sub(" ", name).strip()
    found = _CLASS.search(bare)
    stem, letter = (bare[: found.start()], found[1]) if found else (bare, None)
    return "".join(stem.split()), letter


def is_foreign(name: str) -> bool:
    """Return whether a share class counts its units in another currency."""
    return any(word in name for word in FOREIGN_UNITS)


def is_money_fund(kind: str) -> bool:
    """Return whether a type is that of a money fund, whose NAV stands at one."""
    return kind.startswith("货币型")


def _steps(*steps: tuple[int | None, str]) -> tuple[RedemptionStep, ...]:
    return tuple(RedemptionStep(under_days=days, rate=Fraction(rate)) for days, rate in steps)


_EXCHANGE_SIDE = "0.0005"
_LATE = _steps((7, "0.015"), (30, "0.0075"), (365, "0.005"), (730, "0.0025"), (None, "0"))
_LATE_C = _steps((7, "0.015"), (30, "0.005"), (None, "0"))


def default_fees(kind: str, letter: str | None, on_exchange: bool) -> FundFees:
    """Return the fees of a fund that no table names.

    On an exchange 0.05 % a side; C-class no subscription fee; else 0.15 %, bonds 0.08 %. Redemption falls with
    the days held. Management, custody and sales fees are inside the NAV and are never charged.
    """
    if on_exchange:
        return FundFees(subscription=Fraction(_EXCHANGE_SIDE), redemption=_steps((None, _EXCHANGE_SIDE)),
                        origin="default: exchange")
    if letter == "C":
        return FundFees(subscription=Fraction(0), redemption=_LATE_C, origin="default: C-class")
    bond = type_floor(kind) == 2
    return FundFees(subscription=Fraction("0.0008" if bond else "0.0015"), redemption=_LATE,
                    origin="default: bond" if bond else "default: equity and mixed")
