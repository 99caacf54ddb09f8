"""The published schemas: generated from the models, and true of everything that ships."""

import json
from pathlib import Path

import jsonschema
import pytest

from scenarios.load import SHIPPED
from scenarios.records import SCHEMAS, schema_text

DOCS = Path(__file__).parents[2] / "docs" / "schema"


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_stored_schema_is_what_the_models_say(name: str) -> None:
    stored = (DOCS / f"{name}.json").read_text(encoding="utf-8")

    assert stored == schema_text(name), "docs/schema is stale; run: python -m scenarios.records"


def test_no_other_schema_is_published() -> None:
    assert {path.stem for path in DOCS.glob("*")} == set(SCHEMAS)


def test_every_shipped_scenario_and_manifest_fits_its_schema() -> None:
    scenario = jsonschema.Draft202012Validator(json.loads(schema_text("scenario")))
    paths = sorted(SHIPPED.glob("*/scenarios/*.json"))
    assert len(paths) >= 120

    for path in paths:
        scenario.validate(json.loads(path.read_bytes()))
    manifests = [json.loads(path.read_bytes()) for path in SHIPPED.rglob("manifest.json")]
    assert {manifest["kind"] for manifest in manifests} >= {"bank", "answers", "labels"}
    for manifest in manifests:
        schema = json.loads(schema_text(f"{manifest['kind']}-manifest"))
        jsonschema.Draft202012Validator(schema).validate(manifest)


def test_every_shipped_answer_fits_its_schema() -> None:
    validator = jsonschema.Draft202012Validator(json.loads(schema_text("answer")))
    lines = [
        line for path in sorted(SHIPPED.glob("answers/*/*/answers.jsonl")) for line in path.read_bytes().splitlines()
    ]
    assert len(lines) >= 3000

    for line in lines[::25]:
        validator.validate(json.loads(line))


def test_a_float_does_not_fit() -> None:
    validator = jsonschema.Draft202012Validator(json.loads(schema_text("scenario")))
    record = json.loads(next(SHIPPED.glob("bank-1/scenarios/*.json")).read_bytes())
    assert validator.is_valid(record)
    record["account"]["cash_cents"] = 40.5

    assert not validator.is_valid(record)
