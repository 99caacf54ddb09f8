"""Many typed actions at once: a table of columns, judged in chunks by the clauses' columns faces.

Parsing stays outside: the columns hold what the law reads, as integers. A face sees one chunk of them, with
the sums that several clauses share made once, and says which actions fail. Money is int64 cents from end to
end; a product is only taken after a check that it fits, so nothing wraps round and nothing is rounded.

What a table cannot hold is refused and never approximated: an order given in shares whose notional is a
fraction of a cent, and an order of 10^13 cents or more. Where a clause would end in ERROR, because a declared
limit's input is missing, no mask can tell it from a pass, so the whole call is refused with its place.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from predicates.registry import Params, Predicate, Unsupported
from scenarios.action import Action
from scenarios.costs import is_whole_position
from scenarios.errors import ScenarioError
from scenarios.money import AMOUNT_BOUND_CENTS
from scenarios.types import Instrument, Scenario
from verifier.contract import Judge

Integers = npt.NDArray[np.integer[Any]]
Cents = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

CHUNK = 4096
"""Actions of one chunk: few enough that its arrays stay in the processor's cache."""

BUY, SELL, SELL_ALL = 0, 1, 2
"""The sides of an order; SELL_ALL sells the whole position, which COST02 does not judge."""


class ActionColumns(NamedTuple):
    """Actions as columns of any integer type. The orders of action i stand at order_ends[i - 1] to order_ends[i].

    scenario: index into the list of scenarios, one for each action. order_ends, citation_ends: for each
    action, how many orders and citations it and those before it have.
    instrument: for each order, the index of its instrument in the scenario; the first index past the end, and
    any above it, is a name that the scenario does not know, one for each name.
    side: BUY, SELL or SELL_ALL. cents: notional, 1 to 10^13 - 1, or 0 for an order without a size.
    fact: for each citation, the index of its fact in the scenario; past the end is an unknown fact.
    """

    scenario: Integers
    order_ends: Integers
    instrument: Integers
    side: Integers
    cents: Integers
    citation_ends: Integers
    fact: Integers

    def __len__(self) -> int:
        """Return the number of actions."""
        return len(self.scenario)


def make_columns(scenarios: Sequence[Scenario], actions: Iterable[tuple[int, Action]]) -> ActionColumns:
    """Return actions as columns.

    Args:
        scenarios: what the actions answer.
        actions: (index of the scenario, action) pairs.

    Raises:
        ScenarioError: an order's notional is no whole number of cents from 1 to 10^13 - 1, or is unknown
            although it is given in shares.
    """
    places = [{item.id: index for index, item in enumerate(scenario.instruments)} for scenario in scenarios]
    facts = [{fact: index for index, fact in enumerate(scenario.fact_of)} for scenario in scenarios]
    rows: list[tuple[int, int, int]] = []
    orders: list[tuple[int, int, int]] = []
    cited: list[int] = []
    for which, action in actions:
        scenario, place, known_facts = scenarios[which], places[which], facts[which]
        unknown: dict[str, int] = {}
        for index, order in enumerate(action.orders):
            name = place.get(order.instrument)
            if name is None:
                name = len(place) + unknown.setdefault(order.instrument, len(unknown))
            cents = order.amount
            if cents is None and order.shares is None:
                cents = 0
            elif type(cents) is not int or not 0 < cents < AMOUNT_BOUND_CENTS:
                raise ScenarioError(
                    f"action {len(rows)}#/orders/{index}", f"its notional is {cents} cents",
                    "columns hold whole cents from 1 to 10^13 - 1; judge this action by itself",
                )
            side = BUY if order.side == "buy" else SELL_ALL if is_whole_position(scenario, order) else SELL
            orders.append((name, side, cents))
        cited += [known_facts.get(citation.id, len(known_facts)) for citation in action.citations]
        rows.append((which, len(orders), len(cited)))
    scenario_column, order_ends, citation_ends = np.array(rows, np.int64).reshape(-1, 3).T
    instrument, side_column, cents_column = np.array(orders, np.int64).reshape(-1, 3).T
    return ActionColumns(
        scenario_column, order_ends, instrument, side_column, cents_column, citation_ends, np.array(cited, np.int64)
    )


