"""Real messages in blocks and whole files, where a folder of public cases is given.

`FLINT_EDIT_CASES` names the folder. Everything comes out as the case says, but where a rule of ours
stands against it.
"""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any, Final

import pytest

from tests.engine.formats.applying import Project, apply

FOLDER = os.environ.get("FLINT_EDIT_CASES", "")
pytestmark = pytest.mark.skipif(not FOLDER, reason="FLINT_EDIT_CASES is not set")

SEVERAL: Final = "aider/test_replace_multiple_matches"
"""Of lines that stand at several places the first is changed there; here none is."""


def cases() -> list[dict[str, Any]]:
    files = ("blocks.jsonl", "whole.jsonl", "traps.jsonl")
    lines = [line for name in files for line in (Path(FOLDER) / name).read_text().splitlines()]
    found = [json.loads(line) for line in lines]
    return [case for case in found if case["format"] in {"blocks", "whole"}]


def result(case: dict[str, Any], *cuts: int) -> tuple[dict[str, str], list[str]]:
    project: Project = apply(case["format"], case["files"], case["message"], *cuts)
    return project.files, project.refused


def test_every_case_comes_out_right() -> None:
    for case in cases():
        files, refused = result(case)
        expected = case["files"] | {
            path: text for path, text in (case["expect_files"] or {}).items() if text is not None
        }
        if case["name"].startswith(SEVERAL):
            assert (files, refused) == (case["files"], ["ambiguous"])
        elif case["expect_error"]:
            assert refused, case["name"]
            assert case["expect_files"] is None or files == expected, case["name"]
        else:
            assert (files, refused) == (expected, []), case["name"]


def test_no_cut_changes_what_comes_out() -> None:
    rng = random.Random(5)
    for case in cases():
        length, whole = len(case["message"]), result(case)
        for _ in range(8):
            cuts = sorted(rng.randrange(length + 1) for _ in range(rng.choice([1, 5, 60])))
            assert result(case, *cuts) == whole, (case["name"], cuts)
