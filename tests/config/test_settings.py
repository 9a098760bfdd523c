"""Settings that are wrong are told when Flint starts, not when somebody runs into them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("listed", "code"), [("Models.internal, 10.0.0.0/8", 0), ("https://models.internal", 1)]
)
def test_private_hosts_that_are_none_are_told_at_once(
    listed: str, code: int, tmp_path: Path
) -> None:
    environment = {
        **os.environ,
        "FLINT_ENDPOINT_HOSTS": listed,
        "FLINT_HOME": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "webapp.config.settings",
    }
    script = "from webapp.config import settings; print(settings.FLINT_ENDPOINT_HOSTS)"
    ran = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert ran.returncode == code
    expected = "('models.internal', '10.0.0.0/8')" if code == 0 else "lists 'https://models"
    assert expected in (ran.stdout if code == 0 else ran.stderr)
