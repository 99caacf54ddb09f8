"""The paper's tables and figures beside ours, every number of ours made anew by the scorers.

Published values are printed as the paper prints them. A row without one says "ours only"; a row that
differs gives its reason. Source: seed paper 003, table 3, sections 3 and 4.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction

from scenarios.action import Action, Citation, Order
from scenarios.baseline.fit import fit_report
from scenarios.baseline.planner import funded
from scenarios.costs import split_and_whole_fee
from scenarios.exact import Ratio, round_half_up
from scenarios.load import SHIPPED, Answers, Bank, load_answers, load_bank, shipped_contract
from scenarios.sealed import load_contract
from verifier.bank import JudgedRun, recompute
from verifier.contract import Judge
from verifier.scores import Scores
from verifier.sweep import Row, run_sweep, sweep_rows

OURS_ONLY = "ours only: the paper prints no number"

TABLE_3 = {
    "contract": ("1.00", "0.92", "1.00", "0.00"),
    "agreement-split": ("0.58", "0.94", "1.00", "0.42"),
    "unstable-selector": ("0.95", "0.32", "0.13", "0.00"),
    "fact-hallucination": ("0.67", "0.92", "1.00", "0.33"),
    "cash-overrun": ("0.50", "0.68", "1.00", "0.42"),
}
"""Valid, Agree, Set S and Agr.-FP as printed in table 3."""

TAXONOMY = {
    "LIM02": ("cash overruns", "300"), "GRND01": ("ungrounded facts", "200"),
    "COST01": ("fee-worsening splits", "150"), "LIM01": ("recommendation-cap breaches", "150"),
    "COST02": ("below-floor orders", "100"),
}
"""Runs by code, as printed below table 3; malformed amounts are runs in state MALFORMED."""

CONTROLS: dict[str, dict[str, str]] = {
    "policy": {"S": "1.00", "S_w": "1.00"},
    "naive-diversifier": {"V": "0.00", "S": "1.00", "S_w": "0.93", "A": "1.00"},
    "under-deployer": {"S_w": "0.33"},
    "valid-but-disagreeing": {"V": "1.00", "S": "1.00", "A": "0.00"},
    "fact-hallucination": {}, "concentration-chaser": {}, "cash-overspender": {}, "always-hold": {},
}
"""What section 3 says of the controls; "invalid", "fully valid" and "zero agreement" are 0 or 1."""


def reproduce(name: str) -> tuple[Row, ...]:
    """Return the rows of one table or figure.

    Raises:
        KeyError: the name is not in `REPRODUCTIONS`.
    """
    return REPRODUCTIONS[name]()


def table3() -> tuple[Row, ...]:
    """Return table 3 and the taxonomy over the shipped bank and its five stressors."""
    scores, _ = _judge_shipped("bank-1", TABLE_3)
    rows = []
    for one in scores:
        ours = (one.validity_strict, one.agreement, one.stability, one.agreement_false_positive)
        for column, published, value in zip(("Valid", "Agree", "Set S", "Agr.-FP"), TABLE_3[one.id], ours, strict=True):
            rows.append(_share_row(f"{one.id} {column}", published, value))
    for code, (label, published) in TAXONOMY.items():
        rows.append(
            compare_row(f"{label} ({code})", published, str(sum(one.violations.get(code, 0) for one in scores)))
        )
    malformed = sum(one.states["MALFORMED"] for one in scores)
    rows.append(compare_row("malformed amounts (MALFORMED)", "30", str(malformed)))
    others = sorted({code for one in scores for code in one.violations} - set(TAXONOMY))
    rows.append(compare_row("other codes", "none", ", ".join(others) or "none"))
    rows.append(compare_row("advisor outputs", "3000", str(sum(one.runs for one in scores))))
    return tuple(rows)


def controls() -> tuple[Row, ...]:
    """Return V, S, S_w and A of the seven controls and of the eighth, three runs each."""
    scores, _ = _judge_shipped("controls-1", CONTROLS)
    rows = []
    for one in scores:
        published = CONTROLS[one.id]
        for column, value in (("V", one.validity_strict), ("S", one.stability), ("S_w", one.sizing_stability),
                              ("A", one.agreement)):
            rows.append(_share_row(f"{one.id} {column}", published.get(column), value))
        codes = ", ".join(one.violations) or "none"
        rows.append(compare_row(f"{one.id} codes", "COST01" if one.id == "naive-diversifier" else None, codes))
        if one.id == "always-hold":
            rows.append(_share_row(f"{one.id} deployed share", None, one.deployed_share))
    return tuple(rows)


def pilots() -> tuple[Row, ...]:
    """Return the three pilots: the trace of the split, the single order, and the contract advisor's runs."""
    scores, runs = _judge_shipped("pilots-1", ("contract",))
    bank = load_bank(SHIPPED / "pilots-1")
    scenario = bank.scenarios["pilot-sub-tranche"]
    name = funded(scenario)[0].instrument
    half = scenario.account.cash_cents // 2
    split = Action([Order(name, "buy", half), Order(name, "buy", half)])
    paid, whole = split_and_whole_fee(scenario, split, "buy")
    fee = scenario.fee(1)
    _, states, _ = Judge(load_contract(shipped_contract())).bind(scenario).decide(split)
    orders = {
        len(one.verdict.action.orders) for one in runs["contract"]
        if one.verdict.scenario == scenario.id and one.verdict.action is not None
    }
    amounts = {
        amount for one in runs["contract"] if one.verdict.scenario == scenario.id and one.verdict.action is not None
        for amount in one.verdict.action.buy_amounts
    }
    hallucinating = bank.scenarios["pilot-fact-hallucination"]
    cited = Action(funded(hallucinating), [Citation("NOT-IN-THE-SCENARIO")])
    grounded = Judge(load_contract(shipped_contract())).bind(hallucinating).decide(cited)[1]["GRND01"]
    report = fit_report(bank.scenarios["pilot-portfolio-fit"])
    return (
        compare_row("sub-tranche: cash", "$900", f"${scenario.account.cash_cents // 100}"),
        compare_row("sub-tranche: ceilings of two $450 orders", "2", str(Fraction(paid) / fee)),
        compare_row("sub-tranche: ceiling of one $900 order", "1", str(Fraction(whole) / fee)),
        compare_row("sub-tranche: the split is a fee-worsening split", "FAIL", states["COST01"]),
        compare_row("sub-tranche: orders of the valid answer", "1", ", ".join(map(str, sorted(orders)))),
        compare_row(
            "sub-tranche: amount of the valid answer", "$900", ", ".join(f"${amount // 100}" for amount in amounts)
        ),
        compare_row(
            "portfolio fit: an isolated rank would buy",
            "Platforms",
            _short(max(report, key=lambda one: one.score).theme),
        ),
        compare_row("portfolio fit: portfolio verification buys", "Industrial", _short(report[0].theme)),
        compare_row("fact hallucination: a cited id outside the scenario", "FAIL", grounded),
        _share_row("contract advisor over the three pilots: V", None, scores[0].validity_strict),
    )


