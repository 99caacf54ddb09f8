"""An advisor that is a program: one request a line on its standard input, one answer a line on its standard output.

    {"message": "..."}     with "orders" where it has some     null: says nothing     "text": a message

The program is started at the first request and keeps running; before a rollout writes anything it is started once and
ended, so that one that cannot be started is found then. It gets the request and nothing else: of our environment
only PATH, no open file but its three streams, its own session. Whatever goes wrong is an `AdvisorFailure` with its
kind (timeout, crash, empty, oversize, garbled); a program that failed so is ended and started afresh for the next
request, so that no answer is ever taken for another's. What the operating system lets one user's programs see of each
other, it lets this one see too; run it as another user, or in a container, where that matters.
"""

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType
from typing import IO, cast

from replay.environments.fund_advice.advisors import AdvisorFailure
from scenarios.errors import ScenarioError

MOST_BYTES = 65_536
"""The longest answer line that is taken, its newline left out."""

TIMEOUT_S = 30
STDERR_BYTES = 400
_CHUNK = 65_536


class Program:
    """Asks a program that speaks JSON lines.

    Args:
        id: names the advisor in records.
        command: the program and its arguments; a relative path is taken from the current folder.
        timeout_s: seconds for one answer.
        most_bytes: of one answer.
    """

    def __init__(self, id: str, command: Sequence[str], *, timeout_s: int = TIMEOUT_S,
                 most_bytes: int = MOST_BYTES) -> None:
        if not command:
            raise ScenarioError(f"advisor {id}", "no program is named", "give its command")
        self.id = id
        self.command = tuple(command)
        self.timeout_s = timeout_s
        self.most_bytes = most_bytes
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> "Program":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def answer(self, request: bytes) -> bytes | None:
        """Return the program's answer line, without its newline; None for null.

        Raises:
            AdvisorFailure: there is no such line, and why.
            ScenarioError: the program cannot be started.
        """
        process = self._running()
        try:
            line = self._exchange(process, request + b"\n")
        except AdvisorFailure:
            self.close()
            raise
        try:
            line.decode()
        except UnicodeDecodeError as error:
            raise AdvisorFailure("garbled", f"byte {error.start} of the answer is no UTF-8") from error
        if not line.strip():
            raise AdvisorFailure("empty", "answered an empty line")
        return None if line.strip() == b"null" else line

    def try_start(self) -> None:
        """Start the program and end it again, nothing asked.

        Raises:
            ScenarioError: the program cannot be started.
        """
        self._running()
        self.close()

    def close(self) -> None:
        """End the program and all it started."""
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(ProcessLookupError):  # it ended by itself, with all it started
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for stream in _streams(process):
            stream.close()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None and _exit_code(self._process) is not None:
            self.close()
        if self._process is None:
            try:
                self._process = subprocess.Popen(
                    self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
                    env={"PATH": os.environ.get("PATH", os.defpath)}, close_fds=True, start_new_session=True,
                )
            except OSError as error:
                raise ScenarioError(f"advisor {self.id}", f"{self.command[0]} cannot be started ({error.strerror})",
                                    "check the path, and that it is executable") from error
            for stream in _streams(self._process):
                os.set_blocking(stream.fileno(), False)
        return self._process

    def _exchange(self, process: "subprocess.Popen[bytes]", line: bytes) -> bytes:
        """Write the request and read one line, both before the deadline and within the size."""
        stdin, stdout, stderr = _streams(process)
        said, complaint = bytearray(), bytearray()
        left = memoryview(line)
        deadline = time.monotonic() + self.timeout_s
        with selectors.DefaultSelector() as selector:
            selector.register(stdin, selectors.EVENT_WRITE)
            selector.register(stdout, selectors.EVENT_READ)
            selector.register(stderr, selectors.EVENT_READ)
            while True:
                events = selector.select(max(0, deadline - time.monotonic()))
                if not events:
                    raise AdvisorFailure("timeout", f"no answer within {self.timeout_s} s{_note(complaint)}")
                for key, _ in events:
                    if key.fileobj is stdin:
                        try:
                            left = left[os.write(stdin.fileno(), left[:_CHUNK]) :]
                        except BrokenPipeError:
                            left = left[:0]
                        if not left:
                            selector.unregister(stdin)
                    elif key.fileobj is stderr:
                        chunk = os.read(stderr.fileno(), _CHUNK)
                        complaint = (complaint + chunk)[-STDERR_BYTES:]
                        if not chunk:
                            selector.unregister(stderr)
                    else:
                        chunk = os.read(stdout.fileno(), _CHUNK)
                        said += chunk
                        place = said.find(b"\n")
                        if place > self.most_bytes or (place < 0 and len(said) > self.most_bytes):
                            raise AdvisorFailure("oversize", f"answered more than {self.most_bytes} bytes")
                        if 0 <= place < len(said) - 1:
                            raise AdvisorFailure("garbled", "answered more than one line to one request")
                        if place >= 0:
                            return bytes(said[:place])
                        if not chunk:
                            raise _ended(process, said, complaint)


def _streams(process: "subprocess.Popen[bytes]") -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    return cast(tuple[IO[bytes], IO[bytes], IO[bytes]], (process.stdin, process.stdout, process.stderr))


def _exit_code(process: "subprocess.Popen[bytes]") -> int | None:
    """Return how a program ended, -N for signal N, or None; it is not reaped, so that its id stays its own."""
    ended = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    if ended is None:
        return None
    return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status


def _ended(process: "subprocess.Popen[bytes]", said: bytearray, complaint: bytearray) -> AdvisorFailure:
    patience = time.monotonic() + 1
    while (code := _exit_code(process)) is None and time.monotonic() < patience:
        time.sleep(0.005)
    how = ("closed its output" if code is None else
           f"ended with exit code {code}" if code >= 0 else f"was ended by signal {-code}")
    return AdvisorFailure("crash", f"{how} {'within' if said else 'before'} its answer{_note(complaint)}")


def _note(complaint: bytearray) -> str:
    last = complaint.decode(errors="replace").strip().splitlines()[-1:]
    return f": {last[0][:160]}" if last else ""
