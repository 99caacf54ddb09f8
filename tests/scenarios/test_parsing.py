"""An answer becomes one typed action, or says why not; nothing is guessed, whatever the text."""

import json
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scenarios import parsing
from scenarios.action import Action, Citation, Order
from scenarios.canonical import canonical_bytes
from scenarios.errors import ScenarioError
from scenarios.parsing import MAX_TEXT_BYTES, Parsed, parse_answer, print_action
from scenarios.types import Scenario
from tests.builders import a_scenario, an_instrument

SCENARIO = a_scenario(
    instruments=(
        an_instrument("AAA", aliases=("Alpha",), price_cents=12_345), an_instrument("BBB"),
        an_instrument("OLD", price_cents=None), an_instrument("FREE", price_cents=None), an_instrument("600519"),
    ),
    universe=("AAA", "BBB", "FREE", "600519"),
)
OPTIONAL = a_scenario(amounts_required=False)
BOTH = ("strict-1", "tolerant-1")


def order(**members: Any) -> str:
    """An answer with one order: 900 of AAA, with these members besides or instead; None leaves one out."""
    merged = {"instrument": "AAA", "amount": 900, **members}
    return json.dumps({"orders": [{name: value for name, value in merged.items() if value is not None}]})


def amount(token: str) -> str:
    """An answer with one order whose amount is this JSON text."""
    return f'{{"orders": [{{"instrument": "AAA", "amount": {token}}}]}}'


def strict(text: str, scenario: Scenario = SCENARIO, **how: Any) -> Parsed:
    return parse_answer(scenario, text, parser="strict-1", **how)


def tolerant(text: str, scenario: Scenario = SCENARIO, **how: Any) -> Parsed:
    return parse_answer(scenario, text, **how)


def read(parsed: Parsed) -> Action:
    assert parsed.state is None, parsed.fault
    assert parsed.action is not None and parsed.fault is None
    return parsed.action


def fault(parsed: Parsed, state: str = "MALFORMED") -> tuple[str, str]:
    assert parsed.state == state, parsed
    assert parsed.action is None and parsed.fault is not None and parsed.fault.remedy
    return parsed.fault.where, parsed.fault.what


def whats(parsed: Parsed) -> list[str]:
    return [f"{note.where} {note.what}" for note in parsed.notes]


# The shape, which both parsers read alike and without a note.

FULL = """ {"orders": [
    {"instrument": "AAA", "side": "sell", "amount": 900.50, "confidence": 0.90, "reason": "trim"},
    {"instrument": "BBB", "shares": 1.5}],
  "citations": ["F1", {"id": "F2", "value": 3.10, "unit": "%", "as_of": "2026-01-02"}, {"id": "F3", "value": "low"}],
  "message": "ok"}
"""


@pytest.mark.parametrize("parser", BOTH)
def test_the_whole_shape(parser: str) -> None:
    parsed = parse_answer(SCENARIO, FULL, parser=parser)

    assert parsed.notes == ()
    action = read(parsed)
    assert action.orders == (
        Order("AAA", "sell", 90_050, None, "0.90", "trim"), Order("BBB", "buy", 15_000, Fraction(3, 2)),
    )
    assert action.citations == (Citation("F1"), Citation("F2", "3.10", "%", "2026-01-02"), Citation("F3", "low"))
    assert action.message == "ok"
    assert all(type(text) is str for text in (action.orders[0].confidence, action.citations[1].value))


@pytest.mark.parametrize("parser", BOTH)
def test_an_explicit_empty_list_abstains(parser: str) -> None:
    action = read(parse_answer(SCENARIO, '{"orders": [], "citations": ["F1"]}', parser=parser))

    assert action.abstained
    assert action.citations == (Citation("F1"),)


