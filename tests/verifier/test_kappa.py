"""Agreement in exact numbers: known values, and the laws of the definitions."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.kappa import Correlation, kendall, pearson, quadratic_kappa

PAIRS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=12)


def as_fractions(*values: int) -> list[Fraction]:
    return [Fraction(value) for value in values]


@pytest.mark.parametrize(
    ("left", "right", "kappa"),
    [
        pytest.param([0, 1, 2], [0, 1, 2], Fraction(1), id="alike"),
        pytest.param([0, 0, 1, 1], [0, 1, 0, 1], Fraction(0), id="no better than chance"),
        pytest.param([0, 1], [1, 0], Fraction(-1), id="opposite"),
        pytest.param([0, 1, 2, 2], [0, 1, 2, 1], Fraction(4, 5), id="one step off once"),
        pytest.param([0, 1, 2, 2], [0, 1, 2, 0], Fraction(5, 13), id="two steps off once"),
        pytest.param([2, 2], [2, 2], None, id="nothing varies"),
        pytest.param([], [], None, id="nothing scored"),
    ],
)
def test_kappa(left: list[int], right: list[int], kappa: Fraction | None) -> None:
    assert quadratic_kappa(left, right) == kappa


@given(pairs=PAIRS)
def test_kappa_is_that_of_the_table(pairs: list[tuple[int, int]]) -> None:
    """The short form equals one less the weighted observed over the weighted expected counts."""
    left, right = [a for a, _ in pairs], [b for _, b in pairs]
    observed = sum((i - j) ** 2 * pairs.count((i, j)) for i, j in product(range(3), repeat=2))
    expected = sum(Fraction((i - j) ** 2 * left.count(i) * right.count(j), len(pairs))
                   for i, j in product(range(3), repeat=2))

    assert quadratic_kappa(left, right) == (1 - observed / expected if expected else None)
    assert quadratic_kappa(right, left) == quadratic_kappa(left, right)


@pytest.mark.parametrize(
    ("left", "right", "printed"),
    [
        pytest.param([1, 2, 3], [2, 4, 6], "1.0000", id="a line"),
        pytest.param([1, 2, 3], [3, 2, 1], "-1.0000", id="a falling line"),
        pytest.param([1, 2, 3], [1, 2, 4], "0.9820", id="nearly a line"),
        pytest.param([0, 1, 2, 3], [1, 0, 0, 1], "0.0000", id="none"),
        pytest.param([1, 1], [1, 2], None, id="one does not vary"),
    ],
)
def test_pearson(left: list[int], right: list[int], printed: str | None) -> None:
    found = pearson(as_fractions(*left), as_fractions(*right))

    assert (None if found is None else found.printed(4)) == printed


@pytest.mark.parametrize(
    ("left", "right", "printed"),
    [
        pytest.param([1, 2, 3], [1, 2, 3], "1.000", id="the same order"),
        pytest.param([1, 2, 3], [1, 3, 2], "0.333", id="one pair turned round"),
        pytest.param([1, 2, 2], [1, 2, 3], "0.816", id="a tie on one side"),
        pytest.param([1], [1], None, id="no pair"),
    ],
)
def test_kendall(left: list[int], right: list[int], printed: str | None) -> None:
    found = kendall(as_fractions(*left), as_fractions(*right))

    assert (None if found is None else found.printed(3)) == printed


@given(root=st.fractions(-1, 1, max_denominator=400), places=st.integers(1, 6))
def test_a_root_is_rounded_as_the_number_is(root: Fraction, places: int) -> None:
    from scenarios.exact import round_half_up

    number = Correlation((root > 0) - (root < 0), root * root)

    assert number.printed(places) == round_half_up(root, places)


def test_series_of_two_lengths_are_refused() -> None:
    for measure in (quadratic_kappa, pearson, kendall):
        with pytest.raises(ValueError, match=r"shorter|longer"):
            measure([1, 2], [1])  # type: ignore[operator]
