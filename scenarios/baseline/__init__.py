"""The transparent yardstick: score, exclusion, portfolio fit and planner, each a pure function of a scenario.

Agreement with it is reported, never rewarded. Source: seed paper 003, sections 3 and 4.
"""
