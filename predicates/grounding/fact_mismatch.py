"""GRND02: the answer states a value, unit or date for a fact that differs from the frozen one.

For a cited fact of the scenario, each member that the answer states must equal the frozen member. Two
plain decimal numbers (up to 40 digits before and after the point, an exponent of up to two digits) are
equal when their exact values are: 3.10 equals 3.1, and 3.1 differs from 3.14. Anything else, units and
dates included, is compared as text. A member that the answer leaves out is not judged; one that it
states and the fact does not carry differs. Unknown ids are left to GRND01.
Source: seed paper 003, section 3 (cited facts are checked against the frozen scenario).
"""

import re
from fractions import Fraction

from predicates.findings import Finding, violation
from predicates.registry import Params, predicate
from scenarios.action import Action
from scenarios.types import Scenario

_NUMBER = re.compile(r"[+-]?[0-9]{1,40}(\.[0-9]{1,40})?([eE][+-]?[0-9]{1,2})?\Z")
_NOTHING = (None, None, None)


@predicate(
    code="GRND02",
    name="grounding.fact_mismatch",
    says="the answer states {left} where the frozen fact {fact} has {right}",
)
def fact_mismatch(scenario: Scenario, action: Action, params: Params) -> tuple[Finding, ...]:
    """Return one violation for each stated member that differs from the frozen fact."""
    if all(citation[1:] == _NOTHING for citation in action.citations):
        return ()
    return tuple([
        violation("GRND02", where=f"/citations/{index}/{member}", left=stated, op="==", right=frozen, unit=member,
                  reads=("/facts",), fact=citation.id)
        for index, citation in enumerate(action.citations) if citation.id in scenario.fact_of
        for member in ("value", "unit", "as_of")
        if (stated := getattr(citation, member)) is not None
        if not _equal(stated, frozen := getattr(scenario.fact_of[citation.id], member))
    ])


def _equal(stated: str, frozen: str | None) -> bool:
    if frozen is not None and _NUMBER.match(stated) and _NUMBER.match(frozen):
        return Fraction(stated) == Fraction(frozen)
    return stated == frozen
