"""`audit learn`: learn what words weigh from labelled texts, and put it into a contract."""

from pathlib import Path

import click

from verifier.cli.options import json_option


@click.command("learn")
@click.argument("sets", nargs=-1, required=True, metavar="SET[:HALF]...")
@click.option("--into", "base_path", type=click.Path(path_type=Path), default=Path("conduct-1"), show_default=True,
              metavar="CONTRACT", help="The contract whose phrases read the texts, and which gets the scorecards.")
@click.option("--id", "name", required=True, metavar="ID", help="Id of the new contract.")
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="NEW", help="File of the new contract.")
@json_option
def command(sets: tuple[str, ...], base_path: Path, name: str, out: Path, as_json: bool) -> int:
    """Learn scorecards from labelled SETs (docs/scorecards.md), and write CONTRACT with them instead of its own.

    A SET is a sealed folder of labelled texts, your own or one that ships; with :dev or :test only that half of it is
    learned from, so that the other stays unseen. The same texts give the same scorecards on every machine.

    \b
    Exit codes: 0 written; 2 wrong usage; 3 a set is missing, changed or unreadable, a redline has no text in it, or NEW
    exists.
    """
    from scenarios.errors import ReplayError
    from scenarios.files import write_file
    from scenarios.freeze import replace_scorecards
    from scenarios.load import resolve
    from scenarios.sealed import load_contract
    from verifier.cli.output import print_json, say
    from verifier.learning import learn_all, read_lessons

    base = load_contract(resolve(base_path, "contracts"))
    if out.exists():
        raise ReplayError(str(out), "exists", "choose another --out, or remove it")
    read = read_lessons(sets, base)
    contract = replace_scorecards(base, tuple(learn_all(read)), name)
    write_file(out, contract.sealed_bytes())
    cards, digest = contract.scorecards or (), contract.compute_digest()
    if as_json:
        print_json({"kind": contract.kind, "id": contract.id, "digest": digest, "path": str(out),
                    "texts": len(read.lessons), "scorecards": [
                        {"id": card.id, "code": card.code, "weights": len(card.weights),
                         "digest": card.compute_digest()} for card in cards]})
        return 0
    say(f"{len(read.lessons):,} texts of {read.source}")
    for card in cards:
        say(f"  {card.code}: {len(card.weights):,} weights, sha256 {card.compute_digest()}")
    say(f"contract {contract.id} sealed in {out}, sha256 {digest}")
    return 0
