"""`audit waive`: hold one violation in one case not against the advisor, until a date and for a reason."""

from pathlib import Path

import click

from verifier.cli.options import at_option, by_option, json_option, key_option


@click.command("waive")
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--clause", required=True, metavar="C", help="The clause's code.")
@click.option("--case", required=True, metavar="K", help="The case, as ADVISOR/SCENARIO/RUN.")
@by_option
@click.option("--reason", required=True, help="Why it is not held against the advisor.")
@click.option("--expires", required=True, metavar="DATE", help="The last day on which the waiver holds.")
@at_option
@key_option
@json_option
def command(
    run: Path, clause: str, case: str, by: str, reason: str, expires: str, at: str, key: Path | None, as_json: bool
) -> int:
    """Write a waiver as attestations/NNN.json; the run itself and its verdicts do not change.

    Waived is not passed: exports show the violation with its waiver, and `audit replay --as-of DATE` counts it
    as failing again once the waiver has expired.

    \b
    Exit codes: 0 written; 2 wrong usage; 3 the run is missing or does not match its seal, the clause does not fail
    in that case, or the key is unusable.
    """
    from scenarios.attestations import Waiver
    from scenarios.files import build
    from verifier.attesting import attest, named_case
    from verifier.cli.output import print_json, say

    asked = named_case(case)
    members = {**asked._asdict(), "clause": clause, "reason": reason, "expires": expires}
    path, attestation = attest(run, build(Waiver, members, "waiver"), by, at, key)
    if as_json:
        print_json({"path": str(path), "digest": attestation.digest(), "attestation": attestation.record()})
    else:
        say(f"{clause} waived in {asked} until {expires}, written to {path} (sha256 {attestation.digest()})")
    return 0
