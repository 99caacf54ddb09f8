"""UNIV03: an order in an instrument that is blocked, or in another share class of a blocked issuer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predicates.universe.restricted_list import restricted_list
from scenarios.action import Action, Order
from scenarios.errors import ScenarioError
from scenarios.types import Scenario
from tests.builders import NO_PARAMS, a_scenario, an_instrument

LISTED = [
    an_instrument("GOOG", issuer="Alphabet"), an_instrument("GOOGL", issuer="Alphabet"),
    an_instrument("MSFT", issuer="Microsoft"), an_instrument("NEW", issuer=None), an_instrument("OLD", issuer=None),
]


def scenario(*restricted: str) -> Scenario:
    """Two share classes of one issuer, one other name, two names whose issuer is not frozen."""
    return a_scenario(instruments=LISTED, restricted=restricted)


def found(given: Scenario, *orders: Order, **params: str) -> list[tuple[object, object, object]]:
    """Name, blocked name and ground of each finding."""
    read = restricted_list.read_parameters(params)
    return [(item.left, item.details["blocked"], item.details["ground"])
            for item in restricted_list(given, Action(orders), read)]


@pytest.mark.parametrize(
    ("restricted", "name", "expected"),
    [
        pytest.param(["GOOG"], "MSFT", [], id="another issuer"),
        pytest.param([], "GOOG", [], id="an empty list blocks nothing"),
        pytest.param([], "NEW", [], id="an empty list needs no issuer"),
        pytest.param(["GOOG"], "ZZZ", [], id="an unknown name is UNIV01's business"),
        pytest.param(["GOOG"], "GOOG", [("GOOG", "GOOG", "the same name")], id="the name itself"),
        pytest.param(["GOOG"], "GOOGL", [("GOOGL", "GOOG", "the same issuer")], id="the other share class"),
        pytest.param(["GOOGL", "GOOG"], "GOOG", [("GOOG", "GOOG", "the same name")], id="its own name comes first"),
        pytest.param(["MSFT", "GOOG"], "GOOGL", [("GOOGL", "GOOG", "the same issuer")], id="any entry of the list"),
        pytest.param(["NEW"], "NEW", [("NEW", "NEW", "the same name")], id="the name itself, whoever issued it"),
    ],
)
def test_boundary(restricted: list[str], name: str, expected: list[object]) -> None:
    """Blocked is the name, or the issuer behind it; nothing else."""
    assert found(scenario(*restricted), Order(name)) == expected


@pytest.mark.parametrize(
    ("restricted", "name", "place"),
    [("GOOG", "NEW", "NEW"), ("NEW", "GOOG", "NEW"), ("NEW", "OLD", "NEW")],
    ids=["of the ordered name", "of the blocked name", "of both"],
)
def test_an_unknown_issuer_is_an_error(restricted: str, name: str, place: str) -> None:
    """What cannot be cleared is not let pass, and two unknown issuers are not taken for one."""
    with pytest.raises(ScenarioError, match=f"/instruments/{place}/issuer: no issuer is frozen"):
        found(scenario(restricted), Order(name))


def test_sides() -> None:
    """By default sells are blocked too; with sides = buy the client may get out."""
    orders = [Order("GOOG", "sell", 100), Order("GOOGL", "buy", 100)]

    assert [name for name, _, _ in found(scenario("GOOG"), *orders)] == ["GOOG", "GOOGL"]
    assert [name for name, _, _ in found(scenario("GOOG"), *orders, sides="buy")] == ["GOOGL"]


@pytest.mark.parametrize(("given", "absent"), [(a_scenario(), "/limits/restricted"), (scenario(), None)])
def test_it_speaks_only_where_a_list_is_declared(given: Scenario, absent: str | None) -> None:
    """Not applicable without a list; an empty list is a list."""
    assert restricted_list.missing_limit(given, NO_PARAMS) == absent


KNOWN = st.sampled_from(["GOOG", "GOOGL", "MSFT"])


@given(names=st.lists(KNOWN, max_size=5), restricted=st.lists(KNOWN, unique=True), more=KNOWN)
def test_a_longer_list_never_frees_a_name(names: list[str], restricted: list[str], more: str) -> None:
    """Adding an entry keeps every blocked name blocked."""
    orders = list(map(Order, names))
    longer = [*restricted, *([more] if more not in restricted else [])]

    before, after = ({name for name, _, _ in found(scenario(*entries), *orders)} for entries in (restricted, longer))
    assert before <= after
