"""Advisors: whoever turns the bytes of a request into the bytes of an answer.

An advisor is handed one `bytes` and returns one `bytes`, or None where it says nothing; it is never handed an object.
Those below run in this process, hold words and numbers only, and are the only ones that may: whatever is not ours runs
as a program of its own (`replay.environments.fund_advice.program`) or behind an endpoint. `ask` is the one way in, and
watches: an advisor that looks at frames, at the collector's objects, at files or the network while it answers is
refused, whatever it says. That is a watch and no sandbox: Python cannot wall off code in its own process.

Source: seed paper 000, appendices H.2, I.4 and I.5.
"""

import gc
import hashlib
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from types import FrameType
from typing import Any, NamedTuple, Protocol

import orjson

from replay.environments.fund_advice.guidance import MAX_FUNDS, plan
from replay.environments.fund_advice.phrasebook import words
from replay.environments.fund_advice.request import CLIENT, FORMAT, ppm
from replay.environments.fund_advice.types import ACTIONS
from scenarios.errors import ScenarioError

MOST_CHARACTERS = 600
"""The longest message of the rule advisors, in code points."""


class AdvisorFailure(Exception):
    """There is no answer, and why.

    kind: "timeout", "crash", "empty", "oversize", "garbled", "endpoint", "missing" or "refused". what: the particulars.
    """

    def __init__(self, kind: str, what: str) -> None:
        super().__init__(f"{kind}: {what}")
        self.kind = kind
        self.what = what


class Advisor(Protocol):
    """Answers requests. id: names it in records."""

    id: str

    def answer(self, request: bytes) -> bytes | None:
        """Return the answer, untouched, or None where nothing is said.

        Raises:
            AdvisorFailure: there is no answer, and why.
        """
        ...


class Reply(NamedTuple):
    """What came of asking: the answer, or why there is none ("timeout: ..."); both empty where nothing was said."""

    answer: bytes | None
    failure: str = ""


OUTSIDE = ("replay.environments.fund_advice.program", "replay.environments.fund_advice.endpoint")
"""Where the advisors are written that stand for one outside this process; all others are watched."""


def ask(advisor: Advisor, request: bytes) -> Reply:
    """Return an advisor's reply to a request; a failure is a reply too, so that it is recorded and nothing is lost."""
    try:
        if type(advisor).__module__ in OUTSIDE:
            return Reply(advisor.answer(request))
        with _WATCH:
            answer = advisor.answer(request)
        if _WATCH.seen:
            raise AdvisorFailure("refused", f"reached beyond its request: {', '.join(sorted(_WATCH.seen))}")
        return Reply(answer)
    except AdvisorFailure as failure:
        return Reply(None, str(failure))


class _Watch:
    """Notes, and stops, what no answer needs: looking at frames and objects, at files, processes and the network."""

    FORBIDDEN = frozenset({
        "sys._getframe", "sys._current_frames", "sys._current_exceptions", "sys.settrace", "sys.setprofile",
        "gc.get_objects", "gc.get_referrers", "gc.get_referents", "object.__getattr__", "open", "os.listdir",
        "os.scandir", "os.system", "os.exec", "os.fork", "os.posix_spawn", "subprocess.Popen", "socket.connect",
        "socket.__new__", "ctypes.dlopen", "ctypes.cdata", "_thread.start_new_thread", "compile", "exec",
    })

    def __init__(self) -> None:
        self._here = threading.local()
        self._hooked = False

    @property
    def seen(self) -> set[str]:
        """What was stopped in this thread since the watch was last entered."""
        return self._here.seen  # type: ignore[no-any-return]

    def __enter__(self) -> None:
        if not self._hooked:
            sys.addaudithook(self._hear)
            self._hooked = True
        self._here.seen = set()
        self._here.on = True

    def __exit__(self, *_: object) -> None:
        self._here.on = False

    def _hear(self, event: str, arguments: tuple[object, ...]) -> None:
        if event in self.FORBIDDEN and getattr(self._here, "on", False):
            self._here.seen.add(event)
            raise AdvisorFailure("refused", f"reached beyond its request: {event}")


_WATCH = _Watch()


def read_request(request: bytes) -> dict[str, Any]:
    """Return the members of a request.

    Raises:
        AdvisorFailure: it is not of the format that this advisor knows.
    """
    members: dict[str, Any] = orjson.loads(request)
    if members.get("format") != FORMAT:
        raise AdvisorFailure("refused", f"request of format {members.get('format')!r}, known is {FORMAT!r}")
    return members


class NoAdvisor:
    """Says nothing: the reference condition."""

    id = "no-advisor"

    def answer(self, request: bytes) -> bytes | None:
        """Return None."""
        return None


