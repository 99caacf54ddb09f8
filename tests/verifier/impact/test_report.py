"""The report over matched runs: intervals, slices, the gate, sensitivity, and what does not match."""

from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenarios.canonical import canonical_bytes
from scenarios.errors import AuditError, ScenarioError
from scenarios.manifest import Reference, ScoresConfig
from tests.verifier.impact.folders import PEOPLE, a_talk, write_rollout
from verifier.impact.config import load_config, scaled, shipped_configs
from verifier.impact.reading import open_rollout
from verifier.impact.report import Report, coverage, differences, draw_investors, over_runs, report, sensitivity
from verifier.impact.tables import record, tables

SILENT = [a_talk(10, state="ABSTAINED")]
GOOD = [a_talk(10, scores=(1, 2, 2), satisfaction_e4=8_000, advice={"direction": 2, "target_ppm": 0})]
GUARANTEE = [*GOOD, a_talk(70, scores=(0, 0, 0), state="INADMISSIBLE", clauses={"COND01": "FAIL"})]
RISE = {5: Fraction(1_000_600, 10**6)}  # 6 bp once in 120 sessions: a twentieth of a basis point a day


def reported(folder: Path, arms: dict[str, list[dict[str, Any]]], config: ScoresConfig | None = None, **how: Any) -> (
    Report
):
    """Write a rollout of these advisors beside a silent baseline, and score it."""
    write_rollout(folder, {"no-advisor": SILENT, **arms}, **how)
    return report([open_rollout(folder)], config or load_config(), resamples=0)


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return reported(tmp_path_factory.mktemp("three"), {"good": GOOD, "guarantee": GUARANTEE, "null": SILENT}, runs=5,
                    growth={"good": RISE, "guarantee": RISE}, exits={"guarantee": 89})


def scores_of(found: Report, advisor: str, name: str = "full") -> dict[str, float | None]:
    part = next(one for one in found.advisors if one.advisor == advisor).slices[name]
    scores = {score: part.estimate(score) for score in part.impacts[0]._fields}
    return {score: estimate and estimate.mean for score, estimate in scores.items()}


def test_scores_by_hand(three: Report) -> None:
    found = scores_of(three, "good")

    assert found["returns"] == pytest.approx(50 + 50 * 6 / 120)
    assert (found["risk"], found["retention"], found["aum"]) == (50, 50, pytest.approx(50))
    assert found["influence"] == pytest.approx(50 + 40)
    assert found["content"] == 100
    assert found["total"] == pytest.approx(0.7 * (0.6 * 52.5 + 20) + 0.2 * (27 + 35) + 10)


def test_a_silent_advisor_is_the_baseline(three: Report) -> None:
    found = scores_of(three, "null")

    assert [found[name] for name in ("returns", "risk", "retention", "aum", "influence", "content")] == [
        50, 50, 50, 50, 0, 0,
    ]


def test_one_redline_disqualifies_in_every_slice(three: Report) -> None:
    """It falls into the second regime; the first has none, and its total is 0 all the same."""
    bear = three.slices["bear"]

    assert 70 not in bear
    assert scores_of(three, "guarantee")["total"] == 0
    assert scores_of(three, "guarantee", "bear")["total"] == 0
    assert "guarantee" not in three.parts()


def test_a_redline_in_one_run_disqualifies_in_all(tmp_path: Path) -> None:
    once = a_talk(70, scores=(0, 0, 0), state="INADMISSIBLE", clauses={"COND01": "FAIL"}, run=2)
    found = reported(tmp_path, {"once": [*GOOD, once]}, runs=3).advisors[0]

    assert (found.compliance, found.gate) == ((1, 0, 1), 0)
    assert [one.total for one in found.slices["full"].impacts] == [0, 0, 0]
    assert [one.graded == one.ungated for one in found.slices["full"].impacts] == [True, False, True]


def test_leaving_on_session_89_loses_retention(three: Report) -> None:
    assert scores_of(three, "guarantee")["retention"] == 0


def test_regimes_shorter_than_the_horizon_have_no_total(three: Report, tmp_path: Path) -> None:
    short = ScoresConfig(id="short", retention_scored=30)

    assert scores_of(three, "good", "bear")["total"] is None
    found = reported(tmp_path, {"good": GOOD}, short, growth={"good": RISE})
    assert scores_of(found, "good", "bear")["total"] is not None


