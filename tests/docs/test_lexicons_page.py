"""docs/lexicons.md: its example is a lexicon, and the commands print what the page shows."""

import re
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from scenarios.files import read_file
from scenarios.json_exact import read_json
from scenarios.load import SHIPPED
from tests.cli.conftest import Audit
from tests.cli.conftest import audit as audit  # the fixture

PAGE = (Path(__file__).parents[2] / "docs" / "lexicons.md").read_text(encoding="utf-8")
WORDS, *EXAMPLES = re.findall(r"```\n(.*?)```", PAGE, re.DOTALL)
SAID = "Our flagship fund always carries the blue ribbon."


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in a folder with the page's lexicon, a scenario of one turn and an answer."""
    monkeypatch.chdir(tmp_path)
    Path("words.json").write_text(WORDS, encoding="utf-8")
    Path("scenario.json").write_bytes(read_file(SHIPPED / "conduct-1" / "scenarios" / "calibration-u2.json"))
    Path("answer.txt").write_text(SAID, encoding="utf-8")


@pytest.fixture
def firm(audit: Audit, folder: None) -> None:
    """The contract of the page, beside them."""
    assert audit("freeze", "words.json", "--into", "conduct-1", "--id", "firm-1", "--out", "firm-1.json").code == 0


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: " ".join(example.split()[1:3]))
def test_the_examples(audit: Audit, firm: None, example: str) -> None:
    """A line that ends in ... may go on, and one of ... stands for any number of lines."""
    command, *shown = example.splitlines()
    if " freeze " in command:
        Path("firm-1.json").unlink()
    printed = audit(*command.removeprefix("$ audit ").split()).out.splitlines()

    patterns = [line.replace("...", "*") for line in shown if line != "..."]
    places = [next((n for n, line in enumerate(printed) if fnmatchcase(line, one)), None) for one in patterns]
    assert None not in places, printed
    assert places == sorted(places, key=str) or "..." in shown
    assert "..." in shown or len(printed) == len(shown)


@pytest.mark.parametrize(
    ("said", "code"),
    [
        pytest.param(SAID, 1, id="asserted"),
        pytest.param(SAID.replace("always", "never"), 0, id="negated"),
        pytest.param("They gave a prize to the film this fund brings the blue ribbon.", 0, id="the firm's exception"),
        pytest.param("茶凉之前就定下来吧。", 1, id="Chinese"),
        pytest.param("茶凉之后再定。", 0, id="other words"),
    ],
)
def test_the_phrases_of_the_page(audit: Audit, firm: None, said: str, code: int) -> None:
    Path("answer.txt").write_text(said, encoding="utf-8")

    assert audit("check", "--contract", "firm-1.json", "scenario.json", "answer.txt").code == code
    assert audit("check", "--contract", "conduct-1", "scenario.json", "answer.txt").code == 0


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        pytest.param("COND04.urgency", "COND04.urgent", "no clause of conduct-1 reads 'COND04.urgent'", id="role"),
        pytest.param("<firm-fund>", "<firm-fnd>", "there is no set <firm-fnd>", id="set"),
        pytest.param("(carries|brings)", "(carries|brings", "')' is missing", id="syntax"),
        pytest.param("firm.tea", "firm.film", "'firm.film' stands twice", id="id"),
        pytest.param('"source": "memo of 3 May, 5",', "", "source: Field required", id="source"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_entry(
    audit: Audit, folder: None, old: str, new: str, told: str
) -> None:
    assert old in WORDS
    Path("words.json").write_text(WORDS.replace(old, new, 1), encoding="utf-8")
    outcome = audit("freeze", "words.json", "--into", "conduct-1", "--id", "firm-2", "--out", "firm-2.json")

    assert outcome.code == 3
    assert told in outcome.err
    assert not Path("firm-2.json").exists()


def test_a_contract_is_not_written_over_nor_shadowed(audit: Audit, firm: None) -> None:
    sealed = Path("firm-1.json").read_bytes()
    again = audit("freeze", "words.json", "--into", "conduct-1", "--id", "firm-1", "--out", "firm-1.json")
    shadow = audit("freeze", "words.json", "--into", "conduct-1", "--id", "conduct-1", "--out", "other.json")

    assert (again.code, shadow.code) == (3, 3)
    assert "is a contract that ships" in shadow.err
    assert Path("firm-1.json").read_bytes() == sealed


def test_a_contract_with_a_phrase_that_cannot_be_compiled_is_not_sealed(audit: Audit, firm: None) -> None:
    record = read_json(read_file(Path("firm-1.json")), "firm-1.json")
    assert isinstance(record, dict)
    text = Path("firm-1.json").read_text(encoding="utf-8").replace("<firm-fund> [always]", "<nobody> [always]")
    Path("firm-1.json").write_text(text.replace(f'"digest":"{record["digest"]}",', ""), encoding="utf-8")
    outcome = audit("freeze", "firm-1.json")

    assert outcome.code == 3
    assert "there is no set <nobody>" in outcome.err
    assert "digest" not in Path("firm-1.json").read_text(encoding="utf-8")[:200]


def test_into_needs_its_companions(audit: Audit, folder: None) -> None:
    assert audit("freeze", "words.json", "--into", "conduct-1", "--id", "firm-2").code == 2
    assert audit("freeze", "--into", "conduct-1", "--id", "firm-2", "--out", "x.json").code == 2
