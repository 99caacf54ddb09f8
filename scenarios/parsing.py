"""What an advisor's text asks for: a typed action, or the one reason why it cannot be read.

Parsing is a versioned step of its own. `strict-1` takes one JSON object in exactly the shape

    {"orders": [{"instrument", "side"?: "buy", "amount"? | "shares"?, "confidence"?, "reason"?}],
     "citations"?: [id | {"id", "value"?, "unit"?, "as_of"?}], "message"?}

`tolerant-1` also takes that object out of a fenced block or out of prose, under other spellings of its
keys, and with amounts written as money strings; each liberty becomes a note. Neither guesses: what can
be read in two ways is MALFORMED, and what was clipped is TRUNCATED. Pages: docs/parsing.md.
"""

import json
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from scenarios import money
from scenarios.action import Action, Amount, Citation, Order, Said
from scenarios.errors import ScenarioError
from scenarios.exact import decimal_text
from scenarios.json_exact import Broken, NumberToken, Unreadable, is_doubtful, quote, scan, utf8_size
from scenarios.plain_answer import read_plain
from scenarios.tickers import folded_ids, match_ticker, near_miss
from scenarios.types import Answer, Scenario

__all__ = ["PARSERS", "Fault", "Note", "Parsed", "near_miss", "parse_answer", "parse_episode", "print_action"]

DEFAULT_PARSER = "tolerant-1"
MAX_TEXT_BYTES = 2**20
CUT_REASONS = frozenset(
    {"length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded"}
)
"""Finish reasons, in lower case, that say the text was clipped."""


class Note(NamedTuple):
    """A liberty that was taken: its place (JSON Pointer into the shape, or "text offset N") and what it was."""

    where: str
    what: str


class Fault(NamedTuple):
    """Why an answer could not be read: place, what was found, what its author can do."""

    where: str
    what: str
    remedy: str


class Parsed(NamedTuple):
    """The outcome. state: None when an action was read, else "MALFORMED" or "TRUNCATED" with a fault."""

    state: str | None
    action: Action | None
    notes: tuple[Note, ...]
    fault: Fault | None


class Parser(NamedTuple):
    """One version of the parsing step: whether liberties are allowed, and the name that each key means."""

    tolerant: bool
    answer_keys: Mapping[str, str]
    order_keys: Mapping[str, str]
    citation_keys: Mapping[str, str]

    @property
    def prose(self) -> frozenset[str]:
        """The keys of texts that are words and ask for nothing: what they hold is kept, lone surrogates too."""
        words = {**self.answer_keys, **self.order_keys}
        return _PROSE.union(key for key, name in words.items() if name in ("message", "reason"))


def _spellings(**others: str) -> dict[str, str]:
    return {spelling: name for name, line in others.items() for spelling in (name, *line.split())}


PARSERS: Mapping[str, Parser] = {
    "strict-1": Parser(
        tolerant=False,
        answer_keys=_spellings(orders="", citations="", message=""),
        order_keys=_spellings(
            instrument="", side="", amount="", shares="", target_weight="", confidence="", reason=""
        ),
        citation_keys=_spellings(id="", value="", unit="", as_of=""),
    ),
    "tolerant-1": Parser(
        tolerant=True,
        answer_keys=_spellings(
            orders="recommendations trades actions",
            citations="facts cited_facts fact_ids",
            message="explanation summary",
        ),
        order_keys=_spellings(
            instrument="ticker symbol", side="action", amount="", shares="quantity",
            target_weight="weight weight_pct target_weight_pct weight_change_pct", confidence="", reason="rationale",
        ),
        citation_keys=_spellings(id="fact fact_id", value="", unit="", as_of="date"),
    ),
}

# Members that the hot path takes as they stand.
_PLAIN_ANSWER = frozenset({"orders", "citations", "message"})
_PLAIN_ORDER = frozenset({"instrument", "side", "amount", "shares", "confidence", "reason"})
_PLAIN_CITATION = frozenset({"id", "value", "unit", "as_of"})

_SIZES = ("amount", "shares", "target_weight")
_AMOUNT_LIKE = re.compile(r"amount|dollars\Z").match
_PROSE = frozenset({
    "analysis", "assumptions", "comment", "comments", "disclaimer", "disclosure", "note", "notes", "outlook",
    "reasoning", "risks", "thinking", "thoughts", "title",
})
"""Keys beside the orders under which a text may stand: it asks for nothing, and is kept as prose."""

