"""What every test may use. The cast: an owner, a member and a stranger, and one session."""

from __future__ import annotations

import os
import tempfile

os.environ.setdefault("FLINT_TESTING", "1")
os.environ.setdefault("FLINT_HOME", tempfile.mkdtemp(prefix="flint-test-"))
os.environ.setdefault("SECRET_KEY", "only for tests")
