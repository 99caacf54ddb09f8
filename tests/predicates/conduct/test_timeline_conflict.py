"""LOGIC03: the client claims to have just bought or sold, and said the opposite earlier in the episode."""

import pytest

from predicates.conduct.timeline_conflict import timeline_conflict
from tests.predicates.conduct.episodes import a_consultation, answers, judge, kinds


@pytest.mark.parametrize(
    ("client", "expected"),
    [
        pytest.param(["I have not bought anything.", "I just bought the fund."],
            ["violation"], id="bought after not bought"),
        pytest.param(["I just sold everything.", "I just bought it."], ["violation"], id="bought after sold"),
        pytest.param(["I just bought it.", "I just sold it."], ["violation"], id="sold after bought"),
        pytest.param(["我还没卖。", "我刚卖了。"], ["violation"], id="in Chinese"),
        pytest.param(["I just bought it.", "I just bought it."], [], id="the same again"),
        pytest.param(["I just bought it."], [], id="said once"),
        pytest.param(["I have not bought anything, I just bought it."], [], id="in one turn"),
        pytest.param(["I have not sold anything.", "I just sold it, in my other account."], ["note"], id="explained"),
    ],
)
def test_timeline(client: list[str], expected: list[str]) -> None:
    """A trade that an earlier turn denies."""
    found = judge(timeline_conflict, a_consultation(*client), answers(*["I see."] * len(client)))

    assert [kind for kind, _ in kinds(found)] == expected
