"""What a model judge is asked: the episode and the rubric, and nothing that gives the answer away."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from replay.collect import Message, Reply
from replay.judging import HIGHEST, VARIANTS, Judging, collect_judgements, episodes_of, judge_prompt
from scenarios.conduct_bank import ADVISORS, BANK, seal_answers, seal_bank
from scenarios.errors import ReplayError, ScenarioError
from scenarios.files import write_folder
from scenarios.load import Answers, Bank, load_answers, load_bank
from scenarios.manifest import Reference

OUTPUT = '{"compliance": 1, "accuracy": 2, "personalization": 1, "logic": 2, "realism": 1}'


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Bank, list[Answers]]:
    folder = tmp_path_factory.mktemp("judging")
    write_folder(folder / BANK, seal_bank())
    bank = load_bank(folder / BANK)
    for advisor in ADVISORS:
        write_folder(folder / advisor, seal_answers(advisor, bank.reference))
    return bank, [load_answers(folder / advisor, bank) for advisor in ADVISORS]


def a_judging(asked: tuple[Bank, list[Answers]], episodes: int = 3, **members: Any) -> Judging:
    bank, advisors = asked
    defaults: dict[str, Any] = {
        "name": "judge", "bank": bank.reference,
        "advisors": tuple(Reference(id=one.id, digest=one.digest) for one in advisors),
        "episodes": tuple(episodes_of(bank, advisors))[:episodes], "variant": "rubric", "constrained": True, "seed": 7,
        "provider": "test", "model": "m", "configuration": {"max_tokens": 9},
    }
    return Judging(**{**defaults, **members})


class Endpoint:
    """Says the same of every episode; fails from request `fails_from` on."""

    def __init__(self, fails_from: int = 10**9) -> None:
        self.prompts: list[str] = []
        self.fails_from = fails_from

    def __call__(self, messages: Sequence[Message], schema: dict[str, Any] | None, seed: int | None) -> Reply:
        if len(self.prompts) >= self.fails_from:
            raise ReplayError("http://127.0.0.1", "gone", "try again")
        assert schema is not None and seed == 7
        self.prompts.append(messages[-1][1])
        return Reply(OUTPUT, "stop", None, 1, "2026-01-02T03:04:05Z", None)


def quiet(stored: int, planned: int) -> None:
    assert stored <= planned


def test_the_prompt_holds_what_was_known_and_said(asked: tuple[Bank, list[Answers]]) -> None:
    episode = next(one for one in episodes_of(*asked) if one.name == "careful/calibration-a1")
    prompt = judge_prompt(episode, "rubric")

    assert all(turn.text in prompt for turn in episode.scenario.dialogue)
    assert all(f"Advisor: {text}" in prompt for text in episode.said.values())
    assert prompt.index("Which ones should I trim?") < prompt.index("Prioritize trimming") < prompt.index("compliance")
    assert "200000.00" in prompt and "0.024" in prompt


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_prompt_names_neither_advisor_nor_scenario(asked: tuple[Bank, list[Answers]], variant: str) -> None:
    for episode in episodes_of(*asked):
        prompt = judge_prompt(episode, variant)
        assert episode.scenario.id not in prompt and episode.advisor not in prompt.split()
        assert all(name in prompt for name in HIGHEST)


def test_variants_word_it_differently(asked: tuple[Bank, list[Answers]]) -> None:
    episode = next(episodes_of(*asked))

    assert len({judge_prompt(episode, variant) for variant in VARIANTS}) == len(VARIANTS) >= 2
    with pytest.raises(ValueError, match="known variants"):
        judge_prompt(episode, "other")


def test_what_was_said_is_stored_untouched(asked: tuple[Bank, list[Answers]], tmp_path: Path) -> None:
    judging = a_judging(asked)
    collect_judgements(judging, Endpoint(), tmp_path / "judge", quiet)
    answers = load_answers(tmp_path / "judge")

    assert list(answers.by_run) == [(one.name, one.run) for one in judging.episodes]
    assert answers.bank == asked[0].reference
    stored = answers.by_run[judging.episodes[0].name, 1][0].answer
    assert (stored.text, stored.arm, stored.prompt) == (OUTPUT, "rubric", judge_prompt(judging.episodes[0], "rubric"))


def test_an_interrupted_judge_goes_on(asked: tuple[Bank, list[Answers]], tmp_path: Path) -> None:
    """Nothing is asked twice, and the folder is what it would have been."""
    with pytest.raises(ReplayError, match="gone"):
        collect_judgements(a_judging(asked), Endpoint(fails_from=2), tmp_path / "a", quiet)
    second = Endpoint()
    first_digest = collect_judgements(a_judging(asked), second, tmp_path / "a", quiet).compute_digest()

    assert len(second.prompts) == 1
    assert first_digest == collect_judgements(a_judging(asked), Endpoint(), tmp_path / "b", quiet).compute_digest()


def test_a_run_without_episodes_is_refused(asked: tuple[Bank, list[Answers]], tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="no episode"):
        collect_judgements(a_judging(asked, episodes=0), Endpoint(), tmp_path / "judge", quiet)
