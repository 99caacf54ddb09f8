"""The page as its readers meet it: in a browser, from disk, with and without script, on a phone and on paper."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.exports.chromium import BINARY, Chromium
from verifier.exports import page as page_module
from verifier.exports.page import page_bytes
from verifier.exports.review import Review

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(BINARY is None, reason="no Chromium is installed; `make browser` installs Debian's"),
]

PHONE = {"width": 360, "height": 740}
ROWS = "[...document.querySelectorAll('#table tbody tr')].filter(row => row.getClientRects().length)"
CASES = f"{ROWS}.map(row => row.cells[0].textContent)"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    with Chromium(tmp_path_factory.mktemp("browser")) as browser:
        yield browser


@pytest.fixture(scope="module")
def files(review: Review, hostile: Review, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The page of the small run with three cases as plain HTML, and the page of the hostile run."""
    folder = tmp_path_factory.mktemp("pages")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page_module, "STATIC_CASES", 3)
        for name, one in (("small", review), ("hostile", hostile)):
            (folder / f"{name}.html").write_bytes(page_bytes(one))
    return {name: folder / f"{name}.html" for name in ("small", "hostile")}


@pytest.fixture(autouse=True)
def quiet(browser: Chromium) -> Iterator[None]:
    """No test may leave a console line, an exception, a violated policy, or a request but for the file itself."""
    browser.complaints.clear()
    yield
    assert browser.complaints == []
    assert all(url.startswith(("file:///", "about:")) for url in browser.requests)
    assert len({url for url in browser.requests if url.startswith("file:")}) == 1


def show(browser: Chromium, number: str, *, by: str = "hash") -> None:
    """Open a case by its address, or by a click on its number, and wait until it is shown."""
    if by == "click":
        browser.run(f"document.querySelector('a[href=\"#case-{number}\"]').click()")
    else:
        browser.run(f"location.hash = '#case-{number}'")
    browser.wait(f"document.querySelector('#case header .kind')?.textContent === 'Case {number}'")


def choose(browser: Chromium, control: str, value: str) -> Any:
    """Set a filter as a reader would, and return the numbers of the cases that are shown then."""
    event = "input" if control == "text" else "change"
    browser.run(f"{{ const it = document.getElementById('filter-{control}'); it.value = {value!r};"
                f" it.dispatchEvent(new Event('{event}')) }}")
    return browser.run(CASES)


def test_filters_narrow_the_table_and_clear_again(browser: Chromium, files: dict[str, Path], review: Review) -> None:
    browser.open(files["small"])
    everything = browser.run(CASES)
    assert len(everything) == len(review.cases)

    split = [str(case.number) for case in review.cases if case.advisor == "agreement-split"]
    assert sorted(choose(browser, "advisor", "agreement-split")) == sorted(split)
    lim01 = [str(case.number) for case in review.cases if case.advisor == "agreement-split" and "LIM01" in case.codes()]
    assert sorted(choose(browser, "clause", "LIM01")) == sorted(lim01) != []
    said = browser.run("document.getElementById('shown').textContent")
    assert said == f"{len(lim01)} of {len(review.cases)} runs match."
    assert choose(browser, "text", "no such words") == []
    browser.run("document.querySelector('#filters button').click()")
    assert browser.run(CASES) == everything


def test_a_head_sorts_both_ways_and_tells_so(browser: Chromium, files: dict[str, Path], review: Review) -> None:
    browser.open(files["small"])
    numbers = [str(case.number) for case in review.cases]
    head = "document.querySelector('#table thead th')"

    browser.run(f"{head}.querySelector('button').click()")
    assert browser.run(CASES) == numbers
    assert browser.run(f"{head}.getAttribute('aria-sort')") == "ascending"
    browser.run(f"{head}.querySelector('button').click()")
    assert browser.run(CASES) == numbers[::-1]
    assert browser.run(f"{head}.getAttribute('aria-sort')") == "descending"


