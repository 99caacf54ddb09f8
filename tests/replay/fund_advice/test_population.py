"""Who invests, and the draws that every arm shares."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from replay.environments.fund_advice.draws import BITS, PURPOSES, draws
from replay.environments.fund_advice.population import DEFAULT, investors, load_population, shijian_27
from scenarios.canonical import canonical_bytes
from scenarios.errors import ReplayError, ScenarioError

POPULATION = shijian_27()


def test_the_shipped_population_is_the_one_of_the_paper() -> None:
    assert DEFAULT.read_bytes() == canonical_bytes(POPULATION.record()) + b"\n"
    assert len(POPULATION.members) == 27
    assert POPULATION.weights() == {
        "conservative": Fraction(363, 7199), "balanced": Fraction(3816, 7199), "aggressive": Fraction(3020, 7199),
    }


@pytest.mark.parametrize("run", [1, 2, 5])
def test_the_nav_lies_in_its_tier(run: int) -> None:
    for one in investors(load_population(), 7, run):
        assert one.means.nav_low_cents <= one.nav0_cents < one.means.nav_high_cents


def test_another_run_or_seed_draws_anew() -> None:
    first = [one.nav0_cents for one in investors(POPULATION, 7, 1)]

    assert first == [one.nav0_cents for one in investors(POPULATION, 7, 1)]
    assert first != [one.nav0_cents for one in investors(POPULATION, 7, 2)]
    assert first != [one.nav0_cents for one in investors(POPULATION, 8, 1)]


def test_a_longer_trace_begins_with_the_shorter_ones_draws() -> None:
    short, long = draws(1, 1, "a", 5), draws(1, 1, "a", 50)

    assert short.shape == (6, len(PURPOSES))
    assert (long[:6] == short).all()
    assert ((long >= 0) & (long < 2**BITS)).all()
    assert not (draws(1, 1, "b", 5) == short).any()


def test_the_stream_is_the_one_that_was_published() -> None:
    """The draws of one key, as every machine must make them."""
    assert draws(1, 1, "conservative-low-small", 0)[0].tolist() == [
        775464105, 139575921, 1794017094, 468469771, 263661689, 1605085457,
        734691043, 1815807797, 220590397, 2062100164, 612777360,
    ]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        pytest.param({"profile": "reckless"}, "profile", id="an impossible profile"),
        pytest.param({"nav_cents": 1}, "outside the bounds", id="a NAV outside the tier"),
        pytest.param({"id": "conservative-low-mid"}, "stands twice", id="an id twice"),
    ],
)
def test_an_impossible_investor_is_refused(tmp_path: Path, change: dict[str, object], says: str) -> None:
    record = json.loads(DEFAULT.read_bytes())
    record["members"][0] = {**record["members"][0], **change}
    (tmp_path / "p.json").write_text(json.dumps(record))

    with pytest.raises(ReplayError, match=says):
        load_population(tmp_path / "p.json")


def test_only_named_members() -> None:
    assert [one.id for one in investors(POPULATION, 1, 1, ("balanced-low-mid",))] == ["balanced-low-mid"]
    with pytest.raises(ScenarioError, match="no investor 'x'"):
        investors(POPULATION, 1, 1, ("x",))
