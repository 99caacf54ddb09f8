"""Tables of daily NAVs and prices: CSV, plain or gzipped, and Parquet, long or wide, read as exact text.

Columns are known by the names that akshare, fund sites and the usual exports give them. A Parquet float stands for
the shortest decimal that reads back as it, which is the number that was written. No cell passes through a float.
"""

import csv
import gzip
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, NamedTuple

from scenarios.canonical import sha256
from scenarios.errors import ScenarioError
from scenarios.files import MAX_FILE_BYTES, read_file
from scenarios.manifest import SourceFile

COLUMNS: dict[str, tuple[str, ...]] = {
    "code": ("code", "fund_code", "symbol", "ticker", "ts_code", "基金代码", "证券代码", "股票代码", "代码"),
    "date": ("date", "trade_date", "nav_date", "datetime", "净值日期", "交易日期", "日期"),
    "adjusted": ("adjusted", "adj_nav", "adj_close", "adj close", "adjclose", "复权净值", "复权单位净值", "后复权净值"),
    "nav": ("nav", "unit_nav", "net_value", "close", "单位净值", "净值", "收盘", "收盘价"),
    "total": ("acc_nav", "accum_nav", "cumulative_net_value", "累计净值"),
    "growth": ("growth", "daily_growth_rate", "pct_chg", "pctchg", "日增长率", "涨跌幅"),
    "buy": ("purchase_status", "申购状态"),
    "sell": ("redemption_status", "赎回状态"),
    "volume": ("volume", "vol", "成交量"),
    "event": ("event", "dividend", "分红送配", "分红"),
    "source": ("src", "source", "来源"),
    "name": ("name", "fund_name", "基金简称", "基金名称", "名称"),
    "type": ("type", "fund_type", "基金类型", "类型"),
    "aum": ("aum", "fund_size", "资产规模", "基金规模"),
    "management": ("mgmt", "management", "管理费率", "管理费"),
    "custody": ("custody", "托管费率", "托管费"),
    "sales": ("sales", "销售服务费率", "销售服务费"),
    "subscription": ("sub_front_discounted", "subscription", "申购费率"),
    "subscription_most": ("max_sub", "最高申购费率"),
    "redemption_first": ("redeem_lt_7d", "赎回费率7天内"),
    "redemption_then": ("redeem_ge_7d", "赎回费率7天起"),
}
"""What each column is, by its names in lower case; the first column that has one of them counts."""

NOTHING = frozenset({"", "-", "--", "nan", "none", "null", "<na>", "nat"})
_PLAIN = re.compile(r"-?[0-9]+(?:\.[0-9]+)?\Z")
_DATE = re.compile(r"([0-9]{4})[-/.]?([0-9]{2})[-/.]?([0-9]{2})(?:[ T].*)?\Z")
_CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,119}\Z")
_ZERO = ("0", "0.0")
_SIX = re.compile(r"[0-9]{6}")


class Row(NamedTuple):
    """One day of one fund as the table states it, cells as text; None where a cell is empty or the column missing.

    halted: the table counts a volume of 0 for the day.
    """

    line: int
    date: str
    nav: str | None
    growth: str | None
    buy: str | None
    sell: str | None
    event: str | None
    halted: bool
    source: str
    table: str


class Table(NamedTuple):
    """A file's cells by known column, in the order of its lines; a column that it lacks is not there."""

    name: str
    first_line: int
    columns: dict[str, list[str | None]]
    file: SourceFile

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))


