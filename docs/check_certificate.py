#!/usr/bin/env python3
"""Check a certificate of `audit export --format certificate`, with Python 3.11 or newer and nothing else.

    python3 check_certificate.py FILE [--manifest SHA256]

The file is spelled anew in canonical form and must come out byte for byte; its digest and those of scenario,
contract, action and answers are taken again; the verdict's line is led up to the root that the run's manifest
names. Then each clause is decided again from scenario, action and contract alone, in exact numbers, and must come
to the stored state, to the same findings and to the same sides of each comparison.

"recomputed" is what this program decided by itself. "bound by digest only" is what it cannot decide and only finds
unchanged: how the answer's text became an action, what a phrase means, clauses that it does not know.

It shares no code with the project that writes certificates, on purpose. Amounts are in cents, "n/d" is an exact
number, and a weight is written unreduced, as the two amounts that were compared.

Exit codes: 0 everything holds; 1 something does not; 2 wrong usage; 3 the file cannot be read, or its format is
unknown here.
"""

import argparse
import hashlib
import json
import operator
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import pairwise
from math import ceil, lcm
from typing import Any, NamedTuple

Json = dict[str, Any]
Line = tuple[bool, str]
MOST_BYTES = 1 << 28
MOST_STEPS = 10_000
RECOMPUTED, BOUND = "recomputed", "bound by digest only"
EXACT = re.compile(r"-?[0-9]+(\.[0-9]+|/[1-9][0-9]*)?\Z")
DECIMAL = re.compile(r"[+-]?[0-9]{1,40}(\.[0-9]{1,40})?([eE][+-]?[0-9]{1,2})?\Z")


class ChangedError(Exception):
    """The file is not what was written."""


class MissingError(Exception):
    """A declared limit needs an input that the scenario does not freeze; the clause must be ERROR."""


class UndecidedError(Exception):
    """This program cannot tell."""


# The file: canonical JSON (RFC 8785, without floats), digests, and the tree of RFC 6962.


def canonical(value: Any) -> bytes:
    """Return the one spelling of a value: no blanks, members in order of their UTF-16 units."""
    written = json.dumps(_in_order(value), ensure_ascii=False, separators=(",", ":"))
    return re.sub("[\ud800-\udfff]", lambda one: f"\\u{ord(one[0]):04x}", written).encode()


def _in_order(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _in_order(value[name]) for name in sorted(value, key=lambda name: name.encode("utf-16-be"))}
    return [_in_order(one) for one in value] if isinstance(value, list) else value


def sha256(data: bytes) -> str:
    """Return the digest of bytes in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def digest_of(record: Json) -> str:
    """Return the digest of a record without its own member `digest`."""
    return sha256(canonical({name: value for name, value in record.items() if name != "digest"}))


def read(raw: bytes) -> Json:
    """Return the object in a certificate's bytes: canonical, one newline behind it, under its own digest."""
    def refuse(token: str) -> None:
        raise ValueError(f"{token} is no exact number")

    try:
        value = json.loads(raw.decode(), parse_float=refuse, parse_constant=refuse)
        same = isinstance(value, dict) and canonical(value) + b"\n" == raw
    except (ValueError, RecursionError) as error:
        raise ChangedError(f"is not JSON as certificates are written: {error}") from error
    if not same:
        raise ChangedError("is not in canonical form")
    if value.get("digest") != (found := digest_of(value)):
        raise ChangedError(f"says sha256 {value.get('digest')}, its content has {found}")
    return dict(value)


def root_from(line: bytes, index: int, size: int, path: list[str]) -> str | None:
    """Return the root that a path leads to, None if its length does not fit. Source: RFC 9162, section 2.1.3.2."""
    node, last = hashlib.sha256(b"\x00" + line).digest(), size - 1
    for sibling in map(bytes.fromhex, path):
        if last <= 0:
            return None
        if index % 2 or index == last:
            node = hashlib.sha256(b"\x01" + sibling + node).digest()
            while index and index % 2 == 0:
                index, last = index // 2, last // 2
        else:
            node = hashlib.sha256(b"\x01" + node + sibling).digest()
        index, last = index // 2, last // 2
    return node.hex() if last == 0 else None


