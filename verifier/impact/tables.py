"""The report as tables of text, in the layout of the paper's tables 5, 6, 15 and 16, and as one JSON record.

Every printed number is the float's exact value rounded half away from zero; "-" stands where there is none.
"""

from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from scenarios.exact import round_half_up
from verifier.impact.ranking import COMPONENTS, SCHEMES, Values, ranking, spearman, tau, weighed
from verifier.impact.report import FULL, Estimate, Report, Scored, difference, sensitivity
from verifier.impact.scores import Impact
from verifier.kappa import Correlation

SCORE_PLACES, MEASURE_PLACES = 4, 10
"""Decimals in the JSON record."""


class Table(NamedTuple):
    """One table: the first `labels` columns are text. note: printed below it."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    labels: int = 1


def tables(found: Report, moved: bool = False) -> tuple[Table, ...]:
    """Return every table of a report; moved: the sensitivity to each unit too."""
    sections = [overall(found), components(found), by_regime(found), consultations(found), measures(found),
                over_investors(found), paired(found), schemes(found), views(found)]
    if moved:
        sections.append(units(found))
    return tuple(section for section in sections if section.rows)


def overall(found: Report) -> Table:
    """Return table 5's layout: the three scores, the total with its interval over runs, the gate."""
    rows = []
    for one in found.advisors:
        full = one.slices[FULL]
        total = full.estimate("total")
        rows.append((
            one.advisor, *(points(full.estimate(name)) for name in ("investment", "business", "content")),
            points(total), _bounds(total, found), _gate(one), points(full.estimate("graded")),
        ))
    return Table(
        "Full horizon", ("Policy", "S_I", "S_B", "S_Content", "S_Total", "over runs", "C", "Graded"), tuple(rows),
        f"Means over {found.runs} matched runs against {found.baseline}. C: 0 disqualifies, and S_Total is 0."
        + _coverage(found),
    )


def components(found: Report) -> Table:
    """Return what the three scores are made of."""
    names = ("returns", "risk", "influence", "retention", "aum")
    rows = []
    for one in found.advisors:
        full = one.slices[FULL]
        rows.append((one.advisor, *(points(full.estimate(name)) for name in names),
                     *(_number(full.measured(name), 2) for name in ("accuracy", "personalization"))))
    return Table("Components", ("Policy", "S_Ret", "S_Risk", "S_Influence", "S_Retention", "S_AUM", "S_Acc", "S_Pers"),
                 tuple(rows), "No effect scores 50 in return, risk, retention and AUM, and 0 in influence.")


def by_regime(found: Report) -> Table:
    """Return table 6's layout: S_Total within each regime."""
    names = [name for name in found.slices if name != FULL]
    rows = tuple(
        (one.advisor, *(points(one.slices[name].estimate("total")) for name in names)) for one in found.advisors
    )
    short = [name for name in names if len(found.slices[name]) < found.config.retention_scored]
    note = ""
    if short:
        note = f"{', '.join(short)}: shorter than the {found.config.retention_scored} sessions of S_Retention, so " \
               "there is no total (not 0)."
    return Table("S_Total by regime", ("Policy", *names), rows if names else (), note)


def consultations(found: Report) -> Table:
    """Return how often each advisor was consulted, and what its words were, over all runs."""
    rows = []
    for one in found.advisors:
        runs = one.slices[FULL].measures
        rows.append((one.advisor, *(
            str(sum(getattr(each, name) for each in runs)) for name in ("episodes", "silent", "redlines", "admissible")
        ), _range([each.means["match_direction"].investors for each in runs])))
    return Table("Consultations", ("Policy", "Asked", "Silent", "Redlines", "Admissible", "Investors"), tuple(rows),
                 "Admissible: no clause failed, suitability and orders included. Investors: who asked, by run.")


def _range(counts: list[int]) -> str:
    return str(counts[0]) if len(set(counts)) == 1 else f"{min(counts)} to {max(counts)}"


