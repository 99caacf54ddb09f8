"""A finding is data, however it is made."""

from predicates.findings import Finding, finding_of, violation


def test_the_short_ways_make_the_same_finding() -> None:
    members = ("UNIV01", "violation", "/orders/0", 1, "<=", 2, "cents", ("/fees",), {"over": 1})
    found = Finding(*members)

    assert (finding_of(members), type(finding_of(members))) == (found, Finding)
    assert found == violation(
        "UNIV01", where="/orders/0", left=1, op="<=", right=2, unit="cents", reads=("/fees",), over=1
    )