def links(certificate: Json, expected: str | None) -> Iterator[Line]:
    """Yield what binds each part to the digest of the run's manifest; `expected` is that digest from elsewhere."""
    def link(name: str, words: str, *pairs: tuple[Any, Any]) -> Line:
        wrong = [f"found {found}, expected {said}" for found, said in pairs if found != said]
        return not wrong, f"  {'FAILS' if wrong else 'holds'}  {name}: {'; '.join(wrong) or words}"

    manifest, verdict, proof = certificate["manifest"], certificate["verdict"], certificate["proof"]
    digests, files = verdict["digests"], {file["path"]: file["sha256"] for file in manifest["files"]}
    run = manifest["digest"]
    yield link("manifest", f"sha256 {run}", (digest_of(manifest), run), (run, expected or run))

    index, size, counted, lines = proof["index"], proof["size"], 0, range(0)
    for row in manifest["summary"]:
        if row["id"] == verdict["advisor"]:
            lines = range(counted, counted + row["runs"])
        counted += row["runs"]
    root = root_from(canonical(verdict), index, size, proof["path"])
    yield link("verdict", f"line {index + 1} of {size}, {len(proof['path'])} hashes below the root {root}",
               (root, manifest["verdicts"]), (size, counted), (index in lines, True))

    for name, record, path in (
        ("scenario", certificate["scenario"], f"inputs/bank/scenarios/{verdict['scenario']}.json"),
        ("contract", certificate["contract"], "inputs/contract.json"),
    ):
        own, spelled = digest_of(record), canonical(record) + b"\n"
        yield link(name, f"{record['id']}, sha256 {own}", (own, digests[name]), (sha256(spelled), files.get(path)))

    answers, action = certificate["answers"], certificate.get("action")
    said = sha256(b"\n".join(map(canonical, answers))) if answers else None
    read_as = None if action is None else sha256(canonical(action))
    case = verdict["scenario"], verdict["run"]
    yield link("answers", f"{len(answers)}, sha256 {said}", (said, digests.get("answer")),
               *(((one["scenario"], one["run"]), case) for one in answers))
    yield link("action", f"sha256 {read_as}" if read_as else "none was read", (read_as, digests.get("action")))

    previous = run
    for number, one in enumerate(certificate["attestations"], 1):
        chain = (one["number"], number), (one["run"], run), (one["previous"], previous)
        previous = sha256(canonical(one))
        yield link(f"attestation {number}", f"by {one['by']} at {one['at']}, sha256 {previous}", *chain)


# What the clauses read: exact numbers, and the case.


def exact(value: int | str) -> Fraction:
    """Return the number in an integer, a decimal string or "n/d"."""
    if not EXACT.match(str(value)):
        raise ValueError(f"{value!r} is no exact number")
    return Fraction(value)


def total(numbers: Iterable[Fraction]) -> Fraction:
    """Return an exact sum."""
    return sum(numbers, Fraction(0))


def written(value: Any) -> Any:
    """Return a number as records write it: an integer, or "n/d" in lowest terms; anything else as it is."""
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
    return value


COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "<=": operator.le, ">=": operator.ge, "==": operator.eq, "in": lambda left, right: left in right,
    "not in": lambda left, right: left not in right, "multiple of": lambda left, right: left % right == 0,
}


class Relation(NamedTuple):
    """One comparison that a clause makes; those that do not hold are its findings."""

    where: str
    left: Any
    op: str
    right: Any
    holds: bool
    kind: str
    details: Json

    def __str__(self) -> str:
        """Return the line of arithmetic."""
        subject = f"{self.details['subject']}: " if "subject" in self.details else ""
        return f"{subject}{self.left} {self.op} {self.right}{'' if self.holds else ' is false'}"


def relation(where: str, left: Any, op: str, right: Any, holds: bool | None = None, note: bool = False,
             **details: Any) -> Relation:
    """Return a comparison; it is made here unless the clause says itself whether it holds."""
    true = COMPARE[op](left, right) if holds is None else holds
    return Relation(where, written(left), op, written(right), true, "note" if note else "violation",
                    {name: written(value) for name, value in details.items()})


class Order(NamedTuple):
    """One order; where is its place, amount is in cents, both sizes are None where the answer gives none."""

    where: str
    name: str
    side: str
    amount: Fraction | None
    shares: Fraction | None

    @property
    def cents(self) -> Fraction:
        """The amount, 0 where there is none."""
        return self.amount or Fraction(0)