BROKEN_SHAPES = [
    pytest.param('{"message": "hold"}', "", id="no orders"),
    pytest.param('{"orders": null}', "/orders", id="null for the orders"),
    pytest.param('{"orders": {}}', "/orders", id="an object for the orders"),
    pytest.param('{"orders": ["AAA"]}', "/orders/0", id="a name for an order"),
    pytest.param(order(instrument=None), "/orders/0/instrument", id="no instrument"),
    pytest.param(order(instrument=""), "/orders/0/instrument", id="an empty instrument"),
    pytest.param(order(instrument=600519), "/orders/0/instrument", id="a number for an instrument"),
    pytest.param(order(side="hold"), "/orders/0/side", id="unknown side"),
    pytest.param(order(side=""), "/orders/0/side", id="empty side"),
    pytest.param(order(side=1), "/orders/0/side", id="a number for a side"),
    pytest.param('{"orders": [{"instrument": "AAA", "side": null, "amount": 9}]}', "/orders/0/side", id="null side"),
    pytest.param(order(side="\u017fell"), "/orders/0/side", id="a side that only folds to sell"),
    pytest.param(order(amount=True), "/orders/0/amount", id="true for an amount"),
    pytest.param(order(amount=[900]), "/orders/0/amount", id="a list for an amount"),
    pytest.param(order(amount=None), "/orders/0", id="no amount where amounts are required"),
    pytest.param(order(amount=900, shares=1), "/orders/0", id="two sizes"),
    pytest.param(order(target_weight=0.2), "/orders/0", id="amount and target weight"),
    pytest.param(order(amount=None, target_weight=0.2), "/orders/0/target_weight", id="a target weight alone"),
    pytest.param(order(amount=None, shares=0), "/orders/0/shares", id="no shares"),
    pytest.param(order(amount=None, shares=-1), "/orders/0/shares", id="negative shares"),
    pytest.param(order(amount=None, shares=False), "/orders/0/shares", id="false for shares"),
    pytest.param(
        order(instrument="BBB", amount=None, shares=10**9), "/orders/0/shares", id="shares worth 10^13 cents"
    ),
    pytest.param(order(confidence="high"), "/orders/0/confidence", id="a word for a confidence"),
    pytest.param(order(confidence=[]), "/orders/0/confidence", id="a list for a confidence"),
    pytest.param(order(reason=5), "/orders/0/reason", id="a number for a reason"),
    pytest.param('{"orders": [], "message": 5}', "/message", id="a number for the message"),
    pytest.param('{"orders": [], "citations": "F1"}', "/citations", id="a string for the citations"),
    pytest.param('{"orders": [], "citations": [7]}', "/citations/0", id="a number for a citation"),
    pytest.param('{"orders": [], "citations": [""]}', "/citations/0", id="an empty citation"),
    pytest.param('{"orders": [], "citations": [{"value": 1}]}', "/citations/0/id", id="a citation without id"),
    pytest.param('{"orders": [], "citations": [{"id": "F", "value": true}]}', "/citations/0/value", id="true stated"),
    pytest.param('{"orders": [], "citations": [{"id": "F", "value": 1e99}]}', "/citations/0/value", id="1e99 stated"),
    pytest.param('{"orders": [], "citations": [{"id": "F", "unit": 1}]}', "/citations/0/unit", id="a number as unit"),
    pytest.param('{"orders": [], "citations": [{"id": "F", "as_of": 1}]}', "/citations/0/as_of", id="a number as date"),
]


@pytest.mark.parametrize("parser", BOTH)
@pytest.mark.parametrize(("text", "where"), BROKEN_SHAPES)
def test_what_neither_parser_reads(text: str, where: str, parser: str) -> None:
    assert fault(parse_answer(SCENARIO, text, parser=parser))[0] == where


@pytest.mark.parametrize("parser", BOTH)
@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        pytest.param(amount("NaN"), "/orders/0/amount", "NaN", id="NaN"),
        pytest.param(amount("-Infinity"), "/orders/0/amount", "Infinity", id="Infinity"),
        pytest.param(amount("-900"), "/orders/0/amount", "negative", id="negative"),
        pytest.param(amount("0"), "/orders/0/amount", "zero", id="zero"),
        pytest.param(amount("900.001"), "/orders/0/amount", "finer", id="finer than the minor unit"),
        pytest.param(amount("900.00000000000001"), "/orders/0/amount", "finer", id="what a float would lose"),
        pytest.param(amount("1e400"), "/orders/0/amount", "exponent 400", id="beyond the exponent bound"),
        pytest.param(amount("1" * 33), "/orders/0/amount", "33 characters", id="beyond the digit bound"),
        pytest.param(amount("100000000000"), "/orders/0/amount", "10^13", id="beyond the amount bound"),
        pytest.param(amount('900, "amount": 900'), "/orders/0", '"amount" twice', id="a key twice"),
        pytest.param('{"orders": [], "x": {"y": 1, "y": 2}}', "/x", '"y" twice', id="a key twice in an unknown member"),
        pytest.param(order(instrument="\ud800"), "/orders/0/instrument", "surrogate", id="an escaped lone surrogate"),
        pytest.param(amount("900,00"), "text offset 48", "expected", id="a decimal comma in a number"),
        pytest.param('{"orders": [],}', "text offset 14", "expected", id="a trailing comma"),
        pytest.param("[]", "text offset 0", "a list", id="a list"),
        pytest.param("", "text offset 0", "no text", id="empty"),
        pytest.param(" \n", "text offset 0", "no text", id="blank"),
        pytest.param("Hold for now.", "text offset 0", "no JSON object", id="prose only"),
        pytest.param('{"orders": ' + "[" * 32 + "]" * 32 + "}", "text offset 42", "deeper than 32", id="depth 33"),
        pytest.param('{"orders": \ud800[]}', "text offset 11", "ud800", id="a raw lone surrogate"),
        pytest.param('{"orders": [], "\ud800": "x"}', "", "surrogate", id="a lone surrogate in a key"),
        pytest.param('{"orders": [], "citations": ["F\ud800"]}', "/citations/0", "surrogate", id="one in a fact's id"),
    ],
)
def test_what_is_never_guessed(text: str, where: str, what: str, parser: str) -> None:
    found = fault(parse_answer(SCENARIO, text, parser=parser))

    assert found[0] == where
    assert what in found[1]


