"""One fund's rows as a path: splits are invisible, gaps are carried, and what cannot be explained is counted."""

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenarios.errors import ScenarioError
from scenarios.exact import decimal_text
from scenarios.trace_import.paths import Candidate, ReturnRule, read_candidate, return_rules
from scenarios.trace_import.tables import Row
from tests.scenarios.trace_import.tables import a_row, rows_of, wave, weekdays

DAYS = weekdays(60)
WAVE = wave(60)


def candidate(rows: list[Row], rule: ReturnRule = "nav", days: list[str] = DAYS) -> tuple[Candidate, Counter[str]]:
    """Return a fund of these rows over the calendar, and what was counted."""
    counts: Counter[str] = Counter()
    session_of = {day: session for session, day in enumerate(days)}
    return read_candidate("000001", rows, session_of, {row.source: rule for row in rows}, counts), counts


def path_of(navs: list[str | None], **members: Any) -> tuple[int, ...]:
    """Return the adjusted path of NAVs on the first days of the calendar."""
    days = DAYS[: len(navs)]
    return candidate(rows_of(navs, days, **members), days=days)[0].nav_e8


WALK = st.lists(st.integers(9_000, 11_000), min_size=3, max_size=30).map(lambda navs: [nav * 100 for nav in navs])


def yuan(nav_e6: int | Fraction) -> str:
    return decimal_text(Fraction(nav_e6) / 10**6)


@given(navs=WALK, data=st.data())
def test_a_split_leaves_the_path_as_it_was(navs: list[int], data: st.DataObject) -> None:
    """Whatever the factor and the day, the holder's path is that of the fund that did not split."""
    day = data.draw(st.integers(1, len(navs) - 1))
    factor = data.draw(st.sampled_from([Fraction(2), Fraction(5, 2), Fraction("0.01"), Fraction("1.25")]))
    days = DAYS[: len(navs)]
    whole = rows_of([yuan(nav) for nav in navs], days)
    split = rows_of([yuan(nav if at < day else nav / factor) for at, nav in enumerate(navs)], days)
    split[day] = split[day]._replace(event=f"每份基金份额分拆{decimal_text(factor)}份")

    assert candidate(split, days=days)[0].nav_e8 == candidate(whole, days=days)[0].nav_e8


