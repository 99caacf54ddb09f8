"""The catalogue as a whole: every clause has its page, its examples and its place, and keeps to itself."""

import ast
import inspect
import sys
from pathlib import Path

import pytest

from predicates import universe
from predicates.catalogue import FAMILIES, find, load_file, shipped
from predicates.registry import Predicate
from predicates.scaffold import write_clause
from predicates.testkit import check_examples, check_faces
from scenarios.action import Action, Order
from scenarios.errors import ScenarioError
from scenarios.types import Answer, Scenario
from tests.builders import a_scenario
from tests.verifier.contracts import a_judge
from verifier.verdict import Verdict

MOST_CODE_LINES = 25
CLAUSES = [pytest.param(clause, id=code) for code, clause in shipped().items()]


def law_lines(source: str) -> int:
    """Count lines of code: no docstrings, comments, blanks or imports, and not the optional faces."""
    tree = ast.parse(source)
    beside: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            beside.update(range(node.lineno, (node.end_lineno or 0) + 1))
        if isinstance(node, ast.Module | ast.FunctionDef):
            text = node.body[0]
            if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
                beside.update(range(text.lineno, (text.end_lineno or 0) + 1))
        if isinstance(node, ast.FunctionDef) and any(isinstance(face, ast.Attribute) for face in node.decorator_list):
            beside.update(range(node.decorator_list[0].lineno, (node.end_lineno or 0) + 1))
    lines = [line.strip() for number, line in enumerate(source.splitlines(), 1) if number not in beside]
    return sum(1 for line in lines if line and not line.startswith("#"))


@pytest.mark.parametrize("clause", CLAUSES)
class TestEveryClause:
    def test_page(self, clause: Predicate) -> None:
        """The module's docstring is the manual page: code, one sentence, and where the rule comes from."""
        page = inspect.getdoc(sys.modules[clause.module]) or ""
        first, _, rest = page.partition("\n")

        assert first.startswith(f"{clause.code}: ")
        assert first.endswith(".")
        assert "Source:" in rest
        assert clause.__doc__

    def test_names(self, clause: Predicate) -> None:
        """Function, file, folder, code and dotted name agree."""
        fault = clause.law.__name__

        assert clause.module == f"predicates.{clause.name}"
        assert clause.name.rpartition(".")[2] == fault == Path(clause.source_file()).stem
        assert clause.module.startswith(FAMILIES[clause.code.rstrip("0123456789")] + ".")

    def test_size(self, clause: Predicate) -> None:
        """A law fits on a screen."""
        assert law_lines(Path(clause.source_file()).read_text(encoding="utf-8")) <= MOST_CODE_LINES

    def test_examples(self, clause: Predicate) -> None:
        """One example holds and one fails."""
        assert check_examples(clause) == []

    def test_law(self, clause: Predicate) -> None:
        """On random cases the law is pure and its findings can be written and told."""
        assert check_faces(clause, n=200) == []


def test_codes_are_unique_and_in_order() -> None:
    """Each family's list holds every clause of its folder once, and the catalogue runs in code order."""
    codes = list(shipped())
    files = [path for path in Path(universe.__file__).parents[1].glob("*/*.py") if "\n@predicate(" in path.read_text()]

    assert codes == sorted(set(codes))
    assert len(files) == len(codes)


def test_a_comment_is_no_code() -> None:
    """The count that limits a law counts what it says."""
    page, law = '"""Page."""\n\nimport ast\n\n\n', 'def law():\n    """Say."""\n    # why\n    return 1\n\n\n'
    face = "@law.columns\ndef _():\n    return 1\n"

    assert law_lines(page + law + face) == 2


# A clause that a contract does not name changes nothing.

BLOCKED = a_scenario(restricted=("AAA",), recommendation_cap=1)
FREE = a_scenario(recommendation_cap=1)
BUYS_TWO = '{"orders": [{"instrument": "AAA", "amount": 900}, {"instrument": "BBB", "amount": 450}]}'


