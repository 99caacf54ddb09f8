"""What an advisor did to its investors: paired uplift, investment and business scores, the compliance gate."""
