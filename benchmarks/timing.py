"""Ratios of CPU time: base and ours take turns in one process, so that both see the same noise."""

import gc
import resource
import statistics
import time
from collections.abc import Callable
from typing import NamedTuple

ROUNDS = 7
LEAST_SECONDS = 0.1


class Result(NamedTuple):
    """One measured line.

    ratio: the figure that the bar is about. at_least: whether the bar is a least or a most value. note: what
    was compared, and what was checked before it was timed. skipped: why nothing was measured.
    """

    name: str
    what: str
    ratio: float
    bar: float
    at_least: bool
    unit: str = "x"
    note: str = ""
    skipped: str = ""

    @property
    def holds(self) -> bool:
        """Whether the bar is kept."""
        return bool(self.skipped) or (self.ratio >= self.bar if self.at_least else self.ratio <= self.bar)


def cpu_seconds() -> float:
    """Return the CPU seconds of this process, its threads and its ended children."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    own = resource.getrusage(resource.RUSAGE_SELF)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def seconds_per_unit(run: Callable[[], object], units: int, repeats: int) -> float:
    """Return the CPU seconds that one unit of work takes."""
    gc.collect()
    start = time.process_time() if repeats else 0.0
    begun = cpu_seconds()
    for _ in range(repeats):
        run()
    whole = cpu_seconds() - begun
    return max(whole, time.process_time() - start) / repeats / units


def compare(
    base: tuple[Callable[[], object], int], ours: tuple[Callable[[], object], int], rounds: int = ROUNDS
) -> tuple[float, float, float]:
    """Return (median of base / ours over the rounds, median seconds of base, of ours), each for one unit.

    Args:
        base: a callable and how many units of work one call does. It is repeated for at least 0.1 s of CPU.
        ours: the same for what is judged.
        rounds: how often the two take turns.
    """
    cases = (base, ours)
    repeats = [max(1, round(LEAST_SECONDS / max(seconds_per_unit(run, 1, 1), 1e-9))) for run, _ in cases]
    samples = [
        [seconds_per_unit(run, units, many) for (run, units), many in zip(cases, repeats, strict=True)]
        for _ in range(rounds)
    ]
    ratios = statistics.median(left / right for left, right in samples)
    return ratios, statistics.median(left for left, _ in samples), statistics.median(right for _, right in samples)
