"""Long-horizon fund advice: investors, their minds and accounts, advisors, and the daily loop between them.

Whatever decides is an integer: money in cents, NAVs in 1e-8 yuan, units in 0.01, states of mind in 1/10,000. Source:
seed paper 000.
"""