_PLAIN_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?").fullmatch
_SPACE = " \t\n\r"
_OPENS_OBJECT = re.compile(r'\{[ \t\n\r]*+(?:["}]|\Z)').match
_BRACES_IN_PROSE = re.compile(r'\{[^{}\[\]"]*+\}').match
_new = tuple.__new__  # makes the same record as its class, without the call that names the members
_ONE_OBJECT = "send one JSON object and nothing else"


def parse_answer(
    scenario: Scenario, text: str, *, truncated: bool = False, finish_reason: str | None = None,
    parser: str = DEFAULT_PARSER,
) -> Parsed:
    """Read the action that an advisor's text asks for.

    Args:
        scenario: says the currency, how tickers match, whether amounts are required, and the prices.
        text: what the advisor sent, untouched.
        truncated: whether the provider flagged the text as clipped.
        finish_reason: why the provider stopped.
        parser: name of the version, a key of `PARSERS`.

    Raises:
        ScenarioError: the parser is unknown, or an order in shares names an instrument of the universe
            that has no price. No text of any kind raises anything else.
    """
    rules = _rules(parser)
    clipped = truncated or is_cut(finish_reason)
    if not clipped and (plain := read_plain(scenario, text)) is not None:
        return _new(Parsed, (None, plain, (), None))
    return _read(_Reading(scenario, rules), text, clipped)


def _rules(parser: str) -> Parser:
    rules = PARSERS.get(parser)
    if rules is None:
        raise ScenarioError("parser", f"found {quote(parser)}, an unknown version", f"known: {', '.join(PARSERS)}")
    return rules


def _read(reading: "_Reading", text: str, clipped: bool) -> Parsed:
    try:
        action = reading.action(reading.find(text, clipped))
    except Unreadable as fault:
        cut = isinstance(fault, Broken) and (clipped or fault.cut)
        why = Fault(fault.where, fault.what, fault.remedy)
        return Parsed("TRUNCATED" if cut else "MALFORMED", None, tuple(reading.notes), why)
    return Parsed(None, action, tuple(reading.notes), None)


def parse_episode(scenario: Scenario, answers: Sequence[Answer], parser: str = DEFAULT_PARSER) -> Parsed:
    """Read what an advisor said in the turns of one episode, and what the plan it ends with asks for.

    A turn with no JSON object is words, and so is one whose object holds a message alone, unless the scenario asks for
    orders (limits.deployment_required). Any other object is read as any answer is; the last one is the plan, and a
    plan that it replaces becomes a note. The first turn that cannot be read decides the outcome.

    Args:
        scenario: whose dialogue is answered.
        answers: one for each turn that asks for a reply, in order of turn, each with its `turn`.
        parser: name of the version, a key of `PARSERS`.

    Raises:
        ScenarioError: as `parse_answer`.
    """
    rules = _rules(parser)
    notes: list[Note] = []
    said: list[Said] = []
    plan: Action | None = None
    planned = 0
    for answer in answers:
        turn = answer.turn or 0
        text = answer.text
        clipped = answer.truncated or is_cut(answer.finish_reason)
        if not clipped and _next_object(text, 0) < 0 and utf8_size(text) <= MAX_TEXT_BYTES:
            said += [Said(turn, text)] if text.strip() else []
            continue
        reading = _Reading(scenario, rules, words_do=not scenario.limits.deployment_required)
        parsed = _read(reading, text, clipped)
        notes += [Note(f"turn {turn} {note.where}".rstrip(), note.what) for note in parsed.notes]
        if parsed.action is None:
            fault = parsed.fault and parsed.fault._replace(where=f"turn {turn} {parsed.fault.where}".rstrip())
            return Parsed(parsed.state, None, tuple(notes), fault)
        if reading.only_words:
            said += _words(turn, parsed.action)
            continue
        if plan is not None:
            notes.append(Note(f"turn {planned}", f"a plan that turn {turn} replaces"))
            said += [Said(planned, order.reason) for order in plan.orders if order.reason]
        said += _words(turn, parsed.action)
        plan, planned = parsed.action, turn
    said.sort(key=lambda one: one.turn)
    orders, citations = ((), ()) if plan is None else (plan.orders, plan.citations)
    return Parsed(None, Action(orders, citations, turns=tuple(said)), tuple(notes), None)


