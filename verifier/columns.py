"""Many typed actions at once: a table of columns, judged in chunks by the clauses' columns faces.

Parsing stays outside: the columns hold what the law reads, as integers. A face sees one chunk of them, with
the sums that several clauses share made once, and says which actions fail. Money is int64 cents from end to
end; a product is only taken after a check that it fits, so nothing wraps round and nothing is rounded.

What a table cannot hold is refused and never approximated: an order given in shares whose notional is a
fraction of a cent, and an order of 10^13 cents or more. Where a clause would end in ERROR, because a declared
limit's input is missing, no mask can tell it from a pass, so the whole call is refused with its place.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
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

SUM_BOUND = 2**62
"""Inputs of scenarios and sums of orders stay below it, so that two of them add up without wrapping round."""

_REMEDY = "judge these actions by themselves; there integers have no bound"


@dataclass(frozen=True, eq=False)
class ActionColumns:
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
        # Every scenario's instruments lie one after the other, then one place for all names it does not know.
        self.first = np.cumsum(self.instruments + 1) - (self.instruments + 1)
        self._made: dict[tuple[str, str], Cents] = {}

    def each(self, clause: str, name: str, judged: Flags, read: Callable[[Scenario], int]) -> Cents:
        """Return an integer of every scenario that the clause judges, 0 for the others."""
        return self._once(clause, name, lambda: (
            read(scenario) if wanted else 0 for scenario, wanted in zip(self.scenarios, judged, strict=True)
        ))

    def each_name(
        self, clause: str, name: str, judged: Flags, read: Callable[[Scenario], Iterable[int]], unknown: int
    ) -> Cents:
        """Return an integer of every instrument of these scenarios, and `unknown` for the names not known."""
        return self._once(clause, name, lambda: (
            value for scenario, wanted in zip(self.scenarios, judged, strict=True)
            for value in (*(read(scenario) if wanted else (0,) * len(scenario.instruments)), unknown)
        ))

    def _once(self, clause: str, name: str, values: Callable[[], Iterable[int]]) -> Cents:
        made = self._made.get((clause, name))
        if made is None:
            try:
                made = self._made[clause, name] = np.fromiter(values(), np.int64)
            except OverflowError:
                made = np.array([SUM_BOUND])
            if _magnitude(made) >= SUM_BOUND:
                raise ScenarioError(f"{clause} {name}", "an input of a scenario is 2^62 or more", _REMEDY)
        return made


class Groups(NamedTuple):
    """Orders put together by action and one more key; each group has at least one order.

    action: the group's action. first: one of the group's orders. net: cents bought less cents sold.
    """

    action: Cents
    first: Cents
    net: Cents


class Table:
    """One chunk of actions, as a columns face sees it.

    Attributes:
        size: number of actions.
        scenario: for each action, the index of its scenario.
        action: for each order, the index of its action in the chunk.
        buys, sized, closing, known: whether each order is a buy, has a size, sells the whole position, is in a
            name that the scenario knows.
        cents: notional of each order, 0 without a size.
        fact: for each citation, the index of its fact in the scenario. cited_by: the index of its action.
    """

    def __init__(self, frozen: ScenarioColumns, columns: ActionColumns, start: int, stop: int) -> None:
        self.size = stop - start
        self.scenario = _checked("scenario", columns.scenario[start:stop], len(frozen.scenarios), start)
        orders, self._ends = _span("order_ends", columns.order_ends, start, stop, len(columns.cents))
        counts = np.diff(self._ends)
        self.action = np.repeat(np.arange(self.size), counts)
        self.cents = _checked("cents", columns.cents[orders], AMOUNT_BOUND_CENTS, start)
        if _magnitude(self.cents) * _magnitude(counts) >= SUM_BOUND:
            raise ScenarioError("columns#cents", "the orders of one action could sum to 2^62 cents or more", _REMEDY)
        side = _checked("side", columns.side[orders], SELL_ALL + 1, start)
        self.buys: Flags = side == BUY
        self.only_buys = bool(self.buys.all())
        self.closing: Flags = side == SELL_ALL
        self.sized: Flags = self.cents > 0
        self._name = _checked("instrument", columns.instrument[orders], 2**31, start)
        past = np.repeat(frozen.instruments[self.scenario], counts)
        self.known: Flags = self._name < past
        self._place = np.repeat(frozen.first[self.scenario], counts) + np.minimum(self._name, past)
        citations, ends = _span("citation_ends", columns.citation_ends, start, stop, len(columns.fact))
        self.fact = _checked("fact", columns.fact[citations], 2**31, start)
        self.cited_by = np.repeat(np.arange(self.size), np.diff(ends))
        self._frozen = frozen
        self._clause = ""
        self._judged: Flags = np.ones(len(frozen.scenarios), np.bool_)

    def ask(self, predicate: Predicate, params: Params, judged: Flags | None = None) -> Flags:
        """Return which actions fail a clause by its columns face; `judged` tells the scenarios it applies to.

        Raises:
            Unsupported: the clause has no columns face, or the face cannot express a scenario.
            ScenarioError: as `judge_columns`.
        """
        if predicate.columns_face is None:
            raise Unsupported(f"{predicate.name} has no columns face")
        self._clause = predicate.code
        self._judged = np.ones(len(self._frozen.scenarios), np.bool_) if judged is None else judged
        found: Flags = predicate.columns_face(np, self, params)
        if found.shape != (self.size,) or found.dtype != np.bool_:
            raise TypeError(f"{predicate.name}: its columns face returned {found.dtype}{list(found.shape)}, "
                            f"expected bool[{self.size}]")
        return found & self._judged[self.scenario]

    # Inputs. `read` is called once for each scenario that the clause judges, never for another; name is a label.

    def of_scenarios(self, name: str, read: Callable[[Scenario], int]) -> Cents:
        """Return, for each action, an integer of its scenario."""
        return self._frozen.each(self._clause, name, self._judged, read)[self.scenario]

    def of_names(
        self, name: str, read: Callable[[Scenario], Iterable[int]], *, unknown: int = 0, at: Integers | None = None
    ) -> Cents:
        """Return, for each order, an integer of its instrument.

        Args:
            name: a label.
            read: gives one integer for each of a scenario's instruments, in their order.
            unknown: the integer for names that the scenario does not know.
            at: indices of the orders asked about; None for all.
        """
        values = self._frozen.each_name(self._clause, name, self._judged, read, unknown)
        found: Cents = values[self._place if at is None else self._place[at]]
        return found

    def instrument_at(self, order: int) -> tuple[Scenario, Instrument]:
        """Return the scenario and the instrument of one order in a known name, for a message."""
        scenario = self._frozen.scenarios[self.scenario[self.action[order]]]
        return scenario, scenario.instruments[self._name[order]]

    # Sums.

    def any_of(self, action: Integers, flags: Flags) -> Flags:
        """Return which actions have a flag set among items that belong to the actions given."""
        found = np.zeros(self.size, np.bool_)
        found[action[np.flatnonzero(flags)]] = True
        return found

    def any_order(self, flags: Flags) -> Flags:
        """Return which actions have an order whose flag is set."""
        return self.any_of(self.action, flags)

    def sum_orders(self, values: Cents, among: Flags | None = None) -> Cents:
        """Return, for each action, the sum of its orders' values, each at most the order's cents."""
        upto = np.concatenate(([0], np.cumsum(values if among is None else np.where(among, values, 0))))
        edges: Cents = upto[self._ends]
        return np.diff(edges)

    @cached_property
    def bought(self) -> Cents:
        """Cents that each action buys."""
        return self.sum_orders(self.cents, None if self.only_buys else self.buys)

    @cached_property
    def sold(self) -> Cents:
        """Cents that each action sells."""
        return np.zeros(self.size, np.int64) if self.only_buys else self.sum_orders(self.cents, ~self.buys)

    @cached_property
    def sides(self) -> tuple[tuple[Flags | None, Cents], ...]:
        """For each side that occurs: which orders are on it (None: all), and each action's cents on it."""
        return ((None, self.bought),) if self.only_buys else ((self.buys, self.bought), (~self.buys, self.sold))

    @cached_property
    def names(self) -> Groups:
        """The orders of one action in one name."""
        return self.group(self._name)

    @cached_property
    def bought_names(self) -> Cents:
        """The number of names that each action buys, with or without a size."""
        bought = self.names if self.only_buys else self.group(self._name, among=self.buys)
        return np.bincount(bought.action, minlength=self.size)

    def group(self, key: Integers, among: Flags | None = None) -> Groups:
        """Return the orders put together by action and key.

        Args:
            key: for each order, 0 <= key < 2^31; equal keys of one action make a group.
            among: which orders take part; None for all.
        """
        order = np.arange(len(key)) if among is None or among.all() else np.flatnonzero(among)
        keys = int(key.max(initial=0)) + 1
        both = self.action[order] * keys + key[order]
        net = self.cents[order] if self.only_buys else np.where(self.buys[order], self.cents[order], -self.cents[order])
        if keys * self.size <= 2 * len(order):  # few keys: a table of all groups there can be
            first, sums = np.full(keys * self.size, -1), np.zeros(keys * self.size, np.int64)
            first[both] = order
            np.add.at(sums, both, net)
            present = np.flatnonzero(first >= 0)
            return Groups(present // keys, first[present], sums[present])
        sorting = both.argsort(kind="stable")  # actions ascend already, and this sort is quick on runs
        both = both[sorting]
        starts = np.flatnonzero(np.concatenate(([True], both[1:] != both[:-1]))[: len(both)])
        upto = np.concatenate(([0], np.cumsum(net[sorting])))
        first = order[sorting[starts]]
        return Groups(self.action[first], first, np.diff(upto[starts], append=upto[-1]))

    # Products.

    def product(self, left: Cents, right: Cents) -> Cents:
        """Return left * right.

        Raises:
            ScenarioError: some product of the largest magnitudes does not fit into 63 bits.
        """
        if _magnitude(left) * _magnitude(right) >= 2**63:
            raise ScenarioError(
                f"columns {self._clause}", f"{_magnitude(left)} times {_magnitude(right)} does not fit into 64 bits",
                _REMEDY,
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
    codes = tuple(judge.predicates) if codes is None else codes
    fails = {code: np.zeros(len(columns), np.bool_) for code in codes}
    judged = {
        code: np.array([
            terms[code] and judge.predicates[code].missing_limit(scenario, judge.parameters(code)) is None
            for scenario, terms in zip(scenarios, enforced, strict=True)
        ], np.bool_)
        for code in codes
    }
    for start in range(0, len(columns), chunk):
        table = Table(frozen, columns, start, min(start + chunk, len(columns)))
        for code in codes:
            if not judged[code].any():
                continue
            try:
                found = table.ask(judge.predicates[code], judge.parameters(code), judged[code])
            except Unsupported as error:
                raise ScenarioError(f"contract#{code}", f"cannot be judged in columns: {error}", _REMEDY) from error
            fails[code][start : start + table.size] = found
    return fails


def fails_by_columns(
    predicate: Predicate, cases: Sequence[tuple[Scenario, Action]], params: Params
) -> list[bool]:
    """Return whether each case fails by the columns face, as `predicates.testkit.check_faces` wants it.

    Raises:
        Unsupported: the clause has no columns face, or the cases cannot be held in columns.
    """
    scenarios = [scenario for scenario, _ in cases]
    try:
        columns = make_columns(scenarios, enumerate(action for _, action in cases))
    except ScenarioError as error:
        raise Unsupported(str(error)) from error
    found: list[bool] = Table(ScenarioColumns(scenarios), columns, 0, len(cases)).ask(predicate, params).tolist()
    return found


def _checked(name: str, values: Integers, bound: int, start: int) -> Cents:
    """Return a chunk of a column as int64, checked against its range."""
    if len(values) and (values.min() < 0 or values.max() >= bound):
        raise ScenarioError(f"columns#{name}", f"holds {values.min()} to {values.max()} among actions from {start} on",
                            f"expected 0 to {bound - 1}")
    return values.astype(np.int64, copy=False)


def _span(name: str, ends: Integers, start: int, stop: int, total: int) -> tuple[slice, Cents]:
    """Return where the items of a chunk lie, and where those of each action end, counted from the first item."""
    edges = np.concatenate(([0 if start == 0 else ends[start - 1]], ends[start:stop])).astype(np.int64)
    if edges[0] < 0 or edges[-1] > total or (np.diff(edges) < 0).any():
        raise ScenarioError(
            f"columns#{name}", f"actions {start} to {stop - 1} do not lie within {total} items in order",
            "give the running count of items, one for each action",
        )
    return slice(int(edges[0]), int(edges[-1])), edges - edges[0]


def _magnitude(values: Integers) -> int:
    return max(-int(values.min(initial=0)), int(values.max(initial=0)))
