"""Break each clause on purpose and see whether its own tests notice: `make mutants`, or `python -m tests.mutants CODE`.

A mutant is the law with one comparison moved by its tie (`<` for `<=`, `==` for `!=`), one sign turned (`+` for
`-`), one floor division made a ceiling, `and` made `or`, or one integer raised by one. Each runs in a copy of the
tree against the clause's own test file alone; one that survives is printed with its line, and ends with exit code 1.
"""

import ast
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from predicates.catalogue import shipped
from predicates.registry import Predicate

ROOT = Path(__file__).parents[1]
COPIED = ("predicates", "replay", "scenarios", "tests", "verifier", "pyproject.toml")

TIES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}
SIGNS: dict[type[ast.operator], type[ast.operator]] = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add}

EQUIVALENT: dict[str, str] = {
    "COST02 line 41: min(amounts) >= common.floor  ->  min(amounts) > common.floor": "the loop behind it decides",
    "GRND01 line 24: facts.keys() >= action.cited  ->  facts.keys() > action.cited": "the loop behind it decides",
    "GRND02 line 30: 1  ->  2": "the loop behind it decides",
}
"""Mutants that mean the same, by "CODE line: what", each with the reason."""


def mutants(source: str, law: str) -> Iterator[tuple[int, str, str]]:
    """Yield (line, what was changed, mutated source) of each mutant of the function `law`."""
    count = sum(1 for _ in _sites(ast.parse(source), law))
    for number in range(count):
        tree = ast.parse(source)
        node = next(site for index, site in enumerate(_sites(tree, law)) if index == number)
        line, before = node.lineno, ast.unparse(node)
        _mutate(node)
        yield line, f"{before}  ->  {ast.unparse(node)}", ast.unparse(tree)


def _sites(tree: ast.AST, law: str) -> Iterator[ast.expr]:
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and function.name == law:
            for node in ast.walk(function):
                if _can_mutate(node):
                    yield node  # type: ignore[misc]  # each of them is an expression


def _can_mutate(node: ast.AST) -> bool:
    if isinstance(node, ast.Compare):
        return type(node.ops[0]) in TIES
    if isinstance(node, ast.BinOp):
        return type(node.op) in SIGNS or isinstance(node.op, ast.FloorDiv)
    return isinstance(node, ast.BoolOp) or (isinstance(node, ast.Constant) and type(node.value) is int)


def _mutate(node: ast.expr) -> None:
    if isinstance(node, ast.Compare):
        node.ops[0] = TIES[type(node.ops[0])]()
    elif isinstance(node, ast.BoolOp):
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    elif isinstance(node, ast.Constant):
        node.value = int(str(node.value)) + 1
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv):
        node.op, node.left, node.right = ast.Sub(), ast.Constant(0), ast.BinOp(
            ast.UnaryOp(ast.USub(), node.left), ast.FloorDiv(), node.right
        )
    elif isinstance(node, ast.BinOp):
        node.op = SIGNS[type(node.op)]()


def test_file(clause: Predicate) -> Path:
    """Return the clause's own test file, relative to the root."""
    family, _, name = clause.name.partition(".")
    return Path("tests") / "predicates" / family / f"test_{name}.py"


def survivors(clause: Predicate, folder: Path) -> Iterator[str]:
    """Yield one line for each mutant of a clause that its own tests let pass."""
    path = Path(clause.source_file()).relative_to(ROOT)
    source = (ROOT / path).read_text(encoding="utf-8")
    for line, what, mutated in mutants(source, clause.law.__name__):
        (folder / path).write_text(mutated, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", str(test_file(clause))],
            cwd=folder, env={**os.environ, "PYTHONPATH": str(folder)}, capture_output=True, check=False,
        )
        known = f"{clause.code} line {line}: {what}"
        if done.returncode == 0 and known not in EQUIVALENT:
            yield known
        print("x" if done.returncode else "S", end="", flush=True)
    (folder / path).write_text(source, encoding="utf-8")


def main(codes: list[str]) -> int:
    """Run the mutants of these clauses, or of all; return 1 if one survives."""
    clauses = [clause for code, clause in shipped().items() if not codes or code in codes]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in COPIED:
            copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
            copy(ROOT / part, folder / part)
        (folder / "manifests").symlink_to(ROOT / "manifests")
        alive = []
        for clause in clauses:
            print(f"{clause.code} ", end="")
            alive += survivors(clause, folder)
            print()
    for line in alive:
        print(f"SURVIVED {line}")
    print(f"{len(clauses)} clauses, {len(alive)} mutants survived")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
