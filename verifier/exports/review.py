"""One review of a sealed run: the records that every export is made from.

Nothing stored is believed here either: every file is compared with its seal, and verdicts, log and scores
are made anew from the inputs in the folder and compared byte for byte, so that an export never shows what a
replay would refuse. What a reader sees of a scenario stands once in its `Scene`, whatever the number of runs.
The fields of a case follow the audit schema. Source: seed paper 000, appendix P.1, table 18.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from predicates.findings import Finding as Found
from predicates.registry import Predicate
from scenarios.attestations import Attestation, Decision, Waiver, chain_head, load_attestations
from scenarios.baseline.planner import funded
from scenarios.errors import ReplayError, SealError
from scenarios.exact import Number, decimal_text, exact_json
from scenarios.files import parse_document
from scenarios.load import Answers, Bank, StoredAnswer
from scenarios.manifest import Contract
from scenarios.parsing import PARSERS
from scenarios.sealed import SealedFolder, join_lines
from scenarios.types import Scenario, Turn
from verifier.bank import JudgedRun, bind_all, judgement_bytes, recompute, scores_bytes, verdict_bytes
from verifier.contract import BoundContract, Judge
from verifier.explain import arithmetic, money
from verifier.exports.controls import Control, read_controls
from verifier.opening import open_run
from verifier.rubric import DIMENSIONS
from verifier.scores import Scores, agreement
from verifier.thresholds import Sheet, threshold_sheet
from verifier.verdict import STATES, UNREADABLE, Verdict

CLAUSE_STATES = ("FAIL", "ERROR", "WAIVED", "PASS", "NOT_APPLICABLE")
"""The states of a clause, what a reviewer looks at first."""

Fields = tuple[tuple[str, str], ...]
"""Names with their values, as they are printed; texts in them are data and not yet escaped."""


class Advisor(NamedTuple):
    """Who was judged. record: advisor.json. asked: scenarios in the plan. answers: the stored answers, every turn."""

    id: str
    digest: str
    name: str
    kind: str
    description: str
    record: dict[str, Any]
    asked: int
    answers: int
    scores: Scores


class Said(NamedTuple):
    """One answer of the advisor, untouched. turn: the turn of the dialogue that it answers, None outside an episode."""

    turn: int | None
    text: str
    truncated: bool
    finish_reason: str | None
    model: str | None
    timestamp: str | None


class Finding(NamedTuple):
    """One finding: its sentence, its arithmetic in words, and the record that both are rendered from.

    In a conduct finding, record["details"] carries start and end, in code points of the text at `where` in the
    action record, with text, rule and scope.
    """

    code: str
    kind: str
    where: str
    sentence: str
    arithmetic: str
    record: dict[str, Any]


class Scene(NamedTuple):
    """What is known of a scenario, once for all of its runs.

    setup: who is advised, when, in which market. context: the account, the day and the longer term, with units.
    holdings: what is held. dialogue: the turns as frozen. baseline: what the scenario's yardstick funds, None
    where it names none. absent: by code, the limit whose absence makes a clause NOT_APPLICABLE.
    """

    id: str
    category: str
    as_of: str
    setup: Fields
    context: Fields
    holdings: Fields
    dialogue: tuple[Turn, ...]
    baseline: tuple[str, ...] | None
    funded: frozenset[str] | None
    absent: dict[str, str]


class Case(NamedTuple):
    """One verdict with all that it rests on.

    number: its line in verdicts.jsonl, from 1. action: the action record, None where none could be read.
    outcome: each order in words. agreement: share of the baseline's names that it buys, None without a baseline.
    digests: SHA-256 of scenario, contract, answer, action. line: the stored verdict line.
    """

    number: int
    advisor: str
    scenario: str
    run: int
    category: str
    state: str
    clauses: dict[str, str]
    findings: tuple[Finding, ...]
    notes: tuple[tuple[str, str], ...]
    fault: tuple[str, str, str] | None
    action: dict[str, Any] | None
    outcome: tuple[str, ...]
    answers: tuple[Said, ...]
    digests: dict[str, str]
    agreement: Fraction | None
    scene: Scene
    line: bytes

    @property
    def key(self) -> str:
        """The case's name: advisor/scenario/run."""
        return f"{self.advisor}/{self.scenario}/{self.run}"

    @property
    def valid(self) -> bool:
        """Whether the run counts as valid."""
        return self.state in ("ADMISSIBLE", "ABSTAINED")

    def codes(self, state: str = "FAIL") -> tuple[str, ...]:
        """Return the codes of the clauses in this state, in code order."""
        return tuple(code for code, one in self.clauses.items() if one == state)

    @property
    def takeaway(self) -> str:
        """What the case shows, in one sentence."""
        return takeaway(self)


