"""`audit freeze`: seal a folder, a contract or labelled texts, add phrases to one, make a bank of a rollout."""

from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from verifier.cli.options import json_option

if TYPE_CHECKING:
    from scenarios.manifest import Contract

MODES = {
    "--into": ({"PATH", "--id", "--out"}, set[str]()),
    "--as": ({"PATH", "--out"}, {"--id", "--contexts"}),
    "--steps": ({"--out"}, {"--id", "--every", "--advisor", "--trace"}),
    "PATH alone": (set[str](), {"PATH", "--id", "--bank", "--runs"}),
}
"""What is sealed, by the option that says so: the options that it needs beside, and those that it takes."""


@click.command("freeze")
@click.argument("path", type=click.Path(path_type=Path), required=False)
@click.option("--id", "name", default=None, metavar="ID", help="Id of the sealed document; default: the folder's name.")
@click.option("--bank", "bank_path", type=click.Path(path_type=Path), default=Path("bank-1"), show_default=True,
              metavar="M", help="For answers: the bank that was answered.")
@click.option("--runs", type=click.IntRange(1, 10_000), default=None, metavar="N",
              help="For answers: planned runs for each scenario; default: the largest run answered.")
@click.option("--into", "base_path", type=click.Path(path_type=Path), default=None, metavar="CONTRACT",
              help="PATH is a lexicon: make a contract, CONTRACT with these phrases added, and write it to --out.")
@click.option("--steps", "rollout_path", type=click.Path(path_type=Path), default=None, metavar="ROLLOUT",
              help="Instead of PATH: make a bank of the consultations of this finished rollout.")
@click.option("--as", "kind", type=click.Choice(["labels"]), default=None,
              help="PATH is a file of labelled texts, one a line: seal them as a set in the new folder --out.")
@click.option("--contexts", type=click.Path(path_type=Path), default=None, metavar="DIR",
              help="With --as labels: the scenarios that texts are said in; default: those of the shipped redlines-1.")
@click.option("--out", type=click.Path(path_type=Path), default=None, metavar="NEW",
              help="With --into: the file of the new contract. With --as: the folder of the new set. With --steps: the "
              "folder of the new bank; the answers go beside it, to NEW-answers/ADVISOR.")
@click.option("--every", type=click.IntRange(1), default=1, show_default=True, metavar="N",
              help="With --steps: take every N-th consultation of each task.")
@click.option("--advisor", "advisors", multiple=True, metavar="A",
              help="With --steps: only consultations of this advisor; may be given many times. Default: all.")
@click.option("--trace", "trace_path", type=click.Path(path_type=Path), default=None, metavar="T",
              help="With --steps: the market of a rollout whose trace does not ship.")
@json_option
def command(
    path: Path | None, name: str | None, bank_path: Path, runs: int | None, base_path: Path | None,
    rollout_path: Path | None, kind: str | None, contexts: Path | None, out: Path | None, every: int,
    advisors: tuple[str, ...], trace_path: Path | None, as_json: bool,
) -> int:
    """Seal PATH: a contract file, a folder with scenarios/, or a folder with answers.jsonl.

    Files are rewritten to canonical bytes where they are not. A folder that was sealed under one id and
    changed since is refused: publish it under a new --id. With --steps, each consultation of a rollout becomes a
    scenario of a new bank, compared with the digest that the rollout recorded, and what was answered becomes sealed
    answers to it. With --into, the phrases of a lexicon are added to a contract (docs/lexicons.md). With --as labels,
    labelled texts become a set that `audit reproduce redlines --labels` measures on (docs/redlines.md).

    \b
    Exit codes: 0 sealed; 2 wrong usage; 3 nothing to seal, unreadable, changed under a sealed id, or a consultation
    that is not the recorded one.
    """
    _check_options(path is not None)
    if rollout_path is not None and out is not None:
        return _freeze_steps(rollout_path, out, name, every, advisors, trace_path, as_json)
    if path is None:
        raise click.UsageError("name a PATH to seal, or a rollout with --steps")
    if base_path is not None and name is not None and out is not None:
        return _extend(path, base_path, name, out, as_json)
    if kind == "labels" and out is not None:
        return _freeze_labels(path, contexts, out, name, as_json)
    return _freeze_path(path, name, bank_path, runs, as_json)


def _check_options(with_path: bool) -> None:
    """Compare the options that were given with those that go together.

    Raises:
        UsageError: one is given that does not go with the others, or one that they need is not.
    """
    context = click.get_current_context()
    given = {option.opts[0] for option in context.command.params if option.name is not None
             and context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE} - {"--json", "path"}
    given |= {"PATH"} if with_path else set()
    mode = next((one for one in MODES if one in given), "PATH alone")
    needed, taken = MODES[mode]
    if lacking := needed - given:
        raise click.UsageError(f"{mode} needs {', '.join(sorted(lacking))}")
    if beyond := given - {mode} - needed - taken:
        raise click.UsageError(f"{mode} does not take {', '.join(sorted(beyond))}")


