"""The source of a clause: its own file and every module of ours that it rests on.

A rule's meaning also lies in what it calls: weights, fees, exact numbers. So its digest is taken over the
files of all modules of `predicates` and `scenarios` that its file imports, directly or not. Whoever replays
a run needs the release that wrote it; a rule that changed under its old version is found by its digest.
"""

import ast
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from predicates.registry import Predicate
from scenarios.canonical import digest, sha256


def source_digest(clause: Predicate) -> str:
    """Return the SHA-256 over (module, SHA-256 of its file) of everything that a clause's source rests on."""
    return digest_of_source(Path(clause.source_file()), ("predicates", "scenarios"))


def digest_of_source(file: Path, roots: tuple[str, ...]) -> str:
    """Return the SHA-256 over (module, SHA-256 of its file) of a file and all that it imports below the roots."""
    files = {"": file}
    pending = list(_imports(file))
    while pending:
        module = pending.pop()
        if module not in files and module.partition(".")[0] in roots:
            path = _file_of(module)
            if path is not None:
                files[module] = path
                pending += _imports(path)
    return digest({module: _file_digest(path) for module, path in files.items()})


@cache
def _file_digest(path: Path) -> str:
    return sha256(path.read_bytes())


@cache
def _file_of(module: str) -> Path | None:
    """Return the file of a module, None where the name is not a module but something inside one."""
    try:
        spec = find_spec(module)
    except ModuleNotFoundError:
        return None
    return None if spec is None or spec.origin is None else Path(spec.origin)


@cache
def _imports(path: Path) -> tuple[str, ...]:
    """Return the modules, and the names in them, that a file imports anywhere by their full name."""
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module is not None and node.level == 0:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return tuple(names)
