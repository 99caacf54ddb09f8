r"""The fast path of `scenarios.parsing`: an answer that no rule has to read.

Plain is one JSON object without \u escapes whose orders name known ids, in the order of members that
`print_action` writes, with amounts of at most two decimals, and whose citations are ids. Both parsers
read it alike and without a note. Anything else is left to the general path, which is the law: wherever an action comes
back here, the general path returns the same one.
"""

import json
from collections.abc import Mapping
from typing import Any

from scenarios.action import Action, Amount, Citation, Order
from scenarios.json_exact import refuse_constant
from scenarios.money import WHOLE_UNIT_CURRENCIES
from scenarios.types import Scenario

LONGEST = 2**18
"""Characters; no text of this length is larger than 1 MiB of UTF-8."""

_new = tuple.__new__  # makes the same record as its class, without the call that names the members

# An object comes back as the tuple of its members, so that a pattern that names them all leaves none to
# repeat; a number comes back as the bytes of its token, so that no string is taken for one.
_SCAN = json.JSONDecoder(
    object_pairs_hook=tuple, parse_int=str.encode, parse_float=str.encode, parse_constant=refuse_constant
).scan_once  # type: ignore[attr-defined]  # set by every JSONDecoder


def read_plain(scenario: Scenario, text: str) -> Action | None:
    """Return the action of a plain answer, or None where the general path must decide."""
    if len(text) > LONGEST or ("\\" in text and "\\u" in text) or scenario.currency in WHOLE_UNIT_CURRENCIES:
        return None
    try:
        text.encode()
        answer, end = _SCAN(text, 0)
    except (StopIteration, ValueError, RecursionError):
        return None
    if type(answer) is not tuple or (end < len(text) and text[end:].strip(" \t\n\r")):
        return None
    listed = cited = message = None
    for key, value in answer:
        if key == "orders" and listed is None and type(value) is list:
            listed = value
        elif key == "citations" and cited is None and type(value) is list:
            cited = value
        elif key == "message" and message is None and type(value) is str:
            message = value
        else:
            return None
    if listed is None:
        return None
    read, citations = _orders(listed, scenario.instrument_of), _citations(cited or [])
    return None if read is None or citations is None else Action(read[0], citations, message, buys=read[1])


def _orders(
    listed: list[Any], known: Mapping[str, object]
) -> tuple[list[Order], tuple[list[Amount], dict[str, Amount]] | None] | None:
    """Return the orders and, where all of them are buys, what `Action` calls buys."""
    orders: list[Order] = []
    amounts: list[Amount] = []
    bought_of: dict[str, Amount] = {}
    for pairs in listed:
        side, reason = "buy", None
        if type(pairs) is not tuple:
            return None
        members = len(pairs)
        if members == 3:
            (first, name), (second, amount), (third, reason) = pairs
            if second == "side" and third == "amount":
                side, amount, reason = amount, reason, None
            elif second != "amount" or third != "reason" or type(reason) is not str:
                return None
        elif members == 4:
            (first, name), (second, side), (third, amount), (fourth, reason) = pairs
            if second != "side" or third != "amount" or fourth != "reason" or type(reason) is not str:
                return None
        elif members == 2:
            (first, name), (second, amount) = pairs
            if second != "amount":
                return None
        else:
            return None
        if first != "instrument" or type(name) is not str or name not in known or type(amount) is not bytes:
            return None
        if amount[-3:-2] == b"." and len(amount) <= 14:
            cents = int(amount.replace(b".", b""))
        elif amount[-2:-1] == b"." and len(amount) <= 13:
            cents = int(amount.replace(b".", b"")) * 10
        elif amount.isdigit() and len(amount) <= 11:
            cents = int(amount) * 100
        else:
            return None
        if cents <= 0:
            return None
        orders.append(_new(Order, (name, side, cents, None, None, reason)))
        if side == "buy":
            amounts.append(cents)
            bought_of[name] = bought_of[name] + cents if name in bought_of else cents
        elif side != "sell":
            return None
    return orders, (amounts, bought_of) if len(amounts) == len(orders) else None


def _citations(cited: list[Any]) -> list[Citation] | None:
    citations = []
    for fact in cited:
        if type(fact) is not str or not fact:
            return None
        citations.append(_new(Citation, (fact, None, None, None)))
    return citations
