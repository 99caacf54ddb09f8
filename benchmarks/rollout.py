"""Rollouts of 27 investors over a whole market, all in: loop, minds, advice, judging, records, seal, replay.

The market is the trace that ROLLOUT_TRACE names, such as one imported by `audit trace import`; without it a synthetic
one of the paper's size is built on the spot. The accounting alone is set beside a plain loop over accounts, and beside
the backtesting library bt where it is installed: same NAVs and purchases, not the same features.
"""

import os
import resource
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import monotonic

from benchmarks.timing import Result, compare, cpu_seconds
from replay.environments.fund_advice.account import Accounts
from replay.environments.fund_advice.population import DEFAULT, investors
from scenarios.load import SHIPPED
from scenarios.manifest import RolloutTask
from scenarios.rollouts import RolloutConfig
from scenarios.traces import Trace, load_trace
from verifier.replaying import replay
from verifier.rollouts import known_advisors, rollout
from verifier.tasks import Inputs, load_members, run_tasks

ADVISORS = ("no-advisor", "baseline-neutral", "baseline-rule", "personalized-rule")
RUNS = 5
SIDE_BY_SIDE = 3
"""Runs of one advisor that one process takes at once, as it does in the whole."""
JOBS = 2
DAYS, FUNDS = 1_200, 2_000
EVERY = 63
"""Sessions between two purchases of the accounting alone."""


def run() -> Iterator[Result]:
    """Yield the figures of one rollout of the paper's size, and what is measured on parts of it."""
    with tempfile.TemporaryDirectory() as scratch:
        trace = _trace_path(Path(scratch))
        given = Inputs(trace, SHIPPED / "configs" / "theta-2.json", DEFAULT,
                       SHIPPED / "contracts" / "conduct-1.json", RolloutConfig(runs=RUNS), known_advisors(ADVISORS))
        yield from _rates(given)
        yield from _whole(given, Path(scratch) / "run")
        yield from _accounting(load_trace(trace))


def _trace_path(scratch: Path) -> Path:
    named = os.environ.get("ROLLOUT_TRACE")
    if named:
        return Path(named)
    from scenarios.files import write_folder
    from scenarios.synthetic import build_trace

    write_folder(scratch / "trace", build_trace(1, DAYS, FUNDS))
    return scratch / "trace"


def _rates(given: Inputs) -> Iterator[Result]:
    """Yield investor-days per CPU second of each advisor, in a process that has judged before."""
    early = given._replace(config=given.config.model_copy(update={"end": _early(given.trace)}))
    run_tasks(early, ADVISORS[-1], [1], lambda run, name, lines: None)
    runs = range(1, 1 + SIDE_BY_SIDE)
    for advisor in ADVISORS:
        size, begun = 0, cpu_seconds()

        def write(run: int, name: str, lines: bytes) -> None:
            nonlocal size
            size += len(lines)

        made = run_tasks(given, advisor, runs, write)
        seconds = cpu_seconds() - begun
        days, talks = (sum(getattr(one.task, name) for one in made.values()) for name in ("days", "episodes"))
        yield Result("rollout", f"tasks of {advisor}", days / seconds, 5_000, True, "/s",
                     f"{days:,} investor-days in {seconds:.1f} CPU s, {talks} consultations "
                     f"({talks / days:.1%}), {size / 1e6:.0f} MB")


def _early(trace: Path) -> str:
    sessions = load_trace(trace).sessions
    return sessions[min(120, len(sessions) - 1)].date


def _whole(given: Inputs, out: Path) -> Iterator[Result]:
    """Yield wall time, memory and size of the rollout, and what its replay costs."""
    began, begun = monotonic(), cpu_seconds()
    manifest = rollout(given, out, JOBS)
    wall, spent = monotonic() - began, cpu_seconds() - begun
    days = sum(task.days for task in manifest.tasks)
    most = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) / 1024
    size = sum(file.bytes for file in manifest.files) / 1e6
    what = f"{days:,} investor-days, {len(ADVISORS)} advisors x {RUNS} runs, {JOBS} workers"
    yield Result("rollout", "paper scale, wall time", wall, 90, False, " s", f"{what}; {spent:.0f} CPU s")
    yield Result("rollout", "paper scale, investor-days / CPU s", days / spent, 5_000, True, "/s",
                 "all advisors, judged and sealed")
    for advisor in ADVISORS[1:]:
        rate = _rate([task for task in manifest.tasks if task.advisor == advisor])
        yield Result("rollout", f"consultations, {advisor}", rate, 4, True, " %", "of its days, at most 10 asked")
    yield Result("rollout", "most memory of a process", most, 400, False, " MB")
    yield Result("rollout", "sealed folder", size, 400, False, " MB", f"{size * 1e6 / days:.0f} bytes a day")
    begun = cpu_seconds()
    found = replay(out, trace_path=given.trace, jobs=JOBS)
    assert found.difference is None, found.difference
    yield Result("rollout", "replay / run, CPU", (cpu_seconds() - begun) / spent, 1.3, False)


