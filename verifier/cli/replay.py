"""`audit replay`: recompute a sealed document and name the first difference."""

from datetime import datetime
from pathlib import Path

import click

from verifier.cli.options import json_option, load_predicates, predicates_option


@click.command("replay")
@click.argument("manifest", type=click.Path(path_type=Path))
@predicates_option
@click.option("--bank", "bank_path", type=click.Path(path_type=Path), default=None, metavar="M",
              help="For answers to a bank that does not ship: that bank.")
@click.option("--trace", "trace_path", type=click.Path(path_type=Path), default=None, metavar="T",
              help="For a rollout on a trace that does not ship: that trace.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="For a rollout: worker processes.")
@click.option("--as-of", type=click.DateTime(["%Y-%m-%d"]), default=None, metavar="DATE",
              help="Of a run, also say how its violations stand on this day: failing, waived, or waived no longer.")
@json_option
def command(
    manifest: Path, predicate_files: tuple[Path, ...], bank_path: Path | None, trace_path: Path | None,
    jobs: int, as_of: datetime | None, as_json: bool,
) -> int:
    """Recompute everything that MANIFEST seals and compare it byte for byte.

    MANIFEST is a manifest of any kind (run, bank, answers, contract), or the folder that holds one.

    \b
    Exit codes: 0 all stages hold; 1 a difference, named by stage and record, or with --as-of a waiver that has
    expired; 2 wrong usage; 3 missing or unreadable files, an unknown kind, version or clause.
    """
    from scenarios.load import resolve
    from verifier.attesting import standing
    from verifier.cli.output import counted, print_json, say
    from verifier.replaying import replay

    result = replay(resolve(manifest, ""), load_predicates(predicate_files),
                    None if bank_path is None else resolve(bank_path, ""),
                    None if trace_path is None else resolve(trace_path, "traces"), jobs)
    difference = result.difference
    day = None if as_of is None else as_of.date().isoformat()
    stands = None if day is None or difference is not None else standing(resolve(manifest, ""), day)
    code = 1 if difference is not None or (stands is not None and stands.expired) else 0
    if as_json:
        print_json({
            "kind": result.kind, "id": result.id, "digest": result.digest, "stages": result.stages,
            "holds": difference is None, "difference": None if difference is None else difference._asdict(),
            "note": result.note,
            "standing": None if stands is None else {
                "as_of": day, **{name: [[str(case), clause] for case, clause in cases]
                                 for name, cases in stands._asdict().items()},
            },
        })
        return code
    say(f"{result.kind} {result.id} sha256 {result.digest or '(none)'}")
    if result.note:
        say(f"  note: {result.note}")
    for stage in result.stages:
        say(f"  {stage:<18} holds")
    if difference is None:
        say("Replayed: every byte is the same.")
        if stands is not None:
            say(f"On {day}: {counted(len(stands.failing), 'violation')} failing, {len(stands.waived)} waived, "
                f"{len(stands.expired)} failing again because a waiver has expired.")
            for case, clause in stands.expired:
                say(f"  {clause} in {case} fails again")
        return code
    say(f"  {difference.stage:<18} DIFFERS at {difference.record}: {difference.what}")
    if difference.stored or difference.recomputed:
        say(f"    stored     {difference.stored}")
        say(f"    recomputed {difference.recomputed}")
    return 1
