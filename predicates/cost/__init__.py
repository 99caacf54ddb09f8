"""What the orders cost: splits, the economic floor, the spread."""

from predicates.cost.below_floor import below_floor
from predicates.cost.fee_worsening_split import fee_worsening_split
from predicates.cost.spread_budget import spread_budget

PREDICATES = (fee_worsening_split, below_floor, spread_budget)
