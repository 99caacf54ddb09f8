"""`audit calibrate`: fit the investors' minds to a cohort's aggregates."""

from pathlib import Path

import click

from verifier.cli.options import json_option


@click.command("calibrate")
@click.option("--targets", "targets_path", type=click.Path(path_type=Path), required=True, metavar="FILE",
              help="The cohort's aggregates: a sealed file, or the name of a shipped one.")
@click.option("--trace", "trace_path", type=click.Path(path_type=Path), default="small-1", show_default=True,
              metavar="T", help="The market of the cohort: a sealed trace, or the name of a shipped one.")
@click.option("--theta", "theta_path", type=click.Path(path_type=Path), default="theta-2", show_default=True,
              metavar="FILE", help="Where the search sets out; ranges and steps are its own.")
@click.option("--without", "off", multiple=True, metavar="COMPONENT", help="Take a component of the mind out.")
@click.option("--population", "population_path", type=click.Path(path_type=Path), default=None, metavar="FILE",
              help="Another population than the shipped 27 investors.")
@click.option("--advisor", default="baseline-rule", show_default=True, metavar="A", help="Who advises them.")
@click.option("--budget", type=click.IntRange(1, 10_000), default=40, show_default=True, help="Evaluations.")
@click.option("--seeds", type=click.IntRange(1, 100), default=6, show_default=True,
              help="Runs of the population in an evaluation.")
@click.option("--seed", type=click.IntRange(0, 2**53 - 1), default=1, show_default=True)
@click.option("--id", "name", default="theta-fitted", show_default=True, metavar="ID", help="Of the result.")
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="DIR",
              help="New folder of theta.json and calibration.jsonl.")
@json_option
def command(
    targets_path: Path, trace_path: Path, theta_path: Path, off: tuple[str, ...], population_path: Path | None,
    advisor: str, budget: int, seeds: int, seed: int, name: str, out: Path, as_json: bool,
) -> int:
    """Search the parameters of the minds whose investors come nearest to a cohort, and seal what is found.

    Compared are RiskIndex histogram, buy and sell elasticity of every profile in every regime that the targets list;
    dialogue is no target. docs/realism.md has the form of a targets file, and says what ours are: synthetic.

    \b
    Exit codes: 0 found and sealed; 2 wrong usage; 3 an input cannot be used, or the output exists.
    """
    from replay.environments.fund_advice.population import load_population
    from replay.environments.fund_advice.theta import adjust, load_theta
    from scenarios.files import write_folder
    from scenarios.load import resolve
    from scenarios.sealed import join_lines
    from scenarios.traces import load_trace
    from verifier.calibration import Simulator, calibrate, load_targets, log_lines
    from verifier.cli.output import print_json, progress, say
    from verifier.realism import check_regimes

    targets, trace = load_targets(resolve(targets_path, "configs")), load_trace(resolve(trace_path, "traces"))
    check_regimes(targets, trace.slices, trace)
    start = adjust(load_theta(resolve(theta_path, "configs")), off=off)  # type: ignore[arg-type]
    simulator = Simulator(trace, load_population(population_path), seed, range(1, seeds + 1), advisor)
    with progress("evaluation") as report:
        theta, found = calibrate(simulator, start, targets, budget, name, report)
    inputs = {"targets": targets.compute_digest(), "trace": trace.digest, "theta": start.compute_digest(),
              "advisor": advisor, "budget": budget, "seeds": seeds, "seed": seed, "result": theta.compute_digest()}
    write_folder(out, {"theta.json": theta.sealed_bytes(), "calibration.jsonl": join_lines(log_lines(found, **inputs))})
    before = found.log[0].discrepancy
    if as_json:
        print_json({**inputs, "ended": found.ended, "evaluations": len(found.log), "values": found.values,
                    "start": round(float(before), 6), "discrepancy": round(float(found.discrepancy), 6)})
        return 0
    say(f"D {float(before):.4f} at the start, {float(found.discrepancy):.4f} after {len(found.log)} evaluations "
        f"({found.ended}); S_Behav is 1 - D")
    for parameter, value in found.values.items():
        was = start.parameters[parameter].value  # type: ignore[index]
        say(f"  {parameter:<12} {value:>6,}" + ("" if value == was else f"  from {was:,}"))
    say(f"The configuration is sealed in {out}/theta.json (sha256 {theta.compute_digest()}).")
    return 0
