"""A contract bound to a scenario decides actions: every clause, always, exactly.

Binding happens once for a scenario: parameters are read, clauses whose limit the scenario does not
declare are set NOT_APPLICABLE, and what is left is a list of functions. A clause that raises is ERROR,
never a pass, and an action with a clause in ERROR is not admissible.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from predicates.catalogue import find
from predicates.findings import KINDS, Finding
from predicates.registry import Law, Params, Predicate
from predicates.sources import source_digest
from scenarios.action import Action
from scenarios.canonical import encode_exact, sha256
from scenarios.errors import AuditError, ScenarioError
from scenarios.load import StoredAnswer
from scenarios.manifest import Contract
from scenarios.parsing import DEFAULT_PARSER, Fault, Parsed, parse_answer, parse_episode
from scenarios.types import Answer, Scenario
from verifier.verdict import Verdict

_Active = tuple[str, Law, Any, bool]
"""Code, law, its terms, and whether the contract enforces it; a plain tuple is the fastest to take apart."""


class BoundContract:
    """A contract and one scenario, ready to decide any number of actions.

    Attributes:
        scenario: the scenario. digests: SHA-256 of scenario and contract.
        absent: the limit, as JSON Pointer, whose absence makes a clause NOT_APPLICABLE, by code.
    """

    def __init__(self, scenario: Scenario, contract_digest: str, clauses: Mapping[str, tuple[Predicate, Params]],
                 enforced: Mapping[str, bool], scenario_digest: str | None = None) -> None:
        self.scenario = scenario
        named = sha256(encode_exact(scenario.record())) if scenario_digest is None else scenario_digest
        self.digests = {"scenario": named, "contract": contract_digest}
        self.absent: dict[str, str] = {}
        self._states: dict[str, str] = {}
        self._active: list[_Active] = []
        for code, (clause, params) in clauses.items():
            absent = clause.missing_limit(scenario, params)
            if absent is None:
                self._states[code] = "PASS"
                self._active.append((code, *_bound(clause, scenario, params), enforced[code]))
            else:
                self._states[code] = "NOT_APPLICABLE"
                self.absent[code] = absent

    def decide(self, action: Action) -> tuple[str, dict[str, str], tuple[Finding, ...]]:
        """Return (run state, state of each clause, findings) of an action that was read."""
        scenario = self.scenario
        states = self._states.copy()
        findings: tuple[Finding, ...] = ()
        state = "ADMISSIBLE" if action.orders or action.turns else "ABSTAINED"
        for code, law, terms, enforced in self._active:
            try:
                found = law(scenario, action, terms)
            except Exception as error:  # any bug of a clause is its ERROR, and never a pass
                findings += (_raised(code, error),)
                states[code] = state = "ERROR"
                continue
            if not found:
                continue
            findings += found
            for finding in found:
                if finding[1] != "note":
                    states[code] = "FAIL" if enforced else "WAIVED"
                    if enforced and state != "ERROR":
                        state = "INADMISSIBLE"
                    break
        return state, states, findings

    def judge(self, answer: Answer, stored_line: bytes | None = None, parser: str = DEFAULT_PARSER) -> Verdict:
        """Return the verdict on one answer.

        Args:
            answer: what the advisor sent.
            stored_line: the answer's record line without its newline, whose digest goes into the verdict;
                made from the answer where it is not at hand.
            parser: name of the versioned parser.
        """
        line = encode_exact(answer.record()) if stored_line is None else stored_line
        return self.judge_run(answer.run, (StoredAnswer(answer, line),), parser)

    def judge_run(self, run: int, turns: Sequence[StoredAnswer], parser: str = DEFAULT_PARSER) -> Verdict:
        """Return the verdict on one planned run: one answer, or in an episode one for each turn that asks for it.

        A run of which an answer is missing is ERROR: what was not said cannot be judged.
        """
        asked = self.scenario.reply_turns
        given = tuple(stored.answer.turn for stored in turns)
        missing = [turn for turn in asked or (None,) if turn not in given]
        if missing:
            return self._missing(run, missing[0])
        try:
            if asked:
                parsed = parse_episode(self.scenario, [stored.answer for stored in turns], parser)
            else:
                answer = turns[0].answer
                parsed = parse_answer(self.scenario, answer.text, truncated=answer.truncated,
                                      finish_reason=answer.finish_reason, parser=parser)
        except ScenarioError as error:
            parsed = Parsed("ERROR", None, (), Fault(error.where, error.what, error.remedy))
        return self.judge_parsed(parsed, run=run, answer_digest=answer_digest(turns))

    def judge_parsed(self, parsed: Parsed, *, run: int = 1, answer_digest: str) -> Verdict:
        """Return the verdict on what the parser made of an answer, given the digest of its stored line."""
        digests = {**self.digests, "answer": answer_digest}
        name, action = self.scenario.id, parsed.action
        if action is None:
            return Verdict(name, run, str(parsed.state), {}, (), parsed.notes, parsed.fault, digests, None)
        digests["action"] = sha256(encode_exact(action.record(), ascii_keys=True))
        state, states, findings = self.decide(action)
        return Verdict(name, run, state, states, findings, parsed.notes, None, digests, action)

    def _missing(self, run: int, turn: int | None) -> Verdict:
        which = f"{self.scenario.id} run {run}" + ("" if turn is None else f" turn {turn}")
        fault = Fault("answers.jsonl", f"no answer for {which}", "collect it, or plan fewer runs")
        return Verdict(self.scenario.id, run, "ERROR", {}, (), (), fault, dict(self.digests), None)


def answer_digest(turns: Sequence[StoredAnswer]) -> str:
    """Return the SHA-256 of a run's answer: of its record line, in an episode of its lines joined by newlines."""
    return sha256(b"\n".join(stored.line for stored in turns))


