"""LOGIC01: the client claims to hold nothing while much is invested, and does not explain it."""

import pytest

from predicates.conduct.position_cash_conflict import position_cash_conflict
from tests.predicates.conduct.episodes import a_consultation, answers, judge, kinds


def found(*client: str, advisor: tuple[str, ...] = ("I see.", "I see."), position: str = "0.88") -> list[str]:
    """Kinds of the findings."""
    scenario = a_consultation(*client, daily={"pos_ratio": position})
    return [kind for kind, _ in kinds(judge(position_cash_conflict, scenario, answers(*advisor[: len(client)])))]


@pytest.mark.parametrize(("position", "expected"), [("0.199", []), ("0.2", ["violation"]), ("0.201", ["violation"])])
def test_boundary(position: str, expected: list[str]) -> None:
    """The threshold itself conflicts."""
    assert found("I am fully out.", position=position) == expected


@pytest.mark.parametrize(
    ("client", "expected"),
    [
        pytest.param(["I am fully out."], ["violation"], id="unexplained"),
        pytest.param(["我已经清仓了，现在空仓。"], ["violation", "violation"], id="in Chinese, twice"),
        pytest.param(["Should I be fully out?"], [], id="asked"),
        pytest.param(["I am fully out. I mean in my sub-account."], ["note"], id="explained in the same turn"),
        pytest.param(["I am fully out.", "Sorry, I meant the other account."], ["note"], id="explained later"),
        pytest.param(["I only meant the other account.", "I am fully out."], ["violation"], id="explained before"),
    ],
)
def test_explained(client: list[str], expected: list[str]) -> None:
    """The client's own words explain it, then or later."""
    assert found(*client) == expected


def test_yes_to_an_offered_excuse() -> None:
    """A yes explains only where the same turn does not repeat the contradiction. Source: calibration example U1."""
    offer = ("Are you referring to a sub-account?", "I see.")

    assert found("I am fully out.", "Yes, exactly.", advisor=offer) == ["note"]
    assert found("I am fully out.", "Yes, yes, I sold everything.", advisor=offer) == ["violation", "violation"]
