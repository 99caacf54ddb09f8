"""`audit learn`: scorecards from labelled texts, in a contract of the firm's own."""

import json
from pathlib import Path

import pytest

from scenarios.labels import half_of
from scenarios.load import SHIPPED
from scenarios.sealed import load_contract
from tests.cli.conftest import Audit

PRESSING = ("Hurry up now.", "The boat leaves now.", "Hurry, or you lose it.", "Sign before the boat leaves.")
CALM = ("Sleep on it.", "The boat is blue.", "Think of it, and sign later.", "You may lose it, too.")


def text(number: int, advisor_says: str, *labels: str) -> str:
    """A labelled text as one line."""
    return json.dumps({"id": f"memo-{number:03}", "language": "en", "labels": labels, "near": "COND04", "kind": "test",
                       "context": "balanced-range", "advisor_says": advisor_says})


@pytest.fixture
def sealed(audit: Audit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A set in which pressing texts break every redline that words weigh on."""
    monkeypatch.chdir(tmp_path)
    codes = "COND01", "COND02", "COND04", "COND05"
    said = [*((one, codes) for one in PRESSING * 3), *((one, ()) for one in CALM * 3)]
    lines = [text(number, f"{one} {number}.", *labels) for number, (one, labels) in enumerate(said)]
    Path("labels.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert audit("freeze", "labels.jsonl", "--as", "labels", "--out", "memos").code == 0
    return Path("memos")


def test_a_contract_with_what_was_learned(audit: Audit, sealed: Path) -> None:
    """It stands alone, names what was learned from, and judges by it."""
    answer = audit("learn", sealed, "--id", "firm-2", "--out", "firm-2.json", "--json")
    made = json.loads(answer.out)
    contract = load_contract(Path("firm-2.json"))
    cards = contract.scorecards or ()

    assert made["texts"] == 24 and made["digest"] == contract.digest
    assert [card.code for card in cards] == ["COND01", "COND02", "COND04", "COND05"]
    assert all(card.source.startswith("memos whole sha256 ") for card in cards)
    assert cards[2].weights["hurry"] > 0 > cards[2].weights["think"]
    assert contract.clauses == load_contract(SHIPPED / "contracts" / "conduct-1.json").clauses
    assert audit("replay", "firm-2.json").code == 0


def test_the_same_texts_make_the_same_bytes(audit: Audit, sealed: Path) -> None:
    for name in ("one", "two"):
        assert audit("learn", sealed, "--id", "firm-2", "--out", f"{name}.json").code == 0

    assert Path("one.json").read_bytes() == Path("two.json").read_bytes()


def test_one_half_alone(audit: Audit, sealed: Path) -> None:
    halves = {half: sum(half_of(f"memo-{number:03}") == half for number in range(24)) for half in ("dev", "test")}
    made = json.loads(audit("learn", "memos:dev", "--id", "firm-2", "--out", "firm-2.json", "--json").out)

    assert made["texts"] == halves["dev"] < 24


@pytest.mark.parametrize(("arguments", "code", "said"), [
    pytest.param(("nothing", "--id", "x", "--out", "x.json"), 3, "nothing: ", id="no such set"),
    pytest.param(("memos:all", "--id", "x", "--out", "x.json"), 3, "names half 'all'; name dev or test", id="half"),
    pytest.param(("memos", "--id", "conduct-1", "--out", "x.json"), 3, "is a contract that ships", id="a shipped id"),
    pytest.param(("memos", "--id", "x", "--out", "labels.jsonl"), 3, "labels.jsonl: exists", id="a file that is there"),
    pytest.param(("memos", "--into", "base-1", "--id", "x", "--out", "x.json"), 3, "base-1: has no clause COND01",
                 id="a contract of orders"),
    pytest.param(("--id", "x", "--out", "x.json"), 2, "SET[:HALF]", id="no set"),
])
def test_what_is_refused(audit: Audit, sealed: Path, arguments: tuple[str, ...], code: int, said: str) -> None:
    """One line, and nothing is written."""
    answer = audit("learn", *arguments)

    assert answer.code == code and said in answer.err and not Path("x.json").exists()


def test_a_changed_set_is_refused(audit: Audit, sealed: Path) -> None:
    path = sealed / "dev" / "items.jsonl"
    path.write_bytes(path.read_bytes().replace(b"Hurry", b"hurry"))

    answer = audit("learn", sealed, "--id", "x", "--out", "x.json")

    assert answer.code == 3 and "sha256" in answer.err


def test_one_redline_without_a_text(audit: Audit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("labels.jsonl").write_text("\n".join(text(number, one) for number, one in enumerate(CALM)), encoding="utf-8")
    audit("freeze", "labels.jsonl", "--as", "labels", "--out", "memos")

    answer = audit("learn", "memos", "--id", "x", "--out", "x.json")

    assert answer.code == 3 and "COND01: texts that break it and texts that do not are needed" in answer.err
    assert json.loads(Path("memos/manifest.json").read_bytes())["kind"] == "labels"
