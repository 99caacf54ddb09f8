"""`audit trace`: market traces, imported from tables, built from a seed, or shown."""

from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

import click

from verifier.cli.options import json_option

if TYPE_CHECKING:
    from scenarios.manifest import TraceManifest
    from scenarios.traces import Trace

out_option = click.option("--out", type=click.Path(path_type=Path), required=True, metavar="DIR",
                          help="The new folder of the trace.")
id_option = click.option("--id", "name", default=None, metavar="ID",
                         help="Id of the trace; default: the folder's name.")
_PATH = click.Path(path_type=Path)
_DAY = click.DateTime(["%Y-%m-%d"])


@click.group("trace")
def command() -> None:
    """Import, build and show market traces.

    \b
    Exit codes: 0 done; 2 wrong usage; 3 unreadable or unusable data, or a missing extra.
    """


@command.command("import")
@click.argument("sources", type=_PATH, nargs=-1, required=True, metavar="SOURCE...")
@out_option
@id_option
@click.option("--benchmark", type=_PATH, default=None, metavar="FILE",
              help="Index levels; their days are the trading calendar.")
@click.option("--meta", type=_PATH, default=None, metavar="FILE", help="Names, types and assets of the funds.")
@click.option("--fees", type=_PATH, default=None, metavar="FILE", help="Fee rates of the funds.")
@click.option("--from", "first", type=_DAY, default=None, metavar="DATE",
              help="First session; the benchmark's day before it is the base day.")
@click.option("--to", "last", type=_DAY, default=None, metavar="DATE", help="Last session.")
@click.option("--regimes", type=_PATH, default=None, metavar="FILE",
              help="A CSV file name,start of market cycles; default: the paper's bear, range and bull.")
@click.option("--quota", default="30/270/1700", show_default=True, metavar="C/B/A",
              help="Most funds that are conservative, balanced, aggressive.")
@click.option("--no-exchange", is_flag=True, help="Leave out funds that trade on an exchange.")
@click.option("--returns", "told", multiple=True, metavar="SOURCE=RULE",
              help="Read the returns of this source as nav or as growth; may be given many times.")
@json_option
def import_(
    sources: tuple[Path, ...], out: Path, name: str | None, benchmark: Path | None, meta: Path | None,
    fees: Path | None, first: datetime | None, last: datetime | None, regimes: Path | None, quota: str,
    no_exchange: bool, told: tuple[str, ...], as_json: bool,
) -> int:
    """Check tables of daily NAVs or prices, select a universe, and seal both as a trace.

    SOURCE is a table (CSV, also gzipped, or Parquet; long, or wide with a column a fund), or a folder with
    *fund_nav*, *fund_meta*, *fund_fees* and *index*daily* files. Every rule is printed with what it decided; nothing
    is mended. docs/traces.md lists columns and rules. Parquet needs the extra `advice-audit[trace]`.

    \b
    Exit codes: 0 sealed; 2 wrong usage; 3 a table is missing, unreadable or no such table, or no fund is left.
    """
    from scenarios.files import write_folder
    from scenarios.trace_import.universe import Options, find_sources, import_trace, read_regimes
    from scenarios.traces import PAPER_REGIMES
    from verifier.cli.output import say

    options = Options(
        name or out.resolve().name, None if first is None else first.date().isoformat(),
        None if last is None else last.date().isoformat(), PAPER_REGIMES if regimes is None else read_regimes(regimes),
        _quotas(quota), not no_exchange, _return_rules(told),
    )
    imported = import_trace(find_sources(sources, benchmark, meta, fees), options)
    write_folder(out, imported.files)
    _print(out, as_json)
    if not as_json:
        say()
        say(f"The trace is sealed in {out}/. Replay it with: audit replay {out}")
    return 0


@command.command("show")
@click.argument("trace", type=_PATH)
@click.option("--funds", "listed", is_flag=True, help="List the funds too.")
@json_option
def show(trace: Path, listed: bool, as_json: bool) -> int:
    """Print what TRACE holds: regimes, shock days, tiers, closed days, and how its universe was selected.

    TRACE is a folder, or the name of a shipped trace.

    \b
    Exit codes: 0 shown; 2 wrong usage; 3 missing, unreadable, or not as it was sealed.
    """
    from scenarios.load import resolve

    _print(resolve(trace, "traces"), as_json, listed)
    return 0


@command.command("build")
@click.option("--seed", type=int, required=True, help="Any whole number; the same one gives the same bytes.")
@click.option("--days", type=int, default=120, show_default=True, help="Sessions behind the base day.")
@click.option("--funds", type=int, default=60, show_default=True, help="Funds.")
@out_option
@id_option
@json_option
def build(seed: int, days: int, funds: int, out: Path, name: str | None, as_json: bool) -> int:
    """Build a synthetic trace from a seed: three regimes, tiers, shocks, closed days, splits.

    The paper's size is --days 1200 --funds 2000.

    \b
    Exit codes: 0 sealed; 2 wrong usage; 3 a size out of bounds, or an unwritable output.
    """
    from scenarios.files import write_folder
    from scenarios.synthetic import build_trace

    write_folder(out, build_trace(seed, days, funds, name or out.resolve().name))
    _print(out, as_json)
    return 0


