"""Fees as pieces: can splitting an order be cheaper, and from which amount is the fee small enough?

On whole cents every schedule is a row of straight pieces, f(a) = constant + slope * a, which may then be
rounded up to a multiple of a unit: 1 where a schedule rounds to the cent, the fee per tranche for a step
fee, 0 for no rounding. Both questions are decided on that description, in exact numbers.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise
from math import ceil
from typing import NamedTuple

from scenarios.errors import ScenarioError
from scenarios.exact import decimal_text

Exact = int | Fraction
SEARCHED_CENTS = 500
STEPS = 10_000


class Piece(NamedTuple):
    """f(a) = constant + slope * a in cents on the whole cents first <= a <= last (None: without end)."""

    first: int
    last: int | None
    constant: Exact
    slope: Exact

    def at(self, amount: Exact) -> Exact:
        """Return the unrounded fee in cents of an amount in this piece."""
        return self.constant + self.slope * amount


class Subadditivity(NamedTuple):
    """Whether f(a) + f(b) >= f(a + b) for all orders of whole cents, so that splitting never saves fees.

    holds: None where it could not be decided. proof: the argument for these parameters.
    counterexample: two amounts in cents that cost less apart than as one order.
    scope: the orders that the claim is about.
    """

    holds: bool | None
    proof: str
    counterexample: tuple[int, int] | None = None
    scope: str = "any orders"


class Floor(NamedTuple):
    """The smallest order whose fee is tolerable, in cents, and the equation that gave it.

    floor: None where no order qualifies, and then every order is below it.
    """

    floor: Exact | None
    equation: str


def round_up(fee: Exact, unit: int) -> Exact:
    """Return the least multiple of unit that is not below the fee; unit 0 leaves it exact."""
    return -(-fee // unit) * unit if unit else fee


def exact_text(number: Exact) -> str:
    """Return a number as a decimal where it has a finite one, else as numerator/denominator."""
    try:
        return decimal_text(number)
    except ValueError:
        return str(number)


def pieces_above(*starts: tuple[int, Exact, Exact]) -> tuple[Piece, ...]:
    """Return pieces from (above, constant, slope): each holds above its edge, up to and including the next.

    The edges are in order, the first is 0; a piece between two equal edges is left out.
    """
    ends = [above for above, _, _ in starts[1:]] + [None]
    return tuple(
        Piece(above + 1, end, constant, slope)
        for (above, constant, slope), end in zip(starts, ends, strict=True)
        if end is None or above < end
    )


def decide_subadditivity(pieces: Sequence[Piece], unit: int = 0) -> Subadditivity:
    """Return whether the fee is subadditive on whole cents, with the argument or two amounts that refute it.

    If f(a) / a never rises, f(a + b) = (a + b) * f(a + b) / (a + b) <= f(a) + f(b). Otherwise
    f(a) + f(b) - f(a + b) is linear wherever a, b and a + b each stay in one piece. The corners of these
    cells are whole (the constraints are intervals of a, b and a + b) and where a cell is unbounded the
    difference does not change, so its least value stands at a corner. Rounding up keeps subadditivity,
    since ceil(x + y) <= ceil(x) + ceil(y). It may also mend a fault. In the last piece, after a number of
    cents that makes slope * a a multiple of the unit, the rounded difference repeats itself, so that
    comparing all pairs up to there decides; the answer is undecided if that is above 500 cents and neither
    a corner nor a pair up to 500 cents refutes it. A fault of 2 cents or more is always found at a corner.
    """
    kept = "; rounding up keeps it" if unit else ""
    if _average_never_rises(pieces):
        return Subadditivity(True, "f(a) / a never rises" + kept)

    def fee(amount: int) -> Exact:
        return next(piece for piece in pieces if piece.last is None or amount <= piece.last).at(amount)

    edges = [edge for piece in pieces for edge in (piece.first, piece.last) if edge is not None]
    corners = {(a, b) for a in edges for b in edges} | {(a, whole - a) for a in edges for whole in edges if a < whole}
    ranked = sorted((_excess(fee, a, b), a, b) for a, b in corners)
    least, a, b = ranked[0]
    if least >= 0:
        return Subadditivity(
            True, f"f(a) + f(b) - f(a + b) is never below {exact_text(least)}, as at the tier edges {a} and {b}" + kept
        )
    if not unit:
        return _refuted(fee, a, b)

    def rounded(amount: int) -> Exact:
        return round_up(fee(amount), unit)

    for excess, x, y in ranked:
        if excess < 0 and _excess(rounded, x, y) < 0:
            return _refuted(rounded, x, y)
    reach = pieces[-1].first - 1 + Fraction(pieces[-1].slope, unit).denominator
    searched = min(reach, SEARCHED_CENTS)
    paid = [rounded(amount) for amount in range(2 * searched + 1)]
    for x, y in combinations_with_replacement(range(1, searched + 1), 2):
        if paid[x] + paid[y] < paid[x + y]:
            return _refuted(rounded, x, y)
    if searched == reach:
        return Subadditivity(True, f"compared for all orders up to {reach} cents; beyond, the rounding repeats itself")
    return Subadditivity(
        None,
        f"undecided: unrounded, {a} and {b} cost {exact_text(-least)} cents less apart; rounded up, no pair at the "
        f"tier edges or up to {searched} cents does, but only pairs up to {reach} cents would prove it",
    )


def least_amount(
    pieces: Sequence[Piece], tolerance: Fraction, *, unit: int = 0, surcharge: int = 0, stride: int = 1
) -> int | None:
    """Return the least amount in cents with fee + surcharge <= tolerance * amount, or None if there is none.

    Only multiples of stride are looked at. In each piece the search starts at the least solution of the
    unrounded inequality, which a rounded fee cannot undercut. From there, if a is no solution, no amount
    below fee(a) / tolerance is one, since fees do not fall within a piece; that is the next a to try. Where
    the slope is at least the tolerance, one period of the rounding decides: what is tolerable one period
    later is tolerable now.

    Args:
        pieces: the unrounded fee, with slopes >= 0.
        tolerance: largest share of the amount that the fee may take, > 0.
        unit: the fee is rounded up to a multiple of it, before the surcharge; 0 for no rounding.
        surcharge: whole cents on top of the fee.
        stride: cents, > 0.

    Raises:
        ScenarioError: more than 10 000 steps in one piece, which takes rates of many digits.
    """
    allowed = tolerance * stride
    for piece in pieces:
        first = -(-piece.first // stride)
        last = None if piece.last is None else piece.last // stride
        needed, gain = piece.constant + surcharge, allowed - piece.slope * stride  # unrounded: needed <= gain * n
        if gain > 0:
            first = max(first, ceil(needed / gain))
        elif needed > gain * first:
            continue
        elif unit:
            period_end = first + Fraction(piece.slope * stride, unit).denominator - 1
            last = period_end if last is None else min(last, period_end)
        multiple = _least_rounded(piece, first, last, allowed, unit, surcharge, stride)
        if multiple is not None:
            return multiple * stride
    return None


def _least_rounded(
    piece: Piece, first: int, last: int | None, allowed: Fraction, unit: int, surcharge: int, stride: int
) -> int | None:
    multiple = first
    for _ in range(STEPS):
        if last is not None and multiple > last:
            return None
        due = round_up(piece.at(multiple * stride), unit) + surcharge
        if due <= allowed * multiple:
            return multiple
        multiple = ceil(due / allowed)
    raise ScenarioError(
        "/fees", f"the floor was not found within {STEPS} steps", "write the rates and the tolerance with fewer digits"
    )


def _average_never_rises(pieces: Sequence[Piece]) -> bool:
    edges_hold = all(
        after.at(after.first) * (after.first - 1) <= before.at(after.first - 1) * after.first
        for before, after in pairwise(pieces)
    )
    return edges_hold and all(piece.constant >= 0 for piece in pieces)


def _excess(fee: Callable[[int], Exact], a: int, b: int) -> Exact:
    return fee(a) + fee(b) - fee(a + b)


def _refuted(fee: Callable[[int], Exact], a: int, b: int) -> Subadditivity:
    return Subadditivity(
        False,
        f"orders of {a} and {b} cents cost {exact_text(fee(a) + fee(b))} apart and {exact_text(fee(a + b))} as one",
        (a, b),
    )
