"""GRND01: the answer relies on a fact that the scenario does not contain."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predicates.grounding.ungrounded_fact import ungrounded_fact
from scenarios.action import Citation
from scenarios.types import Fact
from tests.builders import a_scenario, cites

SCENARIO = a_scenario(facts=[Fact(id="cpi-2026-01", statement="Inflation was 3.1 %.", value="3.1", unit="%")])


def found(*citations: str | Citation) -> list[tuple[str, object]]:
    """Place and id of each finding."""
    return [(finding.where, finding.left) for finding in ungrounded_fact(SCENARIO, cites(*citations))]


@pytest.mark.parametrize(
    ("citations", "expected"),
    [
        pytest.param([], [], id="nothing cited"),
        pytest.param(["cpi-2026-01"], [], id="a frozen fact"),
        pytest.param([Citation("cpi-2026-01", value="9.9")], [], id="a wrong value is GRND02's business"),
        pytest.param(["cpi-2026-02"], [("/citations/0/id", "cpi-2026-02")], id="one digit off"),
        pytest.param(["CPI-2026-01"], [("/citations/0/id", "CPI-2026-01")], id="another case"),
        pytest.param([Citation("moon", value="3.1")], [("/citations/0/id", "moon")], id="a true value, no such fact"),
        pytest.param(["cpi-2026-01", "moon", "moon"], [("/citations/1/id", "moon"), ("/citations/2/id", "moon")],
                     id="each citation counts"),
    ],
)
def test_boundary(citations: list[str | Citation], expected: list[object]) -> None:
    """An id is among the frozen facts or it is not."""
    assert found(*citations) == expected


@given(ids=st.lists(st.sampled_from(["cpi-2026-01", "moon", "sun"]), max_size=5), known=st.booleans())
def test_freezing_the_facts_clears_the_answer(ids: list[str], known: bool) -> None:
    """With every cited id among the facts nothing is found; with none, every citation is."""
    facts = [Fact(id=name, statement="") for name in dict.fromkeys(ids)] if known else []

    assert len(ungrounded_fact(a_scenario(facts=facts), cites(*ids))) == (0 if known else len(ids))