@pytest.mark.parametrize("place", ["standing", "stored"])
def test_a_case_opens_from_the_page_or_from_its_data(browser: Chromium, files: dict[str, Path], place: str) -> None:
    browser.open(files["small"])
    stored = browser.run("Object.keys(JSON.parse(document.getElementById('data').textContent).cases)")
    numbers = browser.run(CASES)
    number = next(one for one in numbers if (one in stored) == (place == "stored"))
    reader = "document.getElementById('reader')"

    show(browser, number, by="click")
    assert browser.run(f"{reader}.open")
    heads = browser.run(f"[...{reader}.querySelectorAll('h4')].map(head => head.textContent)")
    assert heads[:2] == ["Setup", "Structured context"]
    assert heads[-5:] == ["Dialogue", "Verdict of every clause", "Executed outcome", "Paired baseline", "Takeaway"]
    assert browser.run("document.querySelectorAll('[id]').length === new Set([...document.querySelectorAll('[id]')]"
                       ".map(element => element.id)).size")

    browser.press("Escape")
    browser.wait(f"!{reader}.open && document.activeElement.textContent === '{number}'")


def test_the_reader_walks_through_what_the_filter_shows(browser: Chromium, files: dict[str, Path]) -> None:
    browser.open(files["small"])
    numbers = choose(browser, "clause", "LIM01")
    show(browser, numbers[0], by="click")
    walked = []
    while True:
        walked.append(browser.run("document.querySelector('#case header .kind').textContent").removeprefix("Case "))
        if browser.run("document.getElementById('next').disabled"):
            break
        browser.run("document.getElementById('next').click()")

    assert walked == numbers
    assert browser.run("location.hash") == f"#case-{numbers[-1]}"


@pytest.mark.parametrize("name", ["small", "hostile"])
@pytest.mark.parametrize("scripts", [True, False], ids=["script", "no script"])
def test_a_phone_never_scrolls_sideways(browser: Chromium, files: dict[str, Path], name: str, scripts: bool) -> None:
    browser.open(files[name], **PHONE, scripts=scripts)
    assert browser.run("document.documentElement.scrollWidth") == PHONE["width"]
    if scripts:
        for number in browser.run(CASES)[:40]:
            show(browser, number)
            assert browser.run("document.getElementById('reader').scrollWidth") == PHONE["width"]


def test_without_script_summary_failures_and_first_cases_stand(
    browser: Chromium, files: dict[str, Path], review: Review
) -> None:
    browser.open(files["small"], scripts=False)
    assert len(browser.run(CASES)) == len(review.cases)
    shown = "[...document.querySelectorAll('article')].filter(one => one.getClientRects().length).length"
    assert browser.run(shown) == 3
    assert browser.run("document.getElementById('filters').getClientRects().length") == 0
    assert browser.run("document.getElementById('summary').getClientRects().length") == 1


def test_nothing_that_an_advisor_sent_runs(browser: Chromium, files: dict[str, Path]) -> None:
    browser.open(files["hostile"])
    before = browser.run("document.scripts.length")
    for number in browser.run(CASES):
        show(browser, number)

    assert browser.run("document.scripts.length") == before == 2
    assert browser.run("document.images.length") == 0
    assert browser.run("document.querySelectorAll('#case script, #case img').length") == 0


def test_the_policy_stops_what_would_slip_through(browser: Chromium, files: dict[str, Path], tmp_path: Path) -> None:
    """Were a text written as markup, it still could not run or fetch."""
    slipped = "<script>window.ran = 1</script><img src='http://127.0.0.1:9/x' onerror='window.ran = 1'>"
    page = files["small"].read_text("utf-8").replace("<main>", f"<main>{slipped}")
    (tmp_path / "slipped.html").write_text(page, "utf-8")
    browser.open(tmp_path / "slipped.html")

    assert browser.run("window.ran") is None
    assert sum("Content Security Policy" in complaint for complaint in browser.complaints) >= 2
    browser.complaints.clear()
    browser.requests[:] = [url for url in browser.requests if url.startswith("file:")]


def test_every_printed_page_has_the_digest(
    browser: Chromium, files: dict[str, Path], review: Review, tmp_path: Path
) -> None:
    import shutil
    import subprocess

    if shutil.which("pdftotext") is None:
        pytest.skip("no pdftotext; `make browser` installs Debian's poppler-utils")
    browser.open(files["small"])
    (tmp_path / "printed.pdf").write_bytes(browser.pdf())
    printed = subprocess.run(["pdftotext", tmp_path / "printed.pdf", "-"], capture_output=True, text=True, check=True)
    pages = printed.stdout.split("\f")[:-1]

    assert len(pages) > 3
    assert all(f"Run manifest sha256 {review.digest}" in page for page in pages)
    assert sum(page.lstrip().startswith("Case ") for page in pages) >= 1