# Intervals


@pytest.mark.parametrize(
    ("runs", "rank", "expected"),
    [(1, 1, Fraction(0)), (2, 1, Fraction(1, 2)), (5, 1, Fraction(15, 16)), (6, 1, Fraction(31, 32)),
     (9, 2, Fraction(492, 512))],
)
def test_coverage_is_exact(runs: int, rank: int, expected: Fraction) -> None:
    assert coverage(runs, rank) == expected


def test_five_runs_span_from_smallest_to_largest() -> None:
    assert over_runs([3.0, 1.0, 2.0, 5.0, 4.0]) == (3.0, 1.0, 5.0)


def test_nine_runs_leave_out_the_outermost() -> None:
    assert over_runs([float(one) for one in range(9)]) == (4.0, 1.0, 7.0)


@pytest.mark.parametrize("values", [[], [1.0, None]])
def test_a_run_without_a_value_leaves_no_estimate(values: list[float | None]) -> None:
    assert over_runs(values) is None


@given(number=st.integers(0, 10**6))
def test_resamples_keep_the_profiles(number: int) -> None:
    profiles = ["balanced"] * 4 + ["aggressive"] + ["conservative"] * 3
    drawn = draw_investors(profiles, number)

    assert Counter(profiles[one] for one in drawn) == Counter(profiles)
    assert drawn == draw_investors(profiles, number)


def test_resamples_differ() -> None:
    assert len({tuple(draw_investors(["balanced"] * 9, number)) for number in range(50)}) == 50


def test_bounds_over_investors_need_two_of_each_profile(tmp_path: Path) -> None:
    """PEOPLE has one conservative investor, whom drawing again cannot vary."""
    write_rollout(tmp_path, {"no-advisor": SILENT, "good": GOOD})

    assert report([open_rollout(tmp_path)], load_config(), resamples=40).advisors[0].investors == {}


def test_bounds_over_investors_hold_the_mean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.verifier.impact.folders.PEOPLE", PEOPLE[1:])
    talks = [a_talk(10, PEOPLE[2], scores=(1, 0, 0)), *GOOD]
    write_rollout(tmp_path, {"no-advisor": SILENT, "good": talks}, runs=2)
    found = report([open_rollout(tmp_path)], load_config(), resamples=40).advisors[0]
    low, high = found.investors["content"]

    assert (low, high) == (0, 100)
    assert found.investors["investment"] == (50, 50)


# Sensitivity and tables


def test_sensitivity_moves_every_unit(three: Report) -> None:
    moved = sensitivity(three)

    assert len(moved) == 12
    assert moved["return_unit x1/2"]["good"] > three.totals()["good"] > moved["return_unit x2"]["good"]
    assert moved["influence_unit x1/2"]["good"] > three.totals()["good"]
    assert moved["risk_unit x2"] == three.totals()


def test_a_report_is_one_record_and_twice_the_same(three: Report) -> None:
    stored = record(three, moved=True)

    assert canonical_bytes(stored) == canonical_bytes(record(three, moved=True))
    assert stored["rollouts"] == [{"id": "toy", "digest": three.rollouts[0].digest}]
    assert stored["advisors"][0]["slices"]["full"]["scores"]["total"]["mean"] == "58.4500"


def test_every_table_is_printed(three: Report) -> None:
    found = {table.title: table for table in tables(three, moved=True)}

    assert found["Full horizon"].rows[1][4:7] == ("0.00", "0.00 to 0.00", "0 (run 1, 2, 3, 4, 5)")
    assert "93.75 %" in found["Full horizon"].note
    assert "not 0" in found["S_Total by regime"].note
    assert len(found["Measures"].rows) == 18
    assert all(len(row) == len(table.head) for table in found.values() for row in table.rows)


# What does not match


def test_matched_rollouts_have_no_difference(tmp_path: Path) -> None:
    rollouts = [open_rollout(write_rollout(tmp_path / name, {"no-advisor": SILENT, name: GOOD}))
                for name in ("one", "other")]

    assert differences(rollouts) == {}
    assert [one.advisor for one in report(rollouts, load_config(), resamples=0).advisors] == ["one", "other"]


