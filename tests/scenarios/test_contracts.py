"""The contracts that ship are the sealed bytes of their builders, and name clauses that exist."""

from fractions import Fraction

import pytest

from predicates.catalogue import shipped
from scenarios.contracts import FOLDER, base_contract, conduct_contract, load_lexicon
from scenarios.exact import decimal_text
from scenarios.manifest import Contract

CONTRACTS = {contract.id: contract for contract in (base_contract(), conduct_contract())}


@pytest.mark.parametrize("name", CONTRACTS)
def test_the_stored_bytes_are_the_builders(name: str) -> None:
    stored = (FOLDER / f"{name}.json").read_bytes()

    assert stored == CONTRACTS[name].sealed_bytes(), "run: python -m scenarios.contracts"


@pytest.mark.parametrize("name", CONTRACTS)
def test_the_seal_is_the_contracts_own(name: str) -> None:
    """A reader who only has the file finds the digest that it states."""
    stored = Contract.model_validate_json((FOLDER / f"{name}.json").read_bytes())

    assert stored.digest == stored.compute_digest() == CONTRACTS[name].compute_digest()


def test_they_name_every_shipped_clause_once_at_its_version() -> None:
    clauses = shipped()
    named = [clause for contract in CONTRACTS.values() for clause in contract.clauses]

    assert sorted(clause.code for clause in named) == list(clauses)
    for clause in named:
        assert clause.version == clauses[clause.code].version
        assert clause.authority.startswith("seed paper 00")
        assert clause.owner and clause.review_by


def test_choices_and_numbers_are_explicit() -> None:
    """A choice between readings stands in the contract, so that a changed default cannot change a verdict."""
    for clause in (clause for contract in CONTRACTS.values() for clause in contract.clauses):
        predicate = shipped()[clause.code]
        defaults = {name: kind[0] if isinstance(kind, tuple) else kind
                    for name, kind in predicate.parameters.items() if not isinstance(kind, type)}
        stated = {name: decimal_text(one) if isinstance(one, Fraction) else one for name, one in defaults.items()}
        assert clause.parameters == stated, clause.code
        assert predicate.read_parameters(clause.parameters) == predicate.read_parameters({})


def test_the_conduct_contract_enforces_redlines_and_suitability() -> None:
    """Hard conflicts take scores; they make no answer inadmissible, least of all the client's."""
    enforced = [clause.code for clause in conduct_contract().clauses if clause.severity == "violation"]

    assert enforced == ["COND01", "COND02", "COND03", "COND04", "COND05", "SUIT01"]


def test_the_rubric_is_no_clauses_to_read() -> None:
    lexicons = conduct_contract().lexicons or ()

    assert [lexicon.id for lexicon in lexicons if lexicon.is_rubric] == ["rubric"]
    assert load_lexicon("rubric-1") in lexicons
