"""Every clause that ships, and how a clause from outside is found.

Families list their predicates by hand. An outside clause comes from a file that the user names, or
from the entry-point group `advice_audit.predicates`; that group is scanned only when a contract names a
code that does not ship, because scanning imports installed metadata.
"""

import hashlib
import importlib.util
import sys
from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path

from predicates.registry import Predicate
from scenarios.errors import ScenarioError

ENTRY_POINTS = "advice_audit.predicates"
FAMILIES = {
    "COST": "predicates.cost",
    "GRND": "predicates.grounding",
    "LIM": "predicates.limits",
    "UNIV": "predicates.universe",
    "SIZE": "predicates.limits",
    "COV": "predicates.limits",
    "COND": "predicates.conduct",
    "FACT": "predicates.conduct",
    "LOGIC": "predicates.conduct",
    "SUIT": "predicates.conduct",
}


def shipped(codes: Iterable[str] | None = None) -> dict[str, Predicate]:
    """Return the shipped predicates by code, in code order.

    Args:
        codes: only the families that these codes belong to are imported; None: every family.
    """
    prefixes = FAMILIES.keys() if codes is None else FAMILIES.keys() & {code.rstrip("0123456789") for code in codes}
    families = sorted({FAMILIES[prefix] for prefix in prefixes})
    found = [clause for family in families for clause in import_module(family).PREDICATES]
    return _by_code(found, "the shipped families")


def load_file(path: Path) -> dict[str, Predicate]:
    """Return the predicates that a Python file defines, by code.

    Raises:
        ScenarioError: the file is missing, cannot be imported or defines no predicate.
    """
    where = str(path)
    if not path.is_file():
        raise ScenarioError(where, "no such file", "name a Python file that defines a @predicate")
    name = f"audit_clause_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ScenarioError(where, "not a Python file", "name a file that ends in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise ScenarioError(where, f"importing it raised {type(error).__name__}: {error}", "mend the file") from error
    found = [value for value in vars(module).values() if isinstance(value, Predicate) and value.module == name]
    if not found:
        raise ScenarioError(where, "defines no predicate", "decorate the function with @predicate(code=..., ...)")
    return _by_code(found, where)


def find(codes: Iterable[str], extra: Mapping[str, Predicate] | None = None) -> dict[str, Predicate]:
    """Return the predicates of these codes: shipped, given in `extra`, else from entry points.

    Raises:
        ScenarioError: a code is defined twice, or nowhere.
    """
    wanted = list(codes)
    known = shipped([*wanted, *(extra or {})])
    for code, clause in (extra or {}).items():
        if code in known:
            raise ScenarioError(
                f"{clause.source_file()}#{code}", "this code ships with the project", "choose another code"
            )
        known[code] = clause
    if any(code not in known for code in wanted):
        known = known | _installed(known)
    for code in wanted:
        if code not in known:
            raise ScenarioError(
                f"contract#{code}", "no installed clause has this code",
                "name its file with --predicates, or install the package that brings it",
            )
    return {code: known[code] for code in wanted}


def _installed(known: Mapping[str, Predicate]) -> dict[str, Predicate]:
    from importlib.metadata import entry_points

    found = []
    for entry in entry_points(group=ENTRY_POINTS):
        clause = entry.load()
        if not isinstance(clause, Predicate):
            raise ScenarioError(f"entry point {entry.name}", "is not a predicate", "point it at the decorated function")
        if clause.code in known or clause.code in shipped([clause.code]):
            raise ScenarioError(f"entry point {entry.name}#{clause.code}", "this code is taken", "choose another code")
        found.append(clause)
    return _by_code(found, f"entry points {ENTRY_POINTS}")


def _by_code(clauses: Iterable[Predicate], where: str) -> dict[str, Predicate]:
    table: dict[str, Predicate] = {}
    for clause in clauses:
        if clause.code in table:
            raise ScenarioError(f"{where}#{clause.code}", "two clauses have this code", "give one of them another code")
        table[clause.code] = clause
    return dict(sorted(table.items()))