@pytest.mark.parametrize("parser", BOTH)
def test_words_keep_a_lone_surrogate(parser: str) -> None:
    """Raw or escaped: what is said is kept as it was sent, and its action has bytes and a digest."""
    text = '{"orders": [{"instrument": "AAA", "amount": 900, "reason": "a\\ud800"}], "message": "\ud83dno"}'
    action = read(parse_answer(SCENARIO, text, parser=parser))

    assert (action.message, action.orders[0].reason) == ("\ud83dno", "a\ud800")
    assert json.loads(canonical_bytes(action.record())) == action.record()
    assert read(parse_answer(SCENARIO, print_action(action), parser=parser)) == action


def test_prose_keeps_a_lone_surrogate() -> None:
    parsed = tolerant('{"orders": [], "analysis": "\\udc00x"} Done\ud800.')

    assert set(read(parsed).prose) == {"\udc00x", "Done\ud800."}
    assert "after the object" in fault(strict('{"orders": []}\ud800'))[1]


def test_nesting_of_32_levels_is_read() -> None:
    text = '{"orders": [], "x": ' + "[" * 31 + "]" * 31 + "}"
    assert "may change what is asked" in fault(tolerant(text))[1]
    assert "deeper" in fault(tolerant(text.replace("[[", "[[[").replace("]]", "]]]")))[1]