LABELS = {
    "return": ("mean daily return, bp", 10_000, "63, flow-adjusted"),
    "return_literal": ("- literal", 10_000, "62, money paid in is profit"),
    "mdd": ("maximum drawdown, %", 100, "67, on the chained index"),
    "mdd_literal": ("- literal", 100, "66, on NAV"),
    "match_direction": ("executed as advised, %", 100, "73, by direction"),
    "match_fund": ("- in a named fund", 100, "73"),
    "match_size": ("- and near the named size", 100, "73"),
    "match_literal": ("- literal", 100, "72, a hold never matches"),
    "satisfaction": ("satisfaction, %", 100, "74"),
    "retained_literal": ("- literal", 100, "78, no exit in the whole trace"),
    "deposits": ("net deposits, % of NAV", 100, "83"),
    "duration": ("money stays, sessions", 1, "85, with what is still there"),
    "duration_literal": ("- literal", 1, "84, closed pairs alone"),
    "accuracy": ("S_Acc", 1, "59"),
    "personalization": ("S_Pers", 1, "59"),
}
"""How each measure is printed: its name, the factor, its equation and what is peculiar to it."""


def measures(found: Report) -> Table:
    """Return every measure of the baseline and of each advisor over the whole horizon, the plain mean beside."""
    retained = {f"retained_{horizon}": (f"retained {horizon} sessions, %", 100, "79")
                for horizon in found.config.retention_horizons}
    first = found.advisors[0].slices[FULL]
    rows = []
    for name in first.measures[0].means:
        label, factor, equation = {**retained, **LABELS}[name]
        cells = [_both(first.measured(name, base=True), first.measured(name, base=True, plain=True), factor)]
        for one in found.advisors:
            full = one.slices[FULL]
            cells.append(_both(full.measured(name), full.measured(name, plain=True), factor))
        rows.append((label, equation, *cells))
    head = ("Measure", "Equation", found.baseline, *(one.advisor for one in found.advisors))
    return Table("Measures", head, tuple(rows), "Weighed by profile; in brackets the plain mean.", 2)


def _both(weighed_mean: float | None, plain: float | None, factor: int) -> str:
    if weighed_mean is None or plain is None:
        return "-"
    return f"{_number(weighed_mean * factor, 3)} ({_number(plain * factor, 3)})"


def over_investors(found: Report) -> Table:
    """Return the bootstrap bounds over investors."""
    names = ("investment", "business", "content", "total")
    rows = []
    for one in found.advisors:
        bounds = [one.investors.get(name) for name in names]
        if any(bounds):
            rows.append((one.advisor, *("-" if pair is None else f"{_number(pair[0], 2)} to {_number(pair[1], 2)}"
                                        for pair in bounds)))
    return Table("95 % over investors", ("Policy", "S_I", "S_B", "S_Content", "S_Total"), tuple(rows),
                 "Percentile bootstrap: investors drawn again within their profile, alike in both arms and all runs.")


def paired(found: Report) -> Table:
    """Return the difference of each advisor to the next in rank, over the differences of their runs."""
    by_name = {one.advisor: one for one in found.advisors}
    order = ranking(found.totals())
    rows = []
    for better, worse in pairwise(order):
        estimate = difference(by_name[better].slices[FULL], by_name[worse].slices[FULL])
        rows.append((f"{better} - {worse}", points(estimate), _bounds(estimate, found)))
    return Table("Paired differences of S_Total", ("Policies", "Mean", "over runs"), tuple(rows))


def schemes(found: Report) -> Table:
    """Return table 15's layout: the ranking under other weights, and its agreement with the main one."""
    parts = found.parts()
    if len(parts) < 2:
        return Table("Ranking under other weights", (), ())
    main = weighed(parts, SCHEMES["Main balanced"])
    rows = [(name, "(" + ", ".join(map(str, weights)) + ")", " > ".join(ranking(weighed(parts, weights))),
             printed(tau(main, weighed(parts, weights)))) for name, weights in SCHEMES.items()]
    graded, total = found.totals("graded"), found.totals()
    rows.append(("Graded compliance", "-", " > ".join(ranking(graded)), printed(_common(tau, total, graded))))
    return Table("Ranking under other weights", ("Scheme", "Weights", "Ranking", "tau-b"), tuple(rows),
                 "Advisors that pass the gate; graded compliance ranks all of them.", 3)


def views(found: Report) -> Table:
    """Return table 16's layout: the ranking by each component."""
    parts = found.parts()
    if len(parts) < 2:
        return Table("Ranking by component", (), ())
    main = weighed(parts, COMPONENTS["Full S_Total"])
    rows = []
    for name, weights in COMPONENTS.items():
        own = weighed(parts, weights)
        rows.append((name, " > ".join(ranking(own)), printed(tau(main, own)), printed(spearman(main, own))))
    return Table("Ranking by component", ("Component", "Ranking", "tau-b", "Spearman"), tuple(rows), labels=2)


