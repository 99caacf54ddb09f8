"""Ask an endpoint and store what it sent, untouched; judge nothing.

Each answer is appended and synced as it arrives, so an interrupted collection goes on where it stopped
and asks nothing twice. When every planned run is there, the folder is sealed.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol, cast

from replay.prompts import answer_schema, conversation, prompt_of
from scenarios.canonical import canonical_bytes, sha256
from scenarios.errors import ReplayError, ScenarioError
from scenarios.files import read_answer, read_file, read_lines, write_file
from scenarios.freeze import answer_files
from scenarios.json_exact import replace_surrogates
from scenarios.load import Bank
from scenarios.manifest import MANIFEST_NAME, AnswersManifest, Plan, Reference
from scenarios.parsing import CUT_REASONS
from scenarios.sealed import seal_files
from scenarios.types import Answer, Scenario, Usage

PARTIAL = "answers.partial.jsonl"

Key = tuple[str, int, int | None]
"""Scenario, run, and the turn in an episode."""


class Reply(NamedTuple):
    """What an endpoint returned for one request, with its own counts and clock."""

    text: str
    finish_reason: str | None
    usage: Usage | None
    latency_ms: int
    timestamp: str
    model: str | None


Message = tuple[str, str]
"""Who speaks, "user" or "assistant", and the text."""


class Ask(Protocol):
    """Sends a conversation, which begins with the prompt; schema is None where the shape is not constrained."""

    def __call__(self, messages: Sequence[Message], schema: dict[str, Any] | None, seed: int | None) -> Reply:
        """Return the endpoint's reply to the last message.

        Raises:
            ReplayError: the endpoint cannot be reached or refuses.
        """
        ...


class Collection(NamedTuple):
    """What is asked: the scenarios, the runs of each, how, and in whose name the answers are stored."""

    name: str
    bank: Bank
    scenarios: tuple[str, ...]
    runs: int
    arm: str
    constrained: bool
    seed: int | None
    provider: str
    model: str
    configuration: Mapping[str, Any]

    def advisor(self) -> dict[str, Any]:
        """Return advisor.json: who was asked, and in which configuration."""
        return {
            "format": "advisor/1", "id": self.name, "kind": "endpoint", "provider": self.provider, "model": self.model,
            "configuration": {
                **self.configuration, "arm": self.arm, "constrained": "json-schema" if self.constrained else "none",
                "runs": self.runs, "scenarios": list(self.scenarios),
                "bank": {"id": self.bank.id, "digest": self.bank.digest},
            },
        }


def collect(collection: Collection, ask: Ask, folder: Path, report: Callable[[int, int], None]) -> AnswersManifest:
    """Ask every planned run that is not stored yet, then seal the folder.

    Args:
        collection: what is asked.
        ask: the endpoint.
        folder: where advisor.json, answers.jsonl and the manifest go.
        report: called with (stored, planned) after each answer.

    Raises:
        ScenarioError: the folder holds a collection with another configuration, or a finished one.
        ReplayError: the endpoint failed, or the folder cannot be written; what came before is stored.
    """
    def ask_one(key: Key, stored: Mapping[Key, Answer]) -> Answer:
        name, run, turn = key
        said = {one: replace_surrogates(answer.text)
                for (at, in_run, one), answer in stored.items() if (at, in_run) == (name, run) and one}
        return _ask_one(collection, collection.bank.scenarios[name], run, turn, said, ask)

    keys = [(name, run, turn) for name in collection.scenarios for run in range(1, collection.runs + 1)
            for turn in collection.bank.scenarios[name].reply_turns or (None,)]
    plan = Plan(scenarios=collection.scenarios, runs=collection.runs)
    return gather(folder, collection.advisor(), collection.bank.reference, plan, keys, ask_one, report)


def gather(
    folder: Path, advisor: dict[str, Any], asked_of: Reference, plan: Plan, keys: Sequence[Key],
    ask_one: Callable[[Key, Mapping[Key, Answer]], Answer], report: Callable[[int, int], None],
) -> AnswersManifest:
    """Ask for every key that is not stored yet, each answer stored as it arrives, then seal the folder.

    Args:
        folder: where advisor.json, answers.jsonl and the manifest go.
        advisor: advisor.json, its member `id` the id of the sealed answers.
        asked_of: what was asked about, a bank or a run.
        plan: what the keys come to, for the manifest.
        keys: what is asked, in this order.
        ask_one: returns the answer to a key, given what is stored so far.
        report: called with (stored, planned) after each answer.

    Raises:
        ScenarioError, ReplayError: as `collect`.
    """
    stored = _resume(advisor, folder)
    report(len(stored), len(keys))
    for key in keys:
        if key in stored:
            continue
        answer = ask_one(key, stored)
        _append(folder / PARTIAL, canonical_bytes(answer.record()) + b"\n")
        stored[key] = answer
        report(len(stored), len(keys))
    files = answer_files(advisor, list(stored.values()))
    manifest = AnswersManifest(id=advisor["id"], bank=asked_of, files=seal_files(files), plan=plan)
    for path, data in files.items():
        write_file(folder / path, data)
    write_file(folder / MANIFEST_NAME, manifest.sealed_bytes())
    (folder / PARTIAL).unlink(missing_ok=True)
    return manifest


def _ask_one(
    collection: Collection, scenario: Scenario, run: int, turn: int | None, said: Mapping[int, str], ask: Ask
) -> Answer:
    """Return the answer to a scenario, or to one turn of an episode; said: the advisor's words so far, by turn.

    The prompt that is stored for a turn is the conversation as it was sent, as canonical JSON.
    """
    if turn is None:
        prompt = prompt_of(scenario, collection.arm)
        messages: list[Message] = [("user", prompt)]
    else:
        messages = conversation(scenario, turn, said)
        prompt = canonical_bytes(messages).decode()
    seed = None if collection.seed is None else collection.seed + run - 1
    constrained = collection.constrained and turn is None
    reply = ask(messages, answer_schema(scenario) if constrained else None, seed)
    return Answer(
        scenario=scenario.id, run=run, turn=turn, text=reply.text, provider=collection.provider,
        model=reply.model or collection.model, arm=collection.arm, prompt=prompt,
        prompt_sha256=sha256(prompt.encode()), usage=reply.usage, finish_reason=reply.finish_reason,
        truncated=(reply.finish_reason or "").lower() in CUT_REASONS, latency_ms=reply.latency_ms,
        timestamp=reply.timestamp, seed=seed,
    )


def _resume(record: Mapping[str, Any], folder: Path) -> dict[Key, Answer]:
    if (folder / MANIFEST_NAME).exists():
        raise ScenarioError(str(folder), "is a finished collection", "choose another --out")
    advisor = canonical_bytes(record) + b"\n"
    if not (folder / "advisor.json").exists():
        write_file(folder / "advisor.json", advisor)
    elif read_file(folder / "advisor.json") != advisor:
        raise ScenarioError(str(folder / "advisor.json"), "belongs to a collection with another configuration",
                            "repeat the options of that collection, or choose another --out")
    partial = folder / PARTIAL
    if not partial.exists():
        return {}
    raw = read_file(partial)
    whole = raw[: raw.rfind(b"\n") + 1]
    if whole != raw:  # the last line was being written when the collection was interrupted: ask that run again
        write_file(partial, whole)
    return {(answer.scenario, answer.run, answer.turn): answer for answer in _read(whole, str(partial))}


def _read(raw: bytes, where: str) -> Iterator[Answer]:
    for number, line in read_lines(raw, where):
        yield read_answer(line, f"{where} line {number}")


def _append(path: Path, line: bytes) -> None:
    try:
        with path.open("ab") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise ReplayError(
            str(path), f"cannot be written ({error.strerror})", "check the free space, then go on"
        ) from error


def openai_endpoint(
    base_url: str, model: str, temperature: str | None, max_tokens: int, timeout_s: int
) -> Ask:
    """Return an `Ask` for an OpenAI-compatible endpoint, through the official client.

    Args:
        base_url: such as http://127.0.0.1:8101/v1. The key is taken from OPENAI_API_KEY, if set.
        model: the model's name as the endpoint knows it.
        temperature: decimal string; None leaves the provider's default.
        max_tokens: completion budget.
        timeout_s: seconds for one request.

    Raises:
        ScenarioError: the extra `collect` is not installed.
    """
    try:
        import openai
    except ImportError as error:
        raise ScenarioError(
            "audit collect", "the client is not installed", "pip install 'advice-audit[collect]'"
        ) from error
    import time
    from datetime import UTC, datetime

    client = openai.OpenAI(
        base_url=base_url, api_key=os.environ.get("OPENAI_API_KEY") or "none", timeout=timeout_s, max_retries=2
    )

    def ask(messages: Sequence[Message], schema: dict[str, Any] | None, seed: int | None) -> Reply:
        options: dict[str, Any] = {"max_tokens": max_tokens}
        if temperature is not None:
            options["temperature"] = float(temperature)
        if seed is not None:
            options["seed"] = seed
        if schema is not None:
            options["response_format"] = {
                "type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}
            }
        started = time.monotonic()
        timestamp = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        try:
            response = client.chat.completions.create(
                model=model, messages=cast(Any, [{"role": role, "content": text} for role, text in messages]),
                **options,
            )
        except openai.OpenAIError as error:
            raise ReplayError(base_url, f"{type(error).__name__}: {error}"[:400],
                              "check the endpoint, then repeat the command; stored answers are kept") from error
        if not response.choices:
            raise ReplayError(base_url, "sent no choice", "repeat the command; stored answers are kept")
        choice = response.choices[0]
        usage = response.usage
        return Reply(
            text=choice.message.content or "", finish_reason=choice.finish_reason,
            usage=None if usage is None else Usage(
                prompt_tokens=usage.prompt_tokens, completion_tokens=usage.completion_tokens,
                total_tokens=usage.total_tokens),
            latency_ms=round((time.monotonic() - started) * 1000), timestamp=timestamp, model=model,
        )

    return ask
