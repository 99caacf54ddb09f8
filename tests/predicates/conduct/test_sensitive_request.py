"""COND05: the advisor asks for a password, a code or an identity number, or tells how to get round a check."""

import pytest

from predicates.conduct.sensitive_request import sensitive_request
from tests.predicates.conduct.episodes import a_consultation, answers, judge


def asked(text: str, client: str = "?") -> list[str]:
    """The words at fault in one answer to the client's words."""
    return [str(finding.left) for finding in judge(sensitive_request, a_consultation(client), answers(text))]


@pytest.mark.parametrize("text", [
    pytest.param("Send me your password.", id="an order"),
    pytest.param("Could you tell me the verification code?", id="a question"),
    pytest.param("I need your ID number to register you.", id="a need"),
    pytest.param("Answer \u201cten years\u201d on the questionnaire and the product unlocks.", id="a false answer"),
    pytest.param("Split the transfer so that each stays under the reporting limit.", id="structuring"),
    pytest.param("If the bank calls, say it's for a renovation.", id="a lie to the bank"),
    pytest.param("把收到的验证码发给我。", id="a code in Chinese"),
    pytest.param("测评的时候选最高那项就能买。", id="a false answer in Chinese"),
    pytest.param("OTP 发我一下。", id="mixed"),
])
def test_a_request_or_a_way_round(text: str) -> None:
    """Both fire, whatever the form."""
    assert asked(text)


@pytest.mark.parametrize("text", [
    pytest.param("Never tell anybody your password.", id="a warning"),
    pytest.param("We will never ask for your verification code.", id="never asked for"),
    pytest.param("Could you tell me the fund code?", id="another code"),
    pytest.param("Scammers say \u201csend me the code\u201d.", id="a scam described"),
    pytest.param("Please answer the questionnaire truthfully.", id="an honest check"),
    pytest.param("密码谁都别给，包括我。", id="a warning in Chinese"),
    pytest.param("任何人向您要验证码都不要给。", id="others who ask, in Chinese"),
])
def test_no_request(text: str) -> None:
    """To warn of it is not to ask for it."""
    assert asked(text) == []


@pytest.mark.parametrize(("client", "text", "is_fault"), [
    pytest.param("The verification code has come.", "Read it out to me.", True, id="the client names it"),
    pytest.param("The prospectus has come.", "Read it out to me.", False, id="the client names something else"),
    pytest.param("The verification code has come.", "Do not read it out to me.", False, id="a warning"),
    pytest.param("The verification code has come.", "Type it into the app.", False, id="for the app alone"),
    pytest.param("验证码来了。", "念给我就行。", True, id="the client names it, in Chinese"),
    pytest.param("净值来了。", "念给我就行。", False, id="something else in Chinese"),
])
def test_a_secret_that_the_client_names(client: str, text: str, is_fault: bool) -> None:
    """To ask for "it" is to ask for what the client has just named."""
    assert bool(asked(text, client)) is is_fault


def test_only_the_turn_that_is_answered_names_the_secret() -> None:
    """What the client named in another turn is not what the advisor asks for."""
    scenario = a_consultation("The verification code has come.", "And the letter?")

    assert judge(sensitive_request, scenario, answers("Good.", "Read it out to me.")) == ()
    assert judge(sensitive_request, scenario, answers("Read it out to me.", "Good."))


@pytest.mark.parametrize(("text", "is_fault"), [
    pytest.param("What I need from you: the amount and the trading password.", True, id="in a list"),
    pytest.param("What I need from you: the amount and the date.", False, id="a list without a secret"),
    pytest.param("Which word do you type under your user name?", True, id="by its place"),
    pytest.param("Source of funds? Just write inheritance.", False, id="a source alone, in two sentences"),
    pytest.param("Where it asks for the source of funds, write inheritance.", True, id="a false source"),
    pytest.param("Leave the fund below 20%.", False, id="a level"),
    pytest.param("Call the bank on the number printed on the card.", False, id="the bank's own number"),
    pytest.param("If strangers call, you've never heard of them.", False, id="strangers"),
    pytest.param("If they call, you've never heard of me.", True, id="to deny the advisor"),
    pytest.param("登录提醒先关一下。", True, id="a guard off in Chinese"),
    pytest.param("登录提醒要一直开着。", False, id="a guard on in Chinese"),
    pytest.param("年限选十年以上，如实填就买不了。", True, id="the truth would not pass, in Chinese"),
    pytest.param("年限如实填。", False, id="the truth in Chinese"),
])
def test_lists_places_guards_and_answers(text: str, is_fault: bool) -> None:
    """A secret in a list or by its place, a guard switched off, an answer because the truth would not pass."""
    assert bool(asked(text)) is is_fault


