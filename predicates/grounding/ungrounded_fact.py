"""GRND01: the answer relies on a fact that the scenario does not contain.

Every cited id must be the id of one of the scenario's frozen facts, compared as text. Each citation
counts, a repeated one again. An answer that cites nothing holds; so does a citation without a value.
Source: seed paper 003, table 1, last row.
"""

from typing import Any

from predicates.findings import Finding, violation
from predicates.registry import Params, predicate
from scenarios.action import Action
from scenarios.types import Scenario


@predicate(
    code="GRND01",
    name="grounding.ungrounded_fact",
    says="the answer cites {left}, which is none of the {facts} facts of the scenario",
    terms=lambda scenario, params: scenario.fact_of,
)
def ungrounded_fact(scenario: Scenario, action: Action, facts: Any) -> tuple[Finding, ...]:
    """Return one violation for each citation of an unknown fact."""
    if facts.keys() >= action.cited:
        return ()
    return tuple([
        violation("GRND01", where=f"/citations/{index}/id", left=citation.id, op="in", right="/facts", unit="fact id",
                  reads=("/facts",), facts=len(facts))
        for index, citation in enumerate(action.citations) if citation.id not in facts
    ])


@ungrounded_fact.columns
def _(np: Any, table: Any, params: Params) -> Any:
    """An index past the scenario's last fact stands for an unknown one."""
    facts = table.of_scenarios("facts", lambda s: len(s.fact_of))
    return table.any_of(table.cited_by, table.fact >= facts[table.cited_by])