class Case:
    """A scenario and an action, with the parameters of the clause that is being decided."""

    def __init__(self, scenario: Json, action: Json, parameters: Json) -> None:
        self.scenario, self.limits, self.fees = scenario, scenario["limits"], scenario["fees"]
        self.parameters = parameters
        self.instruments: dict[str, Json] = {one["id"]: one for one in scenario["instruments"]}
        self.positions: dict[str, Json] = {one["instrument"]: one for one in scenario["account"]["positions"]}
        self.facts: dict[str, Json] = {one["id"]: one for one in scenario["facts"]}
        self.citations: list[Json] = action.get("citations", [])
        self.orders = [self._order(f"/orders/{number}", one) for number, one in enumerate(action["orders"])]
        self.sized = [order for order in self.orders if order.amount is not None]
        self.by_share = self.fees["kind"] in ("per_share", "odd_lot")

    def _order(self, where: str, record: Json) -> Order:
        price = self.instruments.get(record["instrument"], {}).get("price_cents")
        shares = exact(record["shares"]) if "shares" in record else None
        amount = exact(record["amount_cents"]) if "amount_cents" in record else None
        if shares is not None and price is not None:
            amount = shares * price
        return Order(where, record["instrument"], record["side"], amount, shares)

    def limit(self, name: str) -> Any:
        """Return the limit in force, the contract's parameter before the scenario's, as a number where it is one."""
        value = self.limits.get(name) if self.parameters.get(name) is None else self.parameters[name]
        if value is None:
            raise MissingError(f"/limits/{name}")
        return exact(value) if isinstance(value, int | str) else value

    def need(self, name: str, member: str) -> Any:
        """Return a member of an instrument without which nothing can be decided."""
        value = self.instruments.get(name, {}).get(member)
        if value is None:
            raise MissingError(f"/instruments/{name}/{member}")
        return value

    def sum(self, side: str, name: str | None = None) -> Fraction:
        """Return what the orders of a side come to in cents, those of one name or all."""
        return total(order.cents for order in self.sized if order.side == side and name in (None, order.name))

    def shares(self, order: Order) -> Fraction:
        """Return the size in shares, at the frozen price where it was given as an amount."""
        return order.cents / Fraction(self.need(order.name, "price_cents")) if order.shares is None else order.shares

    def shares_that_count(self, order: Order) -> Fraction | None:
        """Return the shares that the fee depends on, 0 where it does not, None where nothing is known of the name."""
        if not self.by_share:
            return Fraction(0)
        return self.shares(order) if order.shares is not None or order.name in self.instruments else None

    def fee(self, order: Order) -> Fraction:
        """Return the fee of one order; an order without a size, or without shares where they count, pays none."""
        shares = None if order.amount is None else self.shares_that_count(order)
        return Fraction(0) if shares is None else fee(self.fees, order.cents, shares)


# Fees, in cents; a rate is a share of the amount.


def fee(schedule: Json, amount: Fraction, shares: Fraction) -> Fraction:
    """Return the fee of one order of so many cents and shares."""
    kind = schedule["kind"]
    if amount == 0 or kind == "zero":
        return Fraction(0)
    if kind == "step":
        return Fraction(ceil(amount / schedule["tranche_cents"]) * schedule["fee_cents_per_tranche"])
    if kind == "odd_lot":
        odd = shares % schedule["lot_shares"] != 0
        return fee(schedule["base"], amount, shares) + (schedule["surcharge_cents"] if odd else 0)
    if kind == "proportional":
        due = max(exact(schedule["rate"]) * amount, Fraction(schedule["minimum_cents"]))
        due = min(due, Fraction(schedule.get("maximum_cents", due)))
    elif kind == "per_share":
        due = max(exact(schedule["cents_per_share"]) * shares, Fraction(schedule["minimum_cents"]))
        due = min(due, exact(schedule["cap"]) * amount) if "cap" in schedule else due
    elif kind in ("slab_tiers", "marginal_tiers"):
        tiers = [tier for tier in schedule["tiers"] if amount > tier["above_cents"]]
        above = [Fraction(tier["above_cents"]) for tier in tiers] if kind == "marginal_tiers" else [Fraction(0)]
        parts = [end - start for start, end in pairwise([*above, amount])]
        due = total(exact(tier["rate"]) * part for tier, part in zip(tiers[-len(parts):], parts, strict=True))
    else:
        raise UndecidedError(f"fees of the kind {kind} are unknown here")
    return Fraction(ceil(due)) if schedule["rounding"] == "up" else due


