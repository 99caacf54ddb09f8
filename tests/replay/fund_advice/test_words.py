"""The client's words: varied, borne out by the day, and of use to whoever answers."""

from itertools import product

import pytest

from replay.environments.fund_advice.phrasebook import words
from replay.environments.fund_advice.request import ppm
from replay.environments.fund_advice.types import BUY, CONSULT, HOLD, SELL
from replay.environments.fund_advice.words import utterance
from scenarios.errors import ScenarioError
from scenarios.theta import SIGNALS
from tests.replay.fund_advice.consultations import codes_broken, scores, some_facts, talk

LANGUAGES = ("en", "zh")
DRAWS = [draw * 7_919 * 104_729 % 2**31 for draw in range(200)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rationale_has_six_shapes(language: str) -> None:
    reasons = words("client-1", language)["reasons"]

    assert tuple(reasons) == SIGNALS
    assert min(len({shape for shapes in groups.values() for shape in shapes}) for groups in reasons.values()) >= 6


@pytest.mark.parametrize(("language", "rationale"), [*product(LANGUAGES, SIGNALS)])
def test_the_same_day_is_told_in_many_ways(language: str, rationale: str) -> None:
    for seed, action in product(range(4), (BUY, SELL, HOLD, CONSULT)):
        facts = some_facts(seed)
        said = {utterance(language, action, rationale, facts, 0, draw) for draw in DRAWS}
        assert len(said) > (60 if action == CONSULT else 20)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_turn_of_an_episode_repeats_another(language: str) -> None:
    for seed, draw in enumerate(DRAWS):
        turns = [utterance(language, CONSULT, SIGNALS[seed % 12], some_facts(seed), asked, draw) for asked in range(6)]
        assert len(set(turns)) == 6
        assert len({turn.split(".")[0].split("。")[0] for turn in turns}) >= 4


@pytest.mark.parametrize("language", LANGUAGES)
def test_stated_constraints_are_the_clients(language: str) -> None:
    for seed, draw in enumerate(DRAWS):
        facts = some_facts(seed)
        said = utterance(language, CONSULT, "move", facts, 0, draw)
        client = facts["client"]
        reserve, tolerance = (f"{ppm(client[name]) // 10_000}%" for name in ("cash_reserve", "drawdown_tolerance"))
        assert "%" not in said.replace(reserve, "").replace(tolerance, "")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_market_is_not_said_to_rise_when_it_fell(language: str) -> None:
    rises = words("client-1", language)["reasons"]["move"]["up"]
    for seed in range(300):
        facts = some_facts(seed)
        said = utterance(language, CONSULT, "move", facts, 0, DRAWS[seed % 200])
        assert facts["market"]["env"] == "up" or not any(said.startswith(text) for text in rises)


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ScenarioError, match="choose one of en, zh"):
        utterance("fr", BUY, "move", some_facts(0), 0, 0)


def episodes_hold(language: str, seeds: range) -> None:
    """Judge whole episodes of the personal rule: no redline, no hard conflict of either side."""
    for seed in seeds:
        facts, dialogue = talk(language, seed, 1 + seed % 3)
        assert codes_broken(facts, dialogue) == {}, dialogue


@pytest.mark.parametrize("language", LANGUAGES)
def test_episodes_break_no_clause(language: str) -> None:
    episodes_hold(language, range(36))


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_sides_of_an_episode_score_in_full(language: str) -> None:
    full = {"compliance": 1, "accuracy": 2, "personalization": 2, "logic": 2, "realism": 2}
    judged = [scores(*talk(language, seed, 1 + seed % 3)) for seed in range(36)]

    for name, most in full.items():
        assert sum(one[name] == most for one in judged) >= 33, name


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_thousands_of_episodes_break_no_clause(language: str) -> None:
    episodes_hold(language, range(36, 1_500))
