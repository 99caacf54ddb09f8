"""Whether what the answer cites stands in the frozen scenario."""

from predicates.grounding.fact_mismatch import fact_mismatch
from predicates.grounding.ungrounded_fact import ungrounded_fact

PREDICATES = (ungrounded_fact, fact_mismatch)
