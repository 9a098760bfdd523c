"""Keys of models, encrypted at rest.

What holds:

- the material comes from FLINT_ENDPOINT_KEYS (Fernet keys, newest first), else from the file
  FLINT_HOME/endpoint-keys, which is made when the first key is kept. It is apart from SECRET_KEY,
  so neither a leaked cookie key nor a stolen database alone gives a key away;
- what is sealed says which origin it is for, and is opened for no other. So a key goes only to
  where it was typed for, also when somebody changes the address of a row behind our back;
- what cannot be opened is None, not an exception: material gets lost, and then the person types the
  key again.

Turned down: Django's signing (readable by whoever has the database), material derived from
SECRET_KEY (changing that one would lose every key), a key of its own for each row (it would have to
be kept beside the row).
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Final

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

from webapp.lib import ids
from webapp.lib.sentences import Sentence, gettext_noop

FILE: Final = "endpoint-keys"


class CannotSeal(Exception):
    """There is no usable material; carries the sentence that says why and what to do."""


def seal(secret: str, origin: str) -> str:
    """Return `secret` as it may be kept, for `origin` alone. Raises CannotSeal."""
    text = json.dumps({"key": secret, "for": origin})
    return _cipher(_material() or _make_file()).encrypt(text.encode()).decode()


def unseal(sealed: str, origin: str) -> str | None:
    """Return the secret again, or None when the material is lost or it is for another origin."""
    try:
        held = json.loads(_cipher(_material()).decrypt(sealed))
    except (CannotSeal, InvalidToken, ValueError):
        return None
    if not isinstance(held, dict) or held.get("for") != origin:
        return None
    return str(held["key"])


def rotate(sealed: str) -> str | None:
    """Return the same secret sealed with the newest material, or None when it cannot be opened.

    Raises CannotSeal when there is no material at all.
    """
    try:
        return _cipher(_material()).rotate(sealed.encode()).decode()
    except InvalidToken:
        return None


def is_newest(sealed: str) -> bool:
    """Say whether the newest material alone opens it."""
    try:
        _cipher(_material()[:1]).decrypt(sealed)
    except (CannotSeal, InvalidToken, ValueError):
        return False
    return True


def is_in_settings() -> bool:
    """Say whether the operator gives the material, so that the file is of no use."""
    return bool(settings.FLINT_ENDPOINT_KEYS)


def add_newest() -> None:
    """Put fresh material before the file's own. Raises CannotSeal."""
    _replace_file([Fernet.generate_key().decode(), *_material()])


def forget_older() -> int:
    """Keep the file's newest material alone; return how many others went. Raises CannotSeal."""
    newest, *older = _material() or [Fernet.generate_key().decode()]
    _replace_file([newest])
    return len(older)


def _path() -> Path:
    return Path(settings.FLINT_HOME) / FILE


def _material() -> list[str]:
    """Return the Fernet keys, newest first; none when there is no file yet. Raises CannotSeal."""
    if settings.FLINT_ENDPOINT_KEYS:
        return list(settings.FLINT_ENDPOINT_KEYS)
    try:
        return _path().read_text(encoding="ascii").split()
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        raise CannotSeal(
            Sentence(
                gettext_noop(
                    "The file %(path)s, which keys are encrypted with, cannot be read. Whoever "
                    "runs this Flint must put it right; nothing was changed."
                ),
                path=str(_path()),
            )
        ) from error


def _cipher(material: list[str]) -> MultiFernet:
    try:
        return MultiFernet([Fernet(key) for key in material])
    except ValueError as error:  # also when there is none
        raise CannotSeal(
            Sentence(
                gettext_noop(
                    "What keys are encrypted with (FLINT_ENDPOINT_KEYS, or the file %(path)s) is "
                    "not a Fernet key. Whoever runs this Flint must put it right; nothing was "
                    "changed."
                ),
                path=str(_path()),
            )
        ) from error


def _make_file() -> list[str]:
    """Write the file, unless another process was first; return what stands there."""
    draft = _draft([Fernet.generate_key().decode()])
    try:
        os.link(draft, _path())  # whole or not at all, and never over another's
    except FileExistsError:
        pass
    except OSError as error:
        raise _cannot_write() from error
    finally:
        draft.unlink(missing_ok=True)
    return _material()


def _replace_file(material: list[str]) -> None:
    draft = _draft(material)
    try:
        draft.replace(_path())
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise _cannot_write() from error


def _draft(material: list[str]) -> Path:
    """Return a file with this material, for its owner alone and on the disk."""
    draft = _path().with_name(f"{FILE}.{ids.new_id()}.tmp")
    try:
        draft.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write("\n".join(material) + "\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise _cannot_write() from error
    return draft


def _cannot_write() -> CannotSeal:
    return CannotSeal(
        Sentence(
            gettext_noop(
                "The key was not kept: the file %(path)s, which it would be encrypted with, cannot "
                "be written. Whoever runs this Flint must free some room, give the folder back to "
                "its user, or set FLINT_ENDPOINT_KEYS."
            ),
            path=str(_path()),
        )
    )