def _words(turn: int, action: Action) -> list[Said]:
    return [Said(turn, words) for words in (action.message, *action.prose) if words]


def is_cut(finish_reason: str | None) -> bool:
    """Return whether the provider says that it clipped the text."""
    return finish_reason is not None and finish_reason.lower() in CUT_REASONS


class _Reading:
    """One pass over one answer: the rules in force, the liberties taken and the prose skipped so far.

    words_do: whether a message alone is an answer; only_words: whether this one is.
    """

    __slots__ = ("folded", "notes", "only_words", "prose", "rules", "scenario", "words_do")

    def __init__(self, scenario: Scenario, rules: Parser, *, words_do: bool = False) -> None:
        self.scenario = scenario
        self.rules = rules
        self.words_do = words_do
        self.only_words = False
        self.notes: list[Note] = []
        self.prose: list[str] = []
        self.folded: dict[str, str | None] | None = None

    def note(self, where: str, what: str) -> None:
        self.notes.append(Note(where, what))

    def liberty(self, where: str, found: str, done: str, remedy: str) -> None:
        """Note what the tolerant parser lets pass and the strict one refuses."""
        if not self.rules.tolerant:
            raise Unreadable(where, f"found {found}", remedy)
        self.note(where, f"{found}, {done}")

    # From the text to the one object.

    def find(self, text: str, clipped: bool) -> dict[str, Any]:
        """Return the members of the one JSON object in the text."""
        if len(text) > MAX_TEXT_BYTES or utf8_size(text) > MAX_TEXT_BYTES:
            raise Broken(0, "found more than 1 MiB of text", "send a shorter answer")
        doubtful = is_doubtful(text)
        start = _next_object(text, 0)
        if start < 0:
            raise _no_object(text)
        answer, end = scan(text, start, doubtful=doubtful, prose=self.rules.prose)
        if start or end < len(text):
            end = self.surroundings(text, start, end, answer, doubtful)
        if clipped:
            self.note(f"text offset {end}", "the answer was clipped after one complete object")
        return answer  # type: ignore[no-any-return]  # it began with a brace

    def surroundings(self, text: str, start: int, end: int, answer: Any, doubtful: bool) -> int:
        """Judge what stands around the object; return the end of its last copy."""
        before, written, copies = text[:start].strip(_SPACE), text[start:end], 1
        if before.endswith("["):
            raise Broken(start, "found the object inside a list", _ONE_OBJECT)
        while (again := _next_object(text, end)) >= 0:
            if text.startswith(written, again):
                end = again + len(written)
            else:
                copy, end = scan(text, again, doubtful=doubtful, prose=self.rules.prose)
                if not _is_same(copy, answer):
                    raise Unreadable(f"text offset {again}", "found a second, different JSON object", _ONE_OBJECT)
            copies += 1
        after = text[end:].strip(_SPACE)
        if after.startswith(("]", "}")):
            raise Broken(end, f"found {quote(after[0])} behind the object", _ONE_OBJECT)
        if before.startswith("\ufeff"):
            before = before[1:].lstrip(_SPACE)
            self.liberty("text offset 0", "a byte order mark", "skipped", "send the text without one")
        opening, fence, tag = before.rpartition("```")
        if fence and (not tag or (tag.isascii() and tag.isalnum())):
            at = text.rfind(fence, 0, start)
            self.liberty(f"text offset {at}", "a fenced block", "unwrapped", "send the bare object")
            before, after = opening.rstrip(_SPACE), after.removeprefix("```").lstrip(_SPACE)
        if copies > 1:
            self.liberty(f"text offset {start}", f"the same object {copies} times", "read once", _ONE_OBJECT)
        self.prose += [around for around in (before, after) if around]
        if before:
            self.liberty("text offset 0", f"{len(before)} characters before the object", "skipped", _ONE_OBJECT)
        if after:
            self.liberty(f"text offset {end}", f"{len(after)} characters after the object", "skipped", _ONE_OBJECT)
        return end

    # From the members to the action.

    def named(self, raw: dict[str, Any], names: Mapping[str, str], where: str = "") -> dict[str, Any]:
        """Return the members under the names of the shape."""
        members: dict[str, Any] = {}
        for key, value in raw.items():
            name = names.get(key)
            if name is None:
                remedy = f"use only {', '.join(sorted(names))}"
                if where or key not in _PROSE or type(value) is not str:
                    found = f"found the unknown key {quote(key)}, which may change what is asked"
                    raise Unreadable(where, found, remedy)
                self.liberty(where, f"a text under the key {quote(key)}", "kept as prose", remedy)
                self.prose.append(value)
                continue
            if name in members:
                raise Unreadable(where, f"found {name} twice, once as {quote(key)}", "keep one of the two")
            if key != name:
                self.note(f"{where}/{name}", f"read from the key {quote(key)}")
            members[name] = value
        return members

    def action(self, answer: dict[str, Any]) -> Action:
        """Return the typed action of the answer's members."""
        if not answer.keys() <= _PLAIN_ANSWER:
            answer = self.named(answer, self.rules.answer_keys)
        self.only_words = self.words_do and answer.keys() == {"message"}
        if self.only_words:
            return Action(message=self.text(answer["message"], "/message"), prose=tuple(self.prose))
        if "orders" not in answer:
            raise Unreadable("", "found no orders", 'list them under orders; "orders": [] asks for none')
        listed = answer["orders"]
        if type(listed) is not list:
            raise Unreadable("/orders", f"found {_kind(listed)}", "write a list of orders")
        orders = [self.order(raw, f"/orders/{index}") for index, raw in enumerate(listed)]
        citations = self.citations(answer["citations"]) if "citations" in answer else ()
        message = self.text(answer["message"], "/message") if "message" in answer else None
        return Action(self.priced(orders), citations, message, tuple(self.prose))

    def order(self, raw: Any, where: str) -> Order:
        """Return one order; one in shares has no amount yet."""
        if type(raw) is not dict:
            raise Unreadable(where, f"found {_kind(raw)}", "write each order as an object")
        if not raw.keys() <= _PLAIN_ORDER:
            raw = self.order_members(raw, where)
        get = raw.get
        instrument = get("instrument")
        if type(instrument) is not str or not instrument:
            raise Unreadable(f"{where}/instrument", f"found {_kind(instrument)}", "name the instrument by its id")
        if instrument not in self.scenario.instrument_of:
            instrument = self.instrument(instrument, f"{where}/instrument")
        side = get("side", "buy")
        if side != "buy" and side != "sell":
            side = self.side(side, f"{where}/side")
        amount, shares = get("amount"), get("shares")
        if amount is not None:
            amount = self.amount(amount, f"{where}/amount")
        if shares is not None:
            if amount is not None:
                raise Unreadable(where, "found two sizes, amount and shares", "give one size")
            shares = self.shares(shares, f"{where}/shares")
        elif amount is None and self.scenario.limits.amounts_required:
            raise Unreadable(where, "found no amount, and the scenario requires amounts", "give amount or shares")
        confidence, reason = get("confidence"), get("reason")
        if "confidence" in raw:
            confidence = self.confidence(confidence, f"{where}/confidence")
        if type(reason) is not str and "reason" in raw:
            reason = self.text(reason, f"{where}/reason")
        return Order(instrument, side, amount, shares, confidence, reason)

    def order_members(self, raw: dict[str, Any], where: str) -> dict[str, Any]:
        """Return an order's members under the names of the shape, without a target weight."""
        currency = self.scenario.currency
        names = dict(self.rules.order_keys)
        if self.rules.tolerant:
            names[f"amount_{currency.lower()}"] = "amount"
            if currency == "USD":
                names["dollars"] = "amount"
        for key, value in raw.items():
            if key not in names and value is not None and _AMOUNT_LIKE(key):
                raise Unreadable(
                    where, f"found the key {quote(key)}, an amount not stated in {currency}",
                    f"give the amount in {currency} under the key amount",
                )
        members = self.named(raw, names, where)
        sizes = [size for size in _SIZES if members.get(size) is not None]
        if len(sizes) > 1:
            raise Unreadable(where, f"found {len(sizes)} sizes, {' and '.join(sizes)}", "give one size")
        if members.pop("target_weight", None) is not None:
            raise Unreadable(f"{where}/target_weight", "found a target weight", "give amount or shares")
        return members

    def instrument(self, name: str, where: str) -> str:
        """Return the id that a name means by the scenario's rule, else the name as answered."""
        if self.folded is None and self.scenario.ticker_match == "ignore-case":
            self.folded = folded_ids(self.scenario)
        meant = match_ticker(self.scenario, name, self.folded or {})
        if meant is None:
            return name
        self.note(where, f"{quote(name)} read as the instrument {quote(meant)}")
        return meant

    def side(self, side: Any, where: str) -> str:
        """Return a side that is not plainly buy or sell."""
        lowered = side.lower() if type(side) is str else None
        if lowered not in ("buy", "sell"):
            raise Unreadable(where, f"found the unknown side {_kind(side)}", "write buy or sell")
        self.liberty(where, f"the side {quote(side)}", f"read as {lowered}", "write it in lower case")
        return lowered

    def amount(self, written: Any, where: str) -> int:
        """Return an amount in cents."""
        try:
            if type(written) is NumberToken:
                return money.cents_of_number(written, self.scenario.currency)
            if type(written) is str and self.rules.tolerant:
                cents = money.cents_of_string(written, self.scenario.currency)
                self.note(where, f"amount read from the string {quote(written)}")
                return cents
        except Unreadable as fault:
            raise fault.under(where) from None
        raise Unreadable(where, f"found {_kind(written)}", "write the amount as a JSON number")

    def shares(self, written: Any, where: str) -> Amount:
        """Return a number of shares."""
        try:
            if type(written) is NumberToken:
                return money.quantity_of_number(written)
            if type(written) is str and self.rules.tolerant:
                shares = money.quantity_of_string(written)
                self.note(where, f"shares read from the string {quote(written)}")
                return shares
        except Unreadable as fault:
            raise fault.under(where) from None
        raise Unreadable(where, f"found {_kind(written)}", "write the shares as a JSON number")

    def priced(self, orders: list[Order]) -> list[Order]:
        """Return the orders with amount = shares x price where shares are given.

        Runs last, so that a text that cannot be read never blames the scenario for a missing price.
        """
        for index, (name, _, _, shares, _, _) in enumerate(orders):
            if shares is None:
                continue
            instrument = self.scenario.instrument_of.get(name)
            if instrument is None or instrument.price_cents is None:
                if name in self.scenario.allowed:
                    raise ScenarioError(
                        f"{self.scenario.id}#/instruments",
                        f"{quote(name)} has no price_cents, and the answer sizes it in shares",
                        "freeze its price in the scenario",
                    )
                continue
            amount = shares * instrument.price_cents
            if amount >= money.AMOUNT_BOUND_CENTS:
                raise Unreadable(
                    f"/orders/{index}/shares", f"found {decimal_text(shares)} shares, worth 10^13 minor units or more",
                    "order fewer shares",
                )
            orders[index] = orders[index]._replace(amount=_whole(amount))
        return orders

    def confidence(self, written: Any, where: str) -> str | None:
        """Return a confidence as exact decimal text; only an exponent is written out."""
        if written is None:
            return self.text(written, where)
        if type(written) is str:
            self.liberty(where, f"the string {quote(written)}", "read as a number", "write a JSON number")
        elif type(written) is not NumberToken:
            raise Unreadable(where, f"found {_kind(written)}", "write the confidence as a JSON number")
        try:
            value = money.read_number(written)
        except Unreadable as fault:
            raise fault.under(where) from None
        return str(written) if _PLAIN_DECIMAL(written) else decimal_text(value)

    def text(self, written: Any, where: str) -> str | None:
        """Return an optional text."""
        if type(written) is str:
            return written
        if written is not None:
            raise Unreadable(where, f"found {_kind(written)}", "write a string")
        self.liberty(where, "null", "read as left out", "leave the member out")
        return None

    def citations(self, listed: Any) -> list[Citation]:
        """Return the cited facts."""
        if listed is None:
            self.text(listed, "/citations")
            return []
        if type(listed) is not list:
            raise Unreadable("/citations", f"found {_kind(listed)}", "write a list of fact ids")
        return [self.citation(raw, f"/citations/{index}") for index, raw in enumerate(listed)]

    def citation(self, raw: Any, where: str) -> Citation:
        """Return one citation, an id or an object."""
        if type(raw) is str and raw:
            return Citation(raw)
        if type(raw) is not dict:
            raise Unreadable(where, f"found {_kind(raw)}", "cite a fact by its id, a string")
        if not raw.keys() <= _PLAIN_CITATION:
            raw = self.named(raw, self.rules.citation_keys, where)
        fact = raw.get("id")
        if type(fact) is not str or not fact:
            raise Unreadable(f"{where}/id", f"found {_kind(fact)}", "cite a fact by its id, a string")
        stated = {name: self.stated(raw[name], f"{where}/{name}") for name in ("value", "unit", "as_of") if name in raw}
        return Citation(fact, **stated)

    def stated(self, written: Any, where: str) -> str | None:
        """Return what a citation states, number or text, as it was written."""
        if type(written) is not NumberToken or not where.endswith("/value"):
            return self.text(written, where)
        try:
            money.read_number(written)
        except Unreadable as fault:
            raise fault.under(where) from None
        return str(written)


