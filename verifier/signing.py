"""Ed25519 signatures of attestations (RFC 8032), with keys as PEM files. Needs the extra `sign`."""

from pathlib import Path
from typing import Any

from scenarios.attestations import Attestation, Signature
from scenarios.errors import ReplayError, ScenarioError
from scenarios.files import read_file


def sign(attestation: Attestation, key_file: Path) -> Attestation:
    """Return the attestation with its signature.

    Args:
        attestation: not signed yet.
        key_file: a private Ed25519 key, PKCS#8 PEM without password, as `openssl genpkey -algorithm ed25519` makes.

    Raises:
        ScenarioError: the extra `sign` is not installed, or the file holds no such key.
        ReplayError: the file cannot be read.
    """
    ed25519, serialization = _cryptography()
    try:
        key = serialization.load_pem_private_key(read_file(key_file), password=None)
    except (ValueError, TypeError) as error:
        raise _no_key(key_file, "private") from error
    if not isinstance(key, ed25519.Ed25519PrivateKey):
        raise _no_key(key_file, "private")
    value = key.sign(attestation.signed_bytes())
    signature = Signature(public_key=key.public_key().public_bytes_raw().hex(), value=value.hex())
    return attestation.model_copy(update={"signature": signature})


def public_key(key_file: Path) -> str:
    """Return the public key of a PEM file, public or private, in hex.

    Raises:
        ScenarioError: the extra `sign` is not installed, or the file holds no Ed25519 key.
        ReplayError: the file cannot be read.
    """
    ed25519, serialization = _cryptography()
    raw = read_file(key_file)
    try:
        if b"PRIVATE KEY" in raw:
            key = serialization.load_pem_private_key(raw, password=None).public_key()
        else:
            key = serialization.load_pem_public_key(raw)
    except (ValueError, TypeError) as error:
        raise _no_key(key_file, "public") from error
    if not isinstance(key, ed25519.Ed25519PublicKey):
        raise _no_key(key_file, "public")
    return str(key.public_bytes_raw().hex())


def signature_holds(attestation: Attestation) -> bool:
    """Return whether an attestation's signature was made of it by the key that it names.

    Raises:
        ScenarioError: the extra `sign` is not installed.
        ReplayError: it carries no signature.
    """
    if attestation.signature is None:
        raise ReplayError(f"attestation {attestation.number}", "carries no signature", "sign it with --key")
    ed25519, _ = _cryptography()
    from cryptography.exceptions import InvalidSignature

    try:
        key = ed25519.Ed25519PublicKey.from_public_bytes(bytes.fromhex(attestation.signature.public_key))
        key.verify(bytes.fromhex(attestation.signature.value), attestation.signed_bytes())
    except (InvalidSignature, ValueError):
        return False
    return True


def _no_key(file: Path, kind: str) -> ScenarioError:
    return ScenarioError(str(file), f"holds no {kind} Ed25519 key in PEM",
                         "make one with: openssl genpkey -algorithm ed25519 -out key.pem")


def _cryptography() -> tuple[Any, Any]:
    try:
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError as error:
        raise ScenarioError(
            "signatures", "the library is not installed", "pip install 'advice-audit[sign]'"
        ) from error
    return ed25519, serialization
