"""Passwords and API keys: kept so that who reads the store cannot use them."""

import hashlib
import hmac
import secrets
import time
from collections.abc import Sequence

from tacit.study.store import Store, StoredKey

SCOPES = ("read", "export", "links")
"""What an API key may open; a login opens everything."""

_PREFIX = "tk"
_SETTING = "password"
_COST, _BLOCK, _PARALLEL = 2**14, 8, 1


def hash_password(password: str) -> str:
    """Return a password as it is kept: salted, by scrypt (RFC 7914).

    Parameters
    ----------
    password : str
        Any text.

    Examples
    --------
    >>> check_password("open sesame", hash_password("open sesame"))
    True
    >>> check_password("open barley", hash_password("open sesame"))
    False
    """
    salt = secrets.token_bytes(16)
    return f"scrypt${_COST}${_BLOCK}${_PARALLEL}${salt.hex()}${_scrypt(password, salt).hex()}"


def check_password(password: str, kept: str) -> bool:
    """Tell whether a password is the one that was hashed."""
    salt, expected = (bytes.fromhex(part) for part in kept.split("$")[-2:])
    return hmac.compare_digest(_scrypt(password, salt), expected)


def set_password(store: Store, wanted: str | None) -> str | None:
    """See that there is a password.

    Parameters
    ----------
    store : Store
        Where it is kept.
    wanted : str or None
        The password; None keeps the one that is there, or makes one.

    Returns
    -------
    str or None
        A password that was made, to be shown this once.
    """
    kept = store.setting(_SETTING)
    if wanted:
        if kept is None or not check_password(wanted, kept):
            store.change_setting(_SETTING, hash_password(wanted))
        return None
    if kept is not None:
        return None
    made = secrets.token_urlsafe(9)
    store.change_setting(_SETTING, hash_password(made))
    return made


def kept_password(store: Store) -> str:
    """Return the hash of the password, an empty text if there is none."""
    return store.setting(_SETTING) or ""


def make_key(store: Store, name: str, scopes: Sequence[str]) -> tuple[str, StoredKey]:
    """Make an API key.

    Parameters
    ----------
    store : Store
        Keeps its fingerprint.
    name : str
        What it is for.
    scopes : sequence of str
        Some of `SCOPES`.

    Returns
    -------
    key : str
        To be shown this once.
    stored : StoredKey
        As it is kept.
    """
    key_id, secret = secrets.token_hex(6), secrets.token_urlsafe(32)
    stored = StoredKey(
        key_id=key_id,
        name=name,
        digest=_fingerprint(secret),
        scopes=tuple(sorted(set(scopes))),
        created_at=time.time(),
        revoked_at=None,
    )
    store.add_key(stored)
    return f"{_PREFIX}_{key_id}_{secret}", stored


def scopes_of_key(store: Store, key: str) -> frozenset[str]:
    """Return what an API key opens; nothing if it is not one, or was revoked."""
    prefix, _, rest = key.partition("_")
    key_id, _, secret = rest.partition("_")
    if prefix != _PREFIX or not key_id.isalnum() or not key_id.isascii():
        return frozenset()
    stored = store.api_key(key_id)
    if stored is None or stored.revoked_at is not None:
        return frozenset()
    right = hmac.compare_digest(_fingerprint(secret), stored.digest)
    return frozenset(stored.scopes) if right else frozenset()


def _fingerprint(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _scrypt(password: str, salt: bytes) -> bytes:
    text = password.encode("utf-8", "surrogatepass")
    return hashlib.scrypt(text, salt=salt, n=_COST, r=_BLOCK, p=_PARALLEL)
