"""COND01: the advisor promises a return, a recovery or a direction, or says that there is no risk.

A phrase of the role COND01 in the advisor's words, asserted or on a condition, is a violation; negated, quoted,
attributed, imagined or asked it is none. A statement that the principal or the return of a product is guaranteed
(roles COND01.principal, COND01.return) is its contract term, not a promise, where the product sheets of all
instruments that the sentence names state that guarantee. Where it names none, the words of a deposit (role
topic.deposit, for the principal) or an instrument of the scenario with that guarantee make it a term.
Source: seed paper 000, appendix M.4, R-A.
"""

from predicates.conduct.redline import Heard, heard, redline
from predicates.findings import Finding
from predicates.registry import Params, predicate
from scenarios.action import Action
from scenarios.types import Scenario

TERMS = {"COND01.principal": ("principal", "principal and return"), "COND01.return": ("principal and return",)}
"""The guarantees of a product sheet under which a statement is a contract term, by role."""


@predicate(
    code="COND01", name="conduct.guaranteed_return", lexicon=True,
    says='the advisor says "{text}" in turn {turn} ({rule}, {scope}); nobody can promise a return, a recovery or a '
    "direction, so state the uncertainty instead",
)
def guaranteed_return(scenario: Scenario, action: Action, params: Params) -> tuple[Finding, ...]:
    """Return one violation for each promise in the advisor's words."""
    return tuple([
        redline("COND01", one) for one in heard(scenario, action, params["phrases"], "COND01")
        if not is_contract_term(scenario, one)
    ])


def is_contract_term(scenario: Scenario, one: Heard) -> bool:
    """Return whether the match states what the product that its sentence speaks of guarantees."""
    covered, sentence = TERMS.get(one.match.role, ()), one.sentence.casefold()
    sheets = [instrument.product for instrument in scenario.instruments if instrument.product is not None]
    named = [sheet for sheet in sheets if any(name.casefold() in sentence for name in sheet.names)]
    if named:
        return all(sheet.guarantee in covered for sheet in named)
    topics = {topic.sentence for topic in one.reading.of("topic.deposit")}
    is_deposit = one.match.role == "COND01.principal" and one.match.sentence in topics
    return is_deposit or any(sheet.guarantee in covered for sheet in sheets)