def floor(schedule: Json, tolerance: Fraction, price: int | None) -> Fraction | None:
    """Return the least order in cents whose fee is at most `tolerance` times the order; None if there is none."""
    if tolerance <= 0:
        raise MissingError("a fee tolerance above 0")
    if schedule["kind"] == "step":
        return Fraction(schedule["fee_cents_per_tranche"]) / tolerance
    if schedule["kind"] == "zero":
        return Fraction(0)
    if schedule["kind"] != "odd_lot":
        return _least(schedule, tolerance, price)
    odd = _least(schedule["base"], tolerance, price, surcharge=schedule["surcharge_cents"])
    whole = _least(schedule["base"], tolerance, price, stride=(price or 1) * schedule["lot_shares"])
    return min((least for least in (odd, whole) if least is not None), default=None)


def _least(
    schedule: Json, tolerance: Fraction, price: int | None, *, surcharge: int = 0, stride: int = 1
) -> Fraction | None:
    """Return the least multiple of `stride` cents whose fee is tolerable.

    Within a slab no fee falls, so each tolerable amount above a is at least fee(a) / tolerance: the next to try.
    """
    edges = [tier["above_cents"] for tier in schedule["tiers"]] if schedule["kind"] == "slab_tiers" else [0]
    for above, end in pairwise([*edges, 10**90]):
        multiple = above // stride + 1
        for _ in range(MOST_STEPS):
            amount = Fraction(multiple * stride)
            if amount > end:
                break
            due = fee(schedule, amount, amount / price if price else Fraction(0)) + surcharge
            if due <= tolerance * amount:
                return amount
            multiple = ceil(due / (tolerance * stride))
        else:
            raise UndecidedError(f"the smallest order worth its fee was not found in {MOST_STEPS} steps")
    return None


# The clauses, version 1 of each: the comparisons that they rest on.

Law = Callable[[Case], Iterable[Relation]]
CLAUSES: dict[str, tuple[str | None, Law]] = {}
"""By code: the limit without which the clause is not applicable, and its law."""


def clause(code: str, needs: str | None = None) -> Callable[[Law], Law]:
    """Register a law under its code."""
    def register(law: Law) -> Law:
        CLAUSES[code] = needs, law
        return law
    return register


@clause("COST01")
def fee_worsening_split(case: Case) -> Iterator[Relation]:
    """The orders of a side pay no more than one order of their total."""
    for side in ("buy", "sell"):
        orders = [order for order in case.sized if order.side == side]
        if len(orders) > 1:
            known = [(order, shares) for order in orders if (shares := case.shares_that_count(order)) is not None]
            one = fee(case.fees, total(order.cents for order, _ in known), total(shares for _, shares in known))
            yield relation("/orders", total(map(case.fee, orders)), "<=", one, side=side, orders=len(orders))


@clause("COST02", needs="fee_tolerance")
def below_floor(case: Case) -> Iterator[Relation]:
    """Each order is worth its fee, unless it sells the whole position."""
    tolerance = case.limit("fee_tolerance")
    common = None if case.by_share else floor(case.fees, tolerance, None)
    for order in case.orders if case.sized else []:
        if case.by_share and order.name not in case.instruments:
            continue
        least = floor(case.fees, tolerance, case.need(order.name, "price_cents")) if case.by_share else common
        position = case.positions.get(order.name) if order.side == "sell" else None
        size, held = (order.amount, "value_cents") if order.shares is None else (order.shares, "quantity")
        if order.amount is not None and not (position and size == exact(position[held])):
            yield relation(order.where, order.amount, ">=", least, least is not None and order.amount >= least,
                           side=order.side, instrument=order.name, fee=case.fee(order))


@clause("COST03", needs="spread_tolerance_cents")
def spread_budget(case: Case) -> Iterator[Relation]:
    """No order loses more to the spread than is tolerated."""
    for order in case.sized:
        if order.name in case.instruments:
            spread = exact(case.need(order.name, "spread"))
            yield relation(order.where, spread * order.cents, "<=", case.limit("spread_tolerance_cents"),
                           side=order.side, instrument=order.name, amount=order.amount, spread=spread)


@clause("COV01", needs="deployment_required")
def required_deployment(case: Case) -> Iterator[Relation]:
    """Something is bought."""
    yield relation("/orders", sum(order.side == "buy" for order in case.orders), ">=", 1)


@clause("LIM01", needs="recommendation_cap")
def recommendation_cap(case: Case) -> Iterator[Relation]:
    """No more different names are bought than allowed."""
    names = {order.name for order in case.orders if order.side == "buy"}
    yield relation("/orders", len(names), "<=", case.limit("recommendation_cap"))