class Rule(NamedTuple):
    """One clause of the contract as the installed release reads it.

    text: its manual page. counts: runs by state; a run that could not be read has no clause states.
    """

    code: str
    name: str
    text: str
    version: int
    severity: str
    authority: str
    owner: str
    parameters: Fields
    effective_from: str | None
    effective_to: str | None
    source: str
    counts: dict[str, int]
    controls: tuple[Control, ...]

    @property
    def control_ids(self) -> tuple[str, ...]:
        """The firm's control ids."""
        return tuple(one.control_id for one in self.controls)


class Failure(NamedTuple):
    """How often an advisor failed a clause in a category of scenarios.

    code: of the clause; for runs that no action could be read from, their state. state: FAIL, ERROR or WAIVED
    of the clause, or the run's state. findings: how many places they name.
    """

    advisor: str
    code: str
    state: str
    category: str
    runs: int
    findings: int


class Review(NamedTuple):
    """A sealed run as its reviewer sees it.

    cases stand in log order; waivers, decisions and judgements are records; thresholds: None where none were asked for.
    """

    run_id: str
    digest: str
    attestations_digest: str | None
    release: str
    parser: str
    as_of: str
    bank: Bank
    contract: Contract
    contract_digest: str
    advisors: tuple[Advisor, ...]
    rules: tuple[Rule, ...]
    cases: tuple[Case, ...]
    failures: tuple[Failure, ...]
    scores: tuple[Scores, ...]
    waivers: tuple[dict[str, Any], ...] = ()
    decisions: tuple[dict[str, Any], ...] = ()
    judgements: tuple[dict[str, Any], ...] = ()
    thresholds: Sheet | None = None

    @property
    def digests(self) -> Fields:
        """What every page or sheet carries: the digest of the run's manifest and, where there are any, attestations."""
        said = (("Run manifest sha256", self.digest), ("Attestations sha256", self.attestations_digest or ""))
        return tuple(pair for pair in said if pair[1])

    @property
    def waiver_of(self) -> dict[tuple[str, str], dict[str, Any]]:
        """The last waiver by case and clause. Waived is not passed: whether one is in force is a matter of the day."""
        return {(waiver["case"], waiver["clause"]): waiver for waiver in self.waivers}

    @property
    def failures_by_code(self) -> dict[str, dict[str, int]]:
        """Runs by code and category, all advisors together, clauses that are not enforced left out."""
        table: dict[str, dict[str, int]] = {}
        for failure in self.failures:
            if failure.state != "WAIVED":
                row = table.setdefault(failure.code, {})
                row[failure.category] = row.get(failure.category, 0) + failure.runs
        return table


