"""Contracts of a few clauses, for tests of what searches under a contract."""

from collections.abc import Iterable

from predicates.registry import Predicate
from scenarios.manifest import Contract
from scenarios.types import Clause
from verifier.contract import Judge


def a_judge(*codes: str, extra: Iterable[Predicate] = (), waived: Iterable[str] = ()) -> Judge:
    """Return a judge of these clauses with their default parameters; waived ones are only noted."""
    clauses = tuple(
        Clause(code=code, severity="note" if code in waived else "violation", authority="test", owner="test")
        for code in sorted(codes)
    )
    return Judge(Contract(id="test", version="1", clauses=clauses), {clause.code: clause for clause in extra})
