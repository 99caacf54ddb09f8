"""`audit judge`: the deterministic judge of a run's episodes beside model judges and labels."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from verifier.cli.options import json_option, load_predicates, predicates_option

if TYPE_CHECKING:
    from verifier.judges import JudgeColumn


@click.command("judge")
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--judge", "judges", type=click.Path(path_type=Path), multiple=True, metavar="DIR",
              help="Frozen outputs of a model judge (audit collect --judge): a folder, or the name of shipped ones; "
              "may be given many times.")
@click.option("--labels", type=click.Path(path_type=Path), default=None, metavar="FILE",
              help="Labels of the episodes, one JSON line each.")
@predicates_option
@json_option
def command(
    run: Path, judges: tuple[Path, ...], labels: Path | None, predicate_files: tuple[Path, ...], as_json: bool
) -> int:
    """Lay the judgements of a sealed RUN beside model judges and labels.

    Prints quadratic weighted kappa by dimension, the correlation of the content scores between judges and prompt
    variants, and that of the scores with the length of the advisor's words. A model judge changes no verdict.

    \b
    Exit codes: 0 compared; 2 wrong usage; 3 a run, judge or file of labels that cannot be used.
    """
    from scenarios.load import resolve
    from verifier.cli.output import print_json
    from verifier.judges import agreements, judged_column, load_judge_column, load_labels

    own, manifest, characters = judged_column(run, load_predicates(predicate_files))
    paths = [resolve(path, f"judges/{manifest.bank.id}") for path in judges]
    columns = [own, *(load_judge_column(path, manifest, sorted(own.scores)) for path in paths)]
    if labels is not None:
        columns.append(load_labels(labels))
    names = [column.name for column in columns]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise click.BadParameter(f"{twice[0]} is given twice", param_hint="--judge")
    pairs = list(agreements(columns))
    lengths = [(column.name, *_length(column, characters)) for column in columns]
    if as_json:
        print_json({
            "run": {"id": manifest.id, "digest": manifest.digest},
            "judges": [{"name": one.name, "model": one.model, "variant": one.variant, "episodes": len(one.scores),
                        "unreadable": one.unreadable, "missing": one.missing} for one in columns],
            "agreement": [{
                "left": one.left, "right": one.right, "kind": one.kind, "counts": one.counts,
                "kappa": {name: None if value is None else str(value) for name, value in one.kappa.items()},
                "content_r": None if one.content is None else one.content.printed(4),
                "rank_tau": None if one.ranks is None else one.ranks.printed(4),
            } for one in pairs],
            "length": [{"name": name, "r": r, "episodes": n} for name, r, n in lengths],
        })
        return 0
    _print(columns, pairs, lengths)
    return 0


def _length(column: "JudgeColumn", characters: Any) -> tuple[str | None, int]:
    from verifier.judges import length_correlation

    r, n = length_correlation(column, characters)
    return None if r is None else r.printed(2), n


def _print(columns: list["JudgeColumn"], pairs: list[Any], lengths: list[tuple[str, str | None, int]]) -> None:
    from scenarios.exact import round_half_up
    from verifier.cli.output import print_table, say
    from verifier.rubric import DIMENSIONS

    heads = [name.capitalize() for name in DIMENSIONS]
    print_table(
        ("Judge", "Variant", "Episodes", "Unreadable", "Missing", *heads),
        [[one.name, one.variant or "-", str(len(one.scores)), str(one.unreadable), str(one.missing),
          *(_mean(one, name) for name in DIMENSIONS)] for one in columns],
        title="Judges (mean scores of the episodes that they scored)", numbers_from=2,
    )
    if pairs:
        say()
        print_table(
            ("Judges", "Kind", *heads, "n", "r", "tau-b"),
            [[f"{one.left} / {one.right}", one.kind,
              *("-" if value is None else round_half_up(value, 2) for value in one.kappa.values()),
              _span(one.counts.values()), *("-" if one is None else one.printed(2) for one in (one.content, one.ranks))]
             for one in pairs],
            title="Agreement (quadratic weighted kappa; r of S_Content by episode, tau-b of the advisors' means)",
            numbers_from=2,
        )
    say()
    print_table(("Judge", "r", "n"), [[name, r or "-", str(n)] for name, r, n in lengths],
                title="Correlation of S_Content with the length of the advisor's words")


def _span(counts: Any) -> str:
    least, most = min(counts), max(counts)
    return str(most) if least == most else f"{least}-{most}"


def _mean(column: "JudgeColumn", name: str) -> str:
    from fractions import Fraction

    from scenarios.exact import round_half_up

    values = [scores[name] for scores in column.scores.values() if name in scores]
    return round_half_up(Fraction(sum(values), len(values)), 2) if values else "-"
