"""`audit rollout` on bad input: one line with place and remedy, exit code 3, and nothing that was there is lost."""

import json
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from replay.environments.fund_advice.population import DEFAULT
from scenarios.load import SHIPPED
from tests.cli.conftest import Audit
from tests.runs import rewrite
from tests.verifier.test_rollouts import files

SHORT = ("--investors", "conservative-low-small,balanced-medium-mid", "--to", "2021-03-31")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        pytest.param(("--from", "2021-04-01", "--to", "2021-03-01"), "--to: 2021-03-01 lies before --from 2021-04-01",
                     id="to before from"),
        pytest.param(("--from", "2021-02-30"), "'--from': found '2021-02-30', expected a day", id="no such day"),
        pytest.param(("--to", "20210331"), "'--to': found '20210331', expected a day", id="another spelling"),
        pytest.param(("--to", ""), "'--to': found '', expected a day", id="an empty day"),
        pytest.param(("--investors", ""), "'--investors': found '', expected ids", id="nobody"),
        pytest.param(("--investors", "balanced-low-mid,"), "'--investors': found", id="an empty name"),
        pytest.param(("--investors", "a,b,a"), "'--investors': found", id="a name twice"),
    ],
)
def test_an_option_that_makes_no_sense_is_wrong_usage(
    audit: Audit, tmp_path: Path, options: tuple[str, ...], says: str
) -> None:
    found = audit("rollout", *options, "--out", tmp_path / "x")

    assert found.code == 2
    assert says in found.err.splitlines()[-1]
    assert not (tmp_path / "x").exists()


def test_a_command_that_cannot_be_started_leaves_room_for_the_right_one(audit: Audit, tmp_path: Path) -> None:
    wrong = audit("rollout", *SHORT, "--advisor", "mine=/no/such/program", "--out", tmp_path / "x")
    right = audit("rollout", *SHORT, "--advisor", f"mine={sys.executable} -c 0", "--out", tmp_path / "x")

    assert (wrong.code, len(wrong.err.splitlines())) == (3, 1)
    assert "/no/such/program cannot be started" in wrong.err
    assert right.code == 0


def test_answers_that_failed_are_shown(audit: Audit, tmp_path: Path) -> None:
    options = ("--to", "2021-03-12", "--advisor", "peeking")
    found = audit("rollout", *options, "--out", tmp_path / "x")
    counted = audit("rollout", *options, "--json", "--out", tmp_path / "y")
    none, peeking = json.loads(counted.out)["tasks"]
    asked = peeking["answers"]

    assert asked > 1
    assert f"peeking run 1: {asked} of {asked} answers failed (refused {asked})" in found.out.splitlines()
    assert (none["failed"], peeking["failed"]) == ({}, {"refused": asked})


@pytest.mark.parametrize(
    ("options", "says"),
    [
        pytest.param(("--from", "2031-04-01"), "has no session from 2031-04-01; choose days within ", id="later"),
        pytest.param(("--to", "2021-02-18"), "has no session to 2021-02-18; choose", id="the base day is no session"),
        pytest.param(("--trace", SHIPPED), "holds no manifest.json; name a sealed folder", id="a folder of anything"),
        pytest.param(("--trace", SHIPPED / "bank-1"), "is of kind bank, expected trace", id="a bank as trace"),
        pytest.param(("--trace", "no-such"), "no-such: no such file or folder", id="no trace"),
        pytest.param(("--population", SHIPPED / "configs" / "theta-2.json"), "theta-2.json#/format: ", id="minds"),
        pytest.param(("--theta", "fund-advice-scores-1"), "is no configuration of the mind", id="scores as minds"),
        pytest.param(("--contract", SHIPPED / "bank-1"), "bank-1", id="a bank as contract"),
        pytest.param(("--investors", "nobody"), "has no investor 'nobody'; name one of its members", id="nobody"),
        pytest.param(("--advisor", "nobody"), "found 'nobody'; choose one of no-advisor, ", id="no such advisor"),
    ],
)
def test_what_cannot_be_used_is_named_and_nothing_is_written(
    audit: Audit, tmp_path: Path, options: tuple[Any, ...], says: str
) -> None:
    found = audit("rollout", *options, "--out", tmp_path / "x")

    assert found.code == 3
    assert says in found.err
    assert len(found.err.splitlines()) == 1
    assert not (tmp_path / "x").exists()