class ScenarioColumns:
    """What the faces read of the scenarios, as arrays that are made once and serve every chunk."""

    def __init__(self, scenarios: Sequence[Scenario]) -> None:
        self.scenarios = tuple(scenarios)
        self.instruments = np.array([len(scenario.instruments) for scenario in scenarios], np.int64)
        # Every scenario's instruments lie one after the other, then one place for all unknown names.
        self.first = np.cumsum(self.instruments + 1) - (self.instruments + 1)
        self._made: dict[str, Any] = {}

    def once(self, name: str, make: Callable[[], Any]) -> Any:
        """Return what `make` returned when it was first called under this name."""
        if name not in self._made:
            self._made[name] = make()
        return self._made[name]

    def each(self, name: str, read: Callable[[Scenario], int]) -> Cents:
        """Return an integer of every scenario."""
        return self.once(name, lambda: _int64(name, map(read, self.scenarios)))  # type: ignore[no-any-return]

    def each_name(self, name: str, read: Callable[[Scenario, Instrument | None], int]) -> Cents:
        """Return an integer of every instrument of every scenario, and of None for its unknown names."""
        return self.once(name, lambda: _int64(name, (  # type: ignore[no-any-return]
            read(scenario, instrument) for scenario in self.scenarios for instrument in (*scenario.instruments, None)
        )))


class Groups(NamedTuple):
    """Orders put together by action and one more key; each group has at least one order.

    action: the group's action. first: one of the group's orders. net: cents bought less cents sold.
    bought: whether one of its orders is a buy, sized or not.
    """

    action: Cents
    first: Cents
    net: Cents
    bought: Flags