@pytest.mark.parametrize("parser", BOTH)
def test_a_text_of_1_mib_is_read_and_no_more(parser: str) -> None:
    """The bound counts bytes of UTF-8, not characters."""
    for filler in ("x", "é", "\N{GRINNING FACE}"):
        frame = len('{"orders": [], "message": ""}')
        body = filler * ((MAX_TEXT_BYTES - frame) // len(filler.encode()))
        padding = MAX_TEXT_BYTES - frame - len(body.encode())
        text = '{"orders": [], "message": "' + body + '"}' + " " * padding
        assert len(text.encode()) == MAX_TEXT_BYTES

        assert read(parse_answer(SCENARIO, text, parser=parser)).message == body
        assert "1 MiB" in fault(parse_answer(SCENARIO, text + " ", parser=parser))[1]


def test_a_number_is_exact() -> None:
    for token, cents in (("0.10", 10), ("900.000", 90_000), ("9e2", 90_000), ("99999999999.99", 10**13 - 1)):
        parsed = strict(amount(token))
        assert (read(parsed).buy_amounts, parsed.notes) == ([cents], ())


@pytest.mark.parametrize("parser", BOTH)
@pytest.mark.parametrize(
    ("token", "text"),
    [("0.90", "0.90"), ("1", "1"), ("-0.5", "-0.5"), ("9e-1", "0.9"), ("10", "10"), ("1e2", "100")],
)
def test_a_confidence_keeps_its_digits(token: str, text: str, parser: str) -> None:
    answer = amount(f'900, "confidence": {token}')
    assert read(parse_answer(SCENARIO, answer, parser=parser)).orders[0].confidence == text


@pytest.mark.parametrize("parser", BOTH)
def test_a_null_size_is_no_size(parser: str) -> None:
    parsed = parse_answer(SCENARIO, '{"orders": [{"instrument": "AAA", "amount": null, "shares": 2}]}', parser=parser)

    assert parsed.notes == ()
    assert read(parsed).orders == (Order("AAA", "buy", 24_690, 2),)
    assert fault(parse_answer(SCENARIO, amount("null"), parser=parser))[0] == "/orders/0"
    assert read(parse_answer(OPTIONAL, amount("null"), parser=parser)).orders == (Order("AAA"),)


# Sizes in shares.

@pytest.mark.parametrize(
    ("shares", "cents"),
    [(3, 37_035), (0.2, 2_469), (0.1, Fraction(12_345, 10))],
    ids=["whole", "a fraction that comes to cents", "a fraction of a cent"],
)
def test_shares_are_worth_their_price(shares: float, cents: int | Fraction) -> None:
    found = read(strict(order(amount=None, shares=shares))).orders[0]

    assert found.amount == cents
    assert type(found.amount) is type(cents)
    assert found.shares == Fraction(str(shares))


def test_shares_just_below_the_bound() -> None:
    assert read(strict(order(instrument="BBB", amount=None, shares=10**9 - 1))).bought == 10**13 - 10_000


def test_a_missing_price_is_the_scenarios_fault() -> None:
    """In the universe it must be there; elsewhere the order stays without an amount."""
    with pytest.raises(ScenarioError, match=r"FREE.*no price_cents"):
        strict(order(instrument="FREE", amount=None, shares=1))
    for name in ("OLD", "UNKNOWN"):
        assert read(strict(order(instrument=name, amount=None, shares=1))).orders == (Order(name, "buy", None, 1),)


def test_an_unreadable_answer_never_blames_the_scenario() -> None:
    text = '{"orders": [{"instrument": "FREE", "shares": 1}], "message": 5}'
    assert fault(strict(text))[0] == "/message"


# Tickers.

@pytest.mark.parametrize("parser", BOTH)
@pytest.mark.parametrize(
    ("rule", "name", "instrument", "noted"),
    [
        pytest.param("exact", "AAA", "AAA", False, id="the id"),
        pytest.param("exact", "Alpha", "AAA", True, id="a declared alias"),
        pytest.param("exact", "aaa", "aaa", False, id="another case stays as answered"),
        pytest.param("exact", " AAA", " AAA", False, id="blanks stay as answered"),
        pytest.param("trim", " AAA", "AAA", True, id="trimmed where declared"),
        pytest.param("trim", "aaa", "aaa", False, id="trim folds no case"),
        pytest.param("ignore-case", " aaa ", "AAA", True, id="case ignored where declared"),
        pytest.param("ignore-case", "ALPHA", "AAA", True, id="an alias in another case"),
        pytest.param("ignore-case", "A.AA", "A.AA", False, id="a near miss is no match"),
        pytest.param("exact", "\u0410AA", "\u0410AA", False, id="a look-alike is no match"),
    ],
)
def test_tickers(rule: str, name: str, instrument: str, noted: bool, parser: str) -> None:
    declared = SCENARIO.model_copy(update={"ticker_match": rule})
    parsed = parse_answer(declared, order(instrument=name), parser=parser)

    assert read(parsed).orders[0].instrument == instrument
    assert whats(parsed) == (
        [f"/orders/0/instrument {json.dumps(name)} read as the instrument \"AAA\""] if noted else []
    )


def test_identity_counts_behind_an_alias() -> None:
    text = '{"orders": [{"instrument": "Alpha", "amount": 1}, {"instrument": "AAA", "amount": 2}]}'
    assert read(strict(text)).bought_of == {"AAA": 300}


# Liberties: tolerant-1 takes them with a note, strict-1 does not take them.

PLAIN = '{"orders": [{"instrument": "AAA", "amount": 900}]}'


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        pytest.param(f"```json\n{PLAIN}\n```", ["text offset 0 a fenced block, unwrapped"], id="a fenced block"),
        pytest.param(f" ```\n{PLAIN}\n", ["text offset 1 a fenced block, unwrapped"], id="a fence left open"),
        pytest.param(
            f"Here:\n```json\n{PLAIN}\n```\nDone.",
            ["text offset 6 a fenced block, unwrapped", "text offset 0 5 characters before the object, skipped",
             "text offset 64 5 characters after the object, skipped"], id="a fenced block in prose",
        ),
        pytest.param(f"I say {PLAIN}", ["text offset 0 5 characters before the object, skipped"], id="prose before"),
        pytest.param(f"{PLAIN} ok.", ["text offset 50 3 characters after the object, skipped"], id="prose behind"),
        pytest.param(
            f"As {{ticker}} said: {PLAIN}", ["text offset 0 17 characters before the object, skipped"],
            id="a word in braces",
        ),
        pytest.param(f"\ufeff{PLAIN}", ["text offset 0 a byte order mark, skipped"], id="a byte order mark"),
        pytest.param(
            f"{PLAIN}\n{PLAIN}", ["text offset 0 the same object 2 times, read once"], id="the same object twice"
        ),
        pytest.param(
            PLAIN + PLAIN.replace(" ", "") + '{"orders":[{"amount":900,"instrument":"AAA"}]}',
            ["text offset 0 the same object 3 times, read once"], id="the same object in other spellings",
        ),
        pytest.param(amount('"$900"'), ['/orders/0/amount amount read from the string "$900"'], id="a money string"),
        pytest.param(amount('"９００"'), ['/orders/0/amount amount read from the string "９００"'], id="full width"),
        pytest.param(
            PLAIN.replace('"amount": 900', '"shares": "1"').replace("AAA", "BBB"),
            ['/orders/0/shares shares read from the string "1"'], id="a string of shares",
        ),
        pytest.param(order(side="BUY"), ['/orders/0/side the side "BUY", read as buy'], id="a side in capitals"),
        pytest.param(
            order(confidence="0.9"), ['/orders/0/confidence the string "0.9", read as a number'],
            id="a confidence string",
        ),
        pytest.param(PLAIN[:-1] + ', "analysis": "x"}', [' a text under the key "analysis", kept as prose'],
                     id="a text"),
        pytest.param(PLAIN[:-1] + ', "message": null}', ["/message null, read as left out"], id="a null message"),
        pytest.param(PLAIN[:-1] + ', "citations": null}', ["/citations null, read as left out"], id="null citations"),
        pytest.param(
            '{"orders": [{"instrument": "AAA", "amount": 900, "reason": null, "confidence": null}]}',
            ["/orders/0/confidence null, read as left out", "/orders/0/reason null, read as left out"], id="null texts",
        ),
    ],
)
def test_a_liberty_is_a_note(text: str, notes: list[str]) -> None:
    parsed = tolerant(text)

    assert [found.amount in (90_000, 10_000) for found in read(parsed).orders] == [True]
    assert whats(parsed) == notes
    fault(strict(text))


