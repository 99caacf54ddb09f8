"""An advisor of your own: one request a line on standard input, one answer a line on standard output.

    audit rollout --advisor "mine=python examples/advisor.py" --out runs/mine

It keeps the reserve that the client states, goes slowly toward half of the rest in suitable funds, and stops buying
where half of the tolerated loss is used up. `replay/environments/fund_advice/request.py` lists what a request holds.
"""

import json
import sys
from decimal import Decimal
from typing import Any

SUITABLE = {"conservative": 2, "balanced": 3, "aggressive": 5}
RISK = "Prices may fall, and nobody knows when."


def advise(request: dict[str, Any]) -> dict[str, Any]:
    """Return a message and the orders behind it; a plain text is an answer too, and None says nothing."""
    account, client = request["account"], request["client"]
    gap = (1 - Decimal(client["cash_reserve"])) / 2 - Decimal(account["pos_ratio"])
    funds = [one for one in request["shortlist"] if one["level"] <= SUITABLE[client["risk_profile"]]]
    yuan = min(int(gap * account["nav_cents"] / 1_000), account["cash_cents"] // 100)  # a tenth of the gap
    if 2 * Decimal(account["drawdown"]) >= Decimal(client["drawdown_tolerance"]) or not funds or yuan < 10:
        return {"message": f"I suggest holding what you have and keeping your cash reserve. {RISK}", "orders": []}
    fund = funds[0]
    return {
        "message": f"You could put {yuan} yuan into {fund['fund']}, a fund of risk level {fund['level']}, and keep the "
                   f"rest in cash for now. {RISK}",
        "orders": [{"instrument": fund["fund"], "side": "buy", "amount": yuan}],
    }


for line in sys.stdin:
    print(json.dumps(advise(json.loads(line))), flush=True)
