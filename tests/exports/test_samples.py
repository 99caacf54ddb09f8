"""The sample exports are what this release writes."""

import pytest

from verifier.cli.export import command
from verifier.exports.formats import FORMATS
from verifier.exports.samples import SAMPLES, sample_files


def test_the_command_offers_every_format() -> None:
    (option,) = [one for one in command.params if one.name == "formats"]

    assert set(option.type.choices) == {*FORMATS, "certificate"}  # type: ignore[attr-defined]


@pytest.mark.skipif(not SAMPLES.exists(), reason="no samples yet; python -m verifier.exports.samples makes them")
def test_samples_are_fresh() -> None:
    fresh = sample_files(SAMPLES / "run")

    assert {path.name for path in SAMPLES.iterdir()} == {*fresh, "run"}
    for name, data in fresh.items():
        stored = (SAMPLES / name).read_bytes()
        assert stored == data, f"docs/samples/{name} is stale; run: python -m verifier.exports.samples"