def fit() -> tuple[Row, ...]:
    """Return the portfolio-fit case of section 4: score, theme weight before and projected, role."""
    published = {
        "Platforms": ("90", "23.0", "30.7", "concentration watch"), "Industrial": ("84", "0.0", "10.0", "diversifier"),
        "Healthcare": ("82", None, "14.5", "reinforcement"),
    }
    bank = load_bank(SHIPPED / "pilots-1")
    rows = []
    for rank, one in enumerate(fit_report(bank.scenarios["pilot-portfolio-fit"]), 1):
        theme = _short(one.theme)
        said = published[theme]
        rows += [
            compare_row(f"{theme}: score", said[0], round_half_up(one.score, 0)),
            compare_row(f"{theme}: theme weight before, %", said[1], _percent(one.before)),
            compare_row(f"{theme}: projected theme weight, %", said[2], _percent(one.projected)),
            compare_row(f"{theme}: role", said[3], one.role),
            compare_row(f"{theme}: rank by fit", "1" if theme == "Industrial" else None, str(rank)),
        ]
    return tuple(rows)


def sweep() -> tuple[Row, ...]:
    """Return the cash sweep of section 4, the integer program asked at the edges and every fifty dollars."""
    return sweep_rows(run_sweep())


REPRODUCTIONS: dict[str, Callable[[], tuple[Row, ...]]] = {
    "controls": controls, "fit": fit, "pilots": pilots, "sweep": sweep, "table3": table3,
}


def compare_row(name: str, published: str | None, ours: str, reason: str | None = None) -> Row:
    """Return a row; the difference is "none" where both print alike."""
    if published is None:
        return Row(name, None, ours, None, reason or OURS_ONLY)
    return Row(name, published, ours, "none" if published == ours else f"{ours} against {published}", reason)


def _share_row(name: str, published: str | None, value: Fraction | None) -> Row:
    return compare_row(name, published, "-" if value is None else round_half_up(value, 2))


def _short(theme: str | None) -> str:
    """Return the paper's name of a theme: the bank's "Industrial Automation" is its "Industrial"."""
    return str(theme).split()[0]


def _percent(share: Fraction | Ratio) -> str:
    exact = Fraction(share.numerator, share.denominator)
    return round_half_up(exact * 100, 1)


def _judge_shipped(
    bank_name: str, names: Iterable[str]
) -> tuple[tuple[Scores, ...], dict[str, list[JudgedRun]]]:
    bank: Bank = load_bank(SHIPPED / bank_name)
    advisors: list[Answers] = [load_answers(SHIPPED / "answers" / bank_name / name, bank) for name in names]
    judged = recompute(Judge(load_contract(shipped_contract())), bank, advisors)
    return judged.scores, judged.runs