@pytest.mark.parametrize(
    ("key", "name"),
    [(key, name) for table in parsing.PARSERS["tolerant-1"][1:] for key, name in table.items() if key != name]
    + [("amount_usd", "amount"), ("dollars", "amount")],
)
def test_other_spellings_of_keys(key: str, name: str) -> None:
    """Each spelling in the table means its key, is noted, and collides with it."""
    plain = (
        '{"orders": [{"instrument": "AAA", "side": "buy", "amount": 900, "reason": "r"}], '
        '"citations": [{"id": "F", "as_of": "d"}], "message": "m"}'
    )
    if name == "shares":
        plain = plain.replace('"amount": 900', '"shares": 900')
    if name == "target_weight":
        assert "target weight" in fault(tolerant(plain.replace('"amount"', f'"{key}"')))[1]
        return
    spelled = plain.replace(f'"{name}":', f'"{key}":')
    assert spelled != plain

    parsed = tolerant(spelled)
    assert read(parsed) == read(tolerant(plain))
    assert [what for what in whats(parsed) if f'/{name} read from the key "{key}"' in what] == whats(parsed) != []
    fault(strict(spelled))

    twice = spelled.replace(f'"{key}"', f'"{name}": null, "{key}"', 1)
    assert f"found {name} twice" in fault(tolerant(twice))[1]


@pytest.mark.parametrize("key", ["amount_eur", "amount_cents", "amounts", "amount_usd_k"])
def test_an_amount_in_another_unit_is_not_ignored(key: str) -> None:
    assert "not stated in USD" in fault(tolerant(order(**{key: 900})))[1]
    assert "not stated in EUR" in fault(tolerant(order(dollars=1), SCENARIO.model_copy(update={"currency": "EUR"})))[1]


@pytest.mark.parametrize(
    "text",
    [
        *(order(**{key: "x"}) for key in ("Side", "type", "direction", "Amount", "qty", "currency", "rank")),
        *(
            PLAIN[:-1] + f', "{key}": []}}'
            for key in ("legs", "basket", "plan", "analysis", "Orders", "sells", "order", "currency", "Message")
        ),
        *(PLAIN[:-1] + f', "{key}": "x"}}' for key in ("multiplier", "repeat", "dry_run", "Analysis")),
        PLAIN[:-1] + ', "citations": [{"id": "F", "Value": "99"}]}',
    ],
)
def test_a_key_that_may_change_the_order_is_not_ignored(text: str) -> None:
    """What nobody reads could turn a buy into a sale or dollars into euros; the answer is not guessed at."""
    assert "may change what is asked" in fault(tolerant(text))[1] or "not stated in USD" in fault(tolerant(text))[1]


@pytest.mark.parametrize("name", ["\u212aAA", "KAA\x1c", "\u2003KAA", "KA\uff21"])
def test_ignoring_case_matches_no_look_alike(name: str) -> None:
    """A Kelvin sign is no K, and only ASCII blanks are trimmed."""
    scenario = a_scenario(names=["KAA"], ticker_match="ignore-case")

    assert read(parse_answer(scenario, order(instrument=name))).orders[0].instrument == name


def test_a_weight_beside_an_amount_is_a_second_size() -> None:
    assert "2 sizes" in fault(tolerant(order(weight=0.2)))[1]
    assert read(tolerant('{"orders": [{"instrument": "AAA", "amount": 900, "weight": null}]}')).bought == 90_000


