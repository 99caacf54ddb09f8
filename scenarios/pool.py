"""The fictional market that the shipped banks draw on: sixteen themes of three names, with base prices.

No name stands for a real company, and no price for a real quotation. The ticker-to-theme map is frozen into
every scenario with the names that it lists; changing it changes the experiment.
"""

from typing import NamedTuple


class Listing(NamedTuple):
    """A name of the pool; price_cents is the base that each scenario's price is a few per cent off."""

    id: str
    issuer: str
    theme: str
    sector: str
    price_cents: int


_THEMES: tuple[tuple[str, str, tuple[tuple[str, str, int], ...]], ...] = (
    ("Platforms", "Communication Services",
     (("ARDN", "Arden Platforms", 18_240), ("NEXM", "Nexmere Interactive", 9_615), ("PLAZ", "Plaza Networks", 6_480))),
    ("Industrial Automation", "Industrials",
     (("HALV", "Halvorsen Motion", 14_370), ("BREK", "Brekke Controls", 7_825), ("TORQ", "Torquay Drives", 5_540))),
    ("Healthcare Devices", "Health Care",
     (("MEDL", "Medlar Devices", 16_905), ("SUTR", "Suture Works", 8_130), ("CORV", "Corvane Surgical", 11_260))),
    ("Semiconductors", "Information Technology",
     (("LITH", "Lithos Semiconductor", 21_450), ("QBIT", "Quarterbit Devices", 12_780), ("WAFR", "Waferline", 7_395))),
    ("Cloud Software", "Information Technology",
     (("STRA", "Strata Cloud", 19_820), ("OXBW", "Oxbow Systems", 10_345), ("KEEL", "Keel Software", 6_215))),
    ("Payments", "Financials",
     (("TOLL", "Tollgate Payments", 17_560), ("CLRX", "Clearex", 8_870), ("MINT", "Minthouse", 5_935))),
    ("Insurance", "Financials",
     (("HARB", "Harbour Mutual", 13_115), ("UNDW", "Underwood Re", 9_480), ("FENN", "Fennel Life", 4_760))),
    ("Logistics", "Industrials",
     (("FRGT", "Freightwell", 11_840), ("PORT", "Portage Lines", 6_925), ("DEPO", "Depot Rail", 8_455))),
    ("Diagnostics", "Health Care",
     (("ASSY", "Assay Laboratories", 15_230), ("GENM", "Genemark", 9_070), ("LUMN", "Lumen Imaging", 5_385))),
    ("Household Goods", "Consumer Staples",
     (("PANT", "Pantry Brands", 7_640), ("LARD", "Larder Foods", 5_195), ("SOAP", "Soapstone", 8_310))),
    ("Clean Power", "Utilities",
     (("GALE", "Galehead Power", 6_755), ("HYDR", "Hydra Grid", 7_980), ("SOLQ", "Solquest", 4_325))),
    ("Water", "Utilities",
     (("AQDC", "Aqueduct Utilities", 8_690), ("WSPR", "Wellspring Water", 5_815), ("RILL", "Rill Treatment", 7_105))),
    ("Leisure", "Consumer Discretionary",
     (("INNS", "Innsworth Hotels", 12_495), ("TRVL", "Travellers Rest", 6_340), ("GLDE", "Glide Sports", 9_255))),
    ("Specialty Chemicals", "Materials",
     (("RESN", "Resin and Co", 10_730), ("CATA", "Catalyst Chemicals", 8_065), ("PIGM", "Pigment Works", 4_980))),
    ("Energy Infrastructure", "Energy",
     (("PIPE", "Pipeworks Midstream", 5_650), ("TANK", "Tankage Partners", 4_545), ("VALV", "Valve Terminals", 7_270))),
    ("Data Centres", "Real Estate",
     (("RACK", "Rackstone Trust", 14_015), ("COLO", "Coloma Trust", 9_840), ("CAGE", "Cagehall Trust", 6_590))),
)

THEMES: tuple[str, ...] = tuple(theme for theme, _, _ in _THEMES)
LISTINGS: dict[str, tuple[Listing, ...]] = {
    theme: tuple(Listing(name, issuer, theme, sector, price) for name, issuer, price in names)
    for theme, sector, names in _THEMES
}
"""The names of each theme, in a fixed order."""
