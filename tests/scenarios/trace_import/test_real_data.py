"""The funnel of the real Chinese fund data, which lie beside the checkout and never in it."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from scenarios.files import write_folder
from scenarios.trace_import.universe import Options, find_sources, import_trace
from scenarios.traces import Trace, load_trace

DATA = Path(__file__).parents[4] / "shared" / "data"
WHY = ("the fund data of ../shared/data are not there" if not (DATA / "cn_fund_nav_daily.parquet").exists() else
       "Parquet needs the extra advice-audit[trace]" if find_spec("polars") is None else "")

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(WHY), reason=WHY or "never")]


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Trace:
    """Return the trace of the paper's horizon as far as the data go."""
    folder = tmp_path_factory.mktemp("real") / "trace"
    options = Options("real", first="2021-02-19", last="2025-12-31")
    write_folder(folder, import_trace(find_sources([DATA]), options).files)
    return load_trace(folder)


def test_the_funnel(real: Trace) -> None:
    rows = {row.rule: row for row in real.manifest.funnel}

    assert [(rule, rows[rule].out, rows[rule].left) for rule in (
        "all", "starts late", "ends early", "incomplete", "steep", "contradiction", "foreign unit", "frozen", "closed",
        "money fund", "share class", "quota conservative", "quota balanced", "quota aggressive", "universe",
    )] == [
        ("all", 0, 2263), ("starts late", 1255, 1008), ("ends early", 23, 985), ("incomplete", 1, 984),
        ("steep", 0, 984), ("contradiction", 6, 978), ("foreign unit", 16, 962), ("frozen", 4, 958),
        ("closed", 16, 942), ("money fund", 0, 942), ("share class", 87, 855), ("quota conservative", 14, 30),
        ("quota balanced", 0, 58), ("quota aggressive", 0, 753), ("universe", 0, 841),
    ]
    assert {rule: rows[rule].touched for rule in ("all", "off calendar", "splits", "dividends", "carried")} == {
        "all": 1_921_458, "off calendar": 5_077, "splits": 59, "dividends": 303, "carried": 22,
    }
    assert {key: value for key, value in real.manifest.options.items() if key.startswith("returns")} == {
        "returns of ethanj": "growth", "returns of qjlxg_an_e": "nav", "returns of qjlxg_et_e": "nav",
    }


def test_the_market(real: Trace) -> None:
    """Source: the counts of shock days by regime that the data rules state."""
    days = {name: [real.sessions[day].shock for day in sessions] for name, sessions in real.slices.items()}

    assert {name: (len(all_), all_.count("up"), all_.count("down")) for name, all_ in days.items()} == {
        "full": (1183, 59, 59), "bear": (410, 22, 35), "range": (464, 18, 9), "bull": (309, 19, 15),
    }
    assert [real.manifest.counts[f"env_{env}"] for env in ("up", "range", "down")] == [323, 505, 355]


def test_the_universe(real: Trace) -> None:
    counts = real.manifest.counts

    assert [counts[f"r{level}"] for level in range(1, 6)] == [0, 30, 58, 501, 252]
    assert sum(fund.fees.origin == "table" for fund in real.funds) == 73
    assert "003184" not in real.fund_index
    assert real.nav_e8.shape == (1184, 841)
    assert abs(real.nav_e8[1:] * 100 // real.nav_e8[:-1] - 100).max() <= 35
