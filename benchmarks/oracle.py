"""The deployment bound at 17 names: the closed form against the same program in PuLP with CBC."""

import random
from typing import Any, NamedTuple

import pulp

from benchmarks.timing import Result, compare
from scenarios.baseline.deployment import deployment_bound

NAMES, THEMES, INSTANCES, MANY = 17, 4, 5, 400


class Instance(NamedTuple):
    """Arguments of the program, in cents."""

    cash: int
    floor: int
    headrooms: list[int]
    themes: list[str]
    rooms: dict[str | None, int]


def make(rng: random.Random) -> Instance:
    """Return an instance in the planner's range: 250 to 5,000 in cash, a floor of 250."""
    themes = [f"T{index}" for index in range(THEMES)]
    return Instance(
        rng.randrange(25_000, 500_001), 25_000, [rng.randrange(5_000, 300_000) for _ in range(NAMES)],
        [rng.choice(themes) for _ in range(NAMES)], {name: rng.randrange(50_000, 400_000) for name in themes},
    )


def program(one: Instance) -> float:
    """Return the optimum by PuLP and CBC, in cents."""
    model: Any = pulp.LpProblem("deployment", pulp.LpMaximize)
    amounts = [pulp.LpVariable(f"x{index}", 0, room) for index, room in enumerate(one.headrooms)]
    placed = [pulp.LpVariable(f"z{index}", cat="Binary") for index in range(NAMES)]
    model += pulp.lpSum(amounts)
    model += pulp.lpSum(amounts) <= one.cash
    for amount, flag, room in zip(amounts, placed, one.headrooms, strict=True):
        model += amount >= one.floor * flag
        model += amount <= room * flag
    for theme, room in one.rooms.items():
        model += pulp.lpSum(amount for amount, name in zip(amounts, one.themes, strict=True) if name == theme) <= room
    model.solve(pulp.PULP_CBC_CMD(msg=0, gapRel=0))
    return float(pulp.value(model.objective))


def run() -> list[Result]:
    """Measure both on the same instances."""
    rng = random.Random(17)
    instances = [make(rng) for _ in range(INSTANCES)]
    for one in instances:
        assert abs(program(one) - deployment_bound(*one)) < 0.5

    def cbc() -> None:
        for one in instances:
            program(one)

    def ours() -> None:
        for _ in range(MANY):
            for one in instances:
                deployment_bound(*one)

    ratio, base, mine = compare((cbc, INSTANCES), (ours, INSTANCES * MANY))
    note = f"{mine * 1e6:.1f} us, CBC {base * 1e3:.1f} ms; {INSTANCES} instances equal to half a cent"
    return [Result("oracle", "closed form / PuLP with CBC, 17 names", ratio, 200.0, at_least=True, note=note)]
