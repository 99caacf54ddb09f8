"""The same run gives the same bytes, whatever the process, the folder, the clock and the language around it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from verifier.exports.formats import FORMATS

ROOT = Path(__file__).parents[2]
WAYS = (
    {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C.UTF-8"},
    {"PYTHONHASHSEED": "4711", "TZ": "Asia/Shanghai", "LC_ALL": "C", "SOURCE_DATE_EPOCH": "1", "PYTHONUTF8": "0"},
)


def exported(run: Path, out: Path, where: Path, env: dict[str, str]) -> dict[str, bytes]:
    wanted = [part for name in FORMATS for part in ("--format", name)]
    subprocess.run(
        [sys.executable, "-m", "verifier", "export", os.path.relpath(run, where), *wanted, "--out", str(out)],
        check=True, cwd=where, env={**os.environ, "PYTHONPATH": str(ROOT), **env}, stdout=subprocess.DEVNULL,
    )
    return {path.name: path.read_bytes() for path in out.iterdir()}


@pytest.mark.parametrize("which", ["run", "hostile_run"])
def test_bytes_are_the_same_everywhere(which: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    run: Path = request.getfixturevalue(which)
    (tmp_path / "elsewhere").mkdir()
    first, second = (exported(run, tmp_path / str(index), where, env) for index, (where, env)
                     in enumerate(zip((ROOT, tmp_path / "elsewhere"), WAYS, strict=True)))

    assert set(first) == set(second)
    assert {name.partition(".")[2] for name in first} == set(FORMATS)
    for name, data in first.items():
        assert data == second[name], name
