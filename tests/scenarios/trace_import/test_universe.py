"""The rules in their order, the funnel that counts them, quotas and fees; and the import of a whole market."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from scenarios.errors import AuditError, ScenarioError
from scenarios.files import write_folder
from scenarios.manifest import Regime
from scenarios.synthetic import raw_table, synthetic_funds, synthetic_sessions
from scenarios.trace_import.tables import COLUMNS
from scenarios.trace_import.universe import (
    ROW_RULES,
    RULES,
    Imported,
    Options,
    Sources,
    find_sources,
    import_trace,
    read_regimes,
)
from scenarios.traces import Trace, load_trace
from tests.scenarios.trace_import.tables import csv_lines, import_funds, wave, weekdays

GOOD = wave(60)
NAMED = {"000001": ("某某股票A", "股票型-普通")}


def funnel(folder: Path, imported: Imported) -> dict[str, tuple[int, int]]:
    """Return by rule how many funds it took out, and left."""
    write_folder(folder / "trace", imported.files)
    return {row.rule: (row.out, row.left) for row in load_trace(folder / "trace").manifest.funnel}


@pytest.mark.parametrize(
    ("rule", "navs", "told"),
    [
        ("starts late", [None, *GOOD[1:]], ("某某混合", "混合型-偏股")),
        ("ends early", [*GOOD[:-1], None], ("某某混合", "混合型-偏股")),
        ("incomplete", [*GOOD[:20], None, None, *GOOD[22:]], ("某某混合", "混合型-偏股")),
        ("steep", [*GOOD[:30], *("4" + nav[1:] for nav in GOOD[30:])], ("某某混合", "混合型-偏股")),
        ("foreign unit", GOOD, ("某某混合美元现汇", "混合型-偏股")),
        ("frozen", [*GOOD[:20], *["1.2"] * 20, *GOOD[40:]], ("某某混合", "混合型-偏股")),
        ("money fund", GOOD, ("某某货币", "货币型-普通货币")),
        ("share class", GOOD, ("某某股票C", "股票型-普通")),
    ],
)
def test_each_rule_takes_out_its_fund(
    tmp_path: Path, rule: str, navs: list[str | None], told: tuple[str, str]
) -> None:
    imported = import_funds(tmp_path, {"000001": GOOD, "000002": navs}, named={**NAMED, "000002": told})

    found = funnel(tmp_path, imported)
    assert found[rule] == (1, 1)
    assert sum(out for out, _ in found.values()) == 1
    assert [fund.id for fund in imported.universe] == ["000001"]


def test_nineteen_sessions_of_one_nav_are_not_frozen(tmp_path: Path) -> None:
    found = import_funds(tmp_path, {"000001": [*GOOD[:20], *["1.2"] * 19, *GOOD[39:]]})

    assert len(found.universe) == 1


@pytest.mark.parametrize(("closed", "kept"), [(30, True), (31, False)])
def test_a_fund_is_closed_from_more_than_half_of_its_days(tmp_path: Path, closed: int, kept: bool) -> None:
    days = weekdays(60)
    lines = [("000001", day, nav, "开放申购", "") for day, nav in zip(days, GOOD, strict=True)]
    lines += [("000002", day, nav, "暂停申购" if at < closed else "开放申购", "")
              for at, (day, nav) in enumerate(zip(days, GOOD, strict=True))]
    table = csv_lines(tmp_path / "nav.csv", "code,date,nav,purchase_status,growth", lines)
    index = csv_lines(tmp_path / "index.csv", "date,close", ((day, "3000") for day in days))

    imported = import_trace(Sources((table,), index), Options("test"))
    assert ("000002" in [fund.id for fund in imported.universe]) is kept


def test_the_rules_are_asked_in_the_order_of_the_manual() -> None:
    assert [rule.name for rule in RULES] == [
        "starts late", "ends early", "incomplete", "doubtful", "steep", "contradiction", "foreign unit", "frozen",
        "closed", "money fund",
    ]


def test_a_quota_keeps_the_largest_assets_then_the_lowest_code(tmp_path: Path) -> None:
    days = weekdays(60)
    codes = ["000001", "000002", "000003", "000004"]
    table = csv_lines(tmp_path / "nav.csv", "code,date,nav", (
        (code, day, nav) for code in codes for day, nav in zip(days, GOOD, strict=True)))
    index = csv_lines(tmp_path / "index.csv", "date,close", ((day, "3000") for day in days))
    meta = csv_lines(tmp_path / "meta.csv", "code,name,type,aum", (
        (code, f"基金{code}", "股票型-普通", aum) for code, aum in zip(codes, ["", "2亿", "30000万", ""], strict=True)))

    for most, kept in ((0, []), (1, ["000003"]), (3, ["000001", "000002", "000003"]), (9, codes)):
        options = Options("test", quotas=(1, 1, most))
        if not kept:
            with pytest.raises(ScenarioError, match="no fund is left"):
                import_trace(Sources((table,), index, meta), options)
            continue
        assert sorted(fund.id for fund in import_trace(Sources((table,), index, meta), options).universe) == kept


def exchange(tmp_path: Path, keep: bool) -> list[str]:
    days = weekdays(60)
    table = csv_lines(tmp_path / "nav.csv", "code,date,nav,purchase_status", (
        (code, day, nav, status) for code, status in (("000001", "开放申购"), ("510300", "场内买入"))
        for day, nav in zip(days, GOOD, strict=True)))
    index = csv_lines(tmp_path / "index.csv", "date,close", ((day, "3000") for day in days))
    return [fund.id for fund in import_trace(Sources((table,), index), Options("test", exchange=keep)).universe]


def test_exchange_funds_can_be_left_out(tmp_path: Path) -> None:
    assert exchange(tmp_path, True) == ["000001", "510300"]
    assert exchange(tmp_path, False) == ["000001"]


def test_the_fee_table_goes_before_the_default(tmp_path: Path) -> None:
    days = weekdays(60)
    table = csv_lines(tmp_path / "nav.csv", "code,date,nav", (
        (code, day, nav) for code in ("000001", "000002") for day, nav in zip(days, GOOD, strict=True)))
    index = csv_lines(tmp_path / "index.csv", "date,close", ((day, "3000") for day in days))
    meta = csv_lines(tmp_path / "meta.csv", "code,name,type", (("000001", "一C", "x"), ("000002", "二C", "x")))
    fees = csv_lines(tmp_path / "fees.csv", "code,mgmt,sales,max_sub,sub_front_discounted,redeem_lt_7d,redeem_ge_7d",
                     (("000001", "0.012", "0.5%", "0.01", "0.001", "", "0.0025"),))

    one, two = import_trace(Sources((table,), index, meta, fees), Options("test")).universe
    assert one.fees.origin == "table"
    assert (one.fees.subscription, one.fees.management, one.fees.sales) == (
        Fraction("0.001"), Fraction("0.012"), Fraction("0.005"))
    assert [one.fees.redemption_rate(days) for days in (6, 7, 30)] == [Fraction("0.015"), Fraction("0.0025"), 0]
    assert two.fees.origin == "default: C-class"


@pytest.mark.parametrize("rate", ["1.5", "-0.01", "abc"])
def test_a_fee_that_is_no_share_is_refused(tmp_path: Path, rate: str) -> None:
    days = weekdays(60)
    table = csv_lines(tmp_path / "nav.csv", "code,date,nav", zip(["000001"] * 60, days, GOOD, strict=True))
    index = csv_lines(tmp_path / "index.csv", "date,close", ((day, "3000") for day in days))
    fees = csv_lines(tmp_path / "fees.csv", "code,redeem_lt_7d", (("000001", rate),))

    with pytest.raises(ScenarioError, match="the fees of 000001#/redemption_first"):
        import_trace(Sources((table,), index, None, fees), Options("test"))


@pytest.mark.parametrize(
    ("levels", "options", "message"),
    [
        ("", {}, "holds no rows"),
        ("2024-01-01,3000\n2024-01-02,abc\n", {}, "line 3: 'abc' is no number"),
        ("2024-01-01,3000\n2024-01-02,\n", {}, "line 3: has no level"),
        ("2024-01-01,3000\n2024-01-02,0\n", {}, "line 3: found level 0"),
        ("2024-01-01,3000\n2024-01-01,3001\n", {}, "line 3: states 2024-01-01 twice"),
        ("2024-01-01,3000\n", {}, "has no session"),
        ("2024-01-01,3000\n2024-01-02,3000\n", {"first": "2024-01-01"}, "the first session asked for is 2024-01-01"),
        ("2024-01-01,3000\n2024-01-02,3000\n", {"first": "2024-02-01"}, "the first session asked for is 2024-02-01"),
        ("2024-01-01,3000\n2024-01-02,3000\n", {"last": "2024-02-01"}, "sessions are asked for until 2024-02-01"),
        ("2030-01-01,3000\n2030-01-02,3000\n", {}, "hold no row from 2030-01-01 to 2030-01-02"),
    ],
)
def test_a_benchmark_that_is_no_calendar_is_refused(
    tmp_path: Path, levels: str, options: dict[str, str], message: str
) -> None:
    table = csv_lines(tmp_path / "nav.csv", "code,date,nav", zip(["000001"] * 60, weekdays(60), GOOD, strict=True))
    index = tmp_path / "index.csv"
    index.write_text("date,close\n" + levels)

    with pytest.raises(ScenarioError) as refused:
        import_trace(Sources((table,), index), Options("test", **options))
    assert message in str(refused.value)


def test_a_folder_is_read_by_the_names_of_its_files(tmp_path: Path) -> None:
    for name in ("my_fund_nav_daily.csv", "my_fund_meta.csv", "my_index_x_daily.csv", "other.csv"):
        (tmp_path / name).touch()

    assert find_sources([tmp_path]) == Sources((tmp_path / "my_fund_nav_daily.csv",), tmp_path / "my_index_x_daily.csv",
                                               tmp_path / "my_fund_meta.csv", None)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ([], "holds no NAV table"),
        (["a_fund_nav.csv"], "comes without a benchmark"),
        (["a_fund_nav.csv", "index_a_daily.csv", "index_b_daily.csv"], "holds 2 files like"),
    ],
)
def test_a_folder_that_leaves_a_question_is_refused(tmp_path: Path, files: list[str], message: str) -> None:
    for name in files:
        (tmp_path / name).touch()

    with pytest.raises(ScenarioError, match=message):
        find_sources([tmp_path])


def test_regimes_come_from_any_dated_list(tmp_path: Path) -> None:
    path = csv_lines(tmp_path / "cycles.csv", "name,start", (("one", "2024-01-02"), ("two", "20240201")))

    assert read_regimes(path) == (Regime(name="one", start="2024-01-02"), Regime(name="two", start="2024-02-01"))


@pytest.mark.parametrize("text", ["", "name,start\n", "a,b\nx,2024-01-01\n", "name,start\nx\n", "name,start\nx,soon\n"])
def test_a_list_of_regimes_without_dates_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "cycles.csv"
    path.write_text(text)

    with pytest.raises(ScenarioError):
        read_regimes(path)


@pytest.mark.parametrize(
    "options",
    [{"name": "no good id"}, {"regimes": (Regime(name="b", start="2024-02-01"), Regime(name="a", start="2024-01-01"))}],
)
def test_an_id_or_regimes_that_do_not_fit_are_refused(tmp_path: Path, options: dict[str, Any]) -> None:
    days = weekdays(60)
    table = csv_lines(tmp_path / "nav.csv", "code,date,nav", zip(["000001"] * 60, days, GOOD, strict=True))
    index = csv_lines(tmp_path / "index.csv", "date,close", ((day, "3000") for day in days))

    with pytest.raises(AuditError, match=r"manifest.json#"):
        import_trace(Sources((table,), index), Options(**{"name": "test", **options}))


def test_the_import_of_published_tables_is_the_market_that_published_them(tmp_path: Path, small: Trace) -> None:
    """Raw NAVs with splits, dividends, missing and closed days come back as the adjusted paths they were made of."""
    sessions = synthetic_sessions(22, 120)
    raw = list(synthetic_funds(22, sessions, 60))
    nav = tmp_path / "nav.csv"
    nav.write_text(raw_table(sessions, raw), encoding="utf-8")
    index = csv_lines(tmp_path / "index.csv", "date,close",
                      ((one.date, f"{one.index_e4 // 10**4}.{one.index_e4 % 10**4:04}") for one in sessions))
    meta = csv_lines(tmp_path / "meta.csv", "code,name,type", ((one.id, one.name, one.kind.type) for one in raw))

    imported = import_trace(Sources((nav,), index, meta), Options("test", regimes=small.manifest.regimes))
    write_folder(tmp_path / "trace", imported.files)
    trace = load_trace(tmp_path / "trace")
    assert trace.sessions == small.sessions
    assert trace.manifest.counts == small.manifest.counts
    assert [fund.model_copy(update={"source": "synthetic", "names": own.names})
            for fund, own in zip(trace.funds, small.funds, strict=True)] == list(small.funds)


def test_the_manual_lists_every_rule_and_every_column() -> None:
    manual = (Path(__file__).parents[3] / "docs" / "traces.md").read_text(encoding="utf-8")

    for rule in [*(rule.name for rule in RULES), *(name for name, _ in ROW_RULES)]:
        assert f"{rule} " in manual
    for name in (name for names in COLUMNS.values() for name in names):
        assert f"`{name}`" in manual
