"""Tables 1, 2, 5, 6, 8, 10, 13, 15, 16 and 18 to 22 of seed paper 000 beside ours, table by table.

What follows from printed numbers is recomputed from them, exactly; what our system can do anew is done anew; what
rests on private data or on constants that the paper does not print is said not to be comparable, and not compared.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from replay.environments.fund_advice.population import load_population
from scenarios.errors import ScenarioError
from scenarios.exact import round_half_up
from scenarios.load import SHIPPED, load_answers, load_bank, resolve
from scenarios.sealed import load_contract
from scenarios.types import DailyContext
from verifier.contract import Judge
from verifier.impact.config import load_config
from verifier.impact.ranking import COMPONENTS, SCHEMES, ranking, spearman, tau, weighed
from verifier.impact.reading import open_rollout
from verifier.impact.report import FULL, Report, report
from verifier.impact.tables import points, printed
from verifier.rubric import Rubric, judge_verdict
from verifier.sweep import Row

SAMPLE = SHIPPED / "rollouts" / "sample-1"
NOT_RUN = "not run"

TABLE_1 = (("RiskIndex distribution", "0.87"), ("Buy elasticity", "0.72"), ("Sell elasticity", "0.79"),
           ("Dialogue realism & consistency", "0.97"))
OVERALL = "0.884"

TABLE_2 = {
    "w/o mental accounting": ("0.719", "-0.165"), "w/o sub-personalities": ("0.725", "-0.159"),
    "w/o stimulus filter": ("0.748", "-0.136"), "w/o long-term reflection": ("0.750", "-0.134"),
    "w/o text-grounded reasoning": ("0.750", "-0.134"), "w/o sub-personality discussion": ("0.752", "-0.132"),
    "w/o selective perception": ("0.759", "-0.125"),
}

TABLE_5 = {
    "Baseline-Neutral": ("60.99", "48.67", "15.37", "53.96"), "Baseline-Rule": ("60.49", "48.38", "20.84", "54.10"),
    "Personalized-Rule": ("64.85", "50.34", "56.28", "61.09"), "DeepSeek V4": ("64.09", "50.23", "80.98", "63.01"),
    "Claude Sonnet 4.6": ("64.08", "50.75", "76.69", "62.68"), "GPT-5": ("64.10", "50.43", "68.17", "61.77"),
    "Fin-R1": ("58.66", "51.13", "51.04", "56.39"), "FinGPT-MT": ("58.88", "50.83", "41.71", "55.55"),
}
"""S_I, S_B, S_Content and S_Total."""
TABLE_5_PARTS = {name: tuple(map(Fraction, printed_row[:3])) for name, printed_row in TABLE_5.items()}
RULES = {"Baseline-Neutral": "baseline-neutral", "Baseline-Rule": "baseline-rule",
         "Personalized-Rule": "personalized-rule"}
"""The policies that both have, by the paper's name and by ours."""
LLMS = ("DeepSeek V4", "Claude Sonnet 4.6", "GPT-5", "Fin-R1", "FinGPT-MT")

TABLE_6 = {
    "Baseline-Neutral": ("52.78", "49.74", "40.52"), "Baseline-Rule": ("53.75", "49.81", "40.72"),
    "Personalized-Rule": ("61.03", "51.54", "45.27"),
}
REGIMES = ("bear", "range", "bull")

TABLE_8 = {"conservative": ("363", "0.0504"), "balanced": ("3816", "0.5301"), "aggressive": ("3020", "0.4195")}

