"""`audit rollout`: run an environment in which advice meets investors over years of market days."""

from pathlib import Path

import click

from verifier.cli.options import json_option


def _day(context: click.Context, option: click.Parameter, value: str | None) -> str | None:
    """Refuse what is no day of the calendar, before anything is read."""
    from datetime import date

    try:
        same = value is None or date.fromisoformat(value).isoformat() == value
    except ValueError:
        same = False
    if not same:
        raise click.BadParameter(f"found {value!r}, expected a day such as 2021-03-31", context, option)
    return value


def _named(context: click.Context, option: click.Parameter, value: str | None) -> str | None:
    """Refuse a list of investors in which a name is empty or stands twice."""
    if value is None:
        return None
    names = [name.strip() for name in value.split(",")]
    if "" in names or len(set(names)) < len(names):
        raise click.BadParameter(f"found {value!r}, expected ids, each once, separated by commas", context, option)
    return value


@click.command("rollout")
@click.option("--env", "environment", type=click.Choice(["fund-advice"]), default="fund-advice", show_default=True)
@click.option("--trace", "trace_path", type=click.Path(path_type=Path), default="small-1", show_default=True,
              metavar="T", help="The market: a sealed trace, or the name of a shipped one.")
@click.option("--advisor", "advisors", multiple=True, metavar="A",
              help="A shipped rule (baseline-neutral, baseline-rule, personalized-rule), the folder of a rollout whose "
              "messages are repeated, NAME=COMMAND for a program that speaks JSON lines, or with --base-url any other "
              "NAME for the model there. The matched baseline no-advisor always runs too.")
@click.option("--base-url", default=None, metavar="URL",
              help="OpenAI-compatible endpoint of a model that advises; the key is OPENAI_API_KEY.")
@click.option("--model", default=None, metavar="NAME", help="The model's name as the endpoint knows it.")
@click.option("--temperature", default=None, metavar="T", help="Decimal; default: the provider's.")
@click.option("--max-tokens", type=click.IntRange(1), default=4000, show_default=True, help="Completion budget.")
@click.option("--timeout", "timeout_s", type=click.IntRange(1), default=30, show_default=True,
              help="Seconds for one answer of a program or a model.")
@click.option("--investors", "members", type=str, default=None, metavar="N|IDS", callback=_named,
              help="Some of the population's members by id, separated by commas, or how many all are; default: all.")
@click.option("--population", "population_path", type=click.Path(path_type=Path), default=None, metavar="FILE",
              help="Another population than the shipped 27 investors.")
@click.option("--theta", "theta_path", type=click.Path(path_type=Path), default="theta-2", show_default=True,
              metavar="FILE", help="The configuration of the minds.")
@click.option("--contract", "contract_path", type=click.Path(path_type=Path), default="conduct-1", show_default=True,
              metavar="FILE", help="What every message is judged by.")
@click.option("--runs", type=click.IntRange(1, 1000), default=1, show_default=True, help="Matched replications.")
@click.option("--seed", type=click.IntRange(0, 2**53 - 1), default=1, show_default=True)
@click.option("--from", "start", callback=_day, default=None, metavar="DATE", help="First day; default: the trace's.")
@click.option("--to", "end", callback=_day, default=None, metavar="DATE", help="Last day; default: the trace's.")
@click.option("--execution", type=click.Choice(["next_nav", "same_close"]), default="next_nav", show_default=True)
@click.option("--max-turns", type=click.IntRange(1, 6), default=3, show_default=True, help="Of one consultation.")
@click.option("--language", "languages", type=click.Choice(["en", "zh"]), multiple=True,
              help="Of the investors, in turn; default: both.")
@click.option("--no-flows", is_flag=True, help="Pay nothing in or out.")
@click.option("--gate", is_flag=True, help="Withhold a message that breaks a redline or cannot be judged.")
@click.option("--gate-suitability", is_flag=True, help="Withhold unsuitable product advice too; needs --gate.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Worker processes.")
@click.option("--engine", type=click.Choice(["local", "dask"]), default="local", show_default=True,
              help="Where tasks run: worker processes here, or a Dask cluster that sees the same paths.")
@click.option("--scheduler", default=None, metavar="ADDRESS", help="With --engine dask: its scheduler.")
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="DIR",
              help="Folder of the rollout; a killed one of the same options goes on there.")
