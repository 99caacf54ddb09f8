"""What a day, a message and a reflection change in the state of mind."""

import numpy as np
import pytest

from replay.environments.fund_advice.mind import Mind
from replay.environments.fund_advice.theta import adjust, shipped_theta
from replay.environments.fund_advice.types import BUY, CORE, HOLD, SELL, Feedback, Observation
from replay.environments.fund_advice.updates import annotate, fear, feel
from scenarios.theta import ONE, SIGNALS, WORDS
from tests.replay.fund_advice.markets import an_investor

THETA = shipped_theta()
ME = np.array([True])
CALM = dict.fromkeys(Observation._fields, 0) | {
    "vol20_ppm": 8_000, "breadth_e4": 5_000, "cash_ratio_e4": ONE, "context": CORE,
}
FELT = np.array([[2_000, -12_000, 3_000, 0], [10_000, 0, 0, -5_000]])


def a_mind(theta=THETA, **members: str) -> Mind:
    return Mind(theta, [an_investor(**members)])


def seen(**what: int) -> Observation:
    return Observation(*(np.array([value]) for value in (CALM | what).values()))


def came(day_pnl_ppm: int = 0, r_mkt_ppm: int = 0, acted: int = 1) -> Feedback:
    return Feedback(np.array([day_pnl_ppm]), np.array([r_mkt_ppm]), np.array([acted]))


def said(**words: int) -> "np.ndarray":
    return np.array([[words.get(name, 0) for name in WORDS]])


@pytest.mark.parametrize(("done", "pnl", "market", "cash", "felt"), [
    pytest.param(HOLD, 0, 0, ONE, [0, 0], id="nothing"),
    pytest.param(HOLD, 10_000, 0, 0, [1_000, 5_000], id="1 % won"),
    pytest.param(HOLD, -10_000, 0, 0, [-6_000, 0], id="1 % lost: more than it pleases to win"),
    pytest.param(HOLD, -90_000, 0, 0, [-10_000, 0], id="a crash: all that can be felt"),
    pytest.param(BUY, 0, 10_000, 0, [1_500, 0], id="bought, and the market rises"),
    pytest.param(SELL, 0, 10_000, 0, [-1_500, 0], id="sold, and it rises"),
    pytest.param(SELL, 0, -10_000, 0, [1_500, 0], id="sold, and it falls"),
    pytest.param(HOLD, 0, 10_000, ONE, [0, -2_500], id="all in cash, and it rises"),
    pytest.param(HOLD, 0, -10_000, ONE, [0, 0], id="all in cash, and it falls"),
])
def test_feelings(done: int, pnl: int, market: int, cash: int, felt: list[int]) -> None:
    assert feel(np.array([done]), came(pnl, market), np.array([cash]), FELT)[0].tolist() == felt


@pytest.mark.parametrize(("done", "asked", "feeling", "code"), [
    pytest.param(BUY, False, 500, 2, id="bought, welcome"), pytest.param(BUY, True, -500, 0, id="bought, regretted"),
    pytest.param(SELL, False, 499, 4, id="sold, indifferent"), pytest.param(HOLD, False, -499, 7, id="held"),
    pytest.param(HOLD, True, 500, 11, id="asked and held, welcome"),
])
def test_annotations(done: int, asked: bool, feeling: int, code: int) -> None:
    assert annotate(np.array([done]), np.array([asked]), np.array([[feeling]]), 500).tolist() == [[code]]


def test_fear_adds_up() -> None:
    kept = np.zeros((1, 12), dtype=np.int64)
    kept[0, SIGNALS.index("turbulence")], kept[0, SIGNALS.index("budget")] = 5_000, 1_000

    assert fear(np.array([5_000]), kept, came(-2_000)).tolist() == [2_500 + 3_000 + 600]


