"""Advisors that are rules: what each sees, what it answers, and how its answers are frozen.

A rule sees the scenario without its id and its category, and its run number, and nothing else. Its
constants are its configuration: they are handed to it as arguments and written into advisor.json.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from scenarios.action import Action
from scenarios.canonical import canonical_bytes
from scenarios.load import Bank
from scenarios.manifest import MANIFEST_NAME, AnswersManifest, Plan
from scenarios.parsing import print_action
from scenarios.sealed import join_lines, seal_files
from scenarios.types import Answer, Scenario

HIDDEN = "request"
"""What stands in a request where the scenario has its id and its category."""


class RuleAdvisor(NamedTuple):
    """An advisor that is a rule in process.

    rule: called as rule(request, run, **configuration). configuration: strings, integers and lists of them.
    """

    id: str
    name: str
    description: str
    rule: Callable[..., Action]
    configuration: Mapping[str, Any]

    def answer(self, request: Scenario, run: int) -> str:
        """Return the answer's text to a request in one run, counted from 1."""
        return print_action(self.rule(request, run, **self.configuration))

    def record(self) -> dict[str, Any]:
        """Return who answered, with which configuration, as it stands in advisor.json."""
        return {
            "format": "advisor/1", "id": self.id, "name": self.name, "kind": "rule",
            "description": self.description, "configuration": dict(self.configuration),
        }


def as_request(scenario: Scenario) -> Scenario:
    """Return what an advisor may see of a scenario: all but its id and its category."""
    return scenario.model_copy(update={"id": HIDDEN, "category": HIDDEN})


def answer_lines(advisor: RuleAdvisor, scenarios: Iterable[Scenario], runs: int) -> list[bytes]:
    """Return the advisor's answers as record lines, in order of scenario id and run."""
    lines = []
    for scenario in sorted(scenarios, key=lambda one: one.id):
        request = as_request(scenario)
        for run in range(1, runs + 1):
            answer = Answer(scenario=scenario.id, run=run, text=advisor.answer(request, run))
            lines.append(canonical_bytes(answer.record()))
    return lines


def seal_answers(advisor: RuleAdvisor, bank: Bank, runs: int) -> dict[str, bytes]:
    """Return the files of an advisor's sealed answers to a whole bank, by relative path."""
    files = {
        "advisor.json": canonical_bytes(advisor.record()) + b"\n",
        "answers.jsonl": join_lines(answer_lines(advisor, bank.scenarios.values(), runs)),
    }
    manifest = AnswersManifest(
        id=advisor.id, bank=bank.reference, files=seal_files(files),
        plan=Plan(scenarios=tuple(sorted(bank.scenarios)), runs=runs),
    )
    return {**files, MANIFEST_NAME: manifest.sealed_bytes()}

