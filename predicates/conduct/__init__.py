"""Conduct: what the advisor's words promise, urge, assert and ask for."""

from predicates.registry import Predicate

PREDICATES: tuple[Predicate, ...] = ()
