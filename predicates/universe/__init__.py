"""Which names an order may carry, and on which side."""

from predicates.universe.already_owned import already_owned
from predicates.universe.not_held import not_held
from predicates.universe.out_of_universe import out_of_universe
from predicates.universe.restricted_list import restricted_list
from predicates.universe.trim_not_allowed import trim_not_allowed

PREDICATES = (out_of_universe, already_owned, restricted_list, not_held, trim_not_allowed)
