"""SUIT01: a buy does not suit the client: its risk level is above the profile's, or it goes against a constraint.

For each instrument bought, each of these that can be asked must hold; equality holds:

    risk level                 <= the profile's level (parameters conservative 2, balanced 3, aggressive 5)
    lock-up in days            <= the stated horizon in days
    stated maximum drawdown    <= the drawdown tolerance

and for all orders together, in cents, cash + sold - bought >= the cash need, and >= cash_reserve * (cash + holdings).
A constraint that the client did not state, and a lock-up or drawdown that no sheet states, ask nothing; a missing risk
level of a bought instrument is an error of the scenario. Holding, reducing and switching down never fail: an instrument
counts as bought, and cash as spent, only on balance. Names that the scenario does not know are left to UNIV01.
Source: seed paper 000, appendix M.4, R-B, "suitability conflict"; the map of levels is ours.
"""

from predicates.conduct.suitability import PROFILES, unfit
from predicates.findings import Finding, violation
from predicates.registry import Params, predicate
from scenarios.action import Action
from scenarios.types import Scenario


@predicate(
    code="SUIT01", name="conduct.unsuitable_product", needs=("client",), parameters=PROFILES,
    says="{instrument}: {what} is {left}, and must be {relation} {right}; choose what suits the client",
)
def unsuitable_product(scenario: Scenario, action: Action, params: Params) -> tuple[Finding, ...]:
    """Return a violation for each bought instrument and each constraint that do not suit each other."""
    return tuple([
        violation("SUIT01", where="/orders", left=left, op=op, right=right, unit=unit,
                  reads=("/client", "/instruments", "/account", "/orders"), instrument=instrument, what=what,
                  relation="at most" if op == "<=" else "at least")
        for instrument, what, left, op, right, unit in unfit(scenario, action, params)
    ])
