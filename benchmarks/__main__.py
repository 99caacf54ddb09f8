"""`python -m benchmarks [NAME ...]`: measure, print the table, end with 1 if a bar is missed."""

import sys
from importlib import import_module

from benchmarks.timing import Result

NAMES = ("startup", "bank", "export", "rules", "verdict", "conduct", "parse", "columns", "canonical", "oracle",
         "rollout")


def row(result: Result) -> tuple[str, ...]:
    """Return the printed cells of one result."""
    if result.skipped:
        return result.name, result.what, "-", "-", f"skipped: {result.skipped}", ""
    bar = f"{'>=' if result.at_least else '<='} {result.bar:g}{result.unit}"
    return (result.name, result.what, f"{result.ratio:.2f}{result.unit}", bar,
            "holds" if result.holds else "MISSED", result.note)


def main(names: list[str]) -> int:
    """Run the named benchmarks, all without a name; return the exit code."""
    unknown = sorted(set(names) - set(NAMES))
    if unknown:
        print(f"benchmarks: no benchmark {unknown[0]!r}; known: {', '.join(NAMES)}", file=sys.stderr)
        return 2
    rows: list[tuple[str, ...]] = [("name", "ours / base", "measured", "bar", "", "")]
    missed = False
    for name in names or NAMES:
        print(f"{name} ...", file=sys.stderr, flush=True)
        for result in import_module(f"benchmarks.{name}").run():
            rows.append(row(result))
            missed |= not result.holds
    widths = [max(len(cells[index]) for cells in rows) for index in range(len(rows[0]))]
    for cells in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip())
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
