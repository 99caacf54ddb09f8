"""`audit thresholds`: every number that a contract turns on, and how many verdicts hang on it."""

from pathlib import Path

import click

from verifier.cli.options import json_option, load_predicates, predicates_option


@click.command("thresholds")
@click.argument("run", type=click.Path(path_type=Path))
@predicates_option
@json_option
def command(run: Path, predicate_files: tuple[Path, ...], as_json: bool) -> int:
    """Move each number of RUN's contract and count the frozen verdicts whose state flips.

    A number is a parameter of a clause, or a limit that the scenarios declare and a clause needs. It is moved by
    1, 5 and 10 percent both ways; an integer moves by one at least. A number of which no step flips a verdict is named
    as dead on this run: its answers do not say whether it is right.

    \b
    Exit codes: 0 printed; 2 wrong usage; 3 the run cannot be read or does not match its seal.
    """
    from verifier.cli.output import counted, print_json, print_table, say
    from verifier.exports.tables import values_of
    from verifier.opening import open_run
    from verifier.thresholds import STEPS, threshold_sheet

    opened = open_run(run, load_predicates(predicate_files))
    sheet = threshold_sheet(opened.judge, opened.bank, opened.advisors, opened.manifest.parser)
    dead = [f"{knob.code} {knob.name}" for knob in sheet.knobs if knob.dead]
    if as_json:
        print_json({
            "run": {"id": opened.manifest.id, "digest": opened.manifest.digest}, "verdicts": sheet.verdicts,
            "steps_percent": STEPS, "numbers": [{**knob._asdict(), "dead": knob.dead} for knob in sheet.knobs],
            "without_numbers": sheet.without, "dead": dead,
        })
        return 0
    say(f"Run {opened.manifest.id}, contract {opened.judge.contract.id}: {counted(sheet.verdicts, 'verdict')}")
    say()
    print_table(
        ("Clause", "Number", "Place", "Value", *(f"{step:+} %" for step in STEPS)),
        [[knob.code, knob.name, knob.place, values_of(knob), *map(str, knob.flips)] for knob in sheet.knobs],
        title="Verdicts that flip when a number moves",
    )
    say()
    for knob in sheet.knobs:
        say(f"  {knob.code} {knob.name}: {knob.formula}")
        say(f"    source {knob.authority}; owner {knob.owner}; review by {knob.review or 'not stated'}")
    say()
    say(f"Clauses without numbers: {', '.join(sheet.without) or 'none'}")
    say("Dead knobs on this run (no step flips one of its verdicts; on other answers one may): "
        f"{', '.join(dead) or 'none'}")
    return 0
