"""What a client takes from an advisor's words: seven signals for the text-grounded update, and satisfaction.

    signal_k = clip(sum of the weights of the cues of k that stand in the message)      in 1/10,000

Each cue counts once, so the work is linear in the message and a repeated word adds nothing; cues and weights are data
in manifests/phrasebooks/signals-1.json. Direction and size come from the advice that can be read as well, and
consistency compares the account's numbers that are stated with those of the day. Nothing here knows a rule of
conduct or a judge's score. Source: seed paper 000, appendix C.4; decisions d14 and d33 of docs/fund-advice.md.
"""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, NamedTuple

from replay.environments.fund_advice.advice import read_advice, read_answer_text
from replay.environments.fund_advice.phrasebook import LANGUAGES, phrasebook
from replay.environments.fund_advice.request import ppm
from replay.environments.fund_advice.types import BUY, SELL

ONE = 10_000
MOST_CHARACTERS = 20_000


class TextSignals(NamedTuple):
    """What was heard, in 1/10,000: direction (buy above zero) and tone in [-10,000, 10,000], the rest in [0, 10,000].

    uncertainty: how open the future is left. risk_framing: how much is said of losses. size: how much is to be moved.
    pacing: how slowly. consistency: the share of stated account numbers that are right, 5,000 where none is stated.
    """

    uncertainty: int
    risk_framing: int
    direction: int
    size: int
    pacing: int
    tone: int
    consistency: int


CUED = ("uncertainty", "risk_framing", "direction", "pacing", "tone")
ADVISED = 6_000
"""What advice to buy or sell adds to direction."""

UNSAID = 5_000
"""Consistency of a message that states no number of the account."""


def text_signals(message: str, facts: Mapping[str, Any]) -> TextSignals:
    """Return the signals of one message.

    Args:
        message: what the advisor answered.
        facts: of the request that it answers.
    """
    words = read_answer_text(message)[0][:MOST_CHARACTERS]
    uncertainty, risk, direction, pacing, tone = _cued(words.translate(_NO_NUMBERS))
    advice = read_advice(message)
    size = 0
    if advice is not None:
        direction += ADVISED if advice.direction == BUY else -ADVISED if advice.direction == SELL else 0
        pacing += min(advice.pace_days or 0, 10) * 300
        account = facts["account"]
        if advice.target_ppm is not None:
            size = abs(advice.target_ppm - ppm(account["pos_ratio"])) // 50
        elif advice.amount_cents is not None and account["nav_cents"] > 0:
            size = advice.amount_cents * 2 * ONE // account["nav_cents"]
    return TextSignals(_clip(uncertainty), _clip(risk), _clip(direction, -ONE), _clip(size), _clip(pacing),
                       _clip(tone, -ONE), _consistency(words, facts["account"]))


def social_cue(message: str) -> int:
    """Return how strongly a message tells what others do, in [0, 10,000]: half for each of the words, at most two."""
    low = message[:MOST_CHARACTERS].lower()
    return min(2, sum(word in low for word in phrasebook("signals-1")["social"])) * ONE // 2


