"""Where a text quotes."""

import pytest

from predicates.conduct.quotation import quotations


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        pytest.param('They say "no risk" there.', ['"no risk"'], id="straight"),
        pytest.param("They say \u201cno risk\u201d there.", ["\u201cno risk\u201d"], id="curled"),
        pytest.param("他说「保本」和『稳赚』。", ["「保本」", "『稳赚』"], id="corner brackets"),
        pytest.param("He said 'it can't fall' twice.", ["'it can't fall'"], id="an apostrophe inside single quotes"),
        pytest.param("Don't, it's the clients' money.", [], id="apostrophes quote nothing"),
        pytest.param("《基金法》规定", [], id="title marks name a document"),
        pytest.param('An open " only.', [], id="never closed"),
        pytest.param('"one\n\ntwo"', [], id="across a blank line"),
        pytest.param("says &quot;no risk&quot;, &#12300;保本&#x300d;", ["&quot;no risk&quot;", "&#12300;保本&#x300d;"],
                     id="marks written as entities"),
        pytest.param('<b class="x">no risk</b> "it"', ['"it"'], id="the marks of a tag quote nothing"),
        pytest.param(f'"{"x" * 300}"', [f'"{"x" * 300}"'], id="as long as may be"),
        pytest.param(f'"{"x" * (301)}"', [], id="one too long"),
    ],
)
def test_quotations(text: str, quoted: list[str]) -> None:
    """The marks are included, and a quotation ends within bounds."""
    assert [text[start:end] for start, end in quotations(text)] == quoted
