"""What an advisor is told: one line of canonical JSON, and nothing else.

    {"account": {...}, "client": {...}, "day": "2024-03-05", "dialogue": [{"speaker": "client", "text": ...}, ...],
     "format": "advice-request/1", "holdings": [...], "market": {...}, "session": 740, "shortlist": [...]}

Every value is a string, an integer or null; a share or return is a decimal string in its one spelling with at most 6
decimals ("-0.0125" is -1.25 %), an amount an integer of cents.

    market      env "up", "range" or "down"; index_return and mom20 of the benchmark over 1 and 20 sessions; breadth,
                the share of the universe that rose; vol20, the benchmark's mean absolute return over 20 sessions
    account     nav_cents, cash_cents; pos_ratio, invested over NAV; pnl_daily over NAV and pnl_daily_cents; drawdown
                from the running peak, >= 0; cum_return_20td, cum_return_3m and mdd_3m, >= 0, over 20 and 63 sessions;
                product_class "conservative", "balanced", "aggressive" or "none"
    holdings    each {fund, name, level 1..5, value_cents, pnl_total}, pnl_total over cost
    shortlist   each {fund, name, level, ret20, ret63}: funds that the client may buy today
    client      risk_profile, literacy, asset_tier; cash_reserve and drawdown_tolerance over NAV; horizon_years

Never in it: anything of the client's state of mind, other days, other investors, or a judge's score.
Source: seed paper 000, appendix H.2.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from scenarios.canonical import encode_exact

FORMAT = "advice-request/1"

CLIENT, ADVISOR = "client", "advisor"
"""Who speaks in a dialogue."""


def request_bytes(facts: Mapping[str, Any], dialogue: Sequence[tuple[str, str]]) -> bytes:
    """Return the request as canonical JSON, without a newline.

    Args:
        facts: every member of the request but the dialogue, as the module describes them.
        dialogue: (speaker, text) in the order of speech, the client's question last.

    Raises:
        TypeError, ValueError: a value is neither string, integer nor null, or no valid Unicode. Floats are not
            looked for; facts are built by `decimal` from integers.
    """
    spoken = [{"speaker": who, "text": text} for who, text in dialogue]
    return encode_exact({**facts, "dialogue": spoken}, ascii_keys=True)


@lru_cache(65_536)
def decimal(value: int, places: int) -> str:
    """Return value / 10^places as text, as short as can be: -12,500 millionths are "-0.0125"."""
    digits = str(abs(value)).rjust(places + 1, "0")
    text = f"{digits[:-places]}.{digits[-places:]}".rstrip("0").rstrip(".")
    return f"-{text}" if value < 0 else text


@lru_cache(65_536)
def ppm(text: str) -> int:
    """Return a decimal string of at most 6 decimals in millionths: "-0.0125" are -12,500.

    Raises:
        ValueError: text is no such decimal.
    """
    whole, _, places = text.removeprefix("-").partition(".")
    if len(places) > 6 or not (whole + places).isdecimal():
        raise ValueError(f"found {text[:40]!r}, expected a decimal string with at most 6 decimals")
    value = int(whole + places.ljust(6, "0"))
    return -value if text[0] == "-" else value