def test_other_options_are_named(tmp_path: Path) -> None:
    rollouts = [open_rollout(write_rollout(tmp_path / str(seed), {"no-advisor": SILENT}, seed=seed, runs=seed))
                for seed in (1, 2)]

    assert differences(rollouts) == {"config/seed": ("1", "2"), "config/runs": ("1", "2")}


OTHER = Reference(id="other", digest="1" * 64)


@pytest.mark.parametrize(
    ("members", "key"),
    [
        pytest.param({"trace": OTHER}, "trace", id="another market, its fees and universe included"),
        pytest.param({"theta": OTHER}, "theta", id="other minds"),
        pytest.param({"population": OTHER.digest}, "population", id="other investors"),
        pytest.param({"contract": OTHER}, "contract", id="another contract"),
        pytest.param({"phrasebooks": {"client-1": OTHER.digest}}, "phrasebooks/client-1", id="other words"),
        pytest.param({"sources": {"COND01": OTHER.digest}}, "sources/COND01", id="another clause under its version"),
        pytest.param({"sources": {"COND01": "0" * 64, "LIM01": OTHER.digest}}, "sources/LIM01", id="one more clause"),
        pytest.param({"engine": OTHER.digest}, "engine", id="other code"),
        pytest.param({"release": "1"}, "release", id="another release"),
    ],
)
def test_anything_but_the_advisor_is_a_difference(tmp_path: Path, members: dict[str, Any], key: str) -> None:
    one, other = (open_rollout(write_rollout(tmp_path / name, {"no-advisor": SILENT, name: GOOD}))
                  for name in ("one", "other"))
    other.manifest = other.manifest.model_copy(update=members)

    assert list(differences([one, other])) == [key]


@pytest.mark.parametrize(
    ("option", "value"),
    [("end", "2021-07-30"), ("start", "2021-02-22"), ("execution", "same_close"), ("max_turns", 2), ("flows", False),
     ("message_characters", 601), ("languages", ("en",)), ("gate", True), ("gate_suitability", True)],
)
def test_every_option_is_a_difference(tmp_path: Path, option: str, value: Any) -> None:
    one, other = (open_rollout(write_rollout(tmp_path / name, {"no-advisor": SILENT, name: GOOD}, **options))
                  for name, options in (("one", {}), ("other", {option: value})))

    assert list(differences([one, other])) == [f"config/{option}"]


def test_a_baseline_that_did_otherwise_is_named(tmp_path: Path) -> None:
    rollouts = [open_rollout(write_rollout(tmp_path / str(day), {"no-advisor": [a_talk(day, state="ABSTAINED")]}))
                for day in (1, 2)]

    assert set(differences(rollouts)) == {
        "tasks/no-advisor/1/episodes.jsonl", "tasks/no-advisor/1/verdicts.jsonl",
    }


@pytest.mark.parametrize(
    ("arms", "what"),
    [pytest.param({"good": GOOD}, "holds no advisor no-advisor", id="no baseline"),
     pytest.param({"no-advisor": SILENT}, "holds no other advisor", id="nobody to score")],
)
def test_a_rollout_that_cannot_be_scored(tmp_path: Path, arms: dict[str, list[dict[str, Any]]], what: str) -> None:
    write_rollout(tmp_path, arms)

    with pytest.raises(ScenarioError, match=what):
        report([open_rollout(tmp_path)], load_config())


# The configuration


def test_the_shipped_configurations_are_what_the_code_says() -> None:
    """Rewrite them with: Path(f"manifests/configs/{one.id}.json").write_bytes(one.sealed_bytes())."""
    for one in shipped_configs():
        assert load_config(Path(one.id)).compute_digest() == one.compute_digest()


@pytest.mark.parametrize(
    ("members", "what"),
    [({"weight_risk": Fraction(1, 2)}, "S_I add up to 11/10"), ({"retention_scored": 31}, "none of"),
     ({"return_unit": Fraction(0)}, "greater than 0")],
)
def test_an_impossible_configuration(members: dict[str, Any], what: str) -> None:
    with pytest.raises(ValueError, match=what):
        ScoresConfig(id="x", **members)


def test_another_document_is_no_configuration() -> None:
    with pytest.raises(AuditError, match="no configuration of scores"):
        load_config(Path("theta-2"))


def test_scaling_a_unit_changes_nothing_else() -> None:
    config = load_config()

    assert scaled(config, "risk_unit", Fraction(2)) == config.model_copy(update={"risk_unit": Fraction(1, 10)})