def _freeze_path(path: Path, name: str | None, bank_path: Path, runs: int | None, as_json: bool) -> int:
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
        frozen = freeze_contract(path, _check_phrases)
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


def _check_phrases(contract: "Contract") -> None:
    """Refuse a contract of which a phrase cannot be compiled."""
    from verifier.contract import phrases_of

    if contract.lexicons:
        phrases_of(contract)


def _extend(path: Path, base_path: Path, name: str, out: Path, as_json: bool) -> int:
    from scenarios.errors import ReplayError
    from scenarios.files import write_file
    from scenarios.freeze import extend_contract
    from scenarios.load import resolve
    from scenarios.sealed import load_contract
    from verifier.cli.output import print_json, say

    base = load_contract(resolve(base_path, "contracts"))
    contract = extend_contract(base, path, name)
    _check_phrases(contract)
    if out.exists():
        raise ReplayError(str(out), "exists", "choose another --out, or remove it")
    write_file(out, contract.sealed_bytes())
    added, digest = (contract.lexicons or ())[-1], contract.compute_digest()
    if as_json:
        print_json({"kind": contract.kind, "id": contract.id, "digest": digest, "path": str(out),
                    "lexicon": {"id": added.id, "version": added.version, "digest": added.compute_digest(),
                                "entries": len(added.entries)}})
        return 0
    say(f"{base.id} with {len(added.entries)} phrases of {added.id} version {added.version} "
        f"(sha256 {added.compute_digest()})")
    say(f"contract {contract.id} sealed in {out}, sha256 {digest}")
    return 0


def _freeze_labels(path: Path, contexts: Path | None, out: Path, name: str | None, as_json: bool) -> int:
    from scenarios.files import write_folder
    from scenarios.labels import freeze_labels
    from scenarios.load import resolve
    from verifier.cli.output import counted, print_json, say

    folder = resolve(contexts or Path("redlines-1/contexts"), "")
    frozen = freeze_labels(path, folder, out.resolve().name if name is None else name)
    write_folder(out, frozen.files)
    manifest = frozen.manifest
    if as_json:
        print_json({"kind": "labels", "id": manifest.id, "digest": manifest.digest, "path": str(out),
                    "texts": frozen.texts})
        return 0
    halves = ", ".join(f"{counted(number, 'text')} in half {half}" for half, number in frozen.texts.items())
    say(f"labels {manifest.id} sealed in {out}, sha256 {manifest.digest}")
    say(f"  {halves}")
    return 0


def _freeze_steps(
    rollout_path: Path, out: Path, name: str | None, every: int, advisors: tuple[str, ...], trace_path: Path | None,
    as_json: bool,
) -> int:
    from scenarios.errors import ReplayError
    from scenarios.files import write_folder
    from scenarios.load import resolve
    from scenarios.manifest import MANIFEST_NAME
    from verifier.cli.output import counted, print_json, say
    from verifier.consultations import folder_of_answers, freeze_steps
    from verifier.impact.reading import open_rollout

    rollout = open_rollout(rollout_path, None if trace_path is None else resolve(trace_path, "traces"))
    wanted = tuple(dict.fromkeys(advisors or rollout.advisors))
    for one in wanted:
        if one not in rollout.advisors:
            known = ", ".join(rollout.advisors)
            raise ReplayError(str(rollout_path), f"has no advisor {one!r}", f"name one of {known}")
    frozen = freeze_steps(rollout, out.resolve().name if name is None else name, wanted, every)
    places = {out: frozen.bank, **{folder_of_answers(out, one): made for one, made in frozen.answers.items()}}
    for place in places:
        if place.exists():
            raise ReplayError(str(place), "exists", "choose another --out, or remove it")
    for place, (manifest, files) in places.items():
        write_folder(place, {**files, MANIFEST_NAME: manifest.sealed_bytes()})
    if as_json:
        print_json([{"kind": manifest.record()["kind"], "id": manifest.id, "digest": manifest.digest,
                     "path": str(place)} for place, (manifest, _) in places.items()])
        return 0
    bank, files = frozen.bank
    say(f"bank {bank.id} of {counted(len(files) - 1, 'scenario')} sealed in {out}, sha256 {bank.digest}")
    for one, (manifest, _) in frozen.answers.items():
        say(f"answers of {one} sealed in {folder_of_answers(out, one)}, sha256 {manifest.digest}")
    return 0
