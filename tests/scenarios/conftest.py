"""The shipped synthetic trace, loaded once."""

import pytest

from scenarios.load import SHIPPED
from scenarios.traces import Trace, load_trace


@pytest.fixture(scope="session")
def small() -> Trace:
    """Return the shipped trace of 120 sessions and 60 funds."""
    return load_trace(SHIPPED / "traces" / "small-1")
