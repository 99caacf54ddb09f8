"""Decide, score, report: contracts, verdicts, oracles, repair, scorers and the command line."""