def _whole(value: Amount) -> Amount:
    """Return an integer where the value is one."""
    return value.numerator if value.denominator == 1 else value


def _kind(value: Any) -> str:
    """Return a JSON value for a message: a scalar as written, a container by its kind."""
    if type(value) is NumberToken:
        return value if len(value) <= money.MAX_CHARACTERS else f"a number of {len(value)} characters"
    if type(value) is str:
        return quote(value)
    return {dict: "an object", list: "a list", bool: str(value).lower()}.get(type(value), "nothing")


def _next_object(text: str, at: int) -> int:
    """Return the offset of the next brace that opens a JSON object, or -1; step over "{name}" in prose."""
    while (at := text.find("{", at)) >= 0 and not _OPENS_OBJECT(text, at):
        prose = _BRACES_IN_PROSE(text, at)
        if prose is None:
            raise Broken(at, "found a brace that opens no JSON object", _ONE_OBJECT)
        at = prose.end()
    return at


def _no_object(text: str) -> Broken:
    if not text.strip(_SPACE):
        return Broken(0, "found no text", _ONE_OBJECT)
    if text.lstrip(_SPACE)[0] == "[":
        return Broken(0, "found a list", _ONE_OBJECT)
    return Broken(0, "found no JSON object in the text", _ONE_OBJECT)


