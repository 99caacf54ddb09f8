"""What the baseline says about a scenario, as a record that a bank stores and every replay recomputes."""

from typing import Any

from scenarios.baseline.fit import fit_report
from scenarios.baseline.planner import funded
from scenarios.exact import decimal_text, exact_json
from scenarios.types import Scenario


def reference(scenario: Scenario) -> dict[str, Any]:
    """Return the funded orders and the fit of every candidate, best fit first; amounts in cents, shares exact.

    A scenario without a policy has no yardstick, and its record says nothing but its id.

    Raises:
        ScenarioError: the scenario names a policy and freezes too little for it.
    """
    policy = scenario.policy
    if policy is None:
        return {"scenario": scenario.id}
    return {
        "scenario": scenario.id,
        "policy": {"id": policy.id, "version": policy.version},
        "orders": [
            {"instrument": order.instrument, "amount_cents": exact_json(order.amount)} for order in funded(scenario)
        ],
        "fit": [
            {
                "instrument": fit.instrument, "score": decimal_text(fit.score), "role": fit.role,
                "before": exact_json(fit.before), "projected": exact_json(fit.projected), "eligible": fit.eligible,
            }
            for fit in fit_report(scenario)
        ],
    }
