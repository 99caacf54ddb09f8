"""`audit replay`: recompute a sealed document and name the first difference."""

from pathlib import Path

import click

from verifier.cli.options import json_option, load_predicates, predicates_option


@click.command("replay")
@click.argument("manifest", type=click.Path(path_type=Path))
@predicates_option
@click.option("--bank", "bank_path", type=click.Path(path_type=Path), default=None, metavar="M",
              help="For answers to a bank that does not ship: that bank.")
@json_option
def command(manifest: Path, predicate_files: tuple[Path, ...], bank_path: Path | None, as_json: bool) -> int:
    """Recompute everything that MANIFEST seals and compare it byte for byte.

    MANIFEST is a manifest of any kind (run, bank, answers, contract), or the folder that holds one.

    \b
    Exit codes: 0 all stages hold; 1 a difference, named by stage and record; 2 wrong usage;
    3 missing or unreadable files, an unknown kind, version or clause.
    """
    from scenarios.load import resolve
    from verifier.cli.output import print_json, say
    from verifier.replaying import replay

    result = replay(resolve(manifest, ""), load_predicates(predicate_files),
                    None if bank_path is None else resolve(bank_path, ""))
    difference = result.difference
    if as_json:
        print_json({
            "kind": result.kind, "id": result.id, "digest": result.digest, "stages": result.stages,
            "holds": difference is None, "difference": None if difference is None else difference._asdict(),
            "note": result.note,
        })
        return 0 if difference is None else 1
    say(f"{result.kind} {result.id} sha256 {result.digest or '(none)'}")
    if result.note:
        say(f"  note: {result.note}")
    for stage in result.stages:
        say(f"  {stage:<18} holds")
    if difference is None:
        say("Replayed: every byte is the same.")
        return 0
    say(f"  {difference.stage:<18} DIFFERS at {difference.record}: {difference.what}")
    if difference.stored or difference.recomputed:
        say(f"    stored     {difference.stored}")
        say(f"    recomputed {difference.recomputed}")
    return 1
