"""θ: sealed, in range, and worked into the mind's tables."""

import json
from pathlib import Path

import numpy as np
import pytest

from replay.environments.fund_advice import types
from replay.environments.fund_advice.theta import DEFAULT, adjust, load_theta, shipped_theta, starts, tables
from scenarios.errors import ReplayError, ScenarioError, SealError
from scenarios.theta import AGENTS, CONTEXTS, PARAMETERS, SIGNALS, SWITCHES
from verifier.replaying import replay

THETA = shipped_theta()


def test_the_shipped_file_is_what_the_code_says() -> None:
    assert DEFAULT.read_bytes() == THETA.sealed_bytes(), (
        "manifests/configs/theta-2.json is stale; a θ that ran keeps its id, so give the changed one a new id"
    )
    assert load_theta() == THETA


def test_it_replays() -> None:
    found = replay(DEFAULT)

    assert (found.kind, found.stages, found.difference) == ("theta", ("manifest",), None)


def test_a_changed_byte_is_found(tmp_path: Path) -> None:
    path = tmp_path / "theta.json"
    path.write_bytes(DEFAULT.read_bytes().replace(b'"kept_signals":5', b'"kept_signals":6'))

    with pytest.raises(SealError, match="digest"):
        load_theta(path)


def test_another_kind_is_refused() -> None:
    with pytest.raises(ReplayError, match="expected theta"):
        load_theta(DEFAULT.parents[1] / "contracts" / "base-1.json")


def test_vocabularies_agree() -> None:
    assert CONTEXTS == types.CONTEXTS
    assert tuple(THETA.parameters) == PARAMETERS
    assert len(PARAMETERS) <= 12 and len(SIGNALS) == 12 and len(SWITCHES) == 7


def test_adjusting_changes_the_digest_and_nothing_else() -> None:
    one = THETA.parameters["move_gain"]
    changed = adjust(THETA, {"move_gain": one.value + one.step}, off=("discussion",))

    assert changed.digest == changed.compute_digest() != THETA.digest
    assert not changed.switches["discussion"] and THETA.switches["discussion"]
    assert adjust(changed, {"move_gain": one.value}).parameters == THETA.parameters


@pytest.mark.parametrize(("values", "off", "error", "match"), [
    pytest.param({"move_gain": 30_001}, (), ReplayError, "outside 0 to 30000", id="over its range"),
    pytest.param({"moves_gain": 1}, (), ScenarioError, "has no 'moves_gain'", id="no such parameter"),
    pytest.param({}, ("memory",), ScenarioError, "has no 'memory'", id="no such component"),
])
def test_bad_adjustments(values: dict[str, int], off: tuple, error: type[Exception], match: str) -> None:
    with pytest.raises(error, match=match):
        adjust(THETA, values, off)


@pytest.mark.parametrize(("name", "rows", "share"), [
    pytest.param("buy_odds", "odds", (0, 0), id="buying"), pytest.param("sell_odds", "odds", (0, 1), id="selling"),
    pytest.param("ask_odds", "odds", (0, 3), id="asking"),
    pytest.param("move_gain", "drive", (0, SIGNALS.index("move")), id="the market's move"),
    pytest.param("trend_gain", "drive", (1, SIGNALS.index("missed")), id="trends"),
    pytest.param("room_gain", "drive", (3, SIGNALS.index("room")), id="cash"),
    pytest.param("crowd_gain", "drive", (2, SIGNALS.index("crowd")), id="the crowd"),
    pytest.param("loss_gain", "falls", (0, SIGNALS.index("profit")), id="losses"),
])
def test_a_parameter_scales_its_entries(name: str, rows: str, share: tuple[int, int]) -> None:
    half = adjust(THETA, {name: THETA.parameters[name].value // 2})

    assert getattr(tables(half), rows)[share] == getattr(tables(THETA), rows)[share] // 2


def test_a_single_agent_is_the_mean_of_the_four() -> None:
    four, single = tables(THETA), tables(adjust(THETA, off=("sub_personalities",)))

    assert single.drive.tolist() == (four.drive.sum(axis=0) // len(AGENTS))[None].tolist()
    assert single.weights.tolist() == [[1_000]] * len(CONTEXTS)
    assert single.beliefs.shape == (1, 7)


def test_without_selective_perception_everybody_sees_everything() -> None:
    open_ = tables(adjust(THETA, off=("selective_perception",)))

    assert (open_.rises == 10_000).all() and (open_.falls == 10_000).all()
    assert not (tables(THETA).rises == 10_000).all()


def test_tables_are_integers() -> None:
    assert {table.dtype for table in tables(THETA)} == {np.dtype(np.int64)}


def test_starts_follow_the_profile() -> None:
    found = starts(THETA, ("aggressive", "conservative"))["risk_aversion"].tolist()

    assert found == [THETA.starts["risk_aversion"][2], THETA.starts["risk_aversion"][0]]


def test_weights_that_do_not_add_up_are_refused() -> None:
    record = THETA.record() | {"digest": None}
    record["weights"]["CORE"] = [250, 250, 150, 351]

    with pytest.raises(ValueError, match="those of CORE add to 1001"):
        type(THETA).model_validate_json(json.dumps(record))
