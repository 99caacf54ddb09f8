"""Canonical JSON (RFC 8785) and digests of records that hold no floats.

For objects made of strings, integers within +-(2^53 - 1), booleans, None, lists and string-keyed
dicts, sorted compact JSON is RFC 8785 as long as every key sorts the same by code point and by UTF-16
unit. That is so unless a key holds a character at or above U+E000, whose UTF-8 begins with byte 0xEE or
more; then the `rfc8785` package decides. A float is refused wherever it stands: nothing hashed may
have passed through one.
"""

import hashlib
import re
from typing import Any

import orjson

CANONICAL = orjson.OPT_SORT_KEYS | orjson.OPT_STRICT_INTEGER
"""orjson's options for sorted compact JSON that refuses integers beyond 2^53 - 1."""

_HIGH = re.compile(rb"[\xee-\xff]")
_HIGH_KEY = re.compile(rb'[{,]"(?:[^"\\\xee-\xff]|\\.)*+[\xee-\xff](?:[^"\\]|\\.)*+":')
"""A key of compact JSON, escapes and all, that holds such a byte; a value is never followed by a colon."""


def _refuse_inexact(value: Any) -> None:
    kind = type(value)
    if kind is str or kind is int or kind is bool or value is None:
        return
    if kind is dict:
        for member in value.values():
            _refuse_inexact(member)
    elif kind is list or kind is tuple:
        for member in value:
            _refuse_inexact(member)
    else:
        raise TypeError(f"{kind.__name__} cannot stand in a canonical record")


def canonical_bytes(value: Any) -> bytes:
    """Return the RFC 8785 bytes of a record.

    Raises:
        TypeError: a float, a non-string key or another type stands in it.
        ValueError: an integer beyond 2^53 - 1 or a lone surrogate stands in it.
    """
    _refuse_inexact(value)
    return encode_exact(value)


def encode_exact(value: Any, *, ascii_keys: bool = False) -> bytes:
    """Return the RFC 8785 bytes of a record that is built of strings and integers by construction.

    The type walk of `canonical_bytes` is left out; only call it on records that our own code builds.

    Args:
        value: the record.
        ascii_keys: whether all keys are known to be ASCII, so that none has to be looked at.
    """
    try:
        encoded = orjson.dumps(value, option=CANONICAL)
    except orjson.JSONEncodeError as error:
        raise (ValueError if "range" in str(error) or "UTF-8" in str(error) else TypeError)(str(error)) from error
    if ascii_keys or encoded.isascii() or not _HIGH.search(encoded) or not _HIGH_KEY.search(encoded):
        return encoded
    import rfc8785

    return rfc8785.dumps(value)


def sha256(data: bytes) -> str:
    """Return the SHA-256 of bytes as 64 lower-case hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def digest(value: Any) -> str:
    """Return the SHA-256 of a record's canonical bytes."""
    return sha256(canonical_bytes(value))