def _is_same(left: Any, right: Any) -> bool:
    """Return whether two JSON values are equal, numbers by their text; 900 and "900" differ."""
    if type(left) is not type(right):
        return False
    if type(left) is dict:
        return left.keys() == right.keys() and all(_is_same(value, right[key]) for key, value in left.items())
    if type(left) is list:
        return len(left) == len(right) and all(map(_is_same, left, right))
    return bool(left == right)


def print_action(action: Action) -> str:
    """Return the canonical answer text of an action: what strict-1 reads back as the same action.

    Amounts are JSON numbers in currency units (90050 cents is 900.5); shares where the order is in shares. What
    stood around the object, and an episode's turns, are no part of that text.

    Raises:
        ValueError: an amount without shares is not a decimal, or a confidence is no number.
    """
    orders = ", ".join(map(_print_order, action.orders))
    members = [f'"orders": [{orders}]']
    if action.citations:
        members.append(f'"citations": [{", ".join(map(_print_citation, action.citations))}]')
    if action.message is not None:
        members.append(f'"message": {_string(action.message)}')
    return "{" + ", ".join(members) + "}"


def _print_order(order: Order) -> str:
    members = [f'"instrument": {_string(order.instrument)}', f'"side": {_string(order.side)}']
    if order.shares is not None:
        members.append(f'"shares": {decimal_text(order.shares)}')
    elif order.amount is not None:
        members.append(f'"amount": {decimal_text(Fraction(order.amount, 100))}')
    if order.confidence is not None:
        if not _PLAIN_DECIMAL(order.confidence):
            raise ValueError(f"confidence {order.confidence!r} is no plain decimal")
        members.append(f'"confidence": {order.confidence}')
    if order.reason is not None:
        members.append(f'"reason": {_string(order.reason)}')
    return "{" + ", ".join(members) + "}"


def _print_citation(citation: Citation) -> str:
    stated = {name: value for name, value in citation._asdict().items() if value is not None}
    return _string(citation.id) if len(stated) == 1 else _string(stated)


def _string(value: str | dict[str, str]) -> str:
    return json.dumps(value, ensure_ascii=False)
