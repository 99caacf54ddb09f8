"""Pages that show rollouts: the commands of their blocks are run again, and what they print is compared or rewritten.

    python -m tests.pages          bring the numbers of every page up to date

A block begins with a command of `STARTS`; a line that begins with "$ " is run, the lines behind it are some of those
that it prints, in order; "  ..." says that some are left out. Blocks of a page run in one folder, one after another.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = ("README.md", "docs/fund-advice.md")
STARTS = r"\$ audit (?:rollout|trace import) "
LEFT_OUT = "  ..."
DATA = ROOT.parent / "shared" / "data"
HAS_DATA = (DATA / "cn_fund_nav_daily.parquet").exists() and find_spec("polars") is not None
"""Whether blocks can be run that import the fund data beside the checkout."""


def blocks(page: str) -> list[str]:
    """Return the blocks of a page that can be run here."""
    text = (ROOT / page).read_text(encoding="utf-8")
    found = re.findall(rf"```\n({STARTS}.*?)```", text, re.DOTALL)
    return [block for block in found if HAS_DATA or "shared/data" not in block]


def prepare(folder: Path) -> Path:
    """Return a folder in which the commands find what they find in a checkout."""
    checkout = folder / "checkout"
    checkout.mkdir()
    (checkout / "examples").symlink_to(ROOT / "examples")
    (folder / "shared").symlink_to(DATA.parent)
    return checkout


def steps(block: str, folder: Path) -> Iterator[tuple[str, list[str], list[str]]]:
    """Run the commands of a block in a folder; yield each with the lines that are shown and those that it prints."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, *shown = part.replace("\\\n", "").splitlines()
        yield command, [line for line in shown if line and line != LEFT_OUT], _printed(command, folder)


def _printed(command: str, folder: Path) -> list[str]:
    program, *arguments = shlex.split(command)
    start = {"audit": [sys.executable, "-m", "verifier"], "python": [sys.executable]}[program]
    beside = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    done = subprocess.run([*start, *arguments], cwd=folder, env={**os.environ, "PATH": beside}, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.stdout.splitlines()


def missing(shown: list[str], printed: list[str]) -> list[str]:
    """Return the shown lines that are not printed, or not in this order."""
    found, place = [], 0
    for line in shown:
        if line in printed[place:]:
            place = printed.index(line, place) + 1
        else:
            found.append(line)
    return found


def _rewrite(page: str) -> None:
    path = ROOT / page
    with tempfile.TemporaryDirectory() as name:
        folder = prepare(Path(name))
        for block in blocks(page):
            fresh = block
            for command, shown, printed in steps(block, folder):
                left = iter(printed)
                for line in shown:
                    now = next((one for one in left if _shape(one) == _shape(line)), None)
                    if now is None:
                        sys.exit(f"{page}: {command} prints nothing like {line!r} any more; show another line")
                    fresh = fresh.replace(f"\n{line}\n", f"\n{now}\n", 1)
            path.write_text(path.read_text(encoding="utf-8").replace(block, fresh), encoding="utf-8")


def _shape(line: str) -> list[str]:
    """Return what stays of a line when its numbers and digests change."""
    return re.sub(r"\b[0-9a-f]{12,}\b|(?<![\w-])-(?= |$)|-?\d[\d.,]*", "#", line).split()


if __name__ == "__main__":
    for one in PAGES:
        _rewrite(one)
