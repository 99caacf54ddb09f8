"""`audit freeze`: seal a folder or a contract under its digests."""

from pathlib import Path

import click

from verifier.cli.options import json_option


@click.command("freeze")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--id", "name", default=None, metavar="ID", help="Id of the sealed document; default: the folder's name.")
@click.option("--bank", "bank_path", type=click.Path(path_type=Path), default=Path("bank-1"), show_default=True,
              metavar="M", help="For answers: the bank that was answered.")
@click.option("--runs", type=click.IntRange(1, 10_000), default=None, metavar="N",
              help="For answers: planned runs for each scenario; default: the largest run answered.")
@json_option
def command(path: Path, name: str | None, bank_path: Path, runs: int | None, as_json: bool) -> int:
    """Seal PATH: a contract file, a folder with scenarios/, or a folder with answers.jsonl.

    Files are rewritten to canonical bytes where they are not. A folder that was sealed under one id and
    changed since is refused: publish it under a new --id.

    \b
    Exit codes: 0 sealed; 2 wrong usage; 3 nothing to seal, unreadable, or changed under a sealed id.
    """
    from scenarios.errors import ScenarioError
    from scenarios.freeze import freeze_answers, freeze_bank, freeze_contract
    from scenarios.load import load_bank, resolve
    from verifier.cli.output import print_json, say

    answers = (path / "answers.jsonl").exists()
    if not answers and (runs is not None or bank_path != Path("bank-1")):
        raise click.UsageError("--bank and --runs are for a folder of answers")
    if path.is_file() and name is not None:
        raise click.UsageError("--id is for folders; a contract carries its id")
    if path.is_file():
        frozen = freeze_contract(path)
    elif answers:
        frozen = freeze_answers(path, load_bank(resolve(bank_path, "")), name, runs)
    elif (path / "scenarios").exists():
        frozen = freeze_bank(path, name)
    else:
        raise ScenarioError(
            str(path), "holds nothing to seal", "put scenarios/*.json or advisor.json and answers.jsonl there"
        )
    manifest = frozen.manifest
    if as_json:
        print_json({"kind": manifest.record()["kind"], "id": manifest.id, "digest": manifest.digest,
                    "rewritten": frozen.rewritten})
        return 0
    say(f"{manifest.record()['kind']} {manifest.id} sealed, sha256 {manifest.digest}")
    for rewritten in frozen.rewritten:
        say(f"  rewritten to canonical form: {rewritten}")
    return 0
