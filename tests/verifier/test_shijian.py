"""The tables of seed paper 000: what follows from its numbers follows, and what does not is said."""

from pathlib import Path

import pytest

from scenarios.contracts import conduct_contract
from tests.verifier.impact.folders import a_talk, write_rollout
from verifier.shijian import NOT_RUN, SAMPLE, Section, shijian, unexplained
from verifier.sweep import Row


@pytest.fixture(scope="module")
def contract(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("contract") / "conduct-1.json"
    path.write_bytes(conduct_contract().sealed_bytes())
    return path


@pytest.fixture(scope="module")
def sections(tmp_path_factory: pytest.TempPathFactory, contract: Path) -> dict[str, Section]:
    """Beside a rollout in which nobody was told anything."""
    silent = [a_talk(10, state="ABSTAINED")]
    run = write_rollout(tmp_path_factory.mktemp("run"), {
        "no-advisor": silent, "personalized-rule": [a_talk(10, scores=(1, 2, 2))], "baseline-rule": silent,
    })
    return {section.table: section for section in shijian(run, None, contract)}


def test_every_table_stands_in_order(sections: dict[str, Section]) -> None:
    assert list(sections) == ["1", "2", "5", "6", "8", "10", "13", "15", "16", "18", "19", "20", "21", "22"]
    assert all(section.comparable and section.rows for section in sections.values())


def test_what_is_comparable_agrees_or_says_why(sections: dict[str, Section]) -> None:
    assert unexplained(sections.values()) == []


def test_only_the_two_correlations_of_table_16_differ(sections: dict[str, Section]) -> None:
    differing = {row.name: row.ours for section in sections.values() for row in section.rows
                 if row.difference not in (None, "none")}

    assert differing == {"S_I only: tau": "0.40", "S_B only: tau": "-0.60"}


def test_ours_is_never_compared_with_table_5_or_6(sections: dict[str, Section]) -> None:
    ours = [row for name in "56" for row in sections[name].rows if "from its components" not in row.name]

    assert len(ours) == 13
    assert all(row.difference is None and row.reason for row in ours)


def test_the_order_of_our_baselines_is_printed_as_found(sections: dict[str, Section]) -> None:
    row = sections["5"].rows[-1]

    assert row.published == "Personalized-Rule > Baseline-Rule > Baseline-Neutral"
    assert row.ours == "Personalized-Rule > Baseline-Rule"


def test_a_policy_that_was_not_run_says_so(sections: dict[str, Section]) -> None:
    assert next(row for row in sections["5"].rows if row.name.startswith("Baseline-Neutral: S_I")).ours == NOT_RUN


@pytest.mark.skipif(SAMPLE.exists(), reason="a sample ships")
def test_without_a_rollout_nothing_of_ours_is_invented(contract: Path) -> None:
    rows = [row for section in shijian(None, None, contract) if section.table in "56" for row in section.rows
            if "from its components" not in row.name]

    assert {row.ours for row in rows} == {NOT_RUN}


def test_a_difference_without_a_reason_is_named() -> None:
    rows = (Row("plain", "1", "2", "2 against 1", None), Row("explained", "1", "2", "2 against 1", "because"),
            Row("ours", "1", "2", None, None))

    assert unexplained([Section("9", "", "", rows)]) == ["table 9: plain"]
