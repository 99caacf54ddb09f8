"""The record log: a chain within each lane, one root over all heads."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.log import FIRST, Log, merkle_root
from scenarios.canonical import sha256

HEADS = st.dictionaries(
    st.text(min_size=1, max_size=6), st.integers(0, 99).map(lambda n: sha256(str(n).encode())), max_size=9
)


def a_log(*records: tuple[str, int]) -> Log:
    log = Log()
    for lane, value in records:
        log.append(lane, {"value": value})
    return log


def test_each_record_names_the_one_before_it_in_its_lane() -> None:
    lines = [json.loads(line) for line in a_log(("a", 1), ("b", 2), ("a", 3)).lines]

    assert [line["previous"] for line in lines[:2]] == [FIRST, FIRST]
    assert lines[2]["previous"] == sha256(a_log(("a", 1)).lines[0])
    assert [line["seq"] for line in lines] == [0, 0, 1]


@pytest.mark.parametrize(
    "other",
    [
        pytest.param([("a", 1), ("a", 2)], id="one dropped at the end"),
        pytest.param([("a", 2), ("a", 1), ("a", 3)], id="two swapped"),
        pytest.param([("a", 1), ("a", 2), ("b", 3)], id="one moved to another lane"),
        pytest.param([("a", 1), ("a", 2), ("a", 4)], id="one changed"),
    ],
)
def test_the_root_notices(other: list[tuple[str, int]]) -> None:
    assert a_log(*other).root() != a_log(("a", 1), ("a", 2), ("a", 3)).root()


def test_lanes_do_not_depend_on_how_they_interleave() -> None:
    assert a_log(("a", 1), ("b", 2), ("a", 3)).root() == a_log(("b", 2), ("a", 1), ("a", 3)).root()


@given(HEADS, HEADS)
def test_different_heads_have_different_roots(left: dict[str, str], right: dict[str, str]) -> None:
    assert (merkle_root(left) == merkle_root(right)) == (left == right)


def test_a_leaf_cannot_pass_for_an_inner_node() -> None:
    one, two = sha256(b"1"), sha256(b"2")
    inner = merkle_root({"a": one, "b": two})

    assert merkle_root({"": inner}) != inner