def _rate(tasks: Sequence[RolloutTask]) -> float:
    """Return how many of the investor-days hold a consultation, in percent."""
    return 100 * sum(task.episodes for task in tasks) / sum(task.days for task in tasks)


# The accounting alone: every account buys one fund every 63 sessions and is marked every session.


def _accounting(trace: Trace) -> Iterator[Result]:
    owners = investors(load_members(DEFAULT), 1, 1, None)
    days = len(owners) * (len(trace.sessions) - 1)
    orders = _orders(trace, len(owners))

    def ours() -> list[int]:
        accounts = Accounts(owners, trace, same_close=True)
        for session in range(1, len(trace.sessions)):
            accounts.open_session(session)
            for lane, fund in enumerate(orders.get(session, ())):
                accounts.buy(lane, fund, 100_000)
            accounts.close_session()
        return [int(nav) for nav in accounts.nav_e10]

    navs = [[int(nav) for nav in row] for row in trace.nav_e8]
    rates = [fund.fees.subscription for fund in trace.funds]

    def plain() -> list[int]:
        return [_plain(owner.nav0_cents, lane, orders, navs, rates) for lane, owner in enumerate(owners)]

    assert ours() == plain(), "the two ledgers differ"
    ratio, base, own = compare((plain, days), (ours, days), 3)
    yield Result("rollout", "accounting / plain loop over accounts", ratio, 0.5, True, "x",
                 f"{1 / own:,.0f} and {1 / base:,.0f} account-days/s; same NAVs to 1e-10 yuan, ours with lots, slots, "
                 "returns and the identity of every day")
    library = _bt(trace, orders)
    if library is None:
        yield Result("rollout", "accounting / bt", 0, 10, True, skipped="bt is not installed")
        return
    ratio, base, own = compare((library, len(trace.sessions) - 1), (ours, days), 3)
    yield Result("rollout", "accounting / bt", ratio, 10, True, "x",
                 f"{1 / own:,.0f} and {1 / base:,.0f} account-days/s; bt trades one account without fees")


def _orders(trace: Trace, lanes: int) -> dict[int, list[int]]:
    """Return the fund that each account buys, by session: one that is open and, after three, held already."""
    found: dict[int, list[int]] = {}
    for turn, session in enumerate(range(1, len(trace.sessions), EVERY)):
        open_ = [fund for fund in range(len(trace.funds)) if not trace.no_buy[:, fund].any()]
        found[session] = [open_[(7 * lane + turn % 3) % len(open_)] for lane in range(lanes)]
    return found


def _plain(cash: int, lane: int, orders: dict[int, list[int]], navs: list[list[int]], rates: list[object]) -> int:
    """Return the last NAV of one account in 1e-10 yuan."""
    held: dict[int, int] = {}
    nav, peak, drawdown = 0, 1, 0
    for session in range(1, len(navs)):
        today = navs[session]
        if session in orders and cash >= 100_000:
            fund = orders[session][lane]
            fee = -(-rates[fund] * 100_000 // 1)  # type: ignore[operator]
            units = (100_000 - int(fee)) * 10**8 // today[fund]
            cash -= int(fee) - (-units * today[fund] // 10**8)
            held[fund] = held.get(fund, 0) + units
        nav = cash * 10**8 + sum(units * today[fund] for fund, units in held.items())
        peak = max(peak, nav)
        drawdown = max(drawdown, (peak - nav) * 10_000 // peak)
    return nav


def _bt(trace: Trace, orders: dict[int, list[int]]) -> Callable[[], object] | None:
    """Return one account of the same purchases in bt; None where it is not installed. Licence: MIT."""
    try:
        import bt
        import pandas as pd
    except ImportError:
        return None
    days = pd.to_datetime([session.date for session in trace.sessions])
    bought = sorted({funds[0] for funds in orders.values()})
    prices = pd.DataFrame({str(fund): trace.nav_e8[:, fund] / 1e8 for fund in bought}, index=days)
    dates = [days[session] for session in orders]

    def once() -> object:
        algos = [bt.algos.RunOnDate(*dates), bt.algos.SelectAll(), bt.algos.WeighEqually(), bt.algos.Rebalance()]
        return bt.run(bt.Backtest(bt.Strategy("one", algos), prices, progress_bar=False))

    return once
