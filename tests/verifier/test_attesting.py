"""Waivers and decisions: chained to the run, never part of it, and never a pass."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scenarios.attestations import Case, Decision, Waiver, in_force, load_attestations
from scenarios.canonical import canonical_bytes
from scenarios.errors import AuditError, ScenarioError, SealError
from scenarios.manifest import RunManifest
from scenarios.sealed import SealedFolder
from tests.runs import a_small_run, reseal, rewrite
from verifier.attesting import attest, check_attestations, named_case, standing
from verifier.replaying import replay

FAILING = (Case("agreement-split", "cash-sub-tranche-03", 1), "COST01")
ACCEPT = Decision(decision="accept", note="read and understood")


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = a_small_run(tmp_path_factory.mktemp("run"))
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def run(sealed: dict[str, bytes], tmp_path: Path) -> Path:
    for name, data in sealed.items():
        (tmp_path / "run" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "run" / name).write_bytes(data)
    return tmp_path / "run"


def a_waiver(expires: str = "2026-06-30", **members: Any) -> Waiver:
    case, clause = FAILING
    return Waiver(**{**case._asdict(), "clause": clause, "reason": "a small account", "expires": expires, **members})


def chained(run: Path) -> tuple[Any, ...]:
    return load_attestations(SealedFolder(run, RunManifest))


def test_the_run_does_not_change(run: Path, sealed: dict[str, bytes]) -> None:
    attest(run, a_waiver(), "Ana", "2026-01-05")
    attest(run, ACCEPT, "Bo", "2026-01-06")

    assert {name: (run / name).read_bytes() for name in sealed} == sealed
    assert replay(run).difference is None
    assert SealedFolder(run).differences() == []


def test_each_names_the_one_before_it_and_the_first_the_run(run: Path) -> None:
    attest(run, a_waiver(), "Ana", "2026-01-05")
    attest(run, ACCEPT, "Bo", "2026-01-06")
    first, second = chained(run)

    assert first.previous == first.run == second.run == SealedFolder(run).manifest.digest
    assert second.previous == first.digest()
    assert [first.number, second.number] == [1, 2]


def drop_the_first(run: Path) -> None:
    (run / "attestations" / "001.json").unlink()


def drop_and_renumber(run: Path) -> None:
    drop_the_first(run)
    (run / "attestations" / "002.json").rename(run / "attestations" / "001.json")
    rewrite(run / "attestations" / "001.json", lambda one: {**one, "number": 1})


def change_the_first(run: Path) -> None:
    rewrite(run / "attestations" / "001.json", lambda one: {**one, "by": "Eva"})


def change_the_run(run: Path) -> None:
    reseal(run, summary=[])


def blanks(run: Path) -> None:
    path = run / "attestations" / "002.json"
    path.write_bytes(path.read_bytes().replace(b'":', b'": ', 1))


def a_note_beside_them(run: Path) -> None:
    (run / "attestations" / "note.txt").write_text("psst")


def older_than_the_first(run: Path) -> None:
    rewrite(run / "attestations" / "002.json", lambda one: {**one, "at": "2026-01-04"})


@pytest.mark.parametrize(
    "tamper",
    [drop_the_first, drop_and_renumber, change_the_first, change_the_run, blanks, a_note_beside_them,
     older_than_the_first],
)
def test_tampering_is_noticed(run: Path, tamper: Callable[[Path], None]) -> None:
    attest(run, a_waiver(), "Ana", "2026-01-05")
    attest(run, ACCEPT, "Bo", "2026-01-06")
    tamper(run)

    with pytest.raises(SealError):
        chained(run)
    difference = replay(run).difference
    assert difference is not None and difference.stage in ("manifest", "summary")


@pytest.mark.parametrize(
    ("as_of", "state"),
    [
        pytest.param("2026-01-04", "failing", id="the day before it is made"),
        pytest.param("2026-01-05", "waived", id="the day it is made"),
        pytest.param("2026-06-30", "waived", id="its last day"),
        pytest.param("2026-07-01", "expired", id="the day after"),
    ],
)
def test_a_waiver_holds_from_its_day_to_its_last(run: Path, as_of: str, state: str) -> None:
    before = standing(run, as_of)
    _, attestation = attest(run, a_waiver(), "Ana", "2026-01-05")
    after = standing(run, as_of)

    assert FAILING in getattr(after, state)
    assert sum(map(len, after)) == sum(map(len, before)) == len(before.failing)
    assert in_force(attestation, as_of) == (state == "waived")


def test_the_last_waiver_counts(run: Path) -> None:
    attest(run, a_waiver("2026-06-30"), "Ana", "2026-01-05")
    attest(run, a_waiver("2026-02-01"), "Ana", "2026-01-06")

    assert standing(run, "2026-03-01").expired == (FAILING,)


@pytest.mark.parametrize(
    ("members", "at", "says"),
    [
        pytest.param({"run": 9}, "2026-01-05", "does not fail", id="a run that is not there"),
        pytest.param({"clause": "COST02"}, "2026-01-05", "failing there: COST01", id="a clause that holds"),
        pytest.param({}, "2026-13-05", "month", id="no day of the calendar"),
        pytest.param({}, "2026-07-01", "lies before at", id="expired when made"),
    ],
)
def test_what_cannot_be_waived(run: Path, members: dict[str, Any], at: str, says: str) -> None:
    with pytest.raises(AuditError, match=says):
        attest(run, a_waiver(**members), "Ana", at)
    assert not (run / "attestations").exists()


@pytest.mark.parametrize("text", ["", "a/b", "a/b/0", "a/b/x", "a/b/1/2", "a//1", "a/b/-1", "a/b/²"])
def test_what_names_no_case(text: str) -> None:
    with pytest.raises(ScenarioError, match="ADVISOR/SCENARIO/RUN"):
        named_case(text)
    assert named_case("a/b/12") == Case("a", "b", 12)


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    from cryptography.hazmat.primitives import serialization as s
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    folder = tmp_path_factory.mktemp("keys")
    for name in ("own.pem", "other.pem"):
        raw = Ed25519PrivateKey.generate().private_bytes(s.Encoding.PEM, s.PrivateFormat.PKCS8, s.NoEncryption())
        (folder / name).write_bytes(raw)
    return folder / "own.pem", folder / "other.pem"


def test_a_signature_is_of_this_attestation_and_this_key(run: Path, keys: tuple[Path, Path]) -> None:
    own, other = keys
    path, attestation = attest(run, ACCEPT, "Bo", "2026-01-06", own)

    assert check_attestations(SealedFolder(run), own)[1] == []
    assert len(check_attestations(SealedFolder(run), other)[1]) == 1
    path.write_bytes(canonical_bytes({**attestation.record(), "by": "Eva"}) + b"\n")
    assert len(check_attestations(SealedFolder(run), own)[1]) == 1


def test_an_unsigned_one_does_not_pass_for_signed(run: Path, keys: tuple[Path, Path]) -> None:
    attest(run, ACCEPT, "Bo", "2026-01-06")

    assert check_attestations(SealedFolder(run))[1] == []
    assert "is missing" in str(check_attestations(SealedFolder(run), keys[0])[1][0])


def test_a_file_that_is_no_key(run: Path, tmp_path: Path) -> None:
    (tmp_path / "no.pem").write_text("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")

    with pytest.raises(ScenarioError, match="no private Ed25519 key"):
        attest(run, ACCEPT, "Bo", "2026-01-06", tmp_path / "no.pem")
    assert not (run / "attestations").exists()
