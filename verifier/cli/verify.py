"""`audit verify`: check a folder or a contract against its seal, and recompute nothing."""

from pathlib import Path

import click

from verifier.cli.options import json_option


@click.command("verify")
@click.argument("path", type=click.Path(path_type=Path))
@json_option
def command(path: Path, as_json: bool) -> int:
    """Compare every file of a sealed folder with its digest; list unlisted files and links.

    PATH is a sealed folder, its manifest, or a contract file. All differences are listed, not only the
    first. Sealed folders inside it (a run's bank and answers) are files of the outer seal here.

    \b
    Exit codes: 0 all match; 1 a difference; 2 wrong usage; 3 missing or unreadable.
    """
    from scenarios.errors import SealError
    from scenarios.load import resolve
    from scenarios.manifest import Contract
    from scenarios.sealed import SealedFolder, load_manifest
    from verifier.cli.output import print_json

    path = resolve(path, "")
    files = 0
    found: list[SealError] = []
    name = digest = ""
    try:
        if path.is_file() and path.name != "manifest.json":
            manifest = load_manifest(path)
            if not isinstance(manifest, Contract):
                raise SealError(str(path), "seals other files and must be named manifest.json", "restore its name")
        else:
            folder = SealedFolder(path)
            manifest = folder.manifest
            files = len(folder.files)
            found = list(folder.differences())
        name, digest = manifest.id, str(manifest.digest)
    except SealError as error:
        found = [error]
    if as_json:
        print_json({"id": name, "digest": digest, "files": files, "holds": not found,
                    "differences": [{"where": one.where, "what": one.what, "remedy": one.remedy} for one in found]})
    else:
        for one in found:
            click.echo(f"DIFFERS {one}")
        click.echo(f"{name or path}: {len(found)} differences" if found else
                   f"{name} sha256 {digest}: {files} files match their seal")
    return 1 if found else 0
