"""What it costs to start: CPU time of `audit` as a child process against the bare interpreter."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.timing import ROUNDS, Result
from scenarios.load import SHIPPED

ROOT = Path(__file__).parent.parent
AUDIT = (sys.executable, "-m", "verifier")


def compiled_env(folder: str) -> dict[str, str]:
    """Return an environment in which modules are compiled once, into this folder, as an installation does."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**env, "PYTHONPYCACHEPREFIX": folder}


def child_seconds(*command: str | Path, env: dict[str, str]) -> float:
    """Return the CPU seconds of a child process that must succeed."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=ROOT, env=env)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, command
    return usage.ru_utime + usage.ru_stime


def run() -> list[Result]:
    """Measure the two commands and the bare interpreter in turns."""
    with tempfile.TemporaryDirectory() as folder:
        scenario = SHIPPED / "bank-1" / "scenarios" / "cash-sub-tranche-03.json"
        universe = json.loads(scenario.read_bytes())["universe"]
        answer = Path(folder) / "answer.txt"
        answer.write_text(json.dumps({"orders": [{"instrument": universe[0], "amount": 300}]}))
        commands: dict[str, tuple[str | Path, ...]] = {
            "bare": (sys.executable, "-c", "pass"),
            "help": (*AUDIT, "--help"),
            "check": (*AUDIT, "check", scenario, answer),
        }
        env = compiled_env(folder)
        rounds = [
            {name: child_seconds(*command, env=env) for name, command in commands.items()}
            for _ in range(2 * ROUNDS)
        ][1:]
    bare = statistics.median(one["bare"] for one in rounds)
    results = []
    for name, what, bar in (("help", "audit --help", 5.0), ("check", "audit check, one scenario", 18.0)):
        ratio = statistics.median(one[name] / one["bare"] for one in rounds)
        note = f"{statistics.median(one[name] for one in rounds) * 1e3:.0f} ms CPU, bare {bare * 1e3:.1f} ms"
        results.append(Result("startup", f"{what} / bare interpreter", ratio, bar, at_least=False, note=note))
    return results