def load_review(
    run: Path, extra: Mapping[str, Predicate] | None = None, controls: Path | None = None, thresholds: bool = False
) -> Review:
    """Return the review of a sealed run.

    Args:
        run: the run's folder, or its manifest.
        extra: clauses from files, by code, that the contract names and that do not ship.
        controls: the firm's table of control ids (`verifier.exports.controls`).
        thresholds: whether every number of the contract is moved, and the verdicts that flip are counted.

    Raises:
        SealError: a file differs from its seal, or a stored record from what the inputs give.
        ReplayError: a file is missing or unreadable, or the parser is unknown here.
        ScenarioError: a clause is not at hand, or the table of controls does not fit.
    """
    opened = open_run(run, extra)
    manifest, bank, judge, answers = opened.manifest, opened.bank, opened.judge, opened.advisors
    if manifest.parser not in PARSERS:
        raise ReplayError(str(run), f"parser {manifest.parser!r} is unknown here", "use the release that wrote the run")
    table = {} if controls is None else read_controls(controls, judge.predicates)
    folder = SealedFolder(run)
    attestations = load_attestations(folder)
    judged = recompute(judge, bank, answers, manifest.parser)
    made = {"verdicts.jsonl": verdict_bytes(judged), "log.jsonl": join_lines(judged.log.lines),
            "scores.json": scores_bytes(judged.scores)}
    if judged.episodes:
        made["judgements.jsonl"] = judgement_bytes(judged)
    for name, fresh in made.items():
        if folder.read(name) != fresh:
            raise SealError(str(folder.folder / name), "is not what the inputs of the run give",
                            "find out where with `audit replay`")
    scenes = {name: scene_of(bound) for name, bound in bind_all(judge, bank).items()}
    cases = tuple(_cases(judge, scenes, answers, judged.runs))
    return Review(
        run_id=manifest.id, digest=str(manifest.digest), attestations_digest=chain_head(attestations),
        release=manifest.release, parser=manifest.parser,
        as_of=max(scenario.as_of for scenario in bank.scenarios.values()),
        bank=bank, contract=judge.contract, contract_digest=judge.digest,
        advisors=tuple(_advisor(one, scores) for one, scores in zip(answers, judged.scores, strict=True)),
        rules=tuple(rules_of(judge, clause_counts(cases), table)), cases=cases, failures=_failures(cases),
        scores=judged.scores,
        waivers=tuple(_attested(one) for one in attestations if isinstance(one.statement, Waiver)),
        decisions=tuple(_attested(one) for one in attestations if isinstance(one.statement, Decision)),
        judgements=tuple(_judgement(one.line) for one in judged.episodes),
        thresholds=threshold_sheet(judge, bank, answers, manifest.parser) if thresholds else None,
    )


def _judgement(line: bytes) -> dict[str, Any]:
    """Return a judgement as a flat record: the case, the five scores, and what limited them."""
    said = orjson.loads(line)
    case = f"{said['advisor']}/{said['scenario']}/{said['run']}"
    return {"case": case, **{name: said[name] for name in DIMENSIONS}, "limits": "; ".join(said["limits"])}


def _attested(one: Attestation) -> dict[str, Any]:
    """Return an attestation as a flat record, with its own digest; a waiver names its case as cases are named."""
    said = one.statement.record()
    case = {"case": str(one.statement.case)} if isinstance(one.statement, Waiver) else {}
    signed = {} if one.signature is None else {"public_key": one.signature.public_key}
    kept = {name: value for name, value in said.items() if name not in ("kind", "advisor", "scenario", "run")}
    return {"number": one.number, "by": one.by, "at": one.at, **case, **kept, "digest": one.digest(), **signed}


def _advisor(answers: Answers, scores: Scores) -> Advisor:
    record = parse_document(answers.files["advisor.json"], f"frozen_outputs/{answers.id}/advisor.json")
    name, kind, description = (str(record.get(member, "")) for member in ("name", "kind", "description"))
    return Advisor(answers.id, answers.digest, name or answers.id, kind, description, record,
                   len(answers.plan.scenarios), sum(map(len, answers.by_run.values())), scores)


def _cases(
    judge: Judge, scenes: Mapping[str, Scene], advisors: Sequence[Answers], runs: Mapping[str, Sequence[JudgedRun]]
) -> Iterator[Case]:
    number = 0
    for answers in advisors:
        for verdict, line in runs[answers.id]:
            number += 1
            stored = answers.by_run.get((verdict.scenario, verdict.run), ())
            yield case_of(judge, number, answers.id, scenes[verdict.scenario], stored, verdict, line)


