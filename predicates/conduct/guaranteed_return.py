"""COND01: the advisor promises a return, a recovery or a direction, or says that there is no risk.

A phrase of the role COND01 in the advisor's words, asserted or on a condition, is a violation; negated, quoted,
attributed, imagined or asked it is none. A statement that the principal or the return of a product is guaranteed
(roles COND01.principal, COND01.return) is its contract term, not a promise, where the product sheets of all
instruments that the sentence names state that guarantee. Where it names none, the words of a deposit (role
topic.deposit, for the principal), of a contract (topic.terms) or an instrument of the scenario with that guarantee
make it a term. A promise that the same sentence or one of the next two takes back is none (doubt.open: "it can fall,
too"); a forecast (COND01.forecast) must be asserted without a hedge (doubt.hedge), and only a rhetorical question
(COND01.rhetoric) may be asked, or a statement that ends with a question to act (urge.ask: "so why wait?") or one that
expects no answer (sure.tag). Two notions promise together, at most two sentences apart: a vow and a good turn, talk of
loss and that there is none (sure.*). So does a flat yes or no with which the advisor answers the client's question
about gain or loss ("Could it lose?" "No."). What words weigh decides beside phrases: points > limit
(`predicates.conduct.weighing`).
Source: seed paper 000, appendix M.4, R-A.
"""

from collections.abc import Iterator
from itertools import chain

from predicates.conduct.promise import TOGETHER, answers, is_contract_term, is_promised, is_taken_back
from predicates.conduct.redline import ASKED, Heard, heard, listed, redline
from predicates.conduct.weighing import POINTS, weighed
from predicates.findings import Finding
from predicates.registry import Params, predicate
from scenarios.action import Action
from scenarios.types import Scenario


@predicate(
    code="COND01", name="conduct.guaranteed_return", lexicon=True, parameters=POINTS,
    says='the advisor says "{text}" in turn {turn} ({rule}, {scope}; {points}); '
    "nobody can promise a return, a recovery or a direction, so state the uncertainty instead",
)
def guaranteed_return(scenario: Scenario, action: Action, params: Params) -> tuple[Finding, ...]:
    """Return one violation for each promise in the advisor's words; of phrases that overlap the first counts."""
    promises = weighed("COND01", scenario, action, params, _promises(scenario, action, params))
    return listed("COND01", scenario, action, params["phrases"], (redline("COND01", one) for one in promises))


def _promises(scenario: Scenario, action: Action, params: Params) -> Iterator[Heard]:
    reached: dict[str, int] = {}
    found = heard(scenario, action, params["phrases"], "COND01", ASKED, TOGETHER)
    for one in chain(found, answers(scenario, action, params["phrases"])):
        where, match = one.utterance.where, one.match
        if match.start < reached.get(where, 0) or not is_promised(one):
            continue
        if not is_taken_back(one) and not is_contract_term(scenario, one):
            yield one
            reached[where] = match.end
