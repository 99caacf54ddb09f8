"""JSON is read exactly, and what common parsers let pass is refused with its place."""

import json
import time
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scenarios.errors import ScenarioError
from scenarios.json_exact import (
    _ANSWER,
    Broken,
    NumberToken,
    Unreadable,
    _Careful,
    is_doubtful,
    read_json,
    replace_surrogates,
    scan,
    utf8_size,
)


def read(text: str) -> Any:
    """The value at the start of the text."""
    return scan(text, 0, doubtful=is_doubtful(text))[0]


def fault_of(text: str) -> Unreadable:
    with pytest.raises(Unreadable) as caught:
        read(text)
    return caught.value


def test_numbers_stay_text() -> None:
    """A token keeps every digit and is told apart from a string."""
    value = read('[900.00000000000001, 1e400, "900", ' + "9" * 5000 + "]")

    assert [type(item) for item in value] == [NumberToken, NumberToken, str, NumberToken]
    assert value[:3] == ["900.00000000000001", "1e400", "900"]


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        pytest.param('{"a": 1, "a": 1}', "", "twice", id="a repeated key"),
        pytest.param('{"x": [{"a": 1, "b": 2, "a": 3}]}', "/x/0", "twice", id="a repeated key further down"),
        pytest.param('{"a": 1, "\\u0061": 1}', "", "twice", id="a key repeated in another spelling"),
        pytest.param('{"x": [1, NaN]}', "/x/1", "NaN", id="NaN"),
        pytest.param('{"a/b": {"c~d": Infinity}}', "/a~1b/c~0d", "Infinity", id="Infinity"),
        pytest.param('{"x": -Infinity}', "/x", "-Infinity", id="minus Infinity"),
        pytest.param('{"x": "\\ud83d"}', "/x", "surrogate", id="a lone high surrogate"),
        pytest.param('{"x": "\\uDE00\\ud83d"}', "/x", "surrogate", id="surrogates in the wrong order"),
    ],
)
def test_what_is_complete_and_refused(text: str, where: str, what: str) -> None:
    fault = fault_of(text)

    assert not isinstance(fault, Broken)
    assert fault.where == where
    assert what in fault.what
    assert fault.remedy


@pytest.mark.parametrize("written", ["a\\ud800b", "a\ud800b", "a\ud800\\u0062"], ids=["escaped", "raw", "both"])
def test_only_a_named_text_may_hold_a_lone_surrogate(written: str) -> None:
    """Under the key of a text it is kept; in another text, or in a key, it is refused with its place."""
    text = f'{{"x": [{{"said": "{written}"}}]}}'
    assert scan(text, 0, doubtful=is_doubtful(text), prose={"said"})[0] == {"x": [{"said": "a\ud800b"}]}
    assert read_json(text, "f", prose={"said"}) == {"x": [{"said": "a\ud800b"}]}

    for refused, place in ((text.replace("said", "name"), "/x/0/name"), (f'{{"{written}": 1}}', "")):
        with pytest.raises(Unreadable, match="surrogate") as caught:
            scan(refused, 0, doubtful=is_doubtful(refused), prose={"said"})
        assert caught.value.where == place
        with pytest.raises(ScenarioError, match="surrogate"):
            read_json(refused, "f", prose={"said"})


def test_half_a_character_and_the_escape_of_the_other_half_are_refused() -> None:
    """What no text can hold as two, even where a lone one may stand."""
    text = '{"said": "\ud83d\\ude00"}'
    with pytest.raises(Unreadable, match="surrogate"):
        scan(text, 0, doubtful=is_doubtful(text), prose={"said"})


def test_a_surrogate_pair_is_a_character() -> None:
    assert read('{"x": "\\ud83d\\ude00"}') == {"x": "\N{GRINNING FACE}"}


WHOLE = '{"a": [1, -0.5e+3, true, false, null, "q\\n\\u00e9 \\ud83d\\ude00"], "b": {"c": {}, "d": []}} '


@pytest.mark.parametrize("end", range(1, len(WHOLE) - 1))
def test_a_text_that_ends_inside_a_value_is_cut(end: int) -> None:
    """Wherever one valid object is cut, the rest is missing rather than wrong."""
    fault = fault_of(WHOLE[:end])

    assert isinstance(fault, Broken)
    assert fault.cut


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1,}', '{"a" 1}', "{a: 1}", "{'a': 1}", '{"a": 01}', '{"a": .5}', '{"a": 5.}', '{"a": +5}', '{"a": 1.e5}',
        '{"a": 1 /* c */}', '{"a": "x\ty"}', '{"a": "\\x"}', '{"a": "\\u12g4"}', '{"a": tru}', '{"a": True}', "[1 2]",
        "[1,]", "[}", '{"a": 1]', '{"a": 1_000}', '{"a": 0x10}', '{"a":\u00a01}', "{1: 2}",
    ],
)
def test_broken_is_not_cut(text: str) -> None:
    fault = fault_of(text)

    assert isinstance(fault, Broken)
    assert not fault.cut
    assert fault.where == f"text offset {fault.at}"