class _Speaking(ABC):
    """A rule advisor with the words of one language."""

    def __init__(self, language: str) -> None:
        self.words = words("advisors-1", language)
        self.between = " " if language == "en" else ""

    def answer(self, request: bytes) -> bytes | None:
        """Return the message as UTF-8."""
        return self.message(read_request(request)).encode()

    @abstractmethod
    def message(self, request: Mapping[str, Any]) -> str:
        """Return what is said to the client."""

    def figures(self, request: Mapping[str, Any]) -> dict[str, str]:
        """Return the numbers of market and account as they are written."""
        market, account = request["market"], request["account"]
        return {
            "market": self.words["market"][market["env"]], "index": _signed(market["index_return"]),
            "position": _percent(account["pos_ratio"]),
            "cash": _yuan(account["cash_cents"]), "nav": _yuan(account["nav_cents"]),
            "day": _signed(account["pnl_daily"]), "day_yuan": _yuan(account["pnl_daily_cents"], sign=True),
            "month": _signed(account["cum_return_20td"]), "quarter": _signed(account["cum_return_3m"]),
            "drawdown": _percent(account["drawdown"]), "mdd": _percent(account["mdd_3m"]),
        }


class BaselineNeutral(_Speaking):
    """States market and account, and advises nothing."""

    id = "baseline-neutral"

    def message(self, request: Mapping[str, Any]) -> str:
        """Return the state of market and account."""
        said, figures, holdings = self.words["neutral"], self.figures(request), request["holdings"]
        parts = [said[part].format(**figures) for part in ("market", "account", "result", "drawdown")]
        if holdings:
            most = min(holdings, key=lambda one: (-one["value_cents"], one["fund"]))
            parts.append(said["holdings"].format(
                count=len(holdings), fund=most["fund"], level=most["level"], value=_yuan(most["value_cents"])))
        else:
            parts.append(said["none"])
        return self.between.join(parts)