@pytest.mark.parametrize(
    ("token", "because"),
    [
        ('"1.000,00"', "more than one way"), ('"-900"', "negative"), ('"€900"', "account is in USD"),
        ('"900.001"', "finer"), ('"' + "0" * 33 + '"', "33 characters"), ('"NaN"', "no amount"),
    ],
)
def test_a_money_string_that_is_refused_names_its_place(token: str, because: str) -> None:
    where, what = fault(tolerant(amount(token)))

    assert where == "/orders/0/amount"
    assert because in what


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        pytest.param('{"orders": []} or {"orders": [1]}', 18, id="two answers"),
        pytest.param('{"a": 900} {"a": 900.0}', 11, id="numbers written differently"),
        pytest.param('{"a": 900} {"a": "900"}', 11, id="a number and a string"),
        pytest.param('{"a": [1]} {"a": [1, 2]}', 11, id="a longer list"),
        pytest.param('{"a": 1} {"b": 1}', 9, id="another key"),
        pytest.param('{"a": true} {"a": 1}', 12, id="true and 1"),
        pytest.param('{} {"orders": []}', 3, id="an empty object first"),
    ],
)
def test_two_different_objects(text: str, offset: int) -> None:
    assert fault(tolerant(text)) == (f"text offset {offset}", "found a second, different JSON object")


@pytest.mark.parametrize(
    "text",
    [
        f"[{PLAIN}]", f"[ {PLAIN}, 1]", f"{{answer: {PLAIN}}}", f"{{'answer': {PLAIN}}}", f"{PLAIN}}}", f"{PLAIN} ]",
        f"{{ {PLAIN} }}", f"{{x [1]}} {PLAIN}", f'{PLAIN} {{"orders": [], bad}}', "{'orders': []}",
        json.dumps(json.dumps({"orders": []})),
    ],
)
def test_an_object_inside_something_else_is_not_prose(text: str) -> None:
    where, _ = fault(tolerant(text))
    assert where.startswith("text offset")


# Clipped answers.

@pytest.mark.parametrize("parser", BOTH)
@pytest.mark.parametrize("end", range(1, len(PLAIN)))
def test_json_that_ends_inside_a_value_is_truncated(end: int, parser: str) -> None:
    fault(parse_answer(SCENARIO, PLAIN[:end], parser=parser), "TRUNCATED")


CLIPPED: list[dict[str, Any]] = [
    {"truncated": True}, {"finish_reason": "length"}, {"finish_reason": "max_tokens"}, {"finish_reason": "MAX_TOKENS"},
]


@pytest.mark.parametrize("how", CLIPPED)
def test_a_clipped_answer(how: dict[str, Any]) -> None:
    """One complete object before the cut is read with a note; anything less is TRUNCATED."""
    for text in ("", "I would", "[", amount("9")[:-2], '{"orders": [],}', f"[{PLAIN}", '{"orders": []} {"or', "{tick"):
        fault(tolerant(text, **how), "TRUNCATED")
    for parser in BOTH:
        parsed = parse_answer(SCENARIO, PLAIN, parser=parser, **how)
        assert read(parsed).bought == 90_000
        assert whats(parsed) == ["text offset 50 the answer was clipped after one complete object"]
    assert read(tolerant(f"{PLAIN} because the", **how)).bought == 90_000


@pytest.mark.parametrize("how", CLIPPED)
def test_a_complete_object_is_judged_as_it_stands(how: dict[str, Any]) -> None:
    """What is wrong with a complete object does not come from the cut."""
    for text in (amount("-900"), amount("NaN"), '{"orders": [], "orders": []}', '{"a": 1} {"a": 2}', "{}"):
        fault(tolerant(text, **how))


def test_other_finish_reasons_clip_nothing() -> None:
    for reason in ("stop", "end_turn", None, "tool_calls", ""):
        assert tolerant(PLAIN, finish_reason=reason).notes == ()
        fault(tolerant("no", finish_reason=reason))


def test_a_cut_inside_a_value_outranks_what_else_is_wrong() -> None:
    for text in ('{"orders": [], "orders": [', '{"orders": [NaN', PLAIN + '{"orders": ['):
        fault(tolerant(text), "TRUNCATED")


def test_an_unknown_parser_is_refused() -> None:
    with pytest.raises(ScenarioError, match=r'"tolerant-2".*known: strict-1, tolerant-1'):
        parse_answer(SCENARIO, PLAIN, parser="tolerant-2")


# Laws.