@json_option
def command(
    environment: str, trace_path: Path, advisors: tuple[str, ...], members: str | None, population_path: Path | None,
    theta_path: Path, contract_path: Path, runs: int, seed: int, start: str | None, end: str | None, execution: str,
    max_turns: int, languages: tuple[str, ...], no_flows: bool, gate: bool, gate_suitability: bool, jobs: int,
    out: Path, as_json: bool, base_url: str | None, model: str | None, temperature: str | None, max_tokens: int,
    timeout_s: int, engine: str, scheduler: str | None,
) -> int:
    """Run matched rollouts and seal them: every day of every investor, every consultation, every verdict.

    Arms share trace, investors, seed and every draw; only the advisor differs. Each consultation is a frozen scenario
    whose answers are judged; judging never changes what an investor hears, unless --gate is given. What a program or a
    model answers is recorded as it comes, so that a killed rollout asks nothing twice, and a replay asks nobody.

    \b
    Exit codes: 0 finished and sealed; 2 wrong usage; 3 unreadable input, a folder of another rollout, or an advisor
    that could not be started.
    """
    from contextlib import nullcontext

    from replay.environments.fund_advice.population import DEFAULT
    from scenarios.exact import parse_decimal
    from scenarios.files import build
    from scenarios.load import resolve
    from scenarios.rollouts import RolloutConfig
    from verifier.cli.output import counted, print_json, progress, say
    from verifier.cluster import dask_executor
    from verifier.rollouts import answered, known_advisors, rollout
    from verifier.tasks import Inputs

    if gate_suitability and not gate:
        raise click.UsageError("--gate-suitability needs --gate")
    if start and end and start > end:
        raise click.BadParameter(f"{end} lies before --from {start}", param_hint="--to")
    if (engine == "dask") != (scheduler is not None):
        raise click.UsageError("--engine dask and --scheduler go together")
    if (base_url is None) != (model is None):
        raise click.UsageError("--base-url and --model go together")
    if temperature is not None:
        try:
            parse_decimal(temperature)
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="--temperature") from error
    endpoint = None if base_url is None else {
        "base_url": base_url, "model": model, "temperature": temperature, "max_tokens": max_tokens,
        "timeout_s": timeout_s,
    }
    named = dict.fromkeys(("no-advisor", *(advisors or ("personalized-rule",))))
    options = {
        "environment": environment, "seed": seed, "runs": runs, "start": start, "end": end, "execution": execution,
        "max_turns": max_turns, "languages": list(languages or ("en", "zh")), "flows": not no_flows, "gate": gate,
        "gate_suitability": gate_suitability,
        "investors": None if members is None or members.isdigit() else [
            name.strip() for name in members.split(",")],
    }
    config = build(RolloutConfig, {name: value for name, value in options.items() if value is not None}, "options")
    population = resolve(population_path, "populations") if population_path else DEFAULT
    inputs = Inputs(resolve(trace_path, "traces"), resolve(theta_path, "configs"), population,
                    resolve(contract_path, "contracts"), config, known_advisors(tuple(named), endpoint, timeout_s))
    if endpoint is not None and all(how["kind"] != "endpoint" for how in inputs.advisors.values()):
        raise click.UsageError("--base-url needs an --advisor NAME for the model")
    _check_count(members, population)
    cluster = nullcontext() if scheduler is None else dask_executor(scheduler)
    with progress("tasks") as report, cluster as executor:
        manifest = rollout(inputs, out, jobs, report, executor)
    answers = [answered(out, task) for task in manifest.tasks]
    if as_json:
        print_json({"path": str(out), "digest": manifest.compute_digest(), "id": manifest.id,
                    "tasks": [{**task.record(), "answers": came.asked, "failed": dict(sorted(came.failed.items()))}
                              for task, came in zip(manifest.tasks, answers, strict=True)]})
        return 0
    days, episodes = sum(task.days for task in manifest.tasks), sum(task.episodes for task in manifest.tasks)
    say(f"{counted(len(manifest.tasks), 'task')}, {days:,} investor-days, {counted(episodes, 'consultation')}")
    for task in manifest.tasks:
        say(f"  {task.advisor:<24} run {task.run}: {counted(task.episodes, 'consultation')} in {task.days:,} "
            f"investor-day{'' if task.days == 1 else 's'}")
    for task, came in zip(manifest.tasks, answers, strict=True):
        if came.failed:
            kinds = ", ".join(f"{kind} {number}" for kind, number in sorted(came.failed.items()))
            say(f"{task.advisor} run {task.run}: {came.failed.total()} of {counted(came.asked, 'answer')} failed "
                f"({kinds})")
    say(f"The rollout is sealed in {out}/ (sha256 {manifest.compute_digest()}).")
    say(f"Replay it with: audit replay {out}/manifest.json")
    return 0


def _check_count(members: str | None, population: Path) -> None:
    from verifier.tasks import load_members

    count = len(load_members(population).members)
    if members is not None and members.isdigit() and int(members) != count:
        raise click.BadParameter(f"the population has {count} investors; name some of them by id",
                                 param_hint="--investors")
