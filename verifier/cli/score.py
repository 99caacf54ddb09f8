"""`audit score`: the impact of advisors in a finished rollout."""

from pathlib import Path

import click

from verifier.cli.options import json_option


@click.command("score")
@click.argument("run", type=click.Path(path_type=Path), metavar="RUN")
@click.option("--baseline", default="no-advisor", show_default=True, metavar="ADVISOR",
              help="The advisor of the run that all others are paired with.")
@click.option("--config", "config_path", type=click.Path(path_type=Path), default="fund-advice-scores-1",
              show_default=True, metavar="FILE", help="Weights and units: a sealed file, or the name of a shipped one.")
@click.option("--trace", "trace_path", type=click.Path(path_type=Path), default=None, metavar="T",
              help="The market that the run ran on; default: the shipped one of its digest.")
@click.option("--sensitivity", is_flag=True, help="Halve and double each unit, and print the ranking.")
@click.option("--resamples", type=click.IntRange(0, 100_000), default=2_000, show_default=True,
              help="Of the bootstrap over investors; 0 leaves it out.")
@click.option("--out", type=click.Path(path_type=Path), default=None, metavar="FILE",
              help="Write the scores there too, with the digest of the run.")
@json_option
def command(
    run: Path, baseline: str, config_path: Path, trace_path: Path | None, sensitivity: bool, resamples: int,
    out: Path | None, as_json: bool,
) -> int:
    """Score the advisors of a finished rollout against the matched baseline. The sealed folder is only read.

    Every equation is in docs/impact.md. The units are ours: the paper's cannot be identified, so these scores are not
    comparable with its table 5.

    \b
    Exit codes: 0 scored; 2 wrong usage; 3 the run, its trace or the configuration cannot be used.
    """
    from scenarios.load import resolve
    from verifier.cli.impact import print_report, write_scores
    from verifier.impact.config import load_config
    from verifier.impact.reading import open_rollout
    from verifier.impact.report import report

    trace = None if trace_path is None else resolve(trace_path, "traces")
    found = report([open_rollout(run, trace)], load_config(config_path), baseline, resamples)
    if out is not None:
        write_scores(found, out, sensitivity)
    print_report(found, as_json, sensitivity)
    return 0
