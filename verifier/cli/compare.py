"""`audit compare`: advisors side by side, over their common scenarios or over matched rollouts."""

from pathlib import Path

import click

from verifier.cli.options import json_option, load_predicates, predicates_option


@click.command("compare")
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RUN...")
@predicates_option
@click.option("--config", "config_path", type=click.Path(path_type=Path), default="fund-advice-scores-1",
              show_default=True, metavar="FILE", help="For rollouts: weights and units of the scores.")
@click.option("--trace", "trace_path", type=click.Path(path_type=Path), default=None, metavar="T",
              help="For rollouts: the market; default: the shipped one of their digest.")
@json_option
def command(
    runs: tuple[Path, ...], predicate_files: tuple[Path, ...], config_path: Path, trace_path: Path | None,
    as_json: bool,
) -> int:
    """Lay the advisors of one or more run folders side by side.

    Runs of a bank: advisors with different plans are scored over the scenarios that all of them were asked; how many
    those are is said. Runs that differ in bank, contract, clause sources or parser are refused.

    Rollouts: the scores of every advisor against the matched no-advisor, in full and by regime. Rollouts that differ
    in anything but the advisor are refused, and what differs is printed.

    \b
    Exit codes: 0 compared; 2 wrong usage, or rollouts that do not match; 3 a run cannot be read, or runs of a bank
    do not compare.
    """
    if _are_rollouts(runs):
        return _compare_rollouts(runs, config_path, trace_path, as_json)
    from verifier.cli.output import counted, print_json, print_table, say
    from verifier.comparing import compare
    from verifier.scores import COLUMNS, score_table

    found = compare(runs, load_predicates(predicate_files))
    if as_json:
        print_json({
            "bank": found.bank, "contract": found.contract, "common_scenarios": len(found.common),
            "scenarios": found.common, "asked": found.asked, "advisors": [one.summary() for one in found.scores],
        })
        return 0
    say(f"Bank {found.bank}, contract {found.contract}: {counted(len(found.common), 'common scenario')} of "
        f"{counted(len(found.scores), 'advisor')}")
    say()
    rows = [[*row, str(found.asked[row[0]])] for row in score_table(found.scores)]
    print_table(
        (*COLUMNS, "Asked"), rows, title="Scores over the common scenarios (Asked: scenarios in the advisor's plan)"
    )
    return 0


def _are_rollouts(runs: tuple[Path, ...]) -> bool:
    from scenarios.manifest import RolloutManifest
    from scenarios.sealed import SealedFolder

    kinds = {isinstance(SealedFolder(run).manifest, RolloutManifest) for run in runs}
    if len(kinds) > 1:
        raise click.UsageError("some of these are rollouts and some are runs of a bank; compare like with like")
    return kinds == {True}


def _compare_rollouts(runs: tuple[Path, ...], config_path: Path, trace_path: Path | None, as_json: bool) -> int:
    from scenarios.load import resolve
    from verifier.cli.impact import print_section
    from verifier.cli.output import counted, print_json, say
    from verifier.impact.config import load_config
    from verifier.impact.reading import open_rollout
    from verifier.impact.report import differences, report
    from verifier.impact.tables import by_regime, overall, record

    trace = None if trace_path is None else resolve(trace_path, "traces")
    rollouts = [open_rollout(run, trace) for run in runs]
    found = differences(rollouts)
    if found:
        for key, (left, right) in found.items():
            say(f"{key}: {left} and {right}", err=True)
        raise click.UsageError("the rollouts differ in more than the advisor; run them alike, then compare")
    scored = report(rollouts, load_config(config_path), resamples=0)
    if as_json:
        print_json(record(scored))
        return 0
    say(f"{counted(len(rollouts), 'rollout')} on trace {rollouts[0].trace.id}, "
        f"{counted(len(scored.advisors), 'advisor')} against {scored.baseline}")
    for table in (overall(scored), by_regime(scored)):
        say()
        print_section(table)
    return 0
