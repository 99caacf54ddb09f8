"""LIM05: buying makes one sector too large a part of the portfolio."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predicates.limits.sector_exposure import sector_exposure
from scenarios.action import Action, Order
from scenarios.errors import ScenarioError
from scenarios.exact import Ratio
from scenarios.types import Scenario
from tests.builders import NO_PARAMS, a_scenario, an_instrument

SECTORS = {"OIL": "energy", "GAS": "energy", "GRID": "utilities", "CHIP": "technology", "BARE": None}
CAPS = {"utilities": Fraction(1, 2), "energy": Fraction(1, 5)}


def a_portfolio(caps: dict[str, Fraction] | None = CAPS, **held: int) -> Scenario:
    """Energy at most 20 %, utilities at most 50 %, technology free."""
    return a_scenario(held=held, instruments=[an_instrument(name, sector=sector) for name, sector in SECTORS.items()],
                      sector_caps=caps)


def judge(scenario: Scenario, *orders: tuple[str, str, int], denominator: str = "holdings_after") -> list[str]:
    """Sector and kind of each finding."""
    params = sector_exposure.read_parameters({"denominator": denominator})
    found = sector_exposure(scenario, Action([Order(*order) for order in orders]), params)
    return [f"{finding.details['subject']} {finding.kind}" for finding in found]


def test_a_new_sector_and_one_on_its_cap() -> None:
    """A sector that is not held yet may be bought up to its cap, and one that stands on it is not even noted."""
    assert judge(a_portfolio(CHIP=80), ("GAS", "buy", 20)) == []
    assert judge(a_portfolio(CHIP=80), ("GAS", "buy", 21)) == ["energy violation"]
    assert judge(a_portfolio(CHIP=80, OIL=20)) == []


@pytest.mark.parametrize(
    ("orders", "expected"),
    [
        pytest.param([("GAS", "buy", 125)], [], id="energy on its cap: 225 / 1,125"),
        pytest.param([("GAS", "buy", 126)], ["energy violation"], id="a cent more"),
        pytest.param([("GAS", "buy", 63), ("OIL", "buy", 63)], ["energy violation"], id="over two names"),
        pytest.param([("GAS", "buy", 126), ("OIL", "sell", 1)], [], id="less what is sold: 225 / 1,125"),
        pytest.param([("GRID", "buy", 200)], [], id="utilities on its own cap: 600 / 1,200"),
        pytest.param([("GRID", "buy", 201)], ["utilities violation"], id="utilities over it"),
        pytest.param([("CHIP", "buy", 10**9)], [], id="a sector without a cap"),
        pytest.param([("GRID", "buy", 9_000), ("GAS", "buy", 5_000)], ["energy violation", "utilities violation"],
                     id="both, by name"),
        pytest.param([("CHIP", "sell", 500)], ["utilities note"], id="grown by a sale elsewhere: 400 / 500"),
        pytest.param([("ZZZ", "buy", 999)], [], id="an unknown name"),
    ],
)
def test_boundary(orders: list[tuple[str, str, int]], expected: list[str]) -> None:
    """Each sector is held to its own cap, and fails only where it was bought on balance."""
    assert judge(a_portfolio(OIL=100, GRID=400, CHIP=500), *orders) == expected


def test_denominators() -> None:
    """As for names and themes, the whole is the contract's choice."""
    scenario = a_portfolio(OIL=100, GRID=400, CHIP=500)

    assert judge(scenario, ("GAS", "buy", 100), denominator="holdings_before") == []
    assert judge(scenario, ("GAS", "buy", 101), denominator="holdings_before") == ["energy violation"]
    assert judge(scenario, ("GAS", "buy", 126), denominator="holdings_after_with_cash") == []


@pytest.mark.parametrize(
    ("held", "orders"),
    [
        pytest.param({}, [("BARE", "buy", 1)], id="bought"),
        pytest.param({}, [("BARE", "sell", 1)], id="sold"),
        pytest.param({"BARE": 1}, [], id="held"),
    ],
)
def test_a_missing_sector_is_an_error(held: dict[str, int], orders: list[tuple[str, str, int]]) -> None:
    """Without the sector of a held or ordered name no weight is known."""
    with pytest.raises(ScenarioError, match="instruments/BARE/sector: no sector is frozen"):
        judge(a_portfolio(**held), *orders)


def test_evidence() -> None:
    """The finding carries the sector's own cap and both amounts."""
    (finding,) = sector_exposure(a_portfolio(OIL=100, GRID=400, CHIP=500), Action([Order("GAS", "buy", 200)]))

    assert (finding.left, finding.right) == (Ratio(300, 1_200), Ratio(1, 5))
    assert sector_exposure.sentence(finding) == (
        "the sector energy, bought by this action, would be 25.00 % of the holdings after the action, "
        "over its cap of 20.00 %; all else equal, at most 1.25 of it can be bought"
    )


def test_not_applicable_without_caps() -> None:
    """The clause speaks only where the scenario declares caps; an empty table of caps declares none too many."""
    assert sector_exposure.missing_limit(a_portfolio(None), NO_PARAMS) == "/limits/sector_caps"
    assert judge(a_portfolio({}, OIL=1), ("OIL", "buy", 1)) == []


@given(held=st.integers(0, 1000), rest=st.integers(1, 1000), bought=st.integers(1, 1000),
       cap=st.fractions(0, 1, max_denominator=100))
def test_agrees_with_the_weight(held: int, rest: int, bought: int, cap: Fraction) -> None:
    """A bought sector fails exactly where its exact weight is over the cap."""
    found = judge(a_portfolio({"energy": cap}, OIL=held, GRID=rest), ("GAS", "buy", bought))

    assert bool(found) is (Fraction(held + bought, held + rest + bought) > cap)