def satisfaction(u_before: int, u_after: int, asked: str, message: str | None) -> int:
    """Return how satisfied a client is with a consultation, in [0, 10,000]; 0 where nothing was said.

        0.4 x share of the disagreement U removed + 0.4 x [the question is answered] + 0.2 x [the emotion is met]

    A question is answered by a number of account or market, a size, range, pace or trigger; an emotion by words that
    see it, and where there is none it counts as met. Where U was 0 there was nothing to remove.

    Args:
        u_before: disagreement before the consultation, in 1/10,000.
        u_after: disagreement after it.
        asked: the client's words.
        message: the advisor's last words.
    """
    if not message:
        return 0
    book = phrasebook("signals-1")
    words, heard = read_answer_text(message)[0][:MOST_CHARACTERS].lower(), asked.lower()
    removed = _clip((u_before - u_after) * ONE // u_before) if u_before > 0 else 0
    answered = any(word in words for word in (*book["fact"], *book["way"])) or read_advice(message) is not None
    met = not any(word in heard for word in book["emotion"]) or any(word in words for word in book["met"])
    return (4 * removed + 4 * ONE * answered + 2 * ONE * met) // 10


def _clip(value: int, low: int = 0) -> int:
    return max(low, min(ONE, value))


_NO_NUMBERS = str.maketrans("", "", "0123456789+-.,%")
"""No cue holds these, and without them the words of a template are the same text again, which is remembered."""


@lru_cache(4_096)
def _cued(words: str) -> tuple[int, ...]:
    low = words.lower()
    sums = [0] * len(CUED)
    for cue, signal, weight in _cues(low.isascii()):
        if cue in low:
            sums[signal] += weight
    return tuple(sums)


@cache
def _cues(english: bool) -> tuple[tuple[str, int, int], ...]:
    book = phrasebook("signals-1")
    return tuple((cue, CUED.index(name), weight) for language in LANGUAGES[: 1 if english else 2]
                 for name, cues in book[language].items() for cue, weight in cues.items())


# The account's numbers as a message states them. Each pattern begins with plain letters, so that it is found fast; what
# stands before a word is looked at in a window.

_SHARE = r"(?P<share>[0-9]{1,3}(?:\.[0-9]{1,2})?)\s?%"
_CENTS = r"(?P<yuan>[0-9][0-9,]{0,15})"
_ENGLISH = (
    ("pos_ratio", re.compile(rf"position (?:is |at |of ){_SHARE}")),
    ("drawdown", re.compile(rf"drawdown (?:is |of |now )?{_SHARE}")),
    ("nav_cents", re.compile(rf"worth {_CENTS} yuan")),
)
_CHINESE = (
    ("pos_ratio", re.compile(rf"仓位(?:为|是|约)?{_SHARE}")), ("drawdown", re.compile(rf"当前回撤(?:为|是)?{_SHARE}")),
    ("nav_cents", re.compile(rf"净资产(?:为|是)?{_CENTS}元")), ("cash_cents", re.compile(rf"现金(?:为|是)?{_CENTS}元")),
)
_BEFORE = (
    ("pos_ratio", re.compile(r" invested\b"), re.compile(rf"(?<!to )(?<!near )(?<!about )(?<![0-9.]){_SHARE}\Z")),
    ("cash_cents", re.compile(r" yuan in cash\b"), re.compile(rf"(?<![0-9,.]){_CENTS}\Z")),
)
_WINDOW = 24


def _consistency(words: str, account: Mapping[str, Any]) -> int:
    """Return the share of the stated numbers of position, drawdown, cash and NAV that are the account's."""
    stated = [(field, match) for field, pattern in (_ENGLISH if words.isascii() else (*_CHINESE, *_ENGLISH))
              for match in pattern.finditer(words)]
    for field, word, number in _BEFORE:
        for place in word.finditer(words):
            found = number.search(words, max(0, place.start() - _WINDOW), place.start())
            stated += [(field, found)] if found else []
    if not stated:
        return UNSAID
    return ONE * sum(_is_right(field, match, account) for field, match in stated) // len(stated)


def _is_right(field: str, match: re.Match[str], account: Mapping[str, Any]) -> bool:
    """Return whether a number is within half a unit of its last digit; a drawdown may be of now or of three months."""
    if field.endswith("cents"):
        cents: int = account[field]
        return 2 * abs(int(match["yuan"].replace(",", "")) * 100 - cents) <= 100
    whole, _, places = match["share"].partition(".")
    step: int = 10_000 // 10 ** len(places)
    fields = (field, "mdd_3m") if field == "drawdown" else (field,)
    return any(2 * abs(int(whole + places) * step - ppm(account[name])) <= step for name in fields)
