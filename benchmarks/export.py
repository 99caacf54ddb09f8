"""Exports of the shipped 3,000-run bank: `audit export`, whole process, wall time, and the page's size."""

import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from benchmarks.startup import AUDIT, ROOT, compiled_env
from benchmarks.timing import Result

ROUNDS = 3
BARS = {"html": 5.0, "xlsx": 10.0}
"""Seconds by format."""

PAGE_MB = 10.0


def run() -> list[Result]:
    """Measure both formats on one sealed run."""
    results = []
    with tempfile.TemporaryDirectory() as folder:
        sealed, out, env = Path(folder) / "run", Path(folder) / "out", compiled_env(f"{folder}/compiled")

        def audit(*args: str) -> float:
            start = time.perf_counter()
            subprocess.run([*AUDIT, *args], check=True, stdout=subprocess.DEVNULL, cwd=ROOT, env=env)
            return time.perf_counter() - start

        audit("bank", "--out", str(sealed))
        assert (sealed / "verdicts.jsonl").read_bytes().count(b"\n") == 3_000
        for name, bar in BARS.items():
            args = ("export", str(sealed), "--format", name, "--out", str(out))
            audit(*args)
            seconds = [audit(*args) for _ in range(ROUNDS)]
            size = (out / f"review.{name}").stat().st_size / 1e6
            note = f"sealed run read, judged anew, written; {size:.2f} MB; wall time, so only on an idle machine"
            results.append(Result("export", f"audit export --format {name}, 3,000 runs", statistics.median(seconds),
                                  bar, at_least=False, unit=" s", note=note))
            if name == "html":
                results.append(Result("export", "size of the page, 3,000 runs", size, PAGE_MB, at_least=False,
                                      unit=" MB", note="one file, no compression"))
    return results
