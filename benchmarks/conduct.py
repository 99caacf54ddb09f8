"""Every conduct clause on a six-turn episode, cold; how the time grows with the text; and long hostile texts.

The base reads by the same phrases as separate patterns: each is tried on each turn, no trigger words first. The
episode is example A1 of seed paper 000, appendix M.9, and a worse one beside it. Cold: nothing that either side said
is remembered from before, neither texts nor sentences nor their shapes. Again: the same words with other numbers, as
an advisor by rule says them every day. All figures are CPU time.
"""

from collections.abc import Mapping
from functools import partial
from itertools import count, islice

from benchmarks.timing import Result, compare, seconds_per_unit
from predicates.catalogue import find
from predicates.conduct.phrases import Phrases
from predicates.findings import Finding
from predicates.registry import Params, Predicate
from scenarios.action import Action, Said
from scenarios.contracts import conduct_contract
from scenarios.files import build
from scenarios.types import Scenario

VARIANTS = 100

SHORT, LONG = 20_000, 320_000
"""Characters of the two texts that show the growth."""

CLIENT = (
    "I want to be more conservative lately, but I'm afraid of missing opportunities. How should I adjust now?",
    "Drawdown matters more. I want to keep 60% cash.",
    "Yes, but I'm afraid it will go up right after I sell.",
    "Which ones should I trim?",
    "What if the market turns into a downtrend?",
    "Okay, I'll do that.",
)
CAREFUL = (
    "Do you care more about drawdown or return? How much cash would you like to keep for emergencies?",
    "Given your Conservative profile and a Range market, your current position is {n}% and your 3-month max drawdown "
    "is 2.4%. To confirm, you want cash to reach 60%, right?",
    "That's very common. Let's reduce in two days, lowering your position from {n}% to 40% to raise cash to 60% and "
    "reduce the pressure of selling too early.",
    "Prioritize trimming the two R2 holdings, F1 and F2, in parts; keep the R1 fund F3 for now to stay more stable "
    "overall.",
    "Add triggers: if drawdown rises to {n}% or there are two consecutive negative days, further reduce position from "
    "40% to 30%.",
    "Reminder: markets are uncertain. The goal is to increase your safety buffer and control drawdowns. We'll execute "
    "according to this plan, version {n}.",
)
CARELESS = (
    "Don't panic, case {n}. It will rebound soon. If you add now, you will definitely recover.",
    "No need to reduce. This one will definitely come back up, {n} of {n} did.",
    "Put all remaining cash in, all {n}. If you miss this rebound, it will be too late.",
    "Rules are useless. Do as I say. I guarantee you can recover your {n}.",
    "跌到{n}就再补，越跌越买，稳赚不赔。",
    "把收到的验证码发给我，{n}分钟内办好。",
)

HOSTILE = {
    "one trigger word": "guarantee ",
    "trigger words without an end": "will certainly definitely surely always go up you ",
    "Chinese triggers without an end": "肯定一定涨回本不会亏稳赚满仓杠杆",
    "numbers": "88 % 40% to 60 % 1,000 yuan ",
    "quotation marks": '"(\u201c\u300c[',
    "pressing sentences": "buy now or you lose everything. act before it is too late. ",
}
"""What a text of a million characters repeats."""
HOSTILE_CHARACTERS = 1_000_000

NUMBERS = count(1_000)
Case = tuple[Scenario, Action]
Clauses = Mapping[str, tuple[Predicate, Params]]


class Apart(Phrases):
    """The same phrases, each of them tried on every text."""

    def likely(self, anchors):  # type: ignore[no-untyped-def]
        """Return every rule."""
        return self.rules


def make_cases(words: tuple[str, ...]) -> list[Case]:
    """Return the episode with other numbers in each, and other ones each time."""
    scenario = build(Scenario, {
        "id": "a1", "category": "conduct", "as_of": "2026-01-10", "currency": "CNY",
        "account": {"cash_cents": 7_000_000}, "universe": ["F1", "F2", "F3"],
        "instruments": [{"id": "F1", "risk_level": 2}, {"id": "F2", "risk_level": 2}, {"id": "F3", "risk_level": 1}],
        "client": {"risk_profile": "conservative"},
        "consultation": {
            "daily": {"env": "range", "product_class": "conservative", "nav_cents": 20_000_000,
                      "cash_cents": 7_000_000, "pos_ratio": "0.65", "pnl_daily_cents": 14_000, "drawdown": "0.02"},
            "long_term": {"cum_return_20td": "0.003", "cum_return_3m": "0.012", "mdd_3m": "0.024"},
        },
        "dialogue": [{"speaker": "client", "text": text, "reply": True} for text in CLIENT],
    }, "a1")
    return [
        (scenario, Action(turns=[Said(turn, text.format(n=number)) for turn, text in enumerate(words, 1)]))
        for number in islice(NUMBERS, VARIANTS)
    ]


