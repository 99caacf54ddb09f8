"""Advisors that are asked once, recorded and frozen."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from replay.collect import Message
from replay.collect import Reply as Sent
from replay.environments.fund_advice.advisors import AdvisorFailure, Reply, ask
from replay.environments.fund_advice.endpoint import Endpoint, Recorded, conversation, read_recorded
from replay.environments.fund_advice.request import request_bytes
from scenarios.errors import AuditError, ReplayError
from tests.replay.fund_advice.consultations import some_facts


class Counting:
    """Says how often it was asked; fails every third time."""

    id = "counting"

    def __init__(self) -> None:
        self.asked = 0

    def answer(self, request: bytes) -> bytes | None:
        """Answer, or fail."""
        self.asked += 1
        if self.asked % 3 == 0:
            raise AdvisorFailure("timeout", "no answer within 5 s")
        return f"answer {self.asked} \u2028\"".encode()


REQUESTS = [request_bytes(some_facts(seed), [("client", "hi")]) for seed in range(5)]


def test_each_request_is_asked_once_and_frozen(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    counting = Counting()
    first = [ask(Recorded(counting, path), request) for request in REQUESTS]
    again = [ask(Recorded(counting, path), request) for request in REQUESTS]
    frozen = [ask(read_recorded("counting", path), request) for request in REQUESTS]

    assert counting.asked == 5
    assert first == again == frozen
    assert first[2] == Reply(None, "timeout: no answer within 5 s")


def test_a_cut_record_goes_on_where_it_stopped(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    recorded = Recorded(Counting(), path)
    whole = [ask(recorded, request) for request in REQUESTS[:2]]
    written = path.read_bytes()
    path.write_bytes(written[:-10])
    counting = Counting()
    counting.asked = 1

    assert [ask(Recorded(counting, path), request) for request in REQUESTS[:2]] == whole
    assert path.read_bytes() == written


@pytest.mark.parametrize(
    "line", [b"{}\n", b"[]\n", b"x\n", b'{"answer":3,"failure":"","request":"a"}\n',
             b'{"answer":null,"failure":"","request":"a"}\n' * 2],
)
def test_what_is_no_record_is_refused_with_its_line(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_bytes(line)

    with pytest.raises(AuditError, match=r"line [12]"):
        read_recorded("x", path)


class Model:
    """An endpoint that keeps what it was sent."""

    def __init__(self, *texts: str | ReplayError) -> None:
        self.texts = list(texts)
        self.sent: list[Sequence[Message]] = []

    def __call__(self, messages: Sequence[Message], schema: dict[str, Any] | None, seed: int | None) -> Sent:
        self.sent.append(messages)
        text = self.texts.pop(0)
        if isinstance(text, ReplayError):
            raise text
        return Sent(text, "stop", None, 5, "2026-01-01T00:00:00Z", "m")


def test_an_endpoint_is_sent_the_facts_and_the_dialogue() -> None:
    model = Model("Hold 990001.")
    request = request_bytes(some_facts(1), [("client", "a"), ("advisor", "b"), ("client", "c")])

    assert ask(Endpoint("m", model), request) == Reply(b"Hold 990001.")
    (sent,) = model.sent
    assert sent == conversation(request)
    assert [role for role, _ in sent] == ["user", "assistant", "user"]
    assert '"risk_profile"' in sent[0][1] and sent[0][1].endswith("\n\na") and sent[-1][1] == "c"


@pytest.mark.parametrize(
    ("said", "failure"),
    [(" \n", "empty: answered nothing (finish reason stop)"),
     (ReplayError("http://x", "APITimeoutError: slow", "check"), "endpoint: APITimeoutError: slow")],
)
def test_a_failing_endpoint_is_a_recorded_failure(tmp_path: Path, said: str | ReplayError, failure: str) -> None:
    recorded = Recorded(Endpoint("m", Model(said)), tmp_path / "a.jsonl")

    assert ask(recorded, REQUESTS[0]) == ask(recorded, REQUESTS[0]) == Reply(None, failure)
