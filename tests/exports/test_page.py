"""The HTML page: one file that says everything once, and nothing that an advisor sent is markup in it."""

import json
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.exports.runs import HOSTILE
from verifier.exports import page as page_module
from verifier.exports.chart import LEFT, Point, picture
from verifier.exports.dossier import AROUND, LONGEST_TEXT, _passage, scene_node
from verifier.exports.page import page_bytes
from verifier.exports.review import Finding, Review
from verifier.exports.spans import marked
from verifier.exports.text import UNSEEN
from verifier.exports.tree import Node, Pool, el, html, inert, made, pieces, words

INVISIBLE = re.compile(f"[{UNSEEN}]")


class Reading(HTMLParser):
    """What a parser makes of the page: elements with their attributes, and the text of each script and style."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.held: dict[str, list[str]] = {"script": [], "style": [], "title": []}
        self.text: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in ("meta", "br", "input"):
            self.open.append(tag)
        if tag in self.held:
            self.held[tag].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in self.held:
            self.held[self.open[-1]][-1] += data
        else:
            self.text.append(data)


@pytest.fixture(scope="module")
def page(review: Review) -> str:
    return page_bytes(review).decode()


@pytest.fixture(scope="module")
def reading(page: str) -> Reading:
    return Reading(page)


@pytest.fixture(scope="module")
def hostile_page(hostile: Review) -> str:
    return page_bytes(hostile).decode()


def data_of(reading: Reading) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(reading.held["script"][0])
    return found


def text_of(parts: list[Any], number: int) -> str:
    part = parts[number]
    return part if isinstance(part, str) else "".join(text_of(parts, held) for held in part[2:])


def test_same_review_same_bytes(review: Review) -> None:
    assert page_bytes(review) == page_bytes(review)


def test_every_element_is_closed(reading: Reading) -> None:
    assert reading.open == []


def test_nothing_is_fetched(page: str, reading: Reading) -> None:
    for tag, attributes in reading.elements:
        assert tag not in ("link", "img", "iframe", "object", "embed", "form", "base", "audio", "video")
        assert not {"src", "srcset", "style", "action", "xlink:href"} & set(attributes)
        assert not any(name.startswith("on") for name in attributes)
        assert str(attributes.get("href", "#")).startswith("#")
    assert "url(" not in page and "@import" not in page


def test_the_policy_admits_this_script_and_this_style_alone(reading: Reading) -> None:
    policies = [str(attributes["content"]) for tag, attributes in reading.elements
                if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"]
    data, script = reading.held["script"]
    (style,) = reading.held["style"]
    digests = [f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in (script, style)]

    assert policies == [f"default-src 'none'; script-src {digests[0]}; style-src {digests[1]}; "
                        "base-uri 'none'; form-action 'none'"]
    assert json.loads(data)


def test_the_digest_stands_in_the_head_and_in_the_foot_of_every_printed_page(
    page: str, reading: Reading, review: Review
) -> None:
    assert f'<dd><bdi>{review.digest}</bdi></dd>' in page.split("<main>")[0]
    assert f'@bottom-left {{ content: "Run manifest sha256 {review.digest}"' in reading.held["style"][0]


def test_the_summary_tells_who_what_and_what_not(page: str, review: Review) -> None:
    summary = page[page.index('id="summary"') : page.index('id="failures"')]

    for said in (*(advisor.id for advisor in review.advisors), review.contract.id, "count as valid",
                 "What this does not prove", "No decision has been signed", "Nothing has been waived"):
        assert said in summary


def test_a_summary_without_a_baseline_leaves_no_column_empty(review: Review) -> None:
    alone = review._replace(advisors=tuple(
        advisor._replace(scores=advisor.scores._replace(agreement=None)) for advisor in review.advisors))
    page = page_bytes(alone).decode()
    said, columns = page[page.index("No scenario of this run names a baseline") :].split('<div class="columns">')[:2]

    assert "</p>" in said
    assert columns.startswith("<div><h3>What this does not prove</h3>")
    assert "<figure>" not in page


def test_the_judgements_are_a_table_of_their_own_that_leads_to_the_cases(page: str, review: Review) -> None:
    case = review.cases[3]
    judged = {"case": case.key, "compliance": 1, "accuracy": 2, "personalization": 0, "logic": 2, "realism": 1,
              "limits": "personalization: <it> would fit any client"}
    shown = page_bytes(review._replace(judgements=(judged,))).decode()
    section = shown[shown.index('id="judgements"') : shown.index('id="contract"')]

    assert re.findall(r'<td class="n">(\d)</td>', section) == ["1", "2", "0", "2", "1"]
    assert f'href="#case-{case.number}"' in section
    assert "&lt;it&gt; would fit any client" in section
    assert 'href="#judgements"' in shown
    assert 'id="judgements"' not in page


def test_every_run_has_its_row_and_those_that_do_not_count_come_first(page: str, review: Review) -> None:
    body = page[page.index('id="table"') : page.index('id="contract"')]
    rows = re.findall(r'<tr class="(ok|bad)" data-scene="\d+"><th scope="row"><a href="#case-(\d+)">', body)

    assert sorted(int(number) for _, number in rows) == [case.number for case in review.cases]
    assert [kind for kind, _ in rows] == sorted(kind for kind, _ in rows)
    assert {int(number) for kind, number in rows if kind == "bad"} == {
        case.number for case in review.cases if not case.valid}
    assert rows[0][0] == "bad"


def test_every_failure_stands_as_plain_html(page: str, review: Review) -> None:
    body = page[page.index('id="table"') : page.index('id="contract"')]

    for case in review.cases:
        row = body[body.index(f'href="#case-{case.number}"') :].split("</tr>")[0]
        for finding in case.findings:
            if finding.kind == "violation":
                assert f"<b>{finding.code}</b>" in row and html(words(finding.sentence)) in row


def test_every_case_stands_once_in_the_page_or_in_its_data(
    review: Review, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_module, "STATIC_CASES", 5)
    reading = Reading(page_bytes(review).decode())
    data = data_of(reading)
    standing = [int(str(attributes["id"])[5:]) for tag, attributes in reading.elements if tag == "article"]

    assert len(standing) == 5
    assert sorted([*standing, *map(int, data["cases"])]) == [case.number for case in review.cases]
    for case in review.cases:
        if case.number not in standing:
            shown = text_of(data["parts"], data["cases"][str(case.number)])
            assert all(code in shown for code in case.clauses)
            assert all(digest in shown for digest in case.digests.values())


def test_every_scenario_stands_once(review: Review, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_module, "STATIC_CASES", 1)
    reading = Reading(page_bytes(review).decode())
    scenes = data_of(reading)["scenes"]
    standing = [attributes["id"] for tag, attributes in reading.elements if attributes.get("class") == "scene"]

    assert len(standing) == 1 and scenes.count(-1) == 1
    assert len(scenes) == len(review.bank.scenarios)


def test_a_case_follows_the_audit_schema(page: str) -> None:
    article = page[page.index("<article") : page.index("</article>")]
    heads = re.findall(r"<h4>(.*?)</h4>", article)

    assert heads == ["Dialogue", "Verdict of every clause", "Executed outcome", "Paired baseline", "Takeaway"]
    dossier = page[page.index('class="dossier"') : page.index("<article")]
    assert re.findall(r"<h4><bdi>(.*?)</bdi></h4>", dossier)[:2] == ["Setup", "Structured context"]


# Texts from outside


@pytest.mark.parametrize("name", HOSTILE)
def test_what_an_advisor_sent_is_text(name: str, hostile_page: str) -> None:
    text = HOSTILE[name]
    escaped = html(made("div", pieces(text, lines=True)))

    assert escaped in hostile_page.replace(' class="text"', "")


def test_nothing_invisible_and_no_foreign_element_reaches_the_page(hostile_page: str, reading: Reading) -> None:
    hostile = Reading(hostile_page)

    assert not INVISIBLE.search(hostile_page)
    assert {tag for tag, _ in hostile.elements} <= {tag for tag, _ in reading.elements} | {"em", "mark"}
    assert len(hostile.held["script"]) == 2


def test_a_megabyte_is_cut_and_says_so(hostile_page: str) -> None:
    assert f"[{1_000_000 - LONGEST_TEXT:,} characters are not shown here;" in hostile_page
    assert len(hostile_page) < 2_000_000


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("plain", "plain", id="plain text stays"),
        pytest.param("我们建议减仓", "我们建议减仓", id="Chinese stays"),
        pytest.param("<b>&\"", '&lt;b&gt;&amp;"', id="markup is escaped"),
        pytest.param("a\u202eb", 'a<span class="e">\\u202e</span>b', id="a bidirectional mark"),
        pytest.param("\ud800", '<span class="e">\\ud800</span>', id="a lone surrogate"),
        pytest.param("\U000e0041", '<span class="e">\\U000e0041</span>', id="a tag character"),
        pytest.param("g\u0430in", 'g<span class="e">\\u0430</span>in', id="Cyrillic within a Latin word"),
        pytest.param("\u0434\u0430", "\u0434\u0430", id="a Cyrillic word stays"),
        pytest.param("x \u0434\u0430", "x \u0434\u0430", id="a Cyrillic word beside a Latin one stays"),
        pytest.param("\U0001d5c0", '<span class="e">\\U0001d5c0</span>', id="a mathematical letter"),
        pytest.param("e\u0301\u0301", "e\u0301\u0301", id="two marks on a letter stay"),
        pytest.param("e" + "\u0301" * 3, 'e\u0301\u0301<span class="e">\\u0301</span>', id="a third is escaped"),
        pytest.param("\\u202e", '<span class="e">\\\\</span>u202e', id="the letters of an escape are told apart"),
        pytest.param("one\ntwo", 'one<span class="e">\\u000a</span>two', id="a line break within a line"),
    ],
)
def test_texts_within_a_line(text: str, shown: str) -> None:
    assert html(words(text)) == f"<bdi>{shown}</bdi>"


@given(st.text(st.characters(), max_size=40))
def test_any_text_is_safe_in_both_writings(text: str) -> None:
    """What is written encodes, shows nothing invisible, opens no element, and the pool holds the same text."""
    node = el("p", text, made("div", pieces(text, lines=True)))
    pool = Pool()
    root = pool.add(node)
    written = html(node)
    written.encode()

    assert not INVISIBLE.search(written)
    assert set(re.findall(r"<(\w+)", written)) <= {"p", "div", "span"}
    stored = json.loads(inert(pool.parts))
    assert "<" not in inert(pool.parts)
    assert text_of(stored, root) == "".join(Reading(written).text)


def test_equal_parts_stand_once() -> None:
    pool = Pool()
    first, second = (pool.add(el("p", el("b", "same"), other)) for other in ("one", "two"))

    assert pool.parts == ["same", ["b", 0, 0], "one", ["p", 0, 1, 2], "two", ["p", 0, 1, 4]]
    assert (first, second) == (3, 5)


# Spans


def finding(code: str, start: int, end: int) -> Finding:
    return Finding(code, "violation", "/message", "", "", {"details": {"start": start, "end": end}})


def shown(text: str, *found: Finding) -> str:
    return html(Node("div", (), tuple(_passage(marked(text, found)))))[5:-6]


def test_a_span_is_marked_and_named_where_it_ends() -> None:
    assert shown("no risk at all", finding("COND01", 0, 7)) == (
        '<mark>no risk<a href="#clause-COND01">COND01</a></mark> at all')


def test_overlapping_spans_are_each_named_once() -> None:
    marks = shown("abcdef", finding("COND01", 0, 4), finding("COND04", 2, 6))

    assert re.sub(r"<a .*?</a>", "|", marks) == "<mark>ab</mark><mark>cd|</mark><mark>ef|</mark>"
    assert re.findall(r">(COND\d+)<", marks) == ["COND01", "COND04"]


def test_a_span_beyond_the_cut_is_shown_with_its_surroundings() -> None:
    far = 3 * LONGEST_TEXT
    text = "." * far + "risk free" + "," * LONGEST_TEXT
    marks = shown(text, finding("COND01", far, far + 9))

    assert marks.startswith("." * LONGEST_TEXT + "<em>[")
    assert "." * AROUND + "<mark>risk free<a " in marks
    assert f"[{far - LONGEST_TEXT - AROUND:,} characters" in marks
    assert f"</mark>{',' * AROUND}<em>[{LONGEST_TEXT - AROUND:,} characters" in marks


# The picture, and the rest of the schema


def a_point(name: str, agreement: str, validity: str) -> Point:
    from fractions import Fraction

    share = Fraction(validity)
    return Point(name, Fraction(agreement), share, share, share)


def test_every_advisor_is_named_and_no_name_covers_another() -> None:
    names = [f"advisor-{index}" for index in range(8)]
    drawn = html(picture([a_point(name, "0", "0") for name in names]))
    heights = [int(found) for found in re.findall(r'y="(\d+)" dy="4" text-anchor="start" class="name"', drawn)]

    assert all(f">{name}</text>" in drawn for name in names)
    assert len(set(heights)) == 8 and min(abs(a - b) for a in heights for b in heights if a != b) >= 15
    assert f"translate({LEFT}.0 312.0)" in drawn


def test_context_is_grouped_and_keeps_its_members(hostile: Review) -> None:
    scene = next(case.scene for case in hostile.cases if case.scenario == "episode-1")
    drawn = html(scene_node(scene, 0))

    assert re.findall(r"<h4><bdi>(.*?)</bdi></h4>", drawn)[0] == "Setup"
    assert "<h4><bdi>Context of the day</bdi></h4>" in drawn and "conservative" in drawn


def test_decisions_and_waivers_are_shown_and_waived_is_not_passed(review: Review) -> None:
    case = next(case for case in review.cases if case.codes())
    code = case.codes()[0]
    waiver = {"case": case.key, "clause": code, "by": "A. <Reviewer>", "reason": "pilot \u202e", "at": "2026-01-02",
              "expires": "2026-03-01"}
    signed = {"decision": "escalate", "by": "B. Officer", "at": "2026-01-03", "note": "see LIM01"}
    page = page_bytes(review._replace(waivers=(waiver,), decisions=(signed,), attestations_digest="ab" * 32)).decode()

    assert "escalate" in page and "A. &lt;Reviewer&gt;" in page and "Nothing has been waived" not in page
    assert "Waived, which is not passed," in page
    assert "ab" * 32 in page.split("<main>")[0]