def test_affect_decays_and_is_reinforced() -> None:
    """e' = 0.85 e + 0.15 g: eq 20."""
    mind = a_mind()
    mind.affect[:] = 1_000
    mind.perceive(seen())
    mind.feedback(np.array([BUY]), came(r_mkt_ppm=20_000))
    luck = [role.felt.get("luck", 0) + role.felt.get("missed", 0) for role in
            (THETA.roles.sentinel, THETA.roles.hedonist, THETA.roles.socialite, THETA.roles.executive)]

    assert mind.affect[0].tolist() == [850 + 15 * one // 100 for one in luck]


def test_an_order_that_was_not_taken_was_no_trade() -> None:
    taken, refused = a_mind(), a_mind()
    for mind, acted in ((taken, 1), (refused, 0)):
        mind.perceive(seen())
        mind.feedback(np.array([BUY]), came(r_mkt_ppm=10_000, acted=acted))

    assert taken.memory.codes[0, 0, 0] == 2
    assert refused.memory.codes[0, 0, 0] == 7


def test_attention_follows_the_market() -> None:
    mind = a_mind()
    mind.perceive(seen())
    mind.feedback(np.array([HOLD]), came(r_mkt_ppm=-20_000))

    assert mind.attention.tolist() == [5_750]


def test_confidence_goes_home_and_with_what_the_executive_felt() -> None:
    """c' = 0.85 c + 0.15 (start + g / 2), the start by profile."""
    mind = a_mind(profile="conservative")
    mind.confidence[:] = 8_000
    mind.perceive(seen())
    mind.feedback(np.array([HOLD]), came(day_pnl_ppm=10_000))
    felt = THETA.roles.executive.felt["gain"] // 2

    assert mind.confidence.tolist() == [(85 * 8_000 + 15 * (4_000 + felt // 2)) // 100]


@pytest.mark.parametrize(("spoken", "pnl", "trust"), [
    pytest.param(True, 10_000, 5_300, id="a day won after advice"), pytest.param(True, -10_000, 4_700, id="one lost"),
    pytest.param(False, 10_000, 5_000, id="nobody spoke"),
])
def test_trust_is_earned_by_what_comes_of_advice(spoken: bool, pnl: int, trust: int) -> None:
    mind = a_mind()
    mind.perceive(seen())
    mind.heard[:] = spoken
    mind.feedback(np.array([HOLD]), came(day_pnl_ppm=pnl))

    assert mind.trust.tolist() == [trust]
    assert not mind.heard.any()


def test_each_agent_recalls_by_its_own_view() -> None:
    """A day like the good ones in what the sentinel sees, and like the bad ones in what the hedonist sees."""
    mind = a_mind()
    for day, pnl in ((seen(r_mkt_ppm=12_000), 20_000), (seen(mom20_ppm=80_000), -20_000)) * 3:
        mind.perceive(day)
        mind.feedback(np.array([BUY]), came(day_pnl_ppm=pnl, r_mkt_ppm=pnl))
    sentinel, hedonist, *_ = mind.perceive(seen(r_mkt_ppm=10_000, mom20_ppm=80_000)).recall[0, :, 0].tolist()

    assert sentinel > 0 > hedonist


def test_feedback_needs_a_day() -> None:
    mind = a_mind()
    mind.perceive(seen())
    mind.feedback(np.array([HOLD]), came())

    with pytest.raises(ValueError, match="without a perceived day"):
        mind.feedback(np.array([HOLD]), came())


def test_a_message_moves_beliefs() -> None:
    """b' = 0.7 b + 0.3 h, h = 5,000 + literacy * (trust + 1/2) * direction: eq 21."""
    mind = a_mind()
    mind.hear(ME, said(direction=ONE))
    credence = 7_500 * (5_000 + 5_000) // ONE
    target = [5_000 + credence * getattr_words(name, "direction") // ONE for name in
              ("sentinel", "hedonist", "socialite")]

    assert mind.belief[0].tolist() == [round(0.7 * 5_000 + 0.3 * one) for one in target]


def getattr_words(name: str, word: str) -> int:
    return THETA.words[name].get(word, 0)


@pytest.mark.parametrize("literacy", ["low", "medium", "high"])
def test_the_literate_take_in_more(literacy: str) -> None:
    mind = a_mind(literacy=literacy)
    mind.hear(ME, said(direction=ONE))

    assert mind.belief[0, 1] - 5_000 == {"low": 675, "medium": 1_012, "high": 1_350}[literacy]


def test_words_against_fear() -> None:
    alarmed, calmed = a_mind(), a_mind()
    alarmed.hear(ME, said(risk_framing=ONE, uncertainty=ONE))
    calmed.hear(ME, said(pacing=ONE, tone=ONE, consistency=ONE))

    assert alarmed.perceived_risk > 5_000 > calmed.perceived_risk
    assert alarmed.confidence < 5_000 < calmed.confidence
    assert calmed.trust > alarmed.trust


def test_only_those_who_were_spoken_to_hear() -> None:
    mind = Mind(THETA, [an_investor(), an_investor()])
    mind.hear(np.array([False, True]), np.repeat(said(direction=ONE), 2, axis=0))

    assert mind.belief[0].tolist() == [5_000] * 3
    assert mind.belief[1, 1] > 5_000
    assert mind.trust[0] == 5_000


def test_without_text_grounding_words_are_air() -> None:
    mind = a_mind(adjust(THETA, off=("text_grounding",)))
    before = {name: value.copy() for name, value in mind.state().items()}
    mind.hear(ME, said(direction=ONE, tone=ONE))

    assert all((mind.state()[name] == value).all() for name, value in before.items())


def test_reflection_learns_from_memory_and_goes_home() -> None:
    """Four of four episodes that the sentinel regretted: aversion rises by `learn`; a belief goes a tenth back."""
    mind = a_mind()
    mind.belief[:] = 6_000
    for _ in range(4):
        mind.perceive(seen())
        mind.feedback(np.array([HOLD]), came(day_pnl_ppm=-20_000))
    mind.reflect()

    assert mind.traits[0].tolist() == [5_600, 4_400, 4_400]
    assert mind.belief[0].tolist() == [5_900] * 3


def test_without_reflection_traits_stay() -> None:
    mind = a_mind(adjust(THETA, off=("reflection",)))
    mind.perceive(seen())
    mind.feedback(np.array([HOLD]), came(day_pnl_ppm=-20_000))
    mind.reflect()

    assert mind.traits[0].tolist() == [5_000] * 3


@pytest.mark.parametrize(("pleased", "contact", "null", "engagement"), [
    pytest.param(5_000, True, False, 6_200, id="a reply that satisfies"),
    pytest.param(4_999, True, False, 5_800, id="one that does not"),
    pytest.param(0, False, True, 5_900, id="no reply"), pytest.param(9_999, False, False, 5_995, id="no contact"),
])
def test_engagement(pleased: int, contact: bool, null: bool, engagement: int) -> None:
    mind = a_mind()
    mind.engage(np.array([pleased]), np.array([contact]), np.array([null]))

    assert mind.engagement.tolist() == [engagement]


def test_leaving_is_for_good_and_told_once() -> None:
    mind = a_mind()
    mind.engagement[:] = 1_005
    stays, leaves, gone = (bool(mind.engage(np.array([0]), ~ME, ~ME)[0]) for _ in range(3))
    mind.engagement[:] = ONE
    decision = mind.decide(mind.perceive(seen()), ME, np.array([2**31 - 1]))

    assert (stays, leaves, gone) == (False, True, False)
    assert mind.left.tolist() == [True]
    assert decision.q_e4[0, 3] == 0
