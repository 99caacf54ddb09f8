"""The clauses: one fault, one module, one code, in families."""
