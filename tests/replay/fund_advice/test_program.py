"""A program as an advisor: each way to fail is a recorded failure, and the next request is answered."""

import json
import sys
import time
from collections.abc import Sequence

import pytest

from replay.environments.fund_advice.advisors import Reply, ask
from replay.environments.fund_advice.program import Program
from replay.environments.fund_advice.request import request_bytes
from scenarios.errors import ScenarioError
from tests.replay.fund_advice.consultations import some_facts

LOOP = "import json, os, sys, time\nfor line in sys.stdin:\n    request = json.loads(line)\n    "


def a_program(body: str, **options: int) -> Program:
    """Return a program that runs a statement for each request."""
    return Program("test", (sys.executable, "-u", "-c", LOOP + body), **{"timeout_s": 10, **options})


def replies(program: Program, seeds: Sequence[int] = (1, 2)) -> list[Reply]:
    """Return what a program replies to a few requests."""
    with program:
        return [ask(program, request_bytes(some_facts(seed), [])) for seed in seeds]


def test_a_program_answers_line_by_line() -> None:
    found = replies(a_program("print(json.dumps({'message': str(request['session'])}))"))

    assert [json.loads(reply.answer or b"")["message"] for reply in found] == [
        str(some_facts(seed)["session"]) for seed in (1, 2)]


def test_null_says_nothing() -> None:
    assert replies(a_program("print('null')")) == [Reply(None), Reply(None)]


@pytest.mark.parametrize(
    ("body", "failure"),
    [
        pytest.param("sys.exit(3)", "crash: ended with exit code 3 before its answer", id="ends"),
        pytest.param("print('half', end=''); sys.exit(0)", "crash: ended with exit code 0 within its answer", id="cut"),
        pytest.param("raise ValueError('no model')",
                     "crash: ended with exit code 1 before its answer: ValueError: no model", id="raises"),
        pytest.param("os.kill(os.getpid(), 9)", "crash: was ended by signal 9 before its answer", id="killed"),
        pytest.param("print()", "empty: answered an empty line", id="says an empty line"),
        pytest.param("print('x' * 5_000_000)", "oversize: answered more than 65536 bytes", id="says megabytes"),
        pytest.param("print('a\\nb')", "garbled: answered more than one line to one request", id="says two lines"),
        pytest.param("sys.stdout.buffer.write(b'\\xff\\n')", "garbled: byte 0 of the answer is no UTF-8",
                     id="no UTF-8"),
    ],
)
def test_a_failure_is_a_reply_and_the_next_request_is_asked(body: str, failure: str) -> None:
    assert replies(a_program(body)) == [Reply(None, failure), Reply(None, failure)]


def test_only_the_first_answer_fails() -> None:
    first = some_facts(1)["session"]
    found = replies(a_program(f"sys.exit(3) if request['session'] == {first} else print('fine')"), (1, 2, 3))

    assert [reply.answer for reply in found] == [None, b"fine", b"fine"]


def test_a_program_that_starts_is_ended_again_and_asked_later() -> None:
    program = a_program("print('fine')")
    program.try_start()

    assert program._process is None
    assert replies(program, (1,)) == [Reply(b"fine")]


def test_silence_is_a_timeout() -> None:
    begun = time.monotonic()
    found = replies(a_program("time.sleep(60)", timeout_s=1), (1,))

    assert found == [Reply(None, "timeout: no answer within 1 s")]
    assert time.monotonic() - begun < 10


def test_a_late_answer_is_not_taken_for_the_next() -> None:
    late = some_facts(1)["session"]
    body = f"time.sleep(1.5 if request['session'] == {late} else 0); print(request['session'])"
    found = replies(a_program(body, timeout_s=1), (1, 2))

    assert found == [Reply(None, "timeout: no answer within 1 s"), Reply(str(some_facts(2)["session"]).encode())]


def test_a_closed_output_does_not_hang() -> None:
    found = replies(a_program("os.close(1); time.sleep(60)"), (1,))

    assert found == [Reply(None, "crash: closed its output before its answer")]


def test_a_program_that_never_reads_is_a_timeout() -> None:
    program = Program("deaf", (sys.executable, "-c", "import time; time.sleep(60)"), timeout_s=1)
    facts = some_facts(1)
    with program:
        reply = ask(program, request_bytes(facts, [("client", "x" * 2_000_000)]))

    assert reply == Reply(None, "timeout: no answer within 1 s")


def test_a_program_inherits_path_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "not for you")
    body = ("print(json.dumps([sorted(set(os.environ) - {'LC_CTYPE'}), "
            "[int(one) for one in os.listdir('/proc/self/fd') if int(one) < 64]]))")
    (found,) = replies(a_program(body), (1,))

    names, files = json.loads(found.answer or b"")
    assert names == ["PATH"]
    assert set(files) <= {0, 1, 2, 3}


def test_a_program_finds_nothing_of_the_mind() -> None:
    """The peeking stressor as a program of its own: there is nothing to walk to but its own module."""
    code = ("import sys\nfrom replay.environments.fund_advice.advisors import PeekingAdvisor\nmind = None\n"
            "for line in sys.stdin:\n    print(PeekingAdvisor().answer(line.encode()).decode())\n")
    program = Program("peeking", (sys.executable, "-u", "-c", code), timeout_s=30)
    belief = {"mind": 7_000}
    (reply,) = replies(program, (1,))

    assert belief and reply.answer is not None
    assert "Mind" not in reply.answer.decode()
    assert "Accounts" not in reply.answer.decode()


def test_a_program_that_cannot_be_started_is_named() -> None:
    with pytest.raises(ScenarioError, match="/no/such/program cannot be started"):
        Program("x", ("/no/such/program",)).answer(b"{}")
    with pytest.raises(ScenarioError, match="no program is named"):
        Program("x", ())
