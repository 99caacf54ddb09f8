"""The tables of docs/mind.md, made from the code and from θ, so that the page cannot say anything else.

Regenerate with `python -m replay.environments.fund_advice.mind_page`; a test compares.
"""

from collections.abc import Sequence
from pathlib import Path

from replay.environments.fund_advice.theta import load_theta
from replay.environments.fund_advice.updates import VARIABLES
from scenarios.manifest import Theta
from scenarios.theta import AGENTS, SIGNALS, Role

END = "<!-- end -->"
PAGE = Path(__file__).parents[3].joinpath("docs", "mind.md")


def fill(page: str, theta: Theta) -> str:
    """Return the page with its tables made anew; a place is marked by two comments, which stay."""
    for name, table in (("state", _state(theta)), ("roles", _roles(theta)), ("parameters", _parameters(theta))):
        before, mark, rest = page.partition(f"<!-- {name}")
        comment, _, rest = rest.partition("\n")
        page = f"{before}{mark}{comment}\n{table}{END}{rest.partition(END)[2]}"
    return page


def _state(theta: Theta) -> str:
    rows = []
    for one in VARIABLES:
        shared = one.name.partition("_")[0]
        start = theta.starts[shared if shared in ("affect", "belief") else one.name]  # type: ignore[index]
        rows.append((f"`{one.name}`", "1/10,000", f"{one.low:,} to 10,000".replace("-", "−"),
                     " / ".join(f"{value:,}" for value in start), one.updated, one.used, one.ablated_by or "–"))
    return _table(("name", "unit", "range", "start", "update", "used for", "ablated by"), rows)


def _roles(theta: Theta) -> str:
    rows = []
    for name in SIGNALS:
        rows.append((f"`{name}`", *(_cell(getattr(theta.roles, agent), name) for agent in AGENTS)))
    odds = tuple(" / ".join(f"{one:,}" for one in getattr(theta.roles, agent).odds) for agent in AGENTS)
    lean = tuple(f"{getattr(theta.roles, agent).leaning:+,}" for agent in AGENTS)
    doubts = tuple(", ".join(f"{name} {value:,}" for name, value in getattr(theta.roles, agent).doubt.items())
                   for agent in AGENTS)
    felt = tuple(", ".join(f"{name} {value:+,}" for name, value in getattr(theta.roles, agent).felt.items())
                 for agent in AGENTS)
    head = "Share seen of a rise / of a fall, and the pull to buy of all of it, in 1/10,000; a dash is not seen.\n\n"
    return head + _table(("signal", *AGENTS), [
        *rows, ("pull to ask of what is seen", *doubts), ("leaning of its trait", *lean),
        ("odds of BUY / SELL / HOLD / CONSULT", *odds), ("what it feels about a day", *felt),
    ])


def _cell(role: Role, name: str) -> str:
    rise, fall = role.rises.get(name, 0), role.falls.get(name, 0)  # type: ignore[call-overload]
    if not rise and not fall:
        return "–"
    return f"{rise:,} / {fall:,}: {role.drive.get(name, 0):+,}"  # type: ignore[call-overload]


def _parameters(theta: Theta) -> str:
    return _table(("parameter", "value", "range", "step"), [
        (f"`{name}`", f"{one.value:,}", f"{one.low:,} to {one.high:,}", f"{one.step:,}")
        for name, one in theta.parameters.items()
    ])


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    first, *rest = (f"| {' | '.join(cells)} |\n" for cells in (head, *rows))
    return first + "|---" * len(head) + "|\n" + "".join(rest)


if __name__ == "__main__":
    PAGE.write_text(fill(PAGE.read_text(encoding="utf-8"), load_theta()), encoding="utf-8")
