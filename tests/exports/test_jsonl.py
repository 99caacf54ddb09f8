"""JSON Lines: every line canonical and in its published form, every text as it was sent."""

import json

import jsonschema
import pytest

from scenarios.canonical import canonical_bytes
from scenarios.records import schema_text
from tests.exports.runs import HOSTILE
from verifier.exports.jsonl import lines_bytes
from verifier.exports.review import Review


@pytest.mark.parametrize("which", ["review", "hostile"])
def test_every_line_follows_its_schema(which: str, request: pytest.FixtureRequest) -> None:
    validators = {kind: jsonschema.Draft202012Validator(json.loads(schema_text(f"review-{kind}")))
                  for kind in ("run", "scenario", "case")}
    kinds = []
    for line in lines_bytes(request.getfixturevalue(which)).splitlines():
        record = json.loads(line)
        kinds.append(record["kind"])
        validators[record["kind"]].validate(record)
        assert canonical_bytes(record) == line
    assert kinds == sorted(kinds, key=["run", "scenario", "case"].index)
    assert set(kinds) == set(validators)


def test_a_schema_refuses_what_is_not_published(review: Review) -> None:
    case = json.loads(lines_bytes(review).splitlines()[-1])
    validator = jsonschema.Draft202012Validator(json.loads(schema_text("review-case")))

    assert not validator.is_valid({**case, "extra": 1})
    assert not validator.is_valid({name: value for name, value in case.items() if name != "clauses"})


def test_every_line_names_the_run(review: Review) -> None:
    head, *rest = map(json.loads, lines_bytes(review).splitlines())

    assert head["digest"] == review.digest
    assert {record["run_digest"] for record in rest} == {review.digest}
    assert len(rest) == 3 + len(review.cases)


def test_texts_stand_as_they_were_sent(hostile: Review) -> None:
    records = map(json.loads, lines_bytes(hostile).splitlines())
    sent = [answer["text"] for record in records if record["kind"] == "case" and record["scenario"] == "plain-1"
            for answer in record["answers"]]

    assert sent == [*HOSTILE.values(), "long " * 200_000]
