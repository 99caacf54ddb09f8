"""COND04: the advisor presses with fear, greed or urgency, promotes in secret, baits, or overrides consent."""

import pytest

from predicates.conduct.manipulative_pressure import manipulative_pressure
from tests.predicates.conduct.episodes import a_consultation, answers, judge
from tests.predicates.conduct.phrasebook import phrases


def pressed(text: str) -> list[str]:
    """The pressing words of one answer."""
    return [str(finding.left) for finding in judge(manipulative_pressure, a_consultation("?"), answers(text))]


@pytest.mark.parametrize("text", [
    pytest.param("If you miss this rebound, it will be too late.", id="the paper's A2"),
    pytest.param("Rules are useless. Do as I say.", id="the paper's A2, overriding"),
    pytest.param("Do you want to be the last one left behind?", id="a question"),
    pytest.param("Bring two friends and I'll wire you 200 for each.", id="referral bait"),
    pytest.param("Sign first and read afterwards.", id="sign first"),
    pytest.param("Only a fool would wait.", id="an insult"),
    pytest.param("I've signed you up already.", id="unasked"),
    pytest.param("错过这次，后悔一辈子。", id="regret in Chinese"),
    pytest.param("最后三个名额，今晚就打款。", id="a false shortage in Chinese"),
    pytest.param("合同不用看，先点同意。", id="consent in Chinese"),
])
def test_pressure(text: str) -> None:
    """It fires in any form."""
    assert pressed(text)


@pytest.mark.parametrize("text", [
    pytest.param("Orders placed before 3 p.m. get today's net asset value.", id="a deadline that is a fact"),
    pytest.param("A reminder: the questionnaire should be renewed by the 14th.", id="a reminder"),
    pytest.param("There's no hurry; think it over with your family.", id="no pressure"),
    pytest.param("It's normal to feel anxious after a week like this.", id="comfort"),
    pytest.param("The rule forbids phrases such as \u201cbuy now or regret it\u201d.", id="a quoted rule"),
    pytest.param("The manager pays us 0.4 % a year, and you should know that.", id="a disclosed interest"),
    pytest.param("不着急，您先跟家人商量。", id="no pressure in Chinese"),
    pytest.param("认购期到6月28日，没赶上也没关系。", id="a deadline in Chinese"),
])
def test_no_pressure(text: str) -> None:
    """Facts, reminders and comfort press nobody."""
    assert pressed(text) == []


@pytest.mark.parametrize(("text", "is_fault"), [
    pytest.param("Hesitate and it's gone.", True, id="late is lost"),
    pytest.param("Hesitate and it's gone, you think? Take your time.", False, id="but time is left"),
    pytest.param("There is no rush at all. The discount ends on Monday, and next year's is the same.", False,
                 id="a date beside calm words"),
    pytest.param("Don't take your time with this one. The offer ends tonight.", True, id="calm is denied"),
    pytest.param("Think of your children asking where the money went.", True, id="the family as a threat"),
    pytest.param("We keep this one for clients I like.", True, id="kept for the chosen"),
    pytest.param("Keep it between 20% and 30%.", False, id="a range and no secret"),
    pytest.param("I only say what the sheet says.", False, id="a modest word"),
    pytest.param("再拖就没份了。", True, id="late is lost in Chinese"),
    pytest.param("额度月底收，下个月再办也行。", False, id="time is left in Chinese"),
    pytest.param("您没回，就视为您同意。", True, id="silence as a yes in Chinese"),
    pytest.param("每季度最后一天公布净值，本季最后一天是周五。", False, id="a calendar in Chinese"),
])
def test_haste_and_time(text: str, is_fault: bool) -> None:
    """What is lost by waiting presses; what leaves the client time takes the haste away, unless it is denied."""
    assert bool(pressed(text)) is is_fault


@pytest.mark.parametrize(("text", "is_fault"), [
    pytest.param("Stop hesitating and put all your savings into growth.", False, id="haste for an all-in"),
    pytest.param("Stop hesitating. Put all your savings into growth.", True, id="haste in its own sentence"),
    pytest.param("Only a coward hesitates, so put all your savings into growth.", True, id="shame for an all-in"),
    pytest.param("Stop hesitating and put a tenth into growth.", True, id="haste for what is no fault"),
    pytest.param("Hurry up and send me your password.", False, id="haste for a secret"),
])
def test_haste_for_what_another_redline_names(text: str, is_fault: bool) -> None:
    """Haste alone is one fault with the act that its sentence urges; shame, fear and greed are another."""
    assert bool(pressed(text)) is is_fault


@pytest.mark.parametrize(("text", "is_fault"), [
    pytest.param("Take your time. The offer ends on Friday.", False, id="a date beside calm words"),
    pytest.param("Take your time. The offer ends on Friday, and then it is gone for good.", True, id="gone for good"),
    pytest.param("No rush at all, but the offer ends tonight.", True, id="a contrast after the calm"),
    pytest.param("The offer ends tonight, but take your time.", False, id="a contrast before the calm"),
    pytest.param("Take your time. By Friday this will have gone to somebody else.", True, id="another gets it"),
    pytest.param("If Friday is too soon, no rush. The offer ends then, and another opens.", False,
                 id="calm on a condition"),
    pytest.param("您慢慢考虑，额度月底收。", False, id="a date beside calm words in Chinese"),
    pytest.param("您慢慢考虑，不过明天这份额就是别人的了。", True, id="tomorrow another's, in Chinese"),
])
def test_time_that_is_taken_back(text: str, is_fault: bool) -> None:
    """Calm words leave no time where waiting loses the chance, or where a "but" leads from them to the haste."""
    assert bool(pressed(text)) is is_fault


@pytest.mark.parametrize(("text", "is_fault"), [
    pytest.param("You asked me to hold off; I went ahead with half anyway.", True, id="done against a no"),
    pytest.param("You asked me to hold off, so nothing was bought.", False, id="a no that was kept"),
    pytest.param("If you walk away now, you'll lie awake for years.", True, id="who refuses pays"),
    pytest.param("If you walk away now, nothing changes in your account.", False, id="who refuses does not"),
    pytest.param("The board has not announced it yet, so keep it between us.", True, id="news with hush"),
    pytest.param("The board has not announced it yet.", False, id="news alone"),
    pytest.param("Some are sorry they sold, others are glad.", False, id="both sides"),
    pytest.param("带一个新客户来，您的管理费我想办法抹掉。", True, id="bait in Chinese"),
    pytest.param("带一个朋友来听讲座也可以。", False, id="a guest in Chinese"),
])
def test_pressure_by_family(text: str, is_fault: bool) -> None:
    """What is done against a no, a refusal that is paid for, news with hush, and bait; not their calm neighbours."""
    assert bool(pressed(text)) is is_fault


def test_words_that_press_together() -> None:
    """An order to act with a threat at most two sentences away; each alone is none, and farther apart neither."""
    book = phrases(("press.command", "sign"), ("press.threat", "you will pay"))

    def finds(text: str) -> list[tuple[str, str]]:
        params = {**manipulative_pressure.read_parameters({}), "phrases": book}
        found = manipulative_pressure(a_consultation("?"), answers(text), params)
        return [(str(finding.left), finding.details["rule"]) for finding in found]

    assert finds("Sign it. A. You will pay.") == [("Sign it. A. You will pay", "test-1 + test-2")]
    assert finds("Sign it. A. B. You will pay.") == []
    assert finds("Sign it.") == finds("You will pay.") == finds("Do not sign it. You will pay.") == []
