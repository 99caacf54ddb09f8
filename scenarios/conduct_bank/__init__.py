"""The builder of the bank conduct-1: episodes with a client's turns, and three scripted advisors that answer them.

`episodes.toml` holds the words and their labels, `contexts.toml` the frozen contexts of the paper's examples; other
contexts are those of manifests/redlines-1. `python -m scenarios.conduct_bank` writes the bank, the answers and the
labels below manifests/, and the bank of `edges`. What stands in the bank and why is in docs/conduct-bank.md.
"""

import sys
import tomllib
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from scenarios.bank import seal_bank as seal_scenarios
from scenarios.canonical import canonical_bytes
from scenarios.conduct_bank.edges import EDGES, SPEAKER, seal_edge_answers, seal_edges
from scenarios.conduct_bank.scripted import seal_script
from scenarios.files import write_folder
from scenarios.load import SHIPPED, load_scenario
from scenarios.manifest import MANIFEST_NAME, BankManifest, Reference
from scenarios.sealed import join_lines
from scenarios.types import (
    Account,
    Answer,
    Client,
    Consultation,
    DailyContext,
    Holding,
    Instrument,
    LongTermContext,
    Position,
    Scenario,
    Turn,
)

BANK = "conduct-1"
ADVISORS = {
    "careful": "names facts, sizes, paces and triggers, and meets what the client feels",
    "careless": "stays vague, or states what the frozen context does not say",
    "reckless": "promises, urges, makes up, presses and asks for codes, in hostile spellings too",
}
"""The scripted advisors, with what each does."""

Episode = Mapping[str, Any]


def read_episodes() -> tuple[Episode, ...]:
    """Return the episodes of the source, in its order."""
    return tuple(_source("episodes")["episode"])


def build_bank() -> list[Scenario]:
    """Return the scenarios of the bank, in order of id."""
    papers = {name: _paper_context(name, stated) for name, stated in _source("contexts").items()}
    built = []
    for episode in read_episodes():
        name = episode["context"]
        context = papers[name] if name in papers else load_scenario(SHIPPED / "redlines-1/contexts" / f"{name}.json")
        asked = _replies(episode)
        dialogue = tuple(
            Turn(speaker="client", text=text, reply=number in asked) for number, text in enumerate(episode["client"], 1)
        )
        built.append(context.model_copy(update={
            "id": episode["id"], "category": episode["category"], "dialogue": dialogue}))
    return sorted(built, key=lambda one: one.id)


def seal_bank() -> dict[str, bytes]:
    """Return the files of the sealed bank by relative path."""
    return seal_scenarios(BANK, build_bank())


def seal_answers(advisor: str, bank: Reference) -> dict[str, bytes]:
    """Return the files of one scripted advisor's sealed answers by relative path."""
    answers = (
        Answer(scenario=episode["id"], run=1, turn=turn, text=text)
        for episode in read_episodes() if advisor in episode
        for turn, text in zip(_replies(episode), episode[advisor], strict=True)
    )
    return seal_script(advisor, ADVISORS[advisor], answers, bank)


def label_lines() -> bytes:
    """Return the labels, one line for each advisor and episode, as `audit judge --labels` reads them."""
    lines = []
    for episode in sorted(read_episodes(), key=lambda one: one["id"]):
        for advisor in ADVISORS:
            scores = dict(zip(("compliance", "accuracy", "personalization"), episode.get(f"{advisor}_scores", ()),
                              strict=False))
            scores |= {side: episode[side] for side in ("logic", "realism") if side in episode}
            if advisor in episode and scores:
                lines.append(canonical_bytes({"advisor": advisor, "scenario": episode["id"], "run": 1, **scores}))
    return join_lines(lines)


def _source(name: str) -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / f"{name}.toml").read_text(encoding="utf-8"))


def _replies(episode: Episode) -> list[int]:
    asked: list[int] = episode.get("replies", list(range(1, len(episode["client"]) + 1)))
    return asked


def _paper_context(name: str, stated: Mapping[str, Any]) -> Scenario:
    """Return a context of the paper: amounts are stated in yuan, ratios as decimal strings."""
    day, listed = stated["day"], list(_holdings(stated["holdings"]))
    instruments = tuple(
        Instrument(id=holding.instrument, risk_level=level, price_cents=100) for holding, level in listed)
    daily = DailyContext(
        env=day["env"], product_class=day["class"], nav_cents=100 * day["nav"], cash_cents=100 * day["cash"],
        pos_ratio=Fraction(day["pos"]), pnl_daily=_optional(day.get("pnl")),
        pnl_daily_cents=None if "pnl_yuan" not in day else 100 * day["pnl_yuan"],
        drawdown=_optional(day.get("drawdown")), holdings=tuple(holding for holding, _ in listed),
    )
    long_term = LongTermContext(**{member: Fraction(value) for member, value in stated["long_term"].items()})
    return Scenario(
        id=name, category="calibration", as_of="2026-01-10", currency="CNY",
        account=Account(
            cash_cents=100 * day["cash"],
            positions=tuple(
                Position(instrument=holding.instrument, quantity=Fraction(holding.value_cents, 100),
                         available=Fraction(holding.value_cents, 100), value_cents=holding.value_cents)
                for holding, _ in listed
            ),
        ),
        instruments=instruments, universe=tuple(one.id for one in instruments),
        client=Client(risk_profile=stated["profile"]), consultation=Consultation(daily=daily, long_term=long_term),
    )


def _holdings(rows: list[list[Any]]) -> Iterator[tuple[Holding, int]]:
    """Yield each holding with its risk level, of rows [id, level, value in yuan, return of the day?, in all?]."""
    for name, level, yuan, *returns in rows:
        pnl_1d, pnl_total = (*map(Fraction, returns), None, None)[:2]
        yield Holding(instrument=name, value_cents=100 * yuan, pnl_1d=pnl_1d, pnl_total=pnl_total), level


def _optional(text: str | None) -> Fraction | None:
    return None if text is None else Fraction(text)


def main() -> None:
    """Write banks, answers and labels below the folder named on the command line, by default manifests/."""
    manifests = Path(sys.argv[1] if len(sys.argv) > 1 else "manifests")
    files = seal_bank()
    write_folder(manifests / BANK, files)
    bank = Reference(id=BANK, digest=BankManifest.model_validate_json(files[MANIFEST_NAME]).compute_digest())
    for advisor in ADVISORS:
        write_folder(manifests / "answers" / BANK / advisor, seal_answers(advisor, bank))
    files = seal_edges()
    write_folder(manifests / EDGES, files)
    bank = Reference(id=EDGES, digest=BankManifest.model_validate_json(files[MANIFEST_NAME]).compute_digest())
    write_folder(manifests / "answers" / EDGES / SPEAKER, seal_edge_answers(bank))
    (manifests / "labels").mkdir(exist_ok=True)
    (manifests / "labels" / f"{BANK}.jsonl").write_bytes(label_lines())
