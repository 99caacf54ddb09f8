"""How an advisor did over its planned runs: validity, stability, agreement, and why runs failed.

Scorers read finished runs only, so yesterday's run can be scored today. Every score is an exact
rational, None where it is undefined; it is rounded when it is printed. `docs/scores.md` has each formula.
Source: seed paper 003, section 3 (validity, stability, sizing stability, agreement, Agr.-FP).
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, lcm
from typing import TYPE_CHECKING, Any, NamedTuple

from scenarios.action import Action, Amount
from scenarios.errors import ScenarioError
from scenarios.exact import round_half_up
from verifier.intervals import clopper_pearson
from verifier.verdict import COUNTS_AS_VALID, STATES, UNREADABLE, Verdict

if TYPE_CHECKING:
    from verifier.conduct import Conduct

CAUSES = ("unreadable", "computation", "grounding", "mixed", "judgement")
"""Why a run does not count as valid; each failed run has exactly one cause."""

SALES = frozenset({"UNIV04", "UNIV05"})
"""Clauses that read sales: re-sizing what is bought mends none of them."""

CASH = ""
"""Where the weight of a hold lies. No instrument has this name."""

EXACT_BITS = 256
"""A longer denominator is written as a rounded decimal: sizes an advisor makes up can need thousands of digits."""

Names = frozenset[str]
Buys = tuple[tuple[str, Amount], ...]
ResizedIsValid = Callable[[str, Names], bool]


class Yardstick(NamedTuple):
    """What the scorers need to know of a scenario; the caller recomputes it from the frozen scenario.

    funded: the names that the baseline funds, None where the scenario names no baseline. bound_cents: the most that
    can be deployed, in cents. amounts_required: whether the scenario asks for amounts; sizes are scored only where it
    does.
    """

    funded: Names | None
    bound_cents: int
    amounts_required: bool


class RunView(NamedTuple):
    """What the scorers read of one run.

    failed: codes of the clauses that FAIL. buys: (instrument, cents), each instrument once, in name
    order; 0 cents where the answer gives no size.
    """

    scenario: str
    run: int
    state: str
    failed: tuple[str, ...] = ()
    buys: Buys = ()

    @classmethod
    def of(cls, verdict: Verdict) -> "RunView":
        """Return the view of a verdict."""
        return cls(verdict.scenario, verdict.run, verdict.state, verdict.failed, _buys_of(verdict.action))

    @classmethod
    def stored(cls, record: Mapping[str, Any], action: Action | None) -> "RunView":
        """Return the view of a stored verdict record and the action parsed from its answer."""
        failed = tuple(code for code, state in record["clauses"].items() if state == "FAIL")
        return cls(record["scenario"], record["run"], record["state"], failed, _buys_of(action))

    @property
    def valid(self) -> bool:
        """Whether the run counts as valid."""
        return self.state in COUNTS_AS_VALID

    @property
    def names(self) -> Names | None:
        """The instruments that the run buys, r_j; None where the run is unreadable."""
        return None if self.state in UNREADABLE else frozenset(name for name, _ in self.buys)

    @property
    def sizes(self) -> Buys | None:
        """The buys with their cents; None where the run is unreadable or a size cannot be told in cents.

        That is so for an order in shares of a name whose price is not frozen, which UNIV01 refuses.
        """
        return None if self.names is None or not all(cents for _, cents in self.buys) else self.buys


class Scores(NamedTuple):
    """The scores of one advisor over its planned runs; shares lie in [0, 1], None where undefined.

    runs: planned runs. states, violations, causes: runs by state, failing code and cause.
    co_occurrence: runs that carry both codes of a pair, by "CODE+CODE". deployed_share may pass 1 only
    where sales fund buys, which the bound leaves out. pass_k: share of scenarios with every run valid.
    conduct: over the judged episodes, None where there are none.
    """

    id: str
    scenarios: int
    runs: int
    states: dict[str, int]
    stability: Fraction | None
    sizing_stability: Fraction | None
    agreement: Fraction | None
    agreement_false_positive: Fraction | None
    deployed_share: Fraction | None
    pass_k: Fraction
    violations: dict[str, int]
    co_occurrence: dict[str, int]
    causes: dict[str, int]
    conduct: "Conduct | None" = None

    @property
    def valid(self) -> int:
        """Runs that count as valid: ADMISSIBLE or ABSTAINED."""
        return sum(self.states[state] for state in COUNTS_AS_VALID)

    @property
    def answered(self) -> int:
        """Runs that could be read: the valid ones and INADMISSIBLE."""
        return self.runs - sum(self.states[state] for state in UNREADABLE)

    @property
    def validity_strict(self) -> Fraction:
        """Share of the planned runs that count as valid."""
        return Fraction(self.valid, self.runs)

    @property
    def validity_answered(self) -> Fraction | None:
        """Share of the readable runs that count as valid; None where no run could be read."""
        return Fraction(self.valid, self.answered) if self.answered else None

    @property
    def abstention_rate(self) -> Fraction:
        """Share of the planned runs in state ABSTAINED."""
        return Fraction(self.states["ABSTAINED"], self.runs)

    def _measures(self) -> dict[str, Fraction | None]:
        return {
            "stability": self.stability, "sizing_stability": self.sizing_stability, "agreement": self.agreement,
            "agreement_false_positive": self.agreement_false_positive, "abstention_rate": self.abstention_rate,
            "deployed_share": self.deployed_share, "pass_k": self.pass_k,
        }

    def record(self) -> dict[str, Any]:
        """Return the scores as they are stored: strings and integers, each share exact and as printed."""
        return {
            "id": self.id, "scenarios": self.scenarios, "runs": self.runs, "states": self.states,
            "validity": {
                "strict": _bounded_record(self.valid, self.runs),
                "answered": _bounded_record(self.valid, self.answered),
            },
            **{name: _share_record(value) for name, value in self._measures().items()},
            "violations": self.violations, "co_occurrence": self.co_occurrence, "causes": self.causes,
            **({} if self.conduct is None else {"conduct": self.conduct.record()}),
        }

    def summary(self) -> dict[str, Any]:
        """Return the scores for `audit bank --json`: numbers with 4 decimals, for reading, never hashed.

        low and high bound the strict validity.
        """
        low, high = clopper_pearson(self.valid, self.runs) or (None, None)
        return {
            "id": self.id, "runs": self.runs, "states": self.states,
            "validity": {
                "strict": _number(self.validity_strict), "answered": _number(self.validity_answered),
                "low": _number(low), "high": _number(high),
            },
            **{name: _number(value) for name, value in self._measures().items()},
            "violations": self.violations, "causes": self.causes,
            **({} if self.conduct is None else {"conduct": self.conduct.record()}),
        }


def score(
    advisor: str, runs: Iterable[RunView], yardsticks: Mapping[str, Yardstick], resized_is_valid: ResizedIsValid
) -> Scores:
    """Return the scores of one advisor.

    Args:
        advisor: its id.
        runs: every planned run, those without an answer as ERROR; run 1 to n of each scenario.
        yardsticks: by scenario id.
        resized_is_valid: whether the planner's orders in these names of this scenario satisfy the contract.

    Raises:
        ScenarioError: no runs, a run that stands twice or is left out, an unknown state, a scenario
            without a yardstick.
    """
    planned = _by_scenario(advisor, runs)
    everything = [run for lane in planned.values() for run in lane]
    agreed, false_positives, comparable = Fraction(0), 0, 0
    set_overlaps: list[Fraction | None] = []
    size_overlaps: list[Fraction | None] = []
    deployed: Amount = 0
    bound = 0
    for scenario, lane in planned.items():
        if scenario not in yardsticks:
            raise ScenarioError(f"{advisor}, {scenario}", "no yardstick", "score answers against the bank they are for")
        funded, bound_cents, amounts_required = yardsticks[scenario]
        names = [run.names for run in lane]
        if funded is not None:
            agreements = [agreement(bought, funded) for bought in names]
            comparable += len(lane)
            agreed += sum(agreements)
            false_positives += sum(share == 1 and not run.valid for run, share in zip(lane, agreements, strict=True))
        set_overlaps.append(mean_set_overlap(names))
        if amounts_required:
            size_overlaps.append(mean_size_overlap([run.sizes for run in lane]))
            deployed += sum(cents for run in lane if run.valid for _, cents in run.buys)
            bound += bound_cents * len(lane)
    states = Counter(run.state for run in everything)
    codes = [sorted(run.failed) for run in everything if run.failed]
    causes = _count_causes(everything, resized_is_valid)
    return Scores(
        id=advisor,
        scenarios=len(planned),
        runs=len(everything),
        states={state: states[state] for state in STATES},
        stability=_mean(set_overlaps),
        sizing_stability=_mean(size_overlaps),
        agreement=agreed / comparable if comparable else None,
        agreement_false_positive=Fraction(false_positives, comparable) if comparable else None,
        deployed_share=Fraction(deployed) / bound if bound else None,
        pass_k=Fraction(sum(all(run.valid for run in lane) for lane in planned.values()), len(planned)),
        violations=_in_order(Counter(code for carried in codes for code in carried)),
        co_occurrence=_in_order(Counter("+".join(pair) for carried in codes for pair in combinations(carried, 2))),
        causes={cause: causes[cause] for cause in CAUSES},
    )


def agreement(bought: Names | None, funded: Names) -> Fraction:
    """Return A_j = |r_j & b| / k of one run, k = |b|.

    For k = 0 a readable run that buys nothing agrees fully and any other not at all; an unreadable run
    (None) agrees with nothing.
    """
    if bought is None:
        return Fraction(0)
    return Fraction(len(bought & funded), len(funded)) if funded else Fraction(not bought)


def mean_set_overlap(bought: Sequence[Names | None]) -> Fraction | None:
    """Return S of one scenario: the mean Jaccard overlap over its pairs of runs, None with fewer than two.

    J(r, r') = |r & r'| / |r | r'|; two holds overlap 1, a hold and a buy 0, an unreadable run (None) and
    anything 0. Equal runs are counted once, so the cost grows with the different ones.
    """
    if len(bought) < 2:
        return None
    alike = Counter(names for names in bought if names is not None)
    same = sum(comb(times, 2) for times in alike.values())
    common_by_union: Counter[int] = Counter()
    for (names, times), (others, other_times) in combinations(alike.items(), 2):
        common = len(names & others)
        common_by_union[len(names) + len(others) - common] += common * times * other_times
    total = sum((Fraction(common, union) for union, common in common_by_union.items()), Fraction(same))
    return total / comb(len(bought), 2)


def mean_size_overlap(buys: Sequence[Buys | None]) -> Fraction | None:
    """Return S_w of one scenario: 1 less the mean total variation over its pairs, None with fewer than two.

    w_j are run j's buys as shares of their total; a hold is a point mass on cash. 1 - TV(w, w') is the sum
    of min(w_i, w'_i) over instruments, and the weight of rank i from the top (counted from 0) is the
    smaller one in i pairs, so no pair is formed. An unreadable or unsized run (None) has no weight
    anywhere: it overlaps 0 with everything.
    """
    if len(buys) < 2:
        return None
    weights: defaultdict[str, list[Fraction]] = defaultdict(list)
    for run, times in Counter(run for run in buys if run is not None).items():
        held = run or ((CASH, 1),)
        total = Fraction(sum(cents for _, cents in held))
        for name, cents in held:
            weights[name] += [cents / total] * times
    unit = lcm(*(weight.denominator for column in weights.values() for weight in column))
    common = 0
    for column in weights.values():
        whole = sorted((weight.numerator * (unit // weight.denominator) for weight in column), reverse=True)
        common += sum(rank * weight for rank, weight in enumerate(whole))
    return Fraction(common, unit * comb(len(buys), 2))


def cause(run: RunView, resized_is_valid: ResizedIsValid) -> str | None:
    """Return why a run does not count as valid, None where it does.

    unreadable: no action to judge. grounding: only GRND codes fail. Else, where the planner's orders in the
    same names are valid: mixed if a GRND code fails as well, computation if none does. Else judgement.
    """
    if run.valid:
        return None
    names = run.names
    if names is None:
        return "unreadable"
    grounding = [code.startswith("GRND") for code in run.failed]
    if grounding and all(grounding):
        return "grounding"
    if SALES & set(run.failed) or not resized_is_valid(run.scenario, names):
        return "judgement"
    return "mixed" if any(grounding) else "computation"


def restrict(runs: Iterable[RunView], scenario_ids: Iterable[str]) -> list[RunView]:
    """Return the runs of these scenarios, so that advisors with different plans can stand side by side."""
    kept = frozenset(scenario_ids)
    return [run for run in runs if run.scenario in kept]


def common_scenarios(advisors: Iterable[Iterable[RunView]]) -> list[str]:
    """Return the ids of the scenarios that every advisor has runs of, sorted; none without advisors."""
    sets = [{run.scenario for run in runs} for runs in advisors]
    return sorted(set.intersection(*sets)) if sets else []


COLUMNS = ("Advisor", "Valid", "Agree", "Set S", "Agr.-FP", "S_w", "Answered", "Abst.", "Deployed", "pass^k")
"""The head of the score table: the paper's four columns, then ours. Source: seed paper 003, table 3."""


def score_table(scores: Iterable[Scores]) -> list[tuple[str, ...]]:
    """Return the rows below `COLUMNS`, each value with 2 decimals, half up, "-" where undefined."""
    return [
        (
            row.id,
            *("-" if value is None else round_half_up(value, 2) for value in (
                row.validity_strict, row.agreement, row.stability, row.agreement_false_positive,
                row.sizing_stability, row.validity_answered, row.abstention_rate, row.deployed_share, row.pass_k,
            )),
        )
        for row in scores
    ]


def _buys_of(action: Action | None) -> Buys:
    if action is None:
        return ()
    names = {order.instrument for order in action.orders if order.side == "buy"}
    return tuple((name, action.bought_of.get(name, 0)) for name in sorted(names))


def _by_scenario(advisor: str, runs: Iterable[RunView]) -> dict[str, list[RunView]]:
    planned: defaultdict[str, list[RunView]] = defaultdict(list)
    for run in runs:
        if run.state not in STATES:
            raise ScenarioError(
                f"{advisor}, {run.scenario} run {run.run}", f"unknown state {run.state!r}",
                f"use one of {', '.join(STATES)}",
            )
        planned[run.scenario].append(run)
    if not planned:
        raise ScenarioError(advisor, "no runs to score", "an empty suite never passes; name scenarios that it answered")
    each = max(map(len, planned.values()))
    for scenario, lane in planned.items():
        numbers = sorted(run.run for run in lane)
        if numbers != list(range(1, each + 1)):
            raise ScenarioError(
                f"{advisor}, {scenario}", f"has the runs {numbers}, expected each of 1 to {each} once",
                "give a planned run without an answer as ERROR, and none twice",
            )
    return planned


def _count_causes(runs: Iterable[RunView], resized_is_valid: ResizedIsValid) -> Counter[str]:
    known: dict[tuple[str, Names], bool] = {}

    def ask_once(scenario: str, names: Names) -> bool:
        key = (scenario, names)
        if key not in known:
            known[key] = resized_is_valid(scenario, names)
        return known[key]

    return Counter(found for run in runs if (found := cause(run, ask_once)) is not None)


def _mean(values: Sequence[Fraction | None]) -> Fraction | None:
    defined = [value for value in values if value is not None]
    return sum(defined, Fraction(0)) / len(defined) if defined else None


def _in_order(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items()))


def _share_record(value: Fraction | None) -> dict[str, str] | None:
    if value is None:
        return None
    short = value.denominator.bit_length() <= EXACT_BITS
    return {"exact": str(value) if short else f"~{round_half_up(value, 12)}", "printed": round_half_up(value, 2)}


def _bounded_record(successes: int, trials: int) -> dict[str, str] | None:
    bounds = clopper_pearson(successes, trials)
    share = _share_record(Fraction(successes, trials)) if trials else None
    if bounds is None or share is None:
        return None
    return {**share, "low": round_half_up(bounds[0], 4), "high": round_half_up(bounds[1], 4)}


def _number(value: Fraction | None) -> float | None:
    return None if value is None else float(round_half_up(value, 4))