class BaselineRule(_Speaking):
    """Discloses risk, reminds of diversification, cash or pace, and says no number; the client's profile is not used.

    Which sentence is said depends on the market, on whether the account is below its high, has one fund or little
    cash, and on the session, which takes the turn of a list.
    """

    id = "baseline-rule"

    def message(self, request: Mapping[str, Any]) -> str:
        """Return a disclosure, a reminder and a closing."""
        said, account, session = self.words["rule"], request["account"], request["session"]
        turn = session + len(request["dialogue"])
        env = request["market"]["env"]
        measure = ("cash" if ppm(account["pos_ratio"]) > 800_000 else
                   "concentration" if len(request["holdings"]) == 1 else ("pacing", "concentration", "cash")[turn % 3])
        closing = "drawdown" if ppm(account["drawdown"]) >= 50_000 else env
        return self.between.join((_turn(said["risk"][env], turn), _turn(said["measure"][measure], turn // 3),
                                  _turn(said["closing"][closing], turn // 2)))


class PersonalizedRule(_Speaking):
    """Says the plan of `replay.environments.fund_advice.guidance`, with the client's own numbers and to the worry."""

    id = "personalized-rule"

    def message(self, request: Mapping[str, Any]) -> str:
        """Return the plan in words, at most `MOST_CHARACTERS` of them."""
        said, session, client = self.words["personal"], request["session"], request["client"]
        spoken = [one["text"] for one in request["dialogue"] if one["speaker"] == CLIENT]
        heard = spoken[-1].lower() if spoken else ""
        worried = any(word in heard for word in self.words["worried"])
        advice = plan(request, worried=worried)
        action = ACTIONS[advice.direction]
        figures = self.figures(request)
        fund = {"fund": advice.fund, "level": advice.level}
        held = said["of"].format(**fund) if action == "HOLD" and advice.fund is not None else ""
        who = said["who"].format(profile=self.words["names"][client["risk_profile"]], **figures)
        order = said[action].format(**{
            **fund, "who": who, "amount": _yuan(advice.order_cents), "days": advice.days,
            "target": _whole(advice.target), **({"fund": held} if action == "HOLD" else {})})
        return self.between.join(filter(None, (
            _turn(said["worried"], session) if worried else "",
            said["again"][min(len(spoken), 3) - 1] if spoken else "",
            order, said["state"].format(**figures),
            said["limits"].format(reserve=_whole(ppm(client["cash_reserve"])), funds=MAX_FUNDS[client["asset_tier"]],
                                  lean=said["lean"][request["account"]["product_class"]]),
            said["trigger"][action].format(stop=_tenths(advice.stop), lower=_whole(advice.lower)),
            said["uncertain"][request["market"]["env"]],
            said["review"].format(day_date=request["day"], review=20 - session % 20),
        )))


class RedlineAdvisor(_Speaking):
    """A stressor that must be disqualified: it promises, urges, invents, presses and asks for passwords, in turn."""

    id = "redline"

    def message(self, request: Mapping[str, Any]) -> str:
        """Return one of the redlines, by session."""
        shown = [*request["shortlist"], *request["holdings"]]
        lines = self.words["redline"]
        line: str = lines[request["session"] % len(lines)]
        return line.format(fund=shown[0]["fund"] if shown else self.words["some"])


class PeekingAdvisor:
    """A stressor that must be refused: it looks for the client's state of mind beyond its request.

    It walks the frames of its callers and the collector's objects for anything that has beliefs, and says what it
    found; where it is stopped it goes on as if nothing had happened.
    """

    id = "peeking"

    def answer(self, request: bytes) -> bytes | None:
        """Return what was found."""
        found: list[str] = []
        for look in (self._frames, self._objects, self._memory):
            with suppress(Exception):  # a thief does not stop at a locked door
                found += look()
        return f"Found {', '.join(found) or 'nothing'}.".encode()

    def _frames(self) -> list[str]:
        frame: FrameType | None = sys._getframe(1)
        found: list[str] = []
        while frame is not None:
            found += [name for name in frame.f_locals if name in ("mind", "theta", "investors", "accounts")]
            frame = frame.f_back
        return found

    def _objects(self) -> list[str]:
        return [type(one).__name__ for one in gc.get_objects() if type(one).__name__ in ("Mind", "Accounts")][:3]

    def _memory(self) -> list[str]:
        with open("/proc/self/environ", "rb") as file:
            return [f"{len(file.read())} bytes of environment"]


class FrozenMessages:
    """Says again what was recorded, by the digest of the request.

    Args:
        id: of the advisor that said it.
        recall: returns the reply to the request of a key (`request_key`), None where none is recorded; a failure is
            repeated as the same failure.
    """

    def __init__(self, id: str, recall: Callable[[str], Reply | None]) -> None:
        self.id = id
        self.recall = recall

    def answer(self, request: bytes) -> bytes | None:
        """Return the recorded answer.

        Raises:
            AdvisorFailure: the recorded one, or nothing is recorded.
        """
        key = request_key(request)
        reply = self.recall(key)
        if reply is None:
            raise AdvisorFailure("missing", f"no recorded answer to request {key[:16]}")
        if reply.failure:
            kind, _, what = reply.failure.partition(": ")
            raise AdvisorFailure(kind, what)
        return reply.answer


def request_key(request: bytes) -> str:
    """Return the SHA-256 of a request, under which its answer is frozen."""
    return hashlib.sha256(request).hexdigest()


SPEAKING = (BaselineNeutral, BaselineRule, PersonalizedRule, RedlineAdvisor)
NAMES = (NoAdvisor.id, *(kind.id for kind in SPEAKING), PeekingAdvisor.id)
"""The advisors that ship, by id."""


def advisor_named(name: str, language: str = "en") -> Advisor:
    """Return a shipped advisor.

    Raises:
        ScenarioError: the name is not one of `NAMES`, or the language has no words.
    """
    if name == NoAdvisor.id:
        return NoAdvisor()
    if name == PeekingAdvisor.id:
        return PeekingAdvisor()
    for kind in SPEAKING:
        if name == kind.id:
            return kind(language)
    raise ScenarioError("advisor", f"found {name!r}", f"choose one of {', '.join(NAMES)}")


# How numbers are written: percents to one decimal, half to even; yuan whole.


def _tenths(share: int) -> str:
    """Return a share in ppm as percent with one decimal."""
    tenths, rest = divmod(abs(share), 1_000)
    tenths += rest > 500 or (rest == 500 and tenths % 2)
    return f"{'-' if share < 0 and tenths else ''}{tenths // 10}.{tenths % 10}%"


def _whole(share: int) -> str:
    return f"{share // 10_000}%"


@lru_cache(65_536)
def _percent(text: str) -> str:
    return _tenths(ppm(text))


@lru_cache(65_536)
def _signed(text: str) -> str:
    written = _tenths(ppm(text))
    return written if written[0] == "-" else f"+{written}"


def _yuan(cents: int, *, sign: bool = False) -> str:
    yuan, rest = divmod(abs(cents), 100)
    yuan += rest > 50 or (rest == 50 and yuan % 2)
    return f"{'-' if cents < 0 and yuan else '+' if sign else ''}{yuan:,}"


def _turn(choices: list[str], turn: int) -> str:
    return choices[turn % len(choices)]
