"""Cross-examination, arbitration, deferral."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.environments.fund_advice.agents import Proposals
from replay.environments.fund_advice.deliberation import Verdict, arbitrate, cross_examine, defer
from replay.environments.fund_advice.fixed import apportion
from replay.environments.fund_advice.theta import shipped_theta

CONSTANTS = shipped_theta().constants
SELLS, HOLDS = (0, 10_000, 0, 0), (0, 0, 10_000, 0)


def proposals(*q: tuple[int, ...], alpha: int = 8_000, cites: tuple[int, ...] = (), cited: tuple[int, ...] = ()
              ) -> Proposals:
    count = len(q)
    return Proposals(np.array([q]), np.full((1, count), alpha), np.array([cites or (0,) * count]),
                     np.array([cited or (0,) * count]))


def evidence(*rows: dict[int, int]) -> "np.ndarray":
    return np.array([[[row.get(column, 0) for column in range(12)] for row in rows]])


@pytest.mark.parametrize(("mine", "theirs", "concedes"), [
    pytest.param({0: 3_000, 1: 100}, {1: 3_001}, True, id="a larger signal that is in view too"),
    pytest.param({0: 3_000, 1: 100}, {1: 3_000}, False, id="one of the same size"),
    pytest.param({0: 3_000}, {1: 9_000}, False, id="one that is out of view"),
    pytest.param({0: 3_000, 1: -100}, {1: 9_000}, True, id="one that is seen with another sign"),
])
def test_when_an_agent_concedes(mine: dict[int, int], theirs: dict[int, int], concedes: bool) -> None:
    before = proposals(HOLDS, SELLS, cites=(0, 1), cited=(3_000, max(theirs.values())))
    after = cross_examine(before, evidence(mine, theirs), CONSTANTS)

    assert after.q_e4[0].tolist() == [[0, 2_500, 7_500, 0] if concedes else list(HOLDS), list(SELLS)]
    assert after.alpha_e4[0].tolist() == [7_200 if concedes else 8_000, 8_000]


def test_an_agent_hears_the_one_that_is_farthest_from_it() -> None:
    near = (0, 3_000, 7_000, 0)
    before = proposals(HOLDS, near, SELLS, cites=(0, 1, 2), cited=(1_000, 9_000, 9_000))
    both = evidence({0: 1_000, 1: 500, 2: 500}, {1: 9_000}, {2: 9_000})

    assert cross_examine(before, both, CONSTANTS).q_e4[0, 0].tolist() == [0, 2_500, 7_500, 0]


Q = st.lists(st.integers(0, 1_000), min_size=4, max_size=4).filter(any).map(
    lambda weights: tuple(apportion(np.array(weights)).tolist())
)


@given(q=st.lists(Q, min_size=4, max_size=4), alpha=st.lists(st.integers(0, 10_000), min_size=4, max_size=4))
def test_arbitration_is_equation_4(q: list[tuple[int, ...]], alpha: list[int]) -> None:
    weights = (250, 250, 150, 350)
    made = proposals(*q)._replace(alpha_e4=np.array([alpha]))
    verdict = arbitrate(made, np.array([weights]))
    voice = [weight * (one + 1) for weight, one in zip(weights, alpha, strict=True)]
    mean = [Fraction(sum(v * row[a] for v, row in zip(voice, q, strict=True)), sum(voice)) for a in range(4)]
    found = verdict.q_e4[0].tolist()

    assert sum(found) == 10_000
    assert all(abs(one - exact) < 1 for one, exact in zip(found, mean, strict=True))
    apart = sum(v * sum(abs(row[a] - found[a]) for a in range(4)) for v, row in zip(voice, q, strict=True))
    assert verdict.disagreement_e4[0] == apart // (2 * sum(voice))


def test_agents_that_agree_do_not_disagree() -> None:
    assert arbitrate(proposals(SELLS, SELLS), np.array([[500, 500]])).disagreement_e4.tolist() == [0]


@pytest.mark.parametrize(("apart", "asks", "holds"), [
    pytest.param(2_500, 1_000, 7_000, id="still decided"), pytest.param(2_501, 1_000, 7_001, id="just over"),
    pytest.param(3_500, 1_600, 7_400, id="1,000 over: 60 % ask, 40 % hold"),
])
def test_disagreement_defers(apart: int, asks: int, holds: int) -> None:
    verdict = Verdict(np.array([[1_000, 1_000, 7_000, 1_000]]), np.array([[10_000]]), np.array([apart]))

    assert defer(verdict, CONSTANTS)[0].tolist() == [1_000, 1_000, holds, asks]
    assert verdict.q_e4[0].tolist() == [1_000, 1_000, 7_000, 1_000]
