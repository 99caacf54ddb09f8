"""Who said what: the words of an action and, in an episode, of the client, in the order they were said."""

from typing import NamedTuple

from scenarios.action import Action
from scenarios.types import Scenario


class Utterance(NamedTuple):
    """One text. where: JSON Pointer into the action for the audited advisor's words, else into the scenario.

    audited: whether these are words of the advisor under audit. turn: the dialogue's turn that they are or
    answer, counted from 1; 0 outside a dialogue.
    """

    where: str
    speaker: str
    text: str
    audited: bool
    turn: int


def utterances(scenario: Scenario, action: Action) -> tuple[Utterance, ...]:
    """Return the dialogue with the advisor's answers in their places, then message, reasons and prose of the answer.

    The last one is remembered, for the clauses of one contract.
    """
    for known_scenario, known_action, spoken in _LAST:
        if known_scenario is scenario and known_action is action:
            return spoken
    spoken = _utterances(scenario, action)
    _LAST[:] = [(scenario, action, spoken)]
    return spoken


_LAST: list[tuple[Scenario, Action, tuple[Utterance, ...]]] = []


def _utterances(scenario: Scenario, action: Action) -> tuple[Utterance, ...]:
    said: dict[int, list[Utterance]] = {}
    for index, (turn, message) in enumerate(action.turns):
        said.setdefault(turn, []).append(Utterance(f"/turns/{index}/message", "advisor", message, True, turn))
    found: list[Utterance] = []
    for number, spoken in enumerate(scenario.dialogue, 1):
        found.append(Utterance(f"/dialogue/{number - 1}/text", spoken.speaker, spoken.text, False, number))
        found += said.get(number, ())
    last = len(scenario.dialogue)
    if action.message is not None:
        found.append(Utterance("/message", "advisor", action.message, True, last))
    for index, order in enumerate(action.orders):
        if order.reason is not None:
            found.append(Utterance(f"/orders/{index}/reason", "advisor", order.reason, True, last))
    found += [Utterance(f"/prose/{index}", "advisor", text, True, last) for index, text in enumerate(action.prose)]
    return tuple(found)
