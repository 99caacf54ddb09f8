"""A name is taken for an instrument by the declared rule only; a near miss is named and never taken."""

import pytest

from scenarios.tickers import folded_ids, match_ticker, near_miss
from scenarios.types import Scenario
from tests.builders import a_scenario, an_instrument

INSTRUMENTS = (
    an_instrument("BRK-B", aliases=("Berkshire B",)), an_instrument("GOOGL"), an_instrument("IBM"),
    an_instrument("abc"), an_instrument("ABC"), an_instrument("O"),
)


def scenario(rule: str) -> Scenario:
    return a_scenario(instruments=INSTRUMENTS, universe=("GOOGL", "IBM", "BRK-B", "O"), ticker_match=rule)


def meant(rule: str, name: str) -> str | None:
    declared = scenario(rule)
    return match_ticker(declared, name, folded_ids(declared))


@pytest.mark.parametrize(
    ("name", "exact", "trim", "ignore_case"),
    [
        pytest.param("IBM", "IBM", "IBM", "IBM", id="the id"),
        pytest.param("Berkshire B", "BRK-B", "BRK-B", "BRK-B", id="an alias"),
        pytest.param(" IBM\n", None, "IBM", "IBM", id="blanks around"),
        pytest.param(" Berkshire B", None, "BRK-B", "BRK-B", id="blanks around an alias"),
        pytest.param("ibm", None, None, "IBM", id="lower case"),
        pytest.param(" BERKSHIRE b ", None, None, "BRK-B", id="an alias in another case"),
        pytest.param("abc", "abc", "abc", "abc", id="an id that differs from another by case only"),
        pytest.param("Abc", None, None, None, id="two ids are meant"),
        pytest.param("BRK.B", None, None, None, id="other punctuation"),
        pytest.param("", None, None, None, id="nothing"),
    ],
)
def test_match(name: str, exact: str | None, trim: str | None, ignore_case: str | None) -> None:
    assert meant("exact", name) == exact
    assert meant("trim", name) == trim
    assert meant("ignore-case", name) == ignore_case


@pytest.mark.parametrize(
    ("name", "resembles"),
    [
        pytest.param("BRK.B", "BRK-B", id="other punctuation"),
        pytest.param("brk b", "BRK-B", id="case and a blank"),
        pytest.param("BRK/B", "BRK-B", id="a slash"),
        pytest.param("BRK_B", "BRK-B", id="an underscore"),
        pytest.param("BRKB", "BRK-B", id="no punctuation"),
        pytest.param("ibm", "IBM", id="lower case"),
        pytest.param("\u0406\u0412\u041c", "IBM", id="Cyrillic capitals"),
        pytest.param("\u0399\u0392\u039c", "IBM", id="Greek capitals"),
        pytest.param("lBM", "IBM", id="a small l for I"),
        pytest.param("1BM", "IBM", id="1 for I"),
        pytest.param("G00GL", "GOOGL", id="0 for O"),
        pytest.param("\uff29\uff22\uff2d", "IBM", id="full width"),
        pytest.param("0", "O", id="0 for the ticker O"),
        pytest.param("Abc", "abc", id="outside the universe, the first declared"),
        pytest.param("IBM", None, id="the id itself"),
        pytest.param("IBMX", None, id="another name"),
        pytest.param("MSFT", None, id="no resemblance"),
        pytest.param(".-", None, id="punctuation alone"),
        pytest.param("", None, id="nothing"),
        pytest.param("I" * 500, None, id="longer than any name"),
    ],
)
def test_near_miss(name: str, resembles: str | None) -> None:
    assert near_miss(scenario("exact"), name) == resembles


def test_the_universe_is_searched_first() -> None:
    declared = a_scenario(names=("brk.b", "BRK-B"), universe=("BRK-B",))
    assert near_miss(declared, "BRK B") == "BRK-B"
