"""`audit repair`: the nearest admissible action, or the clauses in conflict."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from verifier.cli.options import contract_options, find_scenario, json_option, load_judge, parser_option

if TYPE_CHECKING:
    from verifier.repair import Repair


@click.command("repair")
@click.argument("scenario_path", metavar="SCENARIO", type=click.Path(path_type=Path))
@click.argument("answer_path", metavar="ANSWER", type=click.Path(path_type=Path, allow_dash=True))
@contract_options
@parser_option
@click.option("--solver", type=click.Choice(["cbc", "highs"]), default="cbc", show_default=True,
              help="highs needs the extra `highs`; both give the same action.")
@click.option("--time-limit", "time_limit_s", type=click.IntRange(1), default=60, show_default=True,
              help="Seconds after which the search gives up and exits with 3.")
@json_option
def command(
    scenario_path: Path, answer_path: Path, contract_path: Path | None, predicate_files: tuple[Path, ...],
    parser: str, solver: str, time_limit_s: int, as_json: bool,
) -> int:
    """Find the admissible action nearest to an answer, proven nearest, or the clauses that allow none.

    Nearest: the fewest orders changed, dropped or added, then the fewest cents moved, then ticker order.
    A repair is a product of its own; the verdict on the answer stays what it is.

    \b
    Exit codes: 0 the answer is admissible already, or a repair was found; 1 no admissible action exists;
    2 wrong usage; 3 unreadable input, or a failing clause that orders cannot repair.
    """
    from scenarios.errors import ScenarioError
    from scenarios.load import load_scenario
    from scenarios.parsing import parse_answer
    from verifier.cli.check import read_text
    from verifier.cli.output import print_json
    from verifier.repair import repair

    scenario = load_scenario(find_scenario(scenario_path))
    judge = load_judge(contract_path, predicate_files)
    parsed = parse_answer(scenario, read_text(answer_path), parser=parser)
    if parsed.action is None:
        fault = parsed.fault
        raise ScenarioError(str(answer_path), f"is {parsed.state}: {fault.what if fault else ''}",
                            "only an answer that reads as an action can be repaired")
    found = repair(judge, scenario, parsed.action, solver, time_limit_s)
    if as_json:
        print_json({**found.record(), "solver_runs": [run.record() for run in found.runs]})
    else:
        _print(found)
    return 1 if found.status == "impossible" else 0


def _print(found: "Repair") -> None:
    from verifier.cli.output import counted, say
    from verifier.explain import money

    if found.status == "impossible":
        say("No admissible action exists. These clauses conflict, and none of them can be left out:")
        for code in found.conflict:
            say(f"  {code}")
        return
    if found.status == "admissible":
        say("The answer is admissible; nothing to repair.")
        return
    say(f"The answer fails {', '.join(found.failed)}.")
    say(f"Nearest admissible action: {counted(found.touched, 'order')} touched, {money(found.moved_cents)} moved")
    for what, instrument, side, before, after in found.changes:
        say(f"  {what:<8} {side:<4} {instrument:<8} {money(before)} -> {money(after)}")
    if found.action is not None and not found.action.orders:
        say("  (place no order)")
    last = found.runs[-1]
    say(
        f"Proven by {last.solver} {last.version} in {len(found.runs)} programs; judged admissible by the contract."
    )
