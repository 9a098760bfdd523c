"""What the guard lets pass: its limits one by one, and whatever a message may try."""

from __future__ import annotations

import random

import pytest

from tests.engine.landing.people import Session
from tests.engine.landing.projects import cut
from webapp.document.changes import ChangeSet
from webapp.engine.formats.whole_writer import Mark
from webapp.engine.guard import Guard, Rules


def hunk(removed: int, added: int, key: int = 0) -> Mark:
    return Mark(key, 0, 0, "x\n" * removed, "applied", added, removed)


def is_frozen(lines: int, removed: int, added: int = 0, rules: Rules | None = None) -> bool:
    guard = Guard(rules or Rules())
    guard.begin("f", "x\n" * lines)
    return bool(guard.write("f", "f.py", 1, [hunk(removed, added)]))


@pytest.mark.parametrize(
    ("lines", "removed", "added", "frozen"),
    [
        (100, 60, 0, False),
        (100, 61, 0, True),
        (122, 61, 0, False),
        (121, 61, 0, True),
        (1000, 500, 0, False),
        (1000, 501, 0, True),
        (100, 100, 40, False),
        (100, 100, 39, True),
        (100, 90, 90, False),
        (40, 40, 0, False),
    ],
)
def test_how_much_may_go(lines: int, removed: int, added: int, frozen: bool) -> None:
    assert is_frozen(lines, removed, added) is frozen


def test_the_limits_are_the_session_s() -> None:
    assert is_frozen(20, 11, rules=Rules(most_lines=10))
    assert not is_frozen(20, 11, rules=Rules(most_lines=10, most_share=0.9))


def test_hunks_add_up_and_what_is_frozen_does_not_count() -> None:
    guard = Guard(Rules())
    guard.begin("f", "x\n" * 100)
    for writer in range(6):
        assert not guard.write("f", "f", writer, [hunk(10, 0)])
        guard.count("f", writer, [hunk(10, 0)])
    assert guard.write("f", "f", 7, [hunk(10, 0)])
    assert not guard.write("f", "f", 8, [hunk(5, 30)])
    guard.count("f", 8, [hunk(5, 30)])
    assert not guard.write("f", "f", 9, [hunk(10, 0)]), "what was written counts against it"


def test_a_hunk_that_grows_counts_once() -> None:
    guard = Guard(Rules())
    guard.begin("f", "x\n" * 100)
    for _ in range(5):
        assert not guard.write("f", "f", 1, [hunk(50, 0)])
        guard.count("f", 1, [hunk(50, 0)])
    assert guard.write("f", "f", 1, [hunk(50, 0), hunk(11, 0, key=1)])


def test_the_file_is_measured_as_it_was_at_first() -> None:
    guard = Guard(Rules())
    guard.begin("f", "x\n" * 100)
    guard.begin("f", "x\n" * 10_000)
    assert guard.write("f", "f", 1, [hunk(70, 0)])


@pytest.mark.parametrize(
    ("before", "after", "empties"),
    [("a\n", "", True), ("a\n", " \n\t\n", True), ("", "", False), (" \n", "", False)],
)
def test_what_empties_a_file(before: str, after: str, empties: bool) -> None:
    guard = Guard(Rules())
    guard.begin("f", before)
    change = ChangeSet.of(len(before), [(0, len(before), after)])
    marks = [Mark(0, 0, len(after), before, "applied")]
    assert (guard.empties("f", "f", before, change, marks) is not None) is empties


def lines_of(text: str) -> int:
    return text.count("\n")


@pytest.mark.parametrize("seed", range(60))
def test_what_is_not_allowed_never_stands_in_the_text(seed: int) -> None:
    """Any message, cut anywhere: at no moment has a file lost more than it may, or is it blank."""
    rng = random.Random(seed)
    files = {path: _text(rng) for path in ("a.py", "b.py", "keep/c.py")}
    rules = Rules(("keep/",), most_lines=8, most_share=0.3, asks_for_files=True)
    edit_format = rng.choice(("blocks", "whole"))
    session = Session(edit_format, files, rules, focus=rng.choice(("", "a.py")))
    make = _blocks if edit_format == "blocks" else _whole
    message = "".join(make(rng, path, files[path]) for path in rng.choices(list(files), k=6))
    for piece in cut(message, rng.choice((1, 5, 40, 1_000))):
        session.says(piece)
    session.ends()
    for path, text in session.project.seen:
        assert path != "keep/c.py"
        assert text.strip()
        net = lines_of(files[path]) - lines_of(text)
        assert net <= 8 or net <= 0.3 * lines_of(files[path]), (path, net)
    assert session.text("keep/c.py") == files["keep/c.py"]


def _text(rng: random.Random) -> str:
    return "".join(
        f"{rng.choice('xyz')}{number} = {number}\n" for number in range(rng.randint(2, 60))
    )


def _blocks(rng: random.Random, path: str, text: str) -> str:
    lines = text.splitlines(keepends=True)
    start = rng.choice((0, rng.randrange(len(lines))))
    end = min(len(lines), start + rng.choice((1, 3, 9, 30, 60)))
    new = "".join(f"new{number}\n" for number in range(rng.choice((0, 0, 1, 3, 20))))
    if rng.random() < 0.2:
        new += "# ... rest of code ...\n"
    old = "".join(lines[start:end])
    return f"{path}\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n"


def _whole(rng: random.Random, path: str, text: str) -> str:
    lines = text.splitlines(keepends=True)
    kept = []
    at = 0
    while at < len(lines):
        if rng.random() < 0.1:
            at += rng.choice((1, 5, 12))
        elif rng.random() < 0.1:
            kept.append(f"more{at}\n")
        else:
            kept.append(lines[at])
            at += 1
    return f"{path}\n```python\n{''.join(kept)}```\n\n"
