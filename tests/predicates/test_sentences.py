"""How exact numbers are written in the sentence for a person."""

from fractions import Fraction

import pytest

from predicates.sentences import render
from scenarios.exact import Number, Ratio


@pytest.mark.parametrize(
    ("says", "value", "expected"),
    [
        pytest.param("{x:money}", 25_000, "250.00", id="cents"),
        pytest.param("{x:money}", 5, "0.05", id="less than a unit"),
        pytest.param("{x:money}", Fraction(1, 2), "0.01", id="half a cent, away from zero"),
        pytest.param("{x:money}", "1/3", "0.00", id="as it is written in a record"),
        pytest.param("{x:money}", None, "none", id="no amount"),
        pytest.param("{x:%}", Ratio(307, 1000), "30.70 %", id="a ratio"),
        pytest.param("{x:%}", "307/1000", "30.70 %", id="a ratio out of a record"),
        pytest.param("{x:%}", Fraction(1, 100), "1.00 %", id="a rate"),
        pytest.param("{x:%}", Ratio(1, 0), "1/0", id="a ratio to nothing"),
        pytest.param("{x:%}", Ratio(5, -35), "5/-35", id="a ratio to less than nothing"),
        pytest.param("{x}", 25_000, "25000", id="plain"),
        pytest.param("{x}", None, "none", id="plain, nothing"),
        pytest.param("{x:>5}", 25, "   25", id="any other format is Python's"),
    ],
)
def test_render(says: str, value: Number | str | None, expected: str) -> None:
    """Numbers read the same fresh from a clause and out of a stored record."""
    assert render(says, x=value) == expected