TABLE_10 = {
    "Full simulator": ("0.869", "0.716", "0.790", "0.968", "0.884", None),
    "w/o selective perception": ("0.700", "0.668", "0.750", "0.813", "0.759", "-0.125"),
    "w/o sub-pers. discussion": ("0.689", "0.680", "0.735", "0.803", "0.752", "-0.132"),
    "w/o long-term reflection": ("0.689", "0.672", "0.740", "0.801", "0.750", "-0.134"),
    "w/o text-grounded reasoning": ("0.687", "0.660", "0.745", "0.803", "0.750", "-0.134"),
    "w/o stimulus filter": ("0.689", "0.665", "0.728", "0.803", "0.748", "-0.135"),
    "w/o sub-personalities": ("0.730", "0.585", "0.620", "0.796", "0.725", "-0.159"),
    "w/o mental accounting": ("0.680", "0.600", "0.610", "0.802", "0.719", "-0.165"),
}
"""RiskIndex, buy and sell elasticity, dialogue, S_Realism and its drop."""

TABLE_15 = ("DeepSeek V4, Claude Sonnet 4.6", "1.00")
"""Top two and tau, alike in every scheme."""

TABLE_16 = {
    "S_I only": ("GPT-5", "0.14"), "S_B only": ("Fin-R1", "0.14"), "S_Content only": ("DeepSeek V4", "1.00"),
    "S_I + S_Content": ("DeepSeek V4", "1.00"), "Full S_Total": ("DeepSeek V4", "1.00"),
}

TABLE_18 = {
    "Setup": "client, session and env in `facts` of episodes.jsonl; regime in the trace",
    "Structured context": "`facts` of episodes.jsonl; the scenario's consultation",
    "Dialogue excerpt": "`turns` of episodes.jsonl with answers.jsonl, whole and in the language they were said in",
    "Advisor-side judge outputs": "`judgement` of verdicts.jsonl: compliance, accuracy, personalization, items",
    "User-side judge outputs": "`judgement` of verdicts.jsonl: logic, realism; in no score",
    "Executed outcome": "`action` of episodes.jsonl; the day line of days.jsonl",
    "Paired baseline comparison": "the same day line of no-advisor in the same run",
    "Audit takeaway": "the sentence of `audit export`, rendered from the findings",
}

DIMENSIONS = ("compliance", "accuracy", "personalization", "logic", "realism")
CARDS = {
    "13": (("calibration-a1", "careful", "122"), ("calibration-a2", "reckless", "000")),
    "19": (("case-c1", "careful", "12222"),),
    "21": (("case-c2", "reckless", "00022"),),
}
"""Scenario of the conduct bank, whose words are the paper's, and the printed scores in order of `DIMENSIONS`."""

C1_SOLD, C2_BOUGHT = 25_000 * 100, 8_000 * 100
"""Cents that change hands in the cases, tables 20 and 22."""


class Section(NamedTuple):
    """One table of the paper. comparable: what can be compared in it, and what cannot."""

    table: str
    title: str
    comparable: str
    rows: tuple[Row, ...]


def shijian(
    run: Path | None = None, trace: Path | None = None, contract: Path = Path("conduct-1")
) -> tuple[Section, ...]:
    """Return every table.

    Args:
        run: a finished rollout of our baselines; the shipped sample by default, and without one "not run".
        trace: that the run ran on; by default the shipped one of its digest.
        contract: that the conduct fixtures are judged by.

    Raises:
        SealError, ReplayError, ScenarioError: the run, its trace or the fixtures cannot be used.
    """
    ours = _ours(run, trace)
    return (
        _table_1(), _table_2(), _table_5(ours), _table_6(ours), _table_8(), _table_10(), *_judged(contract, ("13",)),
        _table_15(), _table_16(), _table_18(), *_judged(contract, ("19",)), _table_20(), *_judged(contract, ("21",)),
        _table_22(),
    )


def unexplained(sections: Iterable[Section]) -> list[str]:
    """Return the rows that differ without a reason beside them."""
    return [f"table {section.table}: {row.name}" for section in sections for row in section.rows
            if row.difference not in (None, "none") and row.reason is None]


# The simulator