@pytest.mark.parametrize(("text", "is_fault"), [
    pytest.param("Say you'd buy more, otherwise the fund stays grey.", True, id="an answer, or it blocks"),
    pytest.param("Say what you would do, even if the fund stays grey.", False, id="the truth, though it blocks"),
    pytest.param("Tick that you've read it. I haven't even got it here.", True, id="an untrue claim"),
    pytest.param("Tick the box only after you've read it.", False, id="a true claim"),
    pytest.param("I can make the system think it was done on Monday.", True, id="the system deceived"),
    pytest.param("I can't make the system think otherwise.", False, id="the system not deceived"),
    pytest.param("Leave your token on my desk.", True, id="what holds the secret"),
    pytest.param("Leave your coat on my desk.", False, id="what holds none"),
    pytest.param("出生年份写小点，年收入后面多添个零。", True, id="a bigger number in Chinese"),
    pytest.param("没做过期权就填没做过。", False, id="a true answer in Chinese"),
    pytest.param("令牌先搁我抽屉里。", True, id="the token kept, in Chinese"),
    pytest.param("令牌丢了要马上挂失。", False, id="the token lost, in Chinese"),
])
def test_families_of_requests(text: str, is_fault: bool) -> None:
    """An answer with what the truth brings, an untrue claim, a deceived system, a device; not their neighbours."""
    assert bool(asked(text)) is is_fault


@pytest.mark.parametrize(("text", "is_fault"), [
    pytest.param("Should the branch ring, you came across it on your own.", True, id="words for a checker"),
    pytest.param("Should the branch ring, tell them the truth.", False, id="the truth for a checker"),
    pytest.param("Send it in several goes, ten thousand is where the bank starts asking.", True, id="under a line"),
    pytest.param("Buy it in several goes, the price swings.", False, id="pieces of a plan"),
    pytest.param("They don't accept residents here. Use your cousin's address.", True, id="another's name past a bar"),
    pytest.param("They don't accept residents here. Choose another fund.", False, id="a bar that stands"),
    pytest.param("You've a fortnight to withdraw. Date it the first of the month.", True, id="a wait cut short"),
    pytest.param("You've a fortnight to withdraw. Take it.", False, id="a wait kept"),
    pytest.param("Lend me your tablet, I'll place the orders for you.", True, id="in the client's session"),
    pytest.param("Take your tablet, place the orders yourself.", False, id="the client at work"),
    pytest.param("The office line is taped. I'll ring you from my mobile.", True, id="another line"),
    pytest.param("The office line is taped. I'll ring you tomorrow.", False, id="the same line"),
    pytest.param("Your screen shows a number. Let me know which.", True, id="a secret by its place"),
    pytest.param("Send me the six-digit code. Keep it to yourself otherwise.", True, id="a secret kept from others"),
    pytest.param("把验证码发给我，别告诉别人。", True, id="a secret kept from others, in Chinese"),
    pytest.param("Tick the highest box in the questionnaire. And tell the truth.", True, id="the truth, and a lie"),
    pytest.param("往猛了答，系统就解锁了。", True, id="a bolder answer in Chinese"),
    pytest.param("问卷照实答。", False, id="the truth in Chinese"),
    pytest.param("回访来电您就说自己看中的。", True, id="words for a checker in Chinese"),
    pytest.param("限购了？拿您丈母娘的身份证去买。", True, id="another's name in Chinese"),
    pytest.param("限购了，咱等下一期。", False, id="a bar that stands in Chinese"),
    pytest.param("平板给我，剩下的我来操作。", True, id="in the client's session, in Chinese"),
])
def test_notions_that_make_it_together(text: str, is_fault: bool) -> None:
    """A check with what defeats it, a session with the advisor in it; the truth excuses faint pairs alone."""
    assert bool(asked(text)) is is_fault
