"""Who said what, in order, and where findings point."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.exports.review import Finding, Review
from verifier.exports.spans import Part, conversation, marked


def a_finding(code: str, start: int | None, end: int | None, where: str = "/turns/0/message") -> Finding:
    details = {name: value for name, value in (("start", start), ("end", end)) if value is not None}
    return Finding(code, "violation", where, "", "", {"details": details})


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        pytest.param([], [Part("保证赚🚀 ok")], id="nothing marked"),
        pytest.param([(0, 3)], [Part("保证赚", ("A0",)), Part("🚀 ok")], id="at the beginning, in code points"),
        pytest.param([(5, 7)], [Part("保证赚🚀 "), Part("ok", ("A0",))], id="at the end"),
        pytest.param(
            [(0, 3), (2, 4)],
            [Part("保证", ("A0",)), Part("赚", ("A0", "A1")), Part("🚀", ("A1",)), Part(" ok")], id="overlapping",
        ),
        pytest.param([(None, None), (3, 99), (2, 2)], [Part("保证赚🚀 ok")], id="no span, beyond the text, empty"),
    ],
)
def test_boundary(spans: list[tuple[int | None, int | None]], expected: list[Part]) -> None:
    found = [a_finding(f"A{index}", *span) for index, span in enumerate(spans)]

    assert list(marked("保证赚🚀 ok", found)) == expected


@given(st.text(max_size=20), st.lists(st.tuples(st.integers(-1, 21), st.integers(-1, 21)), max_size=4))
def test_marking_loses_nothing(text: str, spans: list[tuple[int, int]]) -> None:
    parts = marked(text, [a_finding("A", *span) for span in spans])

    assert "".join(part.text for part in parts) == text


def test_replies_stand_behind_the_turn_that_they_answer(hostile: Review) -> None:
    case = hostile.cases[3]

    assert [(one.speaker, one.turn) for one in conversation(case)] == [
        ("client", 1), ("advisor", 1), ("advisor", 2), ("client", 3), ("advisor", 3)
    ]


def test_spans_of_a_turn_are_marked_in_it(hostile: Review) -> None:
    case = hostile.cases[9]._replace(findings=(a_finding("COND01", 0, 2, "/turns/1/message"),))
    said = [one.parts[0] for one in conversation(case) if one.speaker == "advisor"]

    assert [part.codes for part in said] == [(), (), ("COND01",)]
    assert said[-1].text == "to"


def test_an_unread_answer_is_shown_as_it_was_sent(hostile: Review) -> None:
    case = next(case for case in hostile.cases if case.action is None)

    assert conversation(case)[0].parts == (Part(case.answers[0].text),)