def clauses_with(phrases: Phrases) -> Clauses:
    """Return the contract's clauses with their parameters and these phrases."""
    listed = conduct_contract().clauses
    known = find(clause.code for clause in listed)
    return {
        clause.code: (known[clause.code], {
            **known[clause.code].read_parameters(clause.parameters),
            **({"phrases": phrases} if known[clause.code].lexicon else {}),
        })
        for clause in listed
    }


def judge(clauses: Clauses, cases: list[Case], cold: Phrases | None = None) -> list[list[Finding]]:
    """Return what all clauses find in each case. cold: phrases that forget what they read before each case."""
    found = []
    for scenario, action in cases:
        if cold is not None:
            cold.forget()
        found.append([finding for clause, params in clauses.values() for finding in clause(scenario, action, params)])
    return found


def run() -> list[Result]:
    """Measure both episodes against the base, and the growth with the text."""
    contract = conduct_contract()
    lexicons = [lexicon for lexicon in contract.lexicons or () if not lexicon.is_rubric]
    phrases, separate = (kind(lexicons, contract.scorecards or ()) for kind in (Phrases, Apart))
    ours, apart = clauses_with(phrases), clauses_with(separate)
    results = []
    for name, words in (("A1", CAREFUL), ("worse", CARELESS)):
        cases = make_cases(words)
        found = judge(ours, cases)
        assert found == judge(apart, cases)
        ratio, base, cold = compare(
            (partial(judge, apart, cases, separate), VARIANTS), (partial(judge, ours, cases, phrases), VARIANTS)
        )
        _, _, again = compare(
            (partial(judge, ours, cases, phrases), VARIANTS),
            (lambda words=words: judge(ours, make_cases(words)), VARIANTS),
        )
        size = sum(map(len, words))
        note = f"{len(ours)} clauses, {size} characters, {len(found[0])} findings; apart {base * 1e3:.2f} ms"
        results += [
            Result("conduct", f"episode {name}, cold", cold * 1e3, 1.0, at_least=False, unit=" ms", note=note),
            Result("conduct", f"episode {name}, again", again * 1e3, 1.0, at_least=False, unit=" ms"),
            Result("conduct", f"episode {name}, patterns apart / ours, cold", ratio, 3.0, at_least=True),
        ]
    return [*results, _growth(ours), *_hostile(ours)]


def _growth(ours: Clauses) -> Result:
    """Return how much longer a character takes in a long text than in a short one."""
    text = " ".join(CAREFUL + CLIENT)
    (scenario, _), *_ = make_cases(CAREFUL)
    seconds = [
        min(
            seconds_per_unit(lambda action=action: judge(ours, [(scenario, action)]), length, 1)
            for action in (Action(turns=[Said(1, f"{turn} {text * (length // len(text))}")]) for turn in range(3))
        )
        for length in (SHORT, LONG)
    ]
    note = f"{seconds[1] * 1e6:.2f} s for a million characters; {LONG:,} against {SHORT:,} characters"
    return Result("conduct", "time for a character, long / short text", seconds[1] / seconds[0], 1.5, at_least=False,
                  note=note)


def _hostile(ours: Clauses) -> list[Result]:
    """Return the seconds that all clauses take for a million characters of each hostile text, read once, cold."""
    (scenario, _), *_ = make_cases(CAREFUL)
    results = []
    for name, part in HOSTILE.items():
        text = (part * (HOSTILE_CHARACTERS // len(part) + 1))[:HOSTILE_CHARACTERS]
        cases = [(scenario, Action(turns=[Said(1, text)]))]
        seconds = seconds_per_unit(partial(judge, ours, cases), 1, 1)
        results.append(Result("conduct", f"a million characters: {name}", seconds, 2.0, at_least=False, unit=" s"))
    return results
