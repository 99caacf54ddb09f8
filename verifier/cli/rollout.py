"""`audit rollout`: run an environment in which advice meets investors over years of market days."""

from pathlib import Path

import click

from verifier.cli.options import json_option


@click.command("rollout")
@click.option("--env", "environment", type=click.Choice(["fund-advice"]), default="fund-advice", show_default=True)
@click.option("--trace", "trace_path", type=click.Path(path_type=Path), default="small-1", show_default=True,
              metavar="T", help="The market: a sealed trace, or the name of a shipped one.")
@click.option("--advisor", "advisors", multiple=True, metavar="A",
              help="A shipped rule (no-advisor, neutral, rule, personalized), the folder of a finished rollout whose "
              "messages are repeated, or NAME=COMMAND for a program that speaks JSON lines. The matched baseline "
              "no-advisor always runs too.")
@click.option("--investors", "members", type=str, default="27", show_default=True, metavar="N|IDS",
              help="All of the population, or some of its members by id, separated by commas.")
@click.option("--population", "population_path", type=click.Path(path_type=Path), default=None, metavar="FILE",
              help="Another population than the shipped 27 investors.")
@click.option("--theta", "theta_path", type=click.Path(path_type=Path), default="theta-1", show_default=True,
              metavar="FILE", help="The configuration of the minds.")
@click.option("--contract", "contract_path", type=click.Path(path_type=Path), default="conduct-1", show_default=True,
              metavar="FILE", help="What every message is judged by.")
@click.option("--runs", type=click.IntRange(1, 1000), default=1, show_default=True, help="Matched replications.")
@click.option("--seed", type=click.IntRange(0, 2**53 - 1), default=1, show_default=True)
@click.option("--from", "start", type=str, default=None, metavar="DATE", help="First day; default: the trace's.")
@click.option("--to", "end", type=str, default=None, metavar="DATE", help="Last day; default: the trace's.")
@click.option("--execution", type=click.Choice(["next_nav", "same_close"]), default="next_nav", show_default=True)
@click.option("--max-turns", type=click.IntRange(1, 6), default=3, show_default=True, help="Of one consultation.")
@click.option("--language", "languages", type=click.Choice(["en", "zh"]), multiple=True,
              help="Of the investors, in turn; default: both.")
@click.option("--no-flows", is_flag=True, help="Pay nothing in or out.")
@click.option("--gate", is_flag=True, help="Withhold a message that breaks a redline.")
@click.option("--gate-suitability", is_flag=True, help="Withhold unsuitable product advice too; needs --gate.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Worker processes.")
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="DIR",
              help="Folder of the rollout; a killed one of the same options goes on there.")
@json_option
def command(
    environment: str, trace_path: Path, advisors: tuple[str, ...], members: str, population_path: Path | None,
    theta_path: Path, contract_path: Path, runs: int, seed: int, start: str | None, end: str | None, execution: str,
    max_turns: int, languages: tuple[str, ...], no_flows: bool, gate: bool, gate_suitability: bool, jobs: int,
    out: Path, as_json: bool,
) -> int:
    """Run matched rollouts and seal them: every day of every investor, every consultation, every verdict.

    Arms share trace, investors, seed and every draw; only the advisor differs. Each consultation is a frozen scenario
    whose answers are judged; judging never changes what an investor hears, unless --gate is given.

    \b
    Exit codes: 0 finished and sealed; 2 wrong usage; 3 unreadable input, a folder of another rollout, or an advisor
    that could not be started.
    """
    from replay.environments.fund_advice.population import DEFAULT
    from scenarios.files import build
    from scenarios.load import resolve
    from scenarios.rollouts import RolloutConfig
    from verifier.cli.output import counted, print_json, progress, say
    from verifier.rollouts import Inputs, known_advisors, rollout

    if gate_suitability and not gate:
        raise click.UsageError("--gate-suitability needs --gate")
    named = dict.fromkeys(("no-advisor", *(advisors or ("personalized",))))
    options = {
        "environment": environment, "seed": seed, "runs": runs, "start": start, "end": end, "execution": execution,
        "max_turns": max_turns, "languages": list(languages or ("en", "zh")), "flows": not no_flows, "gate": gate,
        "gate_suitability": gate_suitability,
        "investors": None if members.isdigit() else [name.strip() for name in members.split(",")],
    }
    config = build(RolloutConfig, {name: value for name, value in options.items() if value is not None}, "options")
    population = resolve(population_path, "populations") if population_path else DEFAULT
    inputs = Inputs(resolve(trace_path, "traces"), resolve(theta_path, "configs"), population,
                    resolve(contract_path, "contracts"), config, known_advisors(tuple(named)))
    _check_count(members, population)
    with progress("tasks") as report:
        manifest = rollout(inputs, out, jobs, report)
    if as_json:
        print_json({"path": str(out), "digest": manifest.compute_digest(), "id": manifest.id,
                    "tasks": [task.record() for task in manifest.tasks]})
        return 0
    days, episodes = sum(task.days for task in manifest.tasks), sum(task.episodes for task in manifest.tasks)
    say(f"{counted(len(manifest.tasks), 'task')}, {days:,} investor-days, {counted(episodes, 'consultation')}")
    for task in manifest.tasks:
        say(f"  {task.advisor:<24} run {task.run}: {task.episodes} consultations in {task.days:,} investor-days")
    say(f"The rollout is sealed in {out}/ (sha256 {manifest.compute_digest()}).")
    say(f"Replay it with: audit replay {out}/manifest.json")
    return 0


def _check_count(members: str, population: Path) -> None:
    from verifier.rollouts import load_members

    count = len(load_members(population).members)
    if members.isdigit() and int(members) != count:
        raise click.BadParameter(f"the population has {count} investors; name some of them by id",
                                 param_hint="--investors")
