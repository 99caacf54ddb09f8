"""The rule advisors' words against the conduct clauses, with the shipped lexicons, on random days."""

from itertools import product

import pytest

from replay.environments.fund_advice.advisors import advisor_named
from replay.environments.fund_advice.request import ADVISOR, CLIENT, request_bytes
from replay.environments.fund_advice.types import CONSULT
from replay.environments.fund_advice.words import utterance
from scenarios.theta import SIGNALS
from tests.replay.fund_advice.consultations import codes_broken, some_facts

ADVISORS = ("baseline-neutral", "baseline-rule")
LANGUAGES = ("en", "zh")


def words_hold(name: str, language: str, seeds: range) -> None:
    """Judge one turn of an advisor on each day."""
    advisor = advisor_named(name, language)
    for seed in seeds:
        facts = some_facts(seed)
        dialogue = [(CLIENT, utterance(language, CONSULT, SIGNALS[seed % 12], facts, 0, seed * 7_919))]
        answer = advisor.answer(request_bytes(facts, dialogue))
        assert answer is not None
        broken = codes_broken(facts, [*dialogue, (ADVISOR, answer.decode())])
        assert broken.keys() <= {"FACT04"}, (broken, answer.decode())


@pytest.mark.parametrize(("name", "language"), [*product(ADVISORS, LANGUAGES)])
def test_words_break_no_clause(name: str, language: str) -> None:
    words_hold(name, language, range(36))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "language"), [*product(ADVISORS, LANGUAGES)])
def test_words_on_thousands_of_days_break_no_clause(name: str, language: str) -> None:
    words_hold(name, language, range(36, 1_500))