def _table_1() -> Section:
    private = "rests on 7,199 private users"
    rows = [Row(name, value, NOT_RUN, None, private) for name, value in TABLE_1]
    half = Fraction(5, 1000)
    exact = _realism([Fraction(value) for _, value in TABLE_1])
    rows.append(_recomputed("Overall realism, from the four above", OVERALL, exact, half))
    return Section("1", "Simulator alignment", "The overall score follows from its parts. The parts are not "
                   "comparable: the targets are private. `audit calibrate` measures ours against targets that we "
                   "planted.", tuple(rows))


def _table_2() -> Section:
    rows = []
    for name, (score, drop) in TABLE_2.items():
        rows.append(_recomputed(f"{name}: drop", drop, Fraction(score) - Fraction(OVERALL), Fraction(0)))
    return Section("2", "Recalibrated ablations", "The drops follow from the scores. The scores are not comparable, "
                   "for the targets are private; `audit calibrate` recalibrates our seven ablations.", tuple(rows))


def _table_10() -> Section:
    """Each part has 3 decimals, so a weighted mean of them is known to half a thousandth, a difference to one."""
    half = Fraction(5, 10_000)
    full = _realism([Fraction(one) for one in TABLE_10["Full simulator"][:4] if one])
    rows = []
    for name, (*parts, score, drop) in TABLE_10.items():
        exact = _realism([Fraction(one) for one in parts if one])
        rows.append(_recomputed(f"{name}: S_R", str(score), exact, half))
        if drop is not None:
            reason = None
            if name == "w/o stimulus filter":
                reason = f"table 2 prints {TABLE_2[name][1]}, the difference of the rounded scores"
            rows.append(_recomputed(f"{name}: drop", drop, exact - full, 2 * half)._replace(reason=reason))
    return Section("10", "Ablations in detail", "S_R = 1/2 (4/10 RI + 3/10 buy + 3/10 sell) + 1/2 dialogue reproduces "
                   "every row within the rounding of its parts. The parts are not comparable.", tuple(rows))


def _realism(parts: Sequence[Fraction]) -> Fraction:
    """Return S_Realism of its four parts. Source: appendix J."""
    index, buy, sell, dialogue = parts
    return (Fraction(4, 10) * index + Fraction(3, 10) * (buy + sell) + dialogue) / 2


def _table_8() -> Section:
    population = load_population()
    rows = []
    for profile, (count, weight) in TABLE_8.items():
        found = {str(name): traits.count for name, traits in population.profiles.items()}[profile]
        rows.append(_equal(f"{profile}: users", count, str(found)))
        rows.append(_equal(f"{profile}: weight", weight, round_half_up(Fraction(found, sum(
            traits.count for traits in population.profiles.values())), 4)))
    return Section("8", "Profile weights", "Comparable: the counts are data of manifests/populations/shijian-27.json, "
                   "the weights their exact ratios.", tuple(rows))


# The advisors


def _ours(run: Path | None, trace: Path | None) -> Report | None:
    """Return the scores of our own rollout; with the short configuration where a regime is too short for the other."""
    if run is None and not SAMPLE.exists():
        return None
    rollout = open_rollout(run or SAMPLE, trace)
    config = load_config()
    if any(len(sessions) < config.retention_scored for sessions in rollout.slices.values()):
        config = load_config(Path("fund-advice-scores-short-1"))
    return report([rollout], config, resamples=0)


_UNITS = "the paper prints neither its units nor its centres, so none of its scores can be identified"


