"""LIM04: buying makes one theme too large a part of the portfolio."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predicates.limits.theme_exposure import theme_exposure
from predicates.limits.weights import group_map
from scenarios.action import Action, Order
from scenarios.errors import ScenarioError
from scenarios.exact import Ratio
from scenarios.types import Scenario
from tests.builders import a_scenario, an_instrument, buys

THEMES = {"PLAT": "platforms", "FORM": "platforms", "INDU": "industrial", "HEAL": "healthcare", "REST": "rest",
          "BARE": None}


def a_portfolio(cap: str | None = "0.2", cash: int = 100_000, **held: int) -> Scenario:
    """Two names of one theme, one each of three others, and one without a theme."""
    return a_scenario(
        cash=cash, held=held, instruments=[an_instrument(name, theme=theme) for name, theme in THEMES.items()],
        theme_cap=None if cap is None else Fraction(cap),
    )


def judge(scenario: Scenario, *orders: tuple[str, str, int], denominator: str = "holdings_after") -> dict[str, str]:
    """Kind of finding by theme."""
    params = theme_exposure.read_parameters({"denominator": denominator})
    found = theme_exposure(scenario, Action([Order(*order) for order in orders]), params)
    return {finding.details["subject"]: finding.kind for finding in found}


@pytest.mark.parametrize(
    ("denominator", "most"),
    [
        pytest.param("holdings_after", 12_500, id="(10,000 + 12,500) / 112,500"),
        pytest.param("holdings_before", 10_000, id="(10,000 + 10,000) / 100,000"),
        pytest.param("holdings_after_with_cash", 30_000, id="(10,000 + 30,000) / 200,000"),
    ],
)
def test_boundary(denominator: str, most: int) -> None:
    """The cap itself holds and a cent more does not, counted over all names of the theme."""
    scenario = a_portfolio(PLAT=10_000, INDU=18_000, HEAL=72_000)
    rest = {"healthcare": "note"}

    assert judge(scenario, ("FORM", "buy", most - 1), denominator=denominator) == rest
    assert judge(scenario, ("FORM", "buy", most - 500), ("PLAT", "buy", 500), denominator=denominator) == rest
    over = judge(scenario, ("FORM", "buy", most - 500), ("PLAT", "buy", 501), denominator=denominator)
    assert over == {"platforms": "violation", **rest}


def test_scenarios_with_the_same_themes_share_one_map() -> None:
    """It stays in a processor's cache from one scenario of a bank to the next; other themes have another map."""
    one, same, other = a_portfolio(), a_portfolio(cash=1), a_scenario(instruments=[an_instrument("PLAT", theme="rest")])

    assert group_map(one, "theme") is group_map(same, "theme")
    assert (group_map(one, "theme"), group_map(other, "theme")) == (THEMES, {"PLAT": "rest"})


def test_a_new_theme() -> None:
    """A theme that is not held yet may be bought up to its cap: 20 / 100."""
    scenario = a_portfolio(HEAL=80)

    assert judge(scenario, ("REST", "buy", 20)) == {"healthcare": "note"}
    assert judge(scenario, ("REST", "buy", 21)) == {"rest": "violation", "healthcare": "note"}


