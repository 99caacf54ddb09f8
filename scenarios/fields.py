"""Field types that the frozen models share: exact decimals and money in integer cents."""

from fractions import Fraction
from typing import Annotated

from pydantic import BeforeValidator, Field, PlainSerializer, WithJsonSchema

from scenarios.exact import decimal_text, parse_decimal


def _decimal_from(value: object) -> Fraction:
    if isinstance(value, Fraction):
        return value
    if isinstance(value, str):
        return parse_decimal(value)
    raise ValueError("expected a decimal string such as \"0.2\", never a number that may have passed a float")


Decimal = Annotated[
    Fraction,
    BeforeValidator(_decimal_from),
    PlainSerializer(decimal_text, return_type=str),
    WithJsonSchema({"type": "string", "pattern": r"^-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$", "maxLength": 40}),
]
"""An exact decimal, written as a string."""

Rate = Annotated[Decimal, Field(ge=0)]
Cents = Annotated[int, Field(ge=0, lt=10**15)]
PositiveCents = Annotated[int, Field(gt=0, lt=10**15)]
