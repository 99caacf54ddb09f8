"""What the orders may come to: counts, cash, weights, lots, and what must be deployed."""

from predicates.limits.cash_overrun import cash_overrun
from predicates.limits.integer_shares import integer_shares
from predicates.limits.liquidity import liquidity
from predicates.limits.position_weight import position_weight
from predicates.limits.recommendation_cap import recommendation_cap
from predicates.limits.required_deployment import required_deployment
from predicates.limits.sector_exposure import sector_exposure
from predicates.limits.theme_exposure import theme_exposure

PREDICATES = (
    required_deployment,
    recommendation_cap,
    cash_overrun,
    position_weight,
    theme_exposure,
    sector_exposure,
    liquidity,
    integer_shares,
)
