"""Which names of the universe the baseline may buy at all."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenarios.baseline.exclusion import eligible
from scenarios.errors import ScenarioError
from scenarios.types import Instrument
from tests.builders import a_scenario, an_instrument


def names(**members: Any) -> list[str]:
    """Ids of the eligible names of a scenario."""
    return [instrument.id for instrument in eligible(a_scenario(**members))]


def test_only_the_universe() -> None:
    """A name outside the universe is no candidate, and a held one is, unless the scenario only adds."""
    held = {"BBB": 100}

    assert names(universe=("AAA", "BBB"), held=held) == ["AAA", "BBB"]
    assert names(universe=("AAA", "BBB"), held=held, add_only=True) == ["AAA"]


@pytest.mark.parametrize(
    ("value", "stays"),
    [
        pytest.param(64_999, True, id="a cent below 1.3 / 2"),
        pytest.param(65_000, True, id="exactly 1.3 / 2"),
        pytest.param(65_001, False, id="a cent above 1.3 / 2"),
    ],
)
def test_overweight(value: int, stays: bool) -> None:
    """A name leaves only above the position multiple over the basket size."""
    held = {"AAA": value, "BBB": 100_000 - value}

    assert ("AAA" in names(held=held, equal_weight_names=2, position_multiple=Fraction("1.3"))) is stays


@pytest.mark.parametrize(
    ("value", "stays"),
    [
        pytest.param(19_999, True, id="a cent below 20 %"),
        pytest.param(20_000, False, id="exactly 20 %"),
        pytest.param(20_001, False, id="a cent above 20 %"),
    ],
)
def test_full_theme(value: int, stays: bool) -> None:
    """A name leaves when its theme is at the cap, whether or not the name itself is held."""
    listed = [an_instrument("AAA", theme="grain"), an_instrument("BBB", theme="grain"), an_instrument("CCC")]
    held = {"BBB": value, "CCC": 100_000 - value}

    assert ("AAA" in names(instruments=listed, held=held, theme_cap=Fraction("0.2"))) is stays


def test_no_limit_leaves_nobody_out() -> None:
    """Without declared limits, and in an empty account with them, every name of the universe is eligible."""
    everybody = ["AAA", "BBB", "CCC"]

    assert names(held={"AAA": 100}) == everybody
    assert names(equal_weight_names=2, position_multiple=Fraction("1.3"), theme_cap=Fraction("0.2")) == everybody


def test_a_name_without_theme_is_an_error_where_themes_are_capped() -> None:
    """Missing input is never taken as an empty theme."""
    with pytest.raises(ScenarioError, match="AAA/theme"):
        names(instruments=[Instrument(id="AAA")], theme_cap=Fraction("0.2"))


@given(held=st.lists(st.integers(1, 10**6), min_size=3, max_size=3), factor=st.integers(2, 1000))
def test_scale_does_not_matter(held: list[int], factor: int) -> None:
    """Holdings times k leave the same names eligible."""
    limits = {"equal_weight_names": 3, "position_multiple": Fraction("1.3"), "theme_cap": Fraction("0.4")}
    scaled = {name: value * factor for name, value in zip(("AAA", "BBB", "CCC"), held, strict=True)}

    assert names(held=dict(zip(("AAA", "BBB", "CCC"), held, strict=True)), **limits) == names(held=scaled, **limits)
