"""`audit sign`: accept, reject or escalate a run, beside it and chained to it."""

from pathlib import Path

import click

from verifier.cli.options import at_option, by_option, json_option, key_option


@click.command("sign")
@click.argument("run", type=click.Path(path_type=Path))
@by_option
@click.option("--decision", type=click.Choice(["accept", "reject", "escalate"]), required=True)
@click.option("--note", required=True, help="Why, in a sentence that a reader of the file understands.")
@at_option
@key_option
@json_option
def command(run: Path, by: str, decision: str, note: str, at: str, key: Path | None, as_json: bool) -> int:
    """Write a decision about RUN as attestations/NNN.json; the run itself does not change.

    The attestation names the digest of the run's manifest and of the attestation before it. With --key it
    carries an Ed25519 signature, which `audit verify` checks.

    \b
    Exit codes: 0 written; 2 wrong usage; 3 the run is missing or does not match its seal, or the key is unusable.
    """
    from scenarios.attestations import Decision
    from scenarios.files import build
    from verifier.attesting import attest
    from verifier.cli.output import print_json, say

    statement = build(Decision, {"decision": decision, "note": note}, "--note")
    path, attestation = attest(run, statement, by, at, key)
    if as_json:
        print_json({"path": str(path), "digest": attestation.digest(), "attestation": attestation.record()})
    else:
        say(f"{decision} by {by} on {at}, written to {path} (sha256 {attestation.digest()})")
    return 0
