"""`python -m scenarios.conduct_bank`: write the bank, the answers and the labels."""

from scenarios.conduct_bank import main

main()
