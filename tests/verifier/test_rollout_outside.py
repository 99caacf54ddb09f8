"""Advisors outside this process: whatever a program or a model does is recorded once, judged, and replayed unasked."""

import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from scenarios.errors import ScenarioError
from tests.verifier.test_rollouts import files, inputs, lines
from verifier import tasks
from verifier.replaying import replay
from verifier.rollouts import answered, known_advisors, rollout
from verifier.tasks import Inputs

PROGRAM = """
import json, os, sys, time
for line in sys.stdin:
    request = json.loads(line)
    with open({calls!r}, "a") as file:
        file.write(request["day"] + "\\n")
    {body}
    sys.stdout.flush()
"""
WORDS = "print('Keep your cash; prices may fall and nobody knows when.')"


def program(folder: Path, body: str) -> str:
    """Return --advisor for a program that writes down every request's day and does this for it."""
    script = folder / "advisor.py"
    script.write_text(PROGRAM.format(calls=str(folder / "calls"), body=body))
    return f"mine={sys.executable} {script}"


def calls(folder: Path) -> list[str]:
    return (folder / "calls").read_text().splitlines()


def with_program(folder: Path, body: str, timeout_s: int = 10) -> Any:
    advisors = known_advisors(("no-advisor", program(folder, body)), timeout_s=timeout_s)
    return inputs(end="2021-03-31")._replace(advisors=advisors)


@pytest.mark.parametrize(
    ("body", "failure"),
    [
        pytest.param(WORDS, None, id="answers"),
        pytest.param("time.sleep(60)", "failed: timeout: ", id="times out"),
        pytest.param("sys.exit(3)", "failed: crash: ended with exit code 3", id="crashes"),
        pytest.param("print()", "failed: empty: ", id="sends nothing"),
        pytest.param("print('x' * 5_000_000)", "failed: oversize: ", id="sends megabytes"),
        pytest.param("print('x' * 601)", "failed: oversize: more than 600 characters", id="says too much"),
    ],
)
def test_what_a_program_does_is_recorded_and_replayed_unasked(
    tmp_path: Path, body: str, failure: str | None
) -> None:
    rollout(with_program(tmp_path, body, timeout_s=1 if "sleep" in body else 10), tmp_path / "x")
    answers, asked = lines(tmp_path / "x", "mine/1", "answers.jsonl"), calls(tmp_path)

    assert answers and len(asked) == len(answers)
    for one in answers:
        assert bool(one["text"]) is (failure is None)
        assert (one.get("finish_reason") or "").startswith(failure or "")
    assert replay(tmp_path / "x").difference is None
    assert calls(tmp_path) == asked
    assert not (tmp_path / "x" / tasks.ASKED).exists()


def test_a_killed_rollout_asks_nothing_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "whole").mkdir()
    rollout(with_program(tmp_path / "whole", WORDS), tmp_path / "whole" / "x")
    folder = tmp_path / "cut"
    folder.mkdir()
    given = with_program(folder, WORDS)

    run_tasks = tasks.run_tasks

    def dies(given: Inputs, advisor: str, *more: Any) -> Any:
        done = run_tasks(given, advisor, *more)
        if advisor == "mine":
            raise KeyboardInterrupt
        return done

    with monkeypatch.context() as patch:
        patch.setattr(tasks, "run_tasks", dies)
        with pytest.raises(KeyboardInterrupt):
            rollout(given, folder / "x")
    before = calls(folder)
    rollout(given, folder / "x")

    assert before and calls(folder) == before
    assert files(folder / "x") == files(tmp_path / "whole" / "x")


def test_a_program_that_cannot_be_started_is_an_error(tmp_path: Path) -> None:
    given = inputs()._replace(advisors=known_advisors(("no-advisor", "mine=/no/such/program")))

    with pytest.raises(ScenarioError, match="/no/such/program cannot be started"):
        rollout(given, tmp_path / "x")
    assert not (tmp_path / "x").exists()


def test_failed_answers_are_counted_by_kind(tmp_path: Path) -> None:
    sometimes = f"{WORDS} if 'calls' not in globals() else print(); calls = 1"
    manifest = rollout(with_program(tmp_path, sometimes), tmp_path / "x")
    none, mine = (answered(tmp_path / "x", task) for task in manifest.tasks)

    assert (none.asked, none.failed) == (len(lines(tmp_path / "x", "no-advisor/1", "answers.jsonl")), {})
    assert mine.asked == len(calls(tmp_path)) > 1
    assert mine.failed == {"empty": mine.asked - 1}


@pytest.mark.parametrize(
    ("name", "complaint"),
    [("redline=cat", "is a rule"), ("A b=cat", "is no id"), ("../up=cat", "is no id"), ("x" * 41 + "=cat", "is no id"),
     ("mine=", "no program"), ("mine='", "cannot be read"),
     ("nobody", "found 'nobody'; choose one of no-advisor, .* or give NAME=COMMAND for a program, or the folder of ")],
)
def test_a_name_that_cannot_be_used_is_refused(name: str, complaint: str) -> None:
    with pytest.raises(ScenarioError, match=complaint):
        known_advisors((name,))


def test_an_advisor_is_named_once() -> None:
    with pytest.raises(ScenarioError, match="named twice"):
        known_advisors(("mine=cat", "mine=dog"))


class _Model(BaseHTTPRequestHandler):
    asked: list[dict[str, Any]] = []  # noqa: RUF012
    fails = False

    def do_POST(self) -> None:
        self.asked.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        words = f"Keep your cash; prices may fall. Note {len(self.asked)}."  # never the same answer twice
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": words}}
        reply = json.dumps({"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice],
                            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}).encode()
        self.send_response(400 if self.fails else 200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, format: str, *args: Any) -> None:
        """Stay silent."""


@pytest.fixture
def endpoint() -> Iterator[dict[str, Any]]:
    pytest.importorskip("openai")
    _Model.asked, _Model.fails = [], False
    with ThreadingHTTPServer(("127.0.0.1", 0), _Model) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield {"base_url": f"http://127.0.0.1:{server.server_port}/v1", "model": "m", "temperature": None,
               "max_tokens": 100, "timeout_s": 5}
        server.shutdown()
        thread.join()


def test_a_model_is_asked_once_and_replayed_unasked(endpoint: dict[str, Any], tmp_path: Path) -> None:
    given = inputs(end="2021-03-31")._replace(advisors=known_advisors(("no-advisor", "a-model"), endpoint))
    rollout(given, tmp_path / "x")
    answers, asked = lines(tmp_path / "x", "a-model/1", "answers.jsonl"), len(_Model.asked)

    assert asked == len(answers) and {one["model"] for one in _Model.asked} == {"m"}
    assert [one["text"] for one in answers][-1].startswith("Keep your cash")
    assert {one["seed"] for one in _Model.asked} == {7}
    assert replay(tmp_path / "x").difference is None
    assert len(_Model.asked) == asked


def test_a_model_that_fails_is_recorded(endpoint: dict[str, Any], tmp_path: Path) -> None:
    _Model.fails = True
    rollout(inputs(end="2021-03-31")._replace(advisors=known_advisors(("a-model",), endpoint)), tmp_path / "x")

    reasons = {one["finish_reason"] for one in lines(tmp_path / "x", "a-model/1", "answers.jsonl")}
    assert reasons and all(reason.startswith("failed: endpoint") for reason in reasons)
