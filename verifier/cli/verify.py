"""`audit verify`: check a folder, a contract or a theta against its seal, and recompute nothing."""

from pathlib import Path
from typing import Any

import click

from verifier.cli.options import json_option


@click.command("verify")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--signed-by", "key", type=click.Path(path_type=Path), default=None, metavar="FILE",
              help="Ask that every attestation of the run is signed by this Ed25519 key (PEM).")
@json_option
def command(path: Path, key: Path | None, as_json: bool) -> int:
    """Compare every file of a sealed folder with its digest; list unlisted files and links.

    PATH is a sealed folder, its manifest, or a contract or theta file. All differences are listed, not only the
    first. Sealed folders inside it (a run's bank and answers) are files of the outer seal here. Of a run, the
    chain and the signatures of its attestations are checked too.

    \b
    Exit codes: 0 all match; 1 a difference; 2 wrong usage; 3 missing or unreadable.
    """
    from scenarios.errors import MissingError, SealError
    from scenarios.load import resolve
    from scenarios.manifest import MANIFEST_NAME
    from scenarios.sealed import SealedFolder, load_document
    from verifier.attesting import check_attestations
    from verifier.cli.output import counted, print_json, say

    path = resolve(path, "")
    found: list[SealError] = []
    attestations: list[dict[str, Any]] = []
    name, digest, files = path.name, "", 0
    try:
        if path.is_file() and path.name != MANIFEST_NAME:
            document = load_document(path)
            name, digest = document.id, str(document.digest)
        else:
            folder = SealedFolder(path)
            name, digest, files = folder.manifest.id, str(folder.manifest.digest), len(folder.files)
            found = folder.differences()
            attestations, faults = check_attestations(folder, key)
            found += faults
    except SealError as error:
        found = [error]
    if as_json:
        print_json({"id": name, "digest": digest, "files": files, "holds": not found, "attestations": attestations,
                    "differences": [{"where": one.where, "what": one.what, "remedy": one.remedy} for one in found]})
    else:
        for difference in found:
            say(f"DIFFERS {difference}")
        matched = f"{counted(files, 'file')} match their seal" if files else "its content matches its seal"
        say(f"{name}: {counted(len(found), 'difference')}" if found else f"{name} sha256 {digest}: {matched}")
        for one in attestations:
            signed = f"signed by {one['public_key']}" if one["public_key"] else "not signed"
            say(f"  attestation {one['number']}: {one['statement']} by {one['by']} on {one['at']}, {signed}")
    if any(isinstance(one, MissingError) for one in found):
        return 3
    return 1 if found else 0