def _table_5(ours: Report | None) -> Section:
    half = Fraction(5, 1000)
    rows = []
    for name, (*_, total) in TABLE_5.items():
        exact = weighed({name: TABLE_5_PARTS[name]}, SCHEMES["Main balanced"])[name]
        rows.append(_recomputed(f"{name}: S_Total, from its components", total, exact, half))
    names = ("investment", "business", "content", "total")
    for name, own in RULES.items():
        part = None if ours is None else next((one.slices[FULL] for one in ours.advisors if one.advisor == own), None)
        scores = NOT_RUN if part is None else " ".join(points(part.estimate(score)) for score in names)
        rows.append(Row(f"{name}: S_I S_B S_Content S_Total", " ".join(TABLE_5[name]), scores, None,
                        "not comparable: units, minds and market differ"))
    rows.append(Row("our baselines, best first", " > ".join(ranking({
        name: Fraction(TABLE_5[name][3]) for name in RULES})), _order(ours), None, "as found, not tuned"))
    return Section("5", "Full horizon", f"The totals follow from (7/10, 2/10, 1/10). The components do not compare: "
                   f"{_UNITS}. {_said(ours)}", tuple(rows))


def _table_6(ours: Report | None) -> Section:
    rows = []
    for name, own in RULES.items():
        part = None if ours is None else next((one.slices for one in ours.advisors if one.advisor == own), None)
        for regime, published in zip(REGIMES, TABLE_6[name], strict=True):
            score = NOT_RUN if part is None else points(part[regime].estimate("total")) if regime in part else "-"
            rows.append(Row(f"{name}: {regime}", published, score, None,
                            "not comparable: units, minds and market differ"))
    return Section("6", "S_Total by regime", f"Nothing can be recomputed: components by regime are not printed. "
                   f"{_said(ours)}", tuple(rows))


def _order(ours: Report | None) -> str:
    if ours is None:
        return NOT_RUN
    known = {own: name for name, own in RULES.items()}
    return " > ".join(known.get(name, name) for name in ranking(ours.totals())) or "-"


def _said(ours: Report | None) -> str:
    if ours is None:
        return "Ours: name a finished rollout of our baselines with --run."
    return (f"Ours: rollout {ours.rollouts[0].id}, {ours.runs} run{'s' if ours.runs > 1 else ''} on trace "
            f"{ours.rollouts[0].trace.id}, scored by {ours.config.id}.")


def _table_15() -> Section:
    parts = {name: TABLE_5_PARTS[name] for name in LLMS}
    main = {name: Fraction(TABLE_5[name][3]) for name in LLMS}
    rows = []
    for scheme, weights in SCHEMES.items():
        found = weighed(parts, weights)
        rows.append(_equal(f"{scheme}: top two", TABLE_15[0], ", ".join(ranking(found)[:2])))
        rows.append(_equal(f"{scheme}: tau", TABLE_15[1], printed(tau(main, found))))
    rows.append(_equal("Graded compliance: tau", TABLE_15[1], printed(tau(main, main))))
    return Section("15", "Ranking under other weights", "Comparable: recomputed from table 5 among the five models. "
                   "Graded compliance is the main ranking there, for every policy of table 5 passes the gate.",
                   tuple(rows))


def _table_16() -> Section:
    everyone = {name: Fraction(TABLE_5[name][3]) for name in TABLE_5}
    main = {name: everyone[name] for name in LLMS}
    rows = []
    for component, (top, correlation) in TABLE_16.items():
        weights = COMPONENTS[component]
        found, wide = weighed({name: TABLE_5_PARTS[name] for name in LLMS}, weights), weighed(TABLE_5_PARTS, weights)
        own = printed(tau(main, found))
        reason = None
        if own != correlation:
            reason = (f"Spearman {printed(spearman(main, found))}; over all eight policies tau is "
                      f"{printed(tau(everyone, wide))}; the printed value does not follow from table 5")
        rows.append(_equal(f"{component}: top", top, ranking(found)[0]))
        rows.append(_equal(f"{component}: tau", correlation, own)._replace(reason=reason))
    return Section("16", "Ranking by component", "Comparable: recomputed from table 5 among the five models, as the "
                   "caption says. The two printed 0.14 do not follow.", tuple(rows))


# The cases


