"""Tables of every usual shape give the same rows, and a table that is none is one clear error."""

import gzip
import sys
from pathlib import Path

import pytest

from scenarios.errors import ScenarioError
from scenarios.trace_import.tables import Row, nav_rows, number_text, read_date, read_table, scale

SAID = [("2024-01-02", "1.0"), ("2024-01-03", "1.0101")]


def said(path: Path) -> dict[str, list[tuple[str, str | None]]]:
    """Return date and NAV of each fund's rows."""
    return {code: [(row.date, row.nav) for row in rows] for code, rows in nav_rows(read_table(path))[0].items()}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("english.csv", "code,date,nav,growth\n000001,2024-01-02,1.0,\n000001,2024-01-03,1.0101,0.0101\n"),
        ("akshare_000001.csv", "净值日期,单位净值,日增长率\n2024-01-02,1.0,0.0\n2024-01-03,1.0101,1.01\n"),
        ("site.csv", "基金代码,净值日期,单位净值,累计净值,申购状态,赎回状态,分红送配\n"
                     "1,20240102,1.0,1.0,开放申购,开放赎回,\n1,20240103,1.0101,1.0101,开放申购,开放赎回,\n"),
        ("wide.csv", "日期,000001\n2024/01/02,1.0\n2024/01/03,1.0101\n"),
        ("price.csv", "Symbol,Trade_Date,Open,Close,Adj Close\n000001,2024-01-02,9,9,1.0\n"
                      "000001,2024-01-03 00:00:00,9,9,1.0101\n"),
    ],
)
@pytest.mark.parametrize("coding", ["utf-8", "utf-8-sig", "gb18030", "gzip"])
def test_every_shape_says_the_same(tmp_path: Path, name: str, text: str, coding: str) -> None:
    raw = gzip.compress(text.encode()) if coding == "gzip" else text.encode(coding)
    path = tmp_path / (name + ".gz" if coding == "gzip" else name)
    path.write_bytes(raw)

    assert said(path) == {"000001": SAID}


def test_a_parquet_float_is_the_decimal_that_was_written(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars", reason="Parquet needs the extra advice-audit[trace]")
    path = tmp_path / "nav.parquet"
    frame = polars.DataFrame({"code": ["000001"] * 4, "date": ["2024-01-02", "2024-01-03", "2024-01-04", "2024-01-05"],
                              "nav": [1.0, 1.0101, 0.1 + 0.2, None]})
    dated = frame.with_columns(polars.col("date").str.to_date(), polars.col("code").cast(polars.Categorical))
    dated.write_parquet(path)

    assert said(path) == {"000001": [*SAID, ("2024-01-04", "0.30000000000000004"), ("2024-01-05", None)]}


def test_cells_of_a_wide_table_that_are_empty_are_no_rows(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text("date,000001,510300\n2024-01-02,1.0,\n2024-01-03,1.0101,3.5\n")

    assert said(path) == {"000001": SAID, "510300": [("2024-01-03", "3.5")]}


def test_statuses_events_and_halts_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "site.csv"
    path.write_text("code,date,nav,growth,purchase_status,event,volume,src\n7,2024-01-02,1,0.5%,暂停申购,split 2,0,a\n")

    assert nav_rows(read_table(path))[0]["000007"] == [
        Row(2, "2024-01-02", "1", "0.5%", "暂停申购", None, "split 2", True, "a", str(path))
    ]


def test_adjusted_prices_need_no_events(tmp_path: Path) -> None:
    path = tmp_path / "px.csv"
    path.write_text("code,date,close,adj_close,pct_chg,event\nSPY,2024-01-02,10,9,1,split 2\n")

    row = nav_rows(read_table(path))[0]["SPY"][0]
    assert (row.nav, row.growth, row.event) == ("9", None, None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no rows"),
        ("code,date,nav\n", "holds no rows"),
        ("a,b\n1,2\n", "no column of dates or codes among a, b"),
        ("code,date,price\n1,2024-01-02,1\n", "has no column nav"),
        ("code,nav\n1,1\n", "has no column date"),
        ("code,date,nav\n1,2024-13-02,1\n", "line 2: '2024-13-02' is no date"),
        ("code,date,nav\n1,,1\n", "line 2: None is no date"),
        ("code,date,nav\n1,2024-01-02,1,1\n", "line 2: has 4 cells, the header 3"),
        ("code,date,nav\n,2024-01-02,1\n", "line 2: None is no code"),
        ("code,date,nav\n../x,2024-01-02,1\n", "line 2: '../x' is no code"),
    ],
)
def test_what_is_no_table_is_refused_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "nav.csv"
    path.write_text(text)

    with pytest.raises(ScenarioError) as refused:
        nav_rows(read_table(path))
    assert message in str(refused.value)
    assert str(path) in str(refused.value)


@pytest.mark.parametrize("raw", [b"\x1f\x8bnot gzip", gzip.compress(b"code,date,nav\n1,2024-01-02,1\n", mtime=0)[:-9]])
def test_a_cut_gzip_file_is_refused(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "nav.csv.gz"
    path.write_bytes(raw)

    with pytest.raises(ScenarioError, match="no whole gzip file"):
        read_table(path)


def test_parquet_without_its_library_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "nav.parquet"
    path.write_bytes(b"PAR1")
    monkeypatch.setitem(sys.modules, "polars", None)

    with pytest.raises(ScenarioError, match=r"pip install 'advice-audit\[trace\]'"):
        read_table(path)


def test_what_is_no_parquet_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("polars", reason="Parquet needs the extra advice-audit[trace]")
    path = tmp_path / "nav.parquet"
    path.write_bytes(b"PAR1 and nothing")

    with pytest.raises(ScenarioError, match="no Parquet table"):
        read_table(path)


@pytest.mark.parametrize(
    ("text", "plain"), [("1.50", "1.50"), ("1e-05", "0.00001"), ("1,234.5", "1234.5"), ("-0", "-0")]
)
def test_a_number_keeps_its_digits(text: str, plain: str) -> None:
    assert number_text(text, "here") == plain


@pytest.mark.parametrize("text", ["abc", "nan", "inf", "1.2.3", "１.5x", "--"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(ScenarioError, match=r"here: .* is no number"):
        number_text(text, "here")


def test_decimals_become_whole_numbers_of_one_unit() -> None:
    assert scale(["1", "0.25", "-0.5", "12.0"]) == ([100, 25, -50, 1200], 100)
    assert scale([]) == ([], 1)


@pytest.mark.parametrize("text", ["2024-01-02", "20240102", "2024/01/02", "2024.01.02", "2024-01-02T15:00:00"])
def test_dates_as_exports_write_them(text: str) -> None:
    assert read_date(text, "here") == "2024-01-02"