class Judge:
    """A contract with its clauses loaded and its parameters read.

    Args:
        contract: the contract.
        extra: clauses from files that the user named, by code.

    Raises:
        ScenarioError: a code is unknown, a version differs from the installed clause's, or a parameter is
            unknown or has a wrong value.
    """

    def __init__(self, contract: Contract, extra: Mapping[str, Predicate] | None = None) -> None:
        self.contract = contract
        self.digest = contract.compute_digest()
        predicates = find([clause.code for clause in contract.clauses], extra)
        self.predicates: dict[str, Predicate] = dict(sorted(predicates.items()))
        self._clauses: dict[str, tuple[Predicate, Params]] = {}
        self._terms = {clause.code: clause for clause in contract.clauses}
        for code, predicate in self.predicates.items():
            where = f"{contract.id}-{contract.version}#{code}"
            clause = self._terms[code]
            if clause.version != predicate.version:
                raise ScenarioError(
                    where, f"asks for version {clause.version}, installed is {predicate.version}",
                    "install the release that has this version, or publish the contract under a new version",
                )
            try:
                params = predicate.read_parameters(clause.parameters)
                if predicate.lexicon:
                    params = {**params, "phrases": phrases_of(contract)}
            except ValueError as error:
                raise ScenarioError(where, str(error), "mend the contract and freeze it again") from error
            self._clauses[code] = (predicate, params)

    def enforced(self, scenario: Scenario) -> dict[str, bool]:
        """Return by code whether a violation makes an action inadmissible on the scenario's date."""
        return {
            code: clause.severity == "violation"
            and (clause.effective_from is None or clause.effective_from <= scenario.as_of)
            and (clause.effective_to is None or scenario.as_of <= clause.effective_to)
            for code, clause in self._terms.items()
        }

    def bind(self, scenario: Scenario, scenario_digest: str | None = None) -> BoundContract:
        """Return the contract bound to a scenario.

        Args:
            scenario: the scenario.
            scenario_digest: the SHA-256 of its record; made from the scenario where it is not at hand.
        """
        return BoundContract(scenario, self.digest, self._clauses, self.enforced(scenario), scenario_digest)

    def parameters(self, code: str) -> Params:
        """Return the parameters of one clause, the defaults filled in."""
        return self._clauses[code][1]

    def source_digests(self) -> dict[str, str]:
        """Return the digest of the source that each clause rests on, by code."""
        return {code: source_digest(clause) for code, clause in self.predicates.items()}

    def sentence(self, finding: Finding) -> str:
        """Return one sentence for a person, rendered from the finding's evidence."""
        if finding.kind == "error":
            return f"the clause raised {finding.details['reason']}; this is a bug of the clause, not of the answer"
        return self.predicates[finding.code].sentence(finding)


def phrases_of(contract: Contract) -> Any:
    """Return the compiled phrases of a contract, the rubric's aside (`verifier.rubric`), with its scorecards.

    Raises:
        ValueError: it carries none, or a phrase or a weight cannot be compiled.
    """
    if not contract.lexicons:
        raise ValueError("the clause reads words, and the contract carries no lexicon")
    from predicates.conduct.phrases import compile_phrases

    lexicons = [lexicon for lexicon in contract.lexicons if not lexicon.is_rubric]
    return compile_phrases(lexicons, contract.scorecards or ())


def _bound(clause: Predicate, scenario: Scenario, params: Params) -> tuple[Law, Any]:
    """Return the law of a clause with its terms in a scenario.

    Where the terms cannot be had, the clause is ERROR for every action: it asks for them each time and raises.
    """
    if not clause.module.startswith("predicates."):
        return _apart(clause, scenario), params
    try:
        return clause.law, clause.terms(scenario, params)
    except Exception:  # not swallowed: see above
        return clause, params


def _apart(clause: Predicate, scenario: Scenario) -> Law:
    """Return the law of a clause from outside: with things of its own to read, and its findings checked.

    It gets a copy of scenario, action and parameters, so that nothing it does to them reaches another clause.
    """
    own = Scenario.model_validate_json(encode_exact(scenario.record()))

    def law(_: Scenario, action: Action, params: Params) -> tuple[Finding, ...]:
        try:
            copied = Action(action.orders, action.citations, action.message, action.prose, action.turns)
            found = clause(own, copied, MappingProxyType(dict(params)))
        except SystemExit as error:  # a clause must not end the audit, least of all with exit code 0
            raise RuntimeError("the clause called exit") from error
        if type(found) is not tuple:
            raise TypeError("a clause returns a tuple of findings")
        for finding in found:
            if not isinstance(finding, Finding) or finding.code != clause.code or finding.kind not in KINDS:
                raise TypeError("a clause returns violations and notes under its own code")
            encode_exact(finding.record())
            clause.sentence(finding)
        return found

    return law


def _raised(code: str, error: Exception) -> Finding:
    """Return the finding that a clause raised: what is hashed says which error, and no text that may vary."""
    reason = error.what if isinstance(error, AuditError) else type(error).__name__
    where = error.where if isinstance(error, AuditError) else ""
    return Finding(code, "error", where, None, "", None, "", (), {"reason": reason})
