"""The rows of every clause say what its law says, on random cases at the limits and a cent beside them."""

import pytest

from predicates.catalogue import shipped
from predicates.registry import Predicate
from predicates.testkit import check_faces
from tests.predicates.fixed_plan import satisfies

CLAUSES = [clause for clause in shipped().values() if clause.constraints_face is not None]


@pytest.mark.parametrize("clause", CLAUSES, ids=lambda clause: clause.code)
def test_rows_and_law_agree(clause: Predicate) -> None:
    assert check_faces(clause, plan=satisfies, seed=3, n=300) == []


def test_every_clause_about_orders_has_rows() -> None:
    without = {code for code, clause in shipped().items() if clause.constraints_face is None}
    about_words = {code for code, clause in shipped().items() if clause.lexicon}

    assert without == {"GRND01", "GRND02", "SUIT01"} | about_words