def read_table(path: Path) -> Table:
    """Return a table with its known columns; a wide one, a column a fund, is laid out long.

    Raises:
        ScenarioError: the file is empty, has no date or code column, or holds no cell of text; Parquet is asked for
            and polars is not installed. ReplayError: the file cannot be read.
    """
    raw = read_file(path)
    file = SourceFile(name=path.name, bytes=len(raw), sha256=sha256(raw))
    if path.name.endswith((".parquet", ".pq")):
        header, columns = _parquet(raw, str(path))
        first = 1
    else:
        header, columns = _csv(raw, path)
        first = 2
    if not columns or not columns[0]:
        raise ScenarioError(str(path), "holds no rows", "give a table with a line of column names and its rows")
    known = _known(header)
    if "date" in known and not known.keys() & {"nav", "adjusted"} and "type" not in known and "code" not in known:
        return Table(str(path), first, _long(header, columns, known["date"]), file)
    if not known.keys() & {"date", "code"}:
        found = ", ".join(header)[:200]
        raise ScenarioError(str(path), f"has no column of dates or codes among {found}",
                            "name one of them date (净值日期) or code (基金代码)")
    return Table(str(path), first, {column: columns[place] for column, place in known.items()}, file)


def nav_rows(table: Table) -> tuple[dict[str, list[Row]], dict[str, str]]:
    """Return (the rows of each fund in order of line, the name of each fund where the table states one).

    The funds of a table without codes are one, whose code is the first six digits in the file's name, or its stem.

    Raises:
        ScenarioError: the table has no date or no NAV column, or a cell of them is no date or code.
    """
    columns, count = table.columns, len(table)
    value = "adjusted" if "adjusted" in columns else "nav"
    for needed in ("date", value):
        if needed not in columns:
            raise ScenarioError(table.name, f"has no column {needed}",
                                f"name one of its columns {' or '.join(COLUMNS[needed][:3])}")
    empty: list[str | None] = [None] * count
    stem = Path(table.name).name.partition(".")[0]
    alone = _SIX.search(stem)
    codes = columns.get("code") or [alone[0] if alone else stem] * count
    adjusted = value == "adjusted"
    told = [empty if adjusted and one in ("growth", "event") else columns.get(one, empty)
            for one in ("growth", "buy", "sell", "event", "volume")]
    days: dict[str | None, str] = {}
    funds: dict[str, list[Row]] = {}
    lines = zip(codes, columns["date"], columns[value], *told, columns.get("source", empty), strict=True)
    for line, (code, day, nav, growth, buy, sell, event, volume, source) in enumerate(lines, table.first_line):
        if day not in days:
            days[day] = read_date(day, f"{table.name} line {line}")
        row = Row(line, days[day], nav, growth, buy, sell, event, volume in _ZERO, source or stem, table.name)
        try:
            funds[code or ""].append(row)
        except KeyError:
            if not _CODE.match(code or ""):
                raise ScenarioError(f"{table.name} line {line}", f"{code!r} is no code",
                                    "give every row the code of its fund, in letters, digits, dot, dash") from None
            funds[code or ""] = [row]
    named = zip(codes, columns.get("name", empty), strict=True)
    return ({_six(code): rows for code, rows in funds.items()},
            {_six(code): name for code, name in named if code and name})


def read_date(text: str | None, where: str) -> str:
    """Return a day as YYYY-MM-DD; YYYYMMDD, slashes, dots and a time behind it are read too.

    Raises:
        ScenarioError: it is no day of the calendar.
    """
    found = _DATE.match(text or "")
    try:
        if found:
            return date(*map(int, found.groups())).isoformat()
    except ValueError:
        pass  # said below
    raise ScenarioError(where, f"{text!r} is no date", "write dates as YYYY-MM-DD")


def number_text(text: str, where: str) -> str:
    """Return a number as a plain decimal; an exponent is written out, which changes no digit.

    Raises:
        ScenarioError: it is no finite number.
    """
    if _PLAIN.match(text):
        return text
    try:
        value = Decimal(text.replace(",", ""))
        if value.is_finite():
            return format(value, "f")
    except InvalidOperation:
        pass  # said below
    raise ScenarioError(where, f"{text[:60]!r} is no number", "write plain decimals, and nothing where there is none")


