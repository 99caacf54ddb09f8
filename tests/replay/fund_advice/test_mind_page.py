"""docs/mind.md says what the code does."""

from replay.environments.fund_advice.mind import Mind
from replay.environments.fund_advice.mind_page import PAGE, fill
from replay.environments.fund_advice.theta import load_theta
from replay.environments.fund_advice.updates import VARIABLES
from scenarios.theta import PARAMETERS, SIGNALS, SWITCHES
from tests.replay.fund_advice.markets import an_investor

TEXT = PAGE.read_text(encoding="utf-8")


def test_the_tables_are_fresh() -> None:
    stale = "docs/mind.md is stale; run: python -m replay.environments.fund_advice.mind_page"

    assert fill(TEXT, load_theta()) == TEXT, stale


def test_every_variable_component_and_parameter_has_one_row() -> None:
    names = [one.name for one in VARIABLES]

    assert names == list(Mind(load_theta(), [an_investor()]).state())
    for name in (*names, *SIGNALS, *SWITCHES, *PARAMETERS):
        assert TEXT.count(f"\n| `{name}` |") == 1, name


def test_variables_start_where_the_page_says() -> None:
    theta = load_theta()
    for column, profile in enumerate(("conservative", "balanced", "aggressive")):
        for name, values in Mind(theta, [an_investor(profile=profile)]).state().items():
            row = next(line for line in TEXT.splitlines() if line.startswith(f"| `{name}` |"))
            assert row.split(" | ")[3].split(" / ")[column] == f"{int(values[0]):,}"