def case_of(
    judge: Judge, number: int, advisor: str, scene: Scene, stored: Sequence[StoredAnswer], verdict: Verdict, line: bytes
) -> Case:
    """Return a verdict with all that it rests on; stored: the answers, one for each turn."""
    action = verdict.action
    return Case(
        number, advisor, verdict.scenario, verdict.run, scene.category, verdict.state, verdict.clauses,
        tuple(_finding(judge, finding) for finding in verdict.findings), verdict.notes, verdict.fault,
        None if action is None else action.record(), _outcome(verdict),
        tuple(Said(one.turn, one.text, one.truncated, one.finish_reason, one.model, one.timestamp)
              for one, _ in stored),
        verdict.digests, _agreement(verdict, scene), scene, line,
    )


def clause_counts(cases: Iterable[Case]) -> Counter[tuple[str, str]]:
    """Return how many cases have a clause, by its code, in a state."""
    return Counter((code, state) for case in cases for code, state in case.clauses.items())


def _finding(judge: Judge, finding: Found) -> Finding:
    shown = "" if finding.kind == "error" else arithmetic(finding)
    return Finding(finding.code, finding.kind, finding.where, judge.sentence(finding), shown, finding.record())


def _outcome(verdict: Verdict) -> tuple[str, ...]:
    if verdict.action is None:
        return ()
    return tuple(_order(*order[:4]) for order in verdict.action.orders)


def _order(instrument: str, side: str, amount: Number | None, shares: Number | None = None) -> str:
    size = "without a size" if amount is None else money(amount)
    return f"{side} {instrument} {size}" + ("" if shares is None else f" ({exact_json(shares)} shares)")


def _agreement(verdict: Verdict, scene: Scene) -> Fraction | None:
    if scene.funded is None:
        return None
    action = verdict.action
    return agreement(None if action is None else frozenset(action.bought_names), scene.funded)


def takeaway(case: Case) -> str:
    """Return what a case shows, in one sentence made of its states."""
    if case.fault is not None:
        return f"No action could be judged ({case.state}): at {case.fault[0]}, {case.fault[1]}."
    said = kept_or_broken(case)
    if not case.valid:
        then = "the advice must not be followed as it stands"
    else:
        then = "the orders may be executed as they stand" if case.outcome else "nothing is to be executed"
    agrees = "; it buys all that the baseline funds" if case.valid else ", although it buys all that the baseline funds"
    return f"The answer {said}: {then}{agrees if case.agreement == 1 else ''}."


def kept_or_broken(case: Case) -> str:
    """Return what an answer does to the clauses: "breaks COST01 and LIM02"."""
    broken = [before + " and ".join(case.codes(state)) + after for state, before, after in (
        ("FAIL", "breaks ", ""), ("ERROR", "leaves ", " undecided"), ("WAIVED", "breaks ", ", not enforced"),
    ) if case.codes(state)]
    return "; ".join(broken) or f"keeps all {len(case.codes('PASS'))} clauses that apply"


def rules_of(
    judge: Judge, counts: Mapping[tuple[str, str], int], controls: Mapping[str, tuple[Control, ...]]
) -> Iterator[Rule]:
    """Yield the clauses of a contract; counts: how many runs have a clause, by its code, in a state."""
    sources = judge.source_digests()
    for clause in sorted(judge.contract.clauses, key=lambda one: one.code):
        code = clause.code
        predicate = judge.predicates[code]
        parameters = tuple((name, _written(value)) for name, value in judge.parameters(code).items()
                           if name in predicate.parameters)
        yield Rule(
            code, predicate.name, predicate.page(), clause.version, clause.severity, clause.authority, clause.owner,
            parameters, clause.effective_from, clause.effective_to, sources[code],
            {state: counts.get((code, state), 0) for state in CLAUSE_STATES}, controls.get(code, ()),
        )


def _written(value: object) -> str:
    return "not set" if value is None else str(value)


