"""The product's settings, for tests: a home of their own, set before anything reads one.

pytest-django loads the settings before any conftest, so a conftest is too late for this.
"""

from __future__ import annotations

import os
import tempfile

os.environ.setdefault("FLINT_TESTING", "1")
os.environ.setdefault("FLINT_HOME", tempfile.mkdtemp(prefix="flint-test-"))
os.environ.setdefault("SECRET_KEY", "only for tests")

from webapp.config.settings import *  # noqa: E402, F403 - the whole of them, after the lines above

STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # noqa: F405 - WhiteNoise warns without it
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # quick; none is kept
