"""Rankings of advisors: table 5 of the paper as the worked case, and what table 16 of the paper should say."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.impact.ranking import COMPONENTS, SCHEMES, ranking, spearman, tau, weighed
from verifier.shijian import LLMS, TABLE_5, TABLE_5_PARTS

LLM_PARTS = {name: TABLE_5_PARTS[name] for name in LLMS}
TOTALS = {name: Fraction(TABLE_5[name][3]) for name in TABLE_5}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_scheme_of_table_15_ranks_the_five_models_alike(scheme: str) -> None:
    found = weighed(LLM_PARTS, SCHEMES[scheme])
    correlation = tau({name: TOTALS[name] for name in LLMS}, found)

    assert ranking(found)[:2] == ("DeepSeek V4", "Claude Sonnet 4.6")
    assert correlation is not None
    assert correlation.printed() == "1.00"


@pytest.mark.parametrize(
    ("component", "names", "expected"),
    [
        pytest.param("S_I only", LLMS, ("0.40", "0.60"), id="S_I among the five models"),
        pytest.param("S_B only", LLMS, ("-0.60", "-0.80"), id="S_B among the five models"),
        pytest.param("S_I only", tuple(TABLE_5), ("0.21", "0.55"), id="S_I over all eight"),
        pytest.param("S_B only", tuple(TABLE_5), ("0.14", "0.26"), id="S_B over all eight: the printed 0.14"),
        pytest.param("S_Content only", LLMS, ("1.00", "1.00"), id="content among the five models"),
        pytest.param("S_I + S_Content", LLMS, ("1.00", "1.00"), id="both among the five models"),
    ],
)
def test_table_16_as_recomputed(component: str, names: tuple[str, ...], expected: tuple[str, str]) -> None:
    parts = {name: TABLE_5_PARTS[name] for name in names}
    totals = {name: TOTALS[name] for name in names}
    found = weighed(parts, COMPONENTS[component])
    both = tau(totals, found), spearman(totals, found)

    assert [one and one.printed() for one in both] == list(expected)


def test_ties_share_their_mean_rank() -> None:
    """Ranks 1, 2.5, 2.5 against 1, 2, 3: r = 1.5 / sqrt(1.5 * 2)."""
    left, right = ({name: Fraction(value) for name, value in zip("abc", values, strict=True)}
                   for values in ((0, 1, 1), (0, 1, 2)))
    found = spearman(left, right)

    assert found is not None
    assert found.square == Fraction(3, 4)


def test_what_does_not_vary_has_no_rank_correlation() -> None:
    flat = {"a": Fraction(1), "b": Fraction(1)}

    assert spearman(flat, {"a": Fraction(1), "b": Fraction(2)}) is None
    assert tau(flat, flat) is None


@given(values=st.lists(st.fractions(), min_size=2, max_size=8, unique=True), step=st.fractions(min_value="1/9"))
def test_only_the_order_counts(values: list[Fraction], step: Fraction) -> None:
    left = {str(number): value for number, value in enumerate(values)}
    stretched = {name: value**3 + step * value for name, value in left.items()}

    assert ranking(left) == ranking(stretched)
    for found in (tau(left, stretched), spearman(left, stretched)):
        assert found is not None
        assert (found.sign, found.square) == (1, 1)
