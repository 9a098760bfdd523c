"""Globs that protect paths: what each matches, and that none takes long."""

from __future__ import annotations

import time

import pytest

from webapp.engine.globs import first_match


@pytest.mark.parametrize(
    ("glob", "path", "matches"),
    [
        ("app.py", "app.py", True),
        ("app.py", "src/app.py", True),
        ("app.py", "app.pyc", False),
        ("/app.py", "app.py", True),
        ("/app.py", "src/app.py", False),
        ("*.lock", "web/yarn.lock", True),
        ("*.lock", "lock", False),
        ("*.lock", "a.lock/b.py", True),
        ("secrets/", "secrets/key.pem", True),
        ("secrets/", "ops/secrets/deep/key.pem", True),
        ("secrets", "secrets.py", False),
        ("ops/secrets", "ops/secrets/deep/key.pem", True),
        ("ops/secrets", "x/ops/secrets/key.pem", False),
        ("ops/*/key.pem", "ops/a/key.pem", True),
        ("ops/*/key.pem", "ops/a/b/key.pem", False),
        ("ops/**/key.pem", "ops/key.pem", True),
        ("ops/**/key.pem", "ops/a/b/key.pem", True),
        ("**/key.pem", "key.pem", True),
        ("ops/**", "ops/a/b", True),
        ("ops/**", "opsx/a", False),
        ("Migrations/", "app/migrations/0001.py", True),
        (".env", ".ENV", True),
        (".env*", ".env.local", True),
        ("a*b*c", "aXbYc", True),
        ("a*b*c", "ac", False),
        ("ab*ba", "aba", False),
        ("*", "anything/at/all", True),
        ("", "a", False),
        ("/", "a", False),
        (" *.md ", "a.md", True),
        ("caf\u00e9.txt", "cafe\u0301.txt", True),
        ("[ab].py", "a.py", False),
        ("a?.py", "ab.py", False),
    ],
)
def test_what_a_glob_matches(glob: str, path: str, matches: bool) -> None:
    assert (first_match([glob], path) == glob) is matches


def test_the_first_that_matches_is_told() -> None:
    assert first_match(["x", "*.py", "app.py"], "app.py") == "*.py"


@pytest.mark.parametrize("glob", ["*a" * 100 + "b", "**/" * 100 + "b", "**/*a/" * 60 + "b"])
def test_no_glob_takes_long(glob: str) -> None:
    begun = time.perf_counter()
    assert first_match([glob], "/".join(["a" * 25] * 20)) is None
    assert time.perf_counter() - begun < 0.5
