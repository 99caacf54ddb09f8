"""The stimulus filter and selective perception."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.environments.fund_advice.signals import filter_stimuli, perceive_roles, read_signals
from replay.environments.fund_advice.types import CORE, Observation
from scenarios.theta import ONE, SIGNALS

CALM = dict.fromkeys(Observation._fields, 0) | {"vol20_ppm": 8_000, "breadth_e4": 5_000, "context": CORE}


def signals_of(reserve_e4: int = 0, tolerance_e4: int = ONE, **seen: int) -> dict[str, int]:
    """Return the signals that are not 0, of a calm day on which this was different."""
    day = Observation(*(np.array([value]) for value in (CALM | seen).values()))
    found = read_signals(day, np.array([reserve_e4]), np.array([tolerance_e4]))[0].tolist()
    return {name: value for name, value in zip(SIGNALS, found, strict=True) if value}


@pytest.mark.parametrize(("seen", "found"), [
    pytest.param({}, {}, id="nothing happens"),
    pytest.param({"r_mkt_ppm": 10_000}, {"move": 5_000}, id="the index rises by 1 %"),
    pytest.param({"r_mkt_ppm": -90_000}, {"move": -ONE}, id="a crash is the opposite of all, no more"),
    pytest.param({"mom20_ppm": 40_000}, {"momentum": 5_000, "missed": 5_000}, id="a rise that the account missed"),
    pytest.param({"mom20_ppm": 40_000, "ret20_ppm": 40_000}, {"momentum": 5_000}, id="a rise that it shared"),
    pytest.param({"vol20_ppm": 12_000}, {"turbulence": 5_000}, id="turbulent"),
    pytest.param({"breadth_e4": 2_500}, {"crowd": -5_000}, id="three funds in four fall"),
    pytest.param({"cash_ratio_e4": 1_500, "reserve_e4": 4_000}, {"room": -5_000}, id="cash below the reserve"),
    pytest.param({"cash_ratio_e4": 4_000, "reserve_e4": 4_000}, {}, id="cash at the reserve"),
    pytest.param({"unreal_ppm": -50_000}, {"profit": -5_000}, id="5 % under water"),
    pytest.param({"day_pnl_ppm": 2_000}, {"day": 1_000}, id="a small gain"),
    pytest.param({"drawdown_e4": 500, "tolerance_e4": 1_000}, {"budget": 5_000}, id="half the risk budget used"),
    pytest.param({"mdd63_e4": 500, "tolerance_e4": 2_000}, {"scar": 2_500}, id="a drawdown within a quarter"),
    pytest.param({"ret63_ppm": 150_000}, {"quarter": ONE}, id="a good quarter"),
    pytest.param({"cue_e4": 5_000}, {"word": 5_000}, id="others are said to do so"),
])
def test_signals(seen: dict[str, int], found: dict[str, int]) -> None:
    assert signals_of(**({"reserve_e4": 0} | seen)) == found


VALUES = st.lists(st.integers(-ONE, ONE), min_size=12, max_size=12)


@given(values=VALUES, floor=st.integers(0, ONE), most=st.integers(1, 12))
def test_the_largest_above_the_floor_pass(values: list[int], floor: int, most: int) -> None:
    """Ties go to the earlier signal."""
    ranked = sorted(range(12), key=lambda column: (-abs(values[column]), column))[:most]
    expected = [value if column in ranked and abs(value) >= floor else 0 for column, value in enumerate(values)]

    assert filter_stimuli(np.array([values]), np.array([floor]), most)[0].tolist() == expected


def test_each_role_sees_its_share_by_sign() -> None:
    kept = np.array([[3, -3] + [0] * 10]) * 1_000
    rises, falls = np.full((2, 12), (10_000,)), np.array([[5_000] * 12, [0] * 12])

    assert perceive_roles(kept, rises, falls)[0, :, :2].tolist() == [[3_000, -1_500], [3_000, 0]]
