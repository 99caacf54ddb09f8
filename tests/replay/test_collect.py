"""Collection: every answer stored as it was sent, nothing asked twice, nothing judged."""

import json
import threading
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from replay.collect import PARTIAL, Collection, Message, Reply, collect, openai_endpoint
from replay.judging import episodes_of, judge_prompt
from replay.prompts import ARMS, answer_schema, prompt_of
from scenarios.canonical import sha256
from scenarios.errors import ReplayError, ScenarioError
from scenarios.load import SHIPPED, Bank, load_answers, load_bank
from scenarios.types import Usage


@pytest.fixture(scope="module")
def bank() -> Bank:
    return load_bank(SHIPPED / "pilots-1")


def a_collection(bank: Bank, **members: Any) -> Collection:
    defaults: dict[str, Any] = {
        "name": "me", "bank": bank, "scenarios": tuple(bank.scenarios), "runs": 2, "arm": "bare", "constrained": False,
        "seed": 7, "provider": "test", "model": "m", "configuration": {"max_tokens": 9},
    }
    return Collection(**{**defaults, **members})


class Endpoint:
    """Answers with the number of the request; fails from request `fails_from` on."""

    def __init__(self, fails_from: int = 10**9) -> None:
        self.asked: list[tuple[str, bool, int | None]] = []
        self.fails_from = fails_from

    def __call__(self, messages: Sequence[Message], schema: dict[str, Any] | None, seed: int | None) -> Reply:
        if len(self.asked) >= self.fails_from:
            raise ReplayError("http://127.0.0.1", "gone", "try again")
        self.asked.append((messages[-1][1], schema is not None, seed))
        return Reply(
            f"  raw\u2028 {len(self.asked)} ",
            "length",
            Usage(prompt_tokens=1, completion_tokens=2, total_tokens=3),
            12,
            "2026-01-02T03:04:05Z",
            None,
        )


def quiet(stored: int, planned: int) -> None:
    assert stored <= planned


def test_what_was_sent_is_stored_untouched(bank: Bank, tmp_path: Path) -> None:
    collect(a_collection(bank), Endpoint(), tmp_path / "me", quiet)
    answers = load_answers(tmp_path / "me", bank)
    first = answers.by_run["pilot-fact-hallucination", 1][0].answer

    assert len(answers.by_run) == 6
    assert first.text == "  raw\u2028 1 "
    assert first.prompt == prompt_of(bank.scenarios["pilot-fact-hallucination"])
    assert first.prompt_sha256 == sha256(first.prompt.encode())
    assert (first.finish_reason, first.truncated, first.latency_ms, first.seed) == ("length", True, 12, 7)
    assert first.usage == Usage(prompt_tokens=1, completion_tokens=2, total_tokens=3)
    assert not (tmp_path / "me" / PARTIAL).exists()


def test_half_a_character_is_stored_and_sent_on_as_a_replacement(tmp_path: Path) -> None:
    """What came is kept; what goes out, and to a model judge, must be UTF-8."""
    bank = load_bank(SHIPPED / "conduct-1")
    sent: list[Sequence[Message]] = []

    def ask(messages: Sequence[Message], schema: dict[str, Any] | None, seed: int | None) -> Reply:
        sent.append(messages)
        return Reply("Wait \ud83d", "stop", None, 12, "2026-01-02T03:04:05Z", None)

    collect(a_collection(bank, scenarios=("hostile-html",), runs=1), ask, tmp_path / "me", quiet)
    answers = load_answers(tmp_path / "me", bank)
    (episode,) = episodes_of(bank, [answers])

    assert [one.answer.text for one in answers.by_run["hostile-html", 1]] == ["Wait \ud83d"] * 2
    assert ("assistant", "Wait \ufffd") in sent[1]
    assert "Advisor: Wait \ufffd\n" in judge_prompt(episode, "rubric")


@pytest.mark.parametrize("cut", [0, 3])
def test_an_interrupted_collection_asks_nothing_twice(bank: Bank, tmp_path: Path, cut: int) -> None:
    """After a failure, or a line that was cut while it was written, only what is not stored is asked."""
    first = Endpoint(fails_from=4)
    with pytest.raises(ReplayError):
        collect(a_collection(bank), first, tmp_path / "me", quiet)
    partial = tmp_path / "me" / PARTIAL
    if cut:
        partial.write_bytes(partial.read_bytes()[:-cut])
    second = Endpoint()
    collect(a_collection(bank), second, tmp_path / "me", quiet)

    assert len(first.asked) == 4
    assert len(second.asked) == 2 + (1 if cut else 0)
    assert len(load_answers(tmp_path / "me", bank).by_run) == 6


