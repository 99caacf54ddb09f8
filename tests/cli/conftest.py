"""The command as a user calls it, in process: arguments in; exit code, output and errors out."""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from verifier.cli import main


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


Audit = Callable[..., Outcome]


@pytest.fixture
def audit(capsys: pytest.CaptureFixture[str]) -> Audit:
    """Call `audit` with these arguments; a traceback is a failure of the test."""

    def call(*args: object) -> Outcome:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main([str(arg) for arg in args])
        out, err = capsys.readouterr()
        code = ended.value.code
        assert isinstance(code, int)
        assert "Traceback" not in out + err
        return Outcome(code, out, err)

    return call