class Table:
    """One chunk of actions, as a columns face sees it.

    Attributes:
        size: number of actions.
        scenario: index of each action's scenario. action: index of each order's action in the chunk.
        place: index of each order's name in what `of_names` reads. known: whether the scenario knows it.
        buys, sized, closing: whether each order is a buy, has a size, sells the whole position.
        cents: notional of each order, 0 without a size.
    """

    def __init__(self, frozen: ScenarioColumns, columns: ActionColumns, start: int, stop: int) -> None:
        self.frozen = frozen
        self.size = stop - start
        self.scenario = columns.scenario[start:stop].astype(np.int64)
        _within("scenario", self.scenario, len(frozen.scenarios), start)
        self._orders, counts = _span(columns.order_ends, start, stop, len(columns.cents), "order_ends")
        self._citations, self._cited = _span(columns.citation_ends, start, stop, len(columns.fact), "citation_ends")
        self._columns = columns
        self.action = np.repeat(np.arange(self.size), counts)
        self.cents = columns.cents[self._orders].astype(np.int64)
        _within("cents", self.cents, AMOUNT_BOUND_CENTS, start)
        side = columns.side[self._orders]
        _within("side", side, SELL_ALL + 1, start)
        self.buys: Flags = side == BUY
        self.closing: Flags = side == SELL_ALL
        self.only_buys = bool(self.buys.all())
        self._name = columns.instrument[self._orders].astype(np.int64)
        _within("instrument", self._name, 2**31, start)
        known = frozen.instruments[self.scenario][self.action]
        self.known: Flags = self._name < known
        self.place = frozen.first[self.scenario][self.action] + np.minimum(self._name, known)

    # Inputs.

    def of_scenarios(self, name: str, read: Callable[[Scenario], int]) -> Cents:
        """Return an integer of each action's scenario; `read` is called once for each scenario."""
        return self.frozen.each(name, read)[self.scenario]

    def of_names(self, name: str, read: Callable[[Scenario, Instrument | None], int]) -> Cents:
        """Return an integer of each order's instrument; `read` gets None for names that are not known."""
        return self.frozen.each_name(name, read)[self.place]

    @property
    def sized(self) -> Flags:
        """Whether each order has a size."""
        return self.cents > 0

    @property
    def fact(self) -> tuple[Integers, Cents]:
        """The index of each citation's fact in its scenario, and the action that cites it."""
        fact = self._columns.fact[self._citations]
        return fact, np.repeat(np.arange(self.size), self._cited)

    # Sums.

    def any_of(self, action: Integers, flags: Flags) -> Flags:
        """Return which actions have a flag set among items that belong to the actions given."""
        found = np.zeros(self.size, np.bool_)
        found[action[np.flatnonzero(flags)]] = True
        return found

    def any_order(self, flags: Flags) -> Flags:
        """Return which actions have an order whose flag is set."""
        return self.any_of(self.action, flags)

    def sum_orders(self, values: Cents) -> Cents:
        """Return the sum of the orders' values, each below 2^62 / the number of orders, for each action."""
        upto = np.concatenate(([0], np.cumsum(values)))
        ends = np.searchsorted(self.action, np.arange(self.size + 1))
        return upto[ends[1:]] - upto[ends[:-1]]  # type: ignore[no-any-return]

    @cached_property
    def bought(self) -> Cents:
        """Cents that each action buys."""
        return self.sum_orders(self.cents if self.only_buys else np.where(self.buys, self.cents, 0))

    @cached_property
    def sold(self) -> Cents:
        """Cents that each action sells."""
        return np.zeros_like(self.bought) if self.only_buys else self.sum_orders(np.where(self.buys, 0, self.cents))

    @cached_property
    def names(self) -> Groups:
        """The orders of one action in one name."""
        return self.group(self._name)

    def group(self, key: Integers, among: Flags | None = None) -> Groups:
        """Return the orders put together by action and key.

        Args:
            key: for each order, 0 <= key < 2^31; equal keys of one action make a group.
            among: which orders take part; None for all.

        Raises:
            ScenarioError: chunk and keys are so large that they do not fit into 64 bits together.
        """
        order = np.arange(len(key)) if among is None else np.flatnonzero(among)
        key = key[order]
        low = len(self.cents).bit_length()
        high = low + int(key.max(initial=0)).bit_length()
        if high + self.size.bit_length() > 64:
            raise ScenarioError("columns", f"{self.size} actions do not fit into one chunk", "choose a smaller chunk")
        packed = (self.action[order].astype(np.uint64) << np.uint64(high)) | (key.astype(np.uint64) << np.uint64(low))
        packed |= order.astype(np.uint64)
        packed.sort()
        order = (packed & np.uint64((1 << low) - 1)).astype(np.int64)
        packed >>= np.uint64(low)
        starts = np.flatnonzero(np.concatenate(([True], packed[1:] != packed[:-1]))) if len(order) else order
        cents, buys = self.cents[order], self.buys[order]
        if not self.only_buys:
            cents = np.where(buys, cents, -cents)
        first = order[starts]
        if len(starts) == len(order):
            return Groups(self.action[first], first, cents, buys)
        return Groups(
            self.action[first], first, np.add.reduceat(cents, starts), np.logical_or.reduceat(buys, starts)
        )

    # Products.

    def product(self, left: Cents, right: Cents) -> Cents:
        """Return left * right.

        Raises:
            ScenarioError: some product of the largest magnitudes does not fit into 63 bits.
        """
        if _magnitude(left) * _magnitude(right) >= 2**63:
            raise ScenarioError(
                "columns", f"a product of {_magnitude(left)} and {_magnitude(right)} does not fit into 64 bits",
                "judge these actions by themselves; there integers have no bound",
            )
        return left * right