def test_a_cut_text_is_cut_whatever_else_is_wrong_with_it() -> None:
    fault = fault_of('{"a": NaN, "a": [')

    assert isinstance(fault, Broken)
    assert fault.cut


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
def test_depth(opening: str, closing: str) -> None:
    """32 levels are read; the 33rd is refused at its own bracket, closed or not."""
    core = "1"
    assert read(opening * 32 + core + closing * 32)
    for text in (opening * 33 + core + closing * 33, opening * 33):
        fault = fault_of(text)
        assert isinstance(fault, Broken)
        assert "deeper than 32" in fault.what
        assert (fault.at, fault.cut) == (32 * len(opening), False)


def test_brackets_inside_strings_nest_nothing() -> None:
    text = json.dumps({"a": "[" * 100 + '\\"{' * 100, "b": [[]] * 40})
    assert read(text) == json.loads(text)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)
PIECES = st.sampled_from(
    ["{", "}", "[", "]", ",", ":", '"', "\\", '"a"', '"b"', "1", "-", "0", ".5", "e", "+3", " ", "\n", "true", "nul",
     "NaN", "Infinity", "\\ud83d", "\\ude00", "\\u00", "x"]
)


@given(st.lists(PIECES, max_size=14).map("".join) | VALUES.map(json.dumps))
@example('{"a":1,"a":1}')
@example("[1.5e]")
@example('["\\ud83d"]')
@example("-")
def test_the_fast_path_agrees_with_the_law(text: str) -> None:
    """Where the C scanner reads a value the careful reader reads the same, and the other way round."""
    try:
        law: Any = _Careful(text, NumberToken, NumberToken).read(0)
    except Unreadable:
        law = None
    try:
        fast = _ANSWER(text, 0)
    except (ValueError, StopIteration):
        fast = None
    if fast is not None and is_doubtful(text):
        return  # never asked about a surrogate

    assert fast == law
    assert repr(fast) == repr(law)


@pytest.mark.parametrize(
    "text",
    [
        '"' * 2**20, '{"' + "\\" * 2**20, '{"a":' * 2**17, "[" * 2**20, '{"' + '\\"' * 2**19,
        '{"a":"' + "\\ud83d" * 2**17,
    ],
    ids=["quotes", "backslashes", "nesting", "brackets", "escaped quotes", "surrogates"],
)
def test_a_hostile_text_takes_linear_time(text: str) -> None:
    began = time.process_time()
    if text[0] == '"':
        assert read(text) == ""
    else:
        assert fault_of(text)

    assert time.process_time() - began < 8


def test_size_is_counted_in_bytes() -> None:
    assert utf8_size("aé€😀") == 1 + 2 + 3 + 4
    assert utf8_size("a\ud800") == 1 + 3


def test_read_json() -> None:
    assert read_json(b' {"a": [1, "0.2", true, null, -9007199254740991]}\r\n', "f.json") == {
        "a": [1, "0.2", True, None, -(2**53 - 1)]
    }
    assert read_json('"text"', "f.json") == "text"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(b"", "f.json line 1 column 1: found the end of the text", id="empty"),
        pytest.param(b'{"a": 1,\n "b": }', 'f.json line 2 column 7: found "}", expected a value', id="bad JSON"),
        pytest.param(b'{"a":\n[1, 2', "f.json line 2 column 6: found the end of the text", id="cut"),
        pytest.param(b'{"a": {"b": 1, "b": 1}}', 'f.json#/a: found the key "b" twice', id="a repeated key"),
        pytest.param(b'{"a": NaN}', "f.json#/a: found NaN", id="NaN"),
        pytest.param(b'{"a": -Infinity}', "f.json#/a: found -Infinity", id="Infinity"),
        pytest.param(b'{"a": [0.5]}', "f.json#/a/0: found the number 0.5", id="a fraction"),
        pytest.param(b'{"a": 1e2}', "f.json#/a: found the number 1e2", id="an exponent"),
        pytest.param(b'{"a": 9007199254740992}', "f.json#/a: found the integer 9007199254740992", id="beyond 2^53 - 1"),
        pytest.param(b'{"a": ' + b"9" * 5000 + b"}", "f.json#/a: found the integer 9999", id="5,000 digits"),
        pytest.param(b'{"a": "\\ud800"}', "f.json#/a: found a lone surrogate", id="a lone surrogate"),
        pytest.param(b"\xef\xbb\xbf{}", "f.json line 1 column 1: found a byte order mark", id="a byte order mark"),
        pytest.param(b'{"a": "\xff"}', "f.json line 1: found byte 0xff, which is not UTF-8", id="not UTF-8"),
        pytest.param(b'\n{"a": "\xe9"}', "f.json line 2: found byte 0xe9", id="Latin-1"),
        pytest.param(b"{} {}", 'f.json line 1 column 4: found "{" after the value', id="two values"),
        pytest.param(b"[" * 100_000, "f.json line 1 column 33: found nesting deeper than 32", id="deep nesting"),
    ],
)
def test_read_json_says_where_and_what_and_what_to_do(data: bytes, message: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        read_json(data, "f.json")

    assert str(caught.value).startswith(message)
    assert caught.value.remedy


def test_read_json_bounds_the_size_in_bytes() -> None:
    assert read_json(b'"12"', "f", max_bytes=4) == "12"
    for data in (b'"123"', '"123"', '"éa"'):
        with pytest.raises(ScenarioError, match="more than 4 bytes"):
            read_json(data, "f", max_bytes=4)


def test_a_lone_surrogate_is_replaced() -> None:
    assert replace_surrogates("a\ud83d b") == "a\ufffd b"
    assert replace_surrogates("仓位 \n😀") == "仓位 \n😀"
