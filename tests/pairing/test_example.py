"""The example is a real program with a deliberate bug, and the bug is the one the prompt names."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from webapp.pairing import example


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in example.files().items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def pytest_in(project: Path) -> str:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:django"]
    done = subprocess.run(
        [*command, "-c", "/dev/null", "--rootdir", str(project), str(project)],
        cwd=project,
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    return done.stdout + done.stderr


def test_the_program_runs(project: Path) -> None:
    command = [sys.executable, "fizzbuzz.py", "5"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1", "2", "Fizz", "4", "Buzz"]


def test_one_test_fails_until_fifteen_is_handled(project: Path) -> None:
    before = pytest_in(project)
    assert "1 failed, 3 passed" in before
    assert "test_multiples_of_both" in before
    path = project / "fizzbuzz.py"
    text = path.read_text(encoding="utf-8")
    fix = '    if n % 15 == 0:\n        return "FizzBuzz"\n    if n % 3 == 0:'
    path.write_text(text.replace("    if n % 3 == 0:", fix), encoding="utf-8")
    assert "4 passed" in pytest_in(project)


def test_it_is_short_enough_for_a_small_model() -> None:
    lines = example.files()["fizzbuzz.py"].splitlines()
    assert 15 <= len(lines) <= 25
    assert '"FizzBuzz"' not in example.files()["fizzbuzz.py"]
