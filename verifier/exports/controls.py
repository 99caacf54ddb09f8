"""The firm's control ids: a small table that the firm fills in, `code,control_id,title`, one pair a line.

A code may answer several controls, and a control may rest on several codes; a pair stands once.
"""

import csv
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from scenarios.errors import ScenarioError
from scenarios.files import read_file

HEADER = ["code", "control_id", "title"]
MAX_BYTES = 1 << 20


class Control(NamedTuple):
    """One control of the firm that a clause answers."""

    control_id: str
    title: str


def read_controls(path: Path, codes: Collection[str]) -> dict[str, tuple[Control, ...]]:
    """Return the firm's controls by clause code, in the order of the table.

    Args:
        path: a CSV file in UTF-8, with or without a byte-order mark.
        codes: the codes of the contract.

    Raises:
        ReplayError: the file cannot be read.
        ScenarioError: its header or a line does not fit, a code is not in the contract, or a pair stands twice;
            the message names the line.
    """
    try:
        text = read_file(path, MAX_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ScenarioError(str(path), "is not UTF-8", "save it as CSV in UTF-8") from error
    found: dict[str, tuple[Control, ...]] = {}
    rows = csv.reader(text.splitlines(keepends=True), strict=True)
    try:
        header = next(rows, [])
        if header != HEADER:
            raise ScenarioError(f"{path} line 1", f"found {','.join(header)!r}", f"begin with {','.join(HEADER)}")
        for row in rows:
            if row:
                code, control = _read_row(row, f"{path} line {rows.line_num}", codes)
                if control.control_id in {one.control_id for one in found.get(code, ())}:
                    raise ScenarioError(f"{path} line {rows.line_num}", f"{code} has {control.control_id} already",
                                        "keep one of the two lines")
                found[code] = (*found.get(code, ()), control)
    except csv.Error as error:
        raise ScenarioError(f"{path} line {rows.line_num}", f"is not CSV: {error}", "close the quotation") from error
    return found


def _read_row(row: list[str], where: str, codes: Collection[str]) -> tuple[str, Control]:
    cells = [cell.strip() for cell in row]
    if len(cells) != len(HEADER) or not all(cells[:2]):
        raise ScenarioError(where, f"found {','.join(row)!r}", "write a code, a control id and a title, in this order")
    code, control_id, title = cells
    if code not in codes:
        raise ScenarioError(where, f"{code!r} is not in the contract", f"name one of {', '.join(sorted(codes))}")
    return code, Control(control_id, title)