def _judged(contract: Path, tables: Iterable[str]) -> list[Section]:
    """Return the score cards: the paper's words, frozen in the conduct bank, judged anew by the rules."""
    titles = {"13": "Calibration examples", "19": "Score card of case C1", "21": "Score card of case C2"}
    bank = load_bank(SHIPPED / "conduct-1")
    judge = Judge(load_contract(resolve(contract, "contracts")))
    rubric = Rubric.of(judge.contract)
    sections = []
    for table in tables:
        rows = []
        for name, advisor, scores in CARDS[table]:
            scenario = bank.scenarios[name]
            answers = load_answers(SHIPPED / "answers" / "conduct-1" / advisor, bank)
            verdict = judge.bind(scenario).judge_run(1, answers.by_run[(name, 1)])
            judgement = None if rubric is None else judge_verdict(scenario, verdict, rubric)
            for dimension, score in zip(DIMENSIONS, scores, strict=False):
                own = "-" if judgement is None else str(judgement.scores[dimension])
                rows.append(_equal(f"{name}: {dimension}", score, own))
        sections.append(Section(table, titles[table], "Comparable: the same words and context, judged by rules instead "
                                "of a model.", tuple(rows)))
    return sections


def _table_18() -> Section:
    return Section("18", "Fields of a case", "A layout, not numbers: where each field lies in a finished rollout.",
                   tuple(Row(name, "printed", place, None, None) for name, place in TABLE_18.items()))


def _table_20() -> Section:
    nav, cash, ratio = _context("case-c1")
    after = ratio - Fraction(C1_SOLD, nav)
    rows = (
        _equal("position before", "0.65", round_half_up(ratio, 2)),
        _equal("position after selling 25,000", "0.525", round_half_up(after, 3)),
        _equal("cash after", "95000", round_half_up(Fraction(cash + C1_SOLD, 100), 0)),
        _equal("exposure, points less", "12.5", round_half_up(100 * (ratio - after), 1)),
    )
    return Section("20", "Outcome of case C1", "The arithmetic follows from the frozen context and the printed sale. "
                   "Which investor sells is not comparable: ours is another mind.", rows)


def _table_22() -> Section:
    nav, cash, ratio = _context("case-c2")
    after = ratio + Fraction(C2_BOUGHT, nav)
    rows = (
        _equal("position before", "0.90", round_half_up(ratio, 2)),
        _equal("position after all cash is put in", "1.00", round_half_up(after, 2)),
        _equal("cash after", "0", round_half_up(Fraction(cash - C2_BOUGHT, 100), 0)),
        _equal("exposure, points more", "10", round_half_up(100 * (after - ratio), 0)),
    )
    return Section("22", "Outcome of case C2", "As table 20, for the purchase.", rows)


def _context(name: str) -> tuple[int, int, Fraction]:
    """Return NAV and cash in cents and the position ratio of a frozen case."""
    consultation = load_bank(SHIPPED / "conduct-1").scenarios[name].consultation
    daily = DailyContext() if consultation is None else consultation.daily
    if daily.nav_cents is None or daily.cash_cents is None or daily.pos_ratio is None:
        raise ScenarioError(f"conduct-1/{name}", "states no NAV, cash or position", "restore the shipped bank")
    return daily.nav_cents, daily.cash_cents, daily.pos_ratio


def _equal(name: str, published: str, ours: str) -> Row:
    return Row(name, published, ours, "none" if published == ours else f"{ours} against {published}", None)


def _recomputed(name: str, published: str, exact: Fraction, half: Fraction) -> Row:
    """Return a row for what follows from printed numbers.

    Args:
        name: of the row.
        published: as printed.
        exact: the value from the printed parts.
        half: how far the rounding of the parts may move it; half a last digit of its own comes on top.
    """
    places = len(published.partition(".")[2])
    ours = round_half_up(exact, places)
    within = abs(exact - Fraction(published)) <= half + Fraction(1, 2 * 10**places)
    return Row(name, published, ours, "none" if within else f"{ours} against {published}", None)