@clause("LIM02")
def cash_overrun(case: Case) -> Iterator[Relation]:
    """The buys, with fees where the contract includes them, stay within the cash and the sales that may fund them."""
    fees = case.parameters.get("fees", "excluded")
    needed = case.sum("buy") + (total(map(case.fee, case.orders)) if fees == "included" else 0)
    funds = case.scenario["account"]["cash_cents"] + (case.sum("sell") if case.limits["sales_fund_buys"] else 0)
    yield relation("/orders", needed, "<=", funds, fees=fees)


def weights(case: Case, member: str, caps: Callable[[Any], Fraction | None], more: Iterable[str] = (),
            parts: int = 1) -> Iterator[Relation]:
    """Compare the weight of each group after the action with its cap; only what is bought on balance can fail.

    Args:
        case: the case.
        member: the member of an instrument that names its group.
        caps: the cap of a group times `parts`, None where it has none.
        more: groups that are compared although nothing of them is held or ordered.
        parts: the cap is written with its denominator times this.
    """
    held: dict[Any, Fraction] = defaultdict(Fraction)
    net: dict[Any, Fraction] = defaultdict(Fraction)
    for name, position in case.positions.items():
        held[case.need(name, member)] += position["value_cents"]
    for order in case.sized:
        if order.name in case.instruments:
            net[case.need(order.name, member)] += order.cents if order.side == "buy" else -order.cents
    before = total(held.values())
    whole = {"holdings_before": before, "holdings_after": before + case.sum("buy") - case.sum("sell"),
             "holdings_after_with_cash": before + case.scenario["account"]["cash_cents"],
             }[case.parameters.get("denominator", "holdings_after")]
    for group in dict.fromkeys([*net, *held, *more]):
        if (cap := caps(group)) is not None:
            after, bought = held[group] + net[group], net[group] > 0
            scale, verb = lcm(after.denominator, whole.denominator), "bought" if bought else "not bought"
            weight, most = f"{after * scale}/{whole * scale}", f"{cap.numerator}/{cap.denominator * parts}"
            yield relation("/orders", weight, "<=", most, after * parts <= cap * whole, not bought,
                           subject=group, bought=verb)


@clause("LIM03", needs="position_multiple")
def position_weight(case: Case) -> Iterator[Relation]:
    """A bought name stays within a multiple of equal weight."""
    multiple, names = case.limit("position_multiple"), case.limit("equal_weight_names")
    yield from weights(case, "id", lambda _: multiple, parts=int(names))


@clause("LIM04", needs="theme_cap")
def theme_exposure(case: Case) -> Iterator[Relation]:
    """A bought theme stays within its cap."""
    cap = case.limit("theme_cap")
    yield from weights(case, "theme", lambda _: cap)


@clause("LIM05", needs="sector_caps")
def sector_exposure(case: Case) -> Iterator[Relation]:
    """A bought sector stays within its cap, where it has one."""
    caps = {sector: exact(cap) for sector, cap in case.limit("sector_caps").items()}
    yield from weights(case, "sector", caps.get, caps)


@clause("LIM06", needs="liquidity_fraction")
def liquidity(case: Case) -> Iterator[Relation]:
    """The buys of a name stay within a part of its traded volume."""
    for name in dict.fromkeys(order.name for order in case.sized if order.side == "buy"):
        if name in case.instruments:
            volume = case.need(name, "volume_cents")
            yield relation("/orders", case.sum("buy", name), "<=", case.limit("liquidity_fraction") * volume,
                           instrument=name, volume=volume)


@clause("SIZE01", needs="whole_shares")
def integer_shares(case: Case) -> Iterator[Relation]:
    """Shares come in whole lots; where it is allowed, one sale of a name may carry the odd remainder."""
    carried = set()
    for order in case.orders:
        if order.name not in case.instruments or (order.amount, order.shares) == (None, None):
            continue
        shares, lot = case.shares(order), case.instruments[order.name]["lot_shares"]
        if order.side == "sell" and case.limits["odd_lot_remainder"] and order.name not in carried:
            rest = exact(case.positions.get(order.name, {"available": -1})["available"]) - shares
            if shares.denominator == 1 and rest >= 0 and rest % lot == 0:
                carried.add(order.name)
                continue
        yield relation(order.where, shares, "multiple of", lot, side=order.side, instrument=order.name)


@clause("UNIV01")
def out_of_universe(case: Case) -> Iterator[Relation]:
    """Each ordered name is in the allowed set."""
    allowed = {*case.scenario["universe"]}
    for order in case.orders:
        yield relation(f"{order.where}/instrument", order.name, "in", "/universe", order.name in allowed)