@given(navs=WALK, seed=st.randoms(use_true_random=False))
def test_order_and_repetition_of_rows_change_nothing(navs: list[int], seed: Any) -> None:
    days = DAYS[: len(navs)]
    rows = rows_of([yuan(nav) for nav in navs], days)
    jumbled = [*rows, *seed.sample(rows, len(rows) // 2)]
    seed.shuffle(jumbled)

    found, counts = candidate(jumbled, days=days)
    assert found == candidate(rows, days=days)[0]
    assert counts["same row again"] == len(rows) // 2


@given(navs=WALK, data=st.data())
def test_a_gap_is_carried_and_the_next_return_spans_it(navs: list[int], data: st.DataObject) -> None:
    """Two steps in one: beside rounding, the path behind the gap is that of the fund without one."""
    navs = [*navs, *navs] * 4
    gap = data.draw(st.integers(1, len(navs) - 2))
    days = weekdays(len(navs))
    rows = rows_of([yuan(nav) for nav in navs], days)

    whole, _ = candidate(rows, days=days)
    found, _ = candidate([row for row in rows if row.date != days[gap]], days=days)
    if not found.complete:
        return  # one of fewer than fifty days is more than two percent
    assert found.carried == (gap,)
    assert found.nav_e8[gap] == found.nav_e8[gap - 1]
    assert gap in found.no_buy and gap in found.no_sell
    assert all(abs(a - b) <= 2 for at, (a, b) in enumerate(zip(found.nav_e8, whole.nav_e8, strict=True)) if at != gap)


def test_a_dividend_is_a_return() -> None:
    """1.00 pays 0.10 and stands at 0.90: nothing was lost, and the next 1 % counts on all of it."""
    rows = rows_of(["1", "0.9", "0.909"], DAYS[:3])
    rows[1] = rows[1]._replace(event="每份派现金0.1元")

    assert candidate(rows, days=DAYS[:3])[0].nav_e8 == (10**8, 10**8, 101_000_000)


@pytest.mark.parametrize(
    ("navs", "growth", "path"),
    [
        pytest.param(["1", "0.9"], ["0", "0"], (10**8, 10**8), id="a hidden dividend: growth counts"),
        pytest.param(["1", "1.01"], ["0", "0.0099"], (10**8, 100_990_000), id="both agree: growth still"),
        pytest.param(["1", "1.01"], ["0", None], (10**8, 101_000_000), id="no growth stated: the NAVs"),
    ],
)
def test_growth_is_compounded_where_events_are_hidden(
    navs: list[str], growth: list[str | None], path: tuple[int, ...]
) -> None:
    rows = [a_row(day, nav, growth=one) for day, nav, one in zip(DAYS[:2], navs, growth, strict=True)]

    found, counts = candidate(rows, "growth", DAYS[:2])
    assert (found.nav_e8, counts["no growth"]) == (path, growth[1] is None)


@pytest.mark.parametrize(
    ("nav", "growth", "path"),
    [
        pytest.param("1.02", "0.0181", 102_000_000, id="relative to the day off the calendar: the NAVs count"),
        pytest.param("1.02", "0.0200", 102_000_000, id="relative to the session before: the NAVs count"),
        pytest.param("0.97", "0.0200", 102_000_000, id="beside a hidden dividend: growth counts"),
    ],
)
def test_behind_a_day_off_the_calendar(nav: str, growth: str, path: int) -> None:
    """The return spans from session to session, whatever the growth rate is relative to."""
    rows = [a_row("2024-01-05", "1", growth="0"), a_row("2024-01-06", "1.0019", growth="0.0019"),
            a_row("2024-01-08", nav, growth=growth)]

    found, counts = candidate(rows, "growth", ["2024-01-05", "2024-01-08"])
    assert found.nav_e8 == (10**8, path)
    assert (found.apart, counts["off calendar"]) == (0, 1)


@pytest.mark.parametrize(("growth", "apart"), [("0.0460", 0), ("0.0530", 0), ("0.0100", 1)])
def test_behind_a_day_off_the_calendar_growth_may_be_relative_to_either_day(growth: str, apart: int) -> None:
    rows = [a_row("2024-01-05", "1"), a_row("2024-01-06", "1.0019"), a_row("2024-01-08", "1.05", growth=growth)]

    assert candidate(rows, "nav", ["2024-01-05", "2024-01-08"])[0].apart == apart


def test_an_event_off_the_calendar_moves_to_the_next_session() -> None:
    rows = [a_row("2024-01-05", "2"), a_row("2024-01-06", "1", event="split 2"), a_row("2024-01-08", "1.01")]

    assert candidate(rows, days=["2024-01-05", "2024-01-08"])[0].nav_e8 == (2 * 10**8, 202_000_000)


@pytest.mark.parametrize(
    ("after", "steep"), [("1.35", 0), ("1.3501", 1), ("0.65", 0), ("0.6499", 1), ("100", 1)]
)
def test_a_return_beyond_35_percent_needs_an_event(after: str, steep: int) -> None:
    assert candidate(rows_of(["1", after], DAYS[:2]), days=DAYS[:2])[0].steep == steep


def test_an_event_explains_a_jump() -> None:
    rows = rows_of(["1", "100"], DAYS[:2])
    explained, other = (rows[1]._replace(event=f"每份基金份额折算{factor}份") for factor in ("0.01", "0.02"))

    assert candidate([rows[0], explained], days=DAYS[:2])[0].steep == 0
    assert candidate([rows[0], other], days=DAYS[:2])[0].steep == 1


@pytest.mark.parametrize(
    ("rule", "growth", "apart"),
    [
        ("nav", "0.013", 0), ("nav", "0.0131", 1), ("nav", "0.007", 0), ("nav", "0.0069", 1), ("nav", "0", 0),
        ("growth", "0.007", 0), ("growth", "0.0069", 1), ("growth", "0", 1), ("growth", "0.09", 0),
    ],
)
def test_nav_and_growth_contradict_beyond_three_per_mille(rule: ReturnRule, growth: str, apart: int) -> None:
    """The NAV rose 1 %. Beside hidden events it may have risen less than growth says, and not more."""
    rows = [a_row(DAYS[0], "1", growth="0"), a_row(DAYS[1], "1.01", growth=growth)]

    assert candidate(rows, rule, DAYS[:2])[0].apart == apart


@pytest.mark.parametrize(
    ("growths", "unit"), [(["0", "1.0", "-0.9"], 1), (["0", "0.01", "-0.009"], 0), (["0", "1.0%", "-0.9%"], 1)]
)
def test_percents_are_told_from_fractions_by_what_the_navs_moved(growths: list[str], unit: int) -> None:
    rows = [a_row(day, nav, growth=one) for day, nav, one in zip(DAYS, ["1", "1.01", "1.00091"], growths, strict=False)]

    found, counts = candidate(rows, "growth", DAYS[:3])
    assert found.nav_e8 == (10**8, 101_000_000, 100_091_000)
    assert counts["growth in percent"] == unit


@pytest.mark.parametrize(
    ("missing", "gap", "complete"),
    [(range(0), 0, True), (range(20, 25), 5, True), (range(20, 26), 6, False)],
)
def test_five_sessions_in_a_row_may_be_missing(missing: range, gap: int, complete: bool) -> None:
    days = weekdays(300)
    navs = [None if at in missing else nav for at, nav in enumerate(wave(300))]

    found, _ = candidate(rows_of(navs, days), days=days)
    assert (found.gap, found.complete) == (gap, complete)


@pytest.mark.parametrize(("missing", "complete"), [((30, 60), True), ((30, 60, 90), False)])
def test_two_of_a_hundred_days_may_be_missing(missing: tuple[int, ...], complete: bool) -> None:
    days = weekdays(100)
    navs = [None if at in missing else nav for at, nav in enumerate(wave(100))]

    assert candidate(rows_of(navs, days), days=days)[0].complete is complete


@pytest.mark.parametrize(("first", "last", "complete"), [(0, 60, True), (1, 60, False), (0, 59, False)])
def test_base_day_and_last_session_need_a_nav(first: int, last: int, complete: bool) -> None:
    found, _ = candidate(rows_of(WAVE, DAYS)[first:last])

    assert found.complete is complete


@pytest.mark.parametrize("nav", [None, "0", "0.0000", "-1.2"])
def test_a_nav_that_is_not_positive_is_no_nav(nav: str | None) -> None:
    rows = rows_of(WAVE, DAYS)
    rows[10] = rows[10]._replace(nav=nav)

    found, counts = candidate(rows)
    assert (found.carried, counts["no positive NAV"]) == ((10,), 1)


def test_a_second_nav_for_a_day_leaves_doubt_and_a_second_spelling_does_not() -> None:
    rows = rows_of(WAVE, DAYS)

    assert candidate([*rows, rows[5]._replace(nav=(rows[5].nav or "") + "00")])[0].doubtful == 0
    assert candidate([*rows, rows[5]._replace(nav="1.9")])[0].doubtful == 1
    assert candidate([*rows, rows[5]._replace(event="split 2")])[0].doubtful == 1


def test_an_event_that_is_not_understood_leaves_doubt() -> None:
    rows = rows_of(WAVE, DAYS)
    rows[5] = rows[5]._replace(event="份额变动")

    assert candidate(rows)[0].doubtful == 1


def test_closed_days_and_halts_take_no_orders() -> None:
    rows = rows_of(WAVE, DAYS)
    rows[0] = rows[0]._replace(buy="暂停申购")
    rows[3] = rows[3]._replace(buy="暂停申购")
    rows[4] = rows[4]._replace(sell="暂停赎回")
    rows[5] = rows[5]._replace(buy="限制大额申购")
    rows[6] = rows[6]._replace(halted=True)

    found, _ = candidate(rows)
    assert (found.no_buy, found.no_sell, found.closed) == ((3, 6), (4, 6), 3)


@pytest.mark.parametrize(("days", "flag"), [(30, False), (31, True)])
def test_a_fund_is_on_exchange_where_most_days_say_so(days: int, flag: bool) -> None:
    rows = [row._replace(buy="场内买入") if at < days else row for at, row in enumerate(rows_of(WAVE, DAYS))]

    assert candidate(rows)[0].on_exchange is flag


def test_the_longest_stretch_of_one_nav_is_counted() -> None:
    assert candidate(rows_of([*WAVE[:20], *["1.5"] * 25, *WAVE[45:]], DAYS))[0].still == 25
    assert candidate(rows_of(WAVE, DAYS))[0].still == 1


def test_a_source_that_states_statuses_or_events_is_read_from_its_navs() -> None:
    rows = {"1": [a_row(DAYS[0], "1", source="site", growth="0")],
            "2": [a_row(DAYS[0], "1", source="quiet", growth="0", buy=None, sell=None)],
            "3": [a_row(DAYS[0], "1", source="wide", buy=None, sell=None)],
            "4": [a_row(DAYS[0], "1", source="events", growth="0", buy=None, sell=None, event="split 2")]}

    assert return_rules(rows) == {"site": "nav", "quiet": "growth", "wide": "nav", "events": "nav"}


def test_sources_that_hide_events_are_left_out_beside_one_that_states_them() -> None:
    rows = rows_of(WAVE, DAYS)
    quiet = [row._replace(source="quiet", nav="9") for row in rows]
    counts: Counter[str] = Counter()
    session_of = {day: session for session, day in enumerate(DAYS)}

    found = read_candidate("000001", [*quiet, *rows], session_of, {"quiet": "growth", "site": "nav"}, counts)
    assert (found.source, found.nav_e8) == ("site", candidate(rows)[0].nav_e8)
    assert counts["other source"] == 60


def test_two_sources_that_state_events_continue_each_other() -> None:
    rows = [row._replace(source="old" if at < 40 else "new") for at, row in enumerate(rows_of(WAVE, DAYS))]

    found, _ = candidate(rows)
    assert (found.source, found.nav_e8) == ("new, old", path_of([*WAVE]))


def test_a_cell_that_is_no_number_is_named() -> None:
    with pytest.raises(ScenarioError, match=r"nav.csv line 2: 'n/a' is no number"):
        candidate([a_row(DAYS[0], "n/a")])
