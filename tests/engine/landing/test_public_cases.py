"""Cases of other tools, and traps of our own, where a folder of them is given: all of them right.

`FLINT_EDIT_CASES` names the folder. Each message is applied in one piece, through `push` at every
cut (200 at random for long ones), and by the command `applyedits` whole and one character at a
time. Where a rule of ours wins over what a case expects, docs/edits.md lists it with the reason.
"""

from __future__ import annotations

import io
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from tests.engine.landing.projects import Result, apply

FOLDER = os.environ.get("FLINT_EDIT_CASES", "")
ROOT = Path(__file__).parents[3]
FORMATS = ("patch", "blocks", "whole", "traps")
SHORT = 2_000
CUTS = 200
Case = dict[str, Any]
Files = dict[str, str]

pytestmark = [
    pytest.mark.skipif(not FOLDER, reason="FLINT_EDIT_CASES is not set"),
    pytest.mark.timeout(900),
]


def unchanged(case: Case) -> Files:
    return dict(case["files"])


def edited_in_place(case: Case) -> Files:
    """The move is refused, its edit stands where the file was."""
    (text,) = (case["expect_files"][p] for p in case["expect_files"] if p.startswith("renamed/"))
    return {**case["files"], "old/name.txt": text}


def without_final_newline(case: Case) -> Files:
    return {path: text.removesuffix("\n") for path, text in case["expect_files"].items()}


_NEWLINE = (
    "roo_ap/apply-patch apply > applyChunksToContent > should preserve trailing newline in result"
)
RULES: dict[str, Callable[[Case], Files] | None] = {
    "codex/010_move_overwrites_existing_destination": edited_in_place,
    "codex/011_add_overwrites_existing_file": unchanged,
    "openai_agents/test_apply_diff_single_anchor_stays_advisory_when_unmatched": unchanged,
    _NEWLINE: without_final_newline,
    "aider/test_replace_multiple_matches": unchanged,
    "aider/test_replace_multiple_matches_missing_whitespace": unchanged,
    # Some of the edits stand, so that these say of the files only that something was refused.
    "aider_chat/00086": None,
    "aider_chat/07631": None,
    "aider_chat/07714": None,
}
"""What a case comes to where a rule of ours wins; None: something is refused, the rest stands."""
APPLIED_ALL_THE_SAME = {_NEWLINE}


def cases(name: str) -> Iterator[Case]:
    for line in (Path(FOLDER) / f"{name}.jsonl").read_text().splitlines():
        yield json.loads(line)


def expected(case: Case) -> tuple[Files | None, bool]:
    """Return the files afterwards (None: not said), and whether something is refused."""
    if (rule := RULES.get(case["name"], unchanged)) is None:
        return None, True
    if case["name"] in RULES:
        return rule(case), case["name"] not in APPLIED_ALL_THE_SAME
    return case["expect_files"] or case["files"], case["expect_error"] is not None


def run(case: Case, *pieces: str) -> Result:
    return apply(case["format"], case["files"], *pieces, is_cut=bool(case.get("stop")))


@pytest.mark.parametrize("name", FORMATS)
def test_each_case_is_right_wherever_it_is_cut(name: str) -> None:
    rng = random.Random(4)
    for case in cases(name):
        message = case["message"]
        files, is_refused = expected(case)
        whole = run(case, message)
        assert files is None or whole.files == files, case["name"]
        assert (whole.applied.error is not None) == is_refused, (case["name"], whole.reasons)
        every = range(1, len(message))
        cuts = every if len(message) < SHORT else sorted(rng.sample(every, CUTS))
        for at in cuts:
            parts = run(case, message[:at], message[at:])
            assert parts.files == whole.files, (case["name"], at)
            assert parts.statuses == whole.statuses, (case["name"], at)


def laid_out(case: Case, folder: Path) -> Path:
    """Write a case's files into a folder, byte for byte."""
    folder.mkdir()
    for path, text in case["files"].items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.encode())
    return folder


def command(
    case: Case, folder: Path, monkeypatch: pytest.MonkeyPatch, *options: str
) -> tuple[Any, int]:
    """Run the command in this process; return what it printed, and its status."""
    out, status = io.StringIO(), 0
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(case["message"].encode())))
    try:
        call_command("applyedits", f"--format={case['format']}", *options, str(folder), stdout=out)
    except SystemExit as end:
        status = int(end.code or 0)
    return json.loads(out.getvalue()), status


@pytest.mark.parametrize("name", FORMATS)
def test_the_command_says_the_same(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, case in enumerate(cases(name)):
        folder = laid_out(case, tmp_path / str(number))
        direct = run(case, case["message"])
        for options in ((), ("--chunk=1",)):
            told, status = command(case, folder, monkeypatch, *options)
            files = {**case["files"], **told["files"]}
            files = {path: text for path, text in files.items() if text is not None}
            if not case.get("stop"):
                assert files == direct.files, (case["name"], options)
            assert status == (1 if expected(case)[1] else 0), (case["name"], told)
            assert (told["error"] is None) == (status == 0), case["name"]
        stands = {p: (folder / p).read_bytes().decode() for p in case["files"]}
        assert stands == case["files"], "nothing is written unless asked for"


def test_the_command_as_a_process_of_its_own(tmp_path: Path) -> None:
    for number, case in enumerate(list(cases("traps"))[:3]):
        folder = laid_out(case, tmp_path / str(number))
        done = subprocess.run(  # noqa: S603 - our own command, with cases that the tester gave
            [
                sys.executable,
                "manage.py",
                "applyedits",
                "--write",
                f"--format={case['format']}",
                str(folder),
            ],
            input=case["message"].encode(),
            capture_output=True,
            cwd=ROOT,
            check=False,
        )
        files, is_refused = expected(case)
        assert done.returncode == int(is_refused), done.stderr
        now = {p.relative_to(folder).as_posix(): p.read_bytes().decode() for p in folder.rglob("*")}
        assert now == files, case["name"]


def test_the_rules_that_win_are_told() -> None:
    page = (ROOT / "docs" / "edits.md").read_text()
    for name in RULES:
        assert f"`{name}`" in page, name
