"""Hashed copies of the static files, made again only when a file or a package changed.

Runs beside the migrations, as a child of its own, because both take a second and a person waits.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path

from webapp.appliance.checks import Refusal

_PACKAGES_WITH_FILES = ("django", "django-allauth", "whitenoise", "daphne")


class StaticFiles:
    """The copies under FLINT_HOME/static, and a note of what they were made from."""

    def __init__(self, base: Path, home: Path, root: Path) -> None:
        self._base = base
        self._root = root
        self._note = home / "static.sha256"
        self._log = home / "logs" / "static.log"
        self._compress = ""
        self._process: subprocess.Popen[bytes] | None = None

    def begin(self, environment: Mapping[str, str]) -> None:
        """Start making the copies if they are out of date; does not wait."""
        self._compress = environment.get("FLINT_STATIC_COMPRESS", "")
        if self._is_current():
            return
        self._note.unlink(missing_ok=True)
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "manage.py",
                    "collectstatic",
                    "--noinput",
                    "--clear",
                    "--verbosity=0",
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=dict(environment),
                cwd=self._base,
            )

    def finish(self) -> None:
        """Wait until the copies are made; raises Refusal when they could not be."""
        if self._process is None:
            return
        code, self._process = self._process.wait(), None
        if code:
            lines = self._log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
            raise Refusal(
                f"The static files could not be prepared: {lines[-1] if lines else f'code {code}'} "
                f"(more in {self._log})."
            )
        self._note.write_text(self._fingerprint(), encoding="ascii")

    def abandon(self) -> None:
        """End the work, if there is any."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _is_current(self) -> bool:
        try:
            noted = self._note.read_text(encoding="ascii")
        except OSError:
            return False
        return noted == self._fingerprint() and (self._root / "staticfiles.json").exists()

    def _fingerprint(self) -> str:
        digest = hashlib.sha256()
        for name in _PACKAGES_WITH_FILES:
            digest.update(f"{name} {metadata.version(name)}\n".encode())
        for path in sorted((self._base / "static").rglob("*")):
            if path.is_file():
                state = path.stat()
                line = f"{path.relative_to(self._base)} {state.st_size} {state.st_mtime_ns}\n"
                digest.update(line.encode("utf-8", "surrogateescape"))
        digest.update((self._base / "webapp" / "config" / "static.py").read_bytes())
        digest.update(f"{self._root} {self._compress}".encode("utf-8", "surrogateescape"))
        return digest.hexdigest()
