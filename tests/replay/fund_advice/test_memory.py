"""Episodic memory: what comes to mind."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay.environments.fund_advice.memory import EPISODES, Memory

LESSONS = np.stack([np.arange(12) * 300, -np.arange(12) * 300], axis=1)


def view(*values: int) -> "np.ndarray":
    """Return the view of one lane and agent that begins with these values."""
    return np.array([[[*values, *[0] * (12 - len(values))]]], dtype=np.int64)


def recalled(memory: Memory, *values: int) -> list[int]:
    return memory.recall(view(*values), LESSONS)[0, 0].tolist()


def test_nothing_comes_to_an_empty_mind() -> None:
    assert recalled(Memory(1, 1, 3), 5_000) == [0, 0]


def test_few_episodes_weigh_less() -> None:
    memory = Memory(1, 1, 3)
    memory.append(view(0), np.array([[11]]))

    assert recalled(memory, 0) == [1_100, -1_100]


def test_the_nearest_three_come_to_mind() -> None:
    memory = Memory(1, 1, 3)
    for place, code in ((0, 1), (4_000, 2), (5_000, 3), (6_000, 4), (9_000, 5)):
        memory.append(view(place), np.array([[code]]))

    assert recalled(memory, 5_000) == [900, -900]  # (2 + 3 + 4) * 300 / 3


def test_the_newest_first_on_ties() -> None:
    memory = Memory(1, 1, 1)
    for code in (7, 2):
        memory.append(view(1_000), np.array([[code]]))

    assert recalled(memory, 1_000) == [600, -600]


def test_the_oldest_is_forgotten() -> None:
    memory = Memory(1, 1, 1)
    memory.append(view(9_000), np.array([[11]]))
    for _ in range(EPISODES - 1):
        memory.append(view(0), np.array([[0]]))
    assert recalled(memory, 9_000) == [3_300, -3_300]

    memory.append(view(0), np.array([[0]]))

    assert recalled(memory, 9_000) == [0, 0]


@pytest.mark.parametrize(("codes", "balance"), [
    pytest.param([], 0, id="nothing yet"), pytest.param([2, 5, 8, 11], 10_000, id="all welcome"),
    pytest.param([0, 3], -10_000, id="all regretted"), pytest.param([1, 2, 0, 5], 2_500, id="one in four ahead"),
])
def test_balance(codes: list[int], balance: int) -> None:
    memory = Memory(1, 1, 3)
    for code in codes:
        memory.append(view(0), np.array([[code]]))

    assert memory.balance().tolist() == [[balance]]


@settings(max_examples=20)
@given(seed=st.integers(0, 10**6), episodes=st.integers(1, 2 * EPISODES))
def test_recall_is_what_a_plain_search_finds(seed: int, episodes: int) -> None:
    draw = np.random.default_rng(seed)
    memory, kept = Memory(2, 4, 3), []
    for _ in range(episodes):
        seen, codes = draw.integers(-30, 31, (2, 4, 12)) * 100, draw.integers(0, 12, (2, 4))
        memory.append(seen, codes)
        kept.insert(0, (seen, codes))
    today = draw.integers(-30, 31, (2, 4, 12)) * 100
    found = memory.recall(today, LESSONS)

    for lane in range(2):
        for agent in range(4):
            near = sorted(kept[:EPISODES], key=lambda one: int(abs(one[0] - today)[lane, agent].sum()))[:3]
            expected = sum(LESSONS[one[1][lane, agent]] for one in near) // 3
            assert found[lane, agent].tolist() == expected.tolist()
