"""The source of a clause: its own file and every module that it rests on.

A rule's meaning also lies in what it calls: weights, fees, exact numbers. So its digest is taken over the
files of all modules of ours that its file imports, directly or not, and for a clause from outside also over
its own package and what lies in its own folder. Whoever replays a run needs the release that wrote it; a
rule that changed under its old version is found by its digest.
"""

import ast
import sys
from functools import cache
from importlib.util import find_spec, resolve_name
from pathlib import Path

from predicates.registry import Predicate
from scenarios.canonical import digest, sha256


def source_digest(clause: Predicate) -> str:
    """Return the SHA-256 over (module, SHA-256 of its file) of everything that a clause's source rests on."""
    package = getattr(sys.modules.get(clause.module), "__package__", None) or ""
    own = {"predicates", "scenarios", package.partition(".")[0]} - {""}
    return digest_of_source(Path(clause.source_file()), tuple(sorted(own)), package)


def digest_of_source(file: Path, roots: tuple[str, ...], package: str = "") -> str:
    """Return the SHA-256 over (module, SHA-256 of its file) of a file and all that it imports.

    Args:
        file: a Python file.
        roots: the packages whose modules are followed, beside modules that lie in the file's own folder.
        package: the package that the file's relative imports start from.
    """
    files = {"": file}
    pending = list(_imports(file, package))
    while pending:
        module = pending.pop()
        path = None if module in files else _file_of(module)
        if path is None or (module.partition(".")[0] not in roots and path.parent != file.parent):
            continue
        files[module] = path
        above = module.rpartition(".")[0]
        pending += [*_imports(path, module if path.name == "__init__.py" else above), *([above] if above else [])]
    return digest({module: _file_digest(path) for module, path in files.items()})


@cache
def _file_digest(path: Path) -> str:
    return sha256(path.read_bytes())


@cache
def _file_of(module: str) -> Path | None:
    """Return the file of a module, None where the name is not a module but something inside one."""
    try:
        spec = find_spec(module)
    except (ModuleNotFoundError, ValueError):
        return None
    return Path(spec.origin) if spec is not None and spec.has_location and spec.origin is not None else None


@cache
def _imports(path: Path, package: str) -> tuple[str, ...]:
    """Return the modules, and the names in them, that a file of a package imports anywhere."""
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            base = resolve_name(module, package) if node.level else module
            names += [base, *(f"{base}.{alias.name}" for alias in node.names)]
    return tuple(names)
