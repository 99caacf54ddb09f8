"""What a compliance reviewer takes away: one review of a sealed run, in several formats made from the same records."""
