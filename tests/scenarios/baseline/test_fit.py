"""How each candidate fits the portfolio that is there."""

from fractions import Fraction

import pytest

from scenarios.baseline.fit import DIVERSIFIER, REINFORCEMENT, WATCH, Fit, fit_report, rank_by_fit, rank_by_score
from scenarios.types import Instrument, Scenario, SubScores
from tests.builders import a_scenario, an_instrument

CAP = Fraction("0.2")


def scored(name: str, score: int, theme: str | None = None) -> Instrument:
    """Return an instrument whose three sub-scores are all `score`."""
    value = Fraction(score)
    return an_instrument(name, theme=theme or name, scores=SubScores(moat=value, compounding=value, valuation=value))


def case(candidates: list[Instrument], held: dict[str, int], cap: Fraction | None = CAP) -> Scenario:
    """Return a scenario whose universe is the candidates; holdings in cents by theme."""
    holdings = [an_instrument(f"H-{theme}", theme=theme) for theme in held]
    return a_scenario(
        instruments=[*candidates, *holdings], universe=[one.id for one in candidates], theme_cap=cap,
        held={f"H-{theme}": value for theme, value in held.items()},
    )


def test_the_papers_case() -> None:
    """Platforms would be crowded, Industrial diversifies, Healthcare reinforces; verification buys Industrial."""
    scenario = case(
        [scored("PLAT", 90, "Platforms"), scored("INDU", 84, "Industrial"), scored("HEAL", 82, "Healthcare")],
        held={"Platforms": 23_000, "Healthcare": 5_000, "Other": 72_000},
    )

    assert fit_report(scenario) == (
        Fit("INDU", Fraction(84), "Industrial", Fraction(0), Fraction("0.1"), DIVERSIFIER, eligible=True),
        Fit("HEAL", Fraction(82), "Healthcare", Fraction("0.05"), Fraction("0.145"), REINFORCEMENT, eligible=True),
        Fit("PLAT", Fraction(90), "Platforms", Fraction("0.23"), Fraction("0.307"), WATCH, eligible=False),
    )


@pytest.mark.parametrize(
    ("in_theme", "role"),
    [
        pytest.param(0, DIVERSIFIER, id="empty"),
        pytest.param(1, REINFORCEMENT, id="a cent"),
        pytest.param(1_000, REINFORCEMENT, id="projected exactly at the cap"),
        pytest.param(1_001, WATCH, id="a cent over"),
    ],
)
def test_role(in_theme: int, role: str) -> None:
    """Of 90 dollars held, a starter is 10; 10 in the theme makes it 20 of 100, which the cap still allows."""
    scenario = case([scored("AAA", 50, "grain")], held={"grain": in_theme, "rest": 9_000 - in_theme})

    assert fit_report(scenario)[0].role == role


def test_projection_is_what_buying_a_ninth_gives() -> None:
    """The closed form equals (theme value + H / 9) / (H + H / 9)."""
    held = Fraction(12_345), Fraction(67_890)
    total = sum(held)
    fit = fit_report(case([scored("AAA", 50, "grain")], held={"grain": 12_345, "rest": 67_890}))[0]

    assert fit.projected == (held[0] + total / 9) / (total + total / 9)


def test_watch_ranks_last_whatever_its_score() -> None:
    """Score decides among the rest, and the id among equals; by score alone, the crowded name leads."""
    scenario = case(
        [scored("CROWD", 99, "grain"), scored("BBB", 70), scored("AAA", 70), scored("TOP", 80)],
        held={"grain": 1_500, "rest": 8_500},
    )

    assert rank_by_fit(scenario) == ("TOP", "AAA", "BBB", "CROWD")
    assert rank_by_score(scenario) == ("CROWD", "TOP", "AAA", "BBB")


def test_nobody_is_on_watch_without_a_cap_or_holdings() -> None:
    """Without a declared cap no projection is over it; in an empty account a starter projects a tenth."""
    assert fit_report(case([scored("AAA", 50, "grain")], held={"grain": 9_000}, cap=None))[0].role == REINFORCEMENT
    empty = fit_report(case([scored("AAA", 50)], held={}))[0]
    assert (empty.role, empty.projected) == (DIVERSIFIER, Fraction(1, 10))