def _failures(cases: Sequence[Case]) -> tuple[Failure, ...]:
    runs: Counter[tuple[str, str, str, str]] = Counter()
    places: Counter[tuple[str, str, str, str]] = Counter()
    for case in cases:
        if case.state in UNREADABLE and not case.clauses:
            runs[case.advisor, case.state, case.state, case.category] += 1
        for code, state in case.clauses.items():
            if state in ("FAIL", "ERROR", "WAIVED"):
                key = (case.advisor, code, state, case.category)
                runs[key] += 1
                places[key] += sum(found.code == code and found.kind != "note" for found in case.findings)
    rank = {state: place for place, state in enumerate((*STATES[:3], *CLAUSE_STATES))}
    order = {name: place for place, name in enumerate(dict.fromkeys(case.advisor for case in cases))}
    return tuple(
        Failure(*key, count, places[key])
        for key, count in sorted(runs.items(), key=lambda item: (order[item[0][0]], rank[item[0][2]], item[0]))
    )


# What a scenario shows


def scene_of(bound: BoundContract) -> Scene:
    """Return what a reader sees of a scenario."""
    scenario = bound.scenario
    orders = None if scenario.policy is None else funded(scenario)
    return Scene(
        scenario.id, scenario.category, scenario.as_of,
        tuple(_setup(scenario)), tuple(_context(scenario)), tuple(_holdings(scenario)), scenario.dialogue,
        None if orders is None else tuple(_order(*order[:3]) for order in orders),
        None if orders is None else frozenset(order.instrument for order in orders), dict(bound.absent),
    )


def _setup(scenario: Scenario) -> Iterator[tuple[str, str]]:
    client = scenario.client
    daily = None if scenario.consultation is None else scenario.consultation.daily
    yield "Scenario", scenario.id
    yield "Category", scenario.category
    yield "Day", scenario.as_of
    if client is not None:
        said = (("Risk profile", client.risk_profile), ("Financial literacy", client.literacy),
                ("Asset tier", client.asset_tier))
        yield from ((name, value) for name, value in said if value is not None)
        if client.constraints is not None:
            yield from _stated(client.constraints, "Stated ")
    if daily is not None and daily.env is not None:
        yield "Market regime", daily.env


def _context(scenario: Scenario) -> Iterator[tuple[str, str]]:
    yield "Cash", f"{money(scenario.account.cash_cents)} {scenario.currency}"
    yield "Holdings in all", f"{money(scenario.held_total)} {scenario.currency}"
    consultation = scenario.consultation
    if consultation is not None:
        yield from _stated(consultation.daily, "Day: ")
        yield from _stated(consultation.long_term, "Longer term: ")
        if consultation.facts_closed:
            yield "Facts", "what is not frozen here must not be asserted"
    for group, members in (scenario.context or {}).items():
        yield from ((f"{group}: {name}", str(value)) for name, value in members.items())
    yield from _stated(scenario.limits, "Limit: ")
    for fact in scenario.facts:
        value = " ".join(part for part in (fact.value, fact.unit) if part)
        yield f"Fact {fact.id}", fact.statement + (f" ({value})" if value else "")


def _holdings(scenario: Scenario) -> Iterator[tuple[str, str]]:
    day = {} if scenario.consultation is None else {
        one.instrument: one for one in scenario.consultation.daily.holdings}
    for position in scenario.account.positions:
        said = f"{money(position.value_cents)} {scenario.currency}, {decimal_text(position.quantity)} shares"
        stated = day.pop(position.instrument, None)
        yield position.instrument, said if stated is None else f"{said}; {_joined(stated.record())}"
    for name, stated in day.items():
        yield name, _joined(stated.record())


def _joined(record: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in _plain(record) if name != "instrument")


def _stated(part: Any, prefix: str) -> Iterator[tuple[str, str]]:
    """Yield what a part of a scenario states, each member under its own name; an amount in units of the currency."""
    for name, value in _plain(part.record()):
        yield f"{prefix}{name}", value


def _plain(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in record.items():
        if isinstance(value, Mapping):
            yield from ((f"{name} {inner}", shown) for inner, shown in _plain(value))
        elif isinstance(value, bool):
            if value:
                yield name, "yes"
        elif isinstance(value, int) and name.endswith("_cents"):
            said = name.removesuffix("_cents")
            yield f"{said} in money" if said in record else said, money(value)
        elif isinstance(value, Sequence) and not isinstance(value, str):
            if value and not isinstance(value[0], Mapping):
                yield name, ", ".join(map(str, value))
        else:
            yield name, str(value)
