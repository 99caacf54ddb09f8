"""Many actions at once: the columns say what the law says."""

import pytest

from predicates.catalogue import shipped
from predicates.registry import Predicate
from predicates.testkit import check_faces
from verifier.columns import fails_by_columns

TABLE_1 = ("COST01", "COST02", "GRND01", "LIM01", "LIM02", "LIM03", "LIM04", "UNIV01", "UNIV02")


@pytest.mark.parametrize("clause", [shipped()[code] for code in TABLE_1], ids=lambda clause: clause.code)
def test_columns_and_law_agree(clause: Predicate) -> None:
    assert check_faces(clause, columns=fails_by_columns, seed=5, n=6000) == []
