"""Replay: every changed byte is found, and named by the first stage and record that differ."""

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from predicates import sources
from scenarios.canonical import canonical_bytes
from scenarios.errors import ReplayError
from scenarios.load import SHIPPED, shipped_contract
from scenarios.sealed import STAGES
from tests.runs import a_small_run, reseal, rewrite, rewrite_line
from verifier.replaying import Replayed, replay


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return a_small_run(tmp_path_factory.mktemp("sealed"))


@pytest.fixture
def run(sealed: Path, tmp_path: Path) -> Iterator[Path]:
    shutil.copytree(sealed, tmp_path / "run")
    yield tmp_path / "run"


def stage(found: Replayed) -> str | None:
    """The stage that differs; the stages before it must all have held."""
    if found.difference is None:
        return None
    assert found.stages == STAGES[: STAGES.index(found.difference.stage)]
    return found.difference.stage


def test_an_untouched_run_replays(run: Path) -> None:
    found = replay(run)

    assert found.difference is None
    assert found.stages == STAGES


def test_a_run_replays_from_its_folder_alone(run: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Bank, contract and answers are read from the run, never from what ships."""
    monkeypatch.setattr("scenarios.load.SHIPPED", tmp_path / "nothing")

    assert replay(run).difference is None


def _swap_answers(folder: Path) -> None:
    path = folder / "answers.jsonl"
    first, second, *rest = [json.loads(line) for line in path.read_bytes().splitlines()]
    first["text"], second["text"] = second["text"] + " ", first["text"]
    path.write_bytes(b"".join(canonical_bytes(one) + b"\n" for one in (first, second, *rest)))


def swapped_answer(run: Path) -> None:
    _swap_answers(run / "frozen_outputs" / "agreement-split")


def swapped_answer_resealed_inside(run: Path) -> None:
    swapped_answer(run)
    reseal(run / "frozen_outputs" / "agreement-split")


def swapped_answer_resealed_throughout(run: Path) -> None:
    swapped_answer_resealed_inside(run)
    inner = json.loads((run / "frozen_outputs" / "agreement-split" / "manifest.json").read_bytes())
    outer = json.loads((run / "manifest.json").read_bytes())
    for advisor in outer["advisors"]:
        if advisor["id"] == "agreement-split":
            advisor["digest"] = inner["digest"]
    reseal(run, advisors=outer["advisors"])


def dropped_answer_resealed(run: Path) -> None:
    folder = run / "frozen_outputs" / "contract"
    lines = (folder / "answers.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "answers.jsonl").write_bytes(b"".join(lines[:-1]))
    reseal(folder)
    inner = json.loads((folder / "manifest.json").read_bytes())
    outer = json.loads((run / "manifest.json").read_bytes())
    for advisor in outer["advisors"]:
        if advisor["id"] == "contract":
            advisor["digest"] = inner["digest"]
    reseal(run, advisors=outer["advisors"])


def wrong_score_resealed(run: Path) -> None:
    rewrite(run / "scores.json", lambda scores: {**scores, "advisors": scores["advisors"][:1]})
    reseal(run)


def wrong_summary_resealed(run: Path) -> None:
    summary = json.loads((run / "manifest.json").read_bytes())["summary"]
    summary[1]["violations"] = {}
    reseal(run, summary=summary)


def verdict_turned_resealed(run: Path) -> None:
    path = run / "verdicts.jsonl"
    number = next(n for n, line in enumerate(path.read_bytes().splitlines()) if b"INADMISSIBLE" in line)
    rewrite_line(path, number, lambda verdict: {**verdict, "state": "ADMISSIBLE"})
    reseal(run)


def action_digest_resealed(run: Path) -> None:
    def change(verdict: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
        return {**verdict, "digests": {**verdict["digests"], "action": "0" * 64}}

    rewrite_line(run / "verdicts.jsonl", 3, change)
    reseal(run)


def log_record_resealed(run: Path) -> None:
    rewrite_line(run / "log.jsonl", 2, lambda record: {**record, "verdict": "0" * 64})
    reseal(run)


def root_resealed(run: Path) -> None:
    reseal(run, root="0" * 64)


def other_source(run: Path) -> None:
    """What a changed clause source under an old version looks like to the run that was sealed before."""
    sources = json.loads((run / "manifest.json").read_bytes())["sources"]
    reseal(run, sources={**sources, "COST01": "0" * 64})


def reference_resealed(run: Path) -> None:
    bank = run / "inputs" / "bank"
    rewrite_line(bank / "references.jsonl", 1, lambda reference: {**reference, "orders": []})
    reseal(bank)
    digest = json.loads((bank / "manifest.json").read_bytes())["digest"]
    reseal(run, bank={"id": "small", "digest": digest})


def changed_contract_resealed(run: Path) -> None:
    rewrite(run / "inputs" / "contract.json", lambda contract: {**contract, "title": "another"})
    reseal(run)


def extra_file(run: Path) -> None:
    (run / "notes.txt").write_text("nothing to see")


def extra_file_among_inputs(run: Path) -> None:
    (run / "inputs" / "bank" / "more.json").write_text("{}")


def link(run: Path) -> None:
    (run / "scores.json").rename(run.parent / "elsewhere.json")
    (run / "scores.json").symlink_to(run.parent / "elsewhere.json")


def linked_folder(run: Path) -> None:
    (run / "inputs").rename(run.parent / "inputs")
    (run / "inputs").symlink_to(run.parent / "inputs")


def blanks_in_the_manifest(run: Path) -> None:
    record = json.loads((run / "manifest.json").read_bytes())
    (run / "manifest.json").write_text(json.dumps(record, sort_keys=True) + "\n")


def no_newline_at_the_end(run: Path) -> None:
    (run / "manifest.json").write_bytes((run / "manifest.json").read_bytes().rstrip())


def digest_of_the_manifest(run: Path) -> None:
    rewrite(run / "manifest.json", lambda manifest: {**manifest, "digest": "0" * 64})


@pytest.mark.parametrize(
    ("tamper", "expected"),
    [
        pytest.param(swapped_answer, "answers", id="a swapped answer"),
        pytest.param(swapped_answer_resealed_inside, "answers", id="a swapped answer under a new inner seal"),
        pytest.param(swapped_answer_resealed_throughout, "answers", id="a swapped answer under new seals throughout"),
        pytest.param(dropped_answer_resealed, "answers", id="a dropped answer under new seals"),
        pytest.param(action_digest_resealed, "parse", id="another action under a new seal"),
        pytest.param(verdict_turned_resealed, "clauses", id="a turned verdict under a new seal"),
        pytest.param(log_record_resealed, "environment steps", id="a log record under a new seal"),
        pytest.param(root_resealed, "environment steps", id="another root under a new seal"),
        pytest.param(wrong_score_resealed, "scores", id="a wrong score under a new seal"),
        pytest.param(wrong_summary_resealed, "summary", id="a wrong summary under a new seal"),
        pytest.param(other_source, "inputs", id="a changed clause source"),
        pytest.param(reference_resealed, "inputs", id="a reference that the baseline does not give"),
        pytest.param(changed_contract_resealed, "inputs", id="a changed contract"),
        pytest.param(extra_file, "manifest", id="an extra file"),
        pytest.param(extra_file_among_inputs, "manifest", id="an extra file among the inputs"),
        pytest.param(link, "manifest", id="a link"),
        pytest.param(linked_folder, "manifest", id="a linked folder"),
        pytest.param(blanks_in_the_manifest, "manifest", id="blanks in the manifest"),
        pytest.param(no_newline_at_the_end, "manifest", id="no newline at the end"),
        pytest.param(digest_of_the_manifest, "manifest", id="another digest in the manifest"),
    ],
)
def test_the_first_stage_that_differs_is_named(run: Path, tamper: Callable[[Path], None], expected: str) -> None:
    tamper(run)

    assert stage(replay(run)) == expected


def test_a_swapped_answer_is_named_by_its_run(run: Path) -> None:
    swapped_answer(run)
    difference = replay(run).difference

    assert difference is not None
    assert difference.record == "advisor agreement-split, scenario cash-below-floor-01, run 1 (answers.jsonl)"


def test_a_wrong_summary_is_named_by_its_member(run: Path) -> None:
    wrong_summary_resealed(run)
    difference = replay(run).difference

    assert difference is not None
    assert difference.stored == "/summary/1/violations/COST01 = null"
    assert difference.recomputed == "/summary/1/violations/COST01 = 2"


def test_every_byte_of_every_file_is_sealed(sealed: Path, tmp_path: Path) -> None:
    """One bit in the middle of any file of the run is found."""
    files = sorted(path.relative_to(sealed) for path in sealed.rglob("*") if path.is_file())
    assert len(files) > 10
    for number, name in enumerate(files):
        copy = tmp_path / str(number)
        shutil.copytree(sealed, copy)
        raw = bytearray((copy / name).read_bytes())
        raw[len(raw) // 2] ^= 1
        (copy / name).write_bytes(raw)
        try:
            found = replay(copy)
        except ReplayError:
            continue
        assert found.difference is not None, name


@pytest.mark.parametrize("module", ["predicates.cost.fee_worsening_split", "scenarios.costs", "scenarios.fees"])
def test_a_changed_clause_source_is_found_through_the_installed_file(
    run: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, module: str
) -> None:
    """The rule, or what it calls, changed under its old version: the installed source has another digest."""
    changed = tmp_path / "changed.py"
    original = sys.modules[module].__file__
    assert original is not None
    changed.write_bytes(Path(original).read_bytes() + b"# changed\n")
    file_digest = sources._file_digest
    monkeypatch.setattr(sources, "_file_digest", lambda path: file_digest(changed if str(path) == original else path))
    difference = replay(run).difference

    assert difference is not None
    assert (difference.stage, difference.record) == ("inputs", "source of clause COST01")


@pytest.mark.parametrize("member", ["format", "kind", "parser"])
def test_an_unknown_version_is_refused(run: Path, member: str) -> None:
    reseal(run, **{member: "later/9"})

    with pytest.raises(ReplayError, match="later/9"):
        replay(run)


@pytest.mark.parametrize("name", ["verdicts.jsonl", "inputs/contract.json", "frozen_outputs/contract/answers.jsonl"])
def test_a_missing_file_is_no_difference_but_a_refusal(run: Path, name: str) -> None:
    (run / name).unlink()

    with pytest.raises(ReplayError, match="no such file"):
        replay(run)


def test_the_shipped_contract_replays() -> None:
    found = replay(shipped_contract())

    assert (found.kind, found.difference) == ("contract", None)


def test_another_engine_is_told_and_decides_nothing(run: Path) -> None:
    """A later release replays an older run: what counts is that every byte it makes is the same."""
    reseal(run, engine="0" * 64, release="0.0.9")
    found = replay(run)

    assert found.difference is None
    assert "release 0.0.9" in found.note
    assert replay(SHIPPED / "bank-1").note == ""


SHIPPED_MANIFESTS = sorted(
    path for pattern in ("**/manifest.json", "contracts/*.json", "configs/*.json") for path in SHIPPED.glob(pattern)
    if "rollouts" not in path.parts
)


@pytest.mark.parametrize("path", SHIPPED_MANIFESTS, ids=lambda path: path.relative_to(SHIPPED).as_posix())
def test_every_sealed_document_that_ships_replays(path: Path) -> None:
    assert replay(path).difference is None
