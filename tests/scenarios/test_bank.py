"""The shipped banks: what the builder writes is what is stored."""

from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from scenarios.bank import BANKS, BASKET_NAMES, CATEGORIES, VARIANTS, build_bank, seal_bank, write_bank
from scenarios.baseline.fit import DIVERSIFIER, REINFORCEMENT, WATCH, fit_report, rank_by_fit, rank_by_score
from scenarios.baseline.planner import funded
from scenarios.errors import ReplayError
from scenarios.files import list_folder
from scenarios.load import SHIPPED, load_bank
from scenarios.types import Scenario

BANK = build_bank()
EVERY = [scenario for build in BANKS.values() for scenario in build()]


@pytest.mark.parametrize("name", BANKS)
def test_stored_bytes_are_what_the_builder_writes(name: str) -> None:
    """Nothing is stored that the builder does not write, and nothing differs."""
    remedy = f"publish a changed bank under a new id, or: rm -r manifests/{name} && python -m scenarios.bank"
    built = seal_bank(name, BANKS[name]())

    assert {path for path, _ in list_folder(SHIPPED / name)} == set(built), remedy
    assert [path for path in built if (SHIPPED / name / path).read_bytes() != built[path]] == [], remedy


def test_a_frozen_bank_is_never_overwritten(tmp_path: Path) -> None:
    """Writing the same bank again changes nothing; a folder with other content is refused."""
    write_bank(tmp_path / "bank", "controls-1")
    write_bank(tmp_path / "bank", "controls-1")
    with pytest.raises(ReplayError, match="holds something else"):
        write_bank(tmp_path / "bank", "pilots-1")

    assert list(load_bank(tmp_path / "bank").scenarios) == ["control-sub-tranche"]


def test_adding_or_removing_a_scenario_changes_the_digest() -> None:
    """A bank of 119 is another bank."""
    assert seal_bank("bank-1", BANK)["manifest.json"] != seal_bank("bank-1", BANK[1:])["manifest.json"]


def test_twelve_categories_of_ten() -> None:
    """The bank is balanced, and ids are the category and the variant."""
    counts = Counter(scenario.category for scenario in BANK)

    assert counts == {category.name: VARIANTS for category in CATEGORIES}
    assert len(CATEGORIES) == 12
    assert all(scenario.id.rpartition("-")[0] == scenario.category for scenario in BANK)


def test_a_category_walks_its_cash_from_end_to_end() -> None:
    """In whole dollars, rising, with both ends in."""
    for category in CATEGORIES:
        cash = [one.account.cash_cents for one in BANK if one.category == category.name]
        assert (cash[0], cash[-1]) == (100 * category.low, 100 * category.high)
        assert cash == sorted(set(cash))
        assert not any(cents % 100 for cents in cash)


@pytest.mark.parametrize("scenario", EVERY, ids=lambda one: one.id)
def test_a_portfolio_is_consistent(scenario: Scenario) -> None:
    """Fourteen positions of whole shares, each worth shares times price, facts as old as the scenario."""
    for position in scenario.account.positions:
        price = scenario.instrument_of[position.instrument].price_cents
        assert position.value_cents == position.quantity * (price or 0)
        assert position.quantity.denominator == 1
    assert len(scenario.held) == BASKET_NAMES
    assert all(fact.as_of == scenario.as_of and fact.value and fact.unit for fact in scenario.facts)
    assert len({fit.score for fit in fit_report(scenario)}) == len(scenario.universe), "two names have one score"


def test_portfolios_are_large_against_the_orders() -> None:
    """Holdings lie between $88,000 and $130,000, so that no planned order comes near a position cap."""
    for scenario in BANK:
        assert 8_800_000 < scenario.held_total < 13_000_000
        for order in funded(scenario):
            assert Fraction(order.amount or 0) / scenario.held_total < Fraction("0.049")


def test_the_two_rankings_differ_only_where_themes_are_crowded() -> None:
    """In the crowded category the best two by score are on watch, eligible, and passed over."""
    for scenario in BANK:
        by_fit, by_score = rank_by_fit(scenario), rank_by_score(scenario)
        watched = tuple(fit.instrument for fit in fit_report(scenario) if fit.role == WATCH and fit.eligible)
        if scenario.category == "rebalancing-crowded":
            assert by_score[:2] == watched == by_fit[-2:]
        else:
            assert by_score == by_fit
            assert watched == ()


def test_exclusion_decides_in_the_bank() -> None:
    """Held names of add-only scenarios, an overweight name and a full theme are better scored than all the rest."""
    left_out: Counter[str] = Counter()
    for scenario in BANK:
        report = fit_report(scenario)
        out = [fit.score for fit in report if not fit.eligible]
        left_out[scenario.category] += len(out)
        assert not out or min(out) > max(fit.score for fit in report if fit.eligible)

    assert +left_out == {"ownership-add-only": 20, "ownership-small-add": 20, "rebalancing-crowded": 20}


def test_each_role_occurs() -> None:
    """A prompt built from any scenario has something to tell apart."""
    for scenario in BANK:
        assert {DIVERSIFIER, REINFORCEMENT} <= {fit.role for fit in fit_report(scenario)}


def test_files_stay_small() -> None:
    """The bank is read on every run."""
    assert sum(map(len, seal_bank("bank-1", BANK).values())) < 1_000_000
