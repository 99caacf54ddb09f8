"""The sample exports: `python -m verifier.exports.samples [RUN]` writes docs/samples again.

docs/samples/run is a sealed run, and beside it stands every export of it. With RUN, that run is copied there first.
"""

import shutil
import sys
from pathlib import Path

from scenarios.files import write_file
from verifier.exports.formats import FORMATS, writers
from verifier.exports.review import load_review

SAMPLES = Path(__file__).parents[2] / "docs" / "samples"


def sample_files(run: Path) -> dict[str, bytes]:
    """Return every export of a run by file name."""
    review = load_review(run)
    return {name: data for write in writers(FORMATS) for name, data in write(review).items()}


def write_samples(run: Path | None = None) -> None:
    """Write every sample, of the run that is given or of the one that stands there."""
    if run is not None:
        shutil.rmtree(SAMPLES, ignore_errors=True)
        shutil.copytree(run, SAMPLES / "run")
    for name, data in sample_files(SAMPLES / "run").items():
        write_file(SAMPLES / name, data)


if __name__ == "__main__":
    write_samples(*map(Path, sys.argv[1:2]))
