"""LIM06: the answer buys more of a name than its market can absorb.

With V the frozen traded volume of an instrument in cents and phi the liquidity fraction, the sum of the
action's buys of that instrument must be <= phi * V; equality holds. The sum is judged, not each order, so that
cutting an order in pieces does not pass. Sells are not read. Names that the scenario does not know are left to
UNIV01; a bought name whose volume is not frozen is an error of the scenario. Parameter liquidity_fraction: a
house value for phi. Source: seed paper 003, section 6, modular governance contracts.
"""

from fractions import Fraction
from typing import Any

from predicates.findings import Finding, violation
from predicates.inputs import in_force, limit, required
from predicates.registry import Params, predicate
from predicates.rows import forbid
from scenarios.action import Action
from scenarios.types import Scenario


@predicate(
    code="LIM06",
    name="limits.liquidity",
    says="the buys of {instrument} come to {left:money}, more than {fraction:%} of its frozen volume "
    "of {volume:money}; buy at most {most:money}",
    needs=("liquidity_fraction",),
    parameters={"liquidity_fraction": Fraction},
    terms=in_force("liquidity_fraction"),
)
def liquidity(scenario: Scenario, action: Action, terms: Any) -> tuple[Finding, ...]:
    """Return one violation for each name of which too large a part of the volume is bought."""
    fraction, path = terms
    found = []
    for name, bought in action.bought_of.items():
        instrument = scenario.instrument_of.get(name)
        if instrument is None:
            continue
        volume = required(scenario, instrument, "volume_cents")
        if bought * fraction.denominator > fraction.numerator * volume:
            found.append(violation("LIM06", where="/orders", left=bought, op="<=", right=fraction * volume,
                                   unit="cents", reads=("/instruments", *path, "/orders"), instrument=name,
                                   fraction=fraction, volume=volume, most=fraction * volume // 1))
    return tuple(found)


@liquidity.constraints
def _(model: Any, scenario: Scenario, params: Params) -> None:
    """The buys of each name within phi * V."""
    fraction = limit(scenario, params, "liquidity_fraction")
    for name in dict.fromkeys(slot.instrument for slot in model.buys()):
        instrument = scenario.instrument_of.get(name)
        if instrument is not None and instrument.volume_cents is None:
            forbid(model, [slot for slot in model.buys() if slot.instrument == name], "LIM06")
        elif instrument is not None:
            model.require(model.bought(name) <= fraction * instrument.volume_cents, "LIM06")
