"""The eight controls over the sub-tranche scenario, three runs each. Source: seed paper 003, section 3.

The paper prints S_w = 0.93 for the naive diversifier, 0.33 for the under-deployer and 1 for the policy; every
other number here is ours.
"""

from fractions import Fraction

import pytest

from replay.controls import CONTROLS
from scenarios.load import SHIPPED, load_answers, load_bank, shipped_contract
from scenarios.sealed import load_contract
from verifier.bank import recompute
from verifier.contract import Judge

EXPECTED: dict[str, tuple[Fraction | int, Fraction | int, Fraction | int, Fraction | int, dict[str, int]]] = {
    "policy": (1, 1, 1, 1, {}),
    "naive-diversifier": (0, 1, Fraction(14, 15), 1, {"COST01": 3}),
    "under-deployer": (1, Fraction(1, 3), Fraction(1, 3), Fraction(1, 3), {}),
    "valid-but-disagreeing": (1, 1, 1, 0, {}),
    "fact-hallucination": (0, 1, 1, 1, {"GRND01": 3}),
    "concentration-chaser": (0, 1, 1, 0, {"LIM04": 3}),
    "cash-overspender": (0, 1, 1, 1, {"LIM02": 3}),
    "always-hold": (1, 1, 1, 0, {}),
}
"""V, S, S_w, A and runs by code."""


@pytest.mark.parametrize("name", [control.id for control in CONTROLS])
def test_control(name: str) -> None:
    """Each control fails, or passes, on its own axis only."""
    bank = load_bank(SHIPPED / "controls-1")
    answers = load_answers(SHIPPED / "answers" / "controls-1" / name, bank)
    row = recompute(Judge(load_contract(shipped_contract())), bank, [answers]).scores[0]

    found = (row.validity_strict, row.stability, row.sizing_stability, row.agreement, row.violations)
    assert [*found] == [*EXPECTED[name]]


def test_pilots_place_one_order_of_900_in_the_sub_tranche_case() -> None:
    """The contract advisor satisfies every clause in the three pilots and never cuts 900.00 in two."""
    bank = load_bank(SHIPPED / "pilots-1")
    answers = load_answers(SHIPPED / "answers" / "pilots-1" / "contract", bank)
    judged = recompute(Judge(load_contract(shipped_contract())), bank, [answers])
    runs = [run.verdict for run in judged.runs["contract"]]

    assert {verdict.state for verdict in runs} == {"ADMISSIBLE"}
    assert [verdict.action.buy_amounts for verdict in runs
            if verdict.action and verdict.scenario == "pilot-sub-tranche"] == [[90_000]] * 3
