"""The main job: `audit bank` on the shipped 3,000 answers into a fresh folder, whole process, wall time."""

import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from benchmarks.startup import AUDIT, ROOT, compiled_env
from benchmarks.timing import ROUNDS, Result


def run() -> list[Result]:
    """Measure the whole command."""
    seconds = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(ROUNDS + 1):
            out = Path(folder) / f"run-{number}"
            start = time.perf_counter()
            subprocess.run([*AUDIT, "bank", "--out", str(out)], check=True, stdout=subprocess.DEVNULL,
                           cwd=ROOT, env=compiled_env(f"{folder}/compiled"))
            seconds.append(time.perf_counter() - start)
            assert (out / "verdicts.jsonl").read_bytes().count(b"\n") == 3_000
    note = f"judged, scored, sealed and synced; fastest {min(seconds):.2f} s; wall time, so only on an idle machine"
    return [Result("bank", "audit bank, 3,000 answers", statistics.median(seconds[1:]), 1.5, at_least=False, unit=" s",
                   note=note)]