def member(**members: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Return a change of the fourth investor, conservative-medium-small."""

    def change(population: dict[str, Any]) -> dict[str, Any]:
        population["members"][3].update(members)
        return population

    return change


def balanced(**traits: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Return a change of the balanced profile."""

    def change(population: dict[str, Any]) -> dict[str, Any]:
        population["profiles"]["balanced"].update(traits)
        return population

    return change


@pytest.mark.parametrize(
    ("change", "says"),
    [
        pytest.param(member(profile="reckless"), "#/members/3/profile: Input should be", id="no profile"),
        pytest.param(member(nav_cents=5), "-medium-small starts outside the bounds of tier small", id="NAV"),
        pytest.param(member(id="balanced-low-mid"), "'balanced-low-mid' stands twice", id="the same id twice"),
        pytest.param(member(age=40), "#/members/3/age: Extra inputs are not permitted", id="a member nobody reads"),
        pytest.param(balanced(cash_reserve="1.2"), "#/profiles/balanced/cash_reserve: ", id="a reserve above all"),
        pytest.param(balanced(drawdown_tolerance="0"), "#/profiles/balanced/drawdown_tolerance: ", id="no tolerance"),
        pytest.param(balanced(max_level=6), "#/profiles/balanced/max_level: ", id="a risk level that is none"),
        pytest.param(lambda all_: {**all_, "members": []}, "#/members: ", id="nobody"),
    ],
)
def test_an_impossible_investor(
    audit: Audit, tmp_path: Path, change: Callable[[dict[str, Any]], dict[str, Any]], says: str
) -> None:
    path = tmp_path / "people.json"
    path.write_bytes(DEFAULT.read_bytes())
    rewrite(path, change)
    found = audit("rollout", "--population", path, "--out", tmp_path / "x")

    assert found.code == 3
    assert found.err.startswith(f"audit: {path}#/")
    assert says in found.err
    assert not (tmp_path / "x").exists()


def test_a_trace_with_a_changed_byte(audit: Audit, tmp_path: Path) -> None:
    """Both digests stand in the line: what is there, and what was sealed."""
    trace = tmp_path / "trace"
    trace.mkdir()
    for name, data in files(SHIPPED / "traces" / "small-1").items():
        (trace / name).write_bytes(data.replace(b'"index_e4":', b'"index_e4":1', 1))
    found = audit("rollout", "--trace", trace, "--out", tmp_path / "x")
    (sealed,) = (one["sha256"] for one in json.loads((trace / "manifest.json").read_bytes())["files"]
                 if one["path"] == "sessions.jsonl")

    assert found.code == 3
    assert f"{trace}/sessions.jsonl: has " in found.err
    assert sealed in found.err
    assert not (tmp_path / "x").exists()



def test_a_full_disk_loses_nothing(audit: Audit, tmp_path: Path) -> None:
    """A limit on the size of files stands in for the disk: the same failure of the same write, whoever runs this."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5_000, hard))
    try:
        found = audit("rollout", *SHORT, "--out", tmp_path / "cut")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    assert found.code == 3
    assert "no-advisor/1: cannot be written (File too large); check the path and the free space" in found.err
    assert audit("rollout", *SHORT, "--out", tmp_path / "cut").code == 0
    assert audit("rollout", *SHORT, "--out", tmp_path / "whole").code == 0
    assert files(tmp_path / "cut") == files(tmp_path / "whole")


@pytest.mark.parametrize("changed", ["trace", "engine", "contract", "inputs/theta.json", "inputs/population.json"])
def test_what_changed_since_a_rollout_was_killed_is_named_by_digest(
    audit: Audit, tmp_path: Path, changed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from verifier import rollouts

    def dies(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(rollouts, "store_tasks", dies)
        assert audit("rollout", *SHORT, "--out", tmp_path / "x").code == 3
    now = json.loads((tmp_path / "x" / "inputs.json").read_bytes())[changed]
    rewrite(tmp_path / "x" / "inputs.json", lambda stated: {**stated, changed: "0" * 64})
    before = files(tmp_path / "x")
    found = audit("rollout", *SHORT, "--out", tmp_path / "x")

    assert found.code == 3
    assert f"({changed}: {'0' * 64} there, {now} now)" in found.err
    assert "repeat the options of that rollout, or choose another --out" in found.err
    assert files(tmp_path / "x") == before


def test_another_population_takes_part_whole(audit: Audit, tmp_path: Path) -> None:
    path = tmp_path / "people.json"
    path.write_bytes(DEFAULT.read_bytes())
    rewrite(path, lambda all_: {**all_, "members": all_["members"][:4]})
    days = ("--population", path, "--to", "2021-02-26")
    found = audit("rollout", *days, "--out", tmp_path / "x")
    refused = audit("rollout", *days, "--investors", "27", "--out", tmp_path / "y")

    assert found.code == 0
    assert "consultations in 24 investor-days" in found.out
    assert refused.code == 2
    assert "the population has 4 investors" in refused.err