WORDS = st.text(st.characters(codec="utf-8"), max_size=8)
NAMES = st.sampled_from(["AAA", "BBB", "OLD", "ZZZ"]) | WORDS.filter(lambda name: name not in ("", "Alpha"))
DECIMALS = st.from_regex(r"-?(0|[1-9][0-9]{0,5})(\.[0-9]{1,5})?", fullmatch=True)
ORDERS = st.builds(
    Order, NAMES, st.sampled_from(["buy", "sell"]), st.integers(1, 10**13 - 1), st.none(), st.none() | DECIMALS,
    st.none() | WORDS,
) | st.builds(
    Order, NAMES, st.just("buy"), st.none(), st.integers(1, 10**12).map(lambda shares: Fraction(shares, 10**6)),
    st.none(), st.none(),
)
CITATIONS = st.builds(
    Citation, WORDS.filter(bool), st.none() | WORDS | DECIMALS, st.none() | WORDS, st.none() | WORDS
)
ACTIONS = st.builds(Action, st.lists(ORDERS, max_size=4), st.lists(CITATIONS, max_size=3), st.none() | WORDS)


@given(ACTIONS)
@example(Action([Order("AAA", "buy", 1), Order("BBB", "sell", 90_050, None, "-0.50", "")], [], ""))
def test_printing_and_parsing_is_the_identity(action: Action) -> None:
    """Both parsers read a printed action back as the same action, and note nothing."""
    for parser in BOTH:
        parsed = parse_answer(SCENARIO, print_action(action), parser=parser)
        assert parsed == Parsed(None, action, (), None)
        assert print_action(read(parsed)) == print_action(action)


def test_an_action_is_printed_in_currency_units() -> None:
    action = Action(
        [Order("AAA", "buy", 90_050), Order("BBB", "sell", 1, Fraction(1, 8), "0.90", "r")],
        [Citation("F"), Citation("G", "3.1")], "é",
    )
    assert print_action(action) == (
        '{"orders": [{"instrument": "AAA", "side": "buy", "amount": 900.5}, '
        '{"instrument": "BBB", "side": "sell", "shares": 0.125, "confidence": 0.90, "reason": "r"}], '
        '"citations": ["F", {"id": "G", "value": "3.1"}], "message": "é"}'
    )


@pytest.mark.parametrize("order_", [Order("AAA", "buy", Fraction(1, 3)), Order("AAA", confidence="high")])
def test_what_no_number_says_is_not_printed(order_: Order) -> None:
    with pytest.raises(ValueError, match="decimal"):
        print_action(Action([order_]))


SNIPPETS = st.sampled_from([
    "{", "}", "[", "]", ",", ":", '"', "\\", " ", "\n", "```json\n", "```", "null", "true", "NaN", "-", "0", "900",
    ".5", "e400", "9" * 40, '"$1,000"', '"1.000,00"', '"orders"', '"amount"', '"instrument"', '"ticker"', '"AAA"',
    '"side"', '"shares"', "\ufeff", "\ud800", "\\ud83d", "９", "{x}", PLAIN, FULL,
])
BASES = st.sampled_from([PLAIN, FULL, f"```json\n{FULL}```", '{"orders": []}']) | ACTIONS.map(print_action)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A valid answer with a few pieces inserted, replaced or cut out."""
    text = draw(BASES)
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        text = text[:start] + draw(SNIPPETS | st.just("")) + text[start + draw(st.integers(0, 6)) :]
    return text


TEXTS = st.text(max_size=30) | st.lists(SNIPPETS, max_size=12).map("".join) | mutated()


@given(text=TEXTS, clipped=st.booleans(), parser=st.sampled_from(BOTH))
@example(text="\ud800", clipped=False, parser="strict-1")
@example(text='{"orders": [{"instrument": "AAA", "amount": 1, "confidence": 1e-20}]}', clipped=True, parser="strict-1")
def test_any_text_gives_exactly_one_outcome(text: str, clipped: bool, parser: str) -> None:
    parsed = parse_answer(SCENARIO, text, truncated=clipped, parser=parser)

    assert parsed.state in (None, "MALFORMED", "TRUNCATED")
    assert (parsed.action is None) == (parsed.fault is not None) == (parsed.state is not None)
    if parsed.action is not None:
        assert json.dumps(parsed.action.record()).encode()
        assert all(made.amount is None or 0 < made.amount < 10**13 for made in parsed.action.orders)
        bare = Action(parsed.action.orders, parsed.action.citations, parsed.action.message)
        assert read(strict(print_action(parsed.action))) == bare


@given(text=TEXTS)
@example(text=PLAIN + "\n")
def test_strict_is_tolerant_without_liberties(text: str) -> None:
    """What strict-1 reads, tolerant-1 reads as the same action with the same notes."""
    if strict(text).state is None:
        assert tolerant(text) == strict(text)


@pytest.mark.parametrize("currency", ["USD", "JPY"])
@given(text=TEXTS | ACTIONS.map(print_action))
@example(text='{"orders": [{"instrument": "AAA", "amount": 900}], "message": null}')
@example(text='{"orders": [{"instrument": "AAA", "amount": 900, "reason": null}]}')
@example(text='{"orders": [{"instrument": "AAA", "side": null, "amount": 900}]}')
@example(text='{"orders": [{"instrument": "AAA", "amount": "900.00"}]}')
@example(text='{"orders": [{"instrument": "AAA", "amount": 900.50}]}')
@example(text='{"orders": [{"instrument": "AAA", "amount": -0.50}, {"instrument": "AAA", "amount": 0.00}]}')
@example(text='{"orders": [{"instrument": "AAA", "amount": 100000000000}]}')
@example(text='{"orders": [{"instrument": "AAA", "amount": 100000000000.0}]}')
@example(text='{"orders": [{"instrument": "AAA", "amount": 100000000000.00}]}')
@example(text='{"orders": [{"instrument": "AAA", "amount": 99999999999.99}]}')
@example(text='{"orders": [], "orders": []}')
@example(text='{"orders": [], "message": 5}')
@example(text='{"orders": [], "citations": ["F", ""]}')
@example(text='{"orders": [], "citations": [5]}')
@example(text='{"orders": [], "citations": null}')
@example(text='{"orders": []} {"orders": []}')
@example(text='[["orders", []]]')
@example(text='{"orders": [[["instrument", "AAA"], ["amount", 900]]]}')
@example(text="[]")
@example(text='{"orders": [NaN]}')
@example(text='{"orders": [{"instrument": 600519, "amount": 900}]}')
@example(text='{"orders": [{"instrument": [], "amount": 900}]}')
@example(text='{"orders": [], "message": "\\ud800"}')
@example(text='{"orders": [], "message": "é\ud800"}')
def test_the_fast_path_changes_no_outcome(text: str, currency: str) -> None:
    scenario = SCENARIO.model_copy(update={"currency": currency})
    for parser in BOTH:
        fast = parse_answer(scenario, text, parser=parser)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(parsing, "read_plain", lambda scenario, text: None)
            assert fast == parse_answer(scenario, text, parser=parser)


def test_the_fast_path_is_taken() -> None:
    """A printed action of known names needs no general path."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(parsing, "_Reading", None)
        orders = [Order("AAA", "sell", 90_050, None, None, "r"), Order("BBB", "buy", 5), Order("BBB", "buy", 100)]
        assert read(strict(print_action(Action(orders, [Citation("F")], "m")) + "\n")).sold == 90_050