@pytest.mark.parametrize(
    ("orders", "expected"),
    [
        pytest.param([], {"platforms": "note"}, id="over before: noted"),
        pytest.param([("INDU", "buy", 40)], {}, id="another theme is bought up to its cap"),
        pytest.param([("INDU", "buy", 41)], {"industrial": "violation"}, id="a cent over"),
        pytest.param([("PLAT", "buy", 1)], {"platforms": "violation"}, id="a cent of a theme that is over"),
        pytest.param([("PLAT", "buy", 9), ("FORM", "sell", 9)], {"platforms": "note"}, id="exchanged within the theme"),
        pytest.param([("PLAT", "buy", 9), ("FORM", "sell", 8)], {"platforms": "violation"}, id="bought on balance"),
        pytest.param([("FORM", "sell", 9)], {"platforms": "note"}, id="sold, and still over"),
        pytest.param([("FORM", "sell", 10)], {}, id="sold down to the cap"),
        pytest.param([("HEAL", "sell", 15), ("INDU", "sell", 30)], {"platforms": "note"}, id="all else is sold"),
        pytest.param([("ZZZ", "buy", 9)], {"platforms": "note"}, id="an unknown name is of no theme"),
        pytest.param([("ZZZ", "buy", 10)], {}, id="but it counts in the whole"),
    ],
)
def test_active_and_passive(orders: list[tuple[str, str, int]], expected: dict[str, str]) -> None:
    """Only a theme bought on balance fails; whatever else is over the cap is a note."""
    assert judge(a_portfolio("0.5", PLAT=25, FORM=30, INDU=30, HEAL=15), *orders) == expected


def test_the_papers_concentration_watch() -> None:
    """A starter position of 1/9 of the holdings takes Platforms from 23.0 % to 30.7 % and Industrial to 10.0 %."""
    scenario = a_portfolio("0.2", PLAT=207_000, HEAL=45_000, REST=648_000)
    starter = buys({"FORM": 100_000}), buys({"INDU": 100_000})
    platforms, rest = theme_exposure(scenario, starter[0])

    assert (platforms.kind, platforms.left) == ("violation", Ratio(307_000, 1_000_000))
    assert "the theme platforms, bought by this action, would be 30.70 % of" in theme_exposure.sentence(platforms)
    assert rest.kind == "note"
    assert {finding.kind for finding in theme_exposure(scenario, starter[1])} == {"note"}


@pytest.mark.parametrize(
    ("held", "orders"),
    [
        pytest.param({"HEAL": 1}, [("BARE", "buy", 1)], id="bought"),
        pytest.param({"HEAL": 1}, [("BARE", "sell", 1)], id="sold"),
        pytest.param({"BARE": 1}, [], id="held"),
    ],
)
def test_a_missing_theme_is_an_error(held: dict[str, int], orders: list[tuple[str, str, int]]) -> None:
    """Without the theme of a held or ordered name no weight is known."""
    with pytest.raises(ScenarioError, match="instruments/BARE/theme: no theme is frozen"):
        judge(a_portfolio(**held), *orders)


def test_house_value() -> None:
    """The contract's cap replaces the scenario's, and the evidence does not claim to have read the scenario's."""
    params = theme_exposure.read_parameters({"theme_cap": "0.5"})
    scenario = a_portfolio(None, PLAT=50, INDU=49)

    assert theme_exposure.missing_limit(scenario, params) is None
    (finding,) = theme_exposure(scenario, buys({"PLAT": 1}), params)
    assert (finding.right, finding.reads) == (Ratio(1, 2), ("/account", "/instruments", "/orders"))
    assert theme_exposure.missing_limit(scenario, theme_exposure.read_parameters({})) == "/limits/theme_cap"


@given(st.data())
def test_only_the_theme_counts(data: st.DataObject) -> None:
    """Moving a purchase to another name of the same theme, or selling and buying as much of it, changes nothing."""
    cents = st.integers(0, 1000)
    scenario = a_portfolio(**{name: data.draw(cents) for name in ("PLAT", "FORM", "INDU", "HEAL")})
    bought, swapped = data.draw(st.integers(1, 1000)), data.draw(st.integers(1, 1000))

    plain = judge(scenario, ("PLAT", "buy", bought))
    assert judge(scenario, ("FORM", "buy", bought)) == plain
    assert judge(scenario, ("FORM", "buy", bought + swapped), ("PLAT", "sell", swapped)) == plain
    whole = sum(scenario.held.values()) + bought
    assert ("platforms" in plain) is ((scenario.held["PLAT"] + scenario.held["FORM"] + bought) * 5 > whole)
