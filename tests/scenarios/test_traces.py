"""Sealed traces: what follows from levels and dates is recomputed, and whatever else differs is named."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenarios.canonical import canonical_bytes
from scenarios.errors import AuditError, ReplayError, ScenarioError, SealError
from scenarios.files import write_folder
from scenarios.load import SHIPPED
from scenarios.manifest import Regime, TraceManifest
from scenarios.sealed import join_lines, seal_files
from scenarios.traces import (
    PAPER_REGIMES,
    Fund,
    FundFees,
    RedemptionStep,
    Trace,
    env_of,
    load_trace,
    mark_sessions,
    seal_trace,
    shock_thresholds,
)
from verifier.replaying import replay

FREE = FundFees(subscription=Fraction(0), redemption=(RedemptionStep(rate=Fraction(0)),), origin="none")


def a_fund(**members: Any) -> Fund:
    defaults: dict[str, Any] = {"id": "000001", "type": "test", "level": 4, "tier": "aggressive", "fees": FREE,
                                "nav_e8": (10**8, 10**8, 10**8)}
    return Fund(**{**defaults, **members})


@pytest.mark.parametrize(
    ("move", "env"),
    [("0.005", "up"), ("0.00499", "range"), ("0", "range"), ("-0.00499", "range"), ("-0.005", "down")],
)
def test_half_a_percent_makes_a_day_up_or_down(move: str, env: str) -> None:
    assert env_of(Fraction(move)) == env


@pytest.mark.parametrize(("count", "low", "high"), [(1, 1, 1), (19, 1, 19), (20, 1, 19), (21, 2, 20), (1183, 60, 1124)])
def test_thresholds_are_order_statistics(count: int, low: int, high: int) -> None:
    """Rank ceil(n / 20) and ceil(19 n / 20): of 1,183 days 59 lie beyond each."""
    moves = [Fraction(rank) for rank in range(count, 0, -1)]

    assert shock_thresholds(moves) == (low, high)


def test_a_tie_at_the_threshold_is_no_shock() -> None:
    levels = [("2024-01-01", 1_000), *((f"2024-01-{day:02}", 1_000) for day in range(2, 23)), ("2024-01-23", 1_100)]

    shocks = [one.shock for one in mark_sessions(levels, ())]
    assert shocks == [None] * 22 + ["up"]


@given(levels=st.lists(st.integers(1, 10**9), min_size=2, max_size=80))
def test_at_most_a_twentieth_of_the_days_is_a_shock_either_way(levels: list[int]) -> None:
    days = [f"2{number:03}-01-01" for number in range(len(levels))]
    shocks = [one.shock for one in mark_sessions(list(zip(days, levels, strict=True)), ())]

    assert 20 * shocks.count("up") <= len(levels) - 1
    assert 20 * shocks.count("down") <= len(levels) - 1


def test_a_regime_begins_on_its_day() -> None:
    days = ["2021-02-18", "2021-02-19", "2022-10-27", "2022-10-28", "2024-09-23", "2024-09-24", "2026-01-30"]

    assert [one.regime for one in mark_sessions([(day, 1) for day in days], PAPER_REGIMES)] == [
        None, "bear", "bear", "range", "range", "bull", "bull"]
    assert mark_sessions([(day, 1) for day in days], PAPER_REGIMES[1:])[2].regime is None


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"tier": "balanced"}, "R4 is aggressive"),
        ({"nav_e8": (10**8, 0, 10**8)}, "greater than 0"),
        ({"no_buy": (2, 1)}, "in order"),
        ({"no_buy": (1, 1)}, "once"),
        ({"no_sell": (3,)}, "below 3"),
        ({"no_buy": (0,)}, "greater than or equal to 1"),
        ({"carried": (1,)}, "takes no order"),
        ({"carried": (1,), "no_buy": (1,), "no_sell": (1,), "nav_e8": (10**8, 10**8 + 1, 10**8)}, "repeats the NAV"),
    ],
)
def test_a_fund_that_contradicts_itself_is_refused(members: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        a_fund(**members)


@pytest.mark.parametrize("bounds", [(7,), (None, None), (30, 7, None), (7, 7, None), (None, 7)])
def test_redemption_steps_rise_to_an_open_end(bounds: tuple[int | None, ...]) -> None:
    with pytest.raises(ValueError, match="bounds rise"):
        FundFees(subscription=Fraction(0), origin="test",
                 redemption=tuple(RedemptionStep(under_days=days, rate=Fraction(0)) for days in bounds))


def test_the_shipped_trace_is_what_readme_and_tests_rely_on(small: Trace) -> None:
    counts = small.manifest.counts

    assert (small.manifest.sessions, small.manifest.funds) == (120, 60)
    assert set(small.slices) == {"full", "bear", "range", "bull"}
    assert all(counts[key] > 0 for key in (
        "env_up", "env_range", "env_down", "conservative", "balanced", "aggressive", "cells_no_buy", "cells_no_sell",
        "cells_carried", "on_exchange"))
    assert counts["shock_up"] + counts["shock_down"] >= 10
    assert {fund.fees.origin for fund in small.funds} > {"default: C-class", "default: bond", "default: exchange"}
    assert sum(path.stat().st_size for path in (SHIPPED / "traces" / "small-1").iterdir()) < 300_000


def test_slices_cut_the_sessions_without_the_base_day(small: Trace) -> None:
    full, *regimes = small.slices.values()

    assert full == range(1, 121)
    assert [day for days in regimes for day in days] == list(full)


def test_the_arrays_are_the_lines(small: Trace) -> None:
    for column in (0, 17, 59):
        fund = small.funds[column]
        assert small.nav_e8[:, column].tolist() == list(fund.nav_e8)
        assert tuple(small.no_buy[:, column].nonzero()[0]) == fund.no_buy
        assert tuple(small.no_sell[:, column].nonzero()[0]) == fund.no_sell
        assert small.level[column] == fund.level
        assert small.fund_index[fund.id] == column
    assert (small.nav_e8.dtype, small.no_buy.dtype, small.level.dtype) == ("int64", "bool", "int8")
    with pytest.raises(ValueError, match="read-only"):
        small.nav_e8[0, 0] = 1


def test_returns_are_exact_ratios(small: Trace) -> None:
    before, day = small.sessions[4].index_e4, small.sessions[5].index_e4

    assert small.benchmark_return(5) == Fraction(day, before) - 1
    assert small.session_index[small.sessions[5].date] == 5
    for session in (0, -1):
        with pytest.raises(IndexError, match="base day"):
            small.benchmark_return(session)
    with pytest.raises(IndexError):
        small.benchmark_return(121)


Change = Callable[[dict[str, Any]], None]


def resealed(tmp_path: Path, small: Trace, file: str, number: int, change: Change) -> Path:
    """Return the shipped trace with one changed line, or with its manifest changed, sealed anew."""
    shipped, folder = SHIPPED / "traces" / "small-1", tmp_path / "trace"
    files = {name: (shipped / name).read_bytes() for name in ("sessions.jsonl", "funds.jsonl")}
    record = small.manifest.record()
    if file == "manifest.json":
        change(record)
    else:
        lines = files[file].splitlines()
        value = orjson.loads(lines[number])
        change(value)
        lines[number] = canonical_bytes(value)
        files[file] = join_lines(lines)
    manifest = TraceManifest.model_validate_json(
        orjson.dumps({**record, "files": [one.record() for one in seal_files(files)]}))
    write_folder(folder, {**files, "manifest.json": manifest.sealed_bytes()})
    return folder


@pytest.mark.parametrize(
    ("file", "number", "change", "error", "message"),
    [
        ("sessions.jsonl", 3, lambda one: one.update(env="up" if one["env"] != "up" else "down"), SealError,
         "sessions.jsonl line 4: is not what levels and dates say"),
        ("sessions.jsonl", 3, lambda one: one.update(shock="up"), SealError, "line 4: is not what levels"),
        ("sessions.jsonl", 3, lambda one: one.update(regime="bull"), SealError, "line 4: is not what levels"),
        ("sessions.jsonl", 0, lambda one: one.update(env="up"), SealError, "line 1: is not what levels"),
        ("sessions.jsonl", 3, lambda one: one.update(date="2020-01-01"), ReplayError, "4: 2020-01-01 stands behind"),
        ("sessions.jsonl", 3, lambda one: one.update(shock=None), SealError, "line 4: is not in its full form"),
        ("sessions.jsonl", 3, lambda one: one.update(index_e4="1"), ReplayError, "line 4#/index_e4"),
        ("funds.jsonl", 3, lambda one: one["nav_e8"].pop(), ReplayError, "990004/nav_e8: has 120 entries"),
        ("funds.jsonl", 3, lambda one: one.update(id="990001"), ReplayError, "990001: stands behind 990003"),
        ("funds.jsonl", 3, lambda one: one["no_buy"].append(120), SealError, "counts other sessions and funds"),
        ("funds.jsonl", 3, lambda one: one.update(level=3), ReplayError, "line 4#/"),
        ("manifest.json", 0, lambda one: one.update(sessions=119), SealError, "counts other sessions and funds"),
        ("manifest.json", 0, lambda one: one["counts"].update(r1=1), SealError, "counts other sessions and funds"),
        ("manifest.json", 0, lambda one: one["regimes"].pop(), SealError, "is not what levels and dates say"),
    ],
)
def test_a_line_that_does_not_follow_is_named_though_sealed_anew(
    tmp_path: Path, small: Trace, file: str, number: int, change: Change, error: type[AuditError], message: str
) -> None:
    folder = resealed(tmp_path, small, file, number, change)

    with pytest.raises(error) as refused:
        load_trace(folder)
    assert message in str(refused.value)
    if error is SealError:
        difference = replay(folder).difference
        assert difference is not None
        assert difference.stage == "inputs"


def test_a_changed_byte_is_named(tmp_path: Path) -> None:
    shipped, folder = SHIPPED / "traces" / "small-1", tmp_path / "trace"
    files = {path.name: path.read_bytes() for path in shipped.iterdir()}
    files["funds.jsonl"] = files["funds.jsonl"].replace(b"99", b"98", 1)
    write_folder(folder, files)

    with pytest.raises(SealError, match=r"funds\.jsonl: has .* bytes with sha256"):
        load_trace(folder)


def test_replay_holds_for_the_shipped_trace() -> None:
    result = replay(SHIPPED / "traces" / "small-1")

    assert (result.kind, result.stages, result.difference) == ("trace", ("manifest", "inputs"), None)


@pytest.mark.parametrize(
    ("funds", "message"),
    [([], "no fund is left"), ([a_fund(), a_fund()], "stands behind 000001"),
     ([a_fund(nav_e8=(1, 1))], "has 2 entries")],
)
def test_what_is_no_universe_is_not_sealed(funds: list[Fund], message: str) -> None:
    sessions = mark_sessions([("2024-01-01", 1), ("2024-01-02", 1), ("2024-01-03", 1)], ())

    with pytest.raises(ScenarioError, match=message):
        seal_trace(sessions, funds, id="t", made_by="test", options={}, benchmark="b", regimes=(), funnel=())


def test_regimes_of_a_manifest_are_in_order(small: Trace) -> None:
    with pytest.raises(ValueError, match="regimes"):
        TraceManifest.model_validate_json(orjson.dumps(
            {**small.manifest.record(), "regimes": [Regime(name="x", start="2024-01-01").record()] * 2}))
