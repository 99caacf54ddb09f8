"""Synthetic traces: the same bytes for the same seed, of any size, with everything in them that matters."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios.canonical import sha256
from scenarios.errors import ScenarioError
from scenarios.files import write_folder
from scenarios.load import SHIPPED
from scenarios.synthetic import build_trace, synthetic_funds, synthetic_sessions
from scenarios.traces import load_trace


def test_the_shipped_trace_is_built_from_its_seed() -> None:
    """Regenerate it with: audit trace build --seed 22 --out manifests/traces/small-1."""
    files = build_trace(22, 120, 60, "small-1")

    shipped = SHIPPED / "traces" / "small-1"
    assert {path.name: path.read_bytes() for path in shipped.iterdir()} == files


def test_a_generator_of_another_python_would_be_noticed() -> None:
    assert sha256(build_trace(7, 40, 12)["funds.jsonl"]) == PINNED


PINNED = "17426b6a07dc288b39624f332b4dd7c92783cbc0b3af9514e84101e27e6e1993"


@given(seed=st.integers(1 - 2**53, 2**53 - 1), days=st.integers(20, 60), funds=st.integers(6, 20))
@settings(max_examples=8)
def test_every_size_and_seed_seals_and_loads(
    tmp_path_factory: pytest.TempPathFactory, seed: int, days: int, funds: int
) -> None:
    folder = tmp_path_factory.mktemp("trace") / "trace"
    write_folder(folder, build_trace(seed, days, funds, "t"))

    trace = load_trace(folder)
    assert (trace.manifest.sessions, trace.manifest.funds) == (days, funds)
    assert set(trace.slices) == {"full", "bear", "range", "bull"}


def test_another_seed_is_another_market() -> None:
    assert build_trace(1, 40, 12)["sessions.jsonl"] != build_trace(2, 40, 12)["sessions.jsonl"]


def test_a_path_does_not_depend_on_how_many_others_there_are() -> None:
    """Fund by fund, the conservative ones of a small market are those of a large one."""
    sessions = synthetic_sessions(5, 60)
    few, many = (list(synthetic_funds(5, sessions, funds)) for funds in (24, 48))

    assert few[:4] == many[:4]


def test_splits_and_dividends_lie_inside_the_adjusted_paths() -> None:
    """No day of a path loses a third, though raw NAVs halve at a split."""
    sessions = synthetic_sessions(22, 120)
    raw = list(synthetic_funds(22, sessions, 60))
    events = [event for fund in raw for day in fund.days for event in day.events]

    assert any(event.units != 1 for event in events) and any(event.cash for event in events)
    trace = load_trace(SHIPPED / "traces" / "small-1")
    assert (trace.nav_e8[1:] * 3 > trace.nav_e8[:-1] * 2).all()


@pytest.mark.parametrize(
    ("seed", "days", "funds", "option"),
    [(1, 19, 60, "--days"), (1, 5_001, 60, "--days"), (1, 120, 5, "--funds"), (2**53, 120, 60, "--seed")],
)
def test_what_lies_out_of_bounds_is_refused(seed: int, days: int, funds: int, option: str) -> None:
    with pytest.raises(ScenarioError, match=option):
        build_trace(seed, days, funds)


@pytest.mark.slow
def test_the_papers_size(tmp_path: Path) -> None:
    write_folder(tmp_path / "trace", build_trace(1, 1_200, 2_000))

    counts = load_trace(tmp_path / "trace").manifest.counts
    assert [counts[tier] for tier in ("conservative", "balanced", "aggressive")] == [30, 270, 1_700]
    assert counts["shock_up"] == 60 and counts["shock_down"] == 59
