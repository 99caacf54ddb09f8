"""Half a character in an answer: kept as it was sent, from the stored line to the seal, and refused elsewhere."""

import json
from pathlib import Path

import pytest

from scenarios.canonical import canonical_bytes
from scenarios.errors import ReplayError, SealError
from scenarios.files import read_answer
from scenarios.freeze import freeze_answers
from scenarios.load import load_answers
from scenarios.types import Answer
from tests.exports.runs import a_bank, an_episode

SENT = "I gua\ud800rantee \udfffit."
LINE = rb'{"run":1,"scenario":"episode-1","text":"I gua\ud800rantee \udfffit.","truncated":false,"turn":1}'


def test_a_stored_line_is_kept_byte_for_byte() -> None:
    answer = read_answer(LINE, "answers.jsonl line 1")

    assert answer.text == SENT
    assert canonical_bytes(answer.record()) == LINE


@pytest.mark.parametrize(
    ("line", "error", "says"),
    [
        (LINE.replace(rb"\ud800", rb"\uD800"), ReplayError, "surrogate"),
        (LINE.replace(b'"run":1', b'"run":"1"'), ReplayError, "#/run"),
        (LINE.replace(b'"run"', rb'"\ud800":1,"run"'), ReplayError, "surrogate"),
        (LINE.replace(rb"\ud800", rb"\\ud800").replace(rb"\udfff", b" \xff"), ReplayError, "not JSON"),
        (LINE.replace(rb"\ud800", rb"\ud83d\ude00").replace(rb"\udfff", b""), SealError, "canonical"),
    ],
    ids=["an escape in capitals", "a wrong member", "in a key", "not UTF-8", "a pair that is escaped"],
)
def test_a_line_that_does_not_hold(line: bytes, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        read_answer(line, "answers.jsonl line 1")


def test_answers_are_sealed_and_loaded(tmp_path: Path) -> None:
    """However the half was escaped, and beside an answer of plain text."""
    bank = a_bank(tmp_path / "bank", [an_episode()])
    folder = tmp_path / "advisor"
    folder.mkdir()
    (folder / "advisor.json").write_text(json.dumps({"format": "advisor/1", "id": "advisor"}))
    spelled = LINE.replace(rb"\ud800", rb"\uD800").replace(b'"run":1,', b'"run": 1, ')
    (folder / "answers.jsonl").write_bytes(spelled + b"\n" + spelled.replace(b'"turn":1', b'"turn":3') + b"\n")
    freeze_answers(folder, bank)
    (stored, _), = load_answers(folder, bank).by_run.values()

    assert (stored.line, stored.answer) == (LINE, Answer(scenario="episode-1", run=1, turn=1, text=SENT))
