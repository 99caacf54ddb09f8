"""Sealed runs to export: one whose texts come from somebody who wants to break the export."""

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

from scenarios.files import write_folder
from scenarios.freeze import answer_files, bank_files
from scenarios.load import Bank, load_answers, load_bank, shipped_contract
from scenarios.manifest import AnswersManifest, BankManifest, Plan
from scenarios.sealed import load_contract, seal_files
from scenarios.types import Answer, Client, Consultation, DailyContext, Scenario, SubScores, Turn
from tests.builders import a_scenario, an_instrument
from verifier.bank import sealed_run
from verifier.contract import Judge

HOSTILE = {
    "controls": "a\x00b\x07c\x1b[31mred\x7f\x85",
    "bidi": "pay \u202etpircs\u202c now \u2066x\u2069",
    "zero width": "gua\u200brantee\u200d\u2060d\ufeff",
    "look-alikes": "р\u0430yment ＝1+1 ﬁne",
    "markup": "<script>alert('x')</script></table><img src=x onerror=alert(1)>&amp;]]>",
    "formula": "=HYPERLINK(\"http://example.test\",\"x\")",
    "signs": "+1 -1 @SUM(A1) \t=1",
    "full-width": "　＝1+1",
    "excel escape": "_x000D_ and _x0041_",
    "emoji": "to the moon 🚀 👨‍👩‍👧 ❤️",
    "mixed": "我们建议减仓，稳一点。 Ребаланс بعد ذلك 日本語のリスク 리밸런싱 ∑ß€",
    "lone surrogates": "gua\ud800ran\udfff\ud83dtee",
    "escape itself": r"this is \u202e in letters and \U000e0041",
    "lines": "one\r\ntwo\rthree\u2028four\x0bfive\n\n\nsix",
}

NAMES = tuple(
    an_instrument(name, scores=SubScores(moat=Fraction(rank), compounding=Fraction(rank), valuation=Fraction(rank)))
    for rank, name in enumerate(("AAA", "BBB", "CCC"), 70)
)


def an_episode(name: str = "episode-1", **members: object) -> Scenario:
    """A consultation with two turns of the client that ask for a reply."""
    scenario = a_scenario(
        id=name, instruments=NAMES, client=Client(risk_profile="conservative", literacy="low"),
        consultation=Consultation(daily=DailyContext(env="range", nav_cents=20_000_000)),
        dialogue=(Turn(speaker="client", text="最近市场很震荡，我该怎么办？", reply=True),
                  Turn(speaker="advisor", text="(frozen)"), Turn(speaker="client", text="=1+1 \u202e?", reply=True)),
    )
    return scenario.model_copy(update=members)


def a_bank(folder: Path, scenarios: Iterable[Scenario]) -> Bank:
    files = bank_files({one.id: one for one in scenarios})
    manifest = BankManifest(id=folder.name, files=seal_files(files))
    write_folder(folder, {**files, "manifest.json": manifest.sealed_bytes()})
    return load_bank(folder)


def seal(folder: Path, bank: Bank, answers: list[Answer], **advisor: object) -> None:
    """Seal answers to all of a bank, planned up to the last run that has one."""
    about = {"format": "advisor/1", "id": folder.name, "name": folder.name, "kind": "test", "description": ""}
    files = answer_files({**about, **advisor}, answers)
    plan = Plan(scenarios=tuple(bank.scenarios), runs=max(one.run for one in answers))
    manifest = AnswersManifest(id=folder.name, bank=bank.reference, plan=plan, files=seal_files(files))
    write_folder(folder, {**files, "manifest.json": manifest.sealed_bytes()})


def a_run(folder: Path, bank: Bank, *advisors: str, contract: Path | None = None) -> Path:
    """Judge the answers of these folders, by the contract that ships unless another is given, and write the run."""
    judge = Judge(load_contract(contract or shipped_contract()))
    loaded = [load_answers(folder / name, bank) for name in advisors]
    write_folder(folder / "run", sealed_run(judge, bank, loaded, "tolerant-1")[2])
    return folder / "run"


def a_hostile_run(folder: Path) -> Path:
    """A run of one advisor that says each hostile text in a plain answer and in both turns of an episode."""
    plain = a_scenario(id="plain-1", instruments=NAMES, category="=cmd|' /C calc'!A0")
    bank = a_bank(folder / "bank", [an_episode(), plain])
    answers = [
        answer for run, text in enumerate([*HOSTILE.values(), "long " * 200_000], 1)
        for answer in (
            Answer(scenario="plain-1", run=run, text=text, model=text[:50]),
            *(Answer(scenario="episode-1", run=run, turn=turn, text=text) for turn in (1, 3)),
        )
    ]
    seal(folder / "hostile", bank, answers, name="=1+1", description=HOSTILE["markup"] + HOSTILE["bidi"])
    return a_run(folder, bank, "hostile")
