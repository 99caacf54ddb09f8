"""The typed action: what an advisor's answer asks to be executed.

Plain frozen records, because they lie on the verdict's hot path. Amounts are integer cents; only an
order given in fractional shares may come to a fraction of a cent, and it is kept exact. Totals are
derived once, when the action is made, and are not serialised.
"""

from collections.abc import Sequence, Set
from fractions import Fraction
from typing import Any, NamedTuple

from scenarios.exact import decimal_text, exact_json

Amount = int | Fraction


class Order(NamedTuple):
    """One instrument and its size.

    amount: notional in cents, None where the answer gives no size. shares: as answered, None where the
    order was sized by amount. confidence: the decimal string as answered.
    """

    instrument: str
    side: str = "buy"
    amount: Amount | None = None
    shares: Amount | None = None
    confidence: str | None = None
    reason: str | None = None


class Citation(NamedTuple):
    """A cited fact id, with the value, unit and date that the answer states, if it states them."""

    id: str
    value: str | None = None
    unit: str | None = None
    as_of: str | None = None

    def record(self) -> dict[str, str]:
        """Return the stated members."""
        record = {"id": self.id}
        if self.value is not None:
            record["value"] = self.value
        if self.unit is not None:
            record["unit"] = self.unit
        if self.as_of is not None:
            record["as_of"] = self.as_of
        return record


class Said(NamedTuple):
    """The advisor's words in one turn of an episode; turn is the dialogue's turn that they answer, from 1."""

    turn: int
    message: str


class Action:
    """Orders, citations and words, with the totals that the clauses read.

    Args:
        buys: buy_amounts and bought_of, from a reader that has them at hand and met nothing but sized buys.

    Attributes:
        orders, citations, message: as answered, in answered order.
        prose: what stands around the answer's JSON object, in order; a reader of the answer reads it too.
        turns: in an episode, what the advisor said, in order of turn.
        buy_amounts, sell_amounts: notionals in cents of the sized orders of one side.
        bought, sold: their sums in cents.
        bought_of, sold_of: their sums by instrument; net_of: the first less the second.
        names, bought_names: the instruments of all orders and of the buys, sized or not.
        cited: the ids of the cited facts.
    """

    __slots__ = ("bought", "bought_names", "bought_of", "buy_amounts", "citations", "cited", "message", "names",
                 "net_of", "orders", "prose", "sell_amounts", "sold", "sold_of", "turns")

    def __init__(
        self, orders: Sequence[Order] = (), citations: Sequence[Citation] = (), message: str | None = None,
        prose: Sequence[str] = (), turns: Sequence[Said] = (),
        buys: tuple[list[Amount], dict[str, Amount]] | None = None,
    ) -> None:
        self.orders = tuple(orders)
        self.citations = tuple(citations)
        self.cited: Set[str] = {citation[0] for citation in self.citations}
        self.message = message
        self.prose = prose
        self.turns = turns
        sells: list[Amount] = []
        sold_of: dict[str, Amount] = {}
        amounts, bought_of = ([], {}) if buys is None else buys
        for instrument, side, amount, _, _, _ in self.orders if buys is None else ():
            if amount is None:
                continue
            if side == "buy":
                amounts.append(amount)
                bought_of[instrument] = bought_of[instrument] + amount if instrument in bought_of else amount
            else:
                sells.append(amount)
                sold_of[instrument] = sold_of.get(instrument, 0) + amount
        self.buy_amounts = amounts
        self.sell_amounts = sells
        self.bought = sum(amounts)
        self.sold = sum(sells) if sells else 0
        self.bought_of = bought_of
        self.sold_of = sold_of
        self.net_of = bought_of
        if sold_of:
            self.net_of = {name: bought_of.get(name, 0) - sold_of.get(name, 0) for name in {**bought_of, **sold_of}}
        self.names: Set[str]
        self.bought_names: Set[str]
        self.names = self.bought_names = bought_of.keys()
        if len(amounts) < len(self.orders):
            self.names = {order.instrument for order in self.orders}
            self.bought_names = {order.instrument for order in self.orders if order.side == "buy"}

    @property
    def abstained(self) -> bool:
        """Whether the answer asks for no order, and in an episode says nothing either."""
        return not self.orders and not any(said.message for said in self.turns)

    def record(self) -> dict[str, Any]:
        """Return the action as it is hashed: answered members only, exact, in answered order."""
        orders = []
        for instrument, side, amount, shares, confidence, reason in self.orders:
            order: dict[str, Any] = {"instrument": instrument, "side": side}
            if shares is not None:
                order["shares"] = decimal_text(shares)
            elif amount is not None:
                order["amount_cents"] = amount if type(amount) is int else exact_json(amount)
            if confidence is not None:
                order["confidence"] = confidence
            if reason is not None:
                order["reason"] = reason
            orders.append(order)
        record: dict[str, Any] = {"orders": orders}
        if self.citations:
            record["citations"] = [citation.record() for citation in self.citations]
        if self.message is not None:
            record["message"] = self.message
        if self.prose:
            record["prose"] = list(self.prose)
        if self.turns:
            record["turns"] = [said._asdict() for said in self.turns]
        return record

    __hash__ = None  # type: ignore[assignment]  # equal actions have equal records, and a record is not hashable

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Action) and self.record() == other.record()
