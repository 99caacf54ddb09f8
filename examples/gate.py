"""What the gate changed: messages withheld, and investors' sessions that went otherwise than in the open run.

Two rollouts of the same options are compared, one with --gate and one without:

    python examples/gate.py runs/open runs/gated
"""

import json
import sys
from pathlib import Path
from typing import Any


def lines(path: Path) -> list[dict[str, Any]]:
    """Return the records of a file of a task."""
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def course(task: Path) -> list[tuple[int, int]]:
    """Return what was done in each investor's session, and the NAV after it in 1e-8 yuan."""
    return [(day["a"], day["n"]) for day in lines(task / "days.jsonl") if "a" in day]  # the others are checkpoints


def main(left: str, right: str) -> None:
    """Print one line for each advisor and run that both rollouts hold."""
    print("Advisor            Run  Said  Withheld  Sessions  Other action  Other NAV")
    for task in sorted(Path(right, "tasks").glob("*/*")):
        name, run = task.parts[-2:]
        turns = [turn for talk in lines(task / "episodes.jsonl") for turn in talk["turns"]]
        withheld = sum(turn.get("withheld", False) for turn in turns)
        said = sum(bool(answer["text"]) for answer in lines(task / "answers.jsonl"))
        pairs = list(zip(course(Path(left, "tasks", name, run)), course(task), strict=True))
        actions, worth = (sum(one[part] != other[part] for one, other in pairs) for part in (0, 1))
        print(f"{name:17}  {run:>3}  {said:4}  {withheld:8}  {len(pairs):8}  {actions:12}  {worth:9}")


main(*sys.argv[1:])
