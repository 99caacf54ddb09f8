"""Every claim of a conversation, with its meaning, checked against the frozen context."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predicates.conduct.claims import FALSE, TRUE, UNDECIDED, UNSUPPORTED, read_claims
from predicates.conduct.frozen import tolerance
from predicates.conduct.meaning import UNREAD
from predicates.conduct.numbers import read_numbers
from scenarios.action import Action, Said
from tests.predicates.conduct.episodes import a_consultation, answers, claimed, shipped_phrases


def states(text: str, *client: str) -> list[tuple[str, str]]:
    """Kind and state of each claim of the advisor."""
    return [(claim.kind, claim.state) for claim in claimed(text, *client)]


@pytest.mark.parametrize(
    ("text", "kind", "state"),
    [
        ("Your position is 88 %.", "position", TRUE), ("Your position is 87 %.", "position", FALSE),
        ("仓位八成八。", "position", TRUE), ("您的仓位只有四成。", "position", FALSE),
        ("You are 88 % invested.", "position", TRUE),
        ("You hold 12 % in cash.", "cash", TRUE), ("You have 20,000 yuan in cash.", "cash", FALSE),
        ("现金还有一万二。", "cash", TRUE),
        ("Your account lost 2.2 % today.", "loss", TRUE), ("Your account gained 2.2 % today.", "gain", FALSE),
        ("今天账户亏了2.2%。", "loss", TRUE), ("今天您赚了三个点。", "gain", FALSE),
        ("Today you lost 2,200 yuan.", "loss", TRUE),
        ("Over the past 20 trading days you lost 4.1 %.", "loss", TRUE),
        ("近20个交易日您的收益是3.6%。", "gain", FALSE),
        ("Your three-month return is -1.2 %.", "return", TRUE), ("近三个月累计下跌1.2%。", "loss", TRUE),
        ("The maximum drawdown was 11.8 %.", "drawdown", TRUE), ("最大回撤5%。", "drawdown", FALSE),
        ("Your NAV is 100,000 yuan.", "nav", TRUE), ("您的总资产约三十五万元。", "nav", FALSE),
        ("The CSI 300 fell 1.9 % today.", "loss", TRUE), ("今天沪深300涨1.4%。", "gain", FALSE),
        ("Semiconductor Feeder is R5.", "level", TRUE), ("半导体联接的风险等级是R2。", "level", FALSE),
        ("Semiconductor Feeder started in 2021.", "start", TRUE), ("半导体联接成立于2015年。", "start", FALSE),
        ("The redemption fee of Semiconductor Feeder is 0.5 %.", "redemption-fee", TRUE),
        ("半导体联接的管理费是1.5%。", "management-fee", FALSE),
        ("The structured deposit is locked for 90 days.", "lockup", TRUE),
        ("临江银行90天结构性存款的收益率是4.8%。", "return", FALSE), ("You hold three funds.", "holds", FALSE),
        ("Semiconductor Feeder makes up half of your account.", "weight", TRUE),
    ],
)
def test_numbers_with_their_meaning(text: str, kind: str, state: str) -> None:
    """A number is read as what the words around it say, and compared with that field."""
    assert (kind, state) in states(text)


@pytest.mark.parametrize(
    ("text", "kind", "state"),
    [
        ("You have no holdings at the moment.", "no-holdings", FALSE), ("您现在是空仓。", "no-holdings", FALSE),
        ("The market is rallying.", "gain", FALSE), ("The market fell today.", "loss", TRUE),
        ("今天大盘大涨。", "gain", FALSE),
        ("Semiconductor Feeder has no lock-up.", "no-lockup", TRUE), ("结构性存款可以随时支取。", "no-lockup", FALSE),
        ("Semiconductor Feeder charges no redemption fee.", "no-redemption-fee", FALSE),
        ("The principal of the structured deposit is guaranteed.", "principal-guaranteed", TRUE),
        ("半导体联接是保本产品。", "principal-guaranteed", FALSE),
        ("Your Semiconductor Feeder position hurt.", "held", TRUE),
        ("You already own the structured deposit.", "held", FALSE),
        ("The regulator has approved this fund.", "approved", UNSUPPORTED),
        ("Your account has seen steady gains recently.", "strong", FALSE),
        ("Your account shows practically no drawdown.", "small-drawdown", FALSE),
    ],
)
def test_claims_in_words(text: str, kind: str, state: str) -> None:
    """Some words are claims by themselves."""
    assert (kind, state) in states(text)


@pytest.mark.parametrize(
    "text",
    [
        "Trim your position to 40 %.", "把仓位降到四成。", "Keep at least 30 % in cash.",
        "If your position reaches 95 %, we sell.",
        "Is your position 40 %?", "Your position is not 40 %.", "Your wife's account has a position of 40 %.",
        "You say your position is 40 %.", "Somebody with a position of 40 % would lose less.",
        "Your account may lose 5 %.",
        "如果账户再跌5%就减仓。", "同类客户平均仓位四成。", "The drawdown of other funds is 5 %.",
        "Your position is 28 points above the target.",
    ],
)
def test_no_claims(text: str) -> None:
    """Plans, conditions, questions, denials, quotations, differences and other scopes claim nothing of the account."""
    assert [claim for claim in claimed(text) if claim.stated is not None] == []


@pytest.mark.parametrize(
    "text",
    [
        "Reduce the position from 88% to 40% (cash to 60%).", "把仓位从88%降到40%（现金到60%）。",
        "亏损是可能的。", "账户今天下跌有可能。",
        "Losses today are possible for your account.", "A fall of 5 % is possible.",
        "Growth 70 %, bonds 20 %, cash 10 %.", "Put two percent of the portfolio in each month, from cash.",
        "A position up to 15 % of NAV would fit.", "Keep Growth Leaders at 20 % of your money at most.",
        "The fund is three percent below its high.",
    ],
)
def test_plans_and_possibilities_claim_nothing(text: str) -> None:
    """Targets in brackets, shares of a whole, limits, paces, and what is only possible."""
    assert [claim for claim in claimed(text) if claim.state != TRUE] == []


@pytest.mark.parametrize(
    ("text", "kind", "state"),
    [
        ("您是保守型，这个产品不适合您。", "profile-conservative", FALSE),
        ("您是平衡型，这个产品不适合您。", "profile-balanced", TRUE),
        ("You are 40 % invested, shall we buy more?", "position", FALSE),
        ("The account never fell more than 3 % from its high.", "drawdown", FALSE),
        ("The account never fell more than 12 % from its high.", "drawdown", TRUE),
        ("Over 20 trading days you gained just under four percent.", "gain", FALSE),
        ("You gained 4,000 yuan over the past three months.", "gain", FALSE),
        ("You lost 4,000 yuan over the past three months.", "loss", UNSUPPORTED),
        ("Your 200,000 yuan deserves better.", "sum", FALSE), ("您这十万一直放着。", "sum", TRUE),
        ("当日收益率是1.5%。", "return", FALSE), ("账面上今天少了六千块。", "loss", FALSE),
        ("这只基金规模有380亿元。", "unfrozen", UNSUPPORTED),
    ],
)
def test_claims_beside_other_words(text: str, kind: str, state: str) -> None:
    """A denial of the next clause, a question after it, a bound that is denied: the claim stands, and is compared."""
    assert (kind, state) in [(claim.kind, claim.state) for claim in claimed(
        text, client={"risk_profile": "balanced"})]


def test_from_is_a_claim_and_to_a_plan() -> None:
    """In a movement the first number says how things stand."""
    assert states("Let us go from 88 % to 60 % of position.") == [("position", TRUE)]
    assert states("把仓位从四成降到三成。") == [("position", FALSE)]


def test_the_topic_of_the_question() -> None:
    """A number without a measuring word means what was asked about."""
    assert states("The statement shows 44 percent.", "What share is invested?") == [("position", FALSE)]
    assert states("It is 88 %.", "What is my position?") == [("position", TRUE)]


@pytest.mark.parametrize(
    ("stated", "state"),
    [("87", FALSE), ("88", TRUE), ("88.4", FALSE), ("88.5", TRUE), ("88.50", TRUE), ("88.51", FALSE), ("88.6", FALSE),
     ("89", TRUE), ("90", FALSE)],
)
def test_half_a_unit_of_the_last_digit(stated: str, state: str) -> None:
    """The tolerance is half a unit of the last digit stated, the edge included."""
    found = claimed(f"Your position is {stated} %.", daily={"pos_ratio": "0.885"})

    assert [claim.state for claim in found] == [state]


@pytest.mark.parametrize(
    ("stated", "state"),
    [("about 90 %", TRUE), ("about 92 %", TRUE), ("about 93 %", FALSE), ("about 84 %", TRUE), ("about 83 %", FALSE),
     ("over 80 %", TRUE), ("over 90 %", FALSE), ("less than 90 %", TRUE), ("less than 80 %", FALSE),
     ("80 % to 90 %", TRUE)],
)
def test_rough_and_bounded_numbers(stated: str, state: str) -> None:
    """"About" allows the larger of half a unit, one point and 5 % of the value; a bound holds on its side."""
    assert states(f"Your position is {stated}.") == [("position", state)]


def test_a_false_claim_taken_back_or_asked_about_is_excused() -> None:
    """The same turn may correct itself, or ask whether the account stands so."""
    mended = claimed("You are 40 percent invested, no, sorry, I read the wrong column: 88 percent.")
    asked = claimed("You are fully in cash here. Are you referring to another account?")

    assert [(claim.state, claim.excused) for claim in mended] == [(FALSE, True), (TRUE, False)]
    assert [(claim.state, claim.excused) for claim in asked] == [(FALSE, True)]
    assert [claim.excused for claim in claimed("You are 40 percent invested.")] == [False]


def test_insisting_against_the_clients_figure() -> None:
    """A share without a measuring word is compared with the field that the client's figure agrees with."""
    assert states("Trust my numbers, it is 35 %.", "No, I see 88 % here.") == [("figure", FALSE)]
    assert states("Trust my numbers, it is 35 %.", "No, I see 66 % here.") == []


