"""What decides is integer arithmetic: the calls that would not be are listed, and none stands in these modules."""

import ast
from pathlib import Path

import pytest

import replay.environments.fund_advice as package

FOLDER = Path(package.__file__).parent
MODULES = ("agents", "deliberation", "fixed", "memory", "mind", "model_agents", "signals", "theta", "updates")
CALLS = {
    "abs", "arange", "argmax", "argsort", "array", "ascontiguousarray", "concatenate", "cumsum", "full", "full_like",
    "int8", "int16", "int32", "int64", "maximum", "minimum", "ones", "partition", "repeat", "stack", "where", "zeros",
    "zeros_like",
}
"""All that the mind uses of numpy: exact on integers, the same whatever the processor."""

FORBIDDEN = {
    "average", "cos", "divide", "dot", "einsum", "exp", "exp2", "expm1", "float", "inner", "log", "log10", "log1p",
    "log2", "matmul", "mean", "median", "pow", "power", "quantile", "random", "sin", "softmax", "sqrt", "std", "tanh",
    "true_divide", "var", "vdot",
}


def faults(source: str) -> list[str]:
    """Return what could bring in a float or another last bit, by line."""
    found = []
    for node in ast.walk(ast.parse(source)):
        name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else None
        of_numpy = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "np"
        if name in FORBIDDEN or (name or "").startswith("float") or (of_numpy and name not in CALLS):
            found.append((node.lineno, str(name)))
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div | ast.Pow | ast.MatMult):
            found.append((node.lineno, type(node.op).__name__))
        if isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
            found.append((node.lineno, str(node.value)))
    return [f"line {line}: {what}" for line, what in sorted(found)]


@pytest.mark.parametrize("module", MODULES)
def test_no_float_decides(module: str) -> None:
    assert faults((FOLDER / f"{module}.py").read_text()) == []


@pytest.mark.parametrize("line", [
    "x = a / b", "x = a ** 2", "x = a @ b", "x /= 2", "x = 0.5", "np.exp(x)", "x.mean()", "x.dot(y)", "np.tanh(x)",
    "np.random.default_rng(1)", "x.astype(np.float64)", "x.astype(float)", "np.linalg.norm(x)", "pow(x, 2)",
])
def test_the_lint_notices(line: str) -> None:
    assert faults(line)
