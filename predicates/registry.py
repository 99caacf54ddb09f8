"""How a function becomes a clause, and how a code finds its clause.

The first face, the decorated function, is the law: exact, for one action, `()` for PASS. The optional
faces `columns` (many actions at once, numpy handed in) and `constraints` (rows of a MIP, model handed
in) must agree with it; `predicates.testkit` proves that on random inputs.
"""

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from predicates.findings import Finding
from predicates.sentences import render
from scenarios.action import Action
from scenarios.exact import parse_decimal
from scenarios.types import Limits, Scenario

Params = Mapping[str, Any]
NO_PARAMS: Params = {}
PARTS = ("client", "consultation", "dialogue")
"""The optional parts of a scenario that a clause may need, as it may need a limit."""

Terms = Callable[[Scenario, Params], Any]
Law = Callable[[Scenario, Action, Any], tuple[Finding, ...]]
Parameter = tuple[str, ...] | type[bool] | type[int] | type[Fraction] | int | Fraction


class Unsupported(Exception):
    """A constraints face cannot express this scenario, such as a fee schedule that is not a step fee."""


class Predicate:
    """One clause: its law, its other faces, and what a manual page needs.

    Args:
        law: the first face; its third argument is the parameters, or the terms if the clause has some.
        code: permanent code, family letters and two digits.
        name: "family.fault"; the function and its file carry the last part.
        says: the sentence for a violation, a format string over the finding's left, right and details.
        needs: names of scenario.limits or of `PARTS`: first the limit or part without which the clause is
            NOT_APPLICABLE, for which a parameter of the same name can stand in, then what else it needs to be judged.
        parameters: name to its choices (the first is the default), or to bool (default False), or to
            Fraction or int (default None: not set), or to a Fraction or int, its default.
        terms: what the parameters come to in one scenario, such as the cap in force: terms(scenario, params). They
            are made once where a contract is bound to a scenario, so that the law only compares.
        lexicon: the clause reads words; its law finds the contract's phrases under params["phrases"].
        version: raised whenever the meaning changes.
    """

    def __init__(
        self, law: Law, *, code: str, name: str, says: str, needs: Sequence[str] = (),
        parameters: Mapping[str, Parameter] | None = None, terms: Terms | None = None, lexicon: bool = False,
        version: int = 1,
    ) -> None:
        unknown = sorted(set(needs) - set(Limits.model_fields) - set(PARTS))
        if unknown:
            raise ValueError(f"{code} needs {unknown[0]!r}, which is no limit and no optional part of a scenario")
        self.law = law
        self.terms = terms or _the_parameters
        self.code = code
        self.name = name
        self.says = says
        self.needs = tuple(needs)
        self.parameters = dict(parameters or {})
        self.lexicon = lexicon
        self.version = version
        self.__doc__ = law.__doc__
        self.module = law.__module__
        self.columns_face: Callable[..., Any] | None = None
        self.constraints_face: Callable[..., Any] | None = None

    def __call__(self, scenario: Scenario, action: Action, params: Params = NO_PARAMS) -> tuple[Finding, ...]:
        """Judge one action with parameters that were already read (`read_parameters`)."""
        return self.law(scenario, action, self.terms(scenario, params or self.read_parameters({})))

    def columns(self, face: Callable[..., Any]) -> Callable[..., Any]:
        """Register the face that judges many actions at once: face(np, table, params) -> bool array, True = FAIL."""
        self.columns_face = face
        return face

    def constraints(self, face: Callable[..., Any]) -> Callable[..., Any]:
        """Register the face that adds the rule's rows to a MIP: face(model, scenario, params)."""
        self.constraints_face = face
        return face

    def read_parameters(self, given: Mapping[str, Any]) -> Params:
        """Return every declared parameter with its value, the defaults filled in.

        Raises:
            ValueError: an unknown parameter, or a value that is not among the choices or not of the type.
        """
        unknown = sorted(set(given) - set(self.parameters))
        if unknown:
            known = ", ".join(sorted(self.parameters)) or "none"
            raise ValueError(f"{self.code} has no parameter {unknown[0]!r}; known: {known}")
        return {name: _read_one(self.code, name, kind, given.get(name)) for name, kind in self.parameters.items()}

    def missing_limit(self, scenario: Scenario, params: Params) -> str | None:
        """Return the JSON Pointer of the limit whose absence makes the clause not applicable, or None.

        The first of `needs` is the limit itself. Where it is declared and another is not, the clause applies
        and its law refuses the scenario: a declared limit whose input is missing is an error.
        """
        if not self.needs:
            return None
        need = self.needs[0]
        if need in PARTS:
            return None if getattr(scenario, need) else f"/{need}"
        limit = getattr(scenario.limits, need)
        absent = params.get(need) is None and (limit is None or limit is False)
        return f"/limits/{need}" if absent else None

    def sentence(self, finding: Finding) -> str:
        """Return the one sentence for a person, rendered from the evidence."""
        return render(self.says, left=finding.left, right=finding.right, where=finding.where, **finding.details)

    def page(self) -> str:
        """Return the manual page: the docstring of the module that holds the clause."""
        return inspect.getdoc(sys.modules[self.module]) or inspect.getdoc(self.law) or ""

    def source_file(self) -> str:
        """Return the path of the file that holds the law, for its digest."""
        return inspect.getfile(self.law)


def _the_parameters(scenario: Scenario, params: Params) -> Params:
    return params


def _read_one(code: str, name: str, kind: Parameter, value: Any) -> Any:
    if isinstance(kind, tuple):
        if value is None:
            return kind[0]
        if value in kind:
            return value
        raise ValueError(f"{code} parameter {name}: found {value!r}, expected one of {', '.join(kind)}")
    if not isinstance(kind, type):
        if value is None:
            return kind
        kind = type(kind)
    if value is None:
        return False if kind is bool else None
    if kind is Fraction and isinstance(value, str):
        return parse_decimal(value)
    if kind is not Fraction and type(value) is kind:
        return value
    expected = "a decimal string" if kind is Fraction else kind.__name__
    raise ValueError(f"{code} parameter {name}: found {value!r}, expected {expected}")


def predicate(
    *, code: str, name: str, says: str, needs: Sequence[str] = (),
    parameters: Mapping[str, Parameter] | None = None, terms: Terms | None = None, lexicon: bool = False,
    version: int = 1,
) -> Callable[[Law], Predicate]:
    """Make a clause of a function; the arguments are those of `Predicate`."""

    def wrap(law: Law) -> Predicate:
        return Predicate(law, code=code, name=name, says=says, needs=needs, parameters=parameters, terms=terms,
                         lexicon=lexicon, version=version)

    return wrap
