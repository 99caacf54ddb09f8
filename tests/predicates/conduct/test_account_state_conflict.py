"""FACT01: the advisor says that the client holds nothing while much is invested."""

import pytest

from predicates.conduct.account_state_conflict import account_state_conflict
from tests.predicates.conduct.episodes import a_consultation, judge, kinds, says


@pytest.mark.parametrize(("position", "count"), [("0.199", 0), ("0.2", 1), ("0.201", 1), ("0", 0)])
def test_boundary(position: str, count: int) -> None:
    """The threshold itself conflicts."""
    found = judge(account_state_conflict, a_consultation(daily={"pos_ratio": position}), says("You are fully in cash."))

    assert len(found) == count


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("您现在是空仓。", ["violation"]), ("Your position is 2 %.", ["violation"]),
        ("You hold 96 % in cash.", ["violation"]),
        ("Your position is 10 %.", []), ("Are you fully in cash?", []), ("You are not fully in cash.", []),
        ("You are fully in cash here. Are you referring to another account?", ["note"]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    """Said in words or as a share; asking about it leaves it open."""
    assert [kind for kind, _ in kinds(judge(account_state_conflict, a_consultation(), says(text)))] == expected


def test_house_value() -> None:
    """The contract's threshold replaces the default."""
    scenario = a_consultation()

    assert judge(account_state_conflict, scenario, says("You are fully in cash."), position="0.9") == ()