def units(found: Report) -> Table:
    """Return the totals and the ranking with each unit halved and doubled."""
    main = found.totals()
    rows = [
        (name, " > ".join(f"{advisor} {round_half_up(totals[advisor], 2)}" for advisor in ranking(totals)),
         printed(_common(tau, main, totals)))
        for name, totals in (("as configured", main), *sensitivity(found).items())
    ]
    return Table("Sensitivity to the units", ("Unit", "S_Total", "tau-b"), tuple(rows), labels=2)


def _common(measure: Any, left: Values, right: Values) -> Correlation | None:
    """Return a correlation over the advisors that both hold."""
    found: Correlation | None = measure(
        {name: value for name, value in left.items() if name in right},
        {name: value for name, value in right.items() if name in left},
    )
    return found


def record(found: Report, moved: bool = False) -> dict[str, Any]:
    """Return the report as it is stored: what it was made of by digest, every number as a decimal string."""
    rollouts = [{"id": one.id, "digest": one.digest} for one in found.rollouts]
    stored: dict[str, Any] = {
        "format": "impact/1", "rollouts": rollouts, "baseline": found.baseline, "runs": found.runs,
        "config": {"id": found.config.id, "digest": found.config.compute_digest()},
        "coverage_over_runs": str(found.coverage),
        "slices": {name: [sessions.start, sessions.stop - 1] for name, sessions in found.slices.items()},
        "advisors": [_advisor(one) for one in found.advisors],
        "tables": [
            {"title": table.title, "head": table.head, "rows": table.rows}
            for table in (paired(found), schemes(found), views(found), *([units(found)] if moved else ()))
        ],
    }
    return stored


def _advisor(one: Scored) -> dict[str, Any]:
    slices = {}
    for name, part in one.slices.items():
        first = part.measures[0]
        slices[name] = {
            "scores": {score: _estimate(part.estimate(score)) for score in Impact._fields},
            "by_run": [{score: _text(getattr(each, score), SCORE_PLACES) for score in Impact._fields}
                       for each in part.impacts],
            "measures": {
                measure: {
                    "advisor": _text(part.measured(measure), MEASURE_PLACES),
                    "baseline": _text(part.measured(measure, base=True), MEASURE_PLACES),
                    "plain": _text(part.measured(measure, plain=True), MEASURE_PLACES),
                    "investors": [each.means[measure].investors for each in part.measures],
                } for measure in first.means
            },
            "episodes": [each.episodes for each in part.measures],
            "silent": [each.silent for each in part.measures],
            "redlines": [each.redlines for each in part.measures],
            "admissible": [each.admissible for each in part.measures],
        }
    return {
        "id": one.advisor, "c": one.gate, "c_by_run": one.compliance, "slices": slices,
        "over_investors": {name: [_text(value, SCORE_PLACES) for value in pair]
                           for name, pair in one.investors.items()},
    }


def _estimate(value: Estimate | None) -> dict[str, str] | None:
    return None if value is None else {name: round_half_up(Fraction(number), SCORE_PLACES)
                                       for name, number in value._asdict().items()}


def points(value: Estimate | None) -> str:
    """Return a mean with two decimals."""
    return _number(None if value is None else value.mean, 2)


def printed(value: Correlation | None) -> str:
    """Return a correlation with two decimals, "-" where it is undefined."""
    return "-" if value is None else value.printed(2)


def _number(value: float | None, places: int) -> str:
    return "-" if value is None else round_half_up(Fraction(value), places)


def _text(value: float | None, places: int) -> str | None:
    return None if value is None else round_half_up(Fraction(value), places)


def _bounds(value: Estimate | None, found: Report) -> str:
    if value is None or found.runs < 2:
        return "-"
    return f"{_number(value.low, 2)} to {_number(value.high, 2)}"


def _coverage(found: Report) -> str:
    if found.runs < 2:
        return " One run has no interval."
    chance = round_half_up(100 * found.coverage, 2)
    return f" The interval over runs holds the median of a further run with {chance} %, whatever its distribution."


def _gate(one: Scored) -> str:
    """Return C, and the runs in which it is 0."""
    broken = [str(run) for run, passed in enumerate(one.compliance, 1) if not passed]
    return "1" if not broken else f"0 (run {', '.join(broken)})"