def judge(scenario: Scenario, *codes: str) -> Verdict:
    """Return the verdict on two buys under a contract of these clauses."""
    return a_judge(*codes).bind(scenario).judge(Answer(scenario=scenario.id, run=1, text=BUYS_TWO))


def test_a_clause_that_is_not_named_changes_no_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    """The record is the same whether or not UNIV03 is installed, even where it would fail."""
    installed = judge(BLOCKED, "UNIV01", "LIM01").bytes()
    monkeypatch.setattr(universe, "PREDICATES", tuple(p for p in universe.PREDICATES if p.code != "UNIV03"))

    with pytest.raises(ScenarioError, match="UNIV03: no installed clause"):
        find(["UNIV03"])
    assert judge(BLOCKED, "UNIV01", "LIM01").bytes() == installed


@pytest.mark.parametrize(("scenario", "state"), [(FREE, "NOT_APPLICABLE"), (BLOCKED, "FAIL")])
def test_a_clause_that_is_named_adds_only_its_own_lines(scenario: Scenario, state: str) -> None:
    """The other clauses say what they said; where no list is declared, the run's state stays as well."""
    without, named = judge(scenario, "UNIV01", "LIM01"), judge(scenario, "UNIV01", "LIM01", "UNIV03")

    assert named.clauses == {**without.clauses, "UNIV03": state}
    assert tuple(finding for finding in named.findings if finding.code != "UNIV03") == without.findings
    assert named.state == without.state == "INADMISSIBLE"
    assert {key: value for key, value in named.digests.items() if key != "contract"} == {
        key: value for key, value in without.digests.items() if key != "contract"
    }


def test_an_undeclared_list_leaves_an_admissible_run_admissible() -> None:
    """Naming the clause does not hurt a run that nothing else refuses."""
    assert judge(FREE, "UNIV01").state == judge(FREE, "UNIV01", "UNIV03").state == "ADMISSIBLE"
    assert judge(BLOCKED, "UNIV01", "UNIV03").state == "INADMISSIBLE"


# Clauses from outside.


def test_a_clause_from_a_file_is_found_and_keeps_its_code_to_itself(tmp_path: Path) -> None:
    """A file brings its clause under its own code, and may not take a code that ships."""
    path, *_ = write_clause(tmp_path, "house.large_order", "HOUSE01")
    extra = load_file(path)

    assert list(find(["LIM01", "HOUSE01"], extra)) == ["LIM01", "HOUSE01"]
    path.write_text(path.read_text().replace("HOUSE01", "LIM01"))
    with pytest.raises(ScenarioError, match="LIM01: this code ships with the project"):
        find(["LIM01"], load_file(path))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        pytest.param("x = 1\n", "defines no predicate", id="no clause"),
        pytest.param("def (\n", "importing it raised SyntaxError", id="no Python"),
        pytest.param("from predicates.limits.liquidity import liquidity\n", "defines no predicate", id="borrowed"),
    ],
)
def test_a_file_without_a_clause_is_refused(tmp_path: Path, text: str, fault: str) -> None:
    """The message says what the file lacks."""
    path = tmp_path / "clause.py"
    path.write_text(text)

    with pytest.raises(ScenarioError, match=fault):
        load_file(path)


def test_a_clause_that_raises_is_an_error_and_never_a_pass(tmp_path: Path) -> None:
    """Without its parameter the scaffold's clause cannot decide, so the run is ERROR."""
    path, *_ = write_clause(tmp_path, "house.large_order", "HOUSE02")
    bound = a_judge("HOUSE02", extra=load_file(path).values()).bind(FREE)
    state, clauses, findings = bound.decide(Action([Order("AAA", "buy", 1)]))

    assert (state, clauses) == ("ERROR", {"HOUSE02": "ERROR"})
    assert findings[0].details["reason"] == "is not set"