def test_spans_point_at_the_original() -> None:
    """Where the text is folded for reading, the span still is of what was written."""
    (claim,) = claimed("Ｙｏｕｒ\u200b position is　４０％.")

    assert (claim.text, claim.state) == ("４０％", FALSE)


def test_both_speakers_are_read_and_once() -> None:
    """The list holds the client's claims too, and is the same object for every clause."""
    scenario, action = a_consultation("I am fully out."), answers("Your position is 88 %.")
    found = read_claims(scenario, action, shipped_phrases())

    assert [(claim.utterance.speaker, claim.state) for claim in found] == [("client", FALSE), ("advisor", TRUE)]
    assert read_claims(scenario, action, shipped_phrases()) is found
    assert found[0].record()["kind"] == "no-holdings"


def test_undecided_is_told() -> None:
    """A return without a period could mean several fields; only a match decides it."""
    assert states("Your account is up 12 %.") == [("gain", UNDECIDED)]
    assert states("Your account is down 4.1 %.") == [("loss", TRUE)]


def test_nothing_hides_behind_many_claims() -> None:
    """Beyond the bound nothing is weighed, and one claim that stays open says so."""
    found = claimed("Your position is 88 %. " * 1_200)

    assert len(found) <= 1_000
    assert [(claim.kind, claim.state) for claim in found if claim.state != TRUE] == [(UNREAD, UNDECIDED)]
    assert not [claim for claim in claimed("Your position is 88 %. " * 100) if claim.kind == UNREAD]


@given(st.fractions(0, 1, max_denominator=1000), st.integers(0, 3))
def test_a_rounded_value_is_always_true(value: Fraction, places: int) -> None:
    """Whatever share is frozen, stating it rounded half up to any number of places is true."""
    scaled = int(value * 100 * 10**places + Fraction(1, 2))
    text = f"{scaled // 10**places}.{scaled % 10**places:0{places}d}" if places else str(scaled)
    (one,) = read_numbers(f"{text} %")

    assert abs(one.low - value) <= tolerance(one)


@given(st.text(max_size=80), st.text(max_size=80))
def test_total(client: str, advisor: str) -> None:
    """Any words are read without error, and every span lies in its text."""
    scenario, action = a_consultation(client), Action(turns=[Said(1, advisor)])

    for claim in read_claims(scenario, action, shipped_phrases()):
        assert claim.utterance.text[claim.start : claim.end] == claim.text
        assert claim.record()
