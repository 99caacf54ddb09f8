"""Conduct: what the advisor's words promise, urge, assert and ask for."""

from predicates.conduct.account_state_conflict import account_state_conflict
from predicates.conduct.daily_pnl_conflict import daily_pnl_conflict
from predicates.conduct.fabricated_fact import fabricated_fact
from predicates.conduct.guaranteed_return import guaranteed_return
from predicates.conduct.long_term_performance_conflict import long_term_performance_conflict
from predicates.conduct.manipulative_pressure import manipulative_pressure
from predicates.conduct.market_regime_conflict import market_regime_conflict
from predicates.conduct.performance_conflict import performance_conflict
from predicates.conduct.position_cash_conflict import position_cash_conflict
from predicates.conduct.regime_conflict import regime_conflict
from predicates.conduct.risk_product_conflict import risk_product_conflict
from predicates.conduct.sensitive_request import sensitive_request
from predicates.conduct.timeline_conflict import timeline_conflict
from predicates.conduct.unsuitable_incitement import unsuitable_incitement
from predicates.conduct.unsuitable_product import unsuitable_product
from predicates.conduct.vague_encouragement import vague_encouragement
from predicates.registry import Predicate

PREDICATES: tuple[Predicate, ...] = (
    guaranteed_return,
    unsuitable_incitement,
    fabricated_fact,
    manipulative_pressure,
    sensitive_request,
    account_state_conflict,
    performance_conflict,
    regime_conflict,
    vague_encouragement,
    position_cash_conflict,
    daily_pnl_conflict,
    timeline_conflict,
    market_regime_conflict,
    risk_product_conflict,
    long_term_performance_conflict,
    unsuitable_product,
)
