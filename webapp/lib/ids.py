"""The one source of identifiers and secrets."""

import hashlib
import re
import secrets

_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
_ID_LENGTH = 20
_SLUG_LENGTH = 16
_ID = re.compile(rf"[a-z2-7]{{{_ID_LENGTH}}}")


def _letters(count: int) -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(count))


def new_id() -> str:
    """Return a row's identifier: 20 characters of a-z and 2-7, 100 random bits."""
    return _letters(_ID_LENGTH)


def is_id(value: object) -> bool:
    """Say whether `value` has the shape that `new_id` gives."""
    return isinstance(value, str) and _ID.fullmatch(value) is not None


def new_slug() -> str:
    """Return a session's name in addresses: 16 characters, 80 random bits; not a secret."""
    return _letters(_SLUG_LENGTH)


def new_secret() -> str:
    """Return a secret for a link, 256 bits in URL-safe Base64."""
    return secrets.token_urlsafe(32)


def digest(secret: str) -> str:
    """Return what is stored of a secret: SHA-256 in hexadecimal."""
    return hashlib.sha256(secret.encode()).hexdigest()
