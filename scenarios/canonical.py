"""Canonical JSON (RFC 8785) and digests of records that hold no floats.

For objects made of strings, integers within +-(2^53 - 1), booleans, None, lists and string-keyed
dicts, sorted compact JSON is RFC 8785 as long as every key sorts the same by code point and by UTF-16
unit. That is so unless a key holds a character at or above U+E000, whose UTF-8 begins with byte 0xEE or
more; then the `rfc8785` package decides. A float is refused wherever it stands: nothing hashed may
have passed through one.

At one place this goes beyond RFC 8785, which refuses a lone surrogate: an advisor may send one in its words, and they
are kept as they were sent. In the value of a member it is written as its escape in small letters, as ECMAScript's
JSON.stringify writes it; a key that holds one is refused, and so are two that make a pair.
"""

import hashlib
import json
import re
from typing import Any

import orjson

CANONICAL = orjson.OPT_SORT_KEYS | orjson.OPT_STRICT_INTEGER
"""orjson's options for sorted compact JSON that refuses integers beyond 2^53 - 1."""

_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_LONE = re.compile("[\ud800-\udfff]")
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
        ValueError: an integer beyond 2^53 - 1 stands in it, or surrogates in a key or as a pair.
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
        if "UTF-8" in str(error):
            return _encode_lone(value)
        raise _refusal(error) from error
    if ascii_keys or encoded.isascii() or not _HIGH.search(encoded) or not _HIGH_KEY.search(encoded):
        return encoded
    import rfc8785

    return rfc8785.dumps(value)


def _refusal(error: orjson.JSONEncodeError) -> Exception:
    return (ValueError if "range" in str(error) or "UTF-8" in str(error) else TypeError)(str(error))


def _encode_lone(value: Any) -> bytes:
    """Return the bytes of a record with lone surrogates, which orjson does not write, or refuse it."""
    try:
        return orjson.dumps(_spell(value), option=orjson.OPT_STRICT_INTEGER)
    except orjson.JSONEncodeError as error:
        raise _refusal(error) from error


def _spell(value: Any) -> Any:
    """Return a record with its members in order, in which each text with lone surrogates is spelled out."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: str.encode(name, "utf-16-be"))
        return {name: _spell(value[name]) for name in names}
    if isinstance(value, list | tuple):
        return [_spell(member) for member in value]
    if isinstance(value, str) and _LONE.search(value) and not _PAIR.search(value):
        written = json.dumps(value, ensure_ascii=False)
        return orjson.Fragment(_LONE.sub(lambda one: f"\\u{ord(one[0]):04x}", written).encode())
    return value


def sha256(data: bytes) -> str:
    """Return the SHA-256 of bytes as 64 lower-case hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def digest(value: Any) -> str:
    """Return the SHA-256 of a record's canonical bytes."""
    return sha256(canonical_bytes(value))
