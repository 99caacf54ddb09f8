"""`audit export`: a sealed run, or a sealed rollout, for the compliance review."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from verifier.cli.options import load_predicates, predicates_option


@click.command("export")
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--format", "formats", multiple=True, required=True,
              type=click.Choice(["html", "xlsx", "csv", "jsonl", "pdf", "certificate"]),
              help="What to write; may be given many times, all from the same records.")
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="DIR",
              help="The folder to write into; files of an earlier export in it are replaced. One certificate alone "
              "may also be given a FILE.json.")
@click.option("--case", default=None, metavar="ADVISOR/SCENARIO/RUN", help="The verdict that a certificate is about.")
@click.option("--controls", type=click.Path(path_type=Path), default=None, metavar="TABLE",
              help="The firm's control ids: a CSV file of code,control_id,title.")
@click.option("--thresholds", is_flag=True,
              help="Add the threshold sheet: each number of the contract, and the verdicts that flip when it moves.")
@click.option("--trace", "trace_path", type=click.Path(path_type=Path), default=None, metavar="T",
              help="For a rollout on a trace that does not ship: that trace.")
@predicates_option
def command(
    run: Path, formats: tuple[str, ...], out: Path, case: str | None, controls: Path | None, thresholds: bool,
    trace_path: Path | None, predicate_files: tuple[Path, ...],
) -> int:
    """Write a sealed run or rollout as files for the compliance review.

    RUN is the folder of a run, or of a rollout, which is written as html, csv or jsonl. Every file of it is compared
    with its seal, and every verdict is made anew, first.
    The same run gives the same bytes on every machine. csv writes one file a table; xlsx and pdf need the
    extra `advice-audit[export]`. certificate writes the one verdict that --case names, for anybody to check with
    docs/check_certificate.py alone.

    \b
    Exit codes: 0 written; 2 wrong usage; 3 the run is missing, differs from its seal or from what its inputs
    give, it has no such case, the table of controls does not fit, or a format's extra is not installed.
    """
    from scenarios.manifest import RolloutManifest
    from scenarios.sealed import SealedFolder
    from verifier.cli.output import counted
    from verifier.exports.formats import writers
    from verifier.exports.review import load_review

    if (case is None) == ("certificate" in formats):
        raise click.UsageError("--case and --format certificate belong together")
    if isinstance(SealedFolder(run).manifest, RolloutManifest):
        if case is not None or controls is not None or thresholds or predicate_files:
            raise click.UsageError("--case, --controls, --thresholds and --predicates are for runs, not for a rollout")
        return _export_rollout(run, formats, out, trace_path)
    if trace_path is not None:
        raise click.UsageError("--trace is for a rollout")
    if case is not None:
        _certify(run, case, out, {*formats} == {"certificate"}, predicate_files)
        formats = tuple(name for name in formats if name != "certificate")
    if not formats:
        return 0
    wanted = writers(formats)
    review = load_review(run, load_predicates(predicate_files), controls, thresholds)
    _write(out, {name: data for write in wanted for name, data in write(review).items()}, review.digests,
           f"{counted(len(review.cases), 'run')} of {counted(len(review.advisors), 'advisor')}")
    return 0


def _export_rollout(path: Path, formats: tuple[str, ...], out: Path, trace_path: Path | None) -> int:
    from scenarios.load import resolve
    from verifier.cli.output import counted
    from verifier.exports.formats import check_rollout_formats, rollout_files
    from verifier.exports.rollout import load_rollout_review

    check_rollout_formats(formats)
    review = load_rollout_review(path, None if trace_path is None else resolve(trace_path, "traces"))
    episodes = sum(task.episodes for task in review.rollout.manifest.tasks)
    _write(out, rollout_files(review, formats), review.digests,
           f"{counted(episodes, 'consultation')} of {counted(len(review.rollout.advisors), 'advisor')}")
    return 0


def _write(out: Path, files: Mapping[str, bytes], digests: Sequence[tuple[str, str]], what: str) -> None:
    from scenarios.files import write_file
    from verifier.cli.output import say

    for name, data in files.items():
        write_file(out / name, data)
    for name, digest in digests:
        say(f"{name} {digest}")
    say(f"{what} written to {', '.join(str(out / name) for name in files)}")


def _certify(run: Path, case: str, out: Path, alone: bool, predicate_files: tuple[Path, ...]) -> None:
    from scenarios.files import write_file
    from verifier.attesting import named_case
    from verifier.cli.output import say
    from verifier.exports.certificate import certificate_bytes, certificate_name

    named = named_case(case)
    path = out if alone and out.suffix == ".json" else out / certificate_name(named)
    write_file(path, certificate_bytes(run, named, load_predicates(predicate_files)))
    say(f"{case} written to {path}; anybody can check it with docs/check_certificate.py")
