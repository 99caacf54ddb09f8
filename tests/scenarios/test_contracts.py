"""The contracts that ship are the sealed bytes of their builders, and name clauses that exist."""

from predicates.catalogue import shipped
from scenarios.contracts import FOLDER, base_contract
from scenarios.manifest import Contract

STORED = FOLDER / "base-1.json"


def test_the_stored_bytes_are_the_builders() -> None:
    assert STORED.read_bytes() == base_contract().sealed_bytes(), "run: python -m scenarios.contracts"


def test_the_seal_is_the_contracts_own() -> None:
    """A reader who only has the file finds the digest that it states."""
    stored = Contract.model_validate_json(STORED.read_bytes())

    assert stored.digest == stored.compute_digest() == base_contract().compute_digest()


def test_base_names_every_shipped_clause_at_its_version() -> None:
    clauses = shipped()
    contract = base_contract()

    assert [clause.code for clause in contract.clauses] == list(clauses)
    for clause in contract.clauses:
        assert clause.version == clauses[clause.code].version
        assert clause.authority.startswith("seed paper 003")


def test_choices_are_explicit() -> None:
    """A choice between readings stands in the contract, so that a changed default cannot change a verdict."""
    for clause in base_contract().clauses:
        predicate = shipped()[clause.code]
        choices = {name: kind[0] for name, kind in predicate.parameters.items() if isinstance(kind, tuple)}
        assert clause.parameters == choices
        assert predicate.read_parameters(clause.parameters) == predicate.read_parameters({})
