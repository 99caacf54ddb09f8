"""`audit realism`: how much the investors of a finished rollout behave like a cohort."""

from pathlib import Path

import click

from verifier.cli.options import json_option


@click.command("realism")
@click.argument("run", type=click.Path(path_type=Path), metavar="RUN")
@click.option("--targets", "targets_path", type=click.Path(path_type=Path), required=True, metavar="FILE",
              help="The cohort's aggregates: a sealed file, or the name of a shipped one.")
@click.option("--advisor", required=True, metavar="A", help="Whose arm of the rollout.")
@click.option("--trace", "trace_path", type=click.Path(path_type=Path), default=None, metavar="T",
              help="The market that the run ran on; default: the shipped one of its digest.")
@json_option
def command(run: Path, targets_path: Path, advisor: str, trace_path: Path | None, as_json: bool) -> int:
    """Compare what the investors of one arm hold, and how they meet shocks, with a cohort; and judge how they talk.

    Each run is made anew from its frozen answers, since its log does not hold what an account is made of. A figure
    that cannot be had, such as an elasticity with fewer than 5 shock days, is NA and its weight spread over the rest.

    \b
    Exit codes: 0 compared; 2 wrong usage; 3 the run, its trace or the targets cannot be used.
    """
    from scenarios.load import resolve
    from verifier.calibration import load_targets
    from verifier.cli.output import print_json, print_table, say
    from verifier.impact.reading import open_rollout
    from verifier.realism import SAYS, realism_of

    trace = None if trace_path is None else resolve(trace_path, "traces")
    targets = load_targets(resolve(targets_path, "configs"))
    found = realism_of(open_rollout(run, trace), advisor, targets)
    names = ("RiskIndex", "buy elasticity", "sell elasticity")
    behaviour = found.behaviour
    if as_json:
        print_json({
            "advisor": advisor, "targets": targets.compute_digest(), "S_Behav": _number(behaviour.score),
            "parts": {name: _number(part) for name, part in zip(names, behaviour.parts, strict=True)},
            "S_Dial": _number(found.dialogue), "dialogues": found.dialogues, "S_Realism": _number(found.score),
            "note": SAYS,
            "slices": [{"profile": row.cell[0], "regime": row.cell[1], "weight": _number(row.weight),
                        "scores": [_number(one) for one in row.scores], "score": _number(row.score),
                        "buy": [_number(row.real.buy), _number(row.simulated.buy)],
                        "sell": [_number(row.real.sell), _number(row.simulated.sell)]} for row in behaviour.slices],
        })
        return 0
    print_table(
        ("Profile", "Regime", "Weight", "RiskIndex", "Buy", "Sell", "Buy: cohort", "ours", "Sell: cohort", "ours"),
        [(*row.cell, *map(_text, (row.weight, *row.scores, row.real.buy, row.simulated.buy, row.real.sell,
                                  row.simulated.sell))) for row in behaviour.slices],
        title=f"{advisor} beside {targets.id} ({targets.source})", numbers_from=2,
    )
    say()
    for name, part in zip(names, behaviour.parts, strict=True):
        say(f"{name:<16} {_text(part)}")
    say(f"{'S_Behav':<16} {_text(behaviour.score)}")
    say(f"{'S_Dial':<16} {_text(found.dialogue)}   ({found.dialogues} judged consultations)")
    say(f"{'S_Realism':<16} {_text(found.score)}   beside S_Behav {_text(behaviour.score)}")
    say(SAYS)
    return 0


def _number(value: object) -> float | None:
    return None if value is None else round(float(value), 6)  # type: ignore[arg-type]


def _text(value: object) -> str:
    return "NA" if value is None else f"{float(value):.3f}"  # type: ignore[arg-type]
