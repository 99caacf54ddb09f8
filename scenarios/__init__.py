"""Describe: types, exact numbers, canonical JSON, fees, parsing, manifests and the baseline policy."""
