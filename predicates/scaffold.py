"""A new clause, ready to run: the rule, one example on each side, and a test file, all of which pass as written.

What is written is a small real rule, the largest order that a house allows, for its author to turn into
the rule that is wanted.
"""

import re
from keyword import iskeyword
from pathlib import Path
from string import Template

from predicates.catalogue import shipped
from scenarios.errors import ScenarioError
from scenarios.files import write_file

_NAME = re.compile(r"[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*\Z")
_TAKEN = frozenset({"predicate", "violation"})  # the clause imports these
_CODE = re.compile(r"[A-Z]{2,8}[0-9]{2}\Z")

_CLAUSE = Template('''"""$code: one order is larger than the house allows.

Every sized order a, buy or sell, in cents, must satisfy a <= M, where M is the contract's parameter
max_order_cents. A tie holds; an order without a size is not judged. Without the parameter the clause
cannot decide, which is an error of the contract. Source: name the rule book and the paragraph here.
"""

from predicates.findings import Finding, violation
from predicates.registry import Params, predicate
from scenarios.action import Action
from scenarios.errors import ScenarioError
from scenarios.types import Scenario


@predicate(
    code="$code",
    name="$name",
    says="the order of {instrument} is {left:money}, at most {right:money} is allowed",
    parameters={"max_order_cents": int},
)
def $fault(scenario: Scenario, action: Action, params: Params) -> tuple[Finding, ...]:
    """Return one violation for each order above the largest one allowed."""
    most = params["max_order_cents"]
    if most is None:
        raise ScenarioError("$code#/parameters/max_order_cents", "is not set", "set it in the contract, in cents")
    return tuple([
        violation("$code", where=f"/orders/{index}", left=order.amount, op="<=", right=most, unit="cents",
                  reads=("/orders",), instrument=order.instrument)
        for index, order in enumerate(action.orders) if order.amount is not None and order.amount > most
    ])
''')

_EXAMPLES = Template('''{
  "holds": {
    "scenario": $scenario,
    "answer": {"orders": [{"instrument": "AAA", "amount": 900}]},
    "parameters": {"max_order_cents": 90000}
  },
  "fails": {
    "scenario": $scenario,
    "answer": {"orders": [{"instrument": "AAA", "amount": 901}]},
    "parameters": {"max_order_cents": 90000}
  }
}
''')

_SCENARIO = '''{
      "id": "example", "category": "example", "as_of": "2026-01-02", "currency": "USD",
      "account": {"cash_cents": 500000}, "instruments": [{"id": "AAA"}], "universe": ["AAA"]
    }'''

_TEST = Template('''"""$code: one order is larger than the house allows."""

from pathlib import Path

import pytest

from predicates.catalogue import load_file
from predicates.testkit import check_examples, check_faces, random_cases
from scenarios.action import Action, Order

CLAUSE = load_file(Path(__file__).with_name("$fault.py"))["$code"]
SCENARIO, _ = next(iter(random_cases(seed=0, n=1)))


@pytest.mark.parametrize(
    ("amounts", "places"),
    [
        pytest.param([], [], id="no order"),
        pytest.param([90_000], [], id="exactly the largest allowed"),
        pytest.param([None], [], id="an order without a size"),
        pytest.param([90_001], ["/orders/0"], id="one cent more"),
        pytest.param([1, 90_001], ["/orders/1"], id="each order for itself"),
    ],
)
def test_boundary(amounts: list[int | None], places: list[str]) -> None:
    """The verdict turns one cent above the parameter."""
    action = Action([Order("AAA", "buy", amount) for amount in amounts])
    found = CLAUSE(SCENARIO, action, CLAUSE.read_parameters({"max_order_cents": 90_000}))

    assert [finding.where for finding in found] == places


def test_examples() -> None:
    """One example holds and one fails."""
    assert check_examples(CLAUSE) == []


def test_law() -> None:
    """The rule is pure, and its findings can be written and told."""
    assert check_faces(CLAUSE, n=200) == []
''')


def write_clause(folder: Path, dotted_name: str, code: str) -> list[Path]:
    """Write a clause, its examples and its test, and return their paths.

    Args:
        folder: where they go; made where it does not exist.
        dotted_name: "family.fault" in lower case; the file and the function are named after the fault.
        code: two to eight capital letters and two digits, such as HOUSE01.

    Raises:
        ScenarioError: the name or the code has another form, the code ships with the project, or a file
            of that name exists; nothing is written then.
        ReplayError: a file cannot be written.
    """
    fault = dotted_name.partition(".")[2]
    if not _NAME.match(dotted_name) or fault in _TAKEN or iskeyword(fault):
        raise ScenarioError("NAME", f"found {dotted_name!r}", "write family.fault in lower case, as house.large_order")
    if not _CODE.match(code):
        raise ScenarioError("CODE", f"found {code!r}", "write two to eight capitals and two digits, such as HOUSE01")
    if code in shipped():
        raise ScenarioError("CODE", f"{code} ships with the project", "choose another code")
    values = {"code": code, "name": dotted_name, "fault": fault, "scenario": _SCENARIO}
    files = {
        folder / f"{fault}.py": _CLAUSE, folder / f"{fault}.examples.json": _EXAMPLES,
        folder / f"test_{fault}.py": _TEST,
    }
    for path in files:
        if path.exists() or path.is_symlink():
            raise ScenarioError(str(path), "exists already", "choose another name, or remove the file")
    for path, template in files.items():
        write_file(path, template.substitute(values).encode())
    return list(files)
