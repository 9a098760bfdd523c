"""Where old text stands, or why it stands nowhere."""

from __future__ import annotations

import random
import time
from collections import Counter
from typing import Final

import pytest

from webapp.engine.locate import Ambiguous, Found, Missing, locate

TEXT = "def a():\n    return 1\n\n\ndef b():\n    return 2\n"


@pytest.mark.parametrize(
    ("text", "old", "found"),
    [
        (TEXT, "def a():\n", "def a():\n"),
        (TEXT, "    return 1\n\n", "    return 1\n\n"),
        (TEXT, "    return 2\n", "    return 2\n"),
        (TEXT, TEXT, TEXT),
        (TEXT, "    return 2", "    return 2\n"),
        ("a\nb", "b\n", "b"),
        ("a\nb", "a\nb\n", "a\nb"),
        ("x", "x\n", "x"),
        ("a\n\nb\n", "\n", "\n"),
        ("a\r\nb\nc\r\n", "b\nc\n", "b\nc\r\n"),
        ("a\r\nb\nc\r\nd", "c\nd\n", "c\r\nd"),
        ("a\r\nb\r\n", "a\n", "a\r\n"),
        ("\ud83d\ude00\nx\n", "x\n", "x\n"),
    ],
)
def test_the_one_place(text: str, old: str, found: str) -> None:
    place = locate(text, old)
    assert isinstance(place, Found)
    assert text[place.start : place.end] == found
    assert place.start == 0 or text[place.start - 1] == "\n"


@pytest.mark.parametrize(
    ("text", "old", "closest"),
    [
        (TEXT, "return 1 + 1\n", (2, 2)),
        (TEXT, "def b():\n    return 3\n", (5, 6)),
        (TEXT, "  def a():\n  return 1\n", (1, 2)),
        (TEXT, "def a(x, y):\n", None),
        (TEXT, "something else\n", None),
        (TEXT, "\n\n\n", None),
        ("", "x\n", None),
        ("x y z\n", "x y w\n", (1, 1)),
        ("b\n", "a\nb\n", (1, 1)),
        ("a\n", "a\nb\nc\n", (1, 1)),
    ],
)
def test_missing_tells_the_closest_lines(
    text: str, old: str, closest: tuple[int, int] | None
) -> None:
    assert locate(text, old) == Missing(closest)


@pytest.mark.parametrize(
    ("text", "old", "lines"),
    [
        ("a\nb\na\n", "a\n", (1, 3)),
        ("a\nb\na", "a\n", (1, 3)),
        ("x\nx\nx\n", "x\nx\n", (1, 2)),
        ("a\r\na\n", "a\n", (1, 2)),
        ("a\n" * 50, "a\n", tuple(range(1, 21))),
    ],
)
def test_several_places_are_none(text: str, old: str, lines: tuple[int, ...]) -> None:
    assert locate(text, old) == Ambiguous(lines)


def test_only_whole_lines_are_found() -> None:
    for old in ("a", "b\n", "\nb", "ab\nc", "b\ncd\n"):
        assert isinstance(locate("ab\ncd\nef\n", old), Missing), old


def test_nothing_is_looked_for_nowhere() -> None:
    with pytest.raises(ValueError, match="nothing"):
        locate(TEXT, "")


LOOKS: Final = str.maketrans("–—‘’“”\u00a0", "--''\"\" ")


def looser(lines: list[str]) -> list[list[str]]:
    """Return lines as each level sees them; the last level needs one shift besides."""
    bare = [line.removesuffix("\r") for line in lines]
    trailing = [line.rstrip() for line in bare]
    alike = [line.translate(LOOKS).rstrip() for line in trailing]
    return [bare, trailing, alike]


def one_shift(stand: list[str], want: list[str]) -> bool:
    """Say whether one indentation, added or taken, makes all the lines equal."""
    shifts = set()
    for a, b in zip(stand, want, strict=True):
        if not a or not b:
            shifts |= set() if a == b else {"", "x"}
        elif a.endswith(b) and not (more := a[: len(a) - len(b)]).strip():
            shifts.add("+" + more)
        elif b.endswith(a) and not (less := b[: len(b) - len(a)]).strip():
            shifts.add("-" + less)
        else:
            return False
    return len(shifts) == 1


def walk(text: str, old: str) -> tuple[int, list[int]]:
    """Return the first level at which anything matches, and the lines (from 0) where it does."""
    lines, want = text.split("\n"), old.removesuffix("\n").split("\n")
    if not lines[-1]:
        lines.pop()
    solid = [number for number, line in enumerate(want) if line.strip()]
    cuts = [(0, len(want))]
    if solid:
        cuts += [(0, solid[-1] + 1), (solid[0], len(want)), (solid[0], solid[-1] + 1)]
    for first, end in cuts:
        for level in range(4 if solid else 1):
            at = []
            wanted = looser(want[first:end])
            for number in range(len(lines) - (end - first) + 1):
                stand = looser(lines[number : number + end - first])
                if stand[level] == wanted[level] if level < 3 else one_shift(stand[2], wanted[2]):
                    at.append(number)
            if at:
                return max(level, int(end - first < len(want))), at
    return 4, []


def test_it_agrees_with_a_walk_over_the_lines() -> None:
    rng = random.Random(7)
    kinds = ["a", "b", "  a", "\ta", "    b", "a  ", "b—", "b-", "‘a’", "'a'", "", "", " ", "c\r"]
    seen: Counter[object] = Counter()
    for _ in range(20_000):
        lines = [rng.choice(kinds) for _ in range(rng.randrange(1, 9))]
        text = "\n".join(lines) + ("\n" if lines[-1] == "c\r" else rng.choice(["", "\n"]))
        first = rng.randrange(len(lines))
        wanted = [line.rstrip("\r") for line in lines[first : first + rng.randrange(1, 4)]]
        if rng.random() < 0.6:
            wanted = [rng.choice(["", "  ", "\t"]) + line for line in wanted[:1]] + wanted[1:]
        if rng.random() < 0.5:
            wanted = [line.translate(LOOKS).rstrip() for line in wanted]
        if rng.random() < 0.3:
            wanted = ["  " + line if line else line for line in wanted]
        old = "\n".join(wanted) + "\n"
        level, places = walk(text, old)
        got = locate(text, old)
        seen[type(got), level] += 1
        match got:
            case Found(start, end):
                assert (got.level, len(places)) == (level, 1), (text, old)
                assert text[:start].count("\n") == places[0]
                assert start == 0 or text[start - 1] == "\n"
                assert end == len(text) or text[end - 1] == "\n"
                stands = text[start:end].removesuffix("\n").split("\n") if start < end else []
                assert len(stands) + got.ahead + got.spare == len(wanted)
            case Ambiguous(numbers):
                assert [number - 1 for number in numbers] == places, (text, old)
            case Missing():
                assert not places, (text, old)
    assert all(seen[Found, level] > 20 and seen[Ambiguous, level] > 20 for level in range(4)), seen


def test_a_large_text_takes_little_time() -> None:
    text = "".join(f"    value = compute(value, {i % 100})\n" for i in range(50_000))
    began = time.process_time()
    for old in ("    value = compute(value, 5)\n" * 3, "nothing of it\n", text[40:4000] + "x\n"):
        locate(text, old)
    assert time.process_time() - began < 2


def test_the_closest_lines_are_looked_for_when_that_is_wanted() -> None:
    assert locate(TEXT, "return 1 + 1\n") == Missing((2, 2))
    assert locate(TEXT, "return 1 + 1\n", near=False) == Missing()
    assert locate(TEXT, "    return 1\n", near=False) == locate(TEXT, "    return 1\n")
