"""`audit collect`: ask an endpoint, store its answers untouched, judge nothing."""

import sys
from pathlib import Path

import click


@click.command("collect")
@click.option("--bank", "bank_path", type=click.Path(path_type=Path), default="bank-1", show_default=True, metavar="M",
              help="The bank: a folder, or the name of a shipped one.")
@click.option("--base-url", required=True, metavar="URL", help="OpenAI-compatible endpoint; the key is OPENAI_API_KEY.")
@click.option("--model", required=True, metavar="NAME", help="The model's name as the endpoint knows it.")
@click.option("--runs", type=click.IntRange(1, 10_000), default=3, show_default=True, help="Runs of each scenario.")
@click.option("--temperature", default=None, metavar="T", help="Decimal; default: the provider's.")
@click.option("--arm", type=click.Choice(["bare", "rules"]), default="bare", show_default=True, help="Prompt arm.")
@click.option("--constrain", is_flag=True, help="Ask the server to enforce the JSON Schema of an answer.")
@click.option("--scenario", "names", multiple=True, metavar="ID",
              help="Ask these scenarios alone; may be given many times. Default: the whole bank.")
@click.option("--every", type=click.IntRange(1), default=1, metavar="N", help="Ask every Nth scenario in order of id.")
@click.option("--seed", type=int, default=None, help="Seed of run 1; run j gets seed + j - 1.")
@click.option("--max-tokens", type=click.IntRange(1), default=4000, show_default=True, help="Completion budget.")
@click.option(
    "--timeout", "timeout_s", type=click.IntRange(1), default=600, show_default=True, help="Seconds a request."
)
@click.option("--provider", default="openai-compatible", show_default=True, help="Label stored with every answer.")
@click.option("--judge", "run_path", type=click.Path(path_type=Path), default=None, metavar="RUN",
              help="Ask the model to judge the episodes of this sealed run instead.")
@click.option("--variant", type=click.Choice(["rubric", "brief"]), default="rubric", show_default=True,
              help="With --judge: how the rubric is worded.")
@click.option("--id", "name", default=None, metavar="ID", help="The advisor's id; default: the folder's name.")
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="DIR", help="Where the answers go.")
def command(
    bank_path: Path, base_url: str, model: str, runs: int, temperature: str | None, arm: str, constrain: bool,
    names: tuple[str, ...], every: int, seed: int | None, max_tokens: int, timeout_s: int, provider: str,
    run_path: Path | None, variant: str, name: str | None, out: Path,
) -> int:
    """Ask an OpenAI-compatible endpoint and store every answer as it was sent.

    With --judge the model is shown the episodes of a sealed run, one by one, and asked for scores, which
    `audit judge` lays beside the deterministic ones; --bank, --runs and --arm are not used then.

    Interrupt it at any time; the same command goes on where it stopped and asks nothing twice. When every
    planned run is stored, the folder is sealed for `audit bank --advisor DIR`.

    \b
    Exit codes: 0 collected and sealed; 2 wrong usage; 3 the endpoint failed, or the folder cannot be used.
    """
    from replay.collect import Collection, collect, openai_endpoint
    from scenarios.exact import parse_decimal
    from scenarios.load import load_bank, resolve

    if temperature is not None:
        try:
            parse_decimal(temperature)
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="--temperature") from error
    configuration = {"temperature": temperature or "provider default", "max_tokens": max_tokens}

    def report(stored: int, planned: int) -> None:
        if sys.stderr.isatty():
            click.echo(f"\r{stored} of {planned} answers stored", err=True, nl=stored == planned)

    ask = openai_endpoint(base_url, model, temperature, max_tokens, timeout_s)
    if run_path is not None:
        from replay.judging import Judging, collect_judgements, episodes_of
        from scenarios.manifest import Reference
        from verifier.opening import load_asked

        asked, advisors = load_asked(run_path)
        episodes = [one for one in episodes_of(asked, advisors) if not names or one.scenario.id in names]
        judging = Judging(
            name or out.resolve().name, asked.reference,
            tuple(Reference(id=one.id, digest=one.digest) for one in advisors),
            tuple(episodes[::every]), variant, constrain, seed, provider, model, configuration,
        )
        manifest = collect_judgements(judging, ask, out, report)
        click.echo(f"{len(judging.episodes)} episodes judged, sealed in {out}/ (sha256 {manifest.compute_digest()})")
        return 0
    bank = load_bank(resolve(bank_path, ""))
    for one in names:
        if one not in bank.scenarios:
            raise click.BadParameter(f"{one} is not in bank {bank.id}", param_hint="--scenario")
    chosen = tuple(sorted(names or bank.scenarios)[::every])
    collection = Collection(
        name=name or out.resolve().name,
        bank=bank,
        scenarios=chosen,
        runs=runs,
        arm=arm,
        constrained=constrain,
        seed=seed,
        provider=provider,
        model=model,
        configuration=configuration,
    )
    manifest = collect(collection, ask, out, report)
    click.echo(f"{len(chosen)} scenarios x {runs} runs sealed in {out}/ (sha256 {manifest.compute_digest()})")
    return 0
