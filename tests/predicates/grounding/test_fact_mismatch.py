"""GRND02: the answer states a value, unit or date for a fact that differs from the frozen one."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predicates.grounding.fact_mismatch import fact_mismatch
from scenarios.action import Citation
from scenarios.exact import decimal_text
from scenarios.types import Fact
from tests.builders import a_scenario, cites

SCENARIO = a_scenario(facts=[
    Fact(id="cpi", statement="Inflation was 3.1 %.", value="3.1", unit="%", as_of="2026-01-31"),
    Fact(id="mood", statement="Sentiment was mixed.", value="mixed"),
    Fact(id="bare", statement="A fact without members."),
])


def found(*citations: Citation) -> list[tuple[str, object, object]]:
    """Place and both sides of each finding."""
    return [(item.where, item.left, item.right) for item in fact_mismatch(SCENARIO, cites(*citations))]


def differs(frozen: str, stated: str) -> bool:
    """Whether a stated value differs from the frozen one."""
    scenario = a_scenario(facts=[Fact(id="f", statement="", value=frozen)])
    return bool(fact_mismatch(scenario, cites(Citation("f", value=stated))))


@pytest.mark.parametrize(
    ("citation", "expected"),
    [
        pytest.param(Citation("cpi"), [], id="nothing stated"),
        pytest.param(Citation("cpi", "3.1", "%", "2026-01-31"), [], id="everything stated as frozen"),
        pytest.param(Citation("moon", "1"), [], id="an unknown id is GRND01's business"),
        pytest.param(Citation("mood", "mixed"), [], id="the same words"),
        pytest.param(Citation("cpi", "3.2"), [("value", "3.2", "3.1")], id="another value"),
        pytest.param(Citation("cpi", "3.1", "percent"), [("unit", "percent", "%")], id="another unit"),
        pytest.param(Citation("cpi", as_of="2026-01-30"), [("as_of", "2026-01-30", "2026-01-31")], id="a day early"),
        pytest.param(Citation("mood", "Mixed"), [("value", "Mixed", "mixed")], id="words are compared as text"),
        pytest.param(Citation("mood", "1"), [("value", "1", "mixed")], id="a number for a word"),
        pytest.param(Citation("bare", "1"), [("value", "1", None)], id="a value where none is frozen"),
        pytest.param(Citation("cpi", "3", "x", "y"), [("value", "3", "3.1"), ("unit", "x", "%"),
                                                      ("as_of", "y", "2026-01-31")], id="one finding a member"),
    ],
)
def test_boundary(citation: Citation, expected: list[tuple[str, object, object]]) -> None:
    """Only what is stated is judged, each member for itself."""
    assert found(Citation("cpi"), citation) == [(f"/citations/1/{member}", *sides) for member, *sides in expected]


@pytest.mark.parametrize(
    ("frozen", "stated", "expected"),
    [
        pytest.param("3.1", "3.10", False, id="a trailing zero"),
        pytest.param("3.1", "+3.1", False, id="a plus sign"),
        pytest.param("3.1", "31e-1", False, id="an exponent"),
        pytest.param("0", "-0.00", False, id="zero has no sign"),
        pytest.param("3.1", "3.1000000000000000000000000000000000001", True, id="beyond a binary float"),
        pytest.param("3.1", "-3.1", True, id="the other sign"),
        pytest.param("3.1", "3,1", True, id="a comma is text"),
        pytest.param("3.1", "3.1 ", True, id="a blank is text"),
        pytest.param("3.1", "3.1\n", True, id="a line end is text"),
        pytest.param("3", "\u0663", True, id="a digit of another script is text"),
        pytest.param("3", "6/2", True, id="a ratio is text"),
        pytest.param("1", "9" * 5_000, True, id="more digits than are read are text"),
    ],
)
def test_numbers(frozen: str, stated: str, expected: bool) -> None:
    """Two plain decimals are equal when their exact values are."""
    assert differs(frozen, stated) is expected


NUMBERS = st.builds(Fraction, st.integers(-10**6, 10**6), st.sampled_from([1, 10, 1000]))


@given(frozen=NUMBERS, stated=NUMBERS, zeros=st.integers(0, 9))
def test_spelling_never_matters(frozen: Fraction, stated: Fraction, zeros: int) -> None:
    """Zeros after the point change no verdict, and it turns exactly on the value."""
    text = decimal_text(stated)
    longer = text + ("" if "." in text else ".0") + "0" * zeros

    assert differs(decimal_text(frozen), longer) is differs(decimal_text(frozen), text) is (frozen != stated)