def test_another_configuration_does_not_go_on(bank: Bank, tmp_path: Path) -> None:
    with pytest.raises(ReplayError):
        collect(a_collection(bank), Endpoint(fails_from=1), tmp_path / "me", quiet)

    with pytest.raises(ScenarioError, match="another configuration"):
        collect(a_collection(bank, arm="rules"), Endpoint(), tmp_path / "me", quiet)


def test_a_finished_collection_is_left_alone(bank: Bank, tmp_path: Path) -> None:
    collect(a_collection(bank), Endpoint(), tmp_path / "me", quiet)
    with pytest.raises(ScenarioError, match="finished"):
        collect(a_collection(bank), Endpoint(), tmp_path / "me", quiet)


def test_runs_differ_in_seed_and_in_nothing_else(bank: Bank, tmp_path: Path) -> None:
    endpoint = Endpoint()
    collect(a_collection(bank, constrained=True), endpoint, tmp_path / "me", quiet)

    for one, two in zip(endpoint.asked[::2], endpoint.asked[1::2], strict=True):
        assert (one[0], one[1]) == (two[0], two[1])
        assert (one[2], two[2]) == (7, 8)


@pytest.mark.parametrize("arm", ARMS)
def test_the_prompt_never_names_id_or_category(arm: str) -> None:
    for scenario in load_bank(SHIPPED / "bank-1").scenarios.values():
        prompt = prompt_of(scenario, arm)
        assert scenario.id not in prompt
        assert scenario.category not in prompt
        assert prompt == prompt_of(scenario.model_copy(update={"id": "x", "category": "y"}), arm)
        for fact in scenario.facts:
            assert fact.id in prompt


def test_the_schema_lists_what_may_be_named(bank: Bank) -> None:
    scenario = bank.scenarios["pilot-fact-hallucination"]
    schema = answer_schema(scenario)

    assert schema["properties"]["orders"]["items"]["properties"]["instrument"]["enum"] == list(scenario.universe)
    assert schema["properties"]["citations"]["items"]["enum"] == [fact.id for fact in scenario.facts]


class _Handler(BaseHTTPRequestHandler):
    requests: list[dict[str, Any]] = []  # noqa: RUF012

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.requests.append(body)
        reply = json.dumps(
            {
                "id": "1",
                "object": "chat.completion",
                "created": 1,
                "model": "served",
                "choices": [
                    {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": '{"orders": []}'}}
                ],
                "usage": {"prompt_tokens": 5, "completion_tokens": 6, "total_tokens": 11},
            }
        ).encode()
        self.send_response(200 if len(self.requests) < 3 else 400)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, format: str, *args: Any) -> None:
        """Stay silent."""


@pytest.fixture
def server() -> Iterator[str]:
    _Handler.requests = []
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as httpd:
        thread = threading.Thread(target=httpd.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{httpd.server_port}/v1"
        httpd.shutdown()
        thread.join()


def test_the_official_client_against_a_real_socket(server: str) -> None:
    pytest.importorskip("openai")
    ask = openai_endpoint(server, "m", "0.7", 9, 5)
    reply = ask([("user", "hello")], {"type": "object"}, 3)

    assert (reply.text, reply.finish_reason) == ('{"orders": []}', "stop")
    assert reply.usage == Usage(prompt_tokens=5, completion_tokens=6, total_tokens=11)
    sent = _Handler.requests[0]
    assert sent["messages"] == [{"role": "user", "content": "hello"}]
    assert (sent["model"], sent["max_tokens"], sent["temperature"], sent["seed"]) == ("m", 9, 0.7, 3)
    assert sent["response_format"]["json_schema"]["schema"] == {"type": "object"}

    ask([("user", "again")], None, None)
    assert "response_format" not in _Handler.requests[1]
    assert "seed" not in _Handler.requests[1]
    with pytest.raises(ReplayError, match="stored answers are kept"):
        ask([("user", "refused")], None, None)
