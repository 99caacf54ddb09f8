"""Whether one given action satisfies the rows of a clause's constraints face."""

from predicates.registry import Params, Predicate, Unsupported
from scenarios.action import Action
from scenarios.types import Scenario
from verifier.plan import PlanModel, Slot


def satisfies(predicate: Predicate, scenario: Scenario, action: Action, params: Params) -> bool:
    """Fix one slot for each order and ask a solver whether the flags and counts of the rows can be filled in.

    Every instrument has a further slot in which nothing is placed, because rows must not bind there.

    Raises:
        Unsupported: a plan has no such order (without a size, in shares, of a broken cent), or the face says so.
    """
    for order in action.orders:
        if type(order.amount) is not int or (order.shares is not None and order.side == "sell"):
            raise Unsupported("a plan holds whole cents")
    model = PlanModel(max(action.bought, action.sold, 1), solver="highs")
    unused = [(name, side, 0) for name in scenario.instrument_of for side in {"buy", *(o.side for o in action.orders)}]
    for name, side, amount in [*unused, *((order.instrument, order.side, order.amount) for order in action.orders)]:
        fixed = [model.integer("fixed", value, value) for value in (amount, int(amount > 0))]
        model.add_slot(Slot(name, side, *fixed))
    assert predicate.constraints_face is not None
    predicate.constraints_face(model, scenario, params)
    return model.feasible()
