"""A small sealed rollout to export: three investors, two runs."""

import json
import shutil
from pathlib import Path
from typing import Any

from replay.environments.fund_advice.population import DEFAULT
from scenarios.load import SHIPPED
from scenarios.rollouts import RolloutConfig
from verifier.rollouts import known_advisors, rollout
from verifier.tasks import Inputs

THREE = ("conservative-low-small", "balanced-medium-mid", "aggressive-high-large")


CONDUCT = SHIPPED / "contracts" / "conduct-1.json"


def a_rollout(folder: Path, *advisors: str, contract: Path = CONDUCT, **members: Any) -> Path:
    """Run and seal a rollout on the shipped trace until the end of March."""
    config = RolloutConfig(**{"seed": 7, "investors": THREE, "end": "2021-03-31", "runs": 2, **members})
    inputs = Inputs(
        SHIPPED / "traces" / "small-1", SHIPPED / "configs" / "theta-2.json", DEFAULT,
        contract, config, known_advisors(advisors),
    )
    rollout(inputs, folder)
    return folder


def copy_of(folder: Path, target: Path) -> Path:
    shutil.copytree(folder, target)
    return target


def lines(folder: Path, task: str, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "tasks" / task / f"{name}.jsonl").read_bytes().splitlines()]
