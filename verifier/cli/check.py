"""`audit check`: one verdict, explained with its arithmetic."""

from pathlib import Path
from typing import Any

import click

from verifier.cli.options import contract_options, find_scenario, json_option, load_judge, parser_option


@click.command("check")
@click.argument("scenario_path", metavar="SCENARIO", type=click.Path(path_type=Path))
@click.argument("answer_paths", metavar="ANSWER...", nargs=-1, required=True,
                type=click.Path(path_type=Path, allow_dash=True))
@contract_options
@parser_option
@click.option("--oracle", "solver", type=click.Choice(["cbc", "highs"]), default=None, metavar="[cbc|highs]",
              help="Also show what was possible: deployment bound, best admissible plan, fees of one order.")
@json_option
def command(
    scenario_path: Path, answer_paths: tuple[Path, ...], contract_path: Path | None, predicate_files: tuple[Path, ...],
    parser: str, solver: str | None, as_json: bool,
) -> int:
    """Judge one answer to one scenario and explain the verdict.

    SCENARIO is a scenario file, or the id of one in a shipped bank. ANSWER is a file with the
    advisor's text as it was sent, or - for standard input; an episode takes one for each turn that asks for it.

    \b
    Exit codes: 0 admissible or abstained; 1 inadmissible, malformed or truncated; 2 wrong usage;
    3 unreadable input or a clause in ERROR.
    """
    from scenarios.canonical import encode_exact
    from scenarios.load import StoredAnswer, load_scenario
    from scenarios.types import Answer
    from verifier.cli.output import print_json, say
    from verifier.explain import explain, what_was_possible

    scenario = load_scenario(find_scenario(scenario_path))
    asked = scenario.reply_turns or (None,)
    if len(answer_paths) != len(asked):
        raise click.UsageError(f"{scenario.id} asks for {len(asked)} answers, {len(answer_paths)} are given")
    judge = load_judge(contract_path, predicate_files)
    bound = judge.bind(scenario)
    answers = [Answer(scenario=scenario.id, run=1, turn=turn, text=read_text(path))
               for turn, path in zip(asked, answer_paths, strict=True)]
    verdict = bound.judge_run(1, [StoredAnswer(answer, encode_exact(answer.record())) for answer in answers], parser)
    if as_json:
        record = verdict.record()
        record["sentences"] = [judge.sentence(finding) for finding in verdict.findings]
        record["not_applicable"] = bound.absent
        if verdict.action is not None:
            record["action"] = verdict.action.record()
        if solver is not None:
            record["oracle"] = what_was_possible(judge, scenario, verdict.action, solver)
        print_json(record)
    else:
        for text_line in explain(judge, bound, verdict):
            say(text_line)
        if solver is not None:
            _print_oracle(what_was_possible(judge, scenario, verdict.action, solver))
    if verdict.state == "ERROR":
        return 3
    return 0 if verdict.valid else 1


def _print_oracle(found: dict[str, Any]) -> None:
    from verifier.cli.output import counted, say
    from verifier.explain import money

    bound, plan = found["deployment_bound"], found["best_plan"]
    program = bound["program"]
    by = f"{program['solver']} {program['version']}, {program['seconds']} s"
    say()
    say(f"  deployment bound {money(bound['closed_form_cents'])}; program {program['status']} with "
        f"{money(program['cents'])} in {counted(program['orders'], 'order')} ({by})")
    buys = [f"buy {one['instrument']} {money(one['amount_cents'])}" for one in plan["orders"]]
    orders = ", ".join(buys) or "place no order"
    conflict = f"; in conflict: {', '.join(plan['conflict'])}" if plan["conflict"] else ""
    say(f"  best admissible plan ({plan['status']}): {orders}{conflict}")
    for one in found["fees"]:
        say(f"  fees of the {one['side']} orders {money(one['paid'])}, of one order {money(one['consolidated'])}")


def read_text(path: Path) -> str:
    """Return an answer's text from a file or a pipe, or from standard input for "-".

    Raises:
        ReplayError: it cannot be read, is longer than 64 MiB, or is not UTF-8.
    """
    import sys

    from scenarios.errors import ReplayError

    limit = 1 << 26
    try:
        if str(path) == "-":
            raw = sys.stdin.buffer.read(limit + 1)
        else:
            with path.open("rb") as file:
                raw = file.read(limit + 1)
    except OSError as error:
        raise ReplayError(str(path), f"cannot be read ({error.strerror})", "check the path") from error
    if len(raw) > limit:
        raise ReplayError(str(path), f"is longer than {limit} bytes", "shorten it; an answer has at most 1 MiB")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ReplayError(f"{path} byte {error.start}", "is not UTF-8", "store the answer as UTF-8") from error
