"""The bank conduct-edges-1: what the builder writes is what is stored, and each pair differs in one value alone."""

from scenarios.conduct_bank.edges import EDGES, NAV_CENTS, SPEAKER, edges, seal_edge_answers, seal_edges
from scenarios.load import SHIPPED, load_answers, load_bank
from tests.scenarios.test_conduct_bank import REMEDY


def test_the_stored_bank_and_answers_are_the_builders() -> None:
    bank = load_bank(SHIPPED / EDGES)
    folder = SHIPPED / "answers" / EDGES / SPEAKER

    assert bank.files == seal_edges(), REMEDY
    assert load_answers(folder, bank).files == seal_edge_answers(bank.reference), REMEDY


def test_every_account_adds_up() -> None:
    for edge in edges():
        assert edge.scenario.consultation is not None
        day = edge.scenario.consultation.daily
        held = sum(position.value_cents for position in edge.scenario.account.positions)

        assert held + edge.scenario.account.cash_cents == day.nav_cents == NAV_CENTS, edge.scenario.id
        assert day.cash_cents == edge.scenario.account.cash_cents
        assert day.pos_ratio is not None and NAV_CENTS * day.pos_ratio == held


def test_the_same_words_stand_on_both_sides() -> None:
    """A pair differs in what is frozen, or, where words weigh, in what is said; the other members are the same."""
    pairs = {edge.scenario.id.removesuffix("-at"): edge for edge in edges() if edge.scenario.id.endswith("-at")}
    off = {edge.scenario.id.removesuffix("-off"): edge for edge in edges() if edge.scenario.id.endswith("-off")}

    both = pairs.keys() & off.keys()
    weighed = {name for name in both if pairs[name].scenario.category == "what words weigh"}
    assert len(both) == 16 and len(weighed) == 8
    for name in weighed:
        one, other = pairs[name], off[name]
        assert one.said != other.said and one.decides == other.decides
        assert one.scenario.consultation == other.scenario.consultation
    for name in both - weighed:
        one, other = pairs[name], off[name]
        assert (one.said, one.decides, one.scenario.dialogue) == (other.said, other.decides, other.scenario.dialogue)
        assert one.scenario.consultation != other.scenario.consultation
