"""One million actions at once: the columns faces against the fused function, and what they need of memory."""

import tracemalloc
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks.timing import Result, compare
from benchmarks.workload import (
    CODES,
    FACTS,
    FLOOR,
    NAMES,
    THEME_OF,
    THEMES,
    TRANCHE,
    Asked,
    Plain,
    as_scenarios,
    fused_mask,
    make_plain,
    mask_of,
    nine_rules,
)
from verifier.columns import CHUNK, ActionColumns, judge_columns

ACTIONS, SAMPLE = 1_000_000, 2_000


def generate(plain: Sequence[Plain], count: int, seed: int = 3) -> ActionColumns:
    """Return random buys and citations as columns, drawn in bulk like those of the workload."""
    rng = np.random.default_rng(seed)
    scenario = rng.integers(0, len(plain), count).astype(np.int32)
    sizes = rng.integers(3, 21, count)
    order_ends = np.cumsum(sizes)
    of_order = np.repeat(scenario, sizes)
    universes = [np.array([NAMES.index(name) for name in sorted(one.universe)], np.int16) for one in plain]
    first = np.cumsum([0, *map(len, universes[:-1])])
    width = np.array([len(one) for one in universes])
    place = first[of_order] + (rng.random(len(of_order)) * width[of_order]).astype(np.int64)
    instrument = np.concatenate(universes)[place]
    anywhere = np.flatnonzero(rng.random(len(of_order)) < 0.02)
    instrument[anywhere] = rng.integers(0, len(NAMES), len(anywhere))
    cents = np.where(rng.random(len(of_order)) < 0.6, rng.integers(1, 5, len(of_order)) * TRANCHE,
                     rng.integers(10_000, 400_000, len(of_order)))
    cited = rng.integers(0, 7, count)
    fact = np.where(rng.random(int(cited.sum())) < 0.97, rng.integers(0, 24, int(cited.sum())), 24).astype(np.int16)
    sides = np.zeros(len(cents), np.uint8)
    return ActionColumns(scenario, order_ends, instrument, sides, cents, np.cumsum(cited), fact)


def asked_of(columns: ActionColumns, plain: Sequence[Plain], action: int) -> Asked:
    """Return one row of the columns as the fused function reads it."""
    start, cited = (0, 0) if not action else (columns.order_ends[action - 1], columns.citation_ends[action - 1])
    orders, citations = slice(start, columns.order_ends[action]), slice(cited, columns.citation_ends[action])
    which = int(columns.scenario[action])
    facts = [*sorted(plain[which].facts), f"F{FACTS}"]
    return Asked(
        which,
        [(NAMES[name], int(cents)) for name, cents in
         zip(columns.instrument[orders], columns.cents[orders], strict=True)],
        [facts[fact] for fact in columns.fact[citations]],
    )


def dense_mask(plain: Sequence[Plain], columns: ActionColumns, start: int, stop: int) -> Any:
    """Return the masks of a chunk another way: a dense action-by-name table, no sorting, nothing shared with ours."""
    value = {
        name: np.array([getattr(one, name) for one in plain]) for name in ("cash", "cap", "add_only", "names", "total")
    }
    held = np.array([[one.held.get(name, 0) for name in NAMES] for one in plain])
    allowed = np.array([[name in one.universe for name in NAMES] for one in plain])
    theme_value = np.array([one.theme_value for one in plain])
    one_hot = np.array([[THEME_OF[name] == theme for theme in range(THEMES)] for name in NAMES], np.int64)
    scenario, count = columns.scenario[start:stop], stop - start
    edges = np.concatenate(([columns.order_ends[start - 1] if start else 0], columns.order_ends[start:stop]))
    orders = slice(edges[0], edges[-1])
    action, name, cents = np.repeat(np.arange(count), np.diff(edges)), columns.instrument[orders], columns.cents[orders]
    table = np.zeros((count, len(NAMES)), np.int64)
    np.add.at(table, (action, name), cents)
    total = table.sum(1)
    whole, scale = (value["total"][scenario] + total)[:, None], 10 * value["names"][scenario][:, None]
    started, small = np.zeros(count, np.int64), np.zeros(count, np.int64)
    np.add.at(started, action, (cents + TRANCHE - 1) // TRANCHE)
    np.add.at(small, action, cents < FLOOR)
    by_theme = table @ one_hot
    edges = np.concatenate(([columns.citation_ends[start - 1] if start else 0], columns.citation_ends[start:stop]))
    wrong = np.zeros(count, np.int64)
    np.add.at(wrong, np.repeat(np.arange(count), np.diff(edges)), columns.fact[edges[0] : edges[-1]] >= 24)
    fails = {
        "UNIV01": ((table > 0) & ~allowed[scenario]).any(1),
        "UNIV02": value["add_only"][scenario] & ((table > 0) & (held[scenario] > 0)).any(1),
        "LIM01": (table > 0).sum(1) > value["cap"][scenario],
        "LIM02": total > value["cash"][scenario],
        "LIM03": ((table > 0) & ((held[scenario] + table) * scale > 13 * whole)).any(1),
        "LIM04": ((by_theme > 0) & ((theme_value[scenario] + by_theme) * 5 > whole)).any(1),
        "COST01": started > (total + TRANCHE - 1) // TRANCHE,
        "COST02": small > 0,
        "GRND01": wrong > 0,
    }
    return sum(fails[code] * (1 << index) for index, code in enumerate(CODES))


def run(actions: int = ACTIONS) -> list[Result]:
    """Measure the columns."""
    plain = make_plain()
    scenarios, judge = as_scenarios(plain), nine_rules()
    columns = generate(plain, actions)
    fails = judge_columns(judge, scenarios, columns)
    mask: Any = sum(fails[code] * (1 << index) for index, code in enumerate(CODES))
    for start in range(0, actions, CHUNK):
        stop = min(start + CHUNK, actions)
        assert (dense_mask(plain, columns, start, stop) == mask[start:stop]).all()
    sample = [asked_of(columns, plain, action) for action in range(SAMPLE)]
    bounds = [judge.bind(scenario) for scenario in scenarios]
    for index, one in enumerate(sample):
        assert mask_of(bounds[one.scenario].decide(one.typed())[1]) == mask[index]
        assert fused_mask(plain[one.scenario], one.legs, one.facts) == mask[index]

    def fused() -> None:
        for one in sample:
            fused_mask(plain[one.scenario], one.legs, one.facts)

    ratio, base, ours = compare((fused, SAMPLE), (lambda: judge_columns(judge, scenarios, columns), actions))
    peaks = [peak_bytes(judge, scenarios, columns, many) for many in (actions // 8, actions)]
    return [
        Result("columns", "nine rules over 1,000,000 actions / fused function", ratio, 3.0, at_least=True,
               note=f"{base * 1e6:.2f} us fused, {ours * 1e6:.2f} us in columns; all {actions} equal"),
        Result("columns", "peak memory of the whole / of an eighth, answer aside", peaks[1] / peaks[0], 1.2,
               at_least=False, note=f"{peaks[1] / 2**20:.1f} MiB beyond columns and answer"),
    ]


def peak_bytes(judge: Any, scenarios: Any, columns: ActionColumns, many: int) -> int:
    """Return the peak of traced memory while the first actions are judged, less the answer's arrays."""
    part = replace(columns, scenario=columns.scenario[:many], order_ends=columns.order_ends[:many],
                   citation_ends=columns.citation_ends[:many])
    tracemalloc.start()
    judge_columns(judge, scenarios, part)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak - many * len(CODES)
