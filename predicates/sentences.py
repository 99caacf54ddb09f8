"""How exact numbers are written in the sentence for a person.

A clause's `says` is a format string. Beside plain `{name}` it may ask for `{amount:money}`, cents written
in units of the currency, and `{share:%}`, a ratio written as a percentage. Both show two decimals, rounded
half away from zero; the evidence beside the sentence stays exact.
"""

from fractions import Fraction
from string import Formatter
from typing import Any

from scenarios.exact import Ratio, exact_json, read_exact, round_half_up


class _Sentence(Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec not in ("money", "%"):
            return str(super().format_field("none" if value is None else value, format_spec))
        exact = _fraction(value)
        if exact is None:
            return "none" if value is None else str(exact_json(value))
        return round_half_up(exact / 100, 2) if format_spec == "money" else f"{round_half_up(exact * 100, 2)} %"


def _fraction(value: Any) -> Fraction | None:
    if isinstance(value, Ratio):
        return Fraction(*value) if value.denominator > 0 else None
    return None if value is None else read_exact(value)


def render(says: str, **values: Any) -> str:
    """Return the sentence: `says` with the values filled in.

    A value that is None reads "none"; a ratio to nothing or less stays written as the ratio.
    """
    return _Sentence().vformat(says, (), values)
