"""The worlds in which advice meets investors."""
