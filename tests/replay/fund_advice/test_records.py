"""The log's lines: canonical bytes from a template, and a chain that notices every change."""

import json

import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from replay.environments.fund_advice.records import Day, Lane

INT = st.integers(-(2**53) + 1, 2**53 - 1)
DAYS = st.builds(Day, INT, INT, INT, INT, INT, INT, INT, INT, INT, INT, st.lists(INT, min_size=4, max_size=4), INT, INT,
                 INT, INT)


@given(DAYS)
def test_a_line_is_canonical(day: Day) -> None:
    assert rfc8785.dumps(json.loads(day.line())) == day.line()
    assert json.loads(day.line())["q"] == list(day.preferences_e4)


@given(st.lists(DAYS, min_size=1, max_size=5), st.lists(DAYS, min_size=1, max_size=5))
def test_other_lines_have_another_head(left: list[Day], right: list[Day]) -> None:
    heads = []
    for days in (left, right):
        lane = Lane("a/1/b")
        for day in days:
            lane.add(day.line())
        heads.append(lane.head)

    assert (heads[0] == heads[1]) == ([day.line() for day in left] == [day.line() for day in right])


def test_a_checkpoint_states_the_head_before_it() -> None:
    lane = Lane("a/1/b")
    before = lane.head
    line = lane.checkpoint(20, 3)

    assert json.loads(line) == {"d": 20, "h": before, "i": 3}
    assert rfc8785.dumps(json.loads(line)) == line
    assert lane.head != before