@clause("UNIV02", needs="add_only")
def already_owned(case: Case) -> Iterator[Relation]:
    """What is held is not bought."""
    owned = {name for name, position in case.positions.items() if exact(position["quantity"]) > 0}
    for order in case.orders:
        if order.side == "buy":
            yield relation(f"{order.where}/instrument", order.name, "not in", "/account/positions",
                           order.name not in owned)


@clause("UNIV03", needs="restricted")
def restricted_list(case: Case) -> Iterator[Relation]:
    """Neither a name nor its issuer is on the restricted list."""
    restricted = case.limits["restricted"]
    for order in case.orders:
        if order.side == "buy" or case.parameters.get("sides", "both") == "both":
            blocked = order.name in restricted or (order.name in case.instruments and any(
                case.need(name, "issuer") == case.need(order.name, "issuer") for name in restricted))
            yield relation(f"{order.where}/instrument", order.name, "not in", "/limits/restricted", not blocked)


@clause("UNIV04")
def not_held(case: Case) -> Iterator[Relation]:
    """The sales of a name stay within what is available of it, in shares, or in cents where no price is frozen."""
    for name in dict.fromkeys(order.name for order in case.orders if order.side == "sell"):
        sales = [order for order in case.orders if order.side == "sell" and order.name == name]
        sized = [order for order in sales if (order.amount, order.shares) != (None, None)]
        position = case.positions.get(name, {"quantity": 0, "available": 0, "value_cents": 0})
        available, unit, each = exact(position["available"]), "shares", Fraction(1)
        if all(order.shares is not None for order in sized) or "price_cents" in case.instruments.get(name, {}):
            asked = total(map(case.shares, sized))
        else:
            unit, each = "cents", Fraction(position["value_cents"]) / (exact(position["quantity"]) or 1)
            asked = total(order.cents if order.shares is None else order.shares * each for order in sized)
        yield relation(sales[0].where, asked if sized else "no stated size", "<=", available * each,
                       asked <= available * each != 0, measure=unit, instrument=name)


@clause("UNIV05", needs="trims_forbidden")
def trim_not_allowed(case: Case) -> Iterator[Relation]:
    """Every order is a buy."""
    for order in case.orders:
        yield relation(f"{order.where}/side", order.side, "==", "buy")


@clause("GRND01")
def ungrounded_fact(case: Case) -> Iterator[Relation]:
    """Each cited fact is one of the scenario's."""
    for number, citation in enumerate(case.citations):
        yield relation(f"/citations/{number}/id", citation["id"], "in", "/facts", citation["id"] in case.facts)


@clause("GRND02")
def fact_mismatch(case: Case) -> Iterator[Relation]:
    """What is stated of a fact is what is frozen: decimal numbers by value, all else as text."""
    for number, citation in enumerate(case.citations):
        for member in ("value", "unit", "as_of"):
            if member in citation and citation["id"] in case.facts:
                sides = citation[member], case.facts[citation["id"]].get(member)
                numbers = all(DECIMAL.match(side or "") for side in sides)
                same = len({Fraction(str(side)) if numbers else side for side in sides}) == 1
                yield relation(f"/citations/{number}/{member}", sides[0], "==", sides[1], same)


# The verdict of each clause, and the report.


class Decided(NamedTuple):
    """One clause: its stored state, whether all that was recomputed agrees, how, and a line of arithmetic."""

    code: str
    state: str
    holds: bool
    how: str
    said: str


def decide(certificate: Json) -> Iterator[Decided]:
    """Yield every clause of the contract, decided again as far as this program can."""
    verdict, scenario, day = certificate["verdict"], certificate["scenario"], certificate["scenario"]["as_of"]
    for terms in sorted(certificate["contract"]["clauses"], key=lambda one: str(one["code"])):
        code, parameters = terms["code"], terms["parameters"]
        state, stored = verdict["clauses"][code], [one for one in verdict.get("findings", []) if one["code"] == code]
        in_force = terms.get("effective_from", day) <= day <= terms.get("effective_to", day)
        broken = "FAIL" if in_force and terms["severity"] == "violation" else "WAIVED"
        if code not in CLAUSES or terms["version"] != 1:
            yield inspect(code, state, broken, stored, certificate)
            continue
        needs, law = CLAUSES[code]
        expected, found, how = "NOT_APPLICABLE", [], RECOMPUTED
        declared = needs is None or parameters.get(needs, scenario["limits"].get(needs))
        if declared is None or declared is False:
            said = f"the scenario declares no /limits/{needs}"
        else:
            try:
                relations = list(law(Case(scenario, certificate["action"], parameters)))
                found = [one for one in relations if not one.holds]
                expected = broken if any(one.kind == "violation" for one in found) else "PASS"
                said = _listed([*found, *(one for one in relations if one.holds)]) or "there is nothing to compare"
            except MissingError as missing:
                expected, said = "ERROR", f"needs {missing}, which is not frozen"
            except UndecidedError as reason:
                expected, said, how = state, str(reason), BOUND
        agrees = expected == state and (how == BOUND or state == "ERROR" or _same(stored, found))
        yield Decided(code, state, agrees, how, said if agrees else f"DISAGREES, recomputed is {expected}: {said}")


