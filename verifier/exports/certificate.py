"""One verdict as a certificate: a file by which a stranger can check it, without the run and without this project.

It carries what was judged and by what (scenario, contract, answers, action), the verdict's line, its place among
all lines of the run with the hashes that lead from it to the root, the run's manifest that names the root, and
what people attested of the run. `docs/check_certificate.py` checks it; docs/certificates.md says what that proves.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from predicates.registry import Predicate
from replay.merkle import inclusion_proof, root_of
from scenarios.attestations import Case, load_attestations
from scenarios.canonical import canonical_bytes, digest, encode_exact
from scenarios.errors import ReplayError, ScenarioError, SealError
from scenarios.files import read_lines, read_record
from scenarios.load import Answers
from scenarios.parsing import PARSERS
from scenarios.sealed import SealedFolder
from verifier.opening import OpenRun, open_run


def certificate_bytes(run: Path, case: Case, extra: Mapping[str, Predicate] | None = None) -> bytes:
    """Return the certificate of one case of a sealed run: canonical, with its own digest, and one newline.

    Args:
        run: the run's folder, or its manifest.
        case: the advisor, the scenario and the number of the run.
        extra: clauses from files, by code, that the contract names and that do not ship.

    Raises:
        SealError: the run differs from its seal, or the stored verdict from what the inputs give.
        ReplayError: the run cannot be read, or its parser is unknown here.
        ScenarioError: a clause is not at hand, or the run has no such case.
    """
    return certify(open_run(run, extra), case)


def certify(opened: OpenRun, case: Case) -> bytes:
    """Return the certificate of one case of an opened run.

    The verdict is made anew from the run's inputs; the stored line is only compared with it.

    Raises:
        SealError, ReplayError, ScenarioError: as `certificate_bytes`.
    """
    manifest, folder = opened.manifest, SealedFolder(opened.path)
    if manifest.parser not in PARSERS:
        raise ReplayError(str(folder.path), f"parser {manifest.parser!r} is unknown here",
                          "use the release that wrote the run")
    answers, index = _place(opened, case)
    bound = opened.judge.bind(opened.bank.scenarios[case.scenario])
    stored = answers.by_run.get((case.scenario, case.run), ())
    verdict = bound.judge_run(case.run, stored, manifest.parser)
    line = encode_exact({**verdict.record(), "advisor": case.advisor})
    where = str(folder.folder / "verdicts.jsonl")
    lines = [kept for _, kept in read_lines(folder.read("verdicts.jsonl"), where)]
    if index >= len(lines) or lines[index] != line:
        raise SealError(f"{where} line {index + 1}", "is not what the inputs of the run give",
                        "find out where with `audit replay`")
    if root_of(lines) != manifest.verdicts:
        raise SealError(f"{folder.path}#/verdicts", "is not the root of verdicts.jsonl",
                        "find out where with `audit replay`")
    record: dict[str, Any] = {
        "format": "certificate/1",
        "manifest": manifest.record(),
        "verdict": read_record(line, "verdict"),
        "proof": {"index": index, "size": len(lines), "path": inclusion_proof(lines, index)},
        "scenario": bound.scenario.record(),
        "contract": opened.judge.contract.record(),
        "answers": [json.loads(one.line) for one in stored] if "answer" in verdict.digests else [],
        "attestations": [one.record() for one in load_attestations(folder)],
    }
    if verdict.action is not None:
        record["action"] = verdict.action.record()
    return canonical_bytes({**record, "digest": digest(record)}) + b"\n"


def certificate_name(case: Case) -> str:
    """Return the name of a case's file in a folder of certificates."""
    return f"certificate-{case.advisor}-{case.scenario}-{case.run}.json"


def _place(opened: OpenRun, case: Case) -> tuple[Answers, int]:
    """Return the answers that hold a case, and the place of its verdict in log order, counted from 0."""
    before = 0
    for answers in opened.advisors:
        plan = answers.plan
        if answers.id == case.advisor and case.scenario in plan.scenarios and case.run <= plan.runs:
            return answers, before + plan.scenarios.index(case.scenario) * plan.runs + case.run - 1
        before += len(plan.scenarios) * plan.runs
    advisors = ", ".join(f"{one.id} ({len(one.plan.scenarios)} scenarios, {one.plan.runs} runs)"
                         for one in opened.advisors)
    raise ScenarioError("--case", f"{case} is no case of {opened.manifest.id}", f"judged were: {advisors}")
