"""Small NAV tables: a calendar of weekdays, paths that move every day, and an import of them in one call."""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from scenarios.trace_import.tables import Row
from scenarios.trace_import.universe import Imported, Options, Sources, import_trace


def weekdays(count: int, first: date = date(2024, 1, 1)) -> list[str]:
    """Return this many weekdays as ISO dates."""
    days: list[str] = []
    while len(days) < count:
        if first.weekday() < 5:
            days.append(first.isoformat())
        first += timedelta(days=1)
    return days


def wave(count: int) -> list[str]:
    """Return NAVs in yuan with four decimals that move up and down by about a percent a day."""
    return [f"1.{(day % 3) * 100 + 37 * (day % 5):04}" for day in range(count)]


def a_row(day: str, nav: str | None, **members: Any) -> Row:
    """Return a row of a source that states order statuses."""
    defaults: dict[str, Any] = {"line": 2, "growth": None, "buy": "开放申购", "sell": "开放赎回", "event": None,
                                "halted": False, "source": "site", "table": "nav.csv"}
    return Row(date=day, nav=nav, **{**defaults, **members})


def rows_of(navs: Iterable[str | None], days: Iterable[str], **members: Any) -> list[Row]:
    """Return one row a day; a NAV that is None has no row."""
    return [a_row(day, nav, **members) for day, nav in zip(days, navs, strict=True) if nav is not None]


def csv_lines(path: Path, header: str, lines: Iterable[Iterable[str]]) -> Path:
    """Write a CSV file and return its path."""
    path.write_text("\n".join([header, *(",".join(line) for line in lines)]) + "\n", encoding="utf-8")
    return path


def import_funds(
    folder: Path, navs: Mapping[str, list[str | None]], *, named: Mapping[str, tuple[str, str]] | None = None,
    **options: Any,
) -> Imported:
    """Import a table of these funds over as many weekdays as the longest has NAVs; named: (name, type) by code."""
    days = weekdays(max(map(len, navs.values())))
    table = csv_lines(folder / "nav.csv", "code,date,nav,purchase_status,redemption_status", (
        (code, day, nav, "开放申购", "开放赎回") for code, path in navs.items()
        for day, nav in zip(days, path, strict=False) if nav is not None
    ))
    index = csv_lines(folder / "index.csv", "date,close",
                      ((day, f"{3000 + 7 * (at % 9)}.5") for at, day in enumerate(days)))
    meta = None if named is None else csv_lines(
        folder / "meta.csv", "code,name,type,aum", ((code, *told, "") for code, told in named.items()))
    return import_trace(Sources((table,), index, meta), Options("test", **options))
