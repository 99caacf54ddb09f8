"""A whole verdict of the shipped contract: clauses, findings, record, and the three digests of one answer."""

from benchmarks.timing import Result, compare
from benchmarks.workload import as_scenarios, fused_mask, make_actions, make_plain
from scenarios.canonical import canonical_bytes, sha256
from scenarios.load import shipped_contract
from scenarios.parsing import Parsed, print_action
from scenarios.sealed import load_contract
from scenarios.types import Answer
from verifier.contract import BoundContract, Judge

SCENARIOS, ACTIONS, ORDERS = 120, 600, 5


def decide(bound: BoundContract, parsed: Parsed, line: bytes) -> tuple[bytes, str]:
    """Return the verdict's record, with the digests of scenario, contract, action and answer, and its own digest."""
    verdict = bound.judge_parsed(parsed, answer_digest=sha256(line))
    record = verdict.bytes()
    return record, sha256(record)


def run() -> list[Result]:
    """Measure the verdict from the typed action to the digest of its record."""
    plain = make_plain(SCENARIOS)
    scenarios = as_scenarios(plain)
    actions = make_actions(plain, ACTIONS, seed=7, legs=[ORDERS])
    judge = Judge(load_contract(shipped_contract()))
    bounds = [judge.bind(scenario) for scenario in scenarios]
    work = []
    for asked in actions:
        action, scenario = asked.typed(), scenarios[asked.scenario]
        parsed = Parsed(None, action, (), None)
        answer = Answer(scenario=scenario.id, run=1, text=print_action(action), provider="p", model="m",
                        finish_reason="stop")
        line = canonical_bytes(answer.record())
        assert bounds[asked.scenario].judge(answer, line).bytes() == decide(bounds[asked.scenario], parsed, line)[0]
        work.append((bounds[asked.scenario], parsed, line))

    def ours() -> None:
        for one in work:
            decide(*one)

    def fused() -> None:
        for asked in actions:
            fused_mask(plain[asked.scenario], asked.legs, asked.facts)

    ratio, base, mine = compare((fused, ACTIONS), (ours, ACTIONS))
    sizes = sum(len(decide(*one)[0]) for one in work) / ACTIONS
    note = (f"{mine * 1e6:.1f} us, fused {base * 1e6:.2f} us; {len(judge.predicates)} clauses, "
            f"{ORDERS} orders, record of {sizes:.0f} bytes")
    return [Result("verdict", "whole verdict / fused function", 1 / ratio, 15.0, at_least=False, note=note)]