def scale(texts: Iterable[str]) -> tuple[list[int], int]:
    """Return (plain decimals as whole numbers of one unit, how many of that unit are one)."""
    parts = [text.partition(".") for text in texts]
    places = max((len(decimals) for _, _, decimals in parts), default=0)
    return [int(whole + decimals.ljust(places, "0")) for whole, _, decimals in parts], 10**places


def _six(code: str) -> str:
    """Return a code with the leading zeros that a spreadsheet cut off."""
    return code.zfill(6) if code.isdigit() else code


def _known(header: Sequence[str]) -> dict[str, int]:
    lower = [name.strip().lower() for name in header]
    return {column: min(places) for column, names in COLUMNS.items()
            if (places := [place for place, name in enumerate(lower) if name in names])}


def _long(header: Sequence[str], columns: Sequence[list[str | None]], day: int) -> dict[str, list[str | None]]:
    """Return a wide table laid out long: dates, codes and NAVs, empty cells left out."""
    cells = [(when, header[place].strip(), cell) for place, column in enumerate(columns) if place != day
             for when, cell in zip(columns[day], column, strict=True) if cell is not None]
    dates, codes, navs = ([cell[part] for cell in cells] for part in range(3))
    return {"date": dates, "code": codes, "nav": navs}


def _csv(raw: bytes, path: Path) -> tuple[list[str], list[list[str | None]]]:
    if raw[:2] == b"\x1f\x8b":
        raw = _unpack(raw, path)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("gb18030", errors="replace")
    lines = csv.reader(io.StringIO(text, newline=""))
    header = next(lines, [])
    rows = []
    try:
        for row in lines:
            if not row:
                continue
            if len(row) != len(header):
                raise ScenarioError(f"{path} line {lines.line_num}", f"has {len(row)} cells, the header {len(header)}",
                                    "give every row as many cells as there are column names")
            rows.append(row)
    except csv.Error as error:
        raise ScenarioError(f"{path} line {lines.line_num}", f"is no CSV ({error})", "write plain CSV") from error
    return header, [_texts(cells) for cells in zip(*rows, strict=True)]


def _texts(cells: Iterable[str | None]) -> list[str | None]:
    """Return cells with empty ones as None, equal ones as one object."""
    seen: dict[str | None, str | None] = {None: None}
    texts = []
    for cell in cells:
        if cell not in seen:
            bare = (cell or "").strip()
            seen[cell] = None if bare.lower() in NOTHING else bare
        texts.append(seen[cell])
    return texts


def _unpack(raw: bytes, path: Path) -> bytes:
    try:
        with gzip.open(io.BytesIO(raw)) as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except (OSError, EOFError) as error:
        raise ScenarioError(str(path), f"is no whole gzip file ({error})", "fetch it again") from error
    if len(data) > MAX_FILE_BYTES:
        raise ScenarioError(str(path), f"unpacks to more than {MAX_FILE_BYTES} bytes", "split it")
    return data


def _parquet(raw: bytes, where: str) -> tuple[list[str], list[list[str | None]]]:
    polars = _polars(where)
    try:
        frame = polars.read_parquet(io.BytesIO(raw))
    except polars.exceptions.PolarsError as error:
        raise ScenarioError(where, f"is no Parquet table ({str(error)[:120]})", "fetch or write it again") from error
    return list(frame.columns), [_texts(column) for column in _columns_as_text(frame, polars)]


def _columns_as_text(frame: Any, polars: Any) -> Iterator[list[str | None]]:
    """Yield each column as text; polars writes a float as the shortest decimal that reads back as it."""
    for column in frame.get_columns():
        yield column.cast(polars.String).to_list()


def _polars(where: str) -> Any:
    try:
        import polars
    except ModuleNotFoundError as error:
        raise ScenarioError(where, "needs polars to be read, which is not installed",
                            "pip install 'advice-audit[trace]', or give the table as CSV") from error
    return polars