def _quotas(text: str) -> tuple[int, ...]:
    parts = text.split("/")
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() for part in parts):
        raise click.BadParameter(f"found {text!r}, expected three numbers such as 30/270/1700", param_hint="--quota")
    return tuple(map(int, parts))


def _return_rules(told: tuple[str, ...]) -> "dict[str, Literal['nav', 'growth']]":
    rules: dict[str, Literal["nav", "growth"]] = {}
    for one in told:
        source, _, rule = one.rpartition("=")
        if not source or rule not in ("nav", "growth"):
            raise click.BadParameter(f"found {one!r}, expected SOURCE=nav or SOURCE=growth", param_hint="--returns")
        rules[source] = cast(Literal["nav", "growth"], rule)
    return rules


def _print(path: Path, as_json: bool, listed: bool = False) -> None:
    """Print a trace as it lies in its folder, read back and checked."""
    from scenarios.traces import load_trace
    from verifier.cli.output import print_json, print_table, say

    trace = load_trace(path)
    manifest, rows = trace.manifest, _fund_rows(trace) if listed else []
    if as_json:
        print_json({**manifest.record(), "slices": _slices(trace), **({"universe": rows} if listed else {})})
        return
    say(f"Trace {trace.id}: {manifest.sessions} sessions from {trace.sessions[1].date} to {manifest.last_day}, "
        f"base day {manifest.base_day}, {manifest.funds} funds, sha256 {trace.digest[:12]}")
    say(f"Made by {manifest.made_by} ({', '.join(f'{key} {value}' for key, value in manifest.options.items())})")
    say()
    _print_funnel(manifest)
    say()
    print_table(
        ("Slice", "Sessions", "From", "To", "Index", "Up days", "Range days", "Down days", "Up shocks", "Down shocks"),
        [[str(one[key]) for key in one] for one in _slices(trace)], title=f"Market ({manifest.benchmark})",
    )
    say()
    counts = manifest.counts
    print_table(
        ("Conservative", "Balanced", "Aggressive", "R1", "R2", "R3", "R4", "R5", "On exchange"),
        [[str(counts[key]) for key in
          ("conservative", "balanced", "aggressive", "r1", "r2", "r3", "r4", "r5", "on_exchange")]],
        title="Universe", numbers_from=0,
    )
    say(f"Closed: {counts['cells_no_buy']} fund-days to subscription, {counts['cells_no_sell']} to redemption, "
        f"{counts['cells_carried']} of them without a NAV")
    if listed:
        say()
        print_table(("Fund", "Name", "Type", "Level", "Class", "Exchange", "Closed days", "Return", "Fees"),
                    [list(row.values()) for row in rows], title="Funds", numbers_from=9)


def _print_funnel(manifest: "TraceManifest") -> None:
    from verifier.cli.output import print_table

    print_table(
        ("Rule", "Says", "Out", "Left", "Touched"),
        [[row.rule, row.says, str(row.out or "-"), str(row.left), "-" if row.touched is None else str(row.touched)]
         for row in manifest.funnel],
        title="Funnel (out and left: funds; touched: rows, sessions or funds that the rule speaks of)",
        numbers_from=2,
    )


def _slices(trace: "Trace") -> list[dict[str, Any]]:
    rows = []
    for name, days in trace.slices.items():
        sessions = [trace.sessions[day] for day in days]
        before, after = trace.sessions[days[0] - 1].index_e4, sessions[-1].index_e4
        rows.append({
            "slice": name, "sessions": len(days), "from": sessions[0].date, "to": sessions[-1].date,
            "index": _percent(after, before),
            **{env: sum(one.env == env for one in sessions) for env in ("up", "range", "down")},
            **{f"{side}_shocks": sum(one.shock == side for one in sessions) for side in ("up", "down")},
        })
    return rows


def _fund_rows(trace: "Trace") -> list[dict[str, str]]:
    return [
        {"id": fund.id, "name": fund.names[0] if fund.names else "-", "type": fund.type,
         "level": f"R{fund.level} {fund.tier}", "class": fund.share_class or "-",
         "exchange": "yes" if fund.on_exchange else "no", "closed": str(len(fund.no_buy)),
         "return": _percent(fund.nav_e8[-1], fund.nav_e8[0]), "fees": fund.fees.origin}
        for fund in trace.funds
    ]


def _percent(after: int, before: int) -> str:
    from scenarios.exact import round_half_up

    return f"{round_half_up(Fraction(100 * (after - before), before), 2)} %"
