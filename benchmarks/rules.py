"""The nine rules with typed findings, one action at a time: against cedarpy in batch and one fused function."""

import importlib
import json
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.timing import Result, compare
from benchmarks.workload import (
    CODES,
    FLOOR,
    THEME_OF,
    TRANCHE,
    Asked,
    Plain,
    as_scenarios,
    fused_mask,
    make_actions,
    make_plain,
    mask_of,
    nine_rules,
)

SCENARIOS, ACTIONS = 120, 600

POLICIES = """
@id("permitted") permit(principal, action, resource);
forbid(principal, action, resource) unless { resource.universe.containsAll(context.names) };
forbid(principal, action, resource) when { context.count > resource.cap };
forbid(principal, action, resource) when { resource.addOnly && resource.held.containsAny(context.names) };
forbid(principal, action, resource) when { context.total > resource.cash };
forbid(principal, action, resource) when { context.smallest < resource.floor };
forbid(principal, action, resource) when { context.started > context.startedByOne };
forbid(principal, action, resource) when { context.largestName * 10 * resource.names > context.whole * 13 };
forbid(principal, action, resource) when { context.largestTheme * 5 > context.whole };
forbid(principal, action, resource) unless { resource.facts.containsAll(context.facts) };
"""
"""The rules in the order of `CODES`. Cedar has no sums, so the host hands in totals and extremes."""


def request(plain: Sequence[Plain], asked: Asked) -> dict[str, Any]:
    """Return the authorization request of an action, with what Cedar cannot compute."""
    scenario = plain[asked.scenario]
    total = started = 0
    bought: dict[str, int] = {}
    for name, cents in asked.legs:
        total += cents
        started += -(-cents // TRANCHE)
        bought[name] = bought.get(name, 0) + cents
    by_theme: dict[int, int] = {}
    for name, cents in bought.items():
        by_theme[THEME_OF[name]] = by_theme.get(THEME_OF[name], 0) + cents
    return {
        "principal": 'Advisor::"a"', "action": 'Action::"deploy"', "resource": f'Scenario::"{asked.scenario}"',
        "context": {
            "names": list(bought), "count": len(bought), "total": total, "facts": asked.facts,
            "smallest": min(cents for _, cents in asked.legs), "started": started,
            "startedByOne": -(-total // TRANCHE), "whole": scenario.total + total,
            "largestName": max(scenario.held.get(name, 0) + cents for name, cents in bought.items()),
            "largestTheme": max(scenario.theme_value[theme] + cents for theme, cents in by_theme.items()),
        },
    }


def cedar_batch(plain: Sequence[Plain], actions: Sequence[Asked]) -> Callable[[], list[int]]:
    """Return a function that decides all actions through cedarpy and gives their masks.

    Raises:
        ImportError: cedarpy is not installed.
    """
    cedarpy: Any = importlib.import_module("cedarpy")
    entities = [
        {"uid": {"type": "Scenario", "id": str(index)}, "parents": [], "attrs": {
            "universe": sorted(one.universe), "held": sorted(one.held), "cap": one.cap, "addOnly": one.add_only,
            "cash": one.cash, "floor": FLOOR, "names": one.names, "facts": sorted(one.facts)}}
        for index, one in enumerate(plain)
    ]
    entities += [{"uid": {"type": kind, "id": name}, "parents": [], "attrs": {}}
                 for kind, name in (("Advisor", "a"), ("Action", "deploy"))]
    policies, known = cedarpy.PolicySet.from_str(POLICIES), cedarpy.Entities.from_json_str(json.dumps(entities))

    def mask(answer: Any) -> int:
        """Reasons come back as policy0, policy1, ...; policy0 is the permit."""
        return 0 if answer.allowed else sum(1 << int(reason[6:]) - 1 for reason in answer.diagnostics.reasons)

    def decide() -> list[int]:
        requests = [request(plain, asked) for asked in actions]
        return [mask(answer) for answer in cedarpy.is_authorized_batch(requests, policies, known)]

    return decide


def run() -> list[Result]:
    """Measure the contract's verdict."""
    plain = make_plain(SCENARIOS)
    actions = make_actions(plain, ACTIONS)
    judge = nine_rules()
    bounds = [judge.bind(scenario) for scenario in as_scenarios(plain)]
    typed = [(bounds[asked.scenario], asked.typed()) for asked in actions]
    expected = [fused_mask(plain[asked.scenario], asked.legs, asked.facts) for asked in actions]
    assert [mask_of(bound.decide(action)[1]) for bound, action in typed] == expected

    def ours() -> None:
        for bound, action in typed:
            bound.decide(action)

    def fused() -> None:
        for asked in actions:
            fused_mask(plain[asked.scenario], asked.legs, asked.facts)

    findings = sum(len(bound.decide(action)[2]) for bound, action in typed) / ACTIONS
    ratio, base, mine = compare((fused, ACTIONS), (ours, ACTIONS))
    note = f"{mine * 1e6:.1f} us with {findings:.1f} findings, fused {base * 1e6:.1f} us; {ACTIONS} masks equal"
    results = [Result("rules", "nine rules with findings / fused function", ratio, 0.35, at_least=True, note=note)]
    what = "nine rules with findings / cedarpy in batch"
    try:
        cedar = cedar_batch(plain, actions)
    except ImportError:
        return [*results, Result("rules", what, 0, 5.0, at_least=True, skipped="cedarpy is not installed")]
    assert cedar() == expected
    ratio, base, mine = compare((cedar, ACTIONS), (ours, ACTIONS))
    note = f"{mine * 1e6:.1f} us, cedarpy {base * 1e6:.1f} us; {len(CODES)} rules, {ACTIONS} masks equal"
    return [*results, Result("rules", what, ratio, 5.0, at_least=True, note=note)]
