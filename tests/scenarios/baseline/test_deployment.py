"""The deployment bound: its closed form against tables and against enumeration of every deployment."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios.baseline.deployment import candidates, deployment_bound, scenario_bound
from scenarios.errors import ScenarioError
from scenarios.fees import NoFee, OddLotSurcharge
from scenarios.types import Position
from tests.builders import a_scenario, an_instrument

TAU = Fraction(1, 100)


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        pytest.param({}, 100, id="one name takes all cash"),
        pytest.param({"cash": 9}, 0, id="a cent below the floor"),
        pytest.param({"cash": 10}, 10, id="the floor itself"),
        pytest.param({"headrooms": [9]}, 0, id="headroom a cent below the floor"),
        pytest.param({"headrooms": [10]}, 10, id="headroom at the floor"),
        pytest.param({"headrooms": [60, 30], "themes": ["a", "b"]}, 90, id="two headrooms add up"),
        pytest.param({"headrooms": [60, 30], "themes": ["a", "b"], "count_cap": 1}, 60, id="one name: the roomier"),
        pytest.param({"headrooms": [60, 30], "themes": ["a", "b"], "count_cap": 0}, 0, id="no name may be bought"),
        pytest.param({"theme_rooms": {"a": 9}}, 0, id="theme room a cent below the floor"),
        pytest.param({"theme_rooms": {"a": 10}}, 10, id="theme room at the floor"),
        pytest.param({"theme_rooms": {"a": -1}}, 0, id="a theme that is over its cap already"),
        pytest.param({"headrooms": [30, 30], "themes": ["a", "a"], "theme_rooms": {"a": -1}}, 0,
                     id="so it is for two names"),
        pytest.param({"headrooms": [10, 30], "themes": ["a", "a"], "theme_rooms": {"a": 19}}, 19,
                     id="room for one order: the roomier name's"),
        pytest.param({"headrooms": [12, 12], "theme_rooms": {"a": 19}, "themes": ["a", "a"]}, 12,
                     id="room for one floor and a bit: the second order has no place"),
        pytest.param({"headrooms": [12, 12], "theme_rooms": {"a": 20}, "themes": ["a", "a"]}, 20, id="room for two"),
        pytest.param({"cash": 19, "headrooms": [12, 12], "themes": ["a", "b"]}, 12, id="cash for one floor and a bit"),
        pytest.param({"headrooms": [], "themes": []}, 0, id="nothing to buy"),
    ],
)
def test_boundary(members: dict[str, Any], expected: int) -> None:
    """The bound turns where one more order has its floor, and is limited by the tightest of the rooms."""
    arguments: dict[str, Any] = {"cash": 100, "floor": 10, "headrooms": [100], "themes": ["a"], "theme_rooms": {}}
    assert deployment_bound(**{**arguments, **members}) == expected


@settings(max_examples=150)
@given(
    cash=st.integers(0, 14), floor=st.integers(1, 4),
    names=st.lists(st.tuples(st.integers(-1, 7), st.sampled_from("ab")), max_size=4),
    rooms=st.dictionaries(st.sampled_from("ab"), st.integers(-1, 12)), cap=st.none() | st.integers(0, 4),
)
def test_equals_the_best_of_all_deployments(
    cash: int, floor: int, names: list[tuple[int, str]], rooms: dict[str, int], cap: int | None
) -> None:
    """No enumerated deployment beats the closed form, and one reaches it."""
    headrooms, themes = [room for room, _ in names], [theme for _, theme in names]
    best = 0
    for amounts in product(*([0, *range(floor, room + 1)] for room in headrooms)):
        placed = sum(amount > 0 for amount in amounts)
        by_theme = {theme: sum(a for a, t in zip(amounts, themes, strict=True) if t == theme) for theme in rooms}
        within = all(total <= max(rooms[theme], 0) for theme, total in by_theme.items())
        if sum(amounts) <= cash and within and (cap is None or placed <= cap):
            best = max(best, sum(amounts))

    assert deployment_bound(cash, floor, headrooms, themes, dict(rooms), cap) == best


@pytest.mark.parametrize(
    ("cash", "expected"), [(24_999, 0), (25_000, 25_000), (90_000, 90_000), (351_350, 351_350), (351_352, 351_350)],
)
def test_caps_are_measured_after_the_action(cash: int, expected: int) -> None:
    """Two names at 13 % of 10,000.00 and what is deployed: 2 * floor(0.13 * (1,000,000 + D)) = D at 351,350 cents."""
    scenario = a_scenario(
        cash=cash, held={"HELD": 1_000_000}, names=("AAA", "BBB"), universe=("AAA", "BBB"), fee_tolerance=TAU,
        position_multiple=Fraction(13, 10), equal_weight_names=10, theme_cap=Fraction(1, 5),
    )
    assert scenario_bound(scenario) == expected


@pytest.mark.parametrize(
    ("members", "names"),
    [
        pytest.param({}, ["AAA", "BBB", "CCC"], id="nothing declared: all of the universe, held names too"),
        pytest.param({"issuer": None}, ["AAA", "BBB", "CCC"], id="without a restricted list no issuer is needed"),
        pytest.param({"issuer": None, "restricted": ("AAA",)}, [], id="with one, an unknown issuer is not cleared"),
        pytest.param({"add_only": True}, ["AAA", "BBB"], id="add-only leaves out what is held"),
        pytest.param({"restricted": ("AAA",)}, ["CCC"], id="a restricted name and its issuer's other share class"),
        pytest.param({"restricted": ()}, ["AAA", "BBB", "CCC"], id="an empty list blocks nothing"),
        pytest.param({"theme_cap": Fraction(1)}, ["AAA", "CCC"], id="under a theme cap a name needs a theme"),
    ],
)
def test_who_may_be_bought(members: dict[str, Any], names: list[str]) -> None:
    """Limits that are declared leave names out; those that are not leave all in."""
    members = dict(members)
    listed = [an_instrument("AAA", issuer="one"), an_instrument("BBB", issuer="one", theme=None),
              an_instrument("CCC", issuer=members.pop("issuer", "another"))]
    scenario = a_scenario(instruments=listed, held={"CCC": 100}, **members)
    assert [name.id for name in candidates(scenario)] == names


def test_a_position_of_no_shares_is_no_holding() -> None:
    """An add-only scenario may buy it."""
    nothing = Position(instrument="AAA", quantity=Fraction(0), available=Fraction(0), value_cents=0)
    assert [name.id for name in candidates(a_scenario(names=["AAA"], positions=[nothing], add_only=True))] == ["AAA"]


@pytest.mark.parametrize(("cash", "expected"), [(8_333, 0), (8_334, 8_334)])
def test_the_floor_is_rounded_up(cash: int, expected: int) -> None:
    """2.50 at 3 % is 83.333...: whole cents from 83.34 on."""
    assert scenario_bound(a_scenario(cash=cash, fee_tolerance=Fraction(3, 100))) == expected


def test_without_a_tolerance_a_cent_is_enough() -> None:
    """Where no fee tolerance is declared, nothing but the cash binds."""
    assert scenario_bound(a_scenario(cash=1)) == 1
    assert scenario_bound(a_scenario(cash=1, fees=NoFee(), fee_tolerance=TAU)) == 1


def test_the_recommendation_cap_binds_only_where_it_is_handed_in() -> None:
    """The paper's program has no count cap."""
    scenario = a_scenario(cash=500_000, held={"HELD": 1_000_000}, names=("AAA", "BBB"), universe=("AAA", "BBB"),
                          recommendation_cap=1, position_multiple=Fraction(1), equal_weight_names=10)
    assert scenario_bound(scenario) == 250_000 > scenario_bound(scenario, count_cap=1) == 111_111


def test_different_floors_are_refused() -> None:
    """A surcharge on odd lots gives a cheap and a dear name different floors; the closed form needs one floor."""
    names = [an_instrument("AAA", price_cents=100), an_instrument("BBB", price_cents=100_000)]
    fees = OddLotSurcharge(base=NoFee(), lot_shares=100, surcharge_cents=500)
    with pytest.raises(ScenarioError, match="differs from name to name"):
        scenario_bound(a_scenario(instruments=names, fees=fees, fee_tolerance=TAU))