def _listed(relations: list[Relation], most: int = 3) -> str:
    more = f"; and {len(relations) - most} more" if len(relations) > most else ""
    return "; ".join(map(str, relations[:most])) + more


def _same(stored: list[Json], found: list[Relation]) -> bool:
    """Return whether findings are the same comparisons in the same places, with the details that were recomputed."""
    def key(record: Json) -> str:
        compared = [record[name] for name in ("kind", "where", "left", "op", "right")]
        return repr([*compared, record["details"].get("subject")])

    ours, theirs = sorted(map(Relation._asdict, found), key=key), sorted(stored, key=key)
    return [*map(key, ours)] == [*map(key, theirs)] and all(
        one["details"].items() <= other["details"].items() for one, other in zip(ours, theirs, strict=True))


def inspect(code: str, state: str, broken: str, stored: list[Json], certificate: Json) -> Decided:
    """Look at the evidence of a clause that is not decided again: spans of text, and comparisons of its own numbers."""
    rules = {entry["id"]: (entry["role"], lexicon) for lexicon in certificate["contract"].get("lexicons", [])
             for entry in lexicon["entries"]}
    cards = {card["id"]: card for card in certificate["contract"].get("scorecards", [])}
    kinds, said, spans = {one["kind"] for one in stored}, [], 0
    expected = ["ERROR"] if "error" in kinds else [broken] if "violation" in kinds else ["PASS", "NOT_APPLICABLE"]
    wrong = [] if state in expected else [f"its findings give {' or '.join(expected)}"]
    for one in stored:
        details, sides = one["details"], [str(one["left"]), str(one["right"])]
        if {"start", "end", "text"} <= details.keys():
            text = _text_at(certificate, one["where"])[details["start"]:details["end"]]
            text = re.sub("[\ud800-\udfff]", "\ufffd", text)  # as evidence shows a lone surrogate
            role, lexicon = rules.get(details.get("rule"), (None, None))
            spans += 1
            said.append(f"{text!r} at {one['where']} [{details['start']}:{details['end']}]")
            if lexicon is not None:
                said[-1] += f" by {details['rule']} of {lexicon['id']} sha256 {sha256(canonical(lexicon))}"
            if text != details["text"] or not text or (one["unit"] == "words" and role != one["right"]):
                wrong.append(f"evidence is {details['text']!r} by {details.get('rule')} ({one['right']})")
            if one["unit"] == "points":
                card = cards.get(details.get("rule"), {})
                said[-1] += f" weighs {sides[0]} points of at most {sides[1]} on {details.get('rule')}"
                wrong += _weighed_wrongly(card, code, _limit_of(certificate, code), one)
        elif one["op"] in ("<=", ">=", "==") and all(map(EXACT.match, sides)):
            true = COMPARE[one["op"]](*map(exact, sides))
            said.append(f"{sides[0]} {one['op']} {sides[1]} is {'true' if true else 'false'}")
            wrong += ["so nothing is broken"] if true else []
    seen = spans > 0 and spans == len(stored) and all(one["unit"] != "points" for one in stored)
    said.append("what it means, by digest only" if seen else f"source {certificate['manifest']['sources'].get(code)}")
    said += [f"DISAGREES: {one}" for one in wrong]
    return Decided(code, state, not wrong, RECOMPUTED if seen else BOUND, "; ".join(said))


def _limit_of(certificate: Json, code: str) -> int | None:
    clauses = certificate["contract"]["clauses"]
    return next((one.get("parameters", {}).get("limit") for one in clauses if one["code"] == code), None)


