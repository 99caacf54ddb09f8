"""`python -m verifier` is `audit`."""

from verifier.cli import main

main()
