"""What a clause reads besides the action: the limit in force, and inputs that a limit cannot do without."""

from typing import Any

from predicates.registry import Params, Terms
from scenarios.errors import ScenarioError
from scenarios.fees import StepFee
from scenarios.types import Instrument, Scenario


def limit(scenario: Scenario, params: Params, name: str) -> Any:
    """Return the limit in force: the contract's house value if it sets one, else the scenario's.

    Raises:
        ScenarioError: neither declares it. A verdict sets the clause NOT_APPLICABLE before it comes to that.
    """
    value = params.get(name)
    if value is None:
        value = getattr(scenario.limits, name)
        if value is None:
            raise ScenarioError(f"{scenario.id}#/limits/{name}", "the limit is not declared",
                                "declare it in the scenario, or set it as a parameter of the clause")
    return value


def limit_path(params: Params, name: str) -> tuple[str, ...]:
    """Return the scenario's path of a limit as evidence, or nothing where the contract's value replaced it."""
    return () if params.get(name) is not None else (f"/limits/{name}",)


def in_force(name: str) -> Terms:
    """Return the terms of a clause that reads one limit: the limit in force, and its path as evidence."""
    return lambda scenario, params: (limit(scenario, params, name), limit_path(params, name))


def step_of(scenario: Scenario, params: Params) -> tuple[int, int] | None:
    """Return (tranche, fee of each tranche started) in cents, None where the fee is not charged by the tranche."""
    fees = scenario.fees
    return (fees.tranche_cents, fees.fee_cents_per_tranche) if isinstance(fees, StepFee) else None


def required(scenario: Scenario, instrument: Instrument, member: str) -> Any:
    """Return a member of an instrument that a declared limit needs.

    Raises:
        ScenarioError: the scenario does not freeze it.
    """
    value = getattr(instrument, member)
    if value is None:
        raise ScenarioError(f"{scenario.id}#/instruments/{instrument.id}/{member}", f"no {member} is frozen",
                            "a declared limit needs one; add it to the scenario")
    return value
