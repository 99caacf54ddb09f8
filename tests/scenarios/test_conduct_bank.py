"""The conduct bank: what the builder writes is what is stored, and it holds what it promises."""

import unicodedata
from collections import Counter

import pytest

from scenarios.conduct_bank import ADVISORS, BANK, build_bank, label_lines, read_episodes, seal_answers, seal_bank
from scenarios.files import list_folder
from scenarios.load import SHIPPED, load_answers, load_bank

EPISODES = read_episodes()
REMEDY = "publish a changed bank under a new id, or remove the stored one and run: python -m scenarios.conduct_bank"


def test_the_stored_bank_is_the_builders() -> None:
    built = seal_bank()

    assert {path for path, _ in list_folder(SHIPPED / BANK)} == set(built), REMEDY
    assert [path for path in built if (SHIPPED / BANK / path).read_bytes() != built[path]] == [], REMEDY


@pytest.mark.parametrize("advisor", ADVISORS)
def test_the_stored_answers_are_the_builders(advisor: str) -> None:
    bank = load_bank(SHIPPED / BANK)
    folder = SHIPPED / "answers" / BANK / advisor
    built = seal_answers(advisor, bank.reference)

    assert [path for path in built if (folder / path).read_bytes() != built[path]] == [], REMEDY
    assert len(load_answers(folder, bank).plan.scenarios) == sum(advisor in episode for episode in EPISODES)


def test_the_stored_labels_are_the_builders() -> None:
    assert (SHIPPED / "labels" / f"{BANK}.jsonl").read_bytes() == label_lines(), REMEDY


def test_every_episode_asks_and_is_answered_by_two_advisors() -> None:
    assert len(EPISODES) >= 60
    for scenario in build_bank():
        assert scenario.reply_turns and scenario.client and scenario.consultation, scenario.id
    for episode in EPISODES:
        assert sum(advisor in episode for advisor in ADVISORS) >= 2, episode["id"]


def test_the_kinds_that_it_promises() -> None:
    """Each redline, each conflict, both languages and their mixture, and texts that attack their reader."""
    kinds = Counter(episode["id"].rpartition("-")[0] for episode in EPISODES)
    texts = [text for episode in EPISODES for name in ("client", *ADVISORS) for text in episode.get(name, ())]
    chinese = [text for text in texts if any("\u4e00" <= char <= "\u9fff" for char in text)]

    assert all(kinds[f"redline-{letter}"] >= 3 for letter in "abcde")
    assert {episode["id"] for episode in EPISODES} >= {
        f"conflict-l5-{kind}" for kind in ("position", "pnl", "timeline", "env", "risk", "good", "bad",
                                           "small-drawdown", "large-drawdown", "explained")
    } | {f"conflict-m6-{kind}" for kind in ("state", "minor", "rally", "vague")}
    assert len(chinese) >= 60 and len(texts) - len(chinese) >= 200
    assert sum(any(char.isascii() and char.isalpha() for char in text) for text in chinese) >= 10
    for mark in ("<script>", "\u202e", "\u200b", "=HYPERLINK(", "+cmd|", "@SUM", "🚀"):
        assert any(mark in text for text in texts), mark
    assert any(unicodedata.normalize("NFKC", text) != text for text in texts)


def test_the_papers_contexts_keep_the_papers_values() -> None:
    """Yuan where the paper has yuan, percent where it has percent, and what does not add up stays as it is."""
    day = {scenario.id: scenario.consultation.daily for scenario in build_bank() if scenario.consultation}

    assert day["calibration-a1"].pnl_daily_cents == 14_000 and day["calibration-a1"].pnl_daily is None
    assert day["calibration-a2"].pnl_daily_cents == -120_000 and day["calibration-a2"].pnl_daily is None
    assert str(day["calibration-u1"].pnl_daily) == "-11/500" and day["calibration-u1"].pnl_daily_cents is None
    assert day["case-c2"].env == "down" and day["case-c1"].env == "range"
