"""What the sections of the page are made of: tables, pairs, lists, short texts, printed numbers."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

from scenarios.exact import round_half_up
from verifier.exports.review import Fields, Rule
from verifier.exports.tree import Node, Part, el, words

LONGEST_SENTENCE = 1_500
"""Characters of one sentence about a finding, which may quote the answer."""

CLAUSE_STATE = {"FAIL": "Fails", "ERROR": "Error", "WAIVED": "Not enforced", "PASS": "Holds",
                "NOT_APPLICABLE": "Not applicable"}
"""The states of a clause as they are printed."""

MEANING = {
    "ADMISSIBLE": "no enforced clause is broken",
    "ABSTAINED": "no order was asked for, and no enforced clause is broken",
    "INADMISSIBLE": "an enforced clause is broken",
    "MALFORMED": "no action could be read without guessing",
    "TRUNCATED": "the answer was cut off",
    "ERROR": "the verdict could not be completed; never admissible",
}
"""What each run state says."""


def section(name: str, title: str, *parts: Part) -> Node:
    """Return a section of the page with its heading."""
    return el("section", el("h2", title, id=f"{name}-title"), *parts, id=name, aria_labelledby=f"{name}-title")


def table(
    caption: str, heads: Sequence[Part], rows: Sequence[Node], name: str | None = None, **attributes: str
) -> Node:
    """Return a table that scrolls within itself where it is wider than the page; a head may be a `column`."""
    named = attributes if name is None else {"id": name, **attributes}
    cells = (one if isinstance(one, Node) and one.tag == "th" else el("th", one, scope="col") for one in heads)
    head = el("thead", el("tr", cells))
    return el("div", el("table", el("caption", caption), head, el("tbody", rows), **named),
              class_="scroll", role="region", aria_label=caption, tabindex="0")


def column(title: str, sort: str = "", choice: str = "") -> Node:
    """Return the head of a column that the script sorts and filters by.

    Args:
        title: of the column.
        sort: "number" (also "1/2"), "state" (of a run), "codes" (some in a cell), else by its text.
        choice: the name of a filter over its values.
    """
    said = {"data_sort": sort, "data_filter": choice}
    return el("th", title, scope="col", **{name: value for name, value in said.items() if value})


def pairs(fields: Fields, name: str | None = None) -> Node:
    """Return names with their values."""
    held = (el("div", el("dt", words(term)), el("dd", brief(value))) for term, value in fields)
    return el("dl", held, class_=name) if name else el("dl", held)


def listed(parts: Sequence[Node]) -> Node:
    """Return a plain list, one part a line."""
    return el("ul", (el("li", part) for part in parts), class_="inline")


def joined(parts: Sequence[Node], between: str) -> Iterator[Node | str]:
    """Yield parts with a text between them."""
    for index, part in enumerate(parts):
        if index:
            yield between
        yield part


def brief(text: str, most: int = LONGEST_SENTENCE) -> Node:
    """Return a text from outside within a line; where it is cut, it says how long it is."""
    return words(text if len(text) <= most else f"{text[:most]}… [{len(text):,} characters in all]")


def state_of(run_state: str) -> Node:
    """Return a run state as it is printed."""
    return el("span", run_state.capitalize(), class_=f"state {run_state}")


@lru_cache(maxsize=1024)
def code_link(code: str) -> Node:
    """Return a clause's code, which leads to the clause."""
    return el("a", code, href=f"#clause-{code}", class_="code")


def first_line(rule: Rule) -> Node:
    """Return what a clause finds wrong, in one sentence."""
    line = rule.text.split("\n", 1)[0].removeprefix(f"{rule.code}: ")
    return words(line[:1].upper() + line[1:])


def number(text: str, name: str = "n") -> Node:
    """Return a cell that holds a number."""
    return el("td", text, class_=name)


def percent(share: Fraction) -> str:
    """Return a share in percent, rounded half up to one decimal."""
    return f"{round_half_up(100 * share, 1)} %"


def outward(share: Fraction, *, up: bool) -> str:
    """Return a bound in percent with one decimal, floored, or ceiled for an upper bound."""
    thousandths = -(-1000 * share.numerator // share.denominator) if up else 1000 * share.numerator // share.denominator
    return f"{thousandths // 10}.{thousandths % 10}"


def counted(many: int, noun: str) -> str:
    """Return a number with its noun: "1 run", "2,000 runs"."""
    return f"{many:,} {noun}{'' if many == 1 else 's'}"


def verb(many: int, word: str) -> str:
    """Return a verb in the number of its subject: "1 run counts", "2 runs count"."""
    return word + "s" * (many == 1)
