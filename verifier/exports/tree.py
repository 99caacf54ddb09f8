"""The parts of a page as a tree, and its two writings: HTML, and a pool in which equal parts stand once.

Every text that enters the tree is data. Nothing that a reader cannot see passes: it becomes its escape in an
element of its own, so that no writer, and nobody who adds a section, has to remember it. The pool is inert JSON;
the page's script makes elements of it by name and fills them with text, so no text is ever read as markup.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from verifier.exports.text import UNSEEN, escape

Part: TypeAlias = "Node | str | Iterable[Part] | None"
"""What an element may hold: an element, a text, nothing, or any number of these."""

VOID = frozenset({"br", "input", "meta"})
"""Elements that have no end."""

_LOOK_ALIKE = "\u0370-\u052f\u0531-\u0587\u13a0-\u13ff"
_COMBINING = "\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
_ODD = re.compile(
    f"(?P<unseen>[{UNSEEN}]+)|(?P<slash>\\\\(?=u[0-9a-f]{{4}}|U[0-9a-f]{{8}}))|(?P<alike>[{_LOOK_ALIKE}]+)"
    f"|(?P<styled>[\U0001d400-\U0001d7ff]+)|(?P<pile>[{_COMBINING}]{{3,}})|(?P<line>\n)"
)
_LATIN = re.compile("[A-Za-z]")


class Node(NamedTuple):
    """An element: its name, its attributes in written order, and what it holds."""

    tag: str
    attributes: tuple[tuple[str, str], ...]
    children: tuple["Node | str", ...]


def el(tag: str, *parts: "Part", **attributes: str) -> Node:
    """Return an element. A trailing underscore of an attribute's name falls away, an inner one becomes a hyphen."""
    named = tuple((name.rstrip("_").replace("_", "-"), value) for name, value in attributes.items())
    return Node(tag, named, tuple(_flat(parts)))


def made(tag: str, parts: "Iterable[Node | str]", **attributes: str) -> Node:
    """Return an element of parts that `pieces` made already, such as a text whose line breaks stay."""
    return el(tag, **attributes)._replace(children=tuple(parts))


def words(text: str) -> Node:
    """Return a text from outside within a line: its direction cannot reach its neighbours."""
    return made("bdi", pieces(text))


def pieces(text: str, *, lines: bool = False) -> "Iterator[Node | str]":
    """Yield a text in pieces: what can be seen as it is, everything else as its escape in an element of class "e".

    Escaped are `verifier.exports.text.UNSEEN`; letters of another script within a Latin word and Latin letters from
    the mathematical block, which look like what they are not; from the third on, marks piled on one letter; and
    line breaks unless lines is true.
    """
    done = 0
    for match in _ODD.finditer(text):
        kind, start, end = str(match.lastgroup), match.start(), match.end()
        if kind == "line" and lines:
            continue
        if kind == "alike" and not _touches_latin(text, start, end):
            continue
        start += 2 if kind == "pile" else 0
        if done < start:
            yield text[done:start]
        yield Node("span", (("class", "e"),), ("".join(map(escape, text[start:end])),))
        done = end
    if done < len(text):
        yield text[done:]


def _touches_latin(text: str, start: int, end: int) -> bool:
    return bool(_LATIN.match(text, start - 1, start) if start else None) or bool(_LATIN.match(text, end, end + 1))


def _flat(parts: "Iterable[Part]") -> "Iterator[Node | str]":
    for part in parts:
        if isinstance(part, str):
            yield from pieces(part)
        elif isinstance(part, Node):
            yield part
        elif part is not None:
            yield from _flat(part)


def html(node: Node | str) -> str:
    """Return the HTML of a tree."""
    written: list[str] = []
    _write(node, written)
    return "".join(written)


def _write(node: Node | str, written: list[str]) -> None:
    if isinstance(node, str):
        written.append(_text(node))
        return
    tag, attributes, children = node
    written.append(f"<{tag}" + "".join(f' {name}="{_quoted(value)}"' for name, value in attributes) + ">")
    for child in children:
        _write(child, written)
    if tag not in VOID:
        written.append(f"</{tag}>")


def _text(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _quoted(text: str) -> str:
    return _text(text).replace('"', "&quot;")


class Pool:
    """Parts by number, equal ones once. A text is its string; an element is [name, attributes or 0, numbers...]."""

    def __init__(self) -> None:
        self._numbers: dict[object, int] = {}
        self.parts: list[object] = []

    def add(self, node: Node | str) -> int:
        """Return the number of a part, after all that it holds was added."""
        if isinstance(node, str):
            return self._number(node, node)
        tag, attributes, children = node
        held = tuple(map(self.add, children))
        return self._number((tag, attributes, held), [tag, dict(attributes) if attributes else 0, *held])

    def _number(self, key: object, part: object) -> int:
        number = self._numbers.setdefault(key, len(self.parts))
        if number == len(self.parts):
            self.parts.append(part)
        return number


def inert(value: object) -> str:
    """Return JSON that no HTML parser can leave: "<" stands as its escape."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
