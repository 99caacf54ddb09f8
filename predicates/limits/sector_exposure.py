"""LIM05: buying makes one sector too large a part of the portfolio.

With the frozen ticker-to-sector map, each sector that has a cap must satisfy after the action

    (held + bought - sold, all of the sector) / whole <= cap of the sector,

in cents; equality holds, and the ratio is cross-multiplied. A sector without a cap is not judged. Only sectors
bought on balance can fail; another sector over its cap is a note. Names that the scenario does not know are
left to UNIV01; a held or ordered name whose sector is not frozen is an error of the scenario.

Parameter denominator, the whole: as in LIM03. Source: seed paper 003, section 4 (post-trade weight) and
section 6, modular governance contracts.
"""

from typing import Any

from predicates.findings import Finding
from predicates.inputs import limit
from predicates.limits.weights import (
    DENOMINATORS,
    evidence,
    group_map,
    held_by,
    net_by,
    plan_net,
    plan_whole,
    weigh,
    whole_of,
)
from predicates.registry import Params, predicate
from predicates.rows import weight_rows
from scenarios.action import Action
from scenarios.exact import Ratio
from scenarios.types import Scenario


def _terms(scenario: Scenario, params: Params) -> Any:
    held, reads = held_by(scenario, "sector"), ("/account", "/instruments", "/limits/sector_caps", "/orders")
    caps = sorted(limit(scenario, params, "sector_caps").items())
    ratios = [(sector, Ratio(cap.numerator, cap.denominator)) for sector, cap in caps]
    return whole_of(scenario, params), group_map(scenario, "sector"), held, [
        (sector, *cap, evidence(cap, params, *reads)) for sector, cap in ratios
    ]


@predicate(
    code="LIM05", name="limits.sector_exposure", needs=("sector_caps",),
    says="the sector {subject}, {bought} by this action, would be {left:%} of {of}, over its cap of {right:%}; "
    "all else equal, at most {room:money} of it can be bought",
    parameters={"denominator": tuple(DENOMINATORS)}, terms=_terms,
)
def sector_exposure(scenario: Scenario, action: Action, terms: Any) -> tuple[Finding, ...]:
    """Return one finding for each sector over its cap: a violation if it was bought on balance, else a note."""
    (whole, grows), sector_of, held, caps = terms
    whole += grows * (action.bought - action.sold)
    net, found = net_by(scenario, action, "sector", sector_of), []
    for sector, numerator, denominator, told in caps:
        bought = net.get(sector, 0)
        after = held.get(sector, 0) + bought
        if after * denominator > numerator * whole:
            found.append(weigh("LIM05", sector, bought, after, whole, told))
    return tuple(found)


@sector_exposure.constraints
def _(model: Any, scenario: Scenario, params: Params) -> None:
    """The weight row of each capped sector that can be bought, on wherever it is bought on balance."""
    caps, held = limit(scenario, params, "sector_caps"), held_by(scenario, "sector")
    whole, least = plan_whole(model, scenario, params)
    for sector, net in plan_net(model, scenario, "sector").items():
        if sector in caps:
            cap = Ratio(caps[sector].numerator, caps[sector].denominator)
            weight_rows(model, held.get(sector, 0), net, whole, least, cap, "LIM05")
