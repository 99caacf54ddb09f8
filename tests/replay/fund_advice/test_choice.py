"""What is traded without advice, and how an advised ratio is followed."""

import pytest

from replay.environments.fund_advice.account import Accounts
from replay.environments.fund_advice.choice import Chooser, best_funds
from replay.environments.fund_advice.types import BUY, HOLD, SELL
from tests.replay.fund_advice.markets import a_fund, a_trace, an_investor

FUNDS = (
    a_fund("A", "1", "1.1", "1.1", level=2), a_fund("B", "1", "1.3", "1.3", level=3),
    a_fund("C", "1", "1.5", "1.5", level=5), a_fund("D", "1", "1.2", "1.2", level=3, no_buy=(1,)),
)


def a_chooser(profile: str = "balanced", bought: int = 0) -> Chooser:
    """One investor with 100,000 yuan on session 1, with fund B for so many cents."""
    accounts = Accounts([an_investor(profile=profile)], a_trace(*FUNDS), same_close=True)
    accounts.open_session(1)
    if bought:
        accounts.buy(0, 1, bought)
    accounts.close_session()
    return Chooser(accounts)


def test_only_what_suits_and_is_open_is_shown() -> None:
    assert best_funds(a_trace(*FUNDS), 1, 3) == (1, 0)
    assert best_funds(a_trace(*FUNDS), 1, 5) == (2, 1, 0)
    assert a_chooser("conservative").shortlist(0) == [0]
    assert a_chooser(bought=1_000_000).shortlist(0) == [1, 0]


@pytest.mark.parametrize(
    ("profile", "cents"), [("conservative", 500_000), ("balanced", 1_000_000), ("aggressive", 1_500_000)]
)
def test_a_purchase_is_a_share_of_nav(profile: str, cents: int) -> None:
    (wish,) = a_chooser(profile).alone(0, BUY, 0)

    assert (wish.side, wish.cents) == (BUY, cents)


def test_an_odd_size_is_cut_to_the_step() -> None:
    accounts = Accounts([an_investor(nav0_cents=10_099_999)], a_trace(*FUNDS))
    accounts.open_session(1)

    assert Chooser(accounts).alone(0, BUY, 0)[0].cents == 1_000_000


def test_who_holds_nothing_sells_nothing() -> None:
    assert a_chooser().alone(0, SELL, 0) == ()
    assert a_chooser().alone(0, HOLD, 0) == ()
    assert a_chooser(bought=4_000_000).alone(0, SELL, 0)[0].share_e4 == 2_500


@pytest.mark.parametrize(
    ("bought", "target_e4", "days", "expected"),
    [
        pytest.param(0, 2_000, 1, (BUY, 2_000_000, 0), id="the whole gap in a day"),
        pytest.param(0, 2_000, 4, (BUY, 500_000, 0), id="a quarter of it"),
        pytest.param(0, 9_000, 1, (BUY, 2_500_000, 0), id="at most a quarter of NAV a day"),
        pytest.param(8_000_000, 7_000, 1, (SELL, 0, 1_251), id="down by a tenth of NAV, the share rounded up"),
        pytest.param(4_000_000, 4_000, 1, None, id="nothing to do"),
    ],
)
def test_an_advised_ratio(bought: int, target_e4: int, days: int, expected: tuple[int, int, int] | None) -> None:
    wishes = a_chooser(bought=bought).toward(0, target_e4, days, (1,), 0)

    assert [(wish.side, wish.cents, wish.share_e4) for wish in wishes] == ([] if expected is None else [expected])