MIB = 2**20
HOSTILE: dict[str, Callable[[], str]] = {
    "braces": lambda: "{" * MIB,
    "brackets": lambda: "[" * MIB,
    "quotes": lambda: '"' * MIB,
    "backslashes": lambda: "\\" * MIB,
    "nested members": lambda: '{"a":' * (MIB // 5),
    "nested lists": lambda: '{"a":' + "[" * (MIB - 5),
    "an open string": lambda: '{"a": "' + "x" * (MIB - 7),
    "escaped quotes": lambda: '{"a": "' + '\\"' * (MIB // 2 - 4),
    "empty objects": lambda: "{}" * (MIB // 2),
    "empty objects in two spellings": lambda: "{}{ }" * (MIB // 5),
    "words in braces": lambda: "{a}" * (MIB // 3),
    "blanks behind a brace": lambda: "{" + " " * (MIB - 1),
    "fences": lambda: "```\n" * (MIB // 4 - 4) + '{"orders": []}',
    "digits": lambda: amount("9" * (MIB - 100)),
    "zeros": lambda: amount("0." + "0" * (MIB - 100)),
    "a long exponent": lambda: amount("1e" + "9" * (MIB - 100)),
    "a long money string": lambda: amount('"' + "1," * (MIB // 2 - 100) + '"'),
    "a long name": lambda: order(instrument="A" * (MIB - 100)),
    "many orders": lambda: '{"orders": [' + ", ".join(['{"instrument": "aaa", "amount": "9"}'] * 25_000) + "]}",
    "many unknown keys": lambda: "{" + ",".join(f'"{index}": 1' for index in range(70_000)) + "}",
    "surrogate pairs": lambda: '{"orders": [], "message": "' + "\\ud83d\\ude00" * (MIB // 13) + '"}',
    "lone surrogates": lambda: "\ud800" * MIB,
    "NUL": lambda: "\0" * MIB,
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("parser", BOTH)
def test_a_hostile_text_ends_quickly(name: str, parser: str) -> None:
    """1 MiB of anything takes time in proportion, not more."""
    text = HOSTILE[name]()
    began = time.process_time()
    parsed = parse_answer(SCENARIO.model_copy(update={"ticker_match": "ignore-case"}), text, parser=parser)

    assert time.process_time() - began < 8
    assert (parsed.state is None) == (parsed.action is not None)
