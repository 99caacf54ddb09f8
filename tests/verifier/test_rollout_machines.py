"""The same bytes on other machines: hash seeds, vector units, a cluster, and after a kill at any moment."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from scenarios.errors import ReplayError
from tests.verifier.test_rollouts import files, inputs
from verifier.cluster import dask_executor
from verifier.rollouts import rollout

AUDIT = "import sys; from verifier.cli import main; sys.exit(main())"
INVESTORS = "conservative-low-small,balanced-medium-mid,aggressive-high-large"
OPTIONS = ("--advisor", "personalized-rule", "--advisor", "redline", "--investors", INVESTORS, "--runs", "2",
           "--to", "2021-04-15")

UNITS_OFF = """
import warnings
warnings.simplefilter("error")  # numpy only warns of a name that it does not know
from numpy._core import _multiarray_umath as units
on = [name for name in units.__cpu_dispatch__ if units.__cpu_features__[name]]
assert units.__cpu_dispatch__ and not on, on
"""


def start(out: Path, *options: str, code: str = AUDIT, **environment: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        (sys.executable, "-c", code, "rollout", *OPTIONS, *options, "--out", str(out)), stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, env={**os.environ, **environment}, start_new_session=True,
    )


def run(out: Path, *options: str, code: str = AUDIT, **environment: str) -> dict[str, bytes]:
    process = start(out, *options, code=code, **environment)
    _, complaint = process.communicate()
    assert process.returncode == 0, complaint.decode()
    return files(out)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return run(tmp_path_factory.mktemp("machines") / "made", PYTHONHASHSEED="0")


@pytest.mark.parametrize(
    ("seed", "jobs"), [("1", "2"), pytest.param("4294967295", "8", marks=pytest.mark.slow)])
def test_hash_seed_and_workers_change_no_byte(made: dict[str, bytes], tmp_path: Path, seed: str, jobs: str) -> None:
    assert run(tmp_path / "x", "--jobs", jobs, PYTHONHASHSEED=seed) == made


@pytest.mark.parametrize("kernels", ["Prescott", pytest.param("Haswell", marks=pytest.mark.slow)])
def test_without_vector_units_no_byte_changes(made: dict[str, bytes], tmp_path: Path, kernels: str) -> None:
    """Exactly what numpy dispatches on is off, and seen to be off; BLAS takes kernels of another machine."""
    from numpy._core import _multiarray_umath as units

    off = " ".join(name for name in units.__cpu_dispatch__ if units.__cpu_features__[name])
    if not off:
        pytest.skip("this machine has none of the units that numpy dispatches on")

    assert run(tmp_path / "x", code=UNITS_OFF + AUDIT, NPY_DISABLE_CPU_FEATURES=off, OPENBLAS_CORETYPE=kernels) == made


KILLED = """
import os, signal
left, sync = {syncs}, os.fsync

def fsync(file):
    global left
    left -= 1
    if left < 0:
        os.killpg(0, signal.SIGKILL)
    sync(file)

os.fsync = fsync
"""


@pytest.mark.parametrize("syncs", [11, *(pytest.param(syncs, marks=pytest.mark.slow) for syncs in (0, 4, 14))])
def test_killed_at_any_write_it_goes_on_to_the_same_bytes(made: dict[str, bytes], tmp_path: Path, syncs: int) -> None:
    """The claim, then six tasks of five files in two workers: one of these comes to its fourteenth file at least."""
    killed = start(tmp_path / "x", "--jobs", "2", code=KILLED.format(syncs=syncs) + AUDIT)
    killed.communicate()
    assert killed.returncode == -signal.SIGKILL

    assert run(tmp_path / "x", "--jobs", "2") == made


@pytest.mark.slow
@pytest.mark.parametrize("syncs", [0, 2])
def test_killed_while_it_seals_it_goes_on_to_the_same_bytes(
    made: dict[str, bytes], tmp_path: Path, syncs: int
) -> None:
    """After the claim and the thirty files of the tasks, all of this one process, come the inputs and the manifest."""
    killed = start(tmp_path / "x", code=KILLED.format(syncs=31 + syncs) + AUDIT)
    killed.communicate()
    assert killed.returncode == -signal.SIGKILL
    assert not (tmp_path / "x" / "manifest.json").exists()

    assert run(tmp_path / "x") == made


def test_workers_end_with_the_process_that_started_them(tmp_path: Path) -> None:
    process = start(tmp_path / "x", "--jobs", "2", "--runs", "9")
    deadline = time.monotonic() + 60
    while not (workers := _children(process.pid)) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.kill()
    process.communicate()
    while any(map(_is_alive, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)

    assert workers and not any(map(_is_alive, workers))


def _children(process: int) -> list[int]:
    children = Path(f"/proc/{process}/task/{process}/children")
    if not children.exists():
        pytest.skip("this system does not list the children of a process")
    return [int(child) for child in children.read_text().split()]


def _is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # those of the cluster are not ours
def test_a_cluster_changes_no_byte(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="the extra dask is not installed")
    given = inputs(("no-advisor", "personalized-rule"), runs=2)
    rollout(given, tmp_path / "one")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, \
            dask_executor(cluster.scheduler_address) as executor:
        rollout(given, tmp_path / "many", executor=executor)

    assert files(tmp_path / "many") == files(tmp_path / "one")


@pytest.mark.filterwarnings("ignore")
def test_no_scheduler_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="the extra dask is not installed")
    monkeypatch.setattr("verifier.cluster.CONNECT_S", 1)

    with pytest.raises(ReplayError, match="no scheduler answers"), dask_executor("tcp://127.0.0.1:9"):
        pass
