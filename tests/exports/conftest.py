"""Reviews that several export tests read; a review is immutable, so one of each serves all."""

from pathlib import Path

import pytest

from tests.exports.runs import a_hostile_run
from tests.runs import a_small_run
from verifier.exports.review import Review, load_review


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return a_small_run(tmp_path_factory.mktemp("review"))


@pytest.fixture(scope="session")
def review(run: Path) -> Review:
    return load_review(run)


@pytest.fixture(scope="session")
def hostile_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return a_hostile_run(tmp_path_factory.mktemp("hostile"))


@pytest.fixture(scope="session")
def hostile(hostile_run: Path) -> Review:
    return load_review(hostile_run)
