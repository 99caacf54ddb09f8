"""Import of daily NAV and price tables into sealed market traces."""