def _weighed_wrongly(card: Json, code: str, limit: int | None, one: Json) -> Iterator[str]:
    """Yield what of the points of a passage is not as the contract's scorecard says; their sum is not made again."""
    sides = [one["left"], one["right"]]
    if card.get("code") != code or limit != sides[1] or any(type(side) is not int for side in sides) or (
            sides[0] <= sides[1]):
        yield f"the scorecard of {code} allows no such points"
    weights = {f"{run} {points:+}" for run, points in card.get("weights", {}).items()}
    yield from (f"{named!r} is no weight of it" for named in str(one["details"].get("weights")).split(", ")
                if named not in weights)


def _text_at(certificate: Json, pointer: str) -> str:
    """Return the text at a JSON Pointer into the action, or into the scenario for a turn of the dialogue."""
    value: Any = certificate["scenario" if pointer.startswith("/dialogue/") else "action"]
    for part in pointer.split("/")[1:]:
        value = value[int(part)] if isinstance(value, list) else value[part]
    return str(value)


def state_of(verdict: Json, action: Json) -> str:
    """Return the run's state from those of its clauses."""
    states = verdict["clauses"].values()
    worst = "ERROR" if "ERROR" in states else "INADMISSIBLE" if "FAIL" in states else None
    return worst or ("ADMISSIBLE" if action["orders"] or action.get("turns") else "ABSTAINED")


def report(certificate: Json, expected: str | None) -> Iterator[Line]:
    """Yield the lines of the report, each with whether it holds."""
    verdict, contract, action = certificate["verdict"], certificate["contract"], certificate.get("action")
    name = f"{verdict['advisor']}/{verdict['scenario']}/{verdict['run']}"
    yield True, f"{name} is {verdict['state']} under {contract['id']} version {contract['version']}"
    yield from links(certificate, expected)
    if action is None:
        fault, unread = verdict["fault"], verdict["state"] in ("ERROR", "TRUNCATED", "MALFORMED")
        empty = verdict["clauses"] == {} and "findings" not in verdict
        yield unread and empty, (f"  {BOUND if unread and empty else 'FAILS'}: no action was read, "
                                 f"at {fault['where'] or '/'}: {fault['what']}")
        return
    yield True, f"  {BOUND}: the action is what {certificate['manifest']['parser']} reads in the answers"
    codes = {one["code"] for one in contract["clauses"]}
    complete = codes == verdict["clauses"].keys() and codes >= {one["code"] for one in verdict.get("findings", [])}
    yield complete, f"  {'holds' if complete else 'FAILS'}  the verdict has the {len(codes)} clauses of the contract"
    for one in decide(certificate):
        yield one.holds, f"  {one.code:<8}{one.state:<16}{one.how:<22}{one.said}"
    state = state_of(verdict, action)
    wrong = "" if state == verdict["state"] else "DISAGREES, "
    yield not wrong, f"  {'all':<8}{verdict['state']:<16}{RECOMPUTED:<22}{wrong}the clauses give {state}"


def check(raw: bytes, expected: str | None = None) -> tuple[int, list[str]]:
    """Return (exit code, lines of the report) of a certificate's bytes; expected: the manifest's digest, if known."""
    try:
        certificate = read(raw)
        if certificate.get("format") != "certificate/1":
            return 3, [f"found format {certificate.get('format')!r}, this program reads certificate/1"]
        lines = list(report(certificate, expected))
    except ChangedError as error:
        return 1, [f"FAILS: the file {error}"]
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        return 1, [f"FAILS: the file has not the form of a certificate: {type(error).__name__}: {error}"]
    failed = sum(not holds for holds, _ in lines)
    end = f"{failed} of these lines do not hold" if failed else f"everything holds; sha256 {certificate['digest']}"
    return int(failed > 0), [*(text for _, text in lines), end]


def main(arguments: list[str] | None = None) -> int:
    """Check the file that the command line names, print the report and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="the certificate")
    parser.add_argument("--manifest", metavar="SHA256", help="the digest of the run's manifest, known from elsewhere")
    given = parser.parse_args(arguments)
    try:
        with open(given.file, "rb") as file:
            raw = file.read(MOST_BYTES + 1)
    except OSError as error:
        print(f"{given.file}: cannot be read ({error.strerror})", file=sys.stderr)
        return 3
    if len(raw) > MOST_BYTES:
        print(f"{given.file}: has more than {MOST_BYTES} bytes", file=sys.stderr)
        return 3
    code, lines = check(raw, given.manifest)
    for line in lines:
        shown = "".join(one if one.isprintable() else f"\\u{ord(one):04x}" for one in line)
        sys.stdout.buffer.write(f"{shown}\n".encode(errors="backslashreplace"))
    return code


if __name__ == "__main__":
    sys.exit(main())
