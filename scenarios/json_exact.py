"""JSON read exactly: numbers stay text, and what every common parser lets pass in silence is refused.

Refused with their place: a key that stands twice, NaN and Infinity, nesting beyond 32, and a lone surrogate, which is
no character, unless the caller names the key whose text may hold one: words are judged as they were sent.
Two readers share one meaning. `_Careful` is the law: plain Python, it names the first fault and knows
whether the text was cut. The standard library's C scanner is the fast path, trusted only where it
succeeds; whatever it refuses is read again by the law, so that no message or offset depends on the
version of Python.
"""

import json
import re
from collections.abc import Callable, Set
from typing import Any, NoReturn

from scenarios.errors import ScenarioError

MAX_DEPTH = 32
MAX_FILE_BYTES = 64 * 2**20
MAX_INTEGER = 2**53 - 1

Number = Callable[[str], Any]


_UNSEEN = re.compile(
    "[\x7f-\xa0\xad\u0600-\u0605\u061c\u06dd\u070f\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)


class NumberToken(str):
    """A JSON number as it was written."""

    __slots__ = ()


class Unreadable(Exception):
    """A text that does not say what it must.

    Args:
        where: JSON Pointer of the fault, or "text offset N" where there is no value to point at.
        what: what was found.
        remedy: what the author of the text can do.
    """

    def __init__(self, where: str, what: str, remedy: str) -> None:
        super().__init__(where, what, remedy)
        self.where = where
        self.what = what
        self.remedy = remedy

    def under(self, pointer: str) -> "Unreadable":
        """Return the same fault with its place below a pointer."""
        return Unreadable(pointer + self.where, self.what, self.remedy)


class Broken(Unreadable):
    """A text in which no complete value could be read.

    Args:
        at: offset of the fault.
        what: what was found.
        remedy: what the author of the text can do.
        cut: whether the text ends inside a value, so that the rest is missing rather than wrong.
    """

    def __init__(self, at: int, what: str, remedy: str, *, cut: bool = False) -> None:
        super().__init__(f"text offset {at}", what, remedy)
        self.at = at
        self.cut = cut


class _Refused(ValueError):
    """A value that is JSON but not allowed; args are what and remedy."""


def quote(text: str, limit: int = 40) -> str:
    """Return a text in double quotes, escaped and shortened, for a message.

    Controls, marks of direction and what has no width are escaped by a fixed list, so that a message that is
    hashed does not depend on the tables of a Python version.
    """
    written = json.dumps(text if len(text) <= limit else text[: limit - 1] + "…", ensure_ascii=False)
    return _UNSEEN.sub(lambda match: json.dumps(match[0])[1:-1], written)


def pointer_token(key: str | int) -> str:
    """Return a key or index as one escaped step of a JSON Pointer (RFC 6901)."""
    return "/" + str(key).replace("~", "~0").replace("/", "~1")


def utf8_size(text: str) -> int:
    """Return the size of a text in bytes of UTF-8; a lone surrogate counts as three."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def replace_surrogates(text: str) -> str:
    """Return the text, of the same length, as UTF-8 can hold it: U+FFFD stands for each lone surrogate."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


# The fast path.

def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _Refused
    return members


def refuse_constant(name: str) -> NoReturn:
    """Refuse NaN, Infinity and -Infinity, which the standard library would let pass."""
    raise _Refused


def _file_integer(token: str) -> int:
    if len(token) <= 17:
        value = int(token)
        if -MAX_INTEGER <= value <= MAX_INTEGER:
            return value
    raise _Refused(f"found the integer {token[:24]}, beyond 2^53 - 1", "write it as a decimal string")


def _file_fraction(token: str) -> NoReturn:
    raise _Refused(f"found the number {token[:24]}", 'write it as a decimal string such as "0.2", or as an integer')


def _scanner(integer: Number, fraction: Number) -> Callable[[str, int], tuple[Any, int]]:
    decoder = json.JSONDecoder(
        object_pairs_hook=_members, parse_int=integer, parse_float=fraction, parse_constant=refuse_constant
    )
    return decoder.scan_once  # type: ignore[attr-defined, no-any-return]  # set by every JSONDecoder


_ANSWER = _scanner(NumberToken, NumberToken)
_FILE = _scanner(_file_integer, _file_fraction)

# Possessive, and always a match at a quote: the walk over any text takes linear time.
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[\[{]|[\]}]', re.DOTALL)
_SURROGATE_ESCAPE = re.compile(r"\\u[dD]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")  # of which one half was escaped and the other was not


def is_doubtful(text: str) -> bool:
    """Return whether a text may nest too deeply or hold a surrogate, so that `scan` must look first."""
    if text.count("{") > MAX_DEPTH - text.count("["):
        return True
    return _holds_surrogates(text, 0, len(text))


def _holds_surrogates(text: str, start: int, end: int) -> bool:
    """Return whether a stretch of text holds a surrogate, be it escaped and with its other half."""
    return ("\\" in text and _SURROGATE_ESCAPE.search(text, start, end) is not None) or (
        not text.isascii() and _SURROGATE.search(text, start, end) is not None
    )


def _needs_care(text: str, start: int) -> bool:
    """Return whether the value at `start` nests too deeply or holds a surrogate."""
    depth, end = 0, len(text)
    for match in _STRING_OR_BRACKET.finditer(text, start):
        first = text[match.start()]
        if first in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                return True
        elif first != '"':
            depth -= 1
            if depth <= 0:
                end = match.end()
                break
    return _holds_surrogates(text, start, end)


def _try(
    scan_once: Callable[[str, int], tuple[Any, int]], text: str, start: int, doubtful: bool
) -> tuple[Any, int] | None:
    """Return what the C scanner reads, or None where it must not or cannot."""
    if doubtful and _needs_care(text, start):
        return None
    try:
        return scan_once(text, start)
    except (ValueError, StopIteration):
        return None


def scan(text: str, start: int, *, doubtful: bool, prose: Set[str] = frozenset()) -> tuple[Any, int]:
    """Read the JSON value that begins at `start`; numbers come back as `NumberToken`.

    Args:
        text: the whole text.
        start: offset of the first character of the value.
        doubtful: `is_doubtful(text)`, computed once by the caller who reads several values.
        prose: the keys under which a text may hold lone surrogates.

    Returns:
        The value and the offset behind it.

    Raises:
        Broken: no complete JSON value stands there.
        Unreadable: the value is complete, and something in it is refused.
    """
    return _try(_ANSWER, text, start, doubtful) or _Careful(text, NumberToken, NumberToken, prose).read(start)


# The law.

_SPACE = re.compile(r"[ \t\n\r]*+")
_STRING = re.compile(r'"((?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+)(")?')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?")
_LITERAL = re.compile(r"true|false|null")
_CONSTANT = re.compile(r"NaN|-?Infinity")
_CUT_NUMBER = re.compile(r"(?:\.|[eE][+-]?)\Z")
_CUT_STRING = re.compile(r"(?:\\(?:u[0-9a-fA-F]{0,3})?)?\Z")
_CUT_LITERAL = re.compile(r"(?:-|t|tr|tru|f|fa|fal|fals|n|nu|nul)\Z")
_VALUE_OF = {"true": True, "false": False, "null": None}
_REMEDY = "write valid JSON (RFC 8259)"


class _Careful:
    """A recursive-descent reader of one JSON value, no deeper than `MAX_DEPTH`.

    What is wrong with a value (a repeated key, NaN) is told only once the value is known to be complete,
    because a text that ends too early is cut, whatever else is wrong with it.
    """

    def __init__(self, text: str, integer: Number, fraction: Number, prose: Set[str] = frozenset()) -> None:
        self.text = text
        self.prose = prose
        self.integer = integer
        self.fraction = fraction
        self.path: list[str | int] = []
        self.fault: Unreadable | None = None

    def read(self, start: int) -> tuple[Any, int]:
        value, end = self.value(start)
        if self.fault:
            raise self.fault
        return value, end

    def refuse(self, what: str, remedy: str) -> None:
        """Remember the first thing that is complete and not allowed."""
        if self.fault is None:
            self.fault = Unreadable("".join(map(pointer_token, self.path)), what, remedy)

    def broken(self, at: int, expected: str, *, cut: bool = False) -> Broken:
        found = quote(self.text[at]) if at < len(self.text) else "the end of the text"
        return Broken(at, f"found {found}, expected {expected}", _REMEDY, cut=cut or at == len(self.text))

    def skip(self, at: int) -> int:
        return _SPACE.match(self.text, at).end()  # type: ignore[union-attr]  # matches anywhere

    def value(self, at: int) -> tuple[Any, int]:
        first = self.text[at : at + 1]
        if first == "{":
            return self.nested(at, "}", {}, self.member)
        if first == "[":
            return self.nested(at, "]", [], self.element)
        if first == '"':
            return self.string(at, prose=bool(self.path) and self.path[-1] in self.prose)
        if match := _LITERAL.match(self.text, at):
            return _VALUE_OF[match[0]], match.end()
        if match := _CONSTANT.match(self.text, at):
            self.refuse(f"found {match[0]}, which is not a number", "write a finite number")
            return None, match.end()
        if match := _NUMBER.match(self.text, at):
            return self.number(match[0], match.end())
        raise self.broken(at, "a value", cut=_CUT_LITERAL.match(self.text, at) is not None)

    def number(self, token: str, end: int) -> tuple[Any, int]:
        if _CUT_NUMBER.match(self.text, end):
            raise self.broken(end, "a digit", cut=True)
        try:
            return (self.integer if token.lstrip("-").isdigit() else self.fraction)(token), end
        except _Refused as refused:
            self.refuse(*refused.args)
            return None, end

    def string(self, at: int, *, prose: bool = False) -> tuple[str, int]:
        match = _STRING.match(self.text, at)
        if match is None:
            raise self.broken(at, "a key in double quotes")
        if match[2] is None:
            cut = _CUT_STRING.match(self.text, match.end()) is not None
            raise self.broken(match.end(), "the rest of a string", cut=cut)
        content = match[1]
        if "\\" in content:
            content = json.loads(match[0])
        if not content.isascii() and (_PAIR if prose else _SURROGATE).search(content):
            self.refuse("found a lone surrogate, which is no character", "write the character itself")
        return content, match.end()

    def nested(
        self, at: int, closing: str, into: Any, read: Callable[[int, Any], int]
    ) -> tuple[Any, int]:
        if len(self.path) >= MAX_DEPTH:
            raise Broken(at, f"found nesting deeper than {MAX_DEPTH}", "write a flatter value")
        at = self.skip(at + 1)
        if self.text[at : at + 1] == closing:
            return into, at + 1
        while True:
            at = self.skip(read(at, into))
            following = self.text[at : at + 1]
            if following == closing:
                return into, at + 1
            if following != ",":
                raise self.broken(at, f'"," or "{closing}"')
            at = self.skip(at + 1)

    def element(self, at: int, into: list[Any]) -> int:
        self.path.append(len(into))
        value, end = self.value(at)
        self.path.pop()
        into.append(value)
        return end

    def member(self, at: int, into: dict[str, Any]) -> int:
        key, at = self.string(at)
        if key in into:
            self.refuse(f"found the key {quote(key)} twice in one object", "keep one of the two")
        at = self.skip(at)
        if self.text[at : at + 1] != ":":
            raise self.broken(at, '":"')
        self.path.append(key)
        into[key], end = self.value(self.skip(at + 1))
        self.path.pop()
        return end


# Files.

def read_json(
    data: str | bytes, where: str, *, max_bytes: int = MAX_FILE_BYTES, prose: Set[str] = frozenset()
) -> Any:
    """Read one JSON value that a user wrote: integers, strings, booleans, null, lists and objects.

    Args:
        data: the file's bytes, or its text.
        where: name of the file (and line), for the message.
        max_bytes: the largest size that is read.
        prose: the keys under which a text may hold lone surrogates.

    Raises:
        ScenarioError: data is larger than max_bytes, is not UTF-8, starts with a byte order mark, is not
            one JSON value, nests deeper than 32, repeats a key, or holds NaN, Infinity, a lone surrogate,
            a number with a fraction or exponent, or an integer beyond 2^53 - 1; the message has the line
            and column or the JSON Pointer.
    """
    if len(data) > max_bytes:
        raise ScenarioError(where, f"found more than {max_bytes} bytes", "split it into smaller files")
    text = data if isinstance(data, str) else _decode(data, where)
    try:
        if utf8_size(text) > max_bytes:
            raise ScenarioError(where, f"found more than {max_bytes} bytes", "split it into smaller files")
        if text.startswith("\ufeff"):
            raise Broken(0, "found a byte order mark", "save the file as UTF-8 without one")
        start = _SPACE.match(text).end()  # type: ignore[union-attr]  # matches anywhere
        value, end = _try(_FILE, text, start, is_doubtful(text)) or _Careful(
            text, _file_integer, _file_fraction, prose
        ).read(start)
        end = _SPACE.match(text, end).end()  # type: ignore[union-attr]
        if end < len(text):
            raise Broken(end, f"found {quote(text[end])} after the value", "keep one JSON value")
        return value
    except Broken as fault:
        line, column = text.count("\n", 0, fault.at) + 1, fault.at - text.rfind("\n", 0, fault.at)
        raise ScenarioError(f"{where} line {line} column {column}", fault.what, fault.remedy) from None
    except Unreadable as fault:
        raise ScenarioError(f"{where}#{fault.where}", fault.what, fault.remedy) from None


def _decode(data: bytes, where: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ScenarioError(
            f"{where} line {line}", f"found byte 0x{data[error.start]:02x}, which is not UTF-8", "save it as UTF-8"
        ) from None

