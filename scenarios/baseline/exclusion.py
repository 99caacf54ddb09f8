"""Which names of the universe the baseline may buy at all.

Left out are names already held where the scenario only adds; names whose weight w in the holdings is above
m / N, with N the frozen basket size and m the position multiple (w = m / N stays in); and names of a theme
whose share of the holdings is at the theme cap or over it. A limit that the scenario does not declare
leaves nobody out. Source: seed paper 003, section 3.
"""

from fractions import Fraction

from scenarios.errors import ScenarioError
from scenarios.types import Instrument, Scenario


def eligible(scenario: Scenario) -> tuple[Instrument, ...]:
    """Return the names of the universe that the baseline may buy, in the scenario's order of instruments."""
    return tuple(
        instrument
        for instrument in scenario.instruments
        if instrument.id in scenario.allowed
        and not (scenario.limits.add_only and instrument.id in scenario.owned)
        and not is_overweight(scenario, instrument.id)
        and not theme_is_full(scenario, instrument)
    )


def is_overweight(scenario: Scenario, name: str) -> bool:
    """Return whether a name's weight in the holdings is above the position multiple over the basket size."""
    multiple, names = scenario.limits.position_multiple, scenario.limits.equal_weight_names
    if multiple is None or names is None:
        return False
    return scenario.held.get(name, 0) * names > multiple * scenario.held_total


def theme_is_full(scenario: Scenario, instrument: Instrument) -> bool:
    """Return whether the theme's share of the holdings is at its cap or over it."""
    cap = scenario.limits.theme_cap
    return cap is not None and theme_share(scenario, instrument) >= cap


def theme_share(scenario: Scenario, instrument: Instrument) -> Fraction:
    """Return the share of the holdings, cash left out, that stands in the instrument's theme; 0 of no holdings.

    Raises:
        ScenarioError: the scenario freezes no theme for the name.
    """
    if instrument.theme is None:
        raise ScenarioError(
            f"{scenario.id}#/instruments/{instrument.id}/theme", "no theme is frozen",
            "the theme cap and the portfolio fit read it; add it to the scenario",
        )
    return Fraction(scenario.theme_value.get(instrument.theme, 0), scenario.held_total or 1)
