"""Advisors that cannot be computed again: asked once, recorded as they answer, frozen for every replay.

`Recorded` stands before an advisor and writes each request's digest and reply as one line, synced, before anybody sees
the reply; asked again, also after an interruption, it answers from the file. `read_recorded` turns that file into
`FrozenMessages`. `Endpoint` asks an OpenAI-compatible server through the client of `replay.collect`, with the same
instruction, request and budget for every model. Source: seed paper 000, appendix H.2 and H.3.
"""

import os
from pathlib import Path
from typing import Any

import orjson

from replay.collect import Ask, Message
from replay.environments.fund_advice.advisors import (
    MOST_CHARACTERS,
    Advisor,
    AdvisorFailure,
    FrozenMessages,
    Reply,
    request_key,
)
from scenarios.canonical import canonical_bytes
from scenarios.errors import ReplayError, ScenarioError
from scenarios.files import read_file, read_lines
from scenarios.json_exact import read_json

INSTRUCTION = (
    "You advise a retail client on funds. The JSON below is all that is known: market, account, holdings, the funds on "
    "offer, and the client with constraints; shares are ratios, amounts are cents of yuan. Answer the client's last "
    f"words in at most {MOST_CHARACTERS} characters, in the client's language. Use only what is given."
)


class Endpoint:
    """Asks a model behind an OpenAI-compatible endpoint.

    Args:
        id: names the advisor in records.
        ask: as `replay.collect.openai_endpoint` returns it.
        seed: sent with every request, where the server takes one.
    """

    def __init__(self, id: str, ask: Ask, seed: int | None = None) -> None:
        self.id = id
        self.ask = ask
        self.seed = seed

    def answer(self, request: bytes) -> bytes | None:
        """Return the model's words.

        Raises:
            AdvisorFailure: the endpoint failed, or answered nothing.
        """
        try:
            reply = self.ask(conversation(request), None, self.seed)
        except ReplayError as error:
            raise AdvisorFailure("endpoint", error.what) from error
        if not reply.text.strip():
            raise AdvisorFailure("empty", f"answered nothing (finish reason {reply.finish_reason})")
        return reply.text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def conversation(request: bytes) -> list[Message]:
    """Return the messages of a request: the facts first, then what was said, as client and advisor took turns."""
    members: dict[str, Any] = orjson.loads(request)
    dialogue = members.pop("dialogue")
    spoken: list[Message] = [("user", f"{INSTRUCTION}\n\n{canonical_bytes(members).decode()}")]
    for one in dialogue:
        role = "user" if one["speaker"] == "client" else "assistant"
        if spoken[-1][0] == role:
            spoken[-1] = (role, f"{spoken[-1][1]}\n\n{one['text']}")
        else:
            spoken.append((role, one["text"]))
    return spoken


class Recorded:
    """Records what an advisor answers, and asks it each request only once.

    Args:
        advisor: whose answers are recorded.
        path: of the record; what an interruption cut off in its last line is asked again.

    Raises:
        ReplayError, ScenarioError: the file is no such record, or cannot be read.
    """

    def __init__(self, advisor: Advisor, path: Path) -> None:
        self.id = advisor.id
        self.advisor = advisor
        self.path = path
        self.replies: dict[str, Reply] = {}
        if path.exists():
            raw = read_file(path)
            whole = raw[: raw.rfind(b"\n") + 1]
            self.replies = _read(whole, str(path))
            if whole != raw:
                os.truncate(path, len(whole))

    def answer(self, request: bytes) -> bytes | None:
        """Return the recorded answer, or ask and record.

        Raises:
            AdvisorFailure: the advisor failed, now or when it was recorded.
            ReplayError: the record cannot be written.
        """
        key = request_key(request)
        if key not in self.replies:
            try:
                reply = Reply(self.advisor.answer(request))
            except AdvisorFailure as failure:
                reply = Reply(None, str(failure))
            self._append(key, reply)
            self.replies[key] = reply
        return FrozenMessages(self.id, self.replies.get).answer(request)

    def _append(self, key: str, reply: Reply) -> None:
        text = None if reply.answer is None else reply.answer.decode()
        line = canonical_bytes({"request": key, "answer": text, "failure": reply.failure}) + b"\n"
        try:
            with self.path.open("ab") as file:
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise ReplayError(str(self.path), f"cannot be written ({error.strerror})",
                              "check the free space, then go on") from error


def read_recorded(id: str, path: Path) -> FrozenMessages:
    """Return the frozen advisor of a record.

    Raises:
        ReplayError, ScenarioError: the file cannot be read, or a line is no record; the message names the line.
    """
    return FrozenMessages(id, _read(read_file(path), str(path)).get)


def _read(raw: bytes, where: str) -> dict[str, Reply]:
    replies: dict[str, Reply] = {}
    for number, line in read_lines(raw, where):
        place = f"{where} line {number}"
        members = read_json(line, place)
        if not isinstance(members, dict) or sorted(members) != ["answer", "failure", "request"]:
            raise ScenarioError(place, "is no recorded answer", "restore the file")
        answer, failure, key = members["answer"], members["failure"], members["request"]
        if not (answer is None or type(answer) is str) or type(failure) is not str or type(key) is not str:
            raise ScenarioError(place, "is no recorded answer", "restore the file")
        if key in replies:
            raise ScenarioError(place, f"request {key[:16]} stands twice", "restore the file")
        replies[key] = Reply(None if answer is None else answer.encode(), failure)
    return replies
