"""Run: frozen answers, advisors, the record log and its chain."""