def judge_columns(
    judge: Judge, scenarios: Sequence[Scenario], columns: ActionColumns, *, codes: Sequence[str] | None = None,
    chunk: int = CHUNK,
) -> dict[str, Flags]:
    """Return by code which actions FAIL the clause, as the contract's verdict would say.

    Memory beyond the columns and the answer is bounded by the chunk and by the scenarios.

    Args:
        judge: the contract. A clause does not fail where the scenario declares no such limit, nor where its
            violations are waived.
        scenarios: what the actions answer.
        columns: the actions; memory-mapped columns are read chunk by chunk.
        codes: the clauses to judge; None for all of the contract.
        chunk: actions judged at a time, > 0.

    Raises:
        ScenarioError: a clause has no columns face, or its face cannot express a scenario; a value lies
            outside its column's range; an input that a declared limit needs is missing.
    """
    frozen = ScenarioColumns(scenarios)
    enforced = [judge.enforced(scenario) for scenario in scenarios]
    faces = []
    for code in judge.predicates if codes is None else codes:
        predicate, params = judge.predicates[code], judge.parameters(code)
        judged = np.array([
            enforced[index][code] and predicate.missing_limit(scenario, params) is None
            for index, scenario in enumerate(scenarios)
        ], np.bool_)
        if judged.any():
            faces.append((code, predicate, params, judged))
    fails = {code: np.zeros(len(columns), np.bool_) for code in (judge.predicates if codes is None else codes)}
    for start in range(0, len(columns), chunk):
        table = Table(frozen, columns, start, min(start + chunk, len(columns)))
        for code, predicate, params, judged in faces:
            try:
                found = _run(predicate, table, params)
            except Unsupported as error:
                raise ScenarioError(
                    f"contract#{code}", f"cannot be judged in columns: {error}", "judge these actions by themselves"
                ) from error
            fails[code][start : start + table.size] = found & judged[table.scenario]
    return fails


def run_columns_face(
    predicate: Predicate, cases: Sequence[tuple[Scenario, Action]], params: Params
) -> Sequence[bool]:
    """Return whether each case fails by the columns face, as `predicates.testkit.check_faces` wants it.

    Raises:
        Unsupported: the clause has no columns face, or the cases cannot be held in columns.
    """
    scenarios = [scenario for scenario, _ in cases]
    try:
        columns = make_columns(scenarios, enumerate(action for _, action in cases))
    except ScenarioError as error:
        raise Unsupported(str(error)) from error
    return _run(predicate, Table(ScenarioColumns(scenarios), columns, 0, len(cases)), params).tolist()  # type: ignore[no-any-return]


def _run(predicate: Predicate, table: Table, params: Params) -> Flags:
    if predicate.columns_face is None:
        raise Unsupported(f"{predicate.name} has no columns face")
    found: Flags = predicate.columns_face(np, table, params)
    if found.shape != (table.size,) or found.dtype != np.bool_:
        raise TypeError(f"{predicate.name}: the columns face returned {found.dtype}{found.shape}, "
                        f"expected bool({table.size},)")
    return found


def _int64(name: str, values: Iterable[int] | Iterator[int]) -> Cents:
    try:
        return np.fromiter(values, np.int64)
    except OverflowError as error:
        raise ScenarioError("columns", f"{name} does not fit into 64 bits", "judge these actions by themselves") from error


def _span(ends: Integers, start: int, stop: int, total: int, name: str) -> tuple[slice, Integers]:
    """Return where the chunk's items lie, and how many each action has."""
    edges = np.concatenate(([0 if start == 0 else ends[start - 1]], ends[start:stop])).astype(np.int64)
    counts = np.diff(edges)
    if edges[0] < 0 or edges[-1] > total or (counts < 0).any():
        raise ScenarioError(f"columns#{name}", f"actions {start} to {stop - 1} do not lie within {total} items in order",
                            "give the running count of items, one for each action")
    return slice(int(edges[0]), int(edges[-1])), counts


def _within(name: str, values: Integers, bound: int, start: int) -> None:
    if len(values) and (values.min() < 0 or values.max() >= bound):
        raise ScenarioError(
            f"columns#{name}", f"holds {values.min()} to {values.max()} among actions from {start} on",
            f"expected 0 to {bound - 1}",
        )


def _magnitude(values: Cents) -> int:
    return max(-int(values.min(initial=0)), int(values.max(initial=0)))
